//! Methods of lists and dicts, and slices.
//!
//! Knows what the methods change and give; a change of which it is not known whether it happens is
//! not made. Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::interpreter::MAXIMUM_TEXT;
use super::native::Arguments;
use super::value::{Dict, Key, List, Value};

/// Calls a method of a list or dict; `None` when what it gives or changes is not known.
pub(crate) fn call(object: &Value, name: &str, arguments: &Arguments, speculative: bool) -> Option<Value> {
    if speculative && !super::methods::only_reads(name) {
        return None;
    }
    match object {
        Value::List(list) if !list.tainted.get() && arguments.keywords.is_empty() => {
            list_method(list, name, &arguments.positional)
        }
        Value::Dict(dict) if !dict.tainted.get() => {
            let named = name == "update" || arguments.keywords.is_empty();
            if named { dict_method(dict, name, arguments) } else { None }
        }
        _ => None,
    }
}

fn list_method(list: &Rc<List>, name: &str, arguments: &[Value]) -> Option<Value> {
    if list.items.borrow().len() > MAXIMUM_TEXT {
        return None;
    }
    match (name, arguments) {
        ("append", [item]) => list.items.borrow_mut().push(item.clone()),
        ("extend", [Value::List(more)]) if !more.tainted.get() => {
            let more = more.items.borrow().clone();
            list.items.borrow_mut().extend(more);
        }
        ("extend", [Value::Tuple(more)]) => list.items.borrow_mut().extend(more.iter().cloned()),
        ("insert", [Value::Int(0), item]) => list.items.borrow_mut().insert(0, item.clone()),
        ("reverse", []) => list.items.borrow_mut().reverse(),
        ("clear", []) => list.items.borrow_mut().clear(),
        ("pop", []) => return list.items.borrow_mut().pop(),
        ("copy", []) => return Some(Value::list(list.items.borrow().clone())),
        ("index", [item]) => {
            for (position, candidate) in list.items.borrow().iter().enumerate() {
                if candidate.equals(item)? {
                    return i64::try_from(position).ok().map(Value::Int);
                }
            }
            return None;
        }
        _ => return None,
    }
    Some(Value::None)
}

fn dict_method(dict: &Rc<Dict>, name: &str, arguments: &Arguments) -> Option<Value> {
    let pair = |(key, value): &(Value, Value)| Value::tuple(vec![key.clone(), value.clone()]);
    let found = |key: &Value| -> Option<Option<Value>> {
        Some(dict.entries.borrow().get(&key.key()?).map(|(_, value)| value.clone()))
    };
    match (name, arguments.positional.as_slice()) {
        ("get", [key]) => found(key).map(|value| value.unwrap_or(Value::None)),
        ("get", [key, default]) => found(key).map(|value| value.unwrap_or_else(|| default.clone())),
        ("keys", []) => {
            Some(Value::list(dict.entries.borrow().values().map(|(key, _)| key.clone()).collect()))
        }
        ("values", []) => {
            Some(Value::list(dict.entries.borrow().values().map(|(_, value)| value.clone()).collect()))
        }
        ("items", []) => Some(Value::list(dict.entries.borrow().values().map(pair).collect())),
        ("copy", []) => Some(merged(dict, &[])),
        ("setdefault", [key, default]) => {
            let hashed = key.key()?;
            let mut entries = dict.entries.borrow_mut();
            let entry = entries.entry(hashed).or_insert_with(|| (key.clone(), default.clone()));
            Some(entry.1.clone())
        }
        ("pop", [key]) => dict.entries.borrow_mut().shift_remove(&key.key()?).map(|(_, value)| value),
        ("pop", [key, default]) => {
            let removed = dict.entries.borrow_mut().shift_remove(&key.key()?);
            Some(removed.map_or_else(|| default.clone(), |(_, value)| value))
        }
        ("update", positional) => {
            let more = match positional {
                [] => Vec::new(),
                [Value::Dict(more)] if !more.tainted.get() => {
                    more.entries.borrow().values().cloned().collect()
                }
                _ => return None,
            };
            let named =
                arguments.keywords.iter().map(|(name, value)| (Value::Text(Rc::clone(name)), value.clone()));
            for (key, value) in more.into_iter().chain(named) {
                let hashed = key.key()?;
                insert(dict, hashed, key, value);
            }
            Some(Value::None)
        }
        _ => None,
    }
}

