//! The shape of a chapter of the catalogue, key by key.
//!
//! Data only: what is said here is checked, and published, by `source::shape`.
//! Rules: CONTRIBUTING.md, "A clause".

use super::RequirementId;
use crate::source::shape::{Key, Record, Shape, Spelling, definitions};

/// How the id of a clause is spelled.
pub(crate) static REQUIREMENT_ID: Spelling = Spelling {
    wanted: "the id of a clause",
    complaint: |text| RequirementId::parse(text).is_none().then(|| "is not the id of a clause".to_owned()),
    remedy: "write an id from specs/*.yml: three capitals, a hyphen, two digits, as in `SCH-07`",
    expression: "^[A-Z]{3}-[0-9]{2,}$",
};

static CHAPTER_ID: Spelling = Spelling {
    wanted: "the id of a chapter",
    complaint: |text| {
        let capitals = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        (!capitals).then(|| "is not the id of a chapter".to_owned())
    },
    remedy: "write three capitals, as in `SCH`",
    expression: "^[A-Z]{3}$",
};

const fn required(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { name, shape, required: true, meaning }
}

const fn optional(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { name, shape, required: false, meaning }
}

const NEEDS: Shape = Shape::List { item: &Shape::Word(CAPABILITIES), may_be_empty: true };

/// Every capability; a test holds this list to the protocol's.
pub(crate) const CAPABILITIES: &[&str] = &[
    "schema",
    "discovery",
    "conditions",
    "memory",
    "gating",
    "builtins",
    "execution",
    "cancellation",
    "timeouts",
    "hooks",
    "buttons",
    "mcp",
    "confirmation",
    "ordered_blocks",
    "knowledge",
    "train_checks",
    "virtual_time",
];

/// A chapter.
pub(super) static CHAPTER: Record = Record {
    name: "a chapter",
    definition: "Chapter",
    keys: &[
        required("chapter", Shape::Spelled(&CHAPTER_ID), "Its id, three capitals."),
        required("title", Shape::Name, "Its title."),
        required("gated", Shape::Flag, "Whether an uncovered `must` in it fails the coverage gate."),
        required("needs", NEEDS, "What an implementation must be capable of to be asked about this chapter."),
        required(
            "requirements",
            Shape::List { item: &Shape::Record(&REQUIREMENT), may_be_empty: false },
            "Its clauses, in the order of the text.",
        ),
    ],
};

static REQUIREMENT: Record = Record {
    name: "a clause",
    definition: "Requirement",
    keys: &[
        required("id", Shape::Spelled(&REQUIREMENT_ID), "Its id: the chapter's, and the next number."),
        required(
            "level",
            Shape::Word(&["must", "observed"]),
            "Whether the text demands it, or is silent or can be read two ways.",
        ),
        required("statement", Shape::Name, "What a runtime does, in one sentence."),
        required("source", Shape::Record(&SOURCE), "Where it comes from."),
        optional("needs", NEEDS, "What this clause needs beyond its chapter."),
        optional(
            "gated",
            Shape::Flag,
            "Whether its coverage is demanded, where that differs from the chapter.",
        ),
        optional("excluded", Shape::Name, "Why no scenario or property tests it."),
        optional("note", Shape::Name, "Why it is observed, or how two readings differ."),
    ],
};

static SOURCE: Record = Record {
    name: "a source",
    definition: "Source",
    keys: &[
        required("document", Shape::Word(&["tools-reference", "contract-notes"]), "The document."),
        required("section", Shape::Name, "The section's heading as printed there."),
    ],
};

/// The JSON Schema of a chapter's file, for editors.
pub fn schema() -> serde_json::Value {
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A chapter of the requirement catalogue",
        "description": "See CONTRIBUTING.md, \"A clause\".",
        "$ref": format!("#/$defs/{}", CHAPTER.definition),
        "$defs": definitions(&CHAPTER),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Capability;

    #[test]
    fn the_words_are_those_of_the_protocol() {
        assert_eq!(CAPABILITIES, Capability::ALL.map(Capability::name));
    }
}
