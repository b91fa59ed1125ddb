//! Comparisons of running code: equality, order, membership, identity.
//!
//! Knows what the built-in types and the special methods make of a comparison.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cmp::Ordering;
use std::rc::Rc;

use ruff_python_ast::CmpOp;

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::iterating::known;
use super::numbers::Number;
use super::operators::{is_not_implemented, is_set_like};
use super::site::Site;

impl Interpreter<'_> {
    /// `left operator right`.
    pub(super) fn compare_values(
        &mut self,
        site: Site<'_>,
        operator: CmpOp,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        Ok(Value::Bool(match operator {
            CmpOp::Is => same(site, left, right)?,
            CmpOp::IsNot => !same(site, left, right)?,
            CmpOp::Eq => return self.compare_equal(site, left, right),
            CmpOp::NotEq => {
                if let Some(method) = self.special(site, left, "__ne__")? {
                    let result = self.run_call(site, &method, Arguments::one(right.clone()))?;
                    if !is_not_implemented(&result) {
                        return Ok(result);
                    }
                }
                !self.equal(site, left, right)?
            }
            CmpOp::In => self.contains_item(site, right, left)?,
            CmpOp::NotIn => !self.contains_item(site, right, left)?,
            CmpOp::Lt | CmpOp::LtE | CmpOp::Gt | CmpOp::GtE => {
                return self.compare_order(site, operator, left, right);
            }
        }))
    }

    /// Whether two values are equal.
    pub(super) fn equal(&mut self, site: Site<'_>, left: &Value, right: &Value) -> Result<bool, Halt> {
        let result = self.compare_equal(site, left, right)?;
        self.is_true(site, &result)
    }

    /// Whether two items of containers are equal: what is the same object is.
    pub(super) fn equal_items(&mut self, site: Site<'_>, left: &Value, right: &Value) -> Result<bool, Halt> {
        Ok(left.is(right) || self.equal(site, left, right)?)
    }

    fn compare_equal(&mut self, site: Site<'_>, left: &Value, right: &Value) -> Result<Value, Halt> {
        for (object, other) in [(left, right), (right, left)] {
            let Some(method) = self.special(site, object, "__eq__")? else { continue };
            let result = self.run_call(site, &method, Arguments::one(other.clone()))?;
            if !is_not_implemented(&result) {
                return Ok(result);
            }
        }
        let (left, right) = (&Self::unmixed(left), &Self::unmixed(right));
        if let (Some(left), Some(right)) = (Number::of(left), Number::of(right)) {
            return Ok(Value::Bool(left.compare(right) == Some(Ordering::Equal)));
        }
        Ok(Value::Bool(match (left, right) {
            (Value::Text(left), Value::Text(right)) => left == right,
            (Value::List(one), Value::List(other)) => {
                known(site, one.tainted.get() || other.tainted.get())?;
                let (one, other) = (one.items.borrow().clone(), other.items.borrow().clone());
                self.deeper(site, |own| own.equal_sequences(site, &one, &other))?
            }
            (Value::Tuple(one), Value::Tuple(other)) => {
                self.deeper(site, |own| own.equal_sequences(site, one, other))?
            }
            (Value::Dict(one), Value::Dict(other)) => {
                known(site, one.tainted.get() || other.tainted.get())?;
                if one.entries.borrow().len() != other.entries.borrow().len() {
                    return Ok(Value::Bool(false));
                }
                let entries = one.entries.borrow().clone();
                for (key, (_, value)) in entries {
                    self.tick(site)?;
                    let found = other.entries.borrow().get(&key).map(|(_, value)| value.clone());
                    let Some(found) = found else { return Ok(Value::Bool(false)) };
                    if !self.deeper(site, |own| own.equal_items(site, &value, &found))? {
                        return Ok(Value::Bool(false));
                    }
                }
                true
            }
            (one, other) if is_set_like(one) && is_set_like(other) => {
                let (one, other) = (self.set_items(site, one)?, self.set_items(site, other)?);
                one.len() == other.len() && one.keys().all(|key| other.contains_key(key))
            }
            (Value::Range(one), Value::Range(other)) => {
                one.length() == other.length()
                    && (one.length() == 0
                        || one.start == other.start && (one.length() == 1 || one.step == other.step))
            }
            (Value::Instance(one), Value::Instance(other)) if Rc::ptr_eq(&one.class, &other.class) => {
                match Self::compared_fields(one) {
                    Some(names) if !Rc::ptr_eq(one, other) => {
                        let values = Self::field_values(site, one, &names)?;
                        let others = Self::field_values(site, other, &names)?;
                        self.deeper(site, |own| own.equal_sequences(site, &values, &others))?
                    }
                    _ => Rc::ptr_eq(one, other),
                }
            }
            (Value::Opaque(one), Value::Opaque(other)) if one == other => true,
            (Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) | Value::Form(_), _)
            | (_, Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) | Value::Form(_))
                if !matches!((left, right), (Value::None, _) | (_, Value::None)) =>
            {
                return Err(site.outside("how this compares is not known"));
            }
            (left, right) => left.is(right),
        }))
    }

    fn equal_sequences(&mut self, site: Site<'_>, left: &[Value], right: &[Value]) -> Result<bool, Halt> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (left, right) in left.iter().zip(right) {
            self.tick(site)?;
            if !self.equal_items(site, left, right)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn compare_order(
        &mut self,
        site: Site<'_>,
        operator: CmpOp,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Halt> {
        let (name, reflected) = match operator {
            CmpOp::Lt => ("__lt__", "__gt__"),
            CmpOp::LtE => ("__le__", "__ge__"),
            CmpOp::Gt => ("__gt__", "__lt__"),
            _ => ("__ge__", "__le__"),
        };
        for (object, other, name) in [(left, right, name), (right, left, reflected)] {
            let Some(method) = self.special(site, object, name)? else { continue };
            let result = self.run_call(site, &method, Arguments::one(other.clone()))?;
            if !is_not_implemented(&result) {
                return Ok(result);
            }
        }
        let holds = |order: Option<Ordering>| {
            order.is_some_and(|order| match operator {
                CmpOp::Lt => order.is_lt(),
                CmpOp::LtE => order.is_le(),
                CmpOp::Gt => order.is_gt(),
                _ => order.is_ge(),
            })
        };
        let (plain_left, plain_right) = (Self::unmixed(left), Self::unmixed(right));
        if let (Some(left), Some(right)) = (Number::of(&plain_left), Number::of(&plain_right)) {
            return Ok(Value::Bool(holds(left.compare(right))));
        }
        match (&plain_left, &plain_right) {
            (Value::Text(left), Value::Text(right)) => Ok(Value::Bool(holds(Some(left.cmp(right))))),
            (Value::List(one), Value::List(other)) => {
                known(site, one.tainted.get() || other.tainted.get())?;
                let (one, other) = (one.items.borrow().clone(), other.items.borrow().clone());
                self.deeper(site, |own| own.order_sequences(site, operator, &one, &other))
            }
            (Value::Tuple(one), Value::Tuple(other)) => {
                self.deeper(site, |own| own.order_sequences(site, operator, one, other))
            }
            (one, other) if is_set_like(one) && is_set_like(other) => {
                let (one, other) = (self.set_items(site, one)?, self.set_items(site, other)?);
                let within = one.keys().all(|key| other.contains_key(key));
                let around = other.keys().all(|key| one.contains_key(key));
                Ok(Value::Bool(match operator {
                    CmpOp::Lt => within && !around,
                    CmpOp::LtE => within,
                    CmpOp::Gt => around && !within,
                    _ => around,
                }))
            }
            (Value::Instance(one), Value::Instance(other)) if Rc::ptr_eq(&one.class, &other.class) => {
                let ordered = one.class.dataclass.borrow().is_some_and(|told| told.order);
                match Self::compared_fields(one).filter(|_| ordered) {
                    Some(names) => {
                        let values = Self::field_values(site, one, &names)?;
                        let others = Self::field_values(site, other, &names)?;
                        self.deeper(site, |own| own.order_sequences(site, operator, &values, &others))
                    }
                    None => Err(unordered(site, operator, left, right)),
                }
            }
            _ => Err(unordered(site, operator, left, right)),
        }
    }

    fn order_sequences(
        &mut self,
        site: Site<'_>,
        operator: CmpOp,
        left: &[Value],
        right: &[Value],
    ) -> Result<Value, Halt> {
        for (left, right) in left.iter().zip(right) {
            self.tick(site)?;
            if !self.equal_items(site, left, right)? {
                return self.compare_order(site, operator, left, right);
            }
        }
        let order = left.len().cmp(&right.len());
        Ok(Value::Bool(match operator {
            CmpOp::Lt => order.is_lt(),
            CmpOp::LtE => order.is_le(),
            CmpOp::Gt => order.is_gt(),
            _ => order.is_ge(),
        }))
    }

    /// `left < right`, for sorting.
    pub(super) fn less(&mut self, site: Site<'_>, left: &Value, right: &Value) -> Result<bool, Halt> {
        let result = self.compare_order(site, CmpOp::Lt, left, right)?;
        self.is_true(site, &result)
    }

    fn contains_item(&mut self, site: Site<'_>, container: &Value, item: &Value) -> Result<bool, Halt> {
        match container {
            Value::Text(text) => match Self::unmixed(item) {
                Value::Text(part) => {
                    self.work(site, text.len())?;
                    Ok(text.contains(&*part))
                }
                other => Err(site.type_error(format!(
                    "'in <string>' requires string as left operand, not {}",
                    other.class_name()
                ))),
            },
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let key = Self::hash_key(site, item)?;
                Ok(dict.entries.borrow().contains_key(&key))
            }
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                let key = match item {
                    // A set is looked for as the frozen one that is equal to it.
                    Value::Set(_) => {
                        let items = self.collect(site, item)?;
                        let frozen = self.make_set(site, items, true)?;
                        Self::hash_key(site, &frozen)?
                    }
                    item => Self::hash_key(site, item)?,
                };
                Ok(set.items.borrow().contains_key(&key))
            }
            Value::View(view) if view.kind == super::super::containers::ViewKind::Keys => {
                self.contains_item(site, &Value::Dict(Rc::clone(&view.dict)), item)
            }
            Value::Range(range) => match Number::of(item) {
                Some(Number::Int(number)) => Ok(range.contains(number)),
                Some(Number::Float(number)) => match super::numbers::whole(site, number) {
                    Ok(Value::Int(whole)) if number.fract() == 0.0 => Ok(range.contains(whole)),
                    _ => Ok(false),
                },
                None => Ok(false),
            },
            Value::Instance(_) => match self.special(site, container, "__contains__")? {
                Some(method) => {
                    let found = self.run_call(site, &method, Arguments::one(item.clone()))?;
                    self.is_true(site, &found)
                }
                None => self.contains_by_iterating(site, container, item),
            },
            Value::Member(member) if member.is_mixed() => {
                self.contains_item(site, &member.value.clone(), item)
            }
            Value::Class(class) if Self::enumerated(class).is_some() => match item {
                Value::Member(member) => Ok(Rc::ptr_eq(&member.class, class)),
                // Up to 3.11 this is a TypeError, from 3.12 on it looks at the values.
                _ => Err(site.not_run()),
            },
            other => self.contains_by_iterating(site, other, item),
        }
    }

    fn contains_by_iterating(
        &mut self,
        site: Site<'_>,
        container: &Value,
        item: &Value,
    ) -> Result<bool, Halt> {
        let iterator = match self.iterator_of(site, container) {
            Err(Halt::Raised(raised)) if raised.message.ends_with("object is not iterable") => {
                let message = format!("argument of type '{}' is not iterable", container.class_name());
                return Err(site.type_error(message));
            }
            iterator => iterator?,
        };
        while let Some(candidate) = self.next_item(site, &iterator)? {
            self.tick(site)?;
            if self.equal_items(site, &candidate, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `left is right`, where Python has one answer.
fn same(site: Site<'_>, left: &Value, right: &Value) -> Result<bool, Halt> {
    match (left, right) {
        (
            Value::Int(_) | Value::Float(_) | Value::Text(_),
            Value::Int(_) | Value::Float(_) | Value::Text(_),
        ) if left.key() == right.key() => {
            Err(site.outside("whether equal numbers or texts are one object is not known"))
        }
        (Value::Unknown(_) | Value::Made(_), _) | (_, Value::Unknown(_) | Value::Made(_)) => {
            Err(site.outside("whether these are one object is not known"))
        }
        (Value::Tuple(left), Value::Tuple(right)) if left.is_empty() && right.is_empty() => Ok(true),
        (Value::None, Value::Type(_)) | (Value::Type(_), Value::None) => Ok(false),
        _ => Ok(left.is(right)),
    }
}

fn unordered(site: Site<'_>, operator: CmpOp, left: &Value, right: &Value) -> Halt {
    let ordered = |value: &Value| match value {
        Value::Instance(instance) => {
            ["__lt__", "__le__", "__gt__", "__ge__"].iter().any(|name| instance.class.find(name).is_some())
        }
        Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => true,
        _ => false,
    };
    // Some decorator may have added the missing comparisons.
    if ordered(left) || ordered(right) {
        return site.outside("this comparison is not run");
    }
    let message = format!(
        "'{}' not supported between instances of '{}' and '{}'",
        operator.as_str(),
        left.class_name(),
        right.class_name()
    );
    site.type_error(message)
}
