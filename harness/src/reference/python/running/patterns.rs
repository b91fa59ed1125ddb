//! `match` in running code.
//!
//! Knows patterns; compares as `==` does.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Pattern, Singleton};

use super::super::exception::Halt;
use super::super::form::BasicType;
use super::super::interpreter::{Frame, Interpreter};
use super::super::statements::Flow;
use super::super::value::{Dict, Value};

impl Interpreter<'_> {
    /// Runs a `match` statement.
    pub(super) fn match_cases(&mut self, frame: &Frame, statement: &ast::StmtMatch) -> Result<Flow, Halt> {
        let subject = self.run_expression(frame, &statement.subject)?;
        for case in &statement.cases {
            self.tick(frame.at(case))?;
            if !self.matches(frame, &case.pattern, &subject)? {
                continue;
            }
            let passes = match &case.guard {
                Some(guard) => self.holds(frame, guard)?,
                None => true,
            };
            if passes {
                return self.run_statements(frame, &case.body);
            }
        }
        Ok(Flow::Next)
    }

    fn matches(&mut self, frame: &Frame, pattern: &Pattern, subject: &Value) -> Result<bool, Halt> {
        let site = frame.at(pattern);
        self.tick(site)?;
        self.look_at_stack(site)?;
        match pattern {
            Pattern::MatchValue(value) => {
                let value = self.run_expression(frame, &value.value)?;
                self.equal(site, subject, &value)
            }
            Pattern::MatchSingleton(singleton) => Ok(match singleton.value {
                Singleton::None => matches!(subject, Value::None),
                Singleton::True => matches!(subject, Value::Bool(true)),
                Singleton::False => matches!(subject, Value::Bool(false)),
            }),
            Pattern::MatchAs(capture) => {
                if let Some(inner) = &capture.pattern
                    && !self.matches(frame, inner, subject)?
                {
                    return Ok(false);
                }
                if let Some(name) = &capture.name {
                    Self::bind_name(&frame.scope, name, subject.clone());
                }
                Ok(true)
            }
            Pattern::MatchOr(choice) => {
                for one in &choice.patterns {
                    if self.matches(frame, one, subject)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pattern::MatchSequence(sequence) => self.matches_sequence(frame, &sequence.patterns, subject),
            Pattern::MatchMapping(mapping) => self.matches_mapping(frame, mapping, subject),
            Pattern::MatchClass(class) => self.matches_class(frame, class, subject),
            Pattern::MatchStar(_) => Err(site.not_run()),
        }
    }

    fn matches_sequence(
        &mut self,
        frame: &Frame,
        patterns: &[Pattern],
        subject: &Value,
    ) -> Result<bool, Halt> {
        let items = match subject {
            Value::List(list) => list.items.borrow().clone(),
            Value::Tuple(items) => items.to_vec(),
            Value::Range(_) | Value::Instance(_) => {
                return Err(frame
                    .at(&patterns.first().map_or_else(Default::default, ruff_text_size::Ranged::range))
                    .outside("this sequence pattern is not run"));
            }
            _ => return Ok(false),
        };
        let star = patterns.iter().position(Pattern::is_match_star);
        let wanted = patterns.len() - usize::from(star.is_some());
        if items.len() < wanted || (star.is_none() && items.len() != wanted) {
            return Ok(false);
        }
        let spare = items.len() - wanted;
        let mut items = items.into_iter();
        for pattern in patterns {
            if let Pattern::MatchStar(captured) = pattern {
                let middle: Vec<Value> = items.by_ref().take(spare).collect();
                if let Some(name) = &captured.name {
                    Self::bind_name(&frame.scope, name, Value::list(middle));
                }
            } else if let Some(item) = items.next()
                && !self.matches(frame, pattern, &item)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_mapping(
        &mut self,
        frame: &Frame,
        mapping: &ast::PatternMatchMapping,
        subject: &Value,
    ) -> Result<bool, Halt> {
        let Value::Dict(dict) = subject else { return Ok(false) };
        let mut rest = dict.entries.borrow().clone();
        for (key, pattern) in mapping.keys.iter().zip(&mapping.patterns) {
            let site = frame.at(key);
            let key = self.run_expression(frame, key)?;
            let hashed = Self::hash_key(site, &key)?;
            let Some((_, value)) = rest.shift_remove(&hashed) else { return Ok(false) };
            if !self.matches(frame, pattern, &value)? {
                return Ok(false);
            }
        }
        if let Some(name) = &mapping.rest {
            let dict = Dict { entries: rest.into(), tainted: false.into() };
            Self::bind_name(&frame.scope, name, Value::Dict(Rc::new(dict)));
        }
        Ok(true)
    }

    fn matches_class(
        &mut self,
        frame: &Frame,
        class: &ast::PatternMatchClass,
        subject: &Value,
    ) -> Result<bool, Halt> {
        let site = frame.at(class);
        let wanted = self.run_expression(frame, &class.cls)?;
        if !Self::instance_of(site, subject, &wanted)? {
            return Ok(false);
        }
        match (class.arguments.patterns.as_slice(), &wanted) {
            ([], _) => {}
            (
                [single],
                Value::Type(
                    BasicType::Str
                    | BasicType::Int
                    | BasicType::Float
                    | BasicType::Bool
                    | BasicType::List
                    | BasicType::Dict
                    | BasicType::Tuple
                    | BasicType::Set,
                ),
            ) => {
                if !self.matches(frame, single, subject)? {
                    return Ok(false);
                }
            }
            (several, Value::Class(_)) => {
                let Value::Instance(instance) = subject else { return Err(site.not_run()) };
                let Some(names) = Self::shown_fields(instance) else { return Err(site.not_run()) };
                if several.len() > names.len() {
                    return Err(site.type_error("this class accepts fewer positional sub-patterns"));
                }
                let values = Self::field_values(site, instance, &names)?;
                for (pattern, value) in several.iter().zip(&values) {
                    if !self.matches(frame, pattern, value)? {
                        return Ok(false);
                    }
                }
            }
            _ => return Err(site.not_run()),
        }
        for keyword in &class.arguments.keywords {
            let Some(value) = self.find_attribute(site, subject, &keyword.attr)? else { return Ok(false) };
            if !self.matches(frame, &keyword.pattern, &value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
