//! How types are combined: `X | Y`, and types with arguments.
//!
//! Knows values and forms; what they become in a schema is `schema`'s affair.
//! Rules: Python's own, with the checks that `typing` makes when a form is written down.

use std::rc::Rc;

use ruff_python_ast as ast;
use ruff_text_size::TextRange;

use super::exception::Halt;
use super::form::{self, BasicType, Form};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::native::{Native, NativeFunction};
use super::standard;
use super::value::Value;
use crate::protocol::SourcePlace;

/// What a value is to `|` between types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// A form of `typing`, which joins with strings too.
    Typing,
    /// A type.
    Type,
    /// `None`.
    None,
    /// A string.
    Text,
    /// Nothing that joins with a type.
    Other,
    /// Something that cannot be read.
    Unknown,
}

impl Interpreter<'_> {
    /// `X | Y` between types. A string takes part only beside a form of `typing`.
    pub(super) fn join_types(
        frame: &Frame,
        range: TextRange,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        let sides = (operand(left), operand(right));
        let refused = match sides {
            (Operand::Unknown, _) | (_, Operand::Unknown) => false,
            // Since 3.11 `typing` lets anything but a tuple stand in a union.
            (Operand::Typing, Operand::Other) => matches!(right, Value::Tuple(_)),
            (Operand::Other, Operand::Typing) => matches!(left, Value::Tuple(_)),
            (Operand::Other, _) | (_, Operand::Other) | (Operand::None, Operand::None) => true,
            (Operand::Text, other) | (other, Operand::Text) => other != Operand::Typing,
            _ => false,
        };
        if refused {
            let message = "unsupported operand types for |".to_owned();
            return Err(raise("TypeError", message, &frame.place(range)));
        }
        let typing = sides.0 == Operand::Typing || sides.1 == Operand::Typing;
        Ok(form::union([left.clone(), right.clone()], typing))
    }

    /// `origin[arguments]`.
    pub(super) fn parametrise(
        frame: &Frame,
        subscript: &ast::ExprSubscript,
        origin: &Value,
        arguments: Vec<Value>,
    ) -> Result<Value, Halt> {
        let place = frame.place(subscript.range);
        let parametrised = |arguments: Vec<Value>| {
            Value::Form(Rc::new(Form::Parametrised { origin: origin.clone(), arguments }))
        };
        let refused = |message: String| Err(raise("TypeError", message, &place));
        match origin {
            Value::Type(basic) if !basic.is_subscriptable() => {
                refused(format!("type '{}' is not subscriptable", basic.name()))
            }
            Value::Class(class) if !class.subscriptable => {
                refused(format!("type '{}' is not subscriptable", class.name))
            }
            Value::Form(form) => match form.as_ref() {
                Form::Special(name) => {
                    if !takes(name, arguments.len()) {
                        return refused(format!("typing.{name} takes other arguments"));
                    }
                    let types = match *name {
                        "Literal" | "Callable" => 0,
                        // What follows the type is no type, but anything.
                        "Annotated" => 1,
                        _ => arguments.len(),
                    };
                    let types = arguments.get(..types).unwrap_or_default();
                    check_arguments(types, matches!(*name, "Optional" | "Union"), &place)?;
                    Ok(match *name {
                        "Optional" => form::union(arguments.into_iter().chain([Value::None]), true),
                        "Union" => form::union(arguments, true),
                        "Annotated" | "Required" | "NotRequired" | "ReadOnly" => {
                            let inner = arguments.into_iter().next().unwrap_or(Value::None);
                            Value::Form(Rc::new(Form::Annotated(inner)))
                        }
                        "List" => parametrised(arguments),
                        other => Value::Form(Rc::new(Form::Other(Rc::from(other)))),
                    })
                }
                Form::Other(_) => Ok(parametrised(arguments)),
                _ => {
                    let mut variables = Vec::new();
                    if !type_variables(origin, &mut variables) {
                        return Ok(parametrised(arguments));
                    }
                    if variables.is_empty() || variables.len() != arguments.len() {
                        return refused("this type does not take these arguments".to_owned());
                    }
                    check_arguments(&arguments, matches!(form.as_ref(), Form::Union { .. }), &place)?;
                    Ok(substitute(origin, &variables, &arguments))
                }
            },
            _ => Ok(parametrised(arguments)),
        }
    }
}

/// Whether a value takes part in `|` as types do.
pub(super) fn is_type_like(value: &Value) -> bool {
    matches!(operand(value), Operand::Typing | Operand::Type | Operand::None)
}

/// Whether a value certainly has no items and no arguments: `f[int]`, `None[0]`.
pub(super) fn is_never_subscriptable(value: &Value) -> bool {
    match value {
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Function(_)
        | Value::Module(_) => true,
        Value::Native(native) => is_plain_function(native),
        Value::Opaque(path) => standard::is_module(path) || standard::is_builtin_function(path),
        _ => false,
    }
}

