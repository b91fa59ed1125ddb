//! The declared types, as the model sees them and as metadata is tested.

use serde_json::json;

use super::super::property_schema;
use super::super::types::may_seed;
use super::*;

fn field(declaration: &str) -> MemoryField {
    let schema = declared(&[], &format!("x: {declaration}"));
    schema.project_fields().next().unwrap().declaration.clone()
}

#[test]
fn blt_31_each_type_has_its_json_type() {
    let types = [
        ("bool", "boolean"),
        ("int", "integer"),
        ("float", "number"),
        ("list", "array"),
        ("text", "string"),
        ("categorical", "string"),
        ("json", "string"),
        ("any", "string"),
        ("money", "string"),
    ];
    for (kind, expected) in types {
        assert_eq!(property_schema(&field(&format!("{{type: {kind}}}"))), json!({"type": expected}));
    }
    assert_eq!(property_schema(&field("")), json!({"type": "string"}));
}

#[test]
fn blt_32_a_categorical_entry_lists_its_values() {
    let schema = property_schema(&field("{type: categorical, enum_values: [a, b], description: Which?}"));
    assert_eq!(schema["enum"], json!(["a", "b"]));
    assert!(schema["description"].as_str().unwrap().starts_with("Which? "));
    let other = property_schema(&field("{type: text, enum_values: [a, b], description: Which?}"));
    assert_eq!(other, json!({"type": "string", "description": "Which?"}));
}

#[test]
fn mem_51_metadata_must_be_of_the_declared_type() {
    let values =
        [json!(true), json!(1), json!(1.5), json!("a"), json!("z"), json!([1]), json!({"a": 1}), Json::Null];
    let accepted = |declaration: &str| {
        let field = field(declaration);
        values.iter().map(|value| may_seed(&field, value)).collect::<Vec<_>>()
    };
    let (yes, no) = (true, false);
    assert_eq!(accepted("{type: any}"), [yes, yes, yes, yes, yes, yes, yes, no]);
    assert_eq!(accepted("{type: bool}"), [yes, no, no, no, no, no, no, no]);
    assert_eq!(accepted("{type: int}"), [no, yes, no, no, no, no, no, no]);
    assert_eq!(accepted("{type: float}"), [no, yes, yes, no, no, no, no, no]);
    assert_eq!(accepted("{type: text}"), [no, no, no, yes, yes, no, no, no]);
    assert_eq!(accepted("{type: list}"), [no, no, no, no, no, yes, no, no]);
    assert_eq!(accepted("{type: json}"), [no, no, no, no, no, yes, yes, no]);
    assert_eq!(accepted("{type: categorical}"), [no, no, no, yes, yes, no, no, no]);
    assert_eq!(accepted("{type: categorical, enum_values: [a]}"), [no, no, no, yes, no, no, no, no]);
}
