//! Expressions of running code.
//!
//! One value for one expression; what is not run ends the run.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, BoolOp, Expr, UnaryOp};
use ruff_text_size::Ranged;

use super::super::exception::Halt;
use super::super::interpreter::{Frame, Interpreter};
use super::super::value::{Dict, Value};
use super::site::Site;

impl Interpreter<'_> {
    /// Evaluates an expression of running code.
    pub(in super::super) fn run_expression(
        &mut self,
        frame: &Frame,
        expression: &Expr,
    ) -> Result<Value, Halt> {
        let site = frame.at(expression);
        self.tick(site)?;
        self.look_at_stack(site)?;
        match self.run_node(frame, expression)? {
            Value::Unknown(unknown) => Err(Halt::GaveUp(unknown)),
            Value::Opaque(path) => {
                Ok(super::standard_functions::constant(&path).unwrap_or(Value::Opaque(path)))
            }
            known => Ok(known),
        }
    }

    fn run_node(&mut self, frame: &Frame, expression: &Expr) -> Result<Value, Halt> {
        match expression {
            Expr::Name(name) => Self::look_up(frame.at(name), &name.id),
            Expr::StringLiteral(literal) => Ok(Value::text(literal.value.to_str())),
            Expr::NumberLiteral(literal) => match &literal.value {
                ast::Number::Int(integer) => match integer.as_i64() {
                    Some(integer) => Ok(Value::Int(integer)),
                    None => Err(frame.at(literal).outside("an integer beyond 64 bits is not run")),
                },
                ast::Number::Float(float) => Ok(Value::Float(*float)),
                ast::Number::Complex { .. } => Err(frame.at(literal).outside("a complex number is not run")),
            },
            Expr::BooleanLiteral(literal) => Ok(Value::Bool(literal.value)),
            Expr::NoneLiteral(_) => Ok(Value::None),
            Expr::EllipsisLiteral(_) => Ok(Value::Opaque(Rc::from("..."))),
            Expr::Call(call) => self.run_call_expression(frame, call),
            Expr::Attribute(attribute) => {
                let object = self.run_expression(frame, &attribute.value)?;
                self.load_attribute(frame.at(attribute), &object, &attribute.attr)
            }
            Expr::BinOp(operation) => {
                let left = self.run_expression(frame, &operation.left)?;
                let right = self.run_expression(frame, &operation.right)?;
                self.operate(frame.at(operation), operation.op, &left, &right)
            }
            Expr::Compare(comparison) => self.compare_chain(frame, comparison),
            Expr::BoolOp(operation) => self.boolean_operation(frame, operation),
            Expr::Await(awaited) => {
                let value = self.run_expression(frame, &awaited.value)?;
                self.run_await(frame.at(awaited), &value)
            }
            Expr::Subscript(subscript) => self.run_subscript(frame, subscript),
            other => self.run_other(frame, other),
        }
    }

    fn run_other(&mut self, frame: &Frame, expression: &Expr) -> Result<Value, Halt> {
        match expression {
            Expr::FString(literal) => self.run_f_string(frame, literal),
            Expr::Tuple(tuple) => Ok(Value::Tuple(self.displayed(frame, &tuple.elts)?.into())),
            Expr::List(list) => Ok(Value::list(self.displayed(frame, &list.elts)?)),
            Expr::Set(set) => {
                let items = self.displayed(frame, &set.elts)?;
                self.make_set(frame.at(set), items, false)
            }
            Expr::Dict(dict) => self.run_dict(frame, dict),
            Expr::UnaryOp(operation) => {
                let operand = self.run_expression(frame, &operation.operand)?;
                match operation.op {
                    UnaryOp::Not => Ok(Value::Bool(!self.is_true(frame.at(operation), &operand)?)),
                    operator => self.operate_on_one(frame.at(operation), operator, &operand),
                }
            }
            Expr::If(choice) => {
                let chosen = if self.holds(frame, &choice.test)? { &choice.body } else { &choice.orelse };
                self.run_expression(frame, chosen)
            }
            Expr::Named(named) => {
                let value = self.run_expression(frame, &named.value)?;
                if let Expr::Name(name) = named.target.as_ref() {
                    Self::bind_name(&frame.scope.named_scope(), &name.id, value.clone());
                }
                Ok(value)
            }
            Expr::Lambda(lambda) => self.lambda(frame, lambda),
            Expr::ListComp(comprehension) => self.run_list_comprehension(frame, comprehension),
            Expr::SetComp(comprehension) => self.run_set_comprehension(frame, comprehension),
            Expr::DictComp(comprehension) => self.run_dict_comprehension(frame, comprehension),
            Expr::Generator(generator) => self.run_generator(frame, generator),
            Expr::Starred(starred) => Err(frame.at(starred).not_run()),
            Expr::BytesLiteral(literal) => Err(frame.at(literal).outside("`bytes` is not run")),
            Expr::Yield(expression) => Err(frame.at(expression).outside("`yield` is not run")),
            Expr::YieldFrom(expression) => Err(frame.at(expression).outside("`yield from` is not run")),
            other => Err(frame.at(other).not_run()),
        }
    }

    /// The items of a display.
    pub(super) fn displayed(&mut self, frame: &Frame, elements: &[Expr]) -> Result<Vec<Value>, Halt> {
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Expr::Starred(starred) => {
                    let iterated = self.run_expression(frame, &starred.value)?;
                    items.extend(self.collect(frame.at(starred), &iterated)?);
                }
                element => items.push(self.run_expression(frame, element)?),
            }
        }
        self.work(
            Site { frame, range: elements.first().map(Ranged::range).unwrap_or_default() },
            items.len(),
        )?;
        Ok(items)
    }

    fn run_dict(&mut self, frame: &Frame, display: &ast::ExprDict) -> Result<Value, Halt> {
        let dict = Rc::new(Dict::default());
        for item in &display.items {
            match &item.key {
                Some(key) => {
                    let site = frame.at(key);
                    let key = self.run_expression(frame, key)?;
                    let value = self.run_expression(frame, &item.value)?;
                    self.insert(site, &dict, key, value)?;
                }
                None => {
                    let site = frame.at(&item.value);
                    let other = self.run_expression(frame, &item.value)?;
                    let Value::Dict(other) = &other else {
                        let message = format!("'{}' object is not a mapping", other.class_name());
                        return Err(site.type_error(message));
                    };
                    self.merge(site, &dict, other)?;
                }
            }
        }
        Ok(Value::Dict(dict))
    }

    fn boolean_operation(&mut self, frame: &Frame, operation: &ast::ExprBoolOp) -> Result<Value, Halt> {
        let stops = operation.op == BoolOp::Or;
        let mut value = Value::None;
        for (position, operand) in operation.values.iter().enumerate() {
            value = self.run_expression(frame, operand)?;
            let is_last = position + 1 == operation.values.len();
            if !is_last && self.is_true(frame.at(operand), &value)? == stops {
                break;
            }
        }
        Ok(value)
    }

    fn compare_chain(&mut self, frame: &Frame, comparison: &ast::ExprCompare) -> Result<Value, Halt> {
        let site = frame.at(comparison);
        let mut left = self.run_expression(frame, &comparison.left)?;
        let last = comparison.ops.len().saturating_sub(1);
        let mut result = Value::Bool(true);
        for (position, (operator, right)) in comparison.ops.iter().zip(&comparison.comparators).enumerate() {
            let right = self.run_expression(frame, right)?;
            result = self.compare_values(site, *operator, &left, &right)?;
            if position != last && !self.is_true(site, &result)? {
                break;
            }
            left = right;
        }
        Ok(result)
    }

    fn run_f_string(&mut self, frame: &Frame, literal: &ast::ExprFString) -> Result<Value, Halt> {
        let mut text = String::new();
        for part in &literal.value {
            match part {
                ast::FStringPart::Literal(literal) => text.push_str(&literal.value),
                ast::FStringPart::FString(part) => self.interpolate(frame, &part.elements, &mut text)?,
            }
        }
        self.work(frame.at(literal), text.len())?;
        Ok(Value::text(&text))
    }

    fn interpolate(
        &mut self,
        frame: &Frame,
        elements: &ast::InterpolatedStringElements,
        text: &mut String,
    ) -> Result<(), Halt> {
        for element in elements {
            let interpolation = match element {
                ast::InterpolatedStringElement::Literal(literal) => {
                    text.push_str(&literal.value);
                    continue;
                }
                ast::InterpolatedStringElement::Interpolation(interpolation) => interpolation,
            };
            let site = frame.at(interpolation);
            let value = self.run_expression(frame, &interpolation.expression)?;
            let mut conversion = interpolation.conversion;
            if let Some(debug) = &interpolation.debug_text {
                text.push_str(debug.leading());
                text.push_str(debug.expression());
                text.push_str(debug.trailing());
                if conversion == ast::ConversionFlag::None && interpolation.format_spec.is_none() {
                    conversion = ast::ConversionFlag::Repr;
                }
            }
            let value = match conversion {
                ast::ConversionFlag::None => value,
                ast::ConversionFlag::Str => Value::text(&self.show(site, &value)?),
                ast::ConversionFlag::Repr => Value::text(&self.represent(site, &value)?),
                ast::ConversionFlag::Ascii => return Err(site.outside("`!a` is not run")),
            };
            let mut specification = String::new();
            if let Some(format) = &interpolation.format_spec {
                self.interpolate(frame, &format.elements, &mut specification)?;
            }
            let shown = self.format_value(site, &value, &specification)?;
            self.work(site, text.len().saturating_add(shown.len()))?;
            text.push_str(&shown);
        }
        Ok(())
    }
}
