//! Statements of running code.
//!
//! Runs one after the other; nothing is unknown here, and what is not run ends the run.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;

use super::super::exception::Halt;
use super::super::interpreter::{Frame, Interpreter};
use super::super::scope::ScopeKind;
use super::super::statements::Flow;
use super::super::value::Value;

impl Interpreter<'_> {
    /// Runs statements until one of them ends the block.
    pub(in super::super) fn run_statements(&mut self, frame: &Frame, body: &[Stmt]) -> Result<Flow, Halt> {
        for statement in body {
            self.tick(frame.at(statement))?;
            match self.run_statement(frame, statement)? {
                Flow::Next => {}
                ended => return Ok(ended),
            }
        }
        Ok(Flow::Next)
    }

    fn run_statement(&mut self, frame: &Frame, statement: &Stmt) -> Result<Flow, Halt> {
        match statement {
            Stmt::Expr(statement) => drop(self.run_expression(frame, &statement.value)?),
            Stmt::Assign(statement) => {
                let value = self.run_expression(frame, &statement.value)?;
                for target in &statement.targets {
                    self.assign_target(frame, target, value.clone())?;
                }
            }
            Stmt::Return(statement) => {
                let value = statement.value.as_ref().map(|value| self.run_expression(frame, value));
                return Ok(Flow::Return(value.transpose()?.unwrap_or(Value::None)));
            }
            Stmt::If(statement) => return self.choose(frame, statement),
            Stmt::For(statement) => return self.loop_over(frame, statement),
            Stmt::While(statement) => return self.loop_while(frame, statement),
            Stmt::Try(statement) => return self.attempt(frame, statement),
            Stmt::With(statement) => return self.manage(frame, statement),
            Stmt::Match(statement) => return self.match_cases(frame, statement),
            Stmt::Raise(statement) => return Err(self.raise_value(frame, statement)?),
            Stmt::Break(_) => return Ok(Flow::Break),
            Stmt::Continue(_) => return Ok(Flow::Continue),
            Stmt::FunctionDef(definition) => self.define_function(frame, definition)?,
            Stmt::ClassDef(definition) => self.define_class(frame, definition)?,
            _ => self.run_simple(frame, statement)?,
        }
        Ok(Flow::Next)
    }

    fn run_simple(&mut self, frame: &Frame, statement: &Stmt) -> Result<(), Halt> {
        match statement {
            Stmt::AugAssign(statement) => self.augment(frame, statement),
            Stmt::AnnAssign(statement) => self.annotate(frame, statement),
            Stmt::Delete(statement) => {
                statement.targets.iter().try_for_each(|target| self.delete_target(frame, target))
            }
            Stmt::Assert(statement) => {
                let value = self.run_expression(frame, &statement.test)?;
                if self.is_true(frame.at(statement), &value)? {
                    return Ok(());
                }
                let Some(message) = &statement.msg else {
                    return Err(frame.at(statement).raise("AssertionError", ""));
                };
                let message = self.run_expression(frame, message)?;
                let shown = self.show(frame.at(statement), &message)?;
                Err(frame.at(statement).raise_with("AssertionError", shown, vec![message]))
            }
            Stmt::Import(statement) => self.run_import(frame, statement),
            Stmt::ImportFrom(statement) => self.run_import_from(frame, statement),
            Stmt::Global(statement) if frame.scope.kind == ScopeKind::Class => {
                let names = statement.names.iter().map(|name| std::rc::Rc::from(name.as_str()));
                frame.scope.globals.borrow_mut().extend(names);
                Ok(())
            }
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) => Ok(()),
            other => Err(frame.at(other).not_run()),
        }
    }

    fn annotate(&mut self, frame: &Frame, statement: &ast::StmtAnnAssign) -> Result<(), Halt> {
        frame.note_annotation(statement);
        if frame.scope.kind == ScopeKind::Class && !frame.file.postponed_annotations {
            self.run_expression(frame, &statement.annotation)?;
        }
        let Some(value) = &statement.value else { return Ok(()) };
        let value = self.run_expression(frame, value)?;
        self.assign_target(frame, &statement.target, value)
    }

    fn choose(&mut self, frame: &Frame, statement: &ast::StmtIf) -> Result<Flow, Halt> {
        if self.holds(frame, &statement.test)? {
            return self.run_statements(frame, &statement.body);
        }
        for clause in &statement.elif_else_clauses {
            let chosen = match &clause.test {
                Some(test) => self.holds(frame, test)?,
                None => true,
            };
            if chosen {
                return self.run_statements(frame, &clause.body);
            }
        }
        Ok(Flow::Next)
    }

    /// Whether an expression is true.
    pub(super) fn holds(&mut self, frame: &Frame, expression: &Expr) -> Result<bool, Halt> {
        let value = self.run_expression(frame, expression)?;
        self.is_true(frame.at(expression), &value)
    }

    fn loop_over(&mut self, frame: &Frame, statement: &ast::StmtFor) -> Result<Flow, Halt> {
        if statement.is_async {
            return Err(frame.at(statement).outside("`async for` is not run"));
        }
        let site = frame.at(statement.iter.as_ref());
        let iterated = self.run_expression(frame, &statement.iter)?;
        let iterator = self.iterator_of(site, &iterated)?;
        while let Some(item) = self.next_item(site, &iterator)? {
            self.tick(site)?;
            self.assign_target(frame, &statement.target, item)?;
            match self.run_statements(frame, &statement.body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
        self.run_statements(frame, &statement.orelse)
    }

    fn loop_while(&mut self, frame: &Frame, statement: &ast::StmtWhile) -> Result<Flow, Halt> {
        while self.holds(frame, &statement.test)? {
            self.tick(frame.at(statement))?;
            match self.run_statements(frame, &statement.body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
        self.run_statements(frame, &statement.orelse)
    }
}

impl Frame {
    /// Keeps the order of a class's annotations, which its dataclass fields have.
    pub(in super::super) fn note_annotation(&self, statement: &ast::StmtAnnAssign) {
        let Expr::Name(name) = statement.target.as_ref() else { return };
        if self.scope.kind != ScopeKind::Class {
            return;
        }
        let written = self.file.excerpt(statement.annotation.range());
        let written = written.trim_matches(['"', '\'']);
        let is_class_variable = written.starts_with("ClassVar") || written.starts_with("typing.ClassVar");
        let mut annotated = self.scope.annotated.borrow_mut();
        if !annotated.iter().any(|(known, _)| **known == *name.id) {
            annotated.push((std::rc::Rc::from(name.id.as_str()), is_class_variable));
        }
    }
}
