//! Methods of lists, tuples, dicts, sets and their like.
//!
//! Knows containers; sorting asks the values how they compare.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::Operator;

use super::super::containers::Set;
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::iteration::Iteration;
use super::super::native::{Arguments, Native};
use super::super::value::{List, Value};
use super::iterating::known;
use super::numbers::Number;
use super::site::Site;

impl Interpreter<'_> {
    /// Calls a method of a value of a built-in type.
    pub(super) fn run_method(
        &mut self,
        site: Site<'_>,
        object: &Value,
        name: &str,
        mut arguments: Arguments,
    ) -> Result<Value, Halt> {
        match object {
            Value::Text(text) => self.text_method(site, text, name, &arguments),
            Value::List(list) => {
                known(site, list.tainted.get())?;
                self.list_method(site, list, name, &arguments)
            }
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                self.dict_method(site, dict, name, &arguments)
            }
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                self.set_method(site, object, set, name, &arguments)
            }
            Value::Tuple(_) | Value::Range(_) => match (name, arguments.positional.as_slice()) {
                ("count" | "index", [item]) => {
                    let items = self.collect(site, object)?;
                    self.sequence_question(site, &items, name, item, "tuple")
                }
                _ => Err(outside(site, object, name)),
            },
            Value::Float(number) if name == "is_integer" => {
                Ok(Value::Bool(number.is_finite() && number.fract() == 0.0))
            }
            Value::Int(number) if name == "bit_length" => {
                Ok(Value::Int(i64::from(64 - number.unsigned_abs().leading_zeros())))
            }
            Value::Type(basic) => {
                if (basic.name(), name) == ("dict", "fromkeys") {
                    return self.dict_from_keys(site, &arguments);
                }
                if arguments.positional.is_empty() {
                    let message = format!("unbound method {}.{name}() needs an argument", basic.name());
                    return Err(site.type_error(message));
                }
                let receiver = Self::unmixed(&arguments.positional.remove(0));
                if *receiver.class_name() != *basic.name() {
                    let message = format!(
                        "descriptor '{name}' for '{}' objects doesn't apply to a '{}' object",
                        basic.name(),
                        receiver.class_name()
                    );
                    return Err(site.type_error(message));
                }
                self.run_method(site, &receiver, name, arguments)
            }
            Value::Native(native) => match native.as_ref() {
                Native::Property { .. } if name == "setter" => {
                    Ok(native.with_setter(arguments.positional.first().cloned()))
                }
                Native::Super { object, .. } => self.super_method(site, object, name, arguments),
                _ => Err(outside(site, object, name)),
            },
            Value::Awaitable(awaitable) => Self::task_method(site, awaitable, name, &arguments),
            Value::Primitive(primitive) => Self::primitive_method(site, primitive, name, &arguments),
            _ => Err(outside(site, object, name)),
        }
    }

    fn list_method(
        &mut self,
        site: Site<'_>,
        list: &Rc<List>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        if name == "sort" && arguments.positional.is_empty() {
            let items = list.items.borrow().clone();
            let sorted = self.sort(site, items, arguments)?;
            drop(list.items.replace(sorted));
            return Ok(Value::None);
        }
        if !arguments.keywords.is_empty() {
            return Err(site.type_error(format!("list.{name}() takes no keyword arguments")));
        }
        let length = list.items.borrow().len();
        match (name, arguments.positional.as_slice()) {
            ("append", [item]) => {
                self.work(site, if length.is_multiple_of(64) { length } else { 0 })?;
                list.items.borrow_mut().push(item.clone());
            }
            ("extend", [items]) => {
                let items = self.collect(site, items)?;
                self.work(site, length + items.len())?;
                list.items.borrow_mut().extend(items);
            }
            ("insert", [index, item]) => {
                self.work(site, length)?;
                let position = clamped(site, index, length)?;
                list.items.borrow_mut().insert(position, item.clone());
            }
            ("pop", []) => {
                let last = list.items.borrow_mut().pop();
                return last.ok_or_else(|| site.raise("IndexError", "pop from empty list"));
            }
            ("pop", [Value::Int(_) | Value::Bool(_)]) if length == 0 => {
                return Err(site.raise("IndexError", "pop from empty list"));
            }
            ("pop", [index]) => {
                self.work(site, length)?;
                let Some(Number::Int(index)) = Number::of(index) else {
                    let message =
                        format!("'{}' object cannot be interpreted as an integer", index.class_name());
                    return Err(site.type_error(message));
                };
                let size = i64::try_from(length).unwrap_or(i64::MAX);
                let index = if index < 0 { index.saturating_add(size) } else { index };
                let position = usize::try_from(index).ok().filter(|position| *position < length);
                let position = position.ok_or_else(|| site.raise("IndexError", "pop index out of range"))?;
                return Ok(list.items.borrow_mut().remove(position));
            }
            ("remove", [item]) => {
                let items = list.items.borrow().clone();
                for (position, candidate) in items.iter().enumerate() {
                    self.tick(site)?;
                    if self.equal_items(site, candidate, item)? {
                        if position < list.items.borrow().len() {
                            drop(list.items.borrow_mut().remove(position));
                        }
                        return Ok(Value::None);
                    }
                }
                return Err(site.value_error("list.remove(x): x not in list"));
            }
            ("reverse", []) => list.items.borrow_mut().reverse(),
            ("clear", []) => drop(list.items.take()),
            ("copy", []) => {
                self.work(site, length)?;
                return Ok(Value::list(list.items.borrow().clone()));
            }
            ("count" | "index", [item]) => {
                let items = list.items.borrow().clone();
                return self.sequence_question(site, &items, name, item, "list");
            }
            ("index", _) => return Err(site.outside("`list.index` with bounds is not run")),
            _ => return Err(wrong_count(site, "list", name, arguments)),
        }
        Ok(Value::None)
    }

    fn sequence_question(
        &mut self,
        site: Site<'_>,
        items: &[Value],
        name: &str,
        item: &Value,
        kind: &str,
    ) -> Result<Value, Halt> {
        let mut count = 0;
        for (position, candidate) in items.iter().enumerate() {
            self.tick(site)?;
            if self.equal_items(site, candidate, item)? {
                if name == "index" {
                    return Ok(Value::Int(i64::try_from(position).unwrap_or(i64::MAX)));
                }
                count += 1;
            }
        }
        if name == "index" {
            let message = if kind == "list" {
                format!("{} is not in list", self.represent(site, item)?)
            } else {
                "tuple.index(x): x not in tuple".to_owned()
            };
            return Err(site.value_error(message));
        }
        Ok(Value::Int(count))
    }

    fn set_method(
        &mut self,
        site: Site<'_>,
        object: &Value,
        set: &Rc<Set>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        let operator = |name: &str| {
            Some(match name.trim_end_matches("_update") {
                "union" | "update" => Operator::BitOr,
                "intersection" => Operator::BitAnd,
                "difference" => Operator::Sub,
                "symmetric_difference" => Operator::BitXor,
                _ => return None,
            })
        };
        if let Some(operator) = operator(name) {
            let mut result = object.clone();
            for other in &arguments.positional {
                let other = self.collect(site, other)?;
                let other = self.make_set(site, other, false)?;
                result = self.combine_sets(site, operator, &result, &other)?;
            }
            let Value::Set(combined) = &result else { return Err(site.not_run()) };
            if name == "update" || name.ends_with("_update") {
                let items = combined.items.borrow().clone();
                drop(set.items.replace(items));
                return Ok(Value::None);
            }
            return if result.is(object) {
                self.combine_sets(site, Operator::BitOr, object, object)
            } else {
                Ok(result)
            };
        }
        self.work(site, set.items.borrow().len() / 8)?;
        match (name, arguments.positional.as_slice()) {
            ("add", [item]) => {
                let key = Self::hash_key(site, item)?;
                set.items.borrow_mut().entry(key).or_insert_with(|| item.clone());
                Ok(Value::None)
            }
            ("discard" | "remove", [item]) => {
                let key = Self::hash_key(site, item)?;
                let removed = set.items.borrow_mut().shift_remove(&key);
                if removed.is_none() && name == "remove" {
                    return Err(self.key_error(site, item)?);
                }
                Ok(Value::None)
            }
            ("pop", []) => match set.items.borrow_mut().shift_remove_index(0) {
                Some((_, item)) => Ok(item),
                None => Err(site.raise("KeyError", "'pop from an empty set'")),
            },
            ("clear", []) => {
                drop(set.items.take());
                Ok(Value::None)
            }
            ("copy", []) => self.combine_sets(site, Operator::BitOr, object, object),
            ("issubset" | "issuperset" | "isdisjoint", [other]) => {
                let own = self.set_items(site, object)?;
                let other = self.set_items(site, other)?;
                Ok(Value::Bool(match name {
                    "issubset" => own.keys().all(|key| other.contains_key(key)),
                    "issuperset" => other.keys().all(|key| own.contains_key(key)),
                    _ => !own.keys().any(|key| other.contains_key(key)),
                }))
            }
            _ => Err(wrong_count(site, "set", name, arguments)),
        }
    }

    /// `reversed(value)`.
    pub(super) fn reversed(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        match value {
            Value::List(_)
            | Value::Tuple(_)
            | Value::Text(_)
            | Value::Range(_)
            | Value::Dict(_)
            | Value::View(_) => {
                let mut items = self.collect(site, value)?;
                items.reverse();
                Ok(Iteration::over("reversed", items))
            }
            Value::Instance(_) | Value::Opaque(_) | Value::Class(_) => Err(site.not_run()),
            other => Err(site.type_error(format!("'{}' object is not reversible", other.class_name()))),
        }
    }
}

fn clamped(site: Site<'_>, index: &Value, length: usize) -> Result<usize, Halt> {
    let Some(Number::Int(index)) = Number::of(index) else {
        let message = format!("'{}' object cannot be interpreted as an integer", index.class_name());
        return Err(site.type_error(message));
    };
    let size = i64::try_from(length).unwrap_or(i64::MAX);
    let index = if index < 0 { index.saturating_add(size) } else { index };
    Ok(usize::try_from(index.clamp(0, size)).unwrap_or(0))
}

fn outside(site: Site<'_>, object: &Value, name: &str) -> Halt {
    site.outside(format!("`{}.{name}` is not run", object.class_name()))
}

pub(super) fn wrong_count(site: Site<'_>, kind: &str, name: &str, arguments: &Arguments) -> Halt {
    let given = arguments.positional.len();
    site.type_error(format!("{kind}.{name}() does not take {given} positional arguments"))
}
