//! Arithmetic of integers and floats.
//!
//! Knows numbers alone. Integers have 64 bits; a result beyond them is not run.
//! Rules: Python's own: division floors, a remainder has the sign of its divisor.

use std::cmp::Ordering;

use ruff_python_ast::Operator;

use super::super::exception::Halt;
use super::super::value::Value;
use super::site::Site;

/// A number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// An integer, or a boolean, which is one.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number a value is.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Int(value) => Some(Self::Int(*value)),
            Value::Bool(value) => Some(Self::Int(i64::from(*value))),
            Value::Float(value) => Some(Self::Float(*value)),
            _ => None,
        }
    }

    /// The nearest float.
    #[expect(clippy::cast_precision_loss, reason = "the nearest float, as Python takes it")]
    pub(super) fn as_float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// How two numbers compare, exactly; nothing beside a NaN.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Int(left), Self::Float(right)) => compare_mixed(left, right),
            (Self::Float(left), Self::Int(right)) => compare_mixed(right, left).map(Ordering::reverse),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "guarded by the range")]
fn compare_mixed(integer: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    if float < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    let whole = float.trunc();
    Some(
        integer
            .cmp(&(whole as i64))
            .then_with(|| 0.0_f64.partial_cmp(&(float - whole)).unwrap_or(Ordering::Equal)),
    )
}

/// An integer from a float without a fraction.
#[expect(clippy::cast_possible_truncation, reason = "guarded by the range")]
pub(super) fn whole(site: Site<'_>, value: f64) -> Result<Value, Halt> {
    if value.is_nan() {
        return Err(site.value_error("cannot convert float NaN to integer"));
    }
    if value.is_infinite() {
        return Err(site.raise("OverflowError", "cannot convert float infinity to integer"));
    }
    if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        return Err(too_large(site));
    }
    Ok(Value::Int(value.trunc() as i64))
}

/// The error for an integer that is not modelled.
pub(super) fn too_large(site: Site<'_>) -> Halt {
    site.outside("an integer beyond 64 bits is not run")
}

/// `left operator right` of two numbers; nothing when numbers do not have the operator.
pub(super) fn arithmetic(
    site: Site<'_>,
    operator: Operator,
    left: Number,
    right: Number,
) -> Result<Option<Value>, Halt> {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => integers(site, operator, left, right),
        _ => floats(site, operator, left.as_float(), right.as_float()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "refused where it would lose something")]
