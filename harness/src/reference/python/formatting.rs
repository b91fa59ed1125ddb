//! How values are shown: `repr`, format specifications, `%` and `str.format`.
//!
//! Knows constants and containers of them; what has a `__str__` of its own is not known here.
//! Rules: Python's format specification mini-language, as far as descriptions use it.

use super::interpreter::MAXIMUM_TEXT;
use super::methods::display;
use super::value::{Key, Value};

/// How deep containers are shown.
const MAXIMUM_SHOWN_DEPTH: u32 = 8;

/// What `repr(value)` gives; `None` when that is not known.
pub(crate) fn represent(value: &Value) -> Option<String> {
    represent_within(value, MAXIMUM_SHOWN_DEPTH)
}

fn represent_within(value: &Value, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let joined = |values: &[Value]| -> Option<String> {
        let parts: Option<Vec<String>> = values.iter().map(|one| represent_within(one, depth)).collect();
        Some(parts?.join(", ")).filter(|text| text.len() <= MAXIMUM_TEXT)
    };
    match value {
        Value::Text(text) => quote(text),
        Value::List(list) if !list.tainted.get() => Some(format!("[{}]", joined(&list.items.borrow())?)),
        Value::Tuple(items) if items.len() == 1 => Some(format!("({},)", joined(items)?)),
        Value::Tuple(items) => Some(format!("({})", joined(items)?)),
        Value::Dict(dict) if !dict.tainted.get() => {
            let mut parts = Vec::new();
            for (key, value) in dict.entries.borrow().values() {
                parts.push(format!("{}: {}", represent_within(key, depth)?, represent_within(value, depth)?));
            }
            Some(format!("{{{}}}", parts.join(", "))).filter(|text| text.len() <= MAXIMUM_TEXT)
        }
        Value::List(_) | Value::Dict(_) | Value::Member(_) => None,
        other => display(other),
    }
}

/// A string as Python quotes it; `None` when it holds characters whose escapes are not known here.
fn quote(text: &str) -> Option<String> {
    let delimiter = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::from(delimiter);
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            _ if character == delimiter => quoted.extend(['\\', character]),
            ' ' => quoted.push(' '),
            // Which of the others are printable is Unicode's affair; letters and ASCII certainly are.
            _ if character.is_ascii_graphic() || character.is_alphanumeric() => quoted.push(character),
            _ => return None,
        }
    }
    quoted.push(delimiter);
    Some(quoted)
}

