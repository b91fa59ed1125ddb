//! Python, read and run as far as loading an agent needs: modules, decorators, annotations.
//!
//! Knows nothing of skills, schemas or the contract. What cannot be read is [`value::Value::Unknown`],
//! with the reason and the place, and nothing is guessed about it.
//! Rules: Python's own; which constructs are read is documented in `specs/python-subset.md`.

mod access;
mod awaitable;
mod binding;
mod bound_names;
mod branches;
mod calls;
mod cancellation;
mod class;
mod classes;
mod collections;
mod compile_errors;
mod comprehensions;
mod containers;
mod coroutine;
mod enumeration;
mod exception;
mod expressions;
mod form;
mod formatting;
mod function;
mod gathering;
mod host;
mod importer;
mod interpreter;
mod iteration;
mod json;
mod methods;
mod module;
mod native;
mod nesting;
mod operators;
mod patterns;
mod primitive;
mod provided;
mod resolution;
mod running;
mod scope;
mod source_file;
mod standard;
mod statements;
mod turns;
mod type_forms;
mod value;
mod wrapping;

pub(crate) use awaitable::{Awaitable, drive};
pub(crate) use cancellation::Cancellation;
pub(crate) use coroutine::Program;
pub(crate) use exception::{Halt, Raised};
pub(crate) use form::{BasicType, Form, union};
pub(crate) use function::{Annotation, Function};
pub(crate) use host::{HostObject, HostRaise, Outside, Record, ServiceStart};
pub(crate) use importer::raise;
pub(crate) use interpreter::Interpreter;
pub(crate) use json::{from_json, to_json};
pub(crate) use module::Module;
pub(crate) use native::Arguments;
pub(crate) use resolution::Resolution;
pub(crate) use source_file::SourceFile;
pub(crate) use turns::Turns;
pub(crate) use type_forms::is_list;
pub(crate) use value::{Made, Unknown, Value};
