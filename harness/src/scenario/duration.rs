//! Durations as scenarios write them: `250ms`, `3s`, `1.5m`, `1h`, `1d`.
//!
//! Knows only the spelling; what a duration is for is the caller's business.
//! Rules: `docs/scenarios.md`, "Durations".

/// The longest duration a scenario may name: a hundred years, far from any overflow.
const MAXIMUM_MS: u64 = 100 * 365 * 24 * 60 * 60 * 1000;

/// What every message about a duration ends with.
pub const SPELLING: &str = "write a number and a unit: `250ms`, `3s`, `1.5m`, `1h` or `1d`";

/// Why a text is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// A number without a unit.
    #[error("has no unit")]
    NoUnit,
    /// Something else stands where the unit should.
    #[error("has no unit that is known")]
    UnknownUnit,
    /// No number before the unit.
    #[error("begins with no number")]
    NoNumber,
    /// A sign.
    #[error("is negative")]
    Negative,
    /// Finer than virtual time is.
    #[error("is no whole number of milliseconds")]
    TooFine,
    /// Longer than anything has to wait.
    #[error("is longer than a hundred years")]
    TooLong,
}

/// Reads a duration, in milliseconds.
pub fn parse(text: &str) -> Result<u64, DurationError> {
    if text.starts_with('-') {
        return Err(DurationError::Negative);
    }
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(split).unwrap_or((text, ""));
    let unit_ms: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        "d" => 24 * 60 * 60 * 1000,
        _ if number.is_empty() => return Err(DurationError::NoNumber),
        "" => return Err(DurationError::NoUnit),
        _ => return Err(DurationError::UnknownUnit),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(DurationError::NoNumber);
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 9 {
        return Err(DurationError::TooFine);
    }
    let digits = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u64>().ok() };
    let whole_ms =
        digits(whole).and_then(|whole| whole.checked_mul(unit_ms)).ok_or(DurationError::TooLong)?;
    // At most nine digits times 86 400 000 stays below 2^64.
    let scale = 10_u64.pow(u32::try_from(fraction.len()).unwrap_or(9));
    let part = digits(fraction).unwrap_or(0).saturating_mul(unit_ms);
    if part % scale != 0 {
        return Err(DurationError::TooFine);
    }
    match whole_ms.checked_add(part / scale) {
        Some(duration) if duration <= MAXIMUM_MS => Ok(duration),
        _ => Err(DurationError::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_become_milliseconds() {
        let cases = [
            ("0s", 0),
            ("250ms", 250),
            ("3s", 3000),
            ("1.5m", 90_000),
            ("0.250s", 250),
            ("1h", 3_600_000),
            ("1d", 86_400_000),
        ];
        for (text, milliseconds) in cases {
            assert_eq!(parse(text), Ok(milliseconds), "{text}");
        }
    }

    #[test]
    fn what_is_no_duration_says_why() {
        let cases = [
            ("3", DurationError::NoUnit),
            ("3 sec", DurationError::UnknownUnit),
            ("3S", DurationError::UnknownUnit),
            ("s", DurationError::NoNumber),
            ("", DurationError::NoNumber),
            ("soon", DurationError::NoNumber),
            (".5s", DurationError::NoNumber),
            ("1.s", DurationError::NoNumber),
            ("1.2.3s", DurationError::NoNumber),
            ("-1s", DurationError::Negative),
            ("1.5ms", DurationError::TooFine),
            ("1.0000000000000001d", DurationError::TooFine),
            ("101000d", DurationError::TooLong),
            ("99999999999999999999d", DurationError::TooLong),
        ];
        for (text, error) in cases {
            assert_eq!(parse(text), Err(error), "{text}");
        }
    }
}
