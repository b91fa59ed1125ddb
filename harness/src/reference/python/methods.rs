//! Methods of strings, lists and dicts, and how values are shown as text.
//!
//! Works on values whose content is known; the rest stays unknown.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::native::Arguments;
use super::value::Value;

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
            Some(instance.arguments.first().and_then(display).unwrap_or_default())
        }
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
        Value::List(list) => {
            let [item] = arguments.positional.as_slice() else { return None };
            if speculative || list.tainted.get() {
                return None;
            }
            match name {
                "append" => list.items.borrow_mut().push(item.clone()),
                "extend" => match item {
                    Value::List(more) if !more.tainted.get() && !Rc::ptr_eq(list, more) => {
                        list.items.borrow_mut().extend(more.items.borrow().iter().cloned());
                    }
                    Value::Tuple(more) => list.items.borrow_mut().extend(more.iter().cloned()),
                    _ => return None,
                },
                _ => return None,
            }
            Some(Value::None)
        }
        Value::Dict(dict) if !dict.tainted.get() => {
            let entries = dict.entries.borrow();
            match (name, arguments.positional.as_slice()) {
                ("get", [key]) => {
                    Some(entries.get(&key.key()?).map_or(Value::None, |(_, value)| value.clone()))
                }
                ("get", [key, default]) => {
                    Some(entries.get(&key.key()?).map_or_else(|| default.clone(), |(_, value)| value.clone()))
                }
                ("keys", []) => Some(Value::list(entries.values().map(|(key, _)| key.clone()).collect())),
                ("values", []) => {
                    Some(Value::list(entries.values().map(|(_, value)| value.clone()).collect()))
                }
                ("items", []) => Some(Value::list(
                    entries
                        .values()
                        .map(|(key, value)| Value::Tuple(Rc::from([key.clone(), value.clone()])))
                        .collect(),
                )),
                _ => None,
            }
        }
        _ => None,
    }
}

fn text_method(text: &str, name: &str, arguments: &Arguments) -> Option<Value> {
    if name == "format" {
        return format(text, arguments).map(|text| Value::text(&text));
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
        ("replace", [Value::Text(from), Value::Text(to)]) => text.replace(&**from, to),
        ("removeprefix", [Value::Text(prefix)]) => text.strip_prefix(&**prefix).unwrap_or(text).to_owned(),
        ("removesuffix", [Value::Text(suffix)]) => text.strip_suffix(&**suffix).unwrap_or(text).to_owned(),
        ("join", [items]) => {
            let items = match items {
                Value::List(list) if !list.tainted.get() => list.items.borrow().clone(),
                Value::Tuple(items) => items.to_vec(),
                _ => return None,
            };
            let parts: Option<Vec<String>> = items
                .iter()
                .map(|item| if let Value::Text(part) = item { Some(part.to_string()) } else { None })
                .collect();
            parts?.join(text)
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

/// `text.format(...)` with plain fields; `None` when a field asks for more.
fn format(text: &str, arguments: &Arguments) -> Option<String> {
    let mut result = String::new();
    let mut rest = text;
    let mut automatic = 0;
    while let Some(at) = rest.find(['{', '}']) {
        result.push_str(rest.get(..at)?);
        let brace = rest.get(at..=at)?;
        rest = rest.get(at + 1..)?;
        if let Some(doubled) = rest.strip_prefix(brace) {
            result.push_str(brace);
            rest = doubled;
            continue;
        }
        let (field, after) = rest.split_once('}').filter(|_| brace == "{")?;
        rest = after;
        let value = if field.is_empty() {
            automatic += 1;
            arguments.positional.get(automatic - 1)?
        } else if let Ok(index) = field.parse::<usize>() {
            arguments.positional.get(index)?
        } else {
            arguments.keywords.get(field)?
        };
        result.push_str(&display(value)?);
    }
    result.push_str(rest);
    Some(result)
}

/// `text % arguments` with `%s`, `%d` and `%%`; `None` when it asks for more.
pub(crate) fn percent(text: &str, arguments: &[Value]) -> Option<String> {
    let mut result = String::new();
    let mut arguments = arguments.iter();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            result.push(character);
            continue;
        }
        match characters.next()? {
            '%' => result.push('%'),
            's' => result.push_str(&display(arguments.next()?)?),
            'd' => match arguments.next()? {
                Value::Int(value) => result.push_str(&value.to_string()),
                _ => return None,
            },
            _ => return None,
        }
    }
    arguments.next().is_none().then_some(result)
}

/// `textwrap.dedent`.
pub(crate) fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    let indents: Vec<&str> = indents
        .map(|line| line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or(""))
        .collect();
    let common = indents.iter().copied().reduce(|left, right| {
        let same = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
        left.get(..same).unwrap_or("")
    });
    let common = common.unwrap_or("");
    let dedented = lines
        .iter()
        .map(|line| if line.trim().is_empty() { "" } else { line.strip_prefix(common).unwrap_or(line) });
    dedented.collect::<Vec<_>>().join("\n")
}

/// `inspect.cleandoc`.
pub(crate) fn clean_doc(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = dedent(rest);
    let whole = format!("{}\n{rest}", first.trim_start());
    whole.trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(positional: Vec<Value>) -> Arguments {
        Arguments { positional, ..Arguments::default() }
    }

    #[test]
    fn formatting_follows_python() {
        let given = arguments(vec![Value::text("a"), Value::Int(2)]);
        assert_eq!(format("{} {{x}} {1}", &arguments(vec![Value::text("a")])), None);
        assert_eq!(format("{0}-{1}-{0} {{x}}", &given).as_deref(), Some("a-2-a {x}"));
        assert_eq!(format("{:>3}", &given), None);
        assert_eq!(percent("%s of %d%%", &[Value::text("a"), Value::Int(2)]).as_deref(), Some("a of 2%"));
        assert_eq!(percent("%s", &[]), None);
    }

    #[test]
    fn dedent_removes_the_common_margin() {
        assert_eq!(dedent("  a\n    b\n \n  c"), "a\n  b\n\nc");
        assert_eq!(clean_doc("  First\n\n    second\n    third\n  "), "First\n\nsecond\nthird");
    }

    #[test]
    fn values_show_as_python_shows_them() {
        assert_eq!(display(&Value::Float(2.0)).as_deref(), Some("2.0"));
        assert_eq!(display(&Value::Bool(true)).as_deref(), Some("True"));
        assert_eq!(display(&Value::Float(1e20)), None);
    }
}
