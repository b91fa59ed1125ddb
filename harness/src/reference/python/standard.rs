//! The modules that come with Python and with the engine: what the reference models of them.
//!
//! A member that is not modelled is opaque: it exists, and it is none of the types of the schema table.
//! Rules: tools-reference, "Defining a tool", for `rasa.mantle`; the rest is Python's own.

use std::rc::Rc;

use ruff_python_stdlib::sys::is_known_standard_library;

use super::exception::ExceptionValue;
use super::form::{BasicType, Form};
use super::native::{Native, NativeFunction};
use super::value::Value;

/// The minor version of Python 3 whose standard library is assumed.
const PYTHON_MINOR: u8 = 11;

/// The engine's modules that the contract names, with what it says is in them.
const ENGINE: [(&str, &[&str]); 6] = [
    ("rasa", &["mantle"]),
    ("rasa.mantle", &["tools"]),
    ("rasa.mantle.tools", &["decorator", "result", "buttons"]),
    ("rasa.mantle.tools.decorator", &["tool", "ToolContext"]),
    ("rasa.mantle.tools.result", &["ToolResult"]),
    ("rasa.mantle.tools.buttons", &["Button"]),
];

/// Whether a module is there without the project's doing: the standard library or the engine.
pub(crate) fn is_provided(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or(module);
    ENGINE.iter().any(|(known, _)| *known == module) || is_known_standard_library(PYTHON_MINOR, root)
}

/// What the contract says is in one of the engine's modules; `None` for any other module.
pub(crate) fn engine_members(module: &str) -> Option<&'static [&'static str]> {
    ENGINE.iter().find(|(known, _)| *known == module).map(|(_, members)| *members)
}

/// A member of a provided module.
pub(crate) fn member(module: &str, name: &str) -> Value {
    modelled(module, name).unwrap_or_else(|| Value::Opaque(Rc::from(format!("{module}.{name}"))))
}

fn modelled(module: &str, name: &str) -> Option<Value> {
    let native = |function| Some(Value::Native(Rc::new(Native::Function(function))));
    match (module, name) {
        ("typing" | "typing_extensions", _) => typing(name),
        ("rasa.mantle.tools.decorator", "tool") => native(NativeFunction::Tool),
        ("functools", "wraps") => native(NativeFunction::Wraps),
        ("functools", "update_wrapper") => native(NativeFunction::UpdateWrapper),
        ("functools", "partial") => native(NativeFunction::Partial),
        ("functools", "cache" | "lru_cache") => native(NativeFunction::Cache),
        ("dataclasses", "dataclass") => native(NativeFunction::Dataclass),
        ("dataclasses", "field") => native(NativeFunction::Field),
        ("functools", "total_ordering") | ("enum", "unique" | "verify") => Some(identity()),
        ("textwrap", "dedent") => native(NativeFunction::Dedent),
        ("inspect", "cleandoc") => native(NativeFunction::CleanDoc),
        ("types", "NoneType") => Some(Value::Type(BasicType::NoneType)),
        ("asyncio", "CancelledError") => Some(exception("CancelledError")),
        ("asyncio", "TimeoutError") => Some(exception("TimeoutError")),
        ("builtins", _) => builtin(name),
        _ => None,
    }
}

fn identity() -> Value {
    Value::Native(Rc::new(Native::Identity))
}

fn typing(name: &str) -> Option<Value> {
    const SPECIAL: [&str; 32] = [
        "Optional",
        "Union",
        "List",
        "Annotated",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Any",
        "Dict",
        "Set",
        "FrozenSet",
        "Tuple",
        "Type",
        "Literal",
        "Callable",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "Mapping",
        "MutableMapping",
        "Collection",
        "Awaitable",
        "Coroutine",
        "AsyncIterator",
        "Generator",
        "Final",
        "ClassVar",
        "TypeAlias",
        "Generic",
        "Protocol",
        "DefaultDict",
    ];
    if let Some(special) = SPECIAL.iter().find(|special| **special == name) {
        return Some(Value::Form(Rc::new(Form::Special(special))));
    }
    match name {
        "Text" => Some(Value::Type(BasicType::Str)),
        "TYPE_CHECKING" => Some(Value::Bool(false)),
        "cast" => Some(Value::Native(Rc::new(Native::Function(NativeFunction::Cast)))),
        "final" | "override" | "runtime_checkable" | "overload" | "no_type_check" => Some(identity()),
        _ => None,
    }
}

