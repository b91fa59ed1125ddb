//! Running: the bodies of tools, with nothing unknown, and what they call outside the project.
//!
//! Statements and expressions live in the modules below; reading module top levels is done elsewhere.
//! Rules: design, "Scenarios"; asyncio's own meaning of `sleep`, `gather`, `wait_for`, `shield`.

mod attempts;
mod attributes;
mod bounds;
mod calling;
mod comparing;
mod comprehensions;
mod container_methods;
mod converting;
mod dict_methods;
mod enumerations;
mod expressions;
mod hashing;
mod iterating;
mod json_text;
mod library;
mod method_names;
mod names;
mod numbers;
mod objects;
mod operators;
mod patterns;
mod showing;
mod site;
mod sorting;
mod specifying;
mod standard_functions;
mod statements;
mod storing;
mod subscripts;
mod targets;
mod templates;
mod text_methods;
mod truth;
mod waiting;

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;
use ruff_text_size::TextRange;

use super::awaitable::{self, Awaitable};
use super::exception::{ExceptionValue, Halt};
use super::function::{Code, Function};
use super::host::{HostRaise, Record};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter, Running, call_scope};
use super::native::{Arguments, Native};
use super::statements::Flow;
use super::value::Value;
use crate::protocol::SourcePlace;

pub(crate) use bounds::stack_address;
pub(crate) use names::LocalNames;
pub(super) use site::Site;

/// The module through which services are reached.
const WORLD: &str = "lib.world.";
/// How many values are searched for one that is not modelled.
const MAXIMUM_SEARCHED: usize = 10_000;
/// The longest time that is simulated at once: a century.
const MAXIMUM_MS: f64 = 3.2e12;

