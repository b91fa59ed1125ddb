//! Conditions: the expressions that gate tools, skills, steps and texts.
//!
//! Knows expressions and JSON values; whose memory a reference may read is for the caller's `read` to
//! say, and what a gate does with the answer is the gate's affair.
//! Rules: chapter CND; contract-notes, "4. Conditions".

mod error;
mod evaluate;
mod number;
mod parse;
mod refusal;
mod render;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use crate::protocol::Json;

pub(crate) use error::ConditionError;
use tree::Expression;
pub(crate) use tree::Reference;

/// How long a condition may be, in characters.
pub(crate) const MAXIMUM_LENGTH: usize = 4096;
/// How deep a condition may nest, and how many brackets may be open at once.
pub(crate) const MAXIMUM_NESTING: usize = 64;

/// A condition that keeps to the grammar.
///
/// Two conditions are equal when they read the same, wherever their parts stand. What `Display` writes
/// is the canonical spelling, which parses back to an equal condition unless it is longer than
/// [`MAXIMUM_LENGTH`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    expression: Expression,
}

impl Condition {
    /// Reads a condition (CND-14 to CND-18, CND-22 to CND-25, CND-31). The text is taken as it stands:
    /// blanks before it are an error, as they are in Python.
    pub(crate) fn parse(text: &str) -> Result<Self, ConditionError> {
        parse::parse(text).map(|expression| Self { expression })
    }

    /// What the condition reads, in the order of the text, as often as it stands there.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Reference> {
        self.expression.references().into_iter()
    }

    /// Whether the condition's value is truthy (CND-05 to CND-07). `read` is given a namespace and an
    /// entry, and answers null for what is unset, unreadable or not declared (CND-03, CND-04).
    pub(crate) fn evaluate(&self, read: &dyn Fn(&str, &str) -> Json) -> Result<bool, ConditionError> {
        evaluate::value(&self.expression, read).map(|value| value.is_truthy())
    }

    /// Whether a gate with this condition is open: an error keeps it shut (CND-19 to CND-21).
    pub(crate) fn holds(&self, read: &dyn Fn(&str, &str) -> Json) -> bool {
        self.evaluate(read).unwrap_or(false)
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression.fmt(formatter)
    }
}
