//! Format specifications: what stands after the colon in an f-string or in `format`.
//!
//! Knows numbers and texts; what has a `__format__` of its own is asked for it.
//! Rules: Python's format specification mini-language.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::numbers::Number;
use super::showing::show_float;
use super::site::Site;

/// How wide, and how precise, something may be formatted.
const MAXIMUM_WIDTH: usize = 100_000;

/// `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.
#[derive(Debug, Default)]
struct Specification {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Specification {
    fn parse(text: &str) -> Option<Self> {
        let mut specification = Self::default();
        let characters: Vec<char> = text.chars().collect();
        let mut rest = characters.as_slice();
        let is_align = |character: &char| matches!(character, '<' | '>' | '^' | '=');
        match rest {
            [fill, align, after @ ..] if is_align(align) => {
                specification.fill = Some(*fill);
                specification.align = Some(*align);
                rest = after;
            }
            [align, after @ ..] if is_align(align) => {
                specification.align = Some(*align);
                rest = after;
            }
            _ => {}
        }
        if let [sign @ ('+' | '-' | ' '), after @ ..] = rest {
            specification.sign = Some(*sign);
            rest = after;
        }
        if let ['#', after @ ..] = rest {
            specification.alternate = true;
            rest = after;
        }
        if let ['0', after @ ..] = rest {
            specification.zero = true;
            rest = after;
        }
        specification.width = digits(&mut rest)?;
        if let [grouping @ (',' | '_'), after @ ..] = rest {
            specification.grouping = Some(*grouping);
            rest = after;
        }
        if let ['.', after @ ..] = rest {
            rest = after;
            rest.first().filter(|first| first.is_ascii_digit())?;
            specification.precision = Some(digits(&mut rest)?);
        }
        match rest {
            [] => Some(specification),
            [kind] => {
                specification.kind = Some(*kind);
                Some(specification)
            }
            _ => None,
        }
    }

    /// Puts a sign and a body into the width.
    fn pad(&self, sign: &str, body: &str, default: char) -> String {
        let missing = self.width.saturating_sub(sign.chars().count() + body.chars().count());
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' }).to_string();
        let default = if self.zero && default == '>' { '=' } else { default };
        let (before, inside) = match self.align.unwrap_or(default) {
            '<' => (0, 0),
            '^' => (missing / 2, 0),
            '=' => (0, missing),
            _ => (missing, 0),
        };
        let after = missing - before - inside;
        format!("{}{sign}{}{body}{}", fill.repeat(before), fill.repeat(inside), fill.repeat(after))
    }

    fn sign_of(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            (false, _) => "",
        }
    }

    /// A number: its digits grouped, and padded with grouped zeros where the width asks for zeros.
    fn number(&self, negative: bool, prefix: &str, whole: &str, rest: &str, size: usize) -> String {
        let sign = format!("{}{prefix}", self.sign_of(negative));
        let Some(separator) = self.grouping.filter(|_| !whole.is_empty()) else {
            return self.pad(&sign, &format!("{whole}{rest}"), '>');
        };
        let mut digits = whole.to_owned();
        let zeros = self.zero && self.align.is_none() || self.align == Some('=') && self.fill == Some('0');
        if zeros && whole.chars().all(|digit| digit.is_ascii_hexdigit()) {
            let room = self.width.saturating_sub(sign.len() + rest.chars().count());
            // A separator never comes first, so one more zero may take its place.
            while grouped(&digits, separator, size).len() < room {
                digits.insert(0, '0');
            }
        }
        self.pad(&sign, &format!("{}{rest}", grouped(&digits, separator, size)), '>')
    }
}

/// Takes the number that comes next, zero without digits; `None` when it is too large.
fn digits(rest: &mut &[char]) -> Option<usize> {
    let mut number = 0_usize;
    while let [first, after @ ..] = *rest {
        let Some(digit) = first.to_digit(10) else { break };
        number = number.checked_mul(10)?.checked_add(usize::try_from(digit).ok()?)?;
        *rest = after;
    }
    Some(number)
}

