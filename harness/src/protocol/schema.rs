//! The JSON Schema of the boundary, generated from its types.
//!
//! Knows only the types beside it; who validates what with it is for the transport to say.
//! Rules: JSON Schema draft 2020-12; unknown fields are allowed in both directions.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::{Bye, HelloReport, Json, LoadReport, ReplyLine, RequestLine, TurnTrace, WaitReport};

/// The schema of every line that may cross the boundary. A request line, or the reply line that
/// belongs to the request's kind; each is also a definition: `RequestLine`, `TurnTraceReplyLine`, …
pub fn schema() -> Json {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let lines = [
        generator.subschema_for::<RequestLine>(),
        generator.subschema_for::<ReplyLine<HelloReport>>(),
        generator.subschema_for::<ReplyLine<LoadReport>>(),
        generator.subschema_for::<ReplyLine<TurnTrace>>(),
        generator.subschema_for::<ReplyLine<WaitReport>>(),
        generator.subschema_for::<ReplyLine<Bye>>(),
    ];
    let definitions = generator.take_definitions(true);
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The boundary between the suite and an implementation",
        "description": "One JSON object a line. The suite writes request lines, the implementation answers each with the reply line of the request's kind.",
        "anyOf": lines,
        "$defs": definitions,
    })
}

/// The schema of one type, with its definitions beside it.
pub fn schema_of<Type: JsonSchema>() -> Json {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Type>().to_value()
}
