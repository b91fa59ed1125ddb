//! The declared types: what the model is asked for, and what a session's metadata must be.
//!
//! Knows a declaration and a value; not where the value is kept. Writes by tools and steps are not checked
//! against a type (MEM-47). Rules: contract-notes, "3. memory.yml"; BLT-31, BLT-32, MEM-51.

use serde_json::json;

use crate::protocol::{Json, MemoryField};

/// The JSON Schema of an entry as a property of `set_fields` or the value of `correct` (BLT-31, BLT-32).
pub(crate) fn property_schema(declaration: &MemoryField) -> Json {
    let mut schema = json!({ "type": json_type(&declaration.kind) });
    let mut description: Vec<String> = declaration.description.iter().cloned().collect();
    if declaration.kind == "categorical" && !declaration.enum_values.is_empty() {
        description.push(format!("Allowed values: {}.", declaration.enum_values.join(", ")));
        insert(&mut schema, "enum", json!(declaration.enum_values));
    }
    if !description.is_empty() {
        insert(&mut schema, "description", Json::String(description.join(" ")));
    }
    schema
}

fn insert(schema: &mut Json, key: &str, value: Json) {
    if let Json::Object(members) = schema {
        members.insert(key.to_owned(), value);
    }
}

fn json_type(kind: &str) -> &'static str {
    match kind {
        "bool" => "boolean",
        "int" => "integer",
        "float" => "number",
        "list" => "array",
        _ => "string",
    }
}

/// Whether a value of the session's metadata may seed an entry (MEM-51). A type that the notes do not name is
/// taken as the string that the model is asked for.
pub(super) fn may_seed(declaration: &MemoryField, value: &Json) -> bool {
    match declaration.kind.as_str() {
        "any" => !value.is_null(),
        "bool" => value.is_boolean(),
        "int" => value.is_i64() || value.is_u64(),
        "float" => value.is_number(),
        "list" => value.is_array(),
        "json" => value.is_object() || value.is_array(),
        "categorical" => value.as_str().is_some_and(|value| {
            declaration.enum_values.is_empty()
                || declaration.enum_values.iter().any(|allowed| allowed == value)
        }),
        _ => value.is_string(),
    }
}