fn operand(value: &Value) -> Operand {
    match value {
        Value::None => Operand::None,
        Value::Type(_) | Value::Class(_) => Operand::Type,
        Value::Exception(exception) if exception.message.is_none() => Operand::Type,
        Value::Form(form) => match form.as_ref() {
            Form::Union { typing: false, .. }
            | Form::Special("Any")
            | Form::Parametrised { origin: Value::Type(_), .. } => Operand::Type,
            Form::Other(path) if standard::makes_a_class(path) => Operand::Type,
            _ => Operand::Typing,
        },
        Value::Text(_) => Operand::Text,
        Value::Native(native) if !is_plain_function(native) => Operand::Unknown,
        Value::Opaque(path) if standard::is_no_class(path) => Operand::Other,
        Value::Unknown(_) | Value::Opaque(_) | Value::Instance(_) | Value::Member(_) | Value::Made(_) => {
            Operand::Unknown
        }
        _ => Operand::Other,
    }
}

/// A native that is a function and no class.
fn is_plain_function(native: &Native) -> bool {
    use NativeFunction::{Enumerate, Partial, Range, Reversed, Zip};
    match native {
        Native::Function(function) => !matches!(function, Enumerate | Partial | Range | Reversed | Zip),
        _ => false,
    }
}

/// Whether a special form takes so many arguments.
fn takes(name: &str, count: usize) -> bool {
    match name {
        "Any" => false,
        "Optional" | "List" | "Set" | "FrozenSet" | "Type" | "Sequence" | "MutableSequence" | "Iterable"
        | "Iterator" | "Collection" | "Awaitable" | "AsyncIterator" => count == 1,
        "Dict" | "Mapping" | "MutableMapping" | "DefaultDict" | "Callable" => count == 2,
        "Annotated" => count >= 2,
        _ => true,
    }
}

/// What `typing` refuses at once: a string that is no expression, a tuple, an unhashable union member.
fn check_arguments(arguments: &[Value], in_union: bool, place: &SourcePlace) -> Result<(), Halt> {
    for argument in arguments {
        match argument {
            Value::Text(text)
                if text.starts_with([' ', '\t']) || ruff_python_parser::parse_expression(text).is_err() =>
            {
                let message = "forward reference must be an expression".to_owned();
                return Err(raise("SyntaxError", message, place));
            }
            Value::Tuple(_) => {
                return Err(raise("TypeError", "a tuple is not a type argument".to_owned(), place));
            }
            Value::List(_) | Value::Dict(_) if in_union => {
                return Err(raise("TypeError", "unhashable type in a union".to_owned(), place));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Collects the type variables of a form; false when a part of it cannot be read.
fn type_variables(value: &Value, variables: &mut Vec<Value>) -> bool {
    match value {
        Value::Unknown(_) | Value::Opaque(_) | Value::Text(_) => false,
        Value::Form(form) => match form.as_ref() {
            Form::Other(path) if &**path == "typing.TypeVar" => {
                if !variables.iter().any(|known| known.is(value)) {
                    variables.push(value.clone());
                }
                true
            }
            Form::Other(_) => false,
            Form::Special(_) => true,
            Form::Annotated(inner) => type_variables(inner, variables),
            Form::Union { members, .. } => members.iter().all(|member| type_variables(member, variables)),
            Form::Parametrised { origin, arguments } => {
                !matches!(origin, Value::Class(_))
                    && arguments.iter().all(|argument| type_variables(argument, variables))
            }
        },
        _ => true,
    }
}

fn substitute(value: &Value, variables: &[Value], arguments: &[Value]) -> Value {
    let inside = |value: &Value| substitute(value, variables, arguments);
    let Value::Form(form) = value else { return value.clone() };
    match form.as_ref() {
        Form::Other(_) | Form::Special(_) => {
            let position = variables.iter().position(|variable| variable.is(value));
            position.and_then(|position| arguments.get(position)).unwrap_or(value).clone()
        }
        Form::Annotated(inner) => Value::Form(Rc::new(Form::Annotated(inside(inner)))),
        Form::Union { members, typing } => form::union(members.iter().map(inside), *typing),
        Form::Parametrised { origin, arguments } => Value::Form(Rc::new(Form::Parametrised {
            origin: origin.clone(),
            arguments: arguments.iter().map(inside).collect(),
        })),
    }
}

/// Whether a type is `list` under one of its names.
pub(crate) fn is_list(origin: &Value) -> bool {
    match origin {
        Value::Type(basic) => *basic == BasicType::List,
        Value::Form(form) => matches!(form.as_ref(), Form::Special("List")),
        _ => false,
    }
}
