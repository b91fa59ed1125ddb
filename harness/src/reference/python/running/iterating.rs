//! Iterating: what gives an iterator, and its next item.
//!
//! Knows iterators and containers; the code between two items is the caller's.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::containers::{View, ViewKind};
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::iteration::{Iteration, Progress};
use super::super::native::Arguments;
use super::super::value::Value;
use super::site::Site;

impl Interpreter<'_> {
    /// `iter(value)`.
    pub(super) fn iterator_of(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        Ok(match value {
            Value::Iterator(_) => value.clone(),
            Value::List(list) => {
                known(site, list.tainted.get())?;
                Iteration::value("list_iterator", Progress::List(Rc::clone(list), 0))
            }
            Value::Tuple(items) => Iteration::over("tuple_iterator", items.to_vec()),
            Value::Text(text) => {
                self.work(site, text.len())?;
                Iteration::over(
                    "str_iterator",
                    text.chars().map(|one| Value::text(one.encode_utf8(&mut [0; 4]))).collect(),
                )
            }
            Value::Range(range) => Iteration::value("range_iterator", Progress::Range(*range, 0)),
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                let size = set.items.borrow().len();
                Iteration::value("set_iterator", Progress::Set(Rc::clone(set), size, 0))
            }
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let view = View { dict: Rc::clone(dict), kind: ViewKind::Keys };
                let size = dict.entries.borrow().len();
                Iteration::value("dict_keyiterator", Progress::View(view, size, 0))
            }
            Value::View(view) => {
                known(site, view.dict.tainted.get())?;
                let size = view.dict.entries.borrow().len();
                let name = match view.kind {
                    ViewKind::Keys => "dict_keyiterator",
                    ViewKind::Values => "dict_valueiterator",
                    ViewKind::Items => "dict_itemiterator",
                };
                Iteration::value(name, Progress::View(view.as_ref().clone(), size, 0))
            }
            Value::Class(class) => match Self::enumerated(class) {
                Some(members) => Iteration::over("generator", members),
                None => return Err(not_iterable(site, value)),
            },
            Value::Instance(_) => return self.iterator_of_instance(site, value),
            Value::Member(member) => match &member.value {
                Value::Text(_) if member.is_mixed() => {
                    return self.iterator_of(site, &member.value.clone());
                }
                _ => return Err(not_iterable(site, value)),
            },
            Value::Made(_) | Value::Unknown(_) | Value::Opaque(_) | Value::Form(_) => {
                return Err(site.not_run());
            }
            _ => return Err(not_iterable(site, value)),
        })
    }

    fn iterator_of_instance(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        let Some(method) = self.special(site, value, "__iter__")? else {
            if self.special(site, value, "__getitem__")?.is_some() {
                return Err(site.outside("iterating by `__getitem__` is not run"));
            }
            return Err(not_iterable(site, value));
        };
        let iterator = self.run_call(site, &method, Arguments::default())?;
        match &iterator {
            Value::Iterator(_) => Ok(iterator),
            Value::Instance(_) if self.special(site, &iterator, "__next__")?.is_some() => Ok(iterator),
            other => {
                Err(site.type_error(format!("iter() returned non-iterator of type '{}'", other.class_name())))
            }
        }
    }

    /// The next item of an iterator; `None` after the last.
    pub(super) fn next_item(&mut self, site: Site<'_>, iterator: &Value) -> Result<Option<Value>, Halt> {
        let iteration = match iterator {
            Value::Iterator(iteration) => iteration,
            Value::Instance(_) => {
                let Some(method) = self.special(site, iterator, "__next__")? else {
                    let message = format!("'{}' object is not an iterator", iterator.class_name());
                    return Err(site.type_error(message));
                };
                return match self.run_call(site, &method, Arguments::default()) {
                    Ok(value) => Ok(Some(value)),
                    Err(Halt::Raised(raised))
                        if raised.is_caught_by(&super::super::standard::exception("StopIteration"))
                            == Some(true) =>
                    {
                        Ok(None)
                    }
                    Err(halt) => Err(halt),
                };
            }
            other => {
                return Err(site.type_error(format!("'{}' object is not an iterator", other.class_name())));
            }
        };
        self.look_at_stack(site)?;
        let mut progress = iteration.state.replace(Progress::Busy);
        if let Progress::Busy = progress {
            return Err(site.value_error("generator already executing"));
        }
        let is_generator = matches!(progress, Progress::Generator(_));
        let next = self.advance(site, &mut progress);
        // An iterator that has ended, and a generator that has raised, stay so.
        let ended = matches!(next, Ok(None)) || (next.is_err() && is_generator);
        *iteration.state.borrow_mut() = if ended { Progress::Ended } else { progress };
        next
    }

    fn advance(&mut self, site: Site<'_>, progress: &mut Progress) -> Result<Option<Value>, Halt> {
        Ok(match progress {
            Progress::Ended | Progress::Busy => None,
            Progress::Items(items) => items.pop(),
            Progress::List(list, position) => {
                let item = list.items.borrow().get(*position).cloned();
                *position += 1;
                item
            }
            Progress::Set(set, size, position) => {
                if set.items.borrow().len() != *size {
                    return Err(site.raise("RuntimeError", "Set changed size during iteration"));
                }
                let item = set.items.borrow().get_index(*position).map(|(_, item)| item.clone());
                *position += 1;
                item
            }
            Progress::Range(range, position) => {
                let item = (*position < range.length()).then(|| Value::Int(range.at(*position)));
                *position += 1;
                item
            }
            Progress::View(view, size, position) => {
                if view.dict.entries.borrow().len() != *size {
                    return Err(site.raise("RuntimeError", "dictionary changed size during iteration"));
                }
                let item = view.at(*position);
                *position += 1;
                item
            }
            Progress::Enumerate(inner, number) => {
                let item = self.next_item(site, &inner.clone())?;
                let pair = item.map(|item| Value::tuple(vec![Value::Int(*number), item]));
                *number = number.saturating_add(1);
                pair
            }
            Progress::Zip(inners, strict) => {
                let (inners, strict) = (inners.clone(), *strict);
                return self.advance_zip(site, &inners, strict);
            }
            Progress::Map(function, inners) => {
                let (function, inners) = (function.clone(), inners.clone());
                let mut arguments = Arguments::default();
                for inner in &inners {
                    match self.next_item(site, inner)? {
                        Some(item) => arguments.positional.push(item),
                        None => return Ok(None),
                    }
                }
                Some(self.run_call(site, &function, arguments)?)
            }
            Progress::Filter(function, inner) => {
                let (function, inner) = (function.clone(), inner.clone());
                while let Some(item) = self.next_item(site, &inner)? {
                    self.tick(site)?;
                    let verdict = match &function {
                        Value::None => item.clone(),
                        function => self.run_call(site, function, Arguments::one(item.clone()))?,
                    };
                    if self.is_true(site, &verdict)? {
                        return Ok(Some(item));
                    }
                }
                None
            }
            Progress::Generator(generator) => {
                let resumed = self.deeper(site, |own| own.resume(generator));
                return match resumed {
                    Err(Halt::Raised(raised)) if super::waiting::is_stop(&raised) => {
                        Err(site.raise("RuntimeError", "generator raised StopIteration"))
                    }
                    resumed => resumed,
                };
            }
        })
    }

    fn advance_zip(&mut self, site: Site<'_>, inners: &[Value], strict: bool) -> Result<Option<Value>, Halt> {
        let mut items = Vec::new();
        for (position, inner) in inners.iter().enumerate() {
            match self.next_item(site, inner)? {
                Some(item) => items.push(item),
                None if strict && position > 0 => {
                    let plural = if position == 1 { " " } else { "s 1-" };
                    let message =
                        format!("zip() argument {} is shorter than argument{plural}{position}", position + 1);
                    return Err(site.value_error(message));
                }
                None if strict => {
                    for (position, inner) in inners.iter().enumerate().skip(1) {
                        if self.next_item(site, inner)?.is_some() {
                            let plural = if position == 1 { " " } else { "s 1-" };
                            let message = format!(
                                "zip() argument {} is longer than argument{plural}{position}",
                                position + 1
                            );
                            return Err(site.value_error(message));
                        }
                    }
                    return Ok(None);
                }
                None => return Ok(None),
            }
        }
        Ok((!inners.is_empty()).then(|| Value::tuple(items)))
    }

    /// Everything that a value iterates.
    pub(super) fn collect(&mut self, site: Site<'_>, value: &Value) -> Result<Vec<Value>, Halt> {
        let mut items = match value {
            Value::List(list) => {
                known(site, list.tainted.get())?;
                list.items.borrow().clone()
            }
            Value::Tuple(items) => items.to_vec(),
            other => {
                let iterator = self.iterator_of(site, other)?;
                let mut items = Vec::new();
                while let Some(item) = self.next_item(site, &iterator)? {
                    self.tick(site)?;
                    items.push(item);
                    if items.len().is_multiple_of(1024) {
                        self.work(site, items.len())?;
                    }
                }
                items
            }
        };
        self.work(site, items.len())?;
        items.shrink_to_fit();
        Ok(items)
    }
}

/// Refuses what loading could not follow.
pub(super) fn known(site: Site<'_>, tainted: bool) -> Result<(), Halt> {
    if tainted {
        Err(site.outside("what this holds was not followed while the agent was loaded"))
    } else {
        Ok(())
    }
}

fn not_iterable(site: Site<'_>, value: &Value) -> Halt {
    site.type_error(format!("'{}' object is not iterable", value.class_name()))
}
