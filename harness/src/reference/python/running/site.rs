//! Where running code stands, for what it raises and for what is not run.
//!
//! Knows frames and ranges; decides nothing.
//! Rules: design, "Scenarios": outside the subset, an error that names file, line and construct.

use std::rc::Rc;

use ruff_text_size::{Ranged, TextRange};

use super::super::exception::{ExceptionValue, Halt, Raised, RaisedClass};
use super::super::interpreter::Frame;
use super::super::value::{Unknown, Value};
use crate::protocol::SourcePlace;

/// A node of running code.
#[derive(Clone, Copy)]
pub(crate) struct Site<'code> {
    /// The code it belongs to.
    pub(crate) frame: &'code Frame,
    /// The node.
    pub(crate) range: TextRange,
}

impl Frame {
    /// A node of this code.
    pub(crate) fn at(&self, node: &impl Ranged) -> Site<'_> {
        Site { frame: self, range: node.range() }
    }
}

impl Site<'_> {
    /// Where it stands in its file.
    pub(crate) fn place(self) -> SourcePlace {
        self.frame.place(self.range)
    }

    /// A built-in exception with a message.
    pub(crate) fn raise(self, class: &str, message: impl Into<String>) -> Halt {
        let message = message.into();
        let arguments = if message.is_empty() { Vec::new() } else { vec![Value::text(&message)] };
        self.raise_with(class, message, arguments)
    }

    /// A built-in exception made with arguments of which its message is another view.
    pub(crate) fn raise_with(self, class: &str, message: String, arguments: Vec<Value>) -> Halt {
        let value = ExceptionValue::instance(class, &message, arguments);
        Halt::Raised(Rc::new(Raised {
            class: RaisedClass::Builtin(Rc::from(class)),
            message,
            place: self.place(),
            value: Some(value),
        }))
    }

    /// A `TypeError`.
    pub(crate) fn type_error(self, message: impl Into<String>) -> Halt {
        self.raise("TypeError", message)
    }

    /// A `ValueError`.
    pub(crate) fn value_error(self, message: impl Into<String>) -> Halt {
        self.raise("ValueError", message)
    }

    /// The end of a run at something that is not run.
    pub(crate) fn outside(self, why: impl Into<String>) -> Halt {
        Halt::GaveUp(Unknown::new(why, self.place()))
    }

    /// The end of a run at the construct that stands here.
    pub(crate) fn not_run(self) -> Halt {
        self.outside(format!("`{}` is not run", self.frame.file.excerpt(self.range)))
    }
}