fn grouped(digits: &str, separator: char, size: usize) -> String {
    if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(size) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

impl Interpreter<'_> {
    /// `format(value, specification)`.
    pub(super) fn format_value(
        &mut self,
        site: Site<'_>,
        value: &Value,
        specification: &str,
    ) -> Result<String, Halt> {
        if let Some(method) = self.special(site, value, "__format__")? {
            let shown = self.run_call(site, &method, Arguments::one(Value::text(specification)))?;
            return match shown {
                Value::Text(text) => Ok(text.to_string()),
                other => {
                    Err(site.type_error(format!("__format__ must return a str, not {}", other.class_name())))
                }
            };
        }
        if let Value::Member(_) = value {
            let shown = Value::text(&self.show(site, value)?);
            return self.format_value(site, &shown, specification);
        }
        if specification.is_empty() {
            return self.show(site, value);
        }
        let invalid = || {
            let message = format!(
                "Invalid format specifier '{specification}' for object of type '{}'",
                value.class_name()
            );
            site.value_error(message)
        };
        let parsed = match value {
            Value::Text(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
                Specification::parse(specification).ok_or_else(invalid)?
            }
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => return Err(site.not_run()),
            other => {
                let message =
                    format!("unsupported format string passed to {}.__format__", other.class_name());
                return Err(site.type_error(message));
            }
        };
        if parsed.width > MAXIMUM_WIDTH || parsed.precision.is_some_and(|precision| precision > 1000) {
            return Err(site.outside("a width or precision this large is not run"));
        }
        self.work(site, parsed.width)?;
        match (value, parsed.kind) {
            (Value::Text(text), None | Some('s')) => {
                if parsed.sign.is_some()
                    || parsed.alternate
                    || parsed.grouping.is_some()
                    || parsed.align == Some('=')
                {
                    let message = "this format is not allowed in string format specifier";
                    return Err(site.value_error(message));
                }
                let shown: String = text.chars().take(parsed.precision.unwrap_or(usize::MAX)).collect();
                Ok(parsed.pad("", &shown, '<'))
            }
            (Value::Bool(flag), None) => {
                let shown = if parsed.kind.is_none() && parsed.precision.is_none() {
                    i64::from(*flag)
                } else {
                    return Err(invalid());
                };
                format_integer(site, &parsed, shown, value)
            }
            (Value::Int(_) | Value::Bool(_), Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%'))
            | (Value::Float(_), _) => {
                let number = Number::of(value).map_or(0.0, Number::as_float);
                format_float(site, &parsed, number, value)
            }
            (Value::Int(number), _) => format_integer(site, &parsed, *number, value),
            (Value::Bool(flag), _) => format_integer(site, &parsed, i64::from(*flag), value),
            _ => Err(unknown_code(site, &parsed, value)),
        }
    }
}

fn unknown_code(site: Site<'_>, parsed: &Specification, value: &Value) -> Halt {
    let kind = parsed.kind.unwrap_or(' ');
    site.value_error(format!("Unknown format code '{kind}' for object of type '{}'", value.class_name()))
}

fn format_integer(
    site: Site<'_>,
    parsed: &Specification,
    number: i64,
    value: &Value,
) -> Result<String, Halt> {
    if parsed.precision.is_some() {
        return Err(site.value_error("Precision not allowed in integer format specifier"));
    }
    let magnitude = number.unsigned_abs();
    let (prefix, digits, size) = match parsed.kind {
        None | Some('d') => ("", magnitude.to_string(), 3),
        Some('b') => ("0b", format!("{magnitude:b}"), 4),
        Some('o') => ("0o", format!("{magnitude:o}"), 4),
        Some('x') => ("0x", format!("{magnitude:x}"), 4),
        Some('X') => ("0X", format!("{magnitude:X}"), 4),
        Some('c' | 'n') => return Err(site.not_run()),
        Some(_) => return Err(unknown_code(site, parsed, value)),
    };
    if parsed.grouping == Some(',') && size == 4 {
        return Err(site.value_error(format!("Cannot specify ',' with '{}'.", parsed.kind.unwrap_or('d'))));
    }
    let prefix = if parsed.alternate { prefix } else { "" };
    Ok(parsed.number(number < 0, prefix, &digits, "", size))
}

fn format_float(site: Site<'_>, parsed: &Specification, number: f64, value: &Value) -> Result<String, Halt> {
    if parsed.alternate {
        return Err(site.outside("`#` in the format of a float is not run"));
    }
    let negative = number.is_sign_negative() && !number.is_nan();
    let kind = parsed.kind;
    let magnitude = if kind == Some('%') { number.abs() * 100.0 } else { number.abs() };
    let upper = matches!(kind, Some('F' | 'E' | 'G'));
    let text = match kind {
        None | Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | '%') if !magnitude.is_finite() => {
            let shown = if magnitude.is_nan() { "nan" } else { "inf" };
            format!("{shown}{}", if kind == Some('%') { "%" } else { "" })
        }
        Some('f' | 'F') => format!("{magnitude:.*}", parsed.precision.unwrap_or(6)),
        Some('%') => format!("{magnitude:.*}%", parsed.precision.unwrap_or(6)),
        Some('e' | 'E') => exponential(magnitude, parsed.precision.unwrap_or(6)),
        Some('g' | 'G') => general(magnitude, parsed.precision.unwrap_or(6), false),
        None => match parsed.precision {
            None => show_float(magnitude),
            Some(precision) => general(magnitude, precision, true),
        },
        Some('n') => return Err(site.not_run()),
        Some(_) => return Err(unknown_code(site, parsed, value)),
    };
    let text = if upper { text.to_uppercase() } else { text };
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = text.split_at_checked(end).unwrap_or((&text, ""));
    Ok(parsed.number(negative, "", whole, rest, 3))
}

fn exponential(magnitude: f64, precision: usize) -> String {
    let scientific = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `g`, and the format without a type, which keeps a digit after the point.
fn general(magnitude: f64, precision: usize, keeps_digit: bool) -> String {
    let precision = precision.max(1);
    let scientific = format!("{magnitude:.*e}", precision - 1);
    let exponent: i64 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let limit = i64::try_from(precision).unwrap_or(i64::MAX) - i64::from(keeps_digit);
    if exponent < -4 || exponent >= limit {
        let text = exponential(magnitude, precision - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = usize::try_from(i64::try_from(precision).unwrap_or(0) - 1 - exponent).unwrap_or(0);
    let text = format!("{magnitude:.decimals$}");
    let text = trimmed(&text);
    if keeps_digit && !text.contains('.') { format!("{text}.0") } else { text.to_owned() }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