impl Interpreter<'_> {
    /// Runs the body of a function, a coroutine function included, to its end.
    pub(super) fn run_body(&mut self, function: &Rc<Function>, arguments: Arguments) -> Result<Value, Halt> {
        let inner = Frame {
            file: Rc::clone(&function.file),
            module: Rc::clone(&function.module),
            scope: call_scope(&function.scope),
            handling: None,
        };
        if self.running.is_some() {
            let site = inner.at(&function.range);
            return match self.invoke(site, function, arguments) {
                Err(Halt::Raised(raised)) if function.is_async() && waiting::is_stop(&raised) => {
                    Err(site.raise("RuntimeError", "coroutine raised StopIteration"))
                }
                ended => ended,
            };
        }
        Self::bind(&function.place, &inner, function, arguments)?;
        self.nested(&inner, TextRange::default(), |own| match &function.code {
            Code::Lambda(lambda) => own.evaluate(&inner, &lambda.body),
            Code::Definition(definition) => Ok(match own.run_block(&inner, &definition.body)? {
                Flow::Return(value) => value,
                _ => Value::None,
            }),
        })
    }

    /// `await value`, as far as it is read.
    pub(super) fn await_value(&mut self, frame: &Frame, range: TextRange) -> Value {
        self.doubt();
        self.unknown(frame, range, "what this await gives is not read")
    }

    /// Calls something outside the project; `None` when it is not one of those that running code may call.
    pub(super) fn call_outside(
        &mut self,
        path: &str,
        arguments: &Arguments,
        place: &SourcePlace,
    ) -> Option<Result<Value, Halt>> {
        let Running { suspend, program } = self.running?;
        if let Some(name) = path.strip_prefix(WORLD) {
            if name == "busy" {
                return Some(milliseconds(arguments.positional.first(), place).map(|ms| {
                    suspend.busy(ms);
                    Value::None
                }));
            }
            if let Some(what) = unmodelled(arguments.values()) {
                let why = format!("what `{what}` holds is not run");
                return Some(Err(Halt::GaveUp(super::value::Unknown::new(why, place.clone()))));
            }
            let service = Awaitable::Service { name: name.to_owned(), arguments: arguments.clone() };
            return Some(Ok(Value::Awaitable(Rc::new(service))));
        }
        let first = arguments.positional.first();
        let awaitable = match path {
            "asyncio.sleep" => {
                milliseconds(first.or_else(|| arguments.keywords.get("delay")), place).map(|ms| {
                    let result = arguments.positional.get(1).or_else(|| arguments.keywords.get("result"));
                    Awaitable::Sleep { ms, result: result.cloned().unwrap_or(Value::None) }
                })
            }
            "asyncio.gather" => Ok(Awaitable::Gather {
                parts: arguments.positional.clone(),
                return_exceptions: arguments.keywords.get("return_exceptions").and_then(Value::truth)
                    == Some(true),
            }),
            "asyncio.wait_for" => {
                let limit = arguments.positional.get(1).or_else(|| arguments.keywords.get("timeout"));
                let limit_ms = match limit {
                    None | Some(Value::None) => Ok(None),
                    some => milliseconds(some, place).map(Some),
                };
                limit_ms.map(|limit_ms| Awaitable::WaitFor {
                    inner: first.cloned().unwrap_or(Value::None),
                    limit_ms,
                })
            }
            "asyncio.shield" => Ok(Awaitable::Shield(first.cloned().unwrap_or(Value::None))),
            "asyncio.create_task" | "asyncio.ensure_future" => {
                awaitable::start(program, first.unwrap_or(&Value::None), place).map(Awaitable::Task)
            }
            "time.sleep" => {
                return Some(milliseconds(first, place).map(|ms| {
                    suspend.busy(ms);
                    Value::None
                }));
            }
            "rasa.mantle.tools.result.ToolResult" => {
                return Some(record("ToolResult", &["llm_response", "next"], arguments, place));
            }
            "rasa.mantle.tools.buttons.Button" => {
                return Some(record("Button", &["title", "value", "ref"], arguments, place));
            }
            _ => return None,
        };
        Some(awaitable.map(|awaitable| Value::Awaitable(Rc::new(awaitable))))
    }

    /// Calls a method of an object of the runtime.
    pub(super) fn call_host(
        object: &Value,
        name: &str,
        arguments: &Arguments,
        place: &SourcePlace,
    ) -> Result<Value, Halt> {
        let Value::Host(host) = object else { return Ok(Value::None) };
        if let Some(what) = unmodelled(arguments.values()) {
            let why = format!("what `{what}` holds is not run");
            return Err(Halt::GaveUp(super::value::Unknown::new(why, place.clone())));
        }
        match host.call_method(name, arguments) {
            Some(ended) => ended.map_err(|HostRaise { class, message }| raise(class, message, place)),
            None => {
                let message = format!("'{}' object has no attribute '{name}'", host.class_name());
                Err(raise("AttributeError", message, place))
            }
        }
    }

    /// `isinstance(value, class)`; `None` when that is not known.
    pub(super) fn is_instance(value: &Value, class: &Value) -> Option<bool> {
        match class {
            Value::Tuple(classes) => {
                let each: Option<Vec<bool>> =
                    classes.iter().map(|class| Self::is_instance(value, class)).collect();
                each.map(|each| each.contains(&true))
            }
            Value::Type(basic) => match value {
                Value::Unknown(_) | Value::Opaque(_) | Value::Made(_) => None,
                Value::Bool(_) if basic.name() == "int" => Some(true),
                _ => Some(basic.name() == "object" || *value.class_name() == *basic.name()),
            },
            Value::Exception(class) if class.message.is_none() => match value {
                Value::Exception(value) => {
                    Some(value.message.is_some() && super::exception::is_subclass(&value.class, &class.class))
                }
                Value::Instance(instance) => instance.class.is_exception(&class.class),
                Value::Unknown(_) | Value::Opaque(_) | Value::Made(_) => None,
                _ => Some(false),
            },
            Value::Class(class) => match value {
                Value::Instance(instance) => super::exception::inherits(&instance.class, class),
                Value::Unknown(_) | Value::Opaque(_) | Value::Made(_) => None,
                _ => Some(false),
            },
            Value::Opaque(path) => match value {
                Value::Record(record) => Some(path.rsplit('.').next() == Some(&*record.class)),
                _ => None,
            },
            _ => None,
        }
    }

    /// `type(value)`: enough to name it and to compare it.
    pub(super) fn type_of(value: &Value) -> Option<Value> {
        match value {
            Value::Exception(exception) if exception.message.is_some() => {
                Some(ExceptionValue::class(&exception.class))
            }
            Value::Instance(instance) => Some(Value::Class(Rc::clone(&instance.class))),
            Value::Host(_) | Value::Record(_) => Some(Value::Opaque(value.class_name())),
            Value::None => Some(Value::Type(super::form::BasicType::NoneType)),
            _ => super::form::BasicType::named(&value.class_name()).map(Value::Type),
        }
    }

    /// A method of an object of the runtime, waiting for its arguments.
    pub(super) fn host_method(object: &Value, name: &str) -> Value {
        Value::Native(Rc::new(Native::HostMethod { object: object.clone(), name: Rc::from(name) }))
    }
}

