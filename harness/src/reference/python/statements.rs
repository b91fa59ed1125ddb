//! Statements.
//!
//! Runs one statement after the other; a branch nobody can decide taints what it may bind.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;

use super::exception::{Halt, RaisedClass};
use super::form::Form;
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::scope::ScopeKind;
use super::value::Value;

/// How a statement ends when it does not stop the evaluation.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    /// The next statement runs.
    Next,
    /// The function returns.
    Return(Value),
    /// The loop ends.
    Break,
    /// The loop goes on with its next round.
    Continue,
}

impl Interpreter<'_> {
    /// Runs statements until one of them ends the block.
    pub(super) fn run_block(&mut self, frame: &Frame, body: &[Stmt]) -> Result<Flow, Halt> {
        if self.running.is_some() {
            return self.run_statements(frame, body);
        }
        for statement in body {
            let flow = self
                .step(frame, statement.range())
                .and_then(|()| self.nested(frame, statement.range(), |own| own.run(frame, statement)));
            match flow {
                Ok(Flow::Next) => {}
                // Outside functions, what cannot be read costs only the names it binds.
                Err(Halt::GaveUp(unknown)) if frame.scope.kind != ScopeKind::Function => {
                    self.forget(frame, std::slice::from_ref(statement), &unknown);
                }
                ended => return ended,
            }
        }
        Ok(Flow::Next)
    }

    fn run(&mut self, frame: &Frame, statement: &Stmt) -> Result<Flow, Halt> {
        match statement {
            Stmt::FunctionDef(definition) => self.define_function(frame, definition)?,
            Stmt::ClassDef(definition) => self.define_class(frame, definition)?,
            Stmt::Return(statement) => {
                let value = match &statement.value {
                    Some(value) => self.evaluate(frame, value)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            Stmt::Delete(statement) => self.delete(frame, &statement.targets)?,
            Stmt::TypeAlias(statement) => {
                if let Expr::Name(name) = statement.name.as_ref() {
                    frame
                        .scope
                        .assign(&name.id, Value::Form(Rc::new(Form::Other(Rc::from(name.id.as_str())))));
                }
            }
            Stmt::Assign(statement) => {
                let value = self.evaluate(frame, &statement.value)?;
                for target in &statement.targets {
                    self.assign(frame, target, value.clone())?;
                }
            }
            Stmt::AugAssign(statement) => {
                let current = self.evaluate(frame, &statement.target)?;
                let operand = self.evaluate(frame, &statement.value)?;
                if let Value::Set(_) = current {
                    current.taint();
                }
                let value = self.binary(frame, statement.range, statement.op, &current, &operand)?;
                self.assign(frame, &statement.target, value)?;
            }
            Stmt::AnnAssign(statement) => self.annotated_assignment(frame, statement)?,
            Stmt::For(statement) => return self.run_for(frame, statement),
            Stmt::While(statement) => return self.run_while(frame, statement),
            Stmt::If(statement) => return self.run_if(frame, statement),
            Stmt::With(statement) => return self.run_with(frame, statement),
            Stmt::Match(statement) => return self.run_match(frame, statement),
            Stmt::Try(statement) => return self.run_try(frame, statement),
            Stmt::Raise(statement) => return Err(self.raise_statement(frame, statement)?),
            Stmt::Assert(statement) => {
                let holds = self.evaluate(frame, &statement.test)?.truth();
                if holds == Some(false) {
                    return Err(raise("AssertionError", String::new(), &frame.place(statement.range)));
                }
                if holds.is_none() {
                    self.doubt();
                }
            }
            Stmt::Import(statement) => self.run_import(frame, statement)?,
            Stmt::ImportFrom(statement) => self.run_import_from(frame, statement)?,
            Stmt::Global(statement) => {
                let names = statement.names.iter().map(|name| Rc::from(name.as_str()));
                frame.scope.globals.borrow_mut().extend(names);
            }
            Stmt::Nonlocal(statement) => {
                let names = statement.names.iter().map(|name| Rc::from(name.as_str()));
                frame.scope.nonlocals.borrow_mut().extend(names);
            }
            Stmt::Expr(statement) => {
                self.evaluate(frame, &statement.value)?;
            }
            Stmt::Break(_) => return Ok(Flow::Break),
            Stmt::Continue(_) => return Ok(Flow::Continue),
            Stmt::Pass(_) | Stmt::IpyEscapeCommand(_) => {}
        }
        Ok(Flow::Next)
    }

    fn delete(&mut self, frame: &Frame, targets: &[Expr]) -> Result<(), Halt> {
        for target in targets {
            match target {
                Expr::Name(name)
                    if !frame.scope.remove(&name.id) && frame.scope.anything.borrow().is_none() =>
                {
                    let message = format!("name '{}' is not defined", name.id);
                    return Err(raise("NameError", message, &frame.place(name.range)));
                }
                Expr::Subscript(subscript) => self.evaluate(frame, &subscript.value)?.taint(),
                Expr::Tuple(tuple) => self.delete(frame, &tuple.elts)?,
                Expr::List(list) => self.delete(frame, &list.elts)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn annotated_assignment(&mut self, frame: &Frame, statement: &ast::StmtAnnAssign) -> Result<(), Halt> {
        frame.note_annotation(statement);
        // Python evaluates these annotations in modules and classes, never in functions.
        if frame.scope.kind != ScopeKind::Function && !frame.file.postponed_annotations {
            self.evaluate(frame, &statement.annotation)?;
        }
        if let Some(value) = &statement.value {
            let value = self.evaluate(frame, value)?;
            self.assign(frame, &statement.target, value)?;
        }
        Ok(())
    }

    fn raise_statement(&mut self, frame: &Frame, statement: &ast::StmtRaise) -> Result<Halt, Halt> {
        let place = frame.place(statement.range);
        let Some(exception) = &statement.exc else {
            return Ok(match &frame.handling {
                Some(raised) => Halt::Raised(Rc::clone(raised)),
                None => raise("RuntimeError", "No active exception to reraise".to_owned(), &place),
            });
        };
        let value = self.evaluate(frame, exception)?;
        if let Some(cause) = &statement.cause {
            self.evaluate(frame, cause)?;
        }
        let object = matches!(value, Value::Instance(_)).then(|| value.clone());
        let (class, message) = match value {
            Value::Exception(exception) => {
                let message = exception.message.as_deref().unwrap_or_default().to_owned();
                (RaisedClass::Builtin(Rc::clone(&exception.class)), message)
            }
            Value::Class(class) => (RaisedClass::Project(class), String::new()),
            Value::Instance(instance) => {
                let message =
                    instance.arguments.borrow().first().and_then(super::methods::display).unwrap_or_default();
                (RaisedClass::Project(Rc::clone(&instance.class)), message)
            }
            _ => (RaisedClass::Unknown, frame.file.excerpt(exception.range()).to_owned()),
        };
        Ok(Halt::Raised(Rc::new(super::exception::Raised { class, message, place, value: object })))
    }

    pub(super) fn run_import(&mut self, frame: &Frame, statement: &ast::StmtImport) -> Result<(), Halt> {
        for alias in &statement.names {
            let dotted = alias.name.as_str();
            let module = self.import(dotted, &frame.place(alias.range))?;
            match &alias.asname {
                Some(name) => frame.scope.assign(name, module),
                None => {
                    let root = dotted.split('.').next().unwrap_or(dotted);
                    let module = self.import(root, &frame.place(alias.range))?;
                    frame.scope.assign(root, module);
                }
            }
        }
        Ok(())
    }

    pub(super) fn run_import_from(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtImportFrom,
    ) -> Result<(), Halt> {
        let name = statement.module.as_ref().map(ast::Identifier::as_str);
        if name == Some("__future__") {
            return Ok(());
        }
        let place = frame.place(statement.range);
        let dotted = Self::resolve_relative(&frame.module, statement.level, name, &place)?;
        let module = self.import(&dotted, &place)?;
        for alias in &statement.names {
            if alias.name.as_str() == "*" {
                self.import_everything(frame, &module, &dotted, alias)?;
                continue;
            }
            let place = frame.place(alias.range);
            let value = self.import_from(&module, &dotted, &alias.name, &place)?;
            frame.scope.assign(alias.asname.as_ref().unwrap_or(&alias.name), value);
        }
        Ok(())
    }

    fn import_everything(
        &mut self,
        frame: &Frame,
        module: &Value,
        dotted: &str,
        alias: &ast::Alias,
    ) -> Result<(), Halt> {
        let place = frame.place(alias.range);
        let Value::Module(module) = module else {
            let why = format!("`from {dotted} import *` cannot be read");
            let unknown = self.unknown_at(place, why);
            if let Value::Unknown(unknown) = unknown {
                *frame.scope.anything.borrow_mut() = Some(unknown);
            }
            self.doubt();
            return Ok(());
        };
        let listed = module.scope.bindings.borrow().get("__all__").cloned();
        let names: Vec<Rc<str>> = match self.known_items(listed.as_ref()) {
            Some(items) => items
                .iter()
                .filter_map(|item| if let Value::Text(name) = item { Some(Rc::clone(name)) } else { None })
                .collect(),
            None => {
                let bindings = module.scope.bindings.borrow();
                bindings.keys().filter(|name| !name.starts_with('_')).cloned().collect()
            }
        };
        for name in names {
            let value = self.import_from(&Value::Module(Rc::clone(module)), dotted, &name, &place)?;
            frame.scope.assign(&name, value);
        }
        let anything = module.scope.anything.borrow().clone();
        if anything.is_some() {
            *frame.scope.anything.borrow_mut() = anything;
        }
        Ok(())
    }

    /// Binds a target to a value.
    pub(super) fn assign(&mut self, frame: &Frame, target: &Expr, value: Value) -> Result<(), Halt> {
        if self.running.is_some() {
            return self.assign_target(frame, target, value);
        }
        match target {
            Expr::Name(name) => frame.scope.assign(&name.id, value),
            Expr::Starred(starred) => self.assign(frame, &starred.value, value)?,
            Expr::Tuple(tuple) => self.unpack(frame, &tuple.elts, target, &value)?,
            Expr::List(list) => self.unpack(frame, &list.elts, target, &value)?,
            Expr::Attribute(attribute) => {
                let object = self.evaluate(frame, &attribute.value)?;
                Self::set_attribute(&object, &attribute.attr, value);
            }
            Expr::Subscript(subscript) => {
                let object = self.evaluate(frame, &subscript.value)?;
                let index = self.evaluate(frame, &subscript.slice)?;
                self.set_item(&object, &index, value);
            }
            _ => {}
        }
        Ok(())
    }

    fn unpack(&mut self, frame: &Frame, targets: &[Expr], whole: &Expr, value: &Value) -> Result<(), Halt> {
        if value.is_never_iterable() {
            let message = "this value cannot be unpacked".to_owned();
            return Err(raise("TypeError", message, &frame.place(whole.range())));
        }
        let Some(items) = self.known_items(Some(value)) else {
            for target in targets {
                let part = self.unknown(frame, whole.range(), "what is unpacked here is not known");
                self.assign(frame, target, part)?;
            }
            return Ok(());
        };
        let star = targets.iter().position(Expr::is_starred_expr);
        let fits = match star {
            Some(_) => items.len() + 1 >= targets.len(),
            None => items.len() == targets.len(),
        };
        if !fits {
            let message = format!("cannot unpack {} values into {}", items.len(), targets.len());
            return Err(raise("ValueError", message, &frame.place(whole.range())));
        }
        let spare = items.len() + 1 - targets.len().min(items.len() + 1);
        let mut items = items.into_iter();
        for (position, target) in targets.iter().enumerate() {
            let part = if star == Some(position) {
                Value::list(items.by_ref().take(spare).collect())
            } else {
                items.next().unwrap_or(Value::None)
            };
            self.assign(frame, target, part)?;
        }
        Ok(())
    }

    pub(super) fn set_attribute(object: &Value, name: &str, value: Value) {
        match object {
            Value::Module(module) => module.scope.assign(name, value),
            Value::Class(class) => class.scope.assign(name, value),
            Value::Instance(instance) => {
                if let Some(fields) = &instance.fields {
                    fields.borrow_mut().insert(Rc::from(name), value);
                }
            }
            Value::Record(record) => {
                record.fields.borrow_mut().insert(Rc::from(name), value);
            }
            Value::Function(function) if name == "__name__" => {
                if let Value::Text(text) = value {
                    *function.name.borrow_mut() = text;
                }
            }
            Value::Function(function)
                if matches!(name, "__signature__" | "__annotations__" | "__defaults__") =>
            {
                let why = format!("what setting `{name}` makes of the signature is not read");
                let unknown = super::value::Unknown::new(why, function.place.clone());
                *function.wrapped.borrow_mut() = Some(Value::Unknown(unknown));
            }
            Value::Function(function) if name == "__wrapped__" => {
                *function.wrapped.borrow_mut() = Some(value);
            }
            _ => {}
        }
    }

    fn set_item(&mut self, object: &Value, index: &Value, value: Value) {
        match (object, index.key()) {
            _ if self.speculation > 0 => object.taint(),
            (Value::Dict(dict), Some(key)) => {
                super::collections::set_entry(dict, key, index.clone(), value);
            }
            _ => object.taint(),
        }
    }
}
