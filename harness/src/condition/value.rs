//! Values of a condition and Python's rules for them: truth, equality, order.
//!
//! Knows no expressions and no memory.
//! Rules: CND-05 to CND-10, CND-19, CND-20; Python's where the contract is silent (CND-28, CND-29).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::number::{self, Integer, Number};
use super::tree::{Comparator, Literal};
use crate::protocol::Json;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    None,
    Bool(bool),
    Integer(Integer),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Mapping(BTreeMap<String, Value>),
}

/// Two values without an order, by their kinds.
pub(super) struct Unordered {
    pub(super) left: &'static str,
    pub(super) right: &'static str,
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::None,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), _, _) => Self::Integer(value.into()),
                (None, Some(value), _) => Self::Integer(value.into()),
                (None, None, float) => Self::Float(float.unwrap_or(f64::NAN)),
            },
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Json::Object(entries) => {
                Self::Mapping(entries.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

impl From<&Literal> for Value {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::None => Self::None,
            Literal::Bool(value) => Self::Bool(*value),
            Literal::Integer(value) => Self::Integer(value.clone()),
            Literal::Float(value) => Self::Float(*value),
            Literal::Text(text) => Self::Text(text.clone()),
        }
    }
}

impl Value {
    /// Whether the value counts as true (CND-05 to CND-07).
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Integer(value) => !value.is_zero(),
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Mapping(entries) => !entries.is_empty(),
        }
    }

    fn number(&self) -> Option<Number> {
        match self {
            Self::Bool(value) => Some(Number::Integer((*value).into())),
            Self::Integer(value) => Some(Number::Integer(value.clone())),
            Self::Float(value) => Some(Number::Float(*value)),
            Self::None | Self::Text(_) | Self::List(_) | Self::Mapping(_) => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// Whether a comparison of two values holds.
pub(super) fn compare(left: &Value, comparator: Comparator, right: &Value) -> Result<bool, Unordered> {
    match comparator {
        Comparator::Equal => Ok(equal(left, right)),
        Comparator::NotEqual => Ok(!equal(left, right)),
        Comparator::Less => Ok(order(left, right)? == Some(Ordering::Less)),
        Comparator::LessOrEqual => Ok(order(left, right)?.is_some_and(Ordering::is_le)),
        Comparator::Greater => Ok(order(left, right)? == Some(Ordering::Greater)),
        Comparator::GreaterOrEqual => Ok(order(left, right)?.is_some_and(Ordering::is_ge)),
    }
}

/// Equality, which no two values refuse (CND-08, CND-09, CND-28).
fn equal(left: &Value, right: &Value) -> bool {
    if let (Some(left), Some(right)) = (left.number(), right.number()) {
        return number::compare(&left, &right) == Some(Ordering::Equal);
    }
    match (left, right) {
        (Value::None, Value::None) => true,
        (Value::Text(left), Value::Text(right)) => left == right,
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Mapping(left), Value::Mapping(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|((left_key, left), (right_key, right))| left_key == right_key && equal(left, right))
        }
        _ => false,
    }
}

/// The order of two values that have one (CND-10, CND-19, CND-20, CND-29): numbers with numbers, booleans
/// among them; strings by code point; lists by their first items that differ, else by length.
fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, Unordered> {
    if let (Some(left), Some(right)) = (left.number(), right.number()) {
        return Ok(number::compare(&left, &right));
    }
    match (left, right) {
        // The bytes of UTF-8 are in the order of the code points.
        (Value::Text(left), Value::Text(right)) => Ok(Some(left.cmp(right))),
        (Value::List(left), Value::List(right)) => {
            match left.iter().zip(right).find(|(left, right)| !equal(left, right)) {
                Some((left, right)) => order(left, right),
                None => Ok(Some(left.len().cmp(&right.len()))),
            }
        }
        _ => Err(Unordered { left: left.kind(), right: right.kind() }),
    }
}
