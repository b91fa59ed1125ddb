//! Functions and decorators that the reference provides instead of Python.
//!
//! Names them; what they do is in `provided` and `wrapping`.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use indexmap::IndexMap;

use super::class::{Class, Dataclass};
use super::function::Function;
use super::value::Value;

/// A native function, or one that is waiting for its next argument.
#[derive(Debug)]
pub(crate) enum Native {
    /// A function by name.
    Function(NativeFunction),
    /// `tool(description=...)`: waits for the function it marks.
    ToolDecorator {
        /// The description; any value, `Unknown` included.
        description: Value,
    },
    /// `functools.wraps(f)`: waits for the wrapper.
    Wraps(Value),
    /// `functools.partial(f, ...)`.
    Partial {
        /// What is called.
        callee: Value,
        /// Arguments given so far.
        arguments: Arguments,
    },
    /// Returns the class or function it is given.
    Identity,
    /// `@staticmethod` above a function.
    StaticMethod(Rc<Function>),
    /// `@classmethod` above a function.
    ClassMethod(Rc<Function>),
    /// `@dataclass(...)`: waits for the class.
    Dataclass(Dataclass),
    /// `property`.
    Property {
        /// What reads it.
        getter: Value,
        /// What writes it.
        setter: Option<Value>,
    },
    /// `dataclasses.field(...)`.
    Field {
        /// Its default.
        default: Option<Value>,
        /// What makes its default.
        factory: Option<Value>,
    },
    /// `super()`: what comes after a class in the order of an object's classes.
    Super {
        /// The class.
        class: Rc<Class>,
        /// The object, or the class that a class method was called on.
        object: Value,
    },
    /// A method of a string, list or dict.
    Method {
        /// The object.
        object: Value,
        /// The method's name.
        name: Rc<str>,
    },
    /// A method of an object of the runtime.
    HostMethod {
        /// The object.
        object: Value,
        /// The method's name.
        name: Rc<str>,
    },
    /// A method bound to an instance or class, to be called with it as first argument.
    Bound {
        /// The function.
        function: Rc<Function>,
        /// Its first argument.
        first: Value,
    },
}

/// The native functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeFunction {
    /// `rasa.mantle.tools.decorator.tool`.
    Tool,
    /// `functools.wraps`.
    Wraps,
    /// `functools.update_wrapper`.
    UpdateWrapper,
    /// `functools.partial`.
    Partial,
    /// `dataclasses.dataclass`: a class, or settings and then a class.
    Dataclass,
    /// `dataclasses.field`.
    Field,
    /// `typing.cast`.
    Cast,
    /// `textwrap.dedent`.
    Dedent,
    /// `inspect.cleandoc`.
    CleanDoc,
    /// `functools.cache` and `lru_cache`: a function, or settings and then a function.
    Cache,
    /// A built-in function.
    Represent,
    /// A built-in function.
    Format,
    /// A built-in function.
    Max,
    /// A built-in function.
    Min,
    /// A built-in function.
    Sum,
    /// A built-in class.
    Reversed,
    /// A built-in function.
    IsInstance,
    /// A built-in function.
    Len,
    /// A built-in function.
    Sorted,
    /// A built-in function.
    Range,
    /// A built-in function.
    Enumerate,
    /// A built-in function.
    Zip,
    /// A built-in function.
    Print,
    /// A built-in function.
    GetAttribute,
    /// A built-in function.
    SetAttribute,
    /// A built-in function.
    HasAttribute,
    /// A built-in function.
    Globals,
    /// A built-in function.
    Any,
    /// A built-in function.
    All,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// Positional ones.
    pub(crate) positional: Vec<Value>,
    /// Keyword ones.
    pub(crate) keywords: IndexMap<Rc<str>, Value>,
    /// Set when `*x` or `**x` of something unknown may have added more.
    pub(crate) open: Option<Rc<super::value::Unknown>>,
}

impl Arguments {
    /// A single positional argument.
    pub(crate) fn one(value: Value) -> Self {
        Self { positional: vec![value], ..Self::default() }
    }

    /// Every argument value.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.positional.iter().chain(self.keywords.values())
    }
}

impl Native {
    /// A property that is written by another function.
    pub(crate) fn with_setter(&self, setter: Option<Value>) -> Value {
        let getter = if let Self::Property { getter, .. } = self { getter.clone() } else { Value::None };
        Value::Native(Rc::new(Self::Property { getter, setter }))
    }
}

impl NativeFunction {
    /// The built-in function of that name.
    pub(crate) fn builtin(name: &str) -> Option<Self> {
        Some(match name {
            "isinstance" => Self::IsInstance,
            "len" => Self::Len,
            "repr" => Self::Represent,
            "format" => Self::Format,
            "max" => Self::Max,
            "min" => Self::Min,
            "sum" => Self::Sum,
            "reversed" => Self::Reversed,
            "sorted" => Self::Sorted,
            "range" => Self::Range,
            "enumerate" => Self::Enumerate,
            "zip" => Self::Zip,
            "print" => Self::Print,
            "getattr" => Self::GetAttribute,
            "setattr" => Self::SetAttribute,
            "hasattr" => Self::HasAttribute,
            "globals" => Self::Globals,
            "any" => Self::Any,
            "all" => Self::All,
            _ => return None,
        })
    }
}
