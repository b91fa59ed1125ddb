//! A day of the calendar, as people write it into a baseline.
//!
//! Never asks what day it is: who compares brings today along.
//! Rules: `YYYY-MM-DD`, nothing shorter.

use chrono::NaiveDate;

const FORMAT: &str = "%Y-%m-%d";

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(NaiveDate);

impl Date {
    /// Reads a day: `2027-01-31`.
    pub fn parse(text: &str) -> Option<Self> {
        let date = NaiveDate::parse_from_str(text, FORMAT).ok()?;
        (date.format(FORMAT).to_string() == text).then_some(Self(date))
    }
}

impl From<NaiveDate> for Date {
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.0.format(FORMAT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_in_full_are_days() {
        assert_eq!(Date::parse("2028-02-29").unwrap().to_string(), "2028-02-29");
        for text in ["2027-02-29", "2027-1-2", "27-01-02", "2027-01-02 ", "tomorrow", ""] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert!(Date::parse("2027-01-31") < Date::parse("2027-02-01"));
    }
}
