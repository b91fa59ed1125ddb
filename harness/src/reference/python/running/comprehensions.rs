//! Comprehensions and generator expressions of running code.
//!
//! A comprehension runs at once, a generator expression one item at a time.
//! Rules: Python's own: the first iterable is evaluated outside, the rest in a scope of its own.

use std::rc::Rc;

use ruff_python_ast::{
    self as ast, Expr,
    visitor::{self, Visitor},
};
use ruff_text_size::TextRange;

use super::super::exception::Halt;
use super::super::interpreter::{Frame, Interpreter};
use super::super::iteration::{Generator, Iteration, Progress};
use super::super::scope::{Scope, ScopeKind};
use super::super::value::{Dict, Value};

impl Interpreter<'_> {
    /// The element of every round, for the comprehensions that collect one value a round.
    fn run_items(
        &mut self,
        frame: &Frame,
        generators: &[ast::Comprehension],
        element: &Expr,
        whole: TextRange,
    ) -> Result<Vec<Value>, Halt> {
        let mut items = Vec::new();
        self.run_rounds(frame, generators, &mut |own, inner| {
            items.push(own.run_expression(inner, element)?);
            own.work(inner.at(&whole), items.len() / 8)
        })?;
        Ok(items)
    }

    pub(super) fn run_list_comprehension(
        &mut self,
        frame: &Frame,
        comprehension: &ast::ExprListComp,
    ) -> Result<Value, Halt> {
        let items =
            self.run_items(frame, &comprehension.generators, &comprehension.elt, comprehension.range)?;
        Ok(Value::list(items))
    }

    pub(super) fn run_set_comprehension(
        &mut self,
        frame: &Frame,
        comprehension: &ast::ExprSetComp,
    ) -> Result<Value, Halt> {
        let items =
            self.run_items(frame, &comprehension.generators, &comprehension.elt, comprehension.range)?;
        self.make_set(frame.at(comprehension), items, false)
    }

    pub(super) fn run_dict_comprehension(
        &mut self,
        frame: &Frame,
        comprehension: &ast::ExprDictComp,
    ) -> Result<Value, Halt> {
        let Some(key) = &comprehension.key else { return Err(frame.at(comprehension).not_run()) };
        let dict = Rc::new(Dict::default());
        self.run_rounds(frame, &comprehension.generators, &mut |own, inner| {
            let key = own.run_expression(inner, key)?;
            let value = own.run_expression(inner, &comprehension.value)?;
            own.insert(inner.at(comprehension), &dict, key, value)
        })?;
        Ok(Value::Dict(dict))
    }

    fn run_rounds(
        &mut self,
        frame: &Frame,
        generators: &[ast::Comprehension],
        round: &mut dyn FnMut(&mut Self, &Frame) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let Some((first, rest)) = generators.split_first() else { return Ok(()) };
        let inner = frame.inside(Scope::new(ScopeKind::Comprehension, Some(Rc::clone(&frame.scope))));
        let iterated = self.run_expression(frame, &first.iter)?;
        self.run_round(&inner, first, &iterated, rest, round)
    }

    fn run_round(
        &mut self,
        inner: &Frame,
        generator: &ast::Comprehension,
        iterated: &Value,
        rest: &[ast::Comprehension],
        round: &mut dyn FnMut(&mut Self, &Frame) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let site = inner.at(generator);
        if generator.is_async {
            return Err(site.outside("`async for` is not run"));
        }
        self.look_at_stack(site)?;
        let iterator = self.iterator_of(inner.at(&generator.iter), iterated)?;
        while let Some(item) = self.next_item(site, &iterator)? {
            self.tick(site)?;
            self.assign_target(inner, &generator.target, item)?;
            if !self.passes(inner, &generator.ifs)? {
                continue;
            }
            match rest.split_first() {
                None => round(self, inner)?,
                Some((next, rest)) => {
                    let iterated = self.run_expression(inner, &next.iter)?;
                    self.run_round(inner, next, &iterated, rest, round)?;
                }
            }
        }
        Ok(())
    }

    fn passes(&mut self, frame: &Frame, conditions: &[Expr]) -> Result<bool, Halt> {
        for condition in conditions {
            if !self.holds(frame, condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A generator expression: an iterator that runs its code item by item.
    pub(super) fn run_generator(
        &mut self,
        frame: &Frame,
        generator: &ast::ExprGenerator,
    ) -> Result<Value, Halt> {
        let site = frame.at(generator);
        let Some(first) = generator.generators.first() else { return Err(site.not_run()) };
        if generator.generators.iter().any(|one| one.is_async) || awaits(generator) {
            return Err(site.outside("an asynchronous generator is not run"));
        }
        let iterated = self.run_expression(frame, &first.iter)?;
        let iterator = self.iterator_of(frame.at(&first.iter), &iterated)?;
        let inner = frame.inside(Scope::new(ScopeKind::Comprehension, Some(Rc::clone(&frame.scope))));
        let state = Generator { frame: inner, code: Rc::new(generator.clone()), open: vec![iterator] };
        Ok(Iteration::value("generator", Progress::Generator(Box::new(state))))
    }

    /// The next item of a generator expression.
    pub(super) fn resume(&mut self, generator: &mut Generator) -> Result<Option<Value>, Halt> {
        let code = Rc::clone(&generator.code);
        let frame = generator.frame.clone();
        'items: while let Some(iterator) = generator.open.last().cloned() {
            let depth = generator.open.len();
            let Some(part) = code.generators.get(depth - 1) else { return Ok(None) };
            let site = frame.at(part);
            self.tick(site)?;
            let Some(item) = self.next_item(site, &iterator)? else {
                generator.open.pop();
                continue;
            };
            self.assign_target(&frame, &part.target, item)?;
            if !self.passes(&frame, &part.ifs)? {
                continue 'items;
            }
            match code.generators.get(depth) {
                None => return self.run_expression(&frame, &code.elt).map(Some),
                Some(next) => {
                    let iterated = self.run_expression(&frame, &next.iter)?;
                    generator.open.push(self.iterator_of(frame.at(&next.iter), &iterated)?);
                }
            }
        }
        Ok(None)
    }
}

/// Whether a generator expression awaits anywhere but in its first iterable.
fn awaits(generator: &ast::ExprGenerator) -> bool {
    let mut finder = Awaits(false);
    finder.visit_expr(&generator.elt);
    for (position, part) in generator.generators.iter().enumerate() {
        if position > 0 {
            finder.visit_expr(&part.iter);
        }
        part.ifs.iter().for_each(|condition| finder.visit_expr(condition));
    }
    finder.0
}

struct Awaits(bool);

impl<'tree> Visitor<'tree> for Awaits {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Await(_) => self.0 = true,
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expression),
        }
    }
}
