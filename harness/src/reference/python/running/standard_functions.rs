//! `math` and `copy`.
//!
//! Knows values; reaches nothing outside the run.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::class::Instance;
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::{Dict, Value};
use super::iterating::known;
use super::numbers::{Number, whole};
use super::site::Site;

/// Constants of the standard library.
pub(super) fn constant(path: &str) -> Option<Value> {
    Some(Value::Float(match path {
        "math.pi" => std::f64::consts::PI,
        "math.e" => std::f64::consts::E,
        "math.tau" => std::f64::consts::TAU,
        "math.inf" => f64::INFINITY,
        "math.nan" => f64::NAN,
        _ => return None,
    }))
}

impl Interpreter<'_> {
    /// A function of `math`.
    pub(super) fn mathematics(
        &mut self,
        site: Site<'_>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        let mut numbers = Vec::new();
        if !matches!(name, "fsum" | "prod" | "isclose") {
            for value in &arguments.positional {
                match Number::of(&Self::unmixed(value)) {
                    Some(number) => numbers.push(number),
                    None => {
                        return Err(
                            site.type_error(format!("must be real number, not {}", value.class_name()))
                        );
                    }
                }
            }
        }
        let domain = || Err(site.value_error("math domain error"));
        let float = |value: f64| Ok(Value::Float(value));
        match (name, numbers.as_slice()) {
            ("floor" | "ceil" | "trunc", [Number::Int(value)]) => Ok(Value::Int(*value)),
            ("floor", [Number::Float(value)]) => whole(site, value.floor()),
            ("ceil", [Number::Float(value)]) => whole(site, value.ceil()),
            ("trunc", [Number::Float(value)]) => whole(site, *value),
            ("sqrt", [number]) if number.as_float() < 0.0 => domain(),
            ("sqrt", [number]) => float(number.as_float().sqrt()),
            ("fabs", [number]) => float(number.as_float().abs()),
            ("isnan", [number]) => Ok(Value::Bool(number.as_float().is_nan())),
            ("isinf", [number]) => Ok(Value::Bool(number.as_float().is_infinite())),
            ("isfinite", [number]) => Ok(Value::Bool(number.as_float().is_finite())),
            ("gcd", [Number::Int(left), Number::Int(right)]) => {
                let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
                while right != 0 {
                    (left, right) = (right, left % right);
                }
                i64::try_from(left).map(Value::Int).map_err(|_| super::numbers::too_large(site))
            }
            ("copysign", [left, right]) => float(left.as_float().copysign(right.as_float())),
            ("pow", [left, right]) => {
                let (left, right) = (left.as_float(), right.as_float());
                match left.powf(right) {
                    result if result.is_nan() && !left.is_nan() && !right.is_nan() => domain(),
                    result if result.is_infinite() && left == 0.0 => domain(),
                    result if result.is_infinite() && left.is_finite() && right.is_finite() => {
                        Err(site.raise("OverflowError", "math range error"))
                    }
                    result => float(result),
                }
            }
            // The last digit of these may differ from one machine to the next.
            ("prod", _) => {
                let items = arguments.positional.first().cloned().unwrap_or(Value::None);
                let mut total = arguments.keywords.get("start").cloned().unwrap_or(Value::Int(1));
                for item in self.collect(site, &items)? {
                    total = self.operate(site, ruff_python_ast::Operator::Mult, &total, &item)?;
                }
                Ok(total)
            }
            _ => Err(site.outside(format!("`math.{name}` with these arguments is not run"))),
        }
    }

    /// `copy.copy`.
    pub(super) fn copy_shallow(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        match value {
            Value::List(_) => Ok(Value::list(self.collect(site, value)?)),
            Value::Dict(dict) => {
                let copy = Rc::new(Dict::default());
                self.merge(site, &copy, dict)?;
                Ok(Value::Dict(copy))
            }
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                let items = set.items.borrow().values().cloned().collect();
                self.make_set(site, items, set.frozen)
            }
            Value::Instance(instance) => Self::copied(site, instance),
            other
                if other.is_flat()
                    || matches!(
                        other,
                        Value::Tuple(_) | Value::Function(_) | Value::Class(_) | Value::Member(_)
                    ) =>
            {
                Ok(other.clone())
            }
            _ => Err(site.outside("copying this is not run")),
        }
    }

    fn copied(site: Site<'_>, instance: &Rc<Instance>) -> Result<Value, Halt> {
        let Some(fields) = &instance.fields else { return Err(site.not_run()) };
        if super::attributes::class_has(&instance.class, "__copy__")
            || super::attributes::class_has(&instance.class, "__deepcopy__")
        {
            return Err(site.outside("`__copy__` and `__deepcopy__` are not run"));
        }
        Ok(Value::Instance(Rc::new(Instance {
            class: Rc::clone(&instance.class),
            fields: Some(fields.clone()),
            arguments: instance.arguments.clone(),
        })))
    }

    /// `copy.deepcopy`.
    pub(super) fn copy_deep(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        let mut known = Vec::new();
        self.copy_within(site, value, &mut known)
    }

    fn copy_within(
        &mut self,
        site: Site<'_>,
        value: &Value,
        copies: &mut Vec<(Value, Value)>,
    ) -> Result<Value, Halt> {
        self.tick(site)?;
        if let Some((_, copy)) = copies.iter().find(|(original, _)| original.is(value)) {
            return Ok(copy.clone());
        }
        self.work(site, copies.len() / 4)?;
        self.deeper(site, |own| match value {
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let copy = Value::list(Vec::new());
                copies.push((value.clone(), copy.clone()));
                let items = list.items.borrow().clone();
                for item in &items {
                    let item = own.copy_within(site, item, copies)?;
                    if let Value::List(copy) = &copy {
                        copy.items.borrow_mut().push(item);
                    }
                }
                Ok(copy)
            }
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let copy = Rc::new(Dict::default());
                copies.push((value.clone(), Value::Dict(Rc::clone(&copy))));
                let entries: Vec<(Value, Value)> = dict.entries.borrow().values().cloned().collect();
                for (key, value) in &entries {
                    let key = own.copy_within(site, key, copies)?;
                    let value = own.copy_within(site, value, copies)?;
                    own.insert(site, &copy, key, value)?;
                }
                Ok(Value::Dict(copy))
            }
            Value::Tuple(items) => {
                let mut copied = Vec::new();
                for item in items.iter() {
                    copied.push(own.copy_within(site, item, copies)?);
                }
                let unchanged = copied.iter().zip(items.iter()).all(|(copy, item)| copy.is(item));
                Ok(if unchanged { value.clone() } else { Value::tuple(copied) })
            }
            Value::Instance(instance) => {
                let copy = Self::copied(site, instance)?;
                copies.push((value.clone(), copy.clone()));
                let Value::Instance(copied) = &copy else { return Err(site.not_run()) };
                let Some(fields) = &copied.fields else { return Err(site.not_run()) };
                let before = fields.borrow().clone();
                for (name, field) in before {
                    let field = own.copy_within(site, &field, copies)?;
                    fields.borrow_mut().insert(name, field);
                }
                Ok(copy)
            }
            other => own.copy_shallow(site, other),
        })
    }
}
