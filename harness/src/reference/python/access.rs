//! What is reached from a value: attributes, items, and types with parameters.
//!
//! Knows values and forms; evaluates no other expression. What an object holds that is not read is unknown.
//! Rules: Python's own; which reads are in the subset is in `specs/python-subset.md`.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};

use super::exception::Halt;
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
                Value::None | Value::Record(_) => {
                    let class = object.class_name();
                    let message = format!("'{class}' object has no attribute '{}'", attribute.attr);
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
                Lookup::Missing => {
                    self.loaded_submodule(&module.name, name).or_else(|| module.unread_attribute(name))
                }
            },
            Value::Opaque(path) => Some(standard::member(path, name)),
            // Called through the class these get it as their first argument, unlike other functions.
            Value::Class(_) if matches!(name, "__init_subclass__" | "__class_getitem__") => None,
            Value::Member(member) => super::enumeration::attribute(member, name),
            Value::Class(class) => super::enumeration::member(class, name)
                .or_else(|| class.attribute(name).map(|value| bound(value, object)))
                .or_else(|| (name == "__name__").then(|| Value::Text(Rc::clone(&class.name)))),
            Value::Instance(instance) => {
                let own = instance.fields.as_ref().and_then(|fields| fields.borrow().get(name).cloned());
                if own.is_some() {
                    return own;
                }
                let class = Value::Class(Rc::clone(&instance.class));
                match instance.class.attribute(name).map(|value| bound(value, &class)) {
                    Some(method @ Value::Native(_)) => Some(method),
                    Some(function @ Value::Function(_)) if instance.class.is_static(name) => Some(function),
                    Some(Value::Function(function)) => {
                        Some(Value::Native(Rc::new(Native::Bound { function, first: object.clone() })))
                    }
                    Some(value) if instance.fields.is_some() => Some(value),
                    None if name == "args" => {
                        Some(Value::Tuple(instance.arguments.borrow().as_slice().into()))
                    }
                    // An instance that was not followed may hold anything.
                    _ => None,
                }
            }
            Value::Host(host) => host.attribute(name).or_else(|| Some(Self::host_method(object, name))),
            Value::Record(record) => record.fields.borrow().get(name).cloned(),
            Value::Type(basic) if name == "__name__" => Some(Value::text(basic.name())),
            Value::Exception(exception) => match (name, &exception.message) {
                ("__name__", None) => Some(Value::Text(Rc::clone(&exception.class))),
                ("args", Some(message)) => Some(Value::tuple(vec![Value::Text(Rc::clone(message))])),
                _ => None,
            },
            Value::Function(function) => match name {
                "__name__" => Some(Value::Text(function.name())),
                "__wrapped__" => function.wrapped.borrow().clone(),
                "__doc__" => function.documentation(),
                _ => None,
            },
            Value::Native(native) if name == "setter" && matches!(**native, Native::Property { .. }) => {
                Some(Value::Native(Rc::new(Native::Method { object: object.clone(), name: Rc::from(name) })))
            }
            Value::Text(_) | Value::List(_) | Value::Dict(_) | Value::Set(_) => {
                Some(Value::Native(Rc::new(Native::Method { object: object.clone(), name: Rc::from(name) })))
            }
            _ => None,
        }
    }

    pub(super) fn subscript(&mut self, frame: &Frame, subscript: &ast::ExprSubscript) -> Result<Value, Halt> {
        let object = self.evaluate(frame, &subscript.value)?;
        let place = frame.place(subscript.range);
        if super::type_forms::is_never_subscriptable(&object) {
            return Err(raise("TypeError", "this value is not subscriptable".to_owned(), &place));
        }
        if let Value::Class(class) = &object
            && super::enumeration::is_enumeration(class)
        {
            let name = self.evaluate(frame, &subscript.slice)?;
            let member = match &name {
                Value::Text(name) => super::enumeration::member(class, name),
                _ => None,
            };
            let why = "which member this is is not known";
            return Ok(member.unwrap_or_else(|| self.unknown(frame, subscript.range, why)));
        }
        let is_form = matches!(&object, Value::Type(_) | Value::Form(_) | Value::Class(_) | Value::Native(_));
        if is_form {
            let arguments = match subscript.slice.as_ref() {
                Expr::Tuple(tuple) => match self.elements(frame, &tuple.elts)? {
                    Some(arguments) => arguments,
                    None => {
                        return Ok(self.unknown(
                            frame,
                            tuple.range,
                            "a part of these arguments is not known",
                        ));
                    }
                },
                single => vec![self.evaluate(frame, single)?],
            };
            return Self::parametrise(frame, subscript, &object, arguments);
        }
        if let Expr::Slice(slice) = subscript.slice.as_ref() {
            if let Some(value) = self.slice(frame, slice, &object)? {
                return Ok(value);
            }
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
            Value::List(_) | Value::Tuple(_) | Value::Text(_) => {
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

    fn slice(
        &mut self,
        frame: &Frame,
        slice: &ast::ExprSlice,
        object: &Value,
    ) -> Result<Option<Value>, Halt> {
        let mut bounds = [None; 3];
        for (bound, written) in bounds.iter_mut().zip([&slice.lower, &slice.upper, &slice.step]) {
            let Some(written) = written else { continue };
            match self.evaluate(frame, written)? {
                Value::Int(value) => *bound = Some(value),
                Value::None => {}
                _ => return Ok(None),
            }
        }
        Ok(super::collections::slice(object, bounds))
    }
}

/// What a class attribute is when it is reached through the class.
fn bound(value: Value, class: &Value) -> Value {
    let Value::Native(native) = &value else { return value };
    match native.as_ref() {
        Native::StaticMethod(function) => Value::Function(Rc::clone(function)),
        Native::ClassMethod(function) => {
            let (function, first) = (Rc::clone(function), class.clone());
            Value::Native(Rc::new(Native::Bound { function, first }))
        }
        _ => value,
    }
}
