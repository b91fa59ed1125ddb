//! Exceptions: the built-in hierarchy, and what stops an evaluation.
//!
//! Knows kinds and messages; who catches them is the statements' business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::RefCell;
use std::rc::Rc;

use super::class::{Class, Instance};
use super::value::{Unknown, Value};
use crate::protocol::SourcePlace;

/// A built-in exception class, or an instance of one.
#[derive(Debug)]
pub(crate) struct ExceptionValue {
    /// The class's name.
    pub(crate) class: Rc<str>,
    /// The message, for an instance.
    pub(crate) message: Option<Rc<str>>,
    /// What it was made with; its `args`.
    pub(crate) arguments: Vec<Value>,
    /// What `raise … from` gave it.
    pub(crate) cause: RefCell<Option<Value>>,
}

impl ExceptionValue {
    /// A class.
    pub(crate) fn class(name: &str) -> Value {
        Value::Exception(Rc::new(Self {
            class: Rc::from(name),
            message: None,
            arguments: Vec::new(),
            cause: RefCell::default(),
        }))
    }

    /// An instance with a message and the arguments it was made with.
    pub(crate) fn instance(class: &str, message: &str, arguments: Vec<Value>) -> Value {
        Value::Exception(Rc::new(Self {
            class: Rc::from(class),
            message: Some(Rc::from(message)),
            arguments,
            cause: RefCell::default(),
        }))
    }
}

/// Why an evaluation stopped.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// Python raised.
    Raised(Rc<Raised>),
    /// What happens from here on cannot be read.
    GaveUp(Rc<Unknown>),
}

/// An exception on its way.
#[derive(Debug)]
pub(crate) struct Raised {
    /// Its class.
    pub(crate) class: RaisedClass,
    /// Its message.
    pub(crate) message: String,
    /// Where it was raised.
    pub(crate) place: SourcePlace,
    /// The exception object, when the code made one of a class of its own.
    pub(crate) value: Option<Value>,
}

/// The exception as an object, for `except … as name` and for gathered results.
pub(crate) fn instance(raised: &Raised) -> Value {
    match (&raised.value, &raised.class) {
        (Some(value), _) => value.clone(),
        (None, RaisedClass::Builtin(class)) => {
            let arguments =
                if raised.message.is_empty() { vec![] } else { vec![Value::text(&raised.message)] };
            ExceptionValue::instance(class, &raised.message, arguments)
        }
        (None, RaisedClass::Project(class)) => Value::Instance(Rc::new(Instance {
            class: Rc::clone(class),
            fields: None,
            arguments: std::cell::RefCell::default(),
        })),
        (None, RaisedClass::Unknown) => {
            Value::Unknown(Unknown::new("which exception is caught is not known", raised.place.clone()))
        }
    }
}

/// The class of an exception.
#[derive(Clone, Debug)]
pub(crate) enum RaisedClass {
    /// A built-in one, by name.
    Builtin(Rc<str>),
    /// One written in the project.
    Project(Rc<Class>),
    /// One that cannot be read.
    Unknown,
}

impl Raised {
    /// The exception as Python's traceback ends.
    pub(crate) fn describe(&self) -> String {
        let class = match &self.class {
            RaisedClass::Builtin(name) => name,
            RaisedClass::Project(class) => &class.name,
            RaisedClass::Unknown => return self.message.clone(),
        };
        if self.message.is_empty() { class.to_string() } else { format!("{class}: {}", self.message) }
    }

