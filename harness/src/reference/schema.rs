//! From a tool's signature to the JSON Schema the model sees.
//!
//! Knows functions and annotations; nothing of where tools are found. Rules: chapter SCH, one function a
//! clause family. Where the text is silent (items of `list[T]`, parameters without annotation) the
//! reference takes the readings recorded as `observed` there.

use std::rc::Rc;

use ruff_python_ast::ParameterWithDefault;
use ruff_text_size::Ranged;
use serde_json::json;

use super::python::{
    Annotation, BasicType, Form, Function, Interpreter, Resolution, Unknown, Value, is_list, union,
};
use crate::protocol::{self, Json, SourcePlace};

/// How deep annotations are followed: `list[list[…]]`, strings within strings.
const MAXIMUM_NESTING: u32 = 16;

/// What a signature gives.
pub(crate) struct Derived {
    /// The JSON Schema object; null when the signature cannot be read.
    pub(crate) parameters: Json,
    /// What could not be known.
    pub(crate) unknown: Vec<protocol::Unknown>,
}

/// What an annotation gives.
enum Property {
    /// This schema.
    Known(Json),
    /// A schema that depends on something that cannot be read.
    Unknown(Rc<Unknown>),
}

/// Derives the schema of a tool (SCH-03 to SCH-34).
pub(crate) fn derive(interpreter: &mut Interpreter<'_>, tool: &Rc<Function>) -> Derived {
    let function = match innermost(tool) {
        Ok(function) => function,
        Err(unknown) => return unreadable(&unknown),
    };
    let mut properties = serde_json::Map::new();
    let mut required = Vec::new();
    let mut unknown = Vec::new();
    let parameters = function.parameters();
    for parameter in parameters.into_iter().flat_map(ruff_python_ast::Parameters::iter_non_variadic_params) {
        let name = parameter.name().as_str();
        if name == "context" {
            continue;
        }
        let schema = match property_of(interpreter, &function, parameter) {
            Property::Known(schema) => schema,
            Property::Unknown(reason) => {
                let place = function.file.place(parameter.range().start());
                unknown.push(told(format!("type of `{name}`"), &reason, place));
                json!({})
            }
        };
        properties.insert(name.to_owned(), schema);
        if parameter.default().is_none() {
            required.push(name);
        }
    }
    let parameters = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    Derived { parameters, unknown }
}

/// The schema of a signature that cannot be read: none.
pub(crate) fn unreadable(reason: &Unknown) -> Derived {
    let unknown = vec![told("parameters".to_owned(), reason, reason.place.clone())];
    Derived { parameters: Json::Null, unknown }
}

/// Something unknown as it is reported.
pub(crate) fn told(what: String, reason: &Unknown, place: SourcePlace) -> protocol::Unknown {
    protocol::Unknown { what, why: reason.why.clone(), place: Some(place) }
}

/// The function whose signature counts: the one `functools.wraps` points to in the end (SCH-34).
fn innermost(tool: &Rc<Function>) -> Result<Rc<Function>, Rc<Unknown>> {
    let mut function = Rc::clone(tool);
    for _ in 0..64 {
        let wrapped = function.wrapped.borrow().clone();
        match wrapped {
            None => return Ok(function),
            Some(Value::Function(inner)) => function = inner,
            Some(Value::Made(made)) => return Err(Rc::clone(&made.by)),
            Some(Value::Unknown(unknown)) => return Err(unknown),
            Some(_) => break,
        }
    }
    Err(Unknown::new("what this function wraps cannot be read", tool.place.clone()))
}

fn property_of(
    interpreter: &mut Interpreter<'_>,
    function: &Rc<Function>,
    parameter: &ParameterWithDefault,
) -> Property {
    let name = parameter.name().as_str();
    let annotation =
        function.annotations.iter().find(|(known, _)| &**known == name).map(|(_, annotation)| annotation);
    match annotation {
        // SCH-36, observed: without an annotation a parameter is a string.
        None | Some(Annotation::Missing) => string(),
        Some(Annotation::Evaluated(value)) => property(interpreter, function, value, 0),
        Some(Annotation::Postponed(expression)) => {
            resolved(interpreter.resolve(function, expression), |value| {
                property(interpreter, function, &value, 0)
            })
        }
    }
}