fn integers(site: Site<'_>, operator: Operator, left: i64, right: i64) -> Result<Option<Value>, Halt> {
    let zero = |message: &str| Err(site.raise("ZeroDivisionError", message));
    let exact = |value: i64| value.unsigned_abs() <= 1 << 53;
    let result = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Sub => left.checked_sub(right),
        Operator::Mult => left.checked_mul(right),
        Operator::Div if right == 0 => return zero("division by zero"),
        Operator::Div if exact(left) && exact(right) => {
            return Ok(Some(Value::Float(left as f64 / right as f64)));
        }
        Operator::Div => return Err(site.outside("dividing integers beyond 53 bits is not run")),
        Operator::FloorDiv | Operator::Mod if right == 0 => {
            return zero(if operator == Operator::Mod {
                "integer modulo by zero"
            } else {
                "integer division or modulo by zero"
            });
        }
        Operator::FloorDiv => floor_division(left, right),
        Operator::Mod => left
            .checked_rem(right)
            .or(Some(0))
            .map(|rest| if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest }),
        Operator::Pow if right < 0 => return floats(site, operator, left as f64, right as f64),
        Operator::Pow => power(left, right),
        Operator::BitOr => Some(left | right),
        Operator::BitAnd => Some(left & right),
        Operator::BitXor => Some(left ^ right),
        Operator::LShift | Operator::RShift if right < 0 => {
            return Err(site.value_error("negative shift count"));
        }
        Operator::LShift => u32::try_from(right)
            .ok()
            .and_then(|by| 2_i64.checked_pow(by))
            .and_then(|factor| left.checked_mul(factor))
            .or((left == 0).then_some(0)),
        Operator::RShift => Some(left >> right.min(63)),
        Operator::MatMult => return Ok(None),
    };
    result.map(|value| Some(Value::Int(value))).ok_or_else(|| too_large(site))
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    match base {
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

fn floor_division(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    Some(if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
}

fn floats(site: Site<'_>, operator: Operator, left: f64, right: f64) -> Result<Option<Value>, Halt> {
    let zero = |message: &str| Err(site.raise("ZeroDivisionError", message));
    let result = match operator {
        Operator::Add => left + right,
        Operator::Sub => left - right,
        Operator::Mult => left * right,
        Operator::Div if right == 0.0 => return zero("float division by zero"),
        Operator::Div => left / right,
        Operator::FloorDiv if right == 0.0 => return zero("float floor division by zero"),
        Operator::FloorDiv => divide(left, right).0,
        Operator::Mod if right == 0.0 => return zero("float modulo"),
        Operator::Mod => divide(left, right).1,
        Operator::Pow => return raise_to(site, left, right).map(Some),
        _ => return Ok(None),
    };
    Ok(Some(Value::Float(result)))
}

/// The floored quotient of two floats, and its remainder.
fn divide(left: f64, right: f64) -> (f64, f64) {
    let mut rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(right);
    } else if (right < 0.0) != (rest < 0.0) {
        rest += right;
        quotient -= 1.0;
    }
    let floored = if quotient == 0.0 {
        0.0_f64.copysign(left / right)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    };
    (floored, rest)
}

fn raise_to(site: Site<'_>, left: f64, right: f64) -> Result<Value, Halt> {
    if left == 0.0 && right < 0.0 {
        let message = "0.0 cannot be raised to a negative power";
        return Err(site.raise("ZeroDivisionError", message));
    }
    if left < 0.0 && left.is_finite() && right.is_finite() && right.fract() != 0.0 {
        return Err(site.outside("a complex number is not run"));
    }
    let result = left.powf(right);
    if result.is_infinite() && left.is_finite() && right.is_finite() {
        return Err(site.raise("OverflowError", "(34, 'Numerical result out of range')"));
    }
    Ok(Value::Float(result))
}

/// `-x`, `+x` or `~x`.
pub(super) fn negate(site: Site<'_>, number: Number) -> Result<Value, Halt> {
    match number {
        Number::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(|| too_large(site)),
        Number::Float(value) => Ok(Value::Float(-value)),
    }
}

/// `round(number, digits)`: to even where it is in the middle.
pub(super) fn round(site: Site<'_>, number: Number, digits: Option<i64>) -> Result<Value, Halt> {
    match (number, digits) {
        (Number::Int(value), None) => Ok(Value::Int(value)),
        (Number::Int(value), Some(digits)) if digits >= 0 => Ok(Value::Int(value)),
        (Number::Int(value), Some(digits)) => round_integer(site, value, digits),
        (Number::Float(value), None) => whole(site, value.round_ties_even()),
        (Number::Float(value), Some(_)) if !value.is_finite() => Ok(Value::Float(value)),
        (Number::Float(value), Some(digits)) if digits > 320 => Ok(Value::Float(value)),
        (Number::Float(value), Some(digits)) if digits < -320 => Ok(Value::Float(0.0_f64.copysign(value))),
        (Number::Float(value), Some(digits)) if digits >= 0 => {
            // The decimal expansion of a float is exact here, and rounded once, as Python's is.
            let digits = usize::try_from(digits).unwrap_or(0);
            let text = format!("{value:.digits$}");
            text.parse().map(Value::Float).map_err(|_| site.not_run())
        }
        (Number::Float(_), Some(_)) => Err(site.outside("rounding a float to tens is not run")),
    }
}

fn round_integer(site: Site<'_>, value: i64, digits: i64) -> Result<Value, Halt> {
    let Some(unit) = u32::try_from(-digits).ok().and_then(|power| 10_i128.checked_pow(power)) else {
        return Ok(Value::Int(0));
    };
    let value = i128::from(value);
    let (low, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
    let up = rest * 2 > unit || (rest * 2 == unit && low % 2 != 0);
    let rounded = (low + i128::from(up)) * unit;
    i64::try_from(rounded).map(Value::Int).map_err(|_| too_large(site))
}
