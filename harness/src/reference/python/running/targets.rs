//! What assignments, augmented assignments and `del` bind, change and unbind.
//!
//! Knows targets; the values come from expressions.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use ruff_python_ast::{self as ast, Expr};

use super::super::exception::Halt;
use super::super::interpreter::{Frame, Interpreter};
use super::super::value::Value;
use super::site::Site;

impl Interpreter<'_> {
    /// Binds a target to a value.
    pub(in super::super) fn assign_target(
        &mut self,
        frame: &Frame,
        target: &Expr,
        value: Value,
    ) -> Result<(), Halt> {
        match target {
            Expr::Name(name) => {
                Self::bind_name(&frame.scope, &name.id, value);
                Ok(())
            }
            Expr::Tuple(tuple) => self.unpack_into(frame, &tuple.elts, frame.at(target), &value),
            Expr::List(list) => self.unpack_into(frame, &list.elts, frame.at(target), &value),
            Expr::Attribute(attribute) => {
                let object = self.run_expression(frame, &attribute.value)?;
                self.store_attribute(frame.at(target), &object, &attribute.attr, value)
            }
            Expr::Subscript(subscript) => {
                let object = self.run_expression(frame, &subscript.value)?;
                if let Expr::Slice(slice) = subscript.slice.as_ref() {
                    return self.store_slice(frame, slice, &object, &value);
                }
                let index = self.run_expression(frame, &subscript.slice)?;
                self.store_item(frame.at(target), &object, &index, value)
            }
            Expr::Starred(starred) => self.assign_target(frame, &starred.value, value),
            other => Err(frame.at(other).not_run()),
        }
    }

    fn unpack_into(
        &mut self,
        frame: &Frame,
        targets: &[Expr],
        site: Site<'_>,
        value: &Value,
    ) -> Result<(), Halt> {
        let star = targets.iter().position(Expr::is_starred_expr);
        let wanted = targets.len() - usize::from(star.is_some());
        let iterator = match self.iterator_of(site, value) {
            Err(Halt::Raised(raised)) if raised.message.ends_with("object is not iterable") => {
                let message = format!("cannot unpack non-iterable {} object", value.class_name());
                return Err(site.type_error(message));
            }
            iterator => iterator?,
        };
        let mut items = Vec::new();
        while let Some(item) = self.next_item(site, &iterator)? {
            self.tick(site)?;
            items.push(item);
            if star.is_none() && items.len() > wanted {
                return Err(site.value_error(format!("too many values to unpack (expected {wanted})")));
            }
        }
        if items.len() < wanted {
            let at_least = if star.is_some() { "at least " } else { "" };
            let message =
                format!("not enough values to unpack (expected {at_least}{wanted}, got {})", items.len());
            return Err(site.value_error(message));
        }
        let spare = items.len() - wanted;
        let mut items = items.into_iter();
        for (position, target) in targets.iter().enumerate() {
            let part = if star == Some(position) {
                Value::list(items.by_ref().take(spare).collect())
            } else {
                items.next().unwrap_or(Value::None)
            };
            self.assign_target(frame, target, part)?;
        }
        Ok(())
    }

    /// `target += value` and its like: the parts of the target are evaluated once.
    pub(super) fn augment(&mut self, frame: &Frame, statement: &ast::StmtAugAssign) -> Result<(), Halt> {
        let site = frame.at(statement);
        match statement.target.as_ref() {
            Expr::Name(name) => {
                let current = Self::look_up(frame.at(name), &name.id)?;
                let value = self.augmented(frame, statement, &current)?;
                Self::bind_name(&frame.scope, &name.id, value);
                Ok(())
            }
            Expr::Attribute(attribute) => {
                let object = self.run_expression(frame, &attribute.value)?;
                let current = self.load_attribute(frame.at(attribute), &object, &attribute.attr)?;
                let value = self.augmented(frame, statement, &current)?;
                self.store_attribute(site, &object, &attribute.attr, value)
            }
            Expr::Subscript(subscript) if !subscript.slice.is_slice_expr() => {
                let object = self.run_expression(frame, &subscript.value)?;
                let index = self.run_expression(frame, &subscript.slice)?;
                let current = self.load_item(frame.at(subscript), &object, &index)?;
                let value = self.augmented(frame, statement, &current)?;
                self.store_item(site, &object, &index, value)
            }
            other => Err(frame.at(other).not_run()),
        }
    }

    fn augmented(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtAugAssign,
        current: &Value,
    ) -> Result<Value, Halt> {
        let operand = self.run_expression(frame, &statement.value)?;
        self.operate_in_place(frame.at(statement), statement.op, current, &operand)
    }

    /// `del target`.
    pub(super) fn delete_target(&mut self, frame: &Frame, target: &Expr) -> Result<(), Halt> {
        let site = frame.at(target);
        match target {
            Expr::Name(name) => Self::unbind_name(site, &name.id),
            Expr::Tuple(tuple) => tuple.elts.iter().try_for_each(|one| self.delete_target(frame, one)),
            Expr::List(list) => list.elts.iter().try_for_each(|one| self.delete_target(frame, one)),
            Expr::Attribute(attribute) => {
                let object = self.run_expression(frame, &attribute.value)?;
                Self::delete_attribute(site, &object, &attribute.attr)
            }
            Expr::Subscript(subscript) => {
                let object = self.run_expression(frame, &subscript.value)?;
                if let Expr::Slice(slice) = subscript.slice.as_ref() {
                    return self.store_slice(frame, slice, &object, &Value::list(Vec::new()));
                }
                let index = self.run_expression(frame, &subscript.slice)?;
                self.delete_item(site, &object, &index)
            }
            _ => Err(site.not_run()),
        }
    }
}