/// A format specification: `[[fill]align][sign][0][width][,][.precision][type]`.
#[derive(Debug, Default)]
struct Specification {
    fill: Option<char>,
    align: Option<char>,
    plus: bool,
    width: usize,
    comma: bool,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Specification {
    fn parse(text: &str) -> Option<Self> {
        let mut specification = Self::default();
        let is_align = |character: char| matches!(character, '<' | '>' | '^');
        let mut rest: Vec<char> = text.chars().rev().collect();
        let next_but_one = rest.len().checked_sub(2).and_then(|at| rest.get(at)).copied();
        if next_but_one.is_some_and(is_align) {
            specification.fill = rest.pop();
            specification.align = rest.pop();
        } else if rest.last().copied().is_some_and(is_align) {
            specification.align = rest.pop();
        }
        if matches!(rest.last(), Some('+' | '-')) {
            specification.plus = rest.pop() == Some('+');
        }
        if rest.last() == Some(&'0') {
            rest.pop();
            if specification.align.is_some() {
                return None;
            }
            specification.fill = Some('0');
        }
        specification.width = digits(&mut rest)?;
        if rest.last() == Some(&',') {
            rest.pop();
            specification.comma = true;
        }
        if rest.last() == Some(&'.') {
            rest.pop();
            specification.precision = Some(digits(&mut rest)?);
        }
        specification.kind = rest.pop();
        let bounded = specification.precision.unwrap_or(0) <= 50 && specification.width <= MAXIMUM_TEXT;
        (rest.is_empty() && bounded).then_some(specification)
    }

    /// Puts a text into the width; `sign` goes before padding with zeros.
    fn pad(&self, sign: &str, body: &str, default: char) -> String {
        let length = sign.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(length);
        let fill = self.fill.unwrap_or(' ').to_string();
        if self.align.is_none() && self.fill == Some('0') {
            return format!("{sign}{}{body}", "0".repeat(missing));
        }
        let before = match self.align.unwrap_or(default) {
            '<' => 0,
            '^' => missing / 2,
            _ => missing,
        };
        format!("{}{sign}{body}{}", fill.repeat(before), fill.repeat(missing - before))
    }
}

/// Takes the number that comes next, zero without digits; `None` when there are too many of them.
fn digits(rest: &mut Vec<char>) -> Option<usize> {
    let mut number: usize = 0;
    while let Some(digit) = rest.last().and_then(|character| character.to_digit(10)) {
        rest.pop();
        number = number.checked_mul(10)?.checked_add(usize::try_from(digit).ok()?)?;
    }
    Some(number)
}

/// What `format(value, specification)` gives; `None` when that is not known.
pub(crate) fn format_value(value: &Value, specification: &str) -> Option<String> {
    if specification.is_empty() {
        return display(value);
    }
    let parsed = Specification::parse(specification)?;
    match (value, parsed.kind) {
        (Value::Text(text), None | Some('s'))
            if !parsed.plus && !parsed.comma && (parsed.align.is_some() || parsed.fill != Some('0')) =>
        {
            let shown: String = text.chars().take(parsed.precision.unwrap_or(usize::MAX)).collect();
            Some(parsed.pad("", &shown, '<'))
        }
        (Value::Int(number), None | Some('d')) if parsed.precision.is_none() => {
            let shown = number.unsigned_abs().to_string();
            Some(number_text(&parsed, *number < 0, &shown, ""))
        }
        (Value::Int(_) | Value::Float(_), Some('f' | 'F' | '%')) => {
            let number = as_float(value)?;
            let percent = parsed.kind == Some('%');
            let number = if percent { number * 100.0 } else { number };
            if !number.is_finite() {
                return None;
            }
            let shown = format!("{:.*}", parsed.precision.unwrap_or(6), number.abs());
            Some(number_text(&parsed, number.is_sign_negative(), &shown, if percent { "%" } else { "" }))
        }
        (Value::Float(number), None) if parsed.precision.is_none() => {
            let shown = display(&Value::Float(number.abs()))?;
            Some(number_text(&parsed, number.is_sign_negative(), &shown, ""))
        }
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "integers beyond 53 bits are refused")]
pub(crate) fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Int(number) if number.unsigned_abs() < 1 << 53 => Some(*number as f64),
        _ => None,
    }
}

fn number_text(parsed: &Specification, negative: bool, shown: &str, suffix: &str) -> String {
    let sign = match (negative, parsed.plus) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    let (whole, fraction) = shown.split_once('.').map_or((shown, None), |(whole, rest)| (whole, Some(rest)));
    let mut body = if parsed.comma { grouped(whole) } else { whole.to_owned() };
    if let Some(fraction) = fraction {
        body.push('.');
        body.push_str(fraction);
    }
    body.push_str(suffix);
    parsed.pad(sign, &body, '>')
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `text.format(...)`, with fields by name or position, conversions and plain specifications.
pub(crate) fn format<'value>(
    text: &str,
    positional: &'value [Value],
    keyword: impl Fn(&str) -> Option<&'value Value>,
) -> Option<String> {
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
        let (field, after) =
            rest.split_once('}').filter(|(field, _)| brace == "{" && !field.contains('{'))?;
        rest = after;
        let (field, specification) = field.split_once(':').unwrap_or((field, ""));
        let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
        let value = if field.is_empty() {
            automatic += 1;
            positional.get(automatic - 1)?
        } else if let Ok(index) = field.parse::<usize>() {
            positional.get(index)?
        } else {
            keyword(field)?
        };
        result.push_str(&converted(value, conversion, specification)?);
        if result.len() > MAXIMUM_TEXT {
            return None;
        }
    }
    result.push_str(rest);
    Some(result)
}

/// A value after `!r` or `!s`, in its format.
pub(crate) fn converted(value: &Value, conversion: &str, specification: &str) -> Option<String> {
    let text = |text: String| Value::text(&text);
    match conversion {
        "" => format_value(value, specification),
        "s" => format_value(&text(display(value)?), specification),
        "r" => format_value(&text(represent(value)?), specification),
        _ => None,
    }
}