    /// Whether a handler for this exception value catches it; `None` when that cannot be read.
    pub(crate) fn is_caught_by(&self, handler: &Value) -> Option<bool> {
        match handler {
            Value::Tuple(handlers) => {
                let mut known = true;
                for handler in handlers.iter() {
                    match self.is_caught_by(handler) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = false,
                    }
                }
                known.then_some(false)
            }
            Value::Exception(handler) => match &self.class {
                RaisedClass::Builtin(class) => Some(is_subclass(class, &handler.class)),
                RaisedClass::Project(class) => class.is_exception(&handler.class),
                RaisedClass::Unknown => (&*handler.class == "BaseException").then_some(true),
            },
            Value::Class(handler) => match &self.class {
                RaisedClass::Builtin(_) => Some(false),
                RaisedClass::Project(class) => inherits(class, handler),
                RaisedClass::Unknown => None,
            },
            // A class of the standard library that is not modelled catches no built-in exception.
            Value::Opaque(_) => matches!(self.class, RaisedClass::Builtin(_)).then_some(false),
            _ => None,
        }
    }
}

pub(crate) fn inherits(class: &Rc<Class>, from: &Rc<Class>) -> Option<bool> {
    if Rc::ptr_eq(class, from) {
        return Some(true);
    }
    let mut known = true;
    for base in &class.bases {
        match base {
            Value::Class(base) => match inherits(base, from) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = false,
            },
            Value::Exception(_) | Value::Type(_) | Value::Form(_) | Value::Opaque(_) => {}
            _ => known = false,
        }
    }
    known.then_some(false)
}

/// Built-in exceptions that are not direct subclasses of `Exception`, with their base.
const BASES: [(&str, &str); 48] = [
    ("Exception", "BaseException"),
    ("GeneratorExit", "BaseException"),
    ("KeyboardInterrupt", "BaseException"),
    ("SystemExit", "BaseException"),
    ("BaseExceptionGroup", "BaseException"),
    ("CancelledError", "BaseException"),
    ("ExceptionGroup", "Exception"),
    ("FloatingPointError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("ProjectMemoryAlreadySetError", "MemoryWriteError"),
    ("ModuleNotFoundError", "ImportError"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("UnboundLocalError", "NameError"),
    ("BlockingIOError", "OSError"),
    ("ChildProcessError", "OSError"),
    ("ConnectionError", "OSError"),
    ("BrokenPipeError", "ConnectionError"),
    ("ConnectionAbortedError", "ConnectionError"),
    ("ConnectionRefusedError", "ConnectionError"),
    ("ConnectionResetError", "ConnectionError"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("InterruptedError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("NotADirectoryError", "OSError"),
    ("PermissionError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("TimeoutError", "OSError"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("IndentationError", "SyntaxError"),
    ("TabError", "IndentationError"),
    ("UnicodeError", "ValueError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeEncodeError", "UnicodeError"),
    ("UnicodeTranslateError", "UnicodeError"),
    ("BytesWarning", "Warning"),
    ("DeprecationWarning", "Warning"),
    ("EncodingWarning", "Warning"),
    ("FutureWarning", "Warning"),
    ("ImportWarning", "Warning"),
    ("PendingDeprecationWarning", "Warning"),
    ("ResourceWarning", "Warning"),
    ("RuntimeWarning", "Warning"),
    ("SyntaxWarning", "Warning"),
    ("UserWarning", "Warning"),
];

/// Other spellings of `OSError`.
const OS_ERROR: [&str; 2] = ["IOError", "EnvironmentError"];

/// Whether a built-in exception class is, or derives from, another.
pub(crate) fn is_subclass(class: &str, of: &str) -> bool {
    let of = if OS_ERROR.contains(&of) { "OSError" } else { of };
    let mut current = if OS_ERROR.contains(&class) { "OSError" } else { class };
    loop {
        if current == of {
            return true;
        }
        if current == "BaseException" {
            return false;
        }
        let base = BASES.iter().find(|(name, _)| *name == current).map(|(_, base)| *base);
        current = base.unwrap_or("Exception");
    }
}

#[cfg(test)]
mod tests {
    use super::is_subclass;

    #[test]
    fn the_hierarchy_is_pythons() {
        assert!(is_subclass("ModuleNotFoundError", "ImportError"));
        assert!(is_subclass("KeyError", "Exception"));
        assert!(is_subclass("IOError", "OSError"));
        assert!(!is_subclass("CancelledError", "Exception"));
        assert!(!is_subclass("ValueError", "TypeError"));
    }
}
