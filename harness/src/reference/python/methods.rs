//! Methods of strings, lists and dicts, and how values are shown as text.
//!
//! Works on values whose content is known; the rest stays unknown.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::interpreter::MAXIMUM_TEXT;
use super::native::Arguments;
use super::value::{Key, Value};

/// What `str(value)` gives; `None` when that is not known.
pub(crate) fn display(value: &Value) -> Option<String> {
    match value {
        Value::None => Some("None".to_owned()),
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Int(value) => Some(value.to_string()),
        // Python and Rust agree on floats only where neither uses an exponent.
        Value::Float(value) if value.is_finite() && (1e-4..1e15).contains(&value.abs()) => {
            Some(format!("{value:?}"))
        }
        Value::Text(text) => Some(text.to_string()),
        Value::Exception(exception) => exception.message.as_deref().map(str::to_owned),
        Value::Instance(instance) if instance.class.is_exception("BaseException") == Some(true) => {
            Some(instance.arguments.borrow().first().and_then(display).unwrap_or_default())
        }
        Value::Member(member) => super::enumeration::display(member),
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) => super::formatting::represent(value),
        _ => None,
    }
}

/// Calls a method; `None` when what it gives is not known.
pub(crate) fn call(object: &Value, name: &str, arguments: &Arguments, speculative: bool) -> Option<Value> {
    if arguments.open.is_some() {
        return None;
    }
    match object {
        Value::Text(text) => text_method(text, name, arguments),
        Value::List(_) | Value::Dict(_) => super::collections::call(object, name, arguments, speculative),
        _ => None,
    }
}

/// Whether a method of a list or dict leaves it as it was, whatever it gives.
pub(crate) fn only_reads(name: &str) -> bool {
    matches!(name, "copy" | "index" | "count" | "get" | "keys" | "values" | "items")
}

fn text_method(text: &str, name: &str, arguments: &Arguments) -> Option<Value> {
    match (name, arguments.positional.as_slice()) {
        ("format", positional) => {
            let keyword = |name: &str| arguments.keywords.get(name);
            return super::formatting::format(text, positional, keyword).map(|text| Value::text(&text));
        }
        ("format_map", [Value::Dict(dict)]) if !dict.tainted.get() => {
            let entries = dict.entries.borrow();
            let keyword = |name: &str| entries.get(&Key::Text(Rc::from(name))).map(|(_, value)| value);
            return super::formatting::format(text, &[], keyword).map(|text| Value::text(&text));
        }
        _ => {}
    }
    if !arguments.keywords.is_empty() {
        return None;
    }
    let result = match (name, arguments.positional.as_slice()) {
        ("upper", []) => text.to_uppercase(),
        ("lower", []) => text.to_lowercase(),
        ("strip", []) => text.trim().to_owned(),
        ("lstrip", []) => text.trim_start().to_owned(),
        ("rstrip", []) => text.trim_end().to_owned(),
        ("strip", [Value::Text(set)]) => text.trim_matches(|one| set.contains(one)).to_owned(),
        ("lstrip", [Value::Text(set)]) => text.trim_start_matches(|one| set.contains(one)).to_owned(),
        ("rstrip", [Value::Text(set)]) => text.trim_end_matches(|one| set.contains(one)).to_owned(),
        ("capitalize", []) if text.is_ascii() => capitalized(text),
        ("title", []) if text.is_ascii() => {
            text.split_inclusive(|one: char| !one.is_ascii_alphabetic()).map(capitalized).collect()
        }
        ("ljust", [Value::Int(width)]) => {
            super::formatting::format_value(&Value::text(text), &format!("<{width}"))?
        }
        ("rjust", [Value::Int(width)]) => {
            super::formatting::format_value(&Value::text(text), &format!(">{width}"))?
        }
        ("zfill", [Value::Int(width)]) if !text.starts_with(['+', '-']) => {
            super::formatting::format_value(&Value::text(text), &format!("0>{width}"))?
        }
        ("splitlines", []) if !text.contains(|one: char| one.is_control() && one != '\n' && one != '\t') => {
            return Some(Value::list(text.lines().map(Value::text).collect()));
        }
        ("replace", [Value::Text(from), Value::Text(to)]) => {
            let growth = text.matches(&**from).count().saturating_mul(to.len());
            if growth > MAXIMUM_TEXT {
                return None;
            }
            text.replace(&**from, to)
        }
        ("removeprefix", [Value::Text(prefix)]) => text.strip_prefix(&**prefix).unwrap_or(text).to_owned(),
        ("removesuffix", [Value::Text(suffix)]) => text.strip_suffix(&**suffix).unwrap_or(text).to_owned(),
        ("join", [items]) => {
            let items = match items {
                Value::List(list) if !list.tainted.get() => list.items.borrow().clone(),
                Value::Tuple(items) => items.to_vec(),
                Value::Dict(dict) if !dict.tainted.get() => {
                    dict.entries.borrow().values().map(|(key, _)| key.clone()).collect()
                }
                _ => return None,
            };
            let parts: Option<Vec<String>> = items
                .iter()
                .map(|item| if let Value::Text(part) = item { Some(part.to_string()) } else { None })
                .collect();
            let parts = parts?;
            let length = parts.iter().map(|part| part.len() + text.len()).sum::<usize>();
            if length > MAXIMUM_TEXT {
                return None;
            }
            parts.join(text)
        }
        ("startswith", [Value::Text(prefix)]) => return Some(Value::Bool(text.starts_with(&**prefix))),
        ("endswith", [Value::Text(suffix)]) => return Some(Value::Bool(text.ends_with(&**suffix))),
        ("split", []) => return Some(Value::list(text.split_whitespace().map(Value::text).collect())),
        ("split", [Value::Text(separator)]) if !separator.is_empty() => {
            return Some(Value::list(text.split(&**separator).map(Value::text).collect()));
        }
        _ => return None,
    };
    Some(Value::text(&result))
}