/// An entry keeps the key that it was made with.
fn insert(dict: &Dict, hashed: Key, key: Value, value: Value) {
    let mut entries = dict.entries.borrow_mut();
    match entries.get_mut(&hashed) {
        Some(entry) => entry.1 = value,
        None => {
            entries.insert(hashed, (key, value));
        }
    }
}

/// A dict with the entries of one, and of others over them.
fn merged(first: &Dict, others: &[&Dict]) -> Value {
    let dict = Dict::default();
    for (hashed, (key, value)) in first.entries.borrow().iter() {
        insert(&dict, hashed.clone(), key.clone(), value.clone());
    }
    for other in others {
        for (hashed, (key, value)) in other.entries.borrow().iter() {
            insert(&dict, hashed.clone(), key.clone(), value.clone());
        }
    }
    Value::Dict(Rc::new(dict))
}

/// `left | right` of two dicts; `None` when one of them is not known.
pub(crate) fn joined(left: &Dict, right: &Dict) -> Option<Value> {
    (!left.tainted.get() && !right.tainted.get()).then(|| merged(left, &[right]))
}

/// Sets an entry as `dict[key] = value` does.
pub(crate) fn set_entry(dict: &Dict, hashed: Key, key: Value, value: Value) {
    insert(dict, hashed, key, value);
}

/// `value[lower:upper:step]` of a string, list or tuple; a bound that is left out is `None`.
pub(crate) fn slice(value: &Value, bounds: [Option<i64>; 3]) -> Option<Value> {
    match value {
        Value::Text(text) => {
            let characters: Vec<char> = text.chars().collect();
            Some(Value::text(&sliced(&characters, bounds)?.into_iter().collect::<String>()))
        }
        Value::List(list) if !list.tainted.get() => Some(Value::list(sliced(&list.items.borrow(), bounds)?)),
        Value::Tuple(items) => Some(Value::Tuple(sliced(items, bounds)?.into())),
        _ => None,
    }
}

fn sliced<Item: Clone>(items: &[Item], bounds: [Option<i64>; 3]) -> Option<Vec<Item>> {
    let length = i64::try_from(items.len()).ok()?;
    let [lower, upper, step] = bounds;
    let place = |bound: i64| if bound < 0 { bound.saturating_add(length).max(0) } else { bound.min(length) };
    match step.unwrap_or(1) {
        1 => {
            let (start, end) = (place(lower.unwrap_or(0)), place(upper.unwrap_or(length)));
            let count = usize::try_from(end - start).unwrap_or(0);
            Some(items.iter().skip(usize::try_from(start).ok()?).take(count).cloned().collect())
        }
        -1 if lower.is_none() && upper.is_none() => Some(items.iter().rev().cloned().collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_pythons() {
        let shown = |bounds| {
            slice(&Value::text("hallo"), bounds).and_then(|value| super::super::methods::display(&value))
        };
        assert_eq!(shown([Some(1), Some(3), None]).as_deref(), Some("al"));
        assert_eq!(shown([Some(-2), None, None]).as_deref(), Some("lo"));
        assert_eq!(shown([None, Some(-99), None]).as_deref(), Some(""));
        assert_eq!(shown([None, Some(99), None]).as_deref(), Some("hallo"));
        assert_eq!(shown([Some(4), Some(1), None]).as_deref(), Some(""));
        assert_eq!(shown([None, None, Some(-1)]).as_deref(), Some("ollah"));
        assert_eq!(shown([None, None, Some(0)]), None);
    }
}
