//! Items and slices of running code.
//!
//! Knows sequences and mappings; a subscript of a type is a type.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};

use super::super::exception::Halt;
use super::super::interpreter::{Frame, Interpreter};
use super::super::native::Arguments;
use super::super::value::{List, Value};
use super::iterating::known;
use super::numbers::Number;
use super::site::Site;

/// Where a slice begins, how many items it has, and how far apart they are.
#[derive(Clone, Copy)]
struct Slice {
    start: i64,
    length: usize,
    step: i64,
}

impl Slice {
    fn positions(self) -> impl Iterator<Item = usize> {
        let (start, step) = (self.start, self.step);
        (0..self.length).filter_map(move |index| {
            let offset = i64::try_from(index).ok()?.checked_mul(step)?;
            usize::try_from(start.checked_add(offset)?).ok()
        })
    }
}

impl Interpreter<'_> {
    pub(super) fn run_subscript(
        &mut self,
        frame: &Frame,
        subscript: &ast::ExprSubscript,
    ) -> Result<Value, Halt> {
        let object = self.run_expression(frame, &subscript.value)?;
        if let Expr::Slice(slice) = subscript.slice.as_ref() {
            return self.load_slice(frame, slice, &object);
        }
        if matches!(object, Value::Type(_) | Value::Form(_)) {
            let arguments = match subscript.slice.as_ref() {
                Expr::Tuple(tuple) => self.displayed(frame, &tuple.elts)?,
                single => vec![self.run_expression(frame, single)?],
            };
            return Self::parametrise(frame, subscript, &object, arguments);
        }
        let index = self.run_expression(frame, &subscript.slice)?;
        self.load_item(frame.at(subscript), &object, &index)
    }

    /// `object[index]`.
    pub(super) fn load_item(&mut self, site: Site<'_>, object: &Value, index: &Value) -> Result<Value, Halt> {
        match object {
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let key = Self::hash_key(site, index)?;
                let found = dict.entries.borrow().get(&key).map(|(_, value)| value.clone());
                match found {
                    Some(value) => Ok(value),
                    None => Err(self.key_error(site, index)?),
                }
            }
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let items = list.items.borrow();
                let position = position(site, object, index, items.len(), "list index out of range")?;
                items
                    .get(position)
                    .cloned()
                    .ok_or_else(|| site.raise("IndexError", "list index out of range"))
            }
            Value::Tuple(items) => {
                let position = position(site, object, index, items.len(), "tuple index out of range")?;
                items
                    .get(position)
                    .cloned()
                    .ok_or_else(|| site.raise("IndexError", "tuple index out of range"))
            }
            Value::Text(text) => {
                let length = if text.is_ascii() { text.len() } else { text.chars().count() };
                self.work(site, length)?;
                let position = position(site, object, index, length, "string index out of range")?;
                let character = text.chars().nth(position);
                let character =
                    character.ok_or_else(|| site.raise("IndexError", "string index out of range"))?;
                Ok(Value::text(character.encode_utf8(&mut [0; 4])))
            }
            Value::Range(range) => {
                let length = usize::try_from(range.length()).unwrap_or(usize::MAX);
                let position = position(site, object, index, length, "range object index out of range")?;
                Ok(Value::Int(range.at(i64::try_from(position).unwrap_or(i64::MAX))))
            }
            Value::Class(class) => match (Self::enumerated(class), index) {
                (Some(members), Value::Text(name)) => match Self::member_named(class, &members, name) {
                    Some(member) => Ok(member),
                    None => Err(self.key_error(site, index)?),
                },
                (Some(_), _) => Err(self.key_error(site, index)?),
                (None, _) => Err(site.not_run()),
            },
            Value::Member(member) if member.is_mixed() => self.load_item(site, &member.value.clone(), index),
            Value::Instance(_) => match self.special(site, object, "__getitem__")? {
                Some(method) => self.run_call(site, &method, Arguments::one(index.clone())),
                None => Err(not_subscriptable(site, object)),
            },
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) | Value::Form(_) | Value::Type(_) => {
                Err(site.not_run())
            }
            _ => Err(not_subscriptable(site, object)),
        }
    }

    pub(super) fn key_error(&mut self, site: Site<'_>, key: &Value) -> Result<Halt, Halt> {
        let shown = self.represent(site, key)?;
        Ok(site.raise_with("KeyError", shown, vec![key.clone()]))
    }

    /// `object[index] = value`.
    pub(super) fn store_item(
        &mut self,
        site: Site<'_>,
        object: &Value,
        index: &Value,
        value: Value,
    ) -> Result<(), Halt> {
        match object {
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                self.insert(site, dict, index.clone(), value)
            }
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let message = "list assignment index out of range";
                let length = list.items.borrow().len();
                let position = position(site, object, index, length, message)?;
                let mut items = list.items.borrow_mut();
                let slot = items.get_mut(position).ok_or_else(|| site.raise("IndexError", message))?;
                let old = std::mem::replace(slot, value);
                drop(items);
                drop(old);
                Ok(())
            }
            Value::Instance(_) => {
                let Some(method) = self.special(site, object, "__setitem__")? else {
                    return Err(refused(site, object, "assignment"));
                };
                let mut arguments = Arguments::one(index.clone());
                arguments.positional.push(value);
                self.run_call(site, &method, arguments).map(|_| ())
            }
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
            _ => Err(refused(site, object, "assignment")),
        }
    }

    /// `del object[index]`.
    pub(super) fn delete_item(&mut self, site: Site<'_>, object: &Value, index: &Value) -> Result<(), Halt> {
        match object {
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let key = Self::hash_key(site, index)?;
                self.work(site, dict.entries.borrow().len())?;
                let removed = dict.entries.borrow_mut().shift_remove(&key);
                match removed {
                    Some(_) => Ok(()),
                    None => Err(self.key_error(site, index)?),
                }
            }
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let message = "list assignment index out of range";
                let length = list.items.borrow().len();
                self.work(site, length)?;
                let position = position(site, object, index, length, message)?;
                if position >= length {
                    return Err(site.raise("IndexError", message));
                }
                drop(list.items.borrow_mut().remove(position));
                Ok(())
            }
            Value::Instance(_) => match self.special(site, object, "__delitem__")? {
                Some(method) => self.run_call(site, &method, Arguments::one(index.clone())).map(|_| ()),
                None => Err(refused(site, object, "deletion")),
            },
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
            _ => Err(refused(site, object, "deletion")),
        }
    }

    fn load_slice(&mut self, frame: &Frame, slice: &ast::ExprSlice, object: &Value) -> Result<Value, Halt> {
        let site = frame.at(slice);
        match object {
            Value::Text(text) => {
                let characters: Vec<char> = text.chars().collect();
                self.work(site, characters.len())?;
                let slice = self.resolve_slice(frame, slice, characters.len())?;
                let part: String =
                    slice.positions().filter_map(|position| characters.get(position)).collect();
                Ok(Value::text(&part))
            }
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let length = list.items.borrow().len();
                let slice = self.resolve_slice(frame, slice, length)?;
                self.work(site, slice.length)?;
                let items = list.items.borrow();
                Ok(Value::list(
                    slice.positions().filter_map(|position| items.get(position).cloned()).collect(),
                ))
            }
            Value::Tuple(items) => {
                let slice = self.resolve_slice(frame, slice, items.len())?;
                self.work(site, slice.length)?;
                Ok(Value::tuple(
                    slice.positions().filter_map(|position| items.get(position).cloned()).collect(),
                ))
            }
            Value::Member(member) if member.is_mixed() => {
                self.load_slice(frame, slice, &member.value.clone())
            }
            Value::Dict(_) | Value::Set(_) => {
                let message = if let Value::Set(_) = object {
                    "'set' object is not subscriptable"
                } else {
                    "unhashable type: 'slice'"
                };
                Err(site.type_error(message))
            }
            Value::None
            | Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::Iterator(_)
            | Value::View(_) => Err(not_subscriptable(site, object)),
            _ => Err(site.outside("a slice of this is not run")),
        }
    }

    fn resolve_slice(&mut self, frame: &Frame, slice: &ast::ExprSlice, length: usize) -> Result<Slice, Halt> {
        let mut bound = |written: &Option<Box<Expr>>| -> Result<Option<i64>, Halt> {
            let Some(written) = written else { return Ok(None) };
            match self.run_expression(frame, written)? {
                Value::None => Ok(None),
                value => match Number::of(&value) {
                    Some(Number::Int(number)) => Ok(Some(number)),
                    _ => Err(frame
                        .at(slice)
                        .type_error("slice indices must be integers or None or have an __index__ method")),
                },
            }
        };
        let (lower, upper, step) = (bound(&slice.lower)?, bound(&slice.upper)?, bound(&slice.step)?);
        let step = step.unwrap_or(1);
        if step == 0 {
            return Err(frame.at(slice).value_error("slice step cannot be zero"));
        }
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let clamp = |bound: i64| {
            let bound = if bound < 0 { bound.saturating_add(length) } else { bound };
            bound.clamp(least, most)
        };
        let start = lower.map_or(if step > 0 { 0 } else { length - 1 }, clamp);
        let stop = upper.map_or(if step > 0 { length } else { -1 }, clamp);
        let range = super::super::containers::Range { start, stop, step };
        Ok(Slice { start, length: usize::try_from(range.length()).unwrap_or(0), step })
    }

    /// `object[a:b] = value`.
    pub(super) fn store_slice(
        &mut self,
        frame: &Frame,
        slice: &ast::ExprSlice,
        object: &Value,
        value: &Value,
    ) -> Result<(), Halt> {
        let site = frame.at(slice);
        let Value::List(list) = object else { return Err(site.outside("this slice is not changed")) };
        known(site, list.tainted.get())?;
        let items = self.collect(site, value)?;
        let length = list.items.borrow().len();
        let slice = self.resolve_slice(frame, slice, length)?;
        self.work(site, length + items.len())?;
        self.replace_slice(site, list, slice, items)
    }

    #[expect(clippy::unused_self, reason = "reads as the other changes do")]
    fn replace_slice(
        &self,
        site: Site<'_>,
        list: &Rc<List>,
        slice: Slice,
        items: Vec<Value>,
    ) -> Result<(), Halt> {
        if slice.step == 1 {
            let start = usize::try_from(slice.start).unwrap_or(0);
            let old: Vec<Value> =
                list.items.borrow_mut().splice(start..start + slice.length, items).collect();
            drop(old);
            return Ok(());
        }
        Err(site.outside("changing a slice with a step is not run"))
    }
}

fn position(
    site: Site<'_>,
    object: &Value,
    index: &Value,
    length: usize,
    message: &str,
) -> Result<usize, Halt> {
    let Some(Number::Int(index)) = Number::of(index) else {
        let kind = match object {
            Value::Text(_) => "string indices must be integers, not".to_owned(),
            other => format!("{} indices must be integers or slices, not", other.class_name()),
        };
        let shown = index.class_name();
        return Err(site.type_error(format!(
            "{kind} {}",
            if matches!(object, Value::Text(_)) { format!("'{shown}'") } else { shown.to_string() }
        )));
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let index = if index < 0 { index.saturating_add(length) } else { index };
    match usize::try_from(index) {
        Ok(position) if index < length => Ok(position),
        _ => Err(site.raise("IndexError", message)),
    }
}

fn not_subscriptable(site: Site<'_>, value: &Value) -> Halt {
    site.type_error(format!("'{}' object is not subscriptable", value.class_name()))
}

fn refused(site: Site<'_>, value: &Value, what: &str) -> Halt {
    site.type_error(format!("'{}' object does not support item {what}", value.class_name()))
}