fn milliseconds(value: Option<&Value>, place: &SourcePlace) -> Result<u64, Halt> {
    let seconds = match value {
        Some(Value::Int(seconds)) => u64::try_from(*seconds).ok().map(|seconds| seconds.saturating_mul(1000)),
        Some(Value::Float(seconds)) if seconds.is_finite() => Some(rounded(seconds * 1000.0)),
        Some(Value::Bool(flag)) => Some(u64::from(*flag) * 1000),
        _ => None,
    };
    // asyncio takes a negative delay for none at all.
    let negative = matches!(value, Some(Value::Int(seconds)) if *seconds < 0);
    match seconds {
        Some(ms) => Ok(ms),
        None if negative => Ok(0),
        None => Err(raise("TypeError", "a number of seconds is required".to_owned(), place)),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of both")]
fn rounded(ms: f64) -> u64 {
    ms.round().clamp(0.0, MAXIMUM_MS) as u64
}

/// Makes an object whose fields are given by position or by name; those left out are `None`.
fn record(class: &str, names: &[&str], arguments: &Arguments, place: &SourcePlace) -> Result<Value, Halt> {
    let unexpected = arguments.keywords.keys().find(|name| !names.contains(&&***name));
    if let Some(name) = unexpected {
        let message = format!("{class}() got an unexpected keyword argument '{name}'");
        return Err(raise("TypeError", message, place));
    }
    if arguments.positional.len() > names.len() {
        return Err(raise("TypeError", format!("{class}() got too many positional arguments"), place));
    }
    if let Some(what) = unmodelled(arguments.values()) {
        let why = format!("what `{what}` holds is not run");
        return Err(Halt::GaveUp(super::value::Unknown::new(why, place.clone())));
    }
    let mut fields = IndexMap::new();
    for (index, name) in names.iter().enumerate() {
        let given = arguments.positional.get(index).or_else(|| arguments.keywords.get(*name));
        fields.insert(Rc::from(*name), given.cloned().unwrap_or(Value::None));
    }
    Ok(Value::Record(Rc::new(Record { class: Rc::from(class), fields: RefCell::new(fields) })))
}

/// The name of something that is not modelled among values, or in a list, dict or tuple of them.
fn unmodelled<'value>(values: impl IntoIterator<Item = &'value Value>) -> Option<Rc<str>> {
    let mut waiting: Vec<Value> = values.into_iter().cloned().collect();
    let mut left = MAXIMUM_SEARCHED;
    while let Some(value) = waiting.pop() {
        left = left.checked_sub(1)?;
        match value {
            Value::Opaque(path) => return Some(path),
            Value::Made(made) => return Some(made.function.name()),
            Value::Unknown(unknown) => return Some(Rc::from(unknown.why.as_str())),
            Value::List(list) => waiting.extend(list.items.borrow().iter().cloned()),
            Value::Tuple(items) => waiting.extend(items.iter().cloned()),
            Value::Dict(dict) => {
                waiting.extend(dict.entries.borrow().values().map(|(_, value)| value.clone()));
            }
            _ => {}
        }
    }
    None
}
