//! What is reached from a value: attributes, items, and types with parameters.
//!
//! Knows values and forms; evaluates no other expression. What an object holds that is not read is unknown.
//! Rules: Python's own; which reads are in the subset is in `specs/python-subset.md`.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};

use super::exception::Halt;
use super::form::{self, BasicType, Form};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::native::Native;
use super::scope::Lookup;
use super::standard;
use super::value::Value;

impl Interpreter<'_> {
    pub(super) fn attribute(
        &mut self,
        frame: &Frame,
        object: &Value,
        attribute: &ast::ExprAttribute,
    ) -> Result<Value, Halt> {
        let place = frame.place(attribute.range);
        match self.attribute_of(object, &attribute.attr) {
            Some(value) => Ok(value),
            None => match object {
                Value::Module(module) if module.scope.complete.get() => {
                    let message = format!("module '{}' has no attribute '{}'", module.name, attribute.attr);
                    Err(raise("AttributeError", message, &place))
                }
                Value::None => {
                    let message = format!("'NoneType' object has no attribute '{}'", attribute.attr);
                    Err(raise("AttributeError", message, &place))
                }
                Value::Unknown(unknown) => Ok(Value::Unknown(Rc::clone(unknown))),
                _ => {
                    let why = format!("`{}` is not read", frame.file.excerpt(attribute.range));
                    Ok(self.unknown_at(place, why))
                }
            },
        }
    }

    /// An attribute, when it can be read.
    pub(super) fn attribute_of(&mut self, object: &Value, name: &str) -> Option<Value> {
        match object {
            Value::Module(module) => match module.scope.lookup(name) {
                Lookup::Bound(value) => Some(value),
                Lookup::Perhaps(unknown) => Some(Value::Unknown(unknown)),
                Lookup::Missing => self.loaded_submodule(&module.name, name),
            },
            Value::Opaque(path) => Some(standard::member(path, name)),
            Value::Class(class) => class
                .attribute(name)
                .or_else(|| (name == "__name__").then(|| Value::Text(Rc::clone(&class.name)))),
            Value::Instance(instance) => {
                let own = instance.fields.as_ref().and_then(|fields| fields.borrow().get(name).cloned());
                if own.is_some() {
                    return own;
                }
                match instance.class.attribute(name) {
                    Some(Value::Function(function)) => {
                        Some(Value::Native(Rc::new(Native::Bound { function, first: object.clone() })))
                    }
                    Some(value) if instance.fields.is_some() => Some(value),
                    None if name == "args" => Some(Value::Tuple(instance.arguments.as_slice().into())),
                    // An instance that was not followed may hold anything.
                    _ => None,
                }
            }
            Value::Host(host) => host.attribute(name).or_else(|| Some(Self::host_method(object, name))),
            Value::Record(record) => record.fields.borrow().get(name).cloned(),
            Value::Type(basic) if name == "__name__" => Some(Value::text(basic.name())),
            Value::Exception(exception) => match (name, &exception.message) {
                ("__name__", None) => Some(Value::Text(Rc::clone(&exception.class))),
                ("args", Some(message)) => Some(Value::Tuple(Rc::from([Value::Text(Rc::clone(message))]))),
                _ => None,
            },
            Value::Function(function) => match name {
                "__name__" => Some(Value::Text(function.name())),
                "__wrapped__" => function.wrapped.borrow().clone(),
                _ => None,
            },
            Value::Text(_) | Value::List(_) | Value::Dict(_) => {
                Some(Value::Native(Rc::new(Native::Method { object: object.clone(), name: Rc::from(name) })))
            }
            _ => None,
        }
    }

    pub(super) fn subscript(&mut self, frame: &Frame, subscript: &ast::ExprSubscript) -> Result<Value, Halt> {
        let object = self.evaluate(frame, &subscript.value)?;
        let place = frame.place(subscript.range);
        let is_form = matches!(&object, Value::Type(_) | Value::Form(_) | Value::Class(_) | Value::Native(_));
        if is_form {
            let arguments = match subscript.slice.as_ref() {
                Expr::Tuple(tuple) => self.elements(frame, &tuple.elts)?.unwrap_or_default(),
                single => vec![self.evaluate(frame, single)?],
            };
            return Self::parametrise(frame, subscript, &object, arguments);
        }
        if let Expr::Slice(_) = subscript.slice.as_ref() {
            return Ok(self.unknown(frame, subscript.range, "what this slice gives is not read"));
        }
        let index = self.evaluate(frame, &subscript.slice)?;
        match &object {
            Value::Dict(dict) => {
                let Some(key) = index.key() else {
                    return Ok(self.unknown(frame, subscript.range, "which entry this is is not known"));
                };
                let found = dict.entries.borrow().get(&key).map(|(_, value)| value.clone());
                match found {
                    Some(value) if !dict.tainted.get() => Ok(value),
                    None if !dict.tainted.get() => {
                        let shown = super::methods::display(&index).unwrap_or_default();
                        Err(raise("KeyError", shown, &place))
                    }
                    _ => Ok(self.unknown(frame, subscript.range, "what this holds here is not known")),
                }
            }
            Value::List(_) | Value::Tuple(_) => {
                let (Some(items), Value::Int(index)) = (self.known_items(Some(&object)), &index) else {
                    return Ok(self.unknown(frame, subscript.range, "which item this is is not known"));
                };
                let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
                let position = if *index < 0 { index + length } else { *index };
                let item = usize::try_from(position).ok().and_then(|position| items.get(position).cloned());
                item.ok_or_else(|| raise("IndexError", "list index out of range".to_owned(), &place))
            }
            Value::Opaque(path) => Ok(Value::Opaque(Rc::from(format!("{path}[...]")))),
            Value::Unknown(unknown) => Ok(Value::Unknown(Rc::clone(unknown))),
            _ => Ok(self.unknown(frame, subscript.range, "what this subscript gives is not read")),
        }
    }

    fn parametrise(
        frame: &Frame,
        subscript: &ast::ExprSubscript,
        origin: &Value,
        arguments: Vec<Value>,
    ) -> Result<Value, Halt> {
        let parametrised = |arguments: Vec<Value>| {
            Value::Form(Rc::new(Form::Parametrised { origin: origin.clone(), arguments }))
        };
        let refused = |shown: &str| {
            let message = format!("type '{shown}' is not subscriptable");
            Err(raise("TypeError", message, &frame.place(subscript.range)))
        };
        match origin {
            Value::Type(basic) if !basic.is_subscriptable() => refused(basic.name()),
            Value::Class(class) if !class.subscriptable => refused(&class.name),
            Value::Form(form) => match form.as_ref() {
                Form::Special("Optional") => Ok(form::union(arguments.into_iter().chain([Value::None]))),
                Form::Special("Union") => Ok(form::union(arguments)),
                Form::Special("Annotated" | "Required" | "NotRequired" | "ReadOnly") => {
                    let inner = arguments.into_iter().next().unwrap_or(Value::None);
                    Ok(Value::Form(Rc::new(Form::Annotated(inner))))
                }
                Form::Special("List") => {
                    let origin = Value::Type(BasicType::List);
                    Ok(Value::Form(Rc::new(Form::Parametrised { origin, arguments })))
                }
                Form::Special(name) => Ok(Value::Form(Rc::new(Form::Other(Rc::from(*name))))),
                _ => Ok(parametrised(arguments)),
            },
            _ => Ok(parametrised(arguments)),
        }
    }
}