/// `text % value` with `%s`, `%r`, `%d`, `%f` and `%%`; `None` when it asks for more.
pub(crate) fn percent(text: &str, value: &Value) -> Option<String> {
    let all: &[Value] = match value {
        Value::Tuple(items) => items,
        other => std::slice::from_ref(other),
    };
    let mut arguments = all.iter();
    let mut result = String::new();
    let mut named = false;
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        result.push_str(rest.get(..at)?);
        rest = rest.get(at + 1..)?;
        if let Some(after) = rest.strip_prefix('%') {
            result.push('%');
            rest = after;
            continue;
        }
        let mut given = None;
        if let (Some(after), Value::Dict(dict)) = (rest.strip_prefix('('), value) {
            let (name, after) = after.split_once(')')?;
            let entries = dict.entries.borrow();
            given = entries.get(&Key::Text(name.into())).map(|(_, value)| value.clone());
            named = true;
            rest = after;
        }
        let end = rest.find(|character: char| character.is_ascii_alphabetic())?;
        let (modifiers, kind) = (rest.get(..end)?, rest.get(end..=end)?);
        rest = rest.get(end + 1..)?;
        let given = match given {
            Some(given) => given,
            None => arguments.next()?.clone(),
        };
        let (modifiers, default) = match modifiers.strip_prefix('-') {
            Some(rest) => (rest, "<"),
            None => (modifiers, ">"),
        };
        let padded = modifiers.starts_with(|first: char| first.is_ascii_digit() && first != '0');
        let align = if padded { default } else { "" };
        result.push_str(&match (kind, &given) {
            ("s", _) => converted(&given, "s", &format!("{align}{modifiers}"))?,
            ("r", _) => converted(&given, "r", &format!("{align}{modifiers}"))?,
            ("d" | "i", Value::Int(_)) => format_value(&given, &format!("{align}{modifiers}d"))?,
            ("f", Value::Int(_) | Value::Float(_)) => format_value(&given, &format!("{align}{modifiers}f"))?,
            _ => return None,
        });
        if result.len() > MAXIMUM_TEXT {
            return None;
        }
    }
    result.push_str(rest);
    (named || arguments.next().is_none()).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_follows_python() {
        let given = [Value::text("a"), Value::Int(2)];
        let shown = |text: &str, given: &[Value]| format(text, given, |_| None);
        assert_eq!(shown("{} {{x}} {1}", &[Value::text("a")]), None);
        assert_eq!(shown("{0}-{1}-{0} {{x}}", &given).as_deref(), Some("a-2-a {x}"));
        assert_eq!(shown("{:>3}|{:03d}|{0!r}", &given).as_deref(), Some("  a|002|'a'"));
        let tuple = |items: Vec<Value>| Value::Tuple(items.into());
        assert_eq!(percent("%s of %d%%", &tuple(given.to_vec())).as_deref(), Some("a of 2%"));
        assert_eq!(
            percent("%-3s|%5.1f|%r", &tuple(vec![Value::text("a"), Value::Float(1.25), Value::None]))
                .as_deref(),
            Some("a  |  1.2|None")
        );
        assert_eq!(percent("%s", &tuple(vec![])), None);
    }

    #[test]
    fn specifications_follow_python() {
        let format = |value, text| format_value(&value, text);
        assert_eq!(format(Value::Int(12345), ",").as_deref(), Some("12,345"));
        assert_eq!(format(Value::Float(1234.5), ",.2f").as_deref(), Some("1,234.50"));
        assert_eq!(format(Value::Float(0.256), ".1%").as_deref(), Some("25.6%"));
        assert_eq!(format(Value::Int(-5), "+08d").as_deref(), Some("-0000005"));
        assert_eq!(format(Value::text("ab"), "*^5").as_deref(), Some("*ab**"));
        assert_eq!(format(Value::text("abc"), ".2").as_deref(), Some("ab"));
        assert_eq!(format(Value::Int(5), "x"), None);
        assert_eq!(format(Value::text("a"), ">99999999999999999999"), None);
    }

    #[test]
    fn containers_are_shown_as_python_shows_them() {
        let list = Value::list(vec![Value::text("it's"), Value::None, Value::Float(1.0)]);
        assert_eq!(represent(&list).as_deref(), Some("[\"it's\", None, 1.0]"));
        assert_eq!(represent(&Value::Tuple(vec![Value::Int(1)].into())).as_deref(), Some("(1,)"));
        let Value::List(own) = &list else { return };
        own.items.borrow_mut().push(list.clone());
        assert_eq!(represent(&list), None);
    }
}
