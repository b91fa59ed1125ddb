//! A condition as a tree: references, literals, comparisons, `not`, `and`, `or`.
//!
//! Knows no syntax and no values of memory.
//! Rules: the grammar of contract-notes, "4. Conditions"; parentheses are the tree's shape.

use super::number::Integer;
use crate::source::Position;

/// A condition or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// Holds when one of two or more operands does (CND-12).
    Or(Vec<Expression>),
    /// Holds when each of two or more operands does (CND-11).
    And(Vec<Expression>),
    /// Holds when its operand does not (CND-13).
    Not(Box<Expression>),
    /// A comparison, or a chain of them (CND-08 to CND-10, CND-18).
    Comparison {
        /// The leftmost operand.
        first: Box<Expression>,
        /// The others, each with how it is compared with the one before; at least one.
        others: Vec<(Comparator, Expression)>,
    },
    /// What an entry holds (CND-01).
    Reference(Reference),
    /// A literal (CND-16).
    Literal(Literal),
}

/// How two neighbours are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A literal. Integers are of any size and never negative; a float may be infinite, as `1e999` is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    None,
    Bool(bool),
    Integer(Integer),
    Float(f64),
    Text(String),
}

/// A reference to a memory entry (CND-01).
#[derive(Clone, Debug, Eq)]
pub(crate) struct Reference {
    /// A skill's id, `project` or `system`.
    pub(crate) namespace: String,
    /// The entry.
    pub(crate) entry: String,
    /// Where it stands in the condition.
    pub(crate) position: Position,
}

/// Two references are equal when they name the same entry, wherever they stand.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.namespace == other.namespace && self.entry == other.entry
    }
}

impl Expression {
    /// The references below and in this part, in the order of the text.
    pub(super) fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        self.collect_references(&mut found);
        found
    }

    fn collect_references<'tree>(&'tree self, found: &mut Vec<&'tree Reference>) {
        match self {
            Self::Or(operands) | Self::And(operands) => {
                for operand in operands {
                    operand.collect_references(found);
                }
            }
            Self::Not(operand) => operand.collect_references(found),
            Self::Comparison { first, others } => {
                first.collect_references(found);
                for (_, operand) in others {
                    operand.collect_references(found);
                }
            }
            Self::Reference(reference) => found.push(reference),
            Self::Literal(_) => {}
        }
    }
}