/// The type mapping (SCH-12 to SCH-21).
fn property(
    interpreter: &mut Interpreter<'_>,
    function: &Rc<Function>,
    value: &Value,
    depth: u32,
) -> Property {
    if depth > MAXIMUM_NESTING {
        return string();
    }
    match value {
        Value::Type(BasicType::Int) => typed("integer"),
        Value::Type(BasicType::Float) => typed("number"),
        Value::Type(BasicType::Bool) => typed("boolean"),
        Value::Type(BasicType::List) => typed("array"),
        // SCH-28: an annotation in a string means what the string says.
        Value::Text(text) => match interpreter.resolve_text(function, text) {
            Resolution::Known(value) => property(interpreter, function, &value, depth + 1),
            Resolution::Unresolvable => string(),
            Resolution::Unknown(unknown) => Property::Unknown(unknown),
        },
        Value::Form(form) => match form.as_ref() {
            Form::Special("List") => typed("array"),
            Form::Annotated(inner) => property(interpreter, function, inner, depth + 1),
            Form::Parametrised { origin, arguments } if is_list(origin) => {
                list_of(interpreter, function, arguments, depth)
            }
            Form::Union { members, .. } => optional(interpreter, function, members, depth),
            _ => string(),
        },
        Value::Unknown(unknown) => Property::Unknown(Rc::clone(unknown)),
        _ => string(),
    }
}

/// `list[T]`: T is mapped by the same table (SCH-16; other T observed as SCH-35).
fn list_of(
    interpreter: &mut Interpreter<'_>,
    function: &Rc<Function>,
    arguments: &[Value],
    depth: u32,
) -> Property {
    let [item] = arguments else { return typed("array") };
    match property(interpreter, function, item, depth + 1) {
        Property::Known(items) => Property::Known(json!({"type": "array", "items": items})),
        unknown @ Property::Unknown(_) => unknown,
    }
}

/// A union is unwrapped when it is one type and `None`, and is anything else otherwise (SCH-18 to SCH-21).
fn optional(
    interpreter: &mut Interpreter<'_>,
    function: &Rc<Function>,
    members: &[Value],
    depth: u32,
) -> Property {
    let mut resolved = Vec::new();
    for member in members {
        match member {
            Value::Text(text) => match interpreter.resolve_text(function, text) {
                Resolution::Known(value) => resolved.push(value),
                Resolution::Unresolvable => return string(),
                Resolution::Unknown(unknown) => return Property::Unknown(unknown),
            },
            other => resolved.push(other.clone()),
        }
    }
    let flat = match union(resolved, true) {
        Value::Form(form) => match form.as_ref() {
            Form::Union { members, .. } => members.clone(),
            _ => vec![Value::Form(form)],
        },
        single => vec![single],
    };
    let is_none = |value: &&Value| matches!(value, Value::None | Value::Type(BasicType::NoneType));
    let mut others = flat.iter().filter(|member| !is_none(member));
    match (others.next(), others.next()) {
        (Some(only), None) => property(interpreter, function, only, depth + 1),
        _ => string(),
    }
}

fn resolved(resolution: Resolution, then: impl FnOnce(Value) -> Property) -> Property {
    match resolution {
        Resolution::Known(value) => then(value),
        // SCH-33: what cannot be resolved is anything else.
        Resolution::Unresolvable => string(),
        Resolution::Unknown(unknown) => Property::Unknown(unknown),
    }
}

fn typed(name: &str) -> Property {
    Property::Known(json!({"type": name}))
}

fn string() -> Property {
    typed("string")
}
