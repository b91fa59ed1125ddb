//! Methods of strings.
//!
//! Knows texts; formats by asking for it.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::numbers::Number;
use super::site::Site;

impl Interpreter<'_> {
    pub(super) fn text_method(
        &mut self,
        site: Site<'_>,
        text: &str,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        self.work(site, text.len())?;
        if name == "format" {
            return self.format_fields(site, text, arguments).map(|text| Value::text(&text));
        }
        let given: Vec<Value> = arguments.positional.iter().map(Self::unmixed).collect();
        if !arguments.keywords.is_empty() {
            return Self::text_method_by_name(site, text, name, &given, arguments);
        }
        let result = match (name, given.as_slice()) {
            ("upper", []) => text.to_uppercase(),
            ("lower" | "casefold", []) if name == "lower" || text.is_ascii() => text.to_lowercase(),
            ("capitalize", []) => capitalize(text),
            ("title", []) => title(text),
            ("swapcase", []) if text.is_ascii() => text
                .chars()
                .map(|one| {
                    if one.is_ascii_uppercase() { one.to_ascii_lowercase() } else { one.to_ascii_uppercase() }
                })
                .collect(),
            ("strip", [] | [Value::None]) => text.trim_matches(is_space).to_owned(),
            ("lstrip", [] | [Value::None]) => text.trim_start_matches(is_space).to_owned(),
            ("rstrip", [] | [Value::None]) => text.trim_end_matches(is_space).to_owned(),
            ("strip", [Value::Text(set)]) => text.trim_matches(|one| set.contains(one)).to_owned(),
            ("lstrip", [Value::Text(set)]) => text.trim_start_matches(|one| set.contains(one)).to_owned(),
            ("rstrip", [Value::Text(set)]) => text.trim_end_matches(|one| set.contains(one)).to_owned(),
            ("replace", [Value::Text(from), Value::Text(to)]) => {
                self.work(site, text.len().saturating_mul(to.len().max(1)) / from.len().max(1))?;
                text.replace(&**from, to)
            }
            ("replace", [Value::Text(from), Value::Text(to), Value::Int(times)]) => {
                self.work(site, text.len().saturating_mul(to.len().max(1)) / from.len().max(1))?;
                match usize::try_from(*times) {
                    Ok(times) => text.replacen(&**from, to, times),
                    Err(_) => text.replace(&**from, to),
                }
            }
            ("removeprefix", [Value::Text(prefix)]) => {
                text.strip_prefix(&**prefix).unwrap_or(text).to_owned()
            }
            ("removesuffix", [Value::Text(suffix)]) => {
                text.strip_suffix(&**suffix).unwrap_or(text).to_owned()
            }
            ("join", [_]) => return self.join_texts(site, text, arguments),
            ("zfill", [Value::Int(width)]) => zfill(text, self.width(site, *width)?),
            ("center" | "ljust" | "rjust", [Value::Int(width)]) => {
                justify(name, text, self.width(site, *width)?, ' ')
            }
            ("center" | "ljust" | "rjust", [Value::Int(width), Value::Text(fill)])
                if fill.chars().count() == 1 =>
            {
                justify(name, text, self.width(site, *width)?, fill.chars().next().unwrap_or(' '))
            }
            _ => return Self::text_question(site, text, name, &given),
        };
        self.work(site, result.len())?;
        Ok(Value::text(&result))
    }

    fn width(&self, site: Site<'_>, width: i64) -> Result<usize, Halt> {
        let width = usize::try_from(width).unwrap_or(0);
        self.work(site, width)?;
        Ok(width)
    }

    fn join_texts(&mut self, site: Site<'_>, separator: &str, arguments: &Arguments) -> Result<Value, Halt> {
        let iterated = arguments.positional.first().cloned().unwrap_or(Value::None);
        if !matches!(iterated, Value::Unknown(_)) && iterated.is_never_iterable() {
            return Err(site.type_error("can only join an iterable"));
        }
        let items = self.collect(site, &iterated)?;
        let mut text = String::new();
        for (position, item) in items.iter().enumerate() {
            let Value::Text(part) = Self::unmixed(item) else {
                let message =
                    format!("sequence item {position}: expected str instance, {} found", item.class_name());
                return Err(site.type_error(message));
            };
            if position > 0 {
                text.push_str(separator);
            }
            text.push_str(&part);
            self.work(site, text.len() / 64)?;
        }
        self.work(site, text.len())?;
        Ok(Value::text(&text))
    }

    /// Methods that give something else than a text.
    fn text_question(site: Site<'_>, text: &str, name: &str, given: &[Value]) -> Result<Value, Halt> {
        let all = |test: fn(char) -> bool| Value::Bool(!text.is_empty() && text.chars().all(test));
        let has_cased = text.chars().any(|one| one.is_uppercase() || one.is_lowercase());
        Ok(match (name, given) {
            ("startswith" | "endswith", [Value::Text(part)]) => Value::Bool(if name == "startswith" {
                text.starts_with(&**part)
            } else {
                text.ends_with(&**part)
            }),
            ("startswith" | "endswith", [Value::Tuple(parts)]) => {
                let mut found = false;
                for part in parts.iter() {
                    let Value::Text(part) = part else {
                        return Err(site.type_error(format!(
                            "tuple for {name} must only contain str, not {}",
                            part.class_name()
                        )));
                    };
                    found |= if name == "startswith" {
                        text.starts_with(&**part)
                    } else {
                        text.ends_with(&**part)
                    };
                }
                Value::Bool(found)
            }
            ("isdigit" | "isdecimal" | "isnumeric", []) if text.is_ascii() => all(|one| one.is_ascii_digit()),
            ("isalpha", []) => all(char::is_alphabetic),
            ("isalnum", []) => all(char::is_alphanumeric),
            ("isspace", []) => all(is_space),
            ("isascii", []) => Value::Bool(text.is_ascii()),
            ("isupper", []) => Value::Bool(has_cased && !text.chars().any(char::is_lowercase)),
            ("islower", []) => Value::Bool(has_cased && !text.chars().any(char::is_uppercase)),
            ("isidentifier", []) if text.is_ascii() => Value::Bool(
                text.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
                    && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_'),
            ),
            ("istitle", []) if text.is_ascii() => Value::Bool(has_cased && title(text) == *text),
            ("find" | "rfind" | "index" | "rindex", [Value::Text(part), bounds @ ..]) => {
                let (from, until) = Self::within(site, text, bounds)?;
                let inside = text.get(from..until).unwrap_or_default();
                let at = if name.starts_with('r') { inside.rfind(&**part) } else { inside.find(&**part) };
                // A start beyond the end finds nothing, not even the empty text.
                let at = at.filter(|_| from <= until);
                match at {
                    Some(at) => {
                        let before = text.get(..from + at).unwrap_or_default().chars().count();
                        Value::Int(i64::try_from(before).unwrap_or(i64::MAX))
                    }
                    None if name.ends_with("find") => Value::Int(-1),
                    None => return Err(site.value_error("substring not found")),
                }
            }
            ("count", [Value::Text(part)]) => {
                let count =
                    if part.is_empty() { text.chars().count() + 1 } else { text.matches(&**part).count() };
                Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
            }
            ("partition" | "rpartition", [Value::Text(separator)]) => {
                if separator.is_empty() {
                    return Err(site.value_error("empty separator"));
                }
                let parts = if name == "partition" {
                    text.split_once(&**separator)
                        .map_or((text, "", ""), |(head, tail)| (head, &**separator, tail))
                } else {
                    text.rsplit_once(&**separator)
                        .map_or(("", "", text), |(head, tail)| (head, &**separator, tail))
                };
                Value::tuple(vec![Value::text(parts.0), Value::text(parts.1), Value::text(parts.2)])
            }
            ("splitlines", []) => Value::list(lines(text).into_iter().map(Value::text).collect()),
            ("split" | "rsplit", []) => split(site, text, name, None, -1)?,
            ("split" | "rsplit", [separator]) => split(site, text, name, Some(separator), -1)?,
            ("split" | "rsplit", [separator, Value::Int(most)]) => {
                split(site, text, name, Some(separator), *most)?
            }
            _ if given.iter().any(|one| {
                !matches!(one, Value::Text(_) | Value::Int(_) | Value::Tuple(_) | Value::Bool(_))
            }) && !matches!(name, "translate" | "encode" | "maketrans") =>
            {
                let shown = given.first().map_or_else(|| "nothing".into(), Value::class_name);
                return Err(site.type_error(format!("{name}() argument must be str, not {shown}")));
            }
            (
                "strip" | "lstrip" | "rstrip" | "startswith" | "endswith" | "replace" | "find" | "index"
                | "count" | "join" | "removeprefix" | "removesuffix" | "partition" | "rpartition" | "rfind"
                | "rindex",
                given,
            ) if !given.first().is_some_and(|one| matches!(one, Value::Text(_))) => {
                return Err(site.type_error(format!("{name}() argument must be str")));
            }
            ("upper" | "lower" | "capitalize" | "title" | "isdigit" | "isalpha", [_, ..]) => {
                return Err(
                    site.type_error(format!("str.{name}() takes no arguments ({} given)", given.len()))
                );
            }
            _ => return Err(site.outside(format!("`str.{name}` with these arguments is not run"))),
        })
    }

    /// The bytes between two bounds given in characters.
    fn within(site: Site<'_>, text: &str, bounds: &[Value]) -> Result<(usize, usize), Halt> {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let mut places = [0, length];
        for (place, bound) in places.iter_mut().zip(bounds) {
            match Number::of(bound) {
                Some(Number::Int(bound)) => {
                    *place = if bound < 0 { (bound + length).max(0) } else { bound };
                }
                _ if matches!(bound, Value::None) => {}
                _ => {
                    return Err(
                        site.type_error("slice indices must be integers or None or have an __index__ method")
                    );
                }
            }
        }
        let byte = |place: i64| {
            if place > length {
                return text.len() + 1;
            }
            let place = usize::try_from(place).unwrap_or(0);
            text.char_indices().nth(place).map_or(text.len(), |(at, _)| at)
        };
        Ok((byte(places[0]), byte(places[1].min(length))))
    }

    fn text_method_by_name(
        site: Site<'_>,
        text: &str,
        name: &str,
        given: &[Value],
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        let keyword = |name: &str| arguments.keywords.get(name);
        match (name, given, arguments.keywords.len()) {
            ("split" | "rsplit", [], 1) if keyword("maxsplit").is_some() => match keyword("maxsplit") {
                Some(Value::Int(most)) => split(site, text, name, None, *most),
                _ => Err(site.type_error("'maxsplit' must be an integer")),
            },
            ("split" | "rsplit", [separator], 1) if keyword("maxsplit").is_some() => {
                match keyword("maxsplit") {
                    Some(Value::Int(most)) => split(site, text, name, Some(separator), *most),
                    _ => Err(site.type_error("'maxsplit' must be an integer")),
                }
            }
            ("split" | "rsplit", [], 1) if keyword("sep").is_some() => {
                split(site, text, name, keyword("sep"), -1)
            }
            ("split" | "rsplit" | "splitlines" | "encode", _, _) => {
                Err(site.outside(format!("`str.{name}` with these arguments is not run")))
            }
            _ => Err(site.type_error(format!("str.{name}() takes no keyword arguments"))),
        }
    }
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters.as_str().to_lowercase().chars()).collect()
    })
}

