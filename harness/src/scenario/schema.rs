//! The JSON Schema of a scenario file, for editors: completion, and the meaning of each key.
//!
//! Generated from the table that drives the diagnostics, and from what observations can be; lets through
//! what only the diagnostics can judge.
//! Rules: JSON Schema draft 2020-12.

use serde_json::{Map, json};

use super::expect::{Field, Kind, Observed, Type, fields};
use super::tables::SCENARIO;
use crate::protocol::Json;
use crate::source::shape;

/// The schema of a scenario file.
pub fn schema() -> Json {
    let mut definitions = Map::new();
    for (name, observed) in
        [("LoadReport", Observed::Load), ("TurnTrace", Observed::Turn), ("WaitReport", Observed::Wait)]
    {
        let fields = fields(observed);
        definitions.insert(name.to_owned(), record_pattern(fields.into_iter()));
    }
    definitions.insert("Matcher".to_owned(), matcher());
    definitions.extend(shape::definitions(&SCENARIO));
    definitions.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario of the tool-runtime conformance suite",
        "description": "See docs/scenarios.md; `cargo xtask lint` says what is wrong in full sentences.",
        "$ref": format!("#/$defs/{}", SCENARIO.definition),
        "$defs": definitions,
    })
}

/// A map of patterns: every key optional, matching words beside them.
fn record_pattern<'field>(fields: impl Iterator<Item = &'field Field>) -> Json {
    let mut properties = Map::new();
    for field in fields {
        let schema = pattern(&field.seen);
        properties.insert(
            field.name.to_owned(),
            json!({"description": field.meaning, "anyOf": [schema, {"$ref": "#/$defs/Matcher"}]}),
        );
    }
    json!({"type": ["object", "null"], "properties": properties})
}

fn pattern(seen: &Type) -> Json {
    let literal = match &seen.kind {
        Kind::Anything => return json!({}),
        Kind::Text => json!({"type": ["string", "null"]}),
        Kind::Flag => json!({"type": ["boolean", "null"]}),
        Kind::Integer => json!({"type": ["integer", "null"]}),
        Kind::Word(words) => {
            json!({"enum": words.iter().map(|word| json!(word)).chain([Json::Null]).collect::<Vec<_>>()})
        }
        Kind::List(item) => {
            let item = json!({"anyOf": [pattern(item), {"$ref": "#/$defs/Matcher"}]});
            json!({"type": ["array", "null"], "items": item})
        }
        Kind::Dictionary(value) => {
            let value = json!({"anyOf": [pattern(value), {"$ref": "#/$defs/Matcher"}]});
            json!({"type": ["object", "null"], "additionalProperties": value})
        }
        Kind::Record(fields) => record_pattern(fields.iter()),
        Kind::OneOf(types) => json!({"anyOf": types.iter().map(pattern).collect::<Vec<_>>()}),
    };
    match seen.naming {
        Some(key) => {
            json!({"anyOf": [literal, {"type": "string", "description": format!("Stands for `{key}`.")}]})
        }
        None => literal,
    }
}

fn matcher() -> Json {
    json!({
        "type": "object",
        "minProperties": 1,
        "additionalProperties": false,
        "properties": {
            "include": {"type": "array", "minItems": 1, "description": "Each is matched by some item; of a map: these keys are present."},
            "exclude": {"type": "array", "minItems": 1, "description": "No item matches any of these; of a map: these keys are absent."},
            "exactly": {"type": "object", "description": "The map has no other keys, at this level."},
            "re": {"type": "string", "description": "A string in which this expression matches."},
            "any": {"type": "array", "description": "One of these; empty: anything that is present."},
            "some_value": {"description": "A map some value of which matches, whatever its key."},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_every_key_says_what_it_means() {
        let schema = schema();
        let definitions = schema["$defs"].as_object().unwrap();
        let text = schema.to_string();
        for (at, _) in text.match_indices("#/$defs/") {
            let name = text[at + 8..].split('"').next().unwrap();
            assert!(definitions.get(name).is_some_and(Json::is_object), "{name}");
        }
        let properties = definitions["Scenario"]["properties"].as_object().unwrap();
        assert_eq!(properties.len(), SCENARIO.keys.len());
        assert!(
            properties
                .values()
                .all(|property| property["description"].as_str().is_some_and(|text| !text.is_empty()))
        );
        assert_eq!(definitions["Step"]["properties"]["llm"]["items"]["$ref"], "#/$defs/Reply");
        assert_eq!(definitions["TurnTrace"]["properties"]["outcome"]["anyOf"][0]["enum"][1], "cancelled");
    }
}
