//! `match`: which case runs, and what its pattern binds.
//!
//! Knows patterns; a case of which it is not known whether it matches is one way among others.
//! Rules: Python's own; class and mapping patterns are not read.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Pattern, Singleton};
use ruff_text_size::Ranged;

use super::exception::Halt;
use super::interpreter::{Frame, Interpreter};
use super::statements::Flow;
use super::value::{Unknown, Value};

impl Interpreter<'_> {
    pub(super) fn run_match(&mut self, frame: &Frame, statement: &ast::StmtMatch) -> Result<Flow, Halt> {
        let subject = self.evaluate(frame, &statement.subject)?;
        self.run_cases(frame, statement, &subject, &statement.cases)
    }

    fn run_cases(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtMatch,
        subject: &Value,
        cases: &[ast::MatchCase],
    ) -> Result<Flow, Halt> {
        let Some((case, rest)) = cases.split_first() else { return Ok(Flow::Next) };
        let before = frame.scope.bindings.borrow().clone();
        let mut matches = self.bind_pattern(frame, &case.pattern, subject)?;
        if let (Some(true) | None, Some(guard)) = (matches, &case.guard) {
            let holds = self.evaluate(frame, guard)?.truth();
            matches = if holds == Some(true) { matches } else { holds };
        }
        match matches {
            Some(true) => self.run_block(frame, &case.body),
            Some(false) => self.run_cases(frame, statement, subject, rest),
            None => {
                let range = statement.subject.range();
                let why = format!("it depends on `match {}`", frame.file.excerpt(range));
                let bound = frame.scope.bindings.borrow().clone();
                let first = self.try_way(frame, &bound, |own| own.run_block(frame, &case.body));
                let second =
                    self.try_way(frame, &before, |own| own.run_cases(frame, statement, subject, rest));
                self.join(frame, range, &why, vec![first, second])
            }
        }
    }

    /// Binds what a pattern captures; tells whether it matches, `None` when that is not known.
    fn bind_pattern(
        &mut self,
        frame: &Frame,
        pattern: &Pattern,
        subject: &Value,
    ) -> Result<Option<bool>, Halt> {
        match pattern {
            Pattern::MatchValue(value) => {
                let value = self.evaluate(frame, &value.value)?;
                Ok(subject.equals(&value))
            }
            Pattern::MatchSingleton(singleton) => {
                let value = match singleton.value {
                    Singleton::None => Value::None,
                    Singleton::True => Value::Bool(true),
                    Singleton::False => Value::Bool(false),
                };
                let certain = !matches!(
                    subject,
                    Value::Unknown(_)
                        | Value::Opaque(_)
                        | Value::Made(_)
                        | Value::Instance(_)
                        | Value::Member(_)
                );
                Ok(certain.then(|| subject.is(&value)))
            }
            Pattern::MatchAs(capture) => {
                let matches = match &capture.pattern {
                    Some(inner) => self.bind_pattern(frame, inner, subject)?,
                    None => Some(true),
                };
                if let (Some(name), true) = (&capture.name, matches != Some(false)) {
                    frame.scope.assign(name, subject.clone());
                }
                Ok(matches)
            }
            Pattern::MatchOr(choice) => {
                let mut known = true;
                for one in &choice.patterns {
                    match self.bind_pattern(frame, one, subject)? {
                        Some(true) if known => return Ok(Some(true)),
                        Some(false) => {}
                        Some(true) | None => known = false,
                    }
                }
                Ok(known.then_some(false))
            }
            Pattern::MatchSequence(sequence) => self.bind_sequence(frame, pattern, sequence, subject),
            _ => {
                Self::bind_unknown(frame, pattern);
                let plain = matches!(
                    subject,
                    Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_)
                );
                Ok((plain && pattern.is_match_mapping()).then_some(false))
            }
        }
    }

    fn bind_sequence(
        &mut self,
        frame: &Frame,
        pattern: &Pattern,
        sequence: &ast::PatternMatchSequence,
        subject: &Value,
    ) -> Result<Option<bool>, Halt> {
        let items = match subject {
            Value::Tuple(_) | Value::List(_) => self.known_items(Some(subject)),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::Dict(_) => return Ok(Some(false)),
            _ => None,
        };
        let starred = sequence.patterns.iter().any(Pattern::is_match_star);
        let Some(items) = items.filter(|_| !starred) else {
            Self::bind_unknown(frame, pattern);
            return Ok(None);
        };
        if items.len() != sequence.patterns.len() {
            return Ok(Some(false));
        }
        let mut known = true;
        for (part, item) in sequence.patterns.iter().zip(&items) {
            match self.bind_pattern(frame, part, item)? {
                Some(true) => {}
                Some(false) => return Ok(Some(false)),
                None => known = false,
            }
        }
        Ok(known.then_some(true))
    }

    /// Binds every name of a pattern to something unknown.
    fn bind_unknown(frame: &Frame, pattern: &Pattern) {
        let unknown = Unknown::new("what this pattern binds is not read", frame.place(pattern.range()));
        for name in super::bound_names::captured(pattern) {
            frame.scope.assign(name, Value::Unknown(Rc::clone(&unknown)));
        }
    }
}
