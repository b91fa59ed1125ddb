//! The JSON Schema definitions of a table, for editors: completion, and the meaning of each key.
//!
//! Knows shapes only; lets through what only the diagnostics can judge.
//! Rules: JSON Schema draft 2020-12.

use serde_json::{Map, Value as Json, json};

use super::{Record, Shape};

/// The definitions of a record and of all that it holds, by their names.
pub(crate) fn definitions(record: &Record) -> Map<String, Json> {
    let mut definitions = Map::new();
    define(record, &mut definitions);
    definitions
}

/// Puts a record among the definitions; its name as a reference.
fn define(record: &Record, definitions: &mut Map<String, Json>) -> Json {
    let reference = json!(format!("#/$defs/{}", record.definition));
    if definitions.contains_key(record.definition) {
        return reference;
    }
    // Holds the name while the keys are read, should one lead back here.
    definitions.insert(record.definition.to_owned(), Json::Null);
    let mut properties = Map::new();
    for key in record.keys {
        let mut schema = schema(&key.shape, definitions);
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

fn schema(shape: &Shape, definitions: &mut Map<String, Json>) -> Json {
    match shape {
        Shape::Text => json!({"type": "string"}),
        Shape::Name => json!({"type": "string", "pattern": "\\S"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::True => json!({"const": true}),
        Shape::Count => json!({"type": "integer", "minimum": 1}),
        Shape::Spelled(spelling) => json!({"type": "string", "pattern": spelling.expression}),
        Shape::Word(words) => json!({"enum": words}),
        Shape::File => json!({"type": ["string", "null"]}),
        Shape::Anything => json!({}),
        Shape::Defined([one]) => json!({"$ref": format!("#/$defs/{one}")}),
        Shape::Defined(names) => {
            let patterns: Vec<Json> =
                names.iter().map(|name| json!({"$ref": format!("#/$defs/{name}")})).collect();
            json!({"anyOf": patterns})
        }
        Shape::Record(inner) => json!({"$ref": define(inner, definitions)}),
        Shape::Dictionary(value) => {
            json!({"type": "object", "additionalProperties": schema(value, definitions)})
        }
        Shape::List { item, may_be_empty } => {
            let items = schema(item, definitions);
            json!({"type": "array", "items": items, "minItems": u8::from(!may_be_empty)})
        }
        Shape::OneOrMany(item) => {
            let one = schema(item, definitions);
            json!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
        }
    }
}
