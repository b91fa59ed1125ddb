//! Whether running code takes a value for true, and how long it is.
//!
//! Knows containers and the special methods; compares nothing.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::iterating::known;
use super::site::Site;

impl Interpreter<'_> {
    /// Whether a value counts as true.
    pub(in super::super) fn is_true(&mut self, site: Site<'_>, value: &Value) -> Result<bool, Halt> {
        match value {
            Value::Instance(_) => {
                if let Some(method) = self.special(site, value, "__bool__")? {
                    let truth = self.run_call(site, &method, Arguments::default())?;
                    return match truth {
                        Value::Bool(truth) => Ok(truth),
                        other => {
                            let message =
                                format!("__bool__ should return bool, returned {}", other.class_name());
                            Err(site.type_error(message))
                        }
                    };
                }
                match self.special(site, value, "__len__")? {
                    Some(_) => Ok(self.length(site, value)? > 0),
                    None => Ok(true),
                }
            }
            Value::Member(member) if member.is_mixed() => self.is_true(site, &member.value.clone()),
            Value::Member(_) => Ok(true),
            other => other.truth().ok_or_else(|| site.outside("whether this counts as true is not known")),
        }
    }

    /// `len(value)`.
    pub(super) fn length(&mut self, site: Site<'_>, value: &Value) -> Result<i64, Halt> {
        let length = match value {
            Value::Text(text) => text.chars().count(),
            Value::List(list) => {
                known(site, list.tainted.get())?;
                list.items.borrow().len()
            }
            Value::Tuple(items) => items.len(),
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                dict.entries.borrow().len()
            }
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                set.items.borrow().len()
            }
            Value::View(view) => {
                known(site, view.dict.tainted.get())?;
                view.dict.entries.borrow().len()
            }
            Value::Range(range) => return Ok(range.length()),
            Value::Class(class) if Self::enumerated(class).is_some() => {
                Self::enumerated(class).map_or(0, |members| members.len())
            }
            Value::Member(member) if member.is_mixed() => {
                return self.length(site, &member.value.clone());
            }
            Value::Instance(_) => {
                if let Some(method) = self.special(site, value, "__len__")? {
                    return match self.run_call(site, &method, Arguments::default())? {
                        Value::Int(length) if length >= 0 => Ok(length),
                        Value::Int(_) => Err(site.value_error("__len__() should return >= 0")),
                        other => Err(site.type_error(format!(
                            "'{}' object cannot be interpreted as an integer",
                            other.class_name()
                        ))),
                    };
                }
                return Err(no_length(site, value));
            }
            Value::Unknown(_) | Value::Opaque(_) | Value::Made(_) => return Err(site.not_run()),
            _ => return Err(no_length(site, value)),
        };
        Ok(i64::try_from(length).unwrap_or(i64::MAX))
    }
}

fn no_length(site: Site<'_>, value: &Value) -> Halt {
    site.type_error(format!("object of type '{}' has no len()", value.class_name()))
}
