//! The JSON Schema of a scenario file, for editors: completion, and the meaning of each key.
//!
//! Generated from the table that drives the diagnostics; lets through what only they can judge.
//! Rules: JSON Schema draft 2020-12.

use serde_json::{Map, json};

use super::{Record, SCENARIO, Shape};
use crate::protocol::Json;
use crate::scenario::expect::{Field, Kind, Observed, Type, fields};

/// The schema of a scenario file.
pub fn scenario_schema() -> Json {
    let mut definitions = Map::new();
    for (name, observed) in
        [("LoadReport", Observed::Load), ("TurnTrace", Observed::Turn), ("WaitReport", Observed::Wait)]
    {
        let fields = fields(observed);
        definitions.insert(name.to_owned(), record_pattern(fields.into_iter()));
    }
    definitions.insert("Matcher".to_owned(), matcher());
    let scenario = record(&SCENARIO, &mut definitions);
    definitions.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario of the tool-runtime conformance suite",
        "description": "See docs/scenarios.md; `cargo xtask lint` says what is wrong in full sentences.",
        "$ref": scenario,
        "$defs": definitions,
    })
}

/// Puts a record among the definitions; its name as a reference.
fn record(record: &Record, definitions: &mut Map<String, Json>) -> Json {
    let reference = json!(format!("#/$defs/{}", record.definition));
    if definitions.contains_key(record.definition) {
        return reference;
    }
    // Holds the name while the keys are read, should one lead back here.
    definitions.insert(record.definition.to_owned(), Json::Null);
    let mut properties = Map::new();
    for key in record.keys {
        let mut schema = shape(&key.shape, definitions);
        if let Json::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), json!(key.meaning));
        }
        properties.insert(key.name.to_owned(), schema);
    }
    let required: Vec<&str> = record.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if let (Json::Object(schema), false) = (&mut schema, required.is_empty()) {
        schema.insert("required".to_owned(), json!(required));
    }
    definitions.insert(record.definition.to_owned(), schema);
    reference
}

fn shape(shape: &Shape, definitions: &mut Map<String, Json>) -> Json {
    match shape {
        Shape::Text => json!({"type": "string"}),
        Shape::Name => json!({"type": "string", "pattern": "\\S"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::True => json!({"const": true}),
        Shape::Count => json!({"type": "integer", "minimum": 1}),
        Shape::Duration => json!({"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$"}),
        Shape::Requirement => json!({"type": "string", "pattern": "^[A-Z]{3}-[0-9]{2,}$"}),
        Shape::Word(words) => json!({"enum": words}),
        Shape::File => json!({"type": ["string", "null"]}),
        Shape::Anything => json!({}),
        Shape::Pattern([one]) => json!({"$ref": format!("#/$defs/{one}")}),
        Shape::Pattern(names) => {
            let patterns: Vec<Json> =
                names.iter().map(|name| json!({"$ref": format!("#/$defs/{name}")})).collect();
            json!({"anyOf": patterns})
        }
        Shape::Record(inner) => json!({"$ref": record(inner, definitions)}),
        Shape::Dictionary(value) => {
            json!({"type": "object", "additionalProperties": self::shape(value, definitions)})
        }
        Shape::List { item, may_be_empty } => {
            let items = self::shape(item, definitions);
            json!({"type": "array", "items": items, "minItems": u8::from(!may_be_empty)})
        }
        Shape::OneOrMany(item) => {
            let one = self::shape(item, definitions);
            json!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
        }
    }
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
    json!({"type": "object", "properties": properties, "minProperties": 1})
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
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere_and_every_key_says_what_it_means() {
        let schema = scenario_schema();
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
