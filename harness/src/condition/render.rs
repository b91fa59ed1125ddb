//! The canonical spelling of a condition: single quotes, decimal numbers, no parentheses but needed ones.
//!
//! Knows no values of memory.
//! Rules: what it writes parses back to the same tree (CND-14 to CND-16).

use std::fmt::{Display, Formatter, Result, Write};

use super::tree::{Comparator, Expression, Literal, Reference};

/// How tight a part binds; the looser of two needs parentheses inside the tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Comparison,
    Atom,
}

/// A comparison of two neighbours, as it is written.
pub(super) fn comparison(left: &Expression, comparator: Comparator, right: &Expression) -> String {
    format!("{} {comparator} {}", Operand(left, Binding::Atom), Operand(right, Binding::Atom))
}

/// A part where something that binds at least this tight is expected.
struct Operand<'tree>(&'tree Expression, Binding);

impl Display for Operand<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        if binding(self.0) < self.1 { write!(formatter, "({})", self.0) } else { self.0.fmt(formatter) }
    }
}

fn binding(expression: &Expression) -> Binding {
    match expression {
        Expression::Or(_) => Binding::Or,
        Expression::And(_) => Binding::And,
        Expression::Not(_) => Binding::Not,
        Expression::Comparison { .. } => Binding::Comparison,
        Expression::Reference(_) | Expression::Literal(_) => Binding::Atom,
    }
}

impl Display for Expression {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Or(operands) => joined(formatter, operands, " or ", Binding::And),
            Self::And(operands) => joined(formatter, operands, " and ", Binding::Not),
            Self::Not(operand) => write!(formatter, "not {}", Operand(operand, Binding::Not)),
            Self::Comparison { first, others } => {
                Operand(first, Binding::Atom).fmt(formatter)?;
                others.iter().try_for_each(|(comparator, operand)| {
                    write!(formatter, " {comparator} {}", Operand(operand, Binding::Atom))
                })
            }
            Self::Reference(reference) => reference.fmt(formatter),
            Self::Literal(literal) => literal.fmt(formatter),
        }
    }
}

fn joined(formatter: &mut Formatter<'_>, operands: &[Expression], word: &str, inside: Binding) -> Result {
    for (index, operand) in operands.iter().enumerate() {
        if index > 0 {
            formatter.write_str(word)?;
        }
        Operand(operand, inside).fmt(formatter)?;
    }
    Ok(())
}

impl Display for Comparator {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        })
    }
}

impl Display for Reference {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        write!(formatter, "session.{}.{}", self.namespace, self.entry)
    }
}

impl Display for Literal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::None => formatter.write_str("None"),
            Self::Bool(true) => formatter.write_str("True"),
            Self::Bool(false) => formatter.write_str("False"),
            Self::Integer(value) => value.fmt(formatter),
            // Python has no literal for infinity but one that is too large.
            Self::Float(value) if value.is_infinite() => formatter.write_str("1e999"),
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::Text(text) => quoted(formatter, text),
        }
    }
}

fn quoted(formatter: &mut Formatter<'_>, text: &str) -> Result {
    formatter.write_char('\'')?;
    for character in text.chars() {
        match character {
            '\\' => formatter.write_str("\\\\")?,
            '\'' => formatter.write_str("\\'")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            // The control characters end at U+009F.
            _ if character.is_control() => write!(formatter, "\\x{:02x}", u32::from(character))?,
            _ => formatter.write_char(character)?,
        }
    }
    formatter.write_char('\'')
}
