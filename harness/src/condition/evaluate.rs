//! The value of a condition.
//!
//! Knows nothing of whose memory is read: `read` answers for every reference.
//! Rules: CND-01, CND-11 to CND-21; contract-notes, "4. Conditions", "Evaluation".

use super::error::ConditionError;
use super::render;
use super::tree::{Comparator, Expression};
use super::value::{self, Value};
use crate::protocol::Json;

type Read<'a> = &'a dyn Fn(&str, &str) -> Json;

/// The value of an expression.
pub(super) fn value(expression: &Expression, read: Read<'_>) -> Result<Value, ConditionError> {
    match expression {
        Expression::Or(operands) => junction(operands, true, read),
        Expression::And(operands) => junction(operands, false, read),
        Expression::Not(operand) => Ok(Value::Bool(!value(operand, read)?.is_truthy())),
        Expression::Comparison { first, others } => chain(first, others, read),
        Expression::Reference(reference) => Ok(read(&reference.namespace, &reference.entry).into()),
        Expression::Literal(literal) => Ok(literal.into()),
    }
}

/// `or` stops at the first truthy operand and `and` at the first falsy one; what follows is not evaluated
/// (CND-26), and the result is a boolean, not the operand (CND-27).
fn junction(operands: &[Expression], decisive: bool, read: Read<'_>) -> Result<Value, ConditionError> {
    for operand in operands {
        if value(operand, read)?.is_truthy() == decisive {
            return Ok(Value::Bool(decisive));
        }
    }
    Ok(Value::Bool(!decisive))
}

/// Neighbours are compared from left to right, each operand evaluated once, until one comparison does not
/// hold (CND-18).
fn chain(
    first: &Expression,
    others: &[(Comparator, Expression)],
    read: Read<'_>,
) -> Result<Value, ConditionError> {
    let mut left_operand = first;
    let mut left = value(first, read)?;
    for (comparator, right_operand) in others {
        let right = value(right_operand, read)?;
        let holds =
            value::compare(&left, *comparator, &right).map_err(|unordered| ConditionError::Unordered {
                comparison: render::comparison(left_operand, *comparator, right_operand),
                left: unordered.left,
                right: unordered.right,
            })?;
        if !holds {
            return Ok(Value::Bool(false));
        }
        (left_operand, left) = (right_operand, right);
    }
    Ok(Value::Bool(true))
}