/// A built-in exception class.
pub(crate) fn exception(name: &str) -> Value {
    ExceptionValue::class(name)
}

/// A built-in name.
pub(crate) fn builtin(name: &str) -> Option<Value> {
    if let Some(basic) = BasicType::named(name) {
        return Some(Value::Type(basic));
    }
    if let Some(function) = NativeFunction::builtin(name) {
        return Some(Value::Native(Rc::new(Native::Function(function))));
    }
    let is_exception = ruff_python_stdlib::builtins::is_exception(name, PYTHON_MINOR);
    match name {
        _ if is_exception => Some(exception(name)),
        "__debug__" => Some(Value::Bool(true)),
        _ if ruff_python_stdlib::builtins::is_python_builtin(name, PYTHON_MINOR, false) => {
            Some(Value::Opaque(Rc::from(format!("builtins.{name}"))))
        }
        _ => None,
    }
}

/// Calls of the standard library that make a type, so that the result can stand in an annotation.
pub(crate) fn makes_a_type(callee: &str) -> bool {
    matches!(
        callee,
        "typing.NewType"
            | "typing.TypeVar"
            | "typing.ParamSpec"
            | "typing.TypeVarTuple"
            | "typing.NamedTuple"
            | "typing.TypedDict"
            | "typing_extensions.TypedDict"
            | "typing.TypeAliasType"
            | "collections.namedtuple"
            | "enum.Enum"
            | "enum.IntEnum"
            | "enum.StrEnum"
            | "enum.Flag"
            | "dataclasses.make_dataclass"
    )
}

/// The calls of [`makes_a_type`] that give a class, where the others give a form of `typing`.
pub(crate) fn makes_a_class(callee: &str) -> bool {
    makes_a_type(callee)
        && !matches!(callee, "typing.NewType" | "typing.TypeVar" | "typing.ParamSpec" | "typing.TypeVarTuple")
        && callee != "typing.TypeAliasType"
}

/// Whether an opaque path is a module of the standard library itself, and not a thing in one.
pub(crate) fn is_module(path: &str) -> bool {
    path == "os.path" || !path.contains('.') && is_known_standard_library(PYTHON_MINOR, path)
}

/// Whether an opaque path is certainly no class: a module, a built-in function, a literal.
pub(crate) fn is_no_class(path: &str) -> bool {
    is_module(path) || is_builtin_function(path) || ["...", "bytes", "set", "complex number"].contains(&path)
}

/// Whether an opaque path is a built-in function, and no class.
pub(crate) fn is_builtin_function(path: &str) -> bool {
    const CLASSES: [&str; 9] = [
        "classmethod",
        "filter",
        "map",
        "memoryview",
        "property",
        "reversed",
        "slice",
        "staticmethod",
        "super",
    ];
    path.strip_prefix("builtins.").is_some_and(|name| {
        name.starts_with(|first: char| first.is_ascii_lowercase()) && !CLASSES.contains(&name)
    })
}

/// Whether a function of the standard library leaves lists and dicts as they are.
pub(crate) fn only_reads(path: &str) -> bool {
    const ROOTS: [&str; 12] = [
        "copy",
        "datetime",
        "decimal",
        "hashlib",
        "json",
        "logging",
        "math",
        "pprint",
        "re",
        "statistics",
        "textwrap",
        "warnings",
    ];
    let root = path.split('.').next().unwrap_or(path);
    ROOTS.contains(&root)
        || matches!(path, "types.MappingProxyType" | "builtins.isinstance" | "builtins.frozenset")
}
