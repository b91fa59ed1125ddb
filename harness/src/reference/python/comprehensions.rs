//! Comprehensions and generator expressions over known items.
//!
//! Knows what is iterated, bound and tested; elements are evaluated by the caller's means.
//! Rules: Python's own: the first iterable belongs to the scope around, `:=` binds there.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::{Ranged, TextRange};

use super::exception::Halt;
use super::interpreter::{Frame, Interpreter};
use super::scope::{Scope, ScopeKind};
use super::value::{Dict, Unknown, Value};

/// What is done with each round of a comprehension.
type Round<'work, 'project> = dyn FnMut(&mut Interpreter<'project>, &Frame) -> Result<(), Halt> + 'work;

impl<'project> Interpreter<'project> {
    /// The list a comprehension gives.
    pub(super) fn comprehension(
        &mut self,
        frame: &Frame,
        element: &Expr,
        generators: &[ast::Comprehension],
        range: TextRange,
    ) -> Result<Value, Halt> {
        let mut items = Vec::new();
        let known = self.iterate(frame, generators, &mut |own, inner| {
            items.push(own.evaluate(inner, element)?);
            Ok(())
        })?;
        if known {
            return Ok(Value::list(items));
        }
        self.doubt();
        Self::forget_named(frame, generators.iter().flat_map(|generator| &generator.ifs).chain([element]));
        Ok(self.unknown(frame, range, "what this comprehension gives is not known"))
    }

    /// The dict a comprehension gives.
    pub(super) fn dict_comprehension(
        &mut self,
        frame: &Frame,
        comprehension: &ast::ExprDictComp,
    ) -> Result<Value, Halt> {
        let dict = Dict::default();
        let known = self.iterate(frame, &comprehension.generators, &mut |own, inner| {
            if let Some(key) = &comprehension.key {
                let key = own.evaluate(inner, key)?;
                let value = own.evaluate(inner, &comprehension.value)?;
                match key.key() {
                    Some(hashed) => {
                        dict.entries.borrow_mut().insert(hashed, (key, value));
                    }
                    None => dict.tainted.set(true),
                }
            } else {
                dict.tainted.set(true);
            }
            Ok(())
        })?;
        if known {
            return Ok(Value::Dict(Rc::new(dict)));
        }
        self.doubt();
        let tests = comprehension.generators.iter().flat_map(|generator| &generator.ifs);
        Self::forget_named(frame, tests.chain([&*comprehension.value]));
        Ok(self.unknown(frame, comprehension.range, "what this comprehension gives is not known"))
    }

    /// Evaluates a set comprehension for what it raises and binds; sets are not modelled.
    pub(super) fn set_comprehension(
        &mut self,
        frame: &Frame,
        comprehension: &ast::ExprSetComp,
    ) -> Result<Value, Halt> {
        self.comprehension(frame, &comprehension.elt, &comprehension.generators, comprehension.range)?;
        self.doubt();
        Ok(self.unknown(frame, comprehension.range, "what a set holds is not read"))
    }

    fn iterate(
        &mut self,
        frame: &Frame,
        generators: &[ast::Comprehension],
        round: &mut Round<'_, 'project>,
    ) -> Result<bool, Halt> {
        let Some((first, rest)) = generators.split_first() else { return Ok(false) };
        let iterated = self.evaluate(frame, &first.iter)?;
        let inner = frame.inside(Scope::new(ScopeKind::Comprehension, Some(Rc::clone(&frame.scope))));
        self.rounds(&inner, first, &iterated, rest, round)
    }

    /// Goes through what one `for` of a comprehension iterates; false when that is not known.
    fn rounds(
        &mut self,
        inner: &Frame,
        generator: &ast::Comprehension,
        iterated: &Value,
        rest: &[ast::Comprehension],
        round: &mut Round<'_, 'project>,
    ) -> Result<bool, Halt> {
        let Some(iterated) = self.known_items(Some(iterated)).filter(|_| !generator.is_async) else {
            return Ok(false);
        };
        'items: for item in iterated {
            self.assign(inner, &generator.target, item)?;
            for condition in &generator.ifs {
                match self.evaluate(inner, condition)?.truth() {
                    Some(true) => {}
                    Some(false) => continue 'items,
                    None => return Ok(false),
                }
            }
            let known = match rest.split_first() {
                None => round(self, inner).map(|()| true)?,
                Some((next, rest)) => {
                    let iterated = self.evaluate(inner, &next.iter)?;
                    self.rounds(inner, next, &iterated, rest, round)?
                }
            };
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the names unknown that `:=` may or may not have bound in these expressions.
    pub(super) fn forget_named<'tree>(frame: &Frame, expressions: impl IntoIterator<Item = &'tree Expr>) {
        for expression in expressions {
            for name in super::bound_names::named(expression) {
                let why = format!("it depends on `{}`", frame.file.excerpt(expression.range()));
                let unknown = Value::Unknown(Unknown::new(why, frame.place(expression.range())));
                frame.scope.named_scope().assign(name, unknown);
            }
        }
    }
}
