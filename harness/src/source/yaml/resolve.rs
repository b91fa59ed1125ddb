//! What a plain scalar means, by YAML 1.2's core schema.
//!
//! Knows one scalar at a time, and no file.
//! Rules: YAML 1.2.2, section 10.3.

use super::{Node, Value};

/// The meaning of a plain scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction or exponent, or a whole number too large for 64 bits.
    Float(f64),
    /// Anything else.
    String,
}

/// Reads a plain scalar by the core schema.
pub fn resolve_plain(text: &str) -> Resolved {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Resolved::Null,
        "true" | "True" | "TRUE" => return Resolved::Bool(true),
        "false" | "False" | "FALSE" => return Resolved::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Resolved::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Resolved::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Resolved::Float(f64::NAN),
        _ => {}
    }
    number(text).unwrap_or(Resolved::String)
}

fn number(text: &str) -> Option<Resolved> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Resolved::Integer);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().map(Resolved::Integer);
    }
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !unsigned.is_empty() && digits(unsigned) {
        return match text.parse() {
            Ok(integer) => Some(Resolved::Integer(integer)),
            Err(_) => text.parse().ok().map(Resolved::Float),
        };
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let written = !(whole.is_empty() && fraction.is_empty()) && digits(whole) && digits(fraction);
    let powered = exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    (written && powered).then(|| text.parse().ok().map(Resolved::Float)).flatten()
}

pub(super) fn to_json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Scalar(scalar) if !scalar.plain => scalar.text.clone().into(),
        Value::Scalar(scalar) => match resolve_plain(&scalar.text) {
            Resolved::Null => serde_json::Value::Null,
            Resolved::Bool(value) => value.into(),
            Resolved::Integer(value) => value.into(),
            // JSON has no infinity and no NaN: they stay the text they were.
            Resolved::Float(value) if !value.is_finite() => scalar.text.clone().into(),
            Resolved::Float(value) => value.into(),
            Resolved::String => scalar.text.clone().into(),
        },
        Value::Sequence(items) => items.iter().map(to_json).collect(),
        Value::Mapping(entries) => entries
            .iter()
            .map(|(key, value)| (key.text().unwrap_or_default().to_owned(), to_json(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let cases = [
            ("~", Resolved::Null),
            ("no", Resolved::String),
            ("True", Resolved::Bool(true)),
            ("-12", Resolved::Integer(-12)),
            ("0x1F", Resolved::Integer(31)),
            ("1e3", Resolved::Float(1000.0)),
            (".5", Resolved::Float(0.5)),
            ("1.", Resolved::Float(1.0)),
            ("-", Resolved::String),
            (".", Resolved::String),
            ("e3", Resolved::String),
            ("1e", Resolved::String),
            ("2s", Resolved::String),
            ("1_000", Resolved::String),
            ("99999999999999999999", Resolved::Float(1e20)),
        ];
        for (text, meaning) in cases {
            assert_eq!(resolve_plain(text), meaning, "{text}");
        }
    }
}
