//! Annotations: what Python refuses while a function is defined, and what it makes of the others.

use serde_json::{Value as Json, json};

use super::{IMPORTS, load, only_tool, refusal};

const TYPES: &str = "import datetime\nimport typing\nfrom typing import Annotated, Any, Callable, Dict, List, Optional, TypeVar, Union\nT = TypeVar('T')\nBox = List[T]\nMaybe = Optional[T]\ndef g(): pass\n";

fn with(annotation: &str) -> String {
    format!("{IMPORTS}{TYPES}@tool(description='d')\nasync def f(a: {annotation} = None): pass\n")
}

#[track_caller]
fn property(annotation: &str) -> Json {
    let report = load(&with(annotation));
    only_tool(&report).parameters["properties"]["a"].clone()
}

#[test]
fn what_python_refuses_when_the_function_is_defined_is_refused() {
    for annotation in [
        "None | None",
        "(int | None) | 'str'",
        "list[int] | 'str'",
        "'int' | 'str'",
        "callable | None",
        "datetime | None",
        "g | None",
        "int | ...",
        "Optional['hello world']",
        "Optional[int, str]",
        "Optional[(int, str)]",
        "Union[int, [str]]",
        "List[int, str]",
        "Dict[str]",
        "Annotated[int]",
        "Callable[int]",
        "Any[int]",
        "Any | 'str'",
        "list[int][str]",
        "Maybe['hello world']",
        "g[int]",
        "None[int]",
        "any[int]",
        "datetime[int]",
    ] {
        assert!(refusal(&load(&with(annotation))).is_some(), "{annotation}");
    }
}

#[test]
fn a_form_of_typing_joins_with_a_string() {
    assert_eq!(property("List[int] | 'str'"), json!({"type": "string"}));
    assert_eq!(property("Optional[int] | 'None'"), json!({"type": "integer"}));
    assert_eq!(property("T | 'Undefined'"), json!({"type": "string"}));
}

#[test]
fn a_union_holds_equal_members_once() {
    assert_eq!(property("list[int] | list[int]"), json!({"type": "array", "items": {"type": "integer"}}));
    assert_eq!(property("Union[List[str], None, List[str]]")["type"], "array");
    assert_eq!(property("Union[None, None] | int"), json!({"type": "integer"}));
    assert_eq!(property("Union[list[int], list[str]]"), json!({"type": "string"}));
}

#[test]
fn a_generic_alias_takes_its_argument() {
    assert_eq!(property("Box[int]"), json!({"type": "array", "items": {"type": "integer"}}));
    assert_eq!(property("Maybe[bool]"), json!({"type": "boolean"}));
    assert_eq!(property("Maybe[Box[float]]"), json!({"type": "array", "items": {"type": "number"}}));
    assert_eq!(property("Maybe"), json!({"type": "string"}));
}

#[test]
fn what_annotated_adds_to_a_type_is_not_looked_at() {
    assert_eq!(property("Annotated[int, 'from 1 to 6', (1, 6)]"), json!({"type": "integer"}));
    assert!(refusal(&load(&with("Annotated['from 1 to 6', 1]"))).is_some());
}
