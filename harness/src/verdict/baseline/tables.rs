//! The shape of a baseline, key by key.
//!
//! Data only: what is said here is checked, and published, by `source::shape`.
//! Rules: docs/running.md, "Known failures".

use super::Date;
use crate::source::shape::{Key, Record, Shape, Spelling, definitions};

static DAY: Spelling = Spelling {
    wanted: "a day",
    complaint: |text| Date::parse(text).is_none().then(|| "is not a day of the calendar".to_owned()),
    remedy: "write a day as in `2027-01-31`",
    expression: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
};

/// What stands behind a key.
pub(super) static ENTRY_SHAPE: Shape = Shape::Record(&ENTRY);

static ENTRY: Record = Record {
    name: "a known failure",
    definition: "KnownFailure",
    keys: &[
        Key { name: "reason", shape: Shape::Name, required: true, meaning: "Why it fails, in a sentence." },
        Key { name: "issue", shape: Shape::Name, required: false, meaning: "Where that is tracked." },
        Key {
            name: "signature",
            shape: Shape::Name,
            required: true,
            meaning: "How it fails, as `--update-baseline` writes it.",
        },
        Key {
            name: "expires",
            shape: Shape::Spelled(&DAY),
            required: false,
            meaning: "The last day on which it is excused.",
        },
    ],
};

/// The JSON Schema of a baseline, for editors.
pub fn schema() -> serde_json::Value {
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Known failures of an implementation",
        "description": "Keyed by scenario, or scenario and part. See docs/running.md, \"Known failures\".",
        "type": "object",
        "additionalProperties": { "$ref": format!("#/$defs/{}", ENTRY.definition) },
        "$defs": definitions(&ENTRY),
    })
}
