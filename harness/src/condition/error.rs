//! What is wrong with a condition: with its text, or with the values it meets.
//!
//! Knows positions in the condition's own text, not the file around it.
//! Rules: what happened, where, what to do; lower case, no full stop.

use super::{MAXIMUM_LENGTH, MAXIMUM_NESTING};
use crate::source::Position;

/// Why a text is no condition, or a condition has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConditionError {
    /// More text than is read.
    #[error(
        "the condition is longer than {MAXIMUM_LENGTH} characters; let a tool set one entry and read that"
    )]
    TooLong,
    /// Deeper than is read.
    #[error(
        "the condition nests deeper than {MAXIMUM_NESTING} levels {}; let a tool set one entry and read that",
        place(*position)
    )]
    TooDeep {
        /// Where it becomes too deep.
        position: Position,
    },
    /// Not an expression (CND-22).
    #[error("{message} {}{}", place(*position), appended(remedy))]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where.
        position: Position,
        /// What to do; may be empty when the message says it.
        remedy: String,
    },
    /// An expression of Python, but none of a condition (CND-23 to CND-25).
    #[error("{what} is not allowed {}{}", place(*position), appended(remedy))]
    NotAllowed {
        /// What.
        what: String,
        /// Where.
        position: Position,
        /// What to do.
        remedy: String,
    },
    /// Two values that have no order (CND-19, CND-20).
    #[error(
        "`{comparison}` compares {left} with {right}, which have no order; \
        compare values of one kind, and give an entry that may be unset an `initial_value`"
    )]
    Unordered {
        /// The comparison, canonically.
        comparison: String,
        /// What kind of value stands on the left.
        left: &'static str,
        /// What kind of value stands on the right.
        right: &'static str,
    },
}

impl ConditionError {
    /// Where in the condition's text the error stands; at its beginning where no part is to blame.
    pub(crate) fn position(&self) -> Position {
        match self {
            Self::TooDeep { position }
            | Self::Syntax { position, .. }
            | Self::NotAllowed { position, .. } => *position,
            Self::TooLong | Self::Unordered { .. } => Position::START,
        }
    }
}

fn place(position: Position) -> String {
    match position.line {
        1 => format!("at character {}", position.column),
        line => format!("at line {line}, character {}", position.column),
    }
}

fn appended(remedy: &str) -> String {
    if remedy.is_empty() { String::new() } else { format!("; {remedy}") }
}
