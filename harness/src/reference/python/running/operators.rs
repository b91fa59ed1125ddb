//! Operators of running code.
//!
//! Knows what the built-in types and the special methods make of an operator.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{Operator, UnaryOp};

use super::super::exception::Halt;
use super::super::form;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::{Dict, Value};
use super::iterating::known;
use super::numbers::{Number, arithmetic, negate};
use super::site::Site;

impl Interpreter<'_> {
    /// `left operator right`.
    pub(super) fn operate(
        &mut self,
        site: Site<'_>,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        if let (Value::Bool(left), Value::Bool(right)) = (left, right) {
            match operator {
                Operator::BitAnd => return Ok(Value::Bool(left & right)),
                Operator::BitOr => return Ok(Value::Bool(left | right)),
                Operator::BitXor => return Ok(Value::Bool(left ^ right)),
                _ => {}
            }
        }
        if let (Some(one), Some(other)) = (Number::of(left), Number::of(right)) {
            return arithmetic(site, operator, one, other)?
                .ok_or_else(|| refused(site, operator, left, right));
        }
        if let Some(value) = self.operate_on_containers(site, operator, left, right)? {
            return Ok(value);
        }
        if let Some(value) = self.operate_by_method(site, operator, left, right)? {
            return Ok(value);
        }
        let is_mixed = |value: &Value| matches!(value, Value::Member(member) if member.is_mixed());
        if is_mixed(left) || is_mixed(right) {
            return self.operate(site, operator, &Self::unmixed(left), &Self::unmixed(right));
        }
        let are_types =
            is_type(left) && is_type(right) && !matches!((left, right), (Value::None, Value::None));
        if operator == Operator::BitOr && are_types {
            return Ok(form::union([left.clone(), right.clone()], false));
        }
        let unknown = |value: &Value| {
            matches!(value, Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) | Value::Form(_))
        };
        if unknown(left) || unknown(right) {
            return Err(site.not_run());
        }
        Err(refused(site, operator, left, right))
    }

    fn operate_on_containers(
        &mut self,
        site: Site<'_>,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Option<Value>, Halt> {
        Ok(Some(match (operator, left, right) {
            (Operator::Add, Value::Text(left), Value::Text(right)) => {
                self.work(site, left.len() + right.len())?;
                Value::text(&format!("{left}{right}"))
            }
            (Operator::Add, Value::List(left), Value::List(right)) => {
                known(site, left.tainted.get() || right.tainted.get())?;
                let (left, right) = (left.items.borrow(), right.items.borrow());
                self.work(site, left.len() + right.len())?;
                Value::list(left.iter().chain(right.iter()).cloned().collect())
            }
            (Operator::Add, Value::Tuple(left), Value::Tuple(right)) => {
                self.work(site, left.len() + right.len())?;
                Value::Tuple(left.iter().chain(right.iter()).cloned().collect())
            }
            (Operator::Mult, sequence @ (Value::Text(_) | Value::List(_) | Value::Tuple(_)), times)
            | (Operator::Mult, times, sequence @ (Value::Text(_) | Value::List(_) | Value::Tuple(_))) => {
                let Some(Number::Int(times)) = Number::of(times) else { return Ok(None) };
                return self.repeat(site, sequence, times).map(Some);
            }
            (Operator::Mod, Value::Text(format), arguments) => {
                let text = self.percent(site, format, arguments)?;
                Value::text(&text)
            }
            (Operator::BitOr, Value::Dict(left), Value::Dict(right)) => {
                let merged = Rc::new(Dict::default());
                self.merge(site, &merged, left)?;
                self.merge(site, &merged, right)?;
                Value::Dict(merged)
            }
            (Operator::BitOr | Operator::BitAnd | Operator::BitXor | Operator::Sub, left, right)
                if is_set_like(left) && is_set_like(right) || takes_any(left, right) =>
            {
                return self.combine_sets(site, operator, left, right).map(Some);
            }
            _ => return Ok(None),
        }))
    }

    fn repeat(&mut self, site: Site<'_>, sequence: &Value, times: i64) -> Result<Value, Halt> {
        let times = usize::try_from(times).unwrap_or(0);
        Ok(match sequence {
            Value::Text(text) => {
                self.work(site, text.len().saturating_mul(times))?;
                Value::text(&text.repeat(times))
            }
            Value::Tuple(items) => {
                self.work(site, items.len().saturating_mul(times))?;
                Value::tuple(items.iter().cloned().cycle().take(items.len() * times).collect())
            }
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let items = list.items.borrow();
                self.work(site, items.len().saturating_mul(times))?;
                Value::list(items.iter().cloned().cycle().take(items.len() * times).collect())
            }
            _ => return Err(site.not_run()),
        })
    }

    fn operate_by_method(
        &mut self,
        site: Site<'_>,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Option<Value>, Halt> {
        let name = method_name(operator);
        for (object, other, name) in
            [(left, right, format!("__{name}__")), (right, left, format!("__r{name}__"))]
        {
            let Some(method) = self.special(site, object, &name)? else { continue };
            let result = self.run_call(site, &method, Arguments::one(other.clone()))?;
            if !is_not_implemented(&result) {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    /// `left operator= right`: what can be changed is changed.
    pub(super) fn operate_in_place(
        &mut self,
        site: Site<'_>,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        match (operator, left) {
            (Operator::Add, Value::List(list)) => {
                known(site, list.tainted.get())?;
                let items = self.collect(site, right)?;
                self.work(site, list.items.borrow().len() / 16 + items.len())?;
                list.items.borrow_mut().extend(items);
                return Ok(left.clone());
            }
            (Operator::Mult, Value::List(list)) => {
                let Value::List(repeated) = self.operate(site, operator, left, right)? else {
                    return Err(site.not_run());
                };
                let items = repeated.items.borrow().clone();
                drop(list.items.replace(items));
                return Ok(left.clone());
            }
            (Operator::BitOr, Value::Dict(dict)) => {
                self.update_dict(site, dict, right)?;
                return Ok(left.clone());
            }
            (Operator::BitOr | Operator::BitAnd | Operator::BitXor | Operator::Sub, Value::Set(set))
                if is_set_like(right) && !set.frozen =>
            {
                let Value::Set(combined) = self.combine_sets(site, operator, left, right)? else {
                    return Err(site.not_run());
                };
                let items = combined.items.borrow().clone();
                drop(set.items.replace(items));
                return Ok(left.clone());
            }
            _ => {}
        }
        if let Some(method) = self.special(site, left, &format!("__i{}__", method_name(operator)))? {
            let result = self.run_call(site, &method, Arguments::one(right.clone()))?;
            if !is_not_implemented(&result) {
                return Ok(result);
            }
        }
        self.operate(site, operator, left, right)
    }

    /// `-x`, `+x` or `~x`.
    pub(super) fn operate_on_one(
        &mut self,
        site: Site<'_>,
        operator: UnaryOp,
        operand: &Value,
    ) -> Result<Value, Halt> {
        let plain = Self::unmixed(operand);
        let (name, sign) = match operator {
            UnaryOp::USub => ("__neg__", "-"),
            UnaryOp::UAdd => ("__pos__", "+"),
            UnaryOp::Invert => ("__invert__", "~"),
            UnaryOp::Not => return Err(site.not_run()),
        };
        match (operator, Number::of(&plain)) {
            (UnaryOp::USub, Some(number)) => return negate(site, number),
            (UnaryOp::UAdd, Some(Number::Int(value))) => return Ok(Value::Int(value)),
            (UnaryOp::UAdd, Some(Number::Float(value))) => return Ok(Value::Float(value)),
            (UnaryOp::Invert, Some(Number::Int(value))) => return Ok(Value::Int(!value)),
            _ => {}
        }
        match self.special(site, operand, name)? {
            Some(method) => self.run_call(site, &method, Arguments::default()),
            None if matches!(operand, Value::Opaque(_) | Value::Made(_)) => Err(site.not_run()),
            None => {
                let message = format!("bad operand type for unary {sign}: '{}'", operand.class_name());
                Err(site.type_error(message))
            }
        }
    }
}

pub(super) fn is_not_implemented(value: &Value) -> bool {
    matches!(value, Value::Opaque(path) if &**path == "builtins.NotImplemented")
}

fn is_type(value: &Value) -> bool {
    matches!(value, Value::Type(_) | Value::Form(_) | Value::Class(_) | Value::None)
        || matches!(value, Value::Exception(class) if class.message.is_none())
}

pub(super) fn is_set_like(value: &Value) -> bool {
    use super::super::containers::ViewKind;
    match value {
        Value::Set(_) => true,
        Value::View(view) => view.kind != ViewKind::Values,
        _ => false,
    }
}

/// Whether one of them is a view of a dict, which is combined with anything that can be iterated.
fn takes_any(left: &Value, right: &Value) -> bool {
    let is_view = |value: &Value| matches!(value, Value::View(_)) && is_set_like(value);
    let is_iterable = |value: &Value| {
        matches!(
            value,
            Value::Text(_)
                | Value::List(_)
                | Value::Tuple(_)
                | Value::Dict(_)
                | Value::Range(_)
                | Value::Iterator(_)
        )
    };
    is_view(left) && is_iterable(right) || is_iterable(left) && is_view(right)
}

fn method_name(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "add",
        Operator::Sub => "sub",
        Operator::Mult => "mul",
        Operator::Div => "truediv",
        Operator::FloorDiv => "floordiv",
        Operator::Mod => "mod",
        Operator::Pow => "pow",
        Operator::BitOr => "or",
        Operator::BitAnd => "and",
        Operator::BitXor => "xor",
        Operator::LShift => "lshift",
        Operator::RShift => "rshift",
        Operator::MatMult => "matmul",
    }
}

fn refused(site: Site<'_>, operator: Operator, left: &Value, right: &Value) -> Halt {
    let (one, other) = (left.class_name(), right.class_name());
    site.type_error(match (operator, left) {
        (Operator::Add, Value::Text(_)) => format!("can only concatenate str (not \"{other}\") to str"),
        (Operator::Add, Value::List(_)) => format!("can only concatenate list (not \"{other}\") to list"),
        (Operator::Add, Value::Tuple(_)) => format!("can only concatenate tuple (not \"{other}\") to tuple"),
        (Operator::Mult, Value::Text(_) | Value::List(_) | Value::Tuple(_)) => {
            format!("can't multiply sequence by non-int of type '{other}'")
        }
        (Operator::Pow, _) => format!("unsupported operand type(s) for ** or pow(): '{one}' and '{other}'"),
        _ => format!("unsupported operand type(s) for {}: '{one}' and '{other}'", operator.as_str()),
    })
}