fn title(text: &str) -> String {
    let mut inside = false;
    let mut result = String::new();
    for character in text.chars() {
        if inside {
            result.extend(character.to_lowercase());
        } else {
            result.extend(character.to_uppercase());
        }
        inside = character.is_uppercase() || character.is_lowercase();
    }
    result
}

fn zfill(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let sign = usize::from(text.starts_with(['+', '-']));
    let (sign, rest) = text.split_at_checked(sign).unwrap_or(("", text));
    format!("{sign}{}{rest}", "0".repeat(missing))
}

fn justify(name: &str, text: &str, width: usize, fill: char) -> String {
    let missing = width.saturating_sub(text.chars().count());
    // Python puts the odd one of a centred text before it when the width is odd too.
    let before = match name {
        "ljust" => 0,
        "rjust" => missing,
        _ => missing / 2 + (missing & width & 1),
    };
    let fill = fill.to_string();
    format!("{}{text}{}", fill.repeat(before), fill.repeat(missing - before))
}

fn lines(text: &str) -> Vec<&str> {
    let is_end = |one: char| {
        matches!(
            one,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_end) {
        let (line, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        found.push(line);
        let after = after.strip_prefix("\r\n").unwrap_or_else(|| after.strip_prefix(is_end).unwrap_or(after));
        rest = after;
    }
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

fn split(
    site: Site<'_>,
    text: &str,
    name: &str,
    separator: Option<&Value>,
    most: i64,
) -> Result<Value, Halt> {
    let parts: Vec<&str> = match separator {
        None | Some(Value::None) => return Ok(split_spaces(text, name, most)),
        Some(Value::Text(separator)) if separator.is_empty() => {
            return Err(site.value_error("empty separator"));
        }
        Some(Value::Text(separator)) => match usize::try_from(most) {
            Err(_) => text.split(&**separator).collect(),
            Ok(most) if name == "split" => text.splitn(most.saturating_add(1), &**separator).collect(),
            Ok(most) => {
                let mut parts: Vec<&str> = text.rsplitn(most.saturating_add(1), &**separator).collect();
                parts.reverse();
                parts
            }
        },
        Some(other) => {
            return Err(site.type_error(format!("must be str or None, not {}", other.class_name())));
        }
    };
    Ok(Value::list(parts.into_iter().map(Value::text).collect()))
}

fn split_spaces(text: &str, name: &str, most: i64) -> Value {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    if name == "split" {
        let mut rest = text.trim_start_matches(is_space);
        while parts.len() < most && !rest.is_empty() {
            let end = rest.find(is_space).unwrap_or(rest.len());
            let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parts.push(Value::text(part));
            rest = after.trim_start_matches(is_space);
        }
        if !rest.is_empty() {
            parts.push(Value::text(rest));
        }
        return Value::list(parts);
    }
    let mut rest = text.trim_end_matches(is_space);
    while parts.len() < most && !rest.is_empty() {
        let start = rest.rfind(is_space).map_or(0, |at| {
            at + rest.get(at..).and_then(|tail| tail.chars().next()).map_or(0, char::len_utf8)
        });
        let (before, part) = rest.split_at_checked(start).unwrap_or(("", rest));
        parts.push(Value::text(part));
        rest = before.trim_end_matches(is_space);
    }
    if !rest.is_empty() {
        parts.push(Value::text(rest));
    }
    parts.reverse();
    Value::list(parts)
}
