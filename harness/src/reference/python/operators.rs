//! Operators: arithmetic, comparison, boolean logic, unions of types.
//!
//! Works on values whose content is known; the rest stays unknown.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, BoolOp, CmpOp, Operator, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

use super::exception::Halt;
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::type_forms::is_type_like;
use super::value::Value;

impl Interpreter<'_> {
    pub(super) fn bool_operation(
        &mut self,
        frame: &Frame,
        operation: &ast::ExprBoolOp,
    ) -> Result<Value, Halt> {
        let mut value = Value::None;
        for (position, operand) in operation.values.iter().enumerate() {
            value = self.evaluate(frame, operand)?;
            let stops = operation.op == BoolOp::Or;
            match value.truth() {
                Some(truth) if truth == stops => return Ok(value),
                Some(_) => {}
                None => {
                    Self::forget_named(frame, operation.values.iter().skip(position + 1));
                    let why = format!("it depends on `{}`", frame.file.excerpt(operand.range()));
                    return Ok(self.unknown(frame, operation.range, why));
                }
            }
        }
        Ok(value)
    }

    pub(super) fn unary(&mut self, frame: &Frame, operation: &ast::ExprUnaryOp, operand: &Value) -> Value {
        match (operation.op, operand) {
            (UnaryOp::Not, _) => match operand.truth() {
                Some(truth) => Value::Bool(!truth),
                None => self.unknown(frame, operation.range, "whether this holds is not known"),
            },
            (UnaryOp::USub, Value::Int(value)) if *value != i64::MIN => Value::Int(-value),
            (UnaryOp::USub, Value::Float(value)) => Value::Float(-value),
            (UnaryOp::UAdd, Value::Int(_) | Value::Float(_)) => operand.clone(),
            _ => self.unknown(frame, operation.range, "what this operator gives is not read"),
        }
    }

    pub(super) fn binary(
        &mut self,
        frame: &Frame,
        range: TextRange,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        let texts = matches!((left, right), (Value::Text(_), Value::Text(_)));
        if operator == Operator::BitOr && (texts || is_type_like(left) || is_type_like(right)) {
            return Self::join_types(frame, range, left, right);
        }
        let as_number = |value: &Value| match value {
            Value::Bool(value) => Value::Int(i64::from(*value)),
            other => other.clone(),
        };
        let number = match (&as_number(left), &as_number(right)) {
            (Value::Int(left), Value::Int(right)) if operator != Operator::Div => {
                integers(operator, *left, *right)
            }
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
                let both = super::formatting::as_float(left).zip(super::formatting::as_float(right));
                both.and_then(|(left, right)| floats(operator, left, right))
            }
            (Value::Dict(left), Value::Dict(right)) if operator == Operator::BitOr => {
                super::collections::joined(left, right)
            }
            _ => None,
        };
        if let Some(number) = number {
            return Ok(number);
        }
        match (operator, left, right) {
            (
                Operator::Div | Operator::FloorDiv | Operator::Mod,
                Value::Int(_) | Value::Float(_),
                Value::Int(0),
            ) => Err(raise("ZeroDivisionError", "division by zero".to_owned(), &frame.place(range))),
            (Operator::Add, Value::Text(left), Value::Text(right)) => {
                Ok(Value::text(&format!("{left}{right}")))
            }
            (Operator::Mult, Value::Text(text), Value::Int(times))
            | (Operator::Mult, Value::Int(times), Value::Text(text)) => {
                let times = usize::try_from(*times).unwrap_or(0);
                // Descriptions are short; a text beyond this is not one.
                if text.len().saturating_mul(times) > 1 << 16 {
                    return Ok(self.unknown(frame, range, "a text this long is not read"));
                }
                Ok(Value::text(&text.repeat(times)))
            }
            (Operator::Mod, Value::Text(format), _) => Ok(super::formatting::percent(format, right)
                .map_or_else(
                    || self.unknown(frame, range, "what this formats to is not known"),
                    |text| Value::text(&text),
                )),
            (
                Operator::Add,
                Value::Text(_),
                Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_),
            )
            | (
                Operator::Add,
                Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_),
                Value::Text(_),
            ) => Err(raise("TypeError", "unsupported operand types for +".to_owned(), &frame.place(range))),
            (Operator::Add, Value::Tuple(left), Value::Tuple(right)) => {
                Ok(Value::Tuple(left.iter().chain(right.iter()).cloned().collect()))
            }
            (Operator::Add, Value::List(_), Value::List(_)) => {
                match (self.known_items(Some(left)), self.known_items(Some(right))) {
                    (Some(left), Some(right)) => Ok(Value::list(left.into_iter().chain(right).collect())),
                    _ => Ok(self.unknown(frame, range, "what this list holds is not known")),
                }
            }
            (_, Value::Unknown(unknown), _) | (_, _, Value::Unknown(unknown)) => {
                self.doubt();
                Ok(Value::Unknown(Rc::clone(unknown)))
            }
            _ => {
                self.doubt();
                Ok(self.unknown(frame, range, "what this operator gives is not read"))
            }
        }
    }

    pub(super) fn compare(&mut self, frame: &Frame, comparison: &ast::ExprCompare) -> Result<Value, Halt> {
        let mut left = self.evaluate(frame, &comparison.left)?;
        for (operator, right) in comparison.ops.iter().zip(&comparison.comparators) {
            let right = self.evaluate(frame, right)?;
            match self.compare_two(*operator, &left, &right) {
                Some(true) => {}
                Some(false) => return Ok(Value::Bool(false)),
                None => {
                    self.doubt();
                    return Ok(self.unknown(frame, comparison.range, "how this compares is not known"));
                }
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    fn compare_two(&mut self, operator: CmpOp, left: &Value, right: &Value) -> Option<bool> {
        match operator {
            CmpOp::Eq => left.equals(right),
            CmpOp::NotEq => left.equals(right).map(|equal| !equal),
            CmpOp::Is | CmpOp::IsNot => {
                let unsure = |value: &Value| {
                    matches!(
                        value,
                        Value::Unknown(_)
                            | Value::Instance(_)
                            | Value::Member(_)
                            | Value::Made(_)
                            | Value::Opaque(_)
                    )
                };
                let same = left.is(right);
                if !same && (unsure(left) || unsure(right)) {
                    return None;
                }
                Some(same == (operator == CmpOp::Is))
            }
            CmpOp::In | CmpOp::NotIn => {
                let found = self.contains(right, left)?;
                Some(found == (operator == CmpOp::In))
            }
            CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {
                let order = match (left, right) {
                    (Value::Int(left), Value::Int(right)) => left.cmp(right),
                    (Value::Float(left), Value::Float(right)) => left.partial_cmp(right)?,
                    (Value::Text(left), Value::Text(right)) => left.cmp(right),
                    _ => return None,
                };
                Some(match operator {
                    CmpOp::Lt => order.is_lt(),
                    CmpOp::LtE => order.is_le(),
                    CmpOp::Gt => order.is_gt(),
                    _ => order.is_ge(),
                })
            }
        }
    }

    fn contains(&mut self, container: &Value, item: &Value) -> Option<bool> {
        match container {
            Value::Text(text) => match item {
                Value::Text(part) => Some(text.contains(&**part)),
                _ => None,
            },
            Value::Dict(dict) if !dict.tainted.get() => {
                Some(dict.entries.borrow().contains_key(&item.key()?))
            }
            _ => {
                let items = self.known_items(Some(container))?;
                let mut known = true;
                for candidate in items {
                    match candidate.equals(item) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = false,
                    }
                }
                known.then_some(false)
            }
        }
    }

    /// The items of a list, tuple, dict or string; `None` when they are not known.
    pub(super) fn known_items(&self, value: Option<&Value>) -> Option<Vec<Value>> {
        let items: Option<Vec<Value>> = match value? {
            Value::Tuple(items) => Some(items.to_vec()),
            Value::List(list) => (!list.tainted.get()).then(|| list.items.borrow().clone()),
            Value::Dict(dict) => (!dict.tainted.get())
                .then(|| dict.entries.borrow().values().map(|(key, _)| key.clone()).collect()),
            Value::Text(text) => Some(text.chars().map(|one| Value::text(&one.to_string())).collect()),
            Value::Class(class) => super::enumeration::members(class),
            _ => None,
        };
        self.charge(items.as_ref().map_or(0, Vec::len));
        items
    }
}

fn integers(operator: Operator, left: i64, right: i64) -> Option<Value> {
    match operator {
        Operator::Add => left.checked_add(right).map(Value::Int),
        Operator::Sub => left.checked_sub(right).map(Value::Int),
        Operator::Mult => left.checked_mul(right).map(Value::Int),
        Operator::FloorDiv if right > 0 => Some(Value::Int(left.div_euclid(right))),
        Operator::Mod if right > 0 => Some(Value::Int(left.rem_euclid(right))),
        Operator::Pow => u32::try_from(right).ok().and_then(|power| left.checked_pow(power)).map(Value::Int),
        Operator::BitOr => Some(Value::Int(left | right)),
        Operator::BitAnd => Some(Value::Int(left & right)),
        _ => None,
    }
}

fn floats(operator: Operator, left: f64, right: f64) -> Option<Value> {
    match operator {
        Operator::Add => Some(Value::Float(left + right)),
        Operator::Sub => Some(Value::Float(left - right)),
        Operator::Mult => Some(Value::Float(left * right)),
        Operator::Div if right != 0.0 => Some(Value::Float(left / right)),
        _ => None,
    }
}
