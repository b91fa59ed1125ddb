//! Keys of dicts and items of sets.
//!
//! Knows which values can be hashed; a set keeps the order in which its items were added.
//! Rules: Python's own; it promises no order of sets.

use std::rc::Rc;

use indexmap::IndexMap;
use ruff_python_ast::Operator;

use super::super::containers::Set;
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::value::{Dict, Key, Value};
use super::iterating::known;
use super::site::Site;

/// How deep a tuple may nest to be a key.
const MAXIMUM_KEY_DEPTH: u32 = 100;

impl Interpreter<'_> {
    /// A value as a key.
    pub(super) fn hash_key(site: Site<'_>, value: &Value) -> Result<Key, Halt> {
        Self::hash_within(site, value, MAXIMUM_KEY_DEPTH)
    }

    fn hash_within(site: Site<'_>, value: &Value, depth: u32) -> Result<Key, Halt> {
        if depth == 0 {
            return Err(site.outside("a key that nests this deep is not run"));
        }
        let unhashable = || Err(site.type_error(format!("unhashable type: '{}'", value.class_name())));
        let address = |address: usize| Ok(Key::Object(address));
        match value {
            Value::Tuple(items) => {
                let keys: Result<Vec<Key>, Halt> =
                    items.iter().map(|item| Self::hash_within(site, item, depth - 1)).collect();
                Ok(Key::Tuple(keys?))
            }
            Value::Float(number) if number.is_nan() => Err(site.outside("NaN as a key is not run")),
            Value::List(_) | Value::Dict(_) | Value::View(_) => unhashable(),
            Value::Set(set) if !set.frozen => unhashable(),
            Value::Set(set) => {
                let mut keys: Vec<Key> = set.items.borrow().keys().cloned().collect();
                keys.sort_by_cached_key(|key| format!("{key:?}"));
                keys.insert(0, Key::Text(Rc::from("<frozenset>")));
                Ok(Key::Tuple(keys))
            }
            Value::Instance(instance) => {
                let has = |name: &str| instance.class.find(name).is_some();
                if has("__hash__") {
                    return Err(site.outside("`__hash__` is not run"));
                }
                let told = *instance.class.dataclass.borrow();
                match told {
                    Some(told) if told.equal && told.frozen => {
                        let Some(names) = Self::compared_fields(instance) else { return unhashable() };
                        let values = Self::field_values(site, instance, &names)?;
                        let mut keys = vec![Key::Object(Rc::as_ptr(&instance.class).addr())];
                        for value in &values {
                            keys.push(Self::hash_within(site, value, depth - 1)?);
                        }
                        Ok(Key::Tuple(keys))
                    }
                    Some(told) if told.equal => unhashable(),
                    _ if has("__eq__") => unhashable(),
                    _ => address(Rc::as_ptr(instance).addr()),
                }
            }
            Value::Member(member) if member.is_mixed() => Self::hash_within(site, &member.value, depth - 1),
            Value::Member(member) => Ok(Key::Tuple(vec![
                Key::Object(Rc::as_ptr(&member.class).addr()),
                Key::Text(Rc::clone(&member.name)),
            ])),
            Value::Class(class) => address(Rc::as_ptr(class).addr()),
            Value::Function(function) => address(Rc::as_ptr(function).addr()),
            Value::Type(basic) => {
                Ok(Key::Tuple(vec![Key::Text(Rc::from("<type>")), Key::Text(Rc::from(basic.name()))]))
            }
            Value::Exception(class) if class.message.is_none() => {
                Ok(Key::Tuple(vec![Key::Text(Rc::from("<type>")), Key::Text(Rc::clone(&class.class))]))
            }
            Value::Exception(exception) => address(Rc::as_ptr(exception).addr()),
            Value::Awaitable(awaitable) => address(Rc::as_ptr(awaitable).addr()),
            other => other.key().ok_or_else(|| site.outside("this value as a key is not run")),
        }
    }

    /// Puts an entry into a dict; the key that is there already stays.
    pub(super) fn insert(
        &mut self,
        site: Site<'_>,
        dict: &Rc<Dict>,
        key: Value,
        value: Value,
    ) -> Result<(), Halt> {
        let hashed = Self::hash_key(site, &key)?;
        let mut entries = dict.entries.borrow_mut();
        if let Some((_, slot)) = entries.get_mut(&hashed) {
            let old = std::mem::replace(slot, value);
            drop(entries);
            drop(old);
            return Ok(());
        }
        entries.insert(hashed, (key, value));
        let size = entries.len();
        drop(entries);
        self.work(site, if size.is_multiple_of(64) { size } else { 0 })
    }

    /// Puts the entries of one dict into another.
    pub(super) fn merge(&mut self, site: Site<'_>, dict: &Rc<Dict>, other: &Rc<Dict>) -> Result<(), Halt> {
        known(site, other.tainted.get() || dict.tainted.get())?;
        let entries = other.entries.borrow().clone();
        self.work(site, entries.len())?;
        for (hashed, (key, value)) in entries {
            let mut own = dict.entries.borrow_mut();
            match own.get_mut(&hashed) {
                Some((_, slot)) => *slot = value,
                None => {
                    own.insert(hashed, (key, value));
                }
            }
        }
        Ok(())
    }

    /// A set of items.
    pub(super) fn make_set(
        &mut self,
        site: Site<'_>,
        items: Vec<Value>,
        frozen: bool,
    ) -> Result<Value, Halt> {
        self.work(site, items.len())?;
        let mut held = IndexMap::new();
        for item in items {
            held.entry(Self::hash_key(site, &item)?).or_insert(item);
        }
        Ok(Value::Set(Rc::new(Set { items: held.into(), frozen, tainted: false.into() })))
    }

    /// The items of something iterable, as those of a set.
    pub(super) fn set_items(&mut self, site: Site<'_>, value: &Value) -> Result<IndexMap<Key, Value>, Halt> {
        if let Value::Set(set) = value {
            known(site, set.tainted.get())?;
            self.work(site, set.items.borrow().len())?;
            return Ok(set.items.borrow().clone());
        }
        let mut items = IndexMap::new();
        for item in self.collect(site, value)? {
            items.entry(Self::hash_key(site, &item)?).or_insert(item);
        }
        Ok(items)
    }

    /// `left operator right` of two sets.
    pub(super) fn combine_sets(
        &mut self,
        site: Site<'_>,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        let frozen = matches!(left, Value::Set(set) if set.frozen) && !matches!(right, Value::View(_));
        let mut one = self.set_items(site, left)?;
        let other = self.set_items(site, right)?;
        match operator {
            Operator::BitOr => {
                for (key, item) in other {
                    one.entry(key).or_insert(item);
                }
            }
            Operator::BitAnd => one.retain(|key, _| other.contains_key(key)),
            Operator::Sub => one.retain(|key, _| !other.contains_key(key)),
            _ => {
                let before = one.clone();
                one.retain(|key, _| !other.contains_key(key));
                one.extend(other.into_iter().filter(|(key, _)| !before.contains_key(key)));
            }
        }
        Ok(Value::Set(Rc::new(Set { items: one.into(), frozen, tainted: false.into() })))
    }
}
