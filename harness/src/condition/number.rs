//! Numbers compared as Python compares them: by their exact values, however large.
//!
//! Knows no other kind of value.
//! Rules: Python's; an integer equals a float of the same value (CND-10, CND-28).

use std::cmp::Ordering;

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    negative: bool,
    /// Decimal digits without leading zeros.
    digits: String,
}

/// An integer or a float.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Integer(Integer),
    Float(f64),
}

impl Integer {
    /// Reads a literal of Python's: decimal, or `0x`, `0o`, `0b`; underscores separate digits.
    pub(super) fn from_literal(literal: &str) -> Option<Self> {
        let text: String = literal.chars().filter(|character| *character != '_').collect();
        let lower = text.to_ascii_lowercase();
        let (digits, radix) = match lower.get(..2) {
            Some("0x") => (lower.get(2..)?, 16),
            Some("0o") => (lower.get(2..)?, 8),
            Some("0b") => (lower.get(2..)?, 2),
            _ => (lower.as_str(), 10),
        };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return None;
        }
        Some(match radix {
            10 => Self::from_decimal(false, digits),
            _ => Self::from_decimal(false, &to_decimal(digits, radix)),
        })
    }

    fn from_decimal(negative: bool, digits: &str) -> Self {
        match digits.trim_start_matches('0') {
            "" => Self { negative: false, digits: "0".to_owned() },
            digits => Self { negative, digits: digits.to_owned() },
        }
    }

    /// A float without its fraction; `None` for infinity and for what is no number.
    fn truncated(float: f64) -> Option<Self> {
        // Rust writes every digit of a float, however large.
        float.is_finite().then(|| Self::from_decimal(float < 0.0, &format!("{:.0}", float.trunc().abs())))
    }

    /// Whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.digits == "0"
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Self { negative: false, digits: value.to_string() }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self { negative: value < 0, digits: value.unsigned_abs().to_string() }
    }
}

impl From<bool> for Integer {
    fn from(value: bool) -> Self {
        Self::from(u64::from(value))
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", if self.negative { "-" } else { "" }, self.digits)
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        let magnitudes =
            || self.digits.len().cmp(&other.digits.len()).then_with(|| self.digits.cmp(&other.digits));
        match (self.negative, other.negative) {
            (false, false) => magnitudes(),
            (true, true) => magnitudes().reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How two numbers compare; `None` when one is no number (NaN), which JSON and literals cannot be.
pub(super) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => Some(left.cmp(right)),
        (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
        (Number::Integer(left), Number::Float(right)) => compare_mixed(left, *right),
        (Number::Float(left), Number::Integer(right)) => compare_mixed(right, *left).map(Ordering::reverse),
    }
}

fn compare_mixed(integer: &Integer, float: f64) -> Option<Ordering> {
    // Any integer compares with infinity as zero does.
    let Some(whole) = Integer::truncated(float) else { return 0.0.partial_cmp(&float) };
    match integer.cmp(&whole) {
        Ordering::Equal => 0.0.partial_cmp(&float.fract()),
        unequal => Some(unequal),
    }
}

/// Decimal digits of a number in another base, in steps of nine digits.
fn to_decimal(digits: &str, radix: u32) -> String {
    const STEP: u64 = 1_000_000_000;
    let mut groups: Vec<u64> = Vec::new();
    for digit in digits.chars().filter_map(|digit| digit.to_digit(radix)) {
        let mut carried = u64::from(digit);
        for group in &mut groups {
            let scaled = *group * u64::from(radix) + carried;
            *group = scaled % STEP;
            carried = scaled / STEP;
        }
        if carried > 0 {
            groups.push(carried);
        }
    }
    groups.iter().rev().map(|group| format!("{group:09}")).collect::<Vec<_>>().concat()
}
