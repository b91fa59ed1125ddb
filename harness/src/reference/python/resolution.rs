//! Annotations that are evaluated when somebody asks: postponed ones, and those written as strings.
//!
//! Knows when an annotation is looked at; what it means for a schema is told there.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::Expr;

use super::exception::Halt;
use super::function::Function;
use super::interpreter::{Frame, Interpreter};
use super::value::{Unknown, Value};

/// What an annotation resolves to.
pub(crate) enum Resolution {
    /// This value.
    Known(Value),
    /// Python cannot resolve it.
    Unresolvable,
    /// It cannot be read.
    Unknown(Rc<Unknown>),
}

impl Interpreter<'_> {
    /// Evaluates a postponed annotation among the names of the function's module.
    pub(crate) fn resolve(&mut self, function: &Rc<Function>, annotation: &Expr) -> Resolution {
        let frame = Frame {
            file: Rc::clone(&function.file),
            module: Rc::clone(&function.module),
            scope: Rc::clone(&function.module.scope),
            handling: None,
        };
        match self.evaluate(&frame, annotation) {
            Ok(Value::Unknown(unknown)) | Err(Halt::GaveUp(unknown)) => Resolution::Unknown(unknown),
            Ok(value) => Resolution::Known(value),
            Err(Halt::Raised(_)) => Resolution::Unresolvable,
        }
    }

    /// Evaluates an annotation written as a string.
    pub(crate) fn resolve_text(&mut self, function: &Rc<Function>, annotation: &str) -> Resolution {
        match ruff_python_parser::parse_expression(annotation.trim()) {
            Ok(parsed) => match self.resolve(function, parsed.expr()) {
                // Its own offsets are those of the string, not of the file.
                Resolution::Unknown(unknown) => {
                    Resolution::Unknown(Unknown::new(unknown.why.clone(), function.place.clone()))
                }
                resolution => resolution,
            },
            Err(_) => Resolution::Unresolvable,
        }
    }
}