/// A word with its first letter as a capital and the others small.
fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters.map(|other| other.to_ascii_lowercase())).collect()
}

/// `textwrap.dedent`.
pub(crate) fn dedent(text: &str) -> String {
    let blank = |line: &str| line.trim_matches([' ', '\t']).is_empty();
    let lines: Vec<&str> = text.split('\n').collect();
    let indents = lines.iter().filter(|line| !blank(line));
    let indents: Vec<&str> = indents
        .map(|line| line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or(""))
        .collect();
    let common = indents.iter().copied().reduce(|left, right| {
        let same = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
        left.get(..same).unwrap_or("")
    });
    let common = common.unwrap_or("");
    let dedented =
        lines.iter().map(|line| if blank(line) { "" } else { line.strip_prefix(common).unwrap_or(line) });
    dedented.collect::<Vec<_>>().join("\n")
}

/// `inspect.cleandoc`; `None` for tabs, which it expands.
pub(crate) fn clean_doc(text: &str) -> Option<String> {
    if text.contains('\t') {
        return None;
    }
    let (first, rest) = text.split_once('\n').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let rest: Vec<&str> = rest.into_iter().flat_map(|rest| rest.split('\n')).collect();
    let indents = rest.iter().filter(|line| !line.trim_start().is_empty());
    let margin = indents.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cleaned = rest.iter().map(|line| line.get(margin..).unwrap_or_default());
    let lines: Vec<&str> = std::iter::once(first.trim_start()).chain(cleaned).collect();
    Some(lines.join("\n").trim_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dedent_removes_the_common_margin() {
        assert_eq!(dedent("  a\n    b\n \n  c"), "a\n  b\n\nc");
        assert_eq!(
            clean_doc("  First\n\n    second\n    third\n  ").as_deref(),
            Some("First\n\nsecond\nthird")
        );
    }

    #[test]
    fn values_show_as_python_shows_them() {
        assert_eq!(display(&Value::Float(2.0)).as_deref(), Some("2.0"));
        assert_eq!(display(&Value::Bool(true)).as_deref(), Some("True"));
        assert_eq!(display(&Value::Float(1e20)), None);
    }
}
