//! Methods of dicts.
//!
//! Knows dicts; keys are hashed elsewhere.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::containers::{View, ViewKind};
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::{Dict, Value};
use super::container_methods::wrong_count;
use super::site::Site;

impl Interpreter<'_> {
    pub(super) fn dict_method(
        &mut self,
        site: Site<'_>,
        dict: &Rc<Dict>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        if name == "update" {
            match arguments.positional.as_slice() {
                [] => {}
                [other] => self.update_dict(site, dict, other)?,
                _ => return Err(wrong_count(site, "dict", name, arguments)),
            }
            for (name, value) in arguments.keywords.clone() {
                self.insert(site, dict, Value::Text(name), value)?;
            }
            return Ok(Value::None);
        }
        if !arguments.keywords.is_empty() {
            return Err(site.type_error(format!("dict.{name}() takes no keyword arguments")));
        }
        let view = |kind| Ok(Value::View(Rc::new(View { dict: Rc::clone(dict), kind })));
        let size = dict.entries.borrow().len();
        match (name, arguments.positional.as_slice()) {
            ("keys", []) => view(ViewKind::Keys),
            ("values", []) => view(ViewKind::Values),
            ("items", []) => view(ViewKind::Items),
            ("get" | "setdefault", [key] | [key, _]) => {
                let hashed = Self::hash_key(site, key)?;
                let found = dict.entries.borrow().get(&hashed).map(|(_, value)| value.clone());
                let default = || arguments.positional.get(1).cloned().unwrap_or(Value::None);
                if name == "setdefault" && found.is_none() {
                    self.insert(site, dict, key.clone(), default())?;
                }
                Ok(found.unwrap_or_else(default))
            }
            ("pop", [key] | [key, _]) => {
                self.work(site, size)?;
                let hashed = Self::hash_key(site, key)?;
                let removed = dict.entries.borrow_mut().shift_remove(&hashed);
                match (removed, arguments.positional.get(1)) {
                    (Some((_, value)), _) => Ok(value),
                    (None, Some(default)) => Ok(default.clone()),
                    (None, None) => Err(self.key_error(site, key)?),
                }
            }
            ("popitem", []) => match dict.entries.borrow_mut().pop() {
                Some((_, (key, value))) => Ok(Value::tuple(vec![key, value])),
                None => Err(site.raise("KeyError", "'popitem(): dictionary is empty'")),
            },
            ("clear", []) => {
                drop(dict.entries.take());
                Ok(Value::None)
            }
            ("copy", []) => {
                let copy = Rc::new(Dict::default());
                self.merge(site, &copy, dict)?;
                Ok(Value::Dict(copy))
            }
            ("fromkeys", _) => self.dict_from_keys(site, arguments),
            _ => Err(wrong_count(site, "dict", name, arguments)),
        }
    }

    pub(super) fn dict_from_keys(&mut self, site: Site<'_>, arguments: &Arguments) -> Result<Value, Halt> {
        let keys = arguments.positional.first().cloned().unwrap_or(Value::None);
        let value = arguments.positional.get(1).cloned().unwrap_or(Value::None);
        let dict = Rc::new(Dict::default());
        for key in self.collect(site, &keys)? {
            self.insert(site, &dict, key, value.clone())?;
        }
        Ok(Value::Dict(dict))
    }

    /// Puts a dict, or pairs, into a dict.
    pub(super) fn update_dict(&mut self, site: Site<'_>, dict: &Rc<Dict>, other: &Value) -> Result<(), Halt> {
        if let Value::Dict(other) = other {
            return self.merge(site, dict, other);
        }
        for (position, pair) in self.collect(site, other)?.into_iter().enumerate() {
            let pair = match self.collect(site, &pair) {
                Err(Halt::Raised(raised)) if raised.message.ends_with("object is not iterable") => {
                    let message = format!(
                        "cannot convert dictionary update sequence element #{position} to a sequence"
                    );
                    return Err(site.type_error(message));
                }
                pair => pair?,
            };
            let [key, value] = pair.as_slice() else {
                let message = format!(
                    "dictionary update sequence element #{position} has length {}; 2 is required",
                    pair.len()
                );
                return Err(site.value_error(message));
            };
            self.insert(site, dict, key.clone(), value.clone())?;
        }
        Ok(())
    }
}
