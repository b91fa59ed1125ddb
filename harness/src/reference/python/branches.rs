//! Statements that choose: `if`, loops, `try`, `with`, `match`.
//!
//! Where the choice cannot be read, every way is tried and only what all of them agree on stays known.

use std::collections::BTreeSet;
use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::exception::{Halt, Raised};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::scope::Bindings;
use super::statements::Flow;
use super::value::{Made, Unknown, Value};

/// One way through a choice: what was bound after it, and how it ended.
pub(super) struct Way {
    bindings: Bindings,
    ended: Result<Flow, Halt>,
}

impl Interpreter<'_> {
    pub(super) fn run_if(&mut self, frame: &Frame, statement: &ast::StmtIf) -> Result<Flow, Halt> {
        let mut clauses: Vec<(Option<&Expr>, &[Stmt])> = vec![(Some(&statement.test), &statement.body)];
        clauses
            .extend(statement.elif_else_clauses.iter().map(|clause| (clause.test.as_ref(), &*clause.body)));
        self.run_clauses(frame, &clauses)
    }

    fn run_clauses(&mut self, frame: &Frame, clauses: &[(Option<&Expr>, &[Stmt])]) -> Result<Flow, Halt> {
        let Some(((test, body), rest)) = clauses.split_first() else { return Ok(Flow::Next) };
        let Some(test) = test else { return self.run_block(frame, body) };
        match self.evaluate(frame, test)?.truth() {
            Some(true) => self.run_block(frame, body),
            Some(false) => self.run_clauses(frame, rest),
            None => {
                let why = format!("it depends on `{}`", frame.file.excerpt(test.range()));
                let before = frame.scope.bindings.borrow().clone();
                let first = self.try_way(frame, &before, |own| own.run_block(frame, body));
                let second = self.try_way(frame, &before, |own| own.run_clauses(frame, rest));
                self.join(frame, test.range(), &why, vec![first, second])
            }
        }
    }

    pub(super) fn run_for(&mut self, frame: &Frame, statement: &ast::StmtFor) -> Result<Flow, Halt> {
        let iterated = self.evaluate(frame, &statement.iter)?;
        if iterated.is_never_iterable() {
            let message = "this value is not iterable".to_owned();
            return Err(raise("TypeError", message, &frame.place(statement.iter.range())));
        }
        let Some(items) = self.known_items(Some(&iterated)) else {
            return self.run_perhaps(frame, statement.iter.range(), |own| {
                let item = own.unknown(frame, statement.iter.range(), "what is iterated here is not known");
                own.assign(frame, &statement.target, item)?;
                own.run_block(frame, &statement.body)
            });
        };
        for item in items {
            self.step(frame, statement.range)?;
            self.assign(frame, &statement.target, item)?;
            match self.run_block(frame, &statement.body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
        self.run_block(frame, &statement.orelse)
    }

    pub(super) fn run_while(&mut self, frame: &Frame, statement: &ast::StmtWhile) -> Result<Flow, Halt> {
        loop {
            self.step(frame, statement.range)?;
            match self.evaluate(frame, &statement.test)?.truth() {
                Some(false) => return self.run_block(frame, &statement.orelse),
                Some(true) => {}
                None => {
                    return self.run_perhaps(frame, statement.test.range(), |own| {
                        own.run_block(frame, &statement.body)
                    });
                }
            }
            match self.run_block(frame, &statement.body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
        }
    }

    pub(super) fn run_with(&mut self, frame: &Frame, statement: &ast::StmtWith) -> Result<Flow, Halt> {
        let mut suppressed: Option<Vec<Value>> = None;
        let mut readable = true;
        for item in &statement.items {
            let suppresses = self.suppressed_by(frame, &item.context_expr)?;
            match suppresses {
                Some(classes) => suppressed = Some(classes),
                None => {
                    self.evaluate(frame, &item.context_expr)?;
                    readable = false;
                }
            }
            if let Some(target) = &item.optional_vars {
                let entered =
                    self.unknown(frame, item.context_expr.range(), "what `with` enters is not known");
                self.assign(frame, target, entered)?;
            }
        }
        match self.run_block(frame, &statement.body) {
            Err(Halt::Raised(raised)) => {
                let caught = suppressed.map(|classes| raised.is_caught_by(&Value::Tuple(classes.into())));
                match caught {
                    Some(Some(true)) => Ok(Flow::Next),
                    Some(Some(false)) | None if readable || suppressed_never(statement) => {
                        Err(Halt::Raised(raised))
                    }
                    _ => {
                        let why = "what `with` does about an exception is not known".to_owned();
                        Err(Halt::GaveUp(Unknown::new(why, raised.place.clone())))
                    }
                }
            }
            ended => ended,
        }
    }

    /// The classes `contextlib.suppress(...)` names, if that is what the expression calls.
    fn suppressed_by(&mut self, frame: &Frame, expression: &Expr) -> Result<Option<Vec<Value>>, Halt> {
        let Expr::Call(call) = expression else { return Ok(None) };
        match self.evaluate(frame, &call.func)? {
            Value::Opaque(path) if &*path == "contextlib.suppress" => {
                let mut classes = Vec::new();
                for class in &call.arguments.args {
                    classes.push(self.evaluate(frame, class)?);
                }
                Ok(Some(classes))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn run_try(&mut self, frame: &Frame, statement: &ast::StmtTry) -> Result<Flow, Halt> {
        if statement.is_star {
            let why = "what `except*` handles is not read".to_owned();
            return Err(Halt::GaveUp(Unknown::new(why, frame.place(statement.range))));
        }
        let before = frame.scope.bindings.borrow().clone();
        let doubts = self.doubts();
        let ended = match self.run_block(frame, &statement.body) {
            Err(Halt::Raised(raised)) => self.handle(frame, statement, raised),
            Ok(Flow::Next) if self.doubts() == doubts || statement.handlers.is_empty() => {
                self.run_block(frame, &statement.orelse)
            }
            Ok(Flow::Next) => self.run_undecided_try(frame, statement, &before),
            ended => ended,
        };
        match self.run_block(frame, &statement.finalbody) {
            Ok(Flow::Next) => ended,
            overriding => overriding,
        }
    }

    /// The body ran, but something in it may also have raised: both continuations are tried.
    fn run_undecided_try(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtTry,
        before: &Bindings,
    ) -> Result<Flow, Halt> {
        let after = frame.scope.bindings.borrow().clone();
        let mut ways = vec![self.try_way(frame, &after, |own| own.run_block(frame, &statement.orelse))];
        for handler in &statement.handlers {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            ways.push(self.try_way(frame, before, |own| {
                if let Some(name) = &handler.name {
                    let caught = own.unknown(frame, handler.range, "which exception is caught is not known");
                    frame.scope.assign(name, caught);
                }
                own.run_block(frame, &handler.body)
            }));
        }
        self.join(frame, statement.range, "it depends on whether this `try` raises", ways)
    }

    fn handle(&mut self, frame: &Frame, statement: &ast::StmtTry, raised: Rc<Raised>) -> Result<Flow, Halt> {
        for handler in &statement.handlers {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            let caught = match &handler.type_ {
                None => Some(true),
                Some(class) => {
                    let class = self.evaluate(frame, class)?;
                    raised.is_caught_by(&class)
                }
            };
            match caught {
                Some(false) => {}
                Some(true) => {
                    let mut inner = frame.clone();
                    inner.handling = Some(Rc::clone(&raised));
                    if let Some(name) = &handler.name {
                        let value = super::exception::instance(&raised);
                        frame.scope.assign(name, value);
                    }
                    let ended = self.run_block(&inner, &handler.body);
                    if let Some(name) = &handler.name {
                        frame.scope.remove(name);
                    }
                    return ended;
                }
                None => {
                    let why = "whether this handler catches the exception is not known".to_owned();
                    return Err(Halt::GaveUp(Unknown::new(why, frame.place(handler.range))));
                }
            }
        }
        Err(Halt::Raised(raised))
    }

    /// Runs something that may run never, once or many times.
    fn run_perhaps(
        &mut self,
        frame: &Frame,
        range: TextRange,
        run: impl FnOnce(&mut Self) -> Result<Flow, Halt>,
    ) -> Result<Flow, Halt> {
        let why = format!("it depends on `{}`", frame.file.excerpt(range));
        let before = frame.scope.bindings.borrow().clone();
        let mut once = self.try_way(frame, &before, run);
        if matches!(once.ended, Ok(Flow::Break | Flow::Continue)) {
            once.ended = Ok(Flow::Next);
        }
        self.join(frame, range, &why, vec![Way { bindings: before, ended: Ok(Flow::Next) }, once])
    }

    pub(super) fn try_way(
        &mut self,
        frame: &Frame,
        before: &Bindings,
        run: impl FnOnce(&mut Self) -> Result<Flow, Halt>,
    ) -> Way {
        self.charge(before.len().saturating_mul(4));
        frame.scope.bindings.borrow_mut().clone_from(before);
        self.speculation += 1;
        let ended = run(self);
        self.speculation -= 1;
        Way { bindings: frame.scope.bindings.borrow().clone(), ended }
    }

    /// Keeps what all ways that go on agree on. When none goes on, the first one's end is the end.
    pub(super) fn join(
        &mut self,
        frame: &Frame,
        range: TextRange,
        why: &str,
        ways: Vec<Way>,
    ) -> Result<Flow, Halt> {
        self.doubt();
        let unknown = Unknown::new(why.to_owned(), frame.place(range));
        let (going, stopped): (Vec<Way>, Vec<Way>) =
            ways.into_iter().partition(|way| !matches!(way.ended, Err(Halt::Raised(_))));
        let Some(first) = going.first() else {
            return stopped.into_iter().next().map_or(Ok(Flow::Next), |way| way.ended);
        };
        let mut bindings = first.bindings.clone();
        for way in going.iter().skip(1) {
            bindings = merge(&bindings, &way.bindings, &unknown);
        }
        *frame.scope.bindings.borrow_mut() = bindings;
        if going.iter().all(|way| matches!(way.ended, Ok(Flow::Next))) {
            return Ok(Flow::Next);
        }
        if going.len() == 1 {
            return first.ended.clone();
        }
        Err(Halt::GaveUp(unknown))
    }

    /// Makes every name that these statements may bind unknown.
    pub(super) fn forget(&mut self, frame: &Frame, body: &[Stmt], unknown: &Rc<Unknown>) {
        self.doubt();
        let mut names = BTreeSet::new();
        super::bound_names::collect(body, &mut names);
        for name in names {
            let current = frame.scope.bindings.borrow().get(name).cloned();
            frame.scope.assign(name, uncertain(current.as_ref(), None, unknown));
        }
    }
}

/// `with` managers that are known never to swallow an exception.
fn suppressed_never(statement: &ast::StmtWith) -> bool {
    statement.items.iter().all(|item| {
        matches!(&item.context_expr, Expr::Call(call)
            if matches!(call.func.as_ref(), Expr::Name(name) if name.id.as_str() == "open"))
    })
}

fn merge(left: &Bindings, right: &Bindings, unknown: &Rc<Unknown>) -> Bindings {
    let mut merged = Bindings::new();
    let names = left.keys().chain(right.keys().filter(|name| !left.contains_key(*name)));
    for name in names {
        let (one, other) = (left.get(name), right.get(name));
        let value = match (one, other) {
            (Some(one), Some(other)) if one.is_same(other) => one.clone(),
            _ => uncertain(one, other, unknown),
        };
        merged.insert(Rc::clone(name), value);
    }
    merged
}

/// What is left of a binding that may be one thing or another: a function is still worth naming.
fn uncertain(one: Option<&Value>, other: Option<&Value>, unknown: &Rc<Unknown>) -> Value {
    for value in [one, other].into_iter().flatten() {
        match value {
            Value::Function(function) => {
                let tool = function.tool.borrow().clone();
                return Value::Made(Rc::new(Made {
                    function: Rc::clone(function),
                    by: Rc::clone(unknown),
                    tool: tool.into(),
                }));
            }
            Value::Made(made) => return Value::Made(Rc::clone(made)),
            _ => {}
        }
    }
    Value::Unknown(Rc::clone(unknown))
}
