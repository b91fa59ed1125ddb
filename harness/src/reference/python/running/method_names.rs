//! Which methods the built-in types have, so that a missing attribute is one in Python too.
//!
//! Names only; a method that is named here and not run is an error of the run, never an `AttributeError`.
//! Rules: Python 3.11.

use super::super::form::BasicType;
use super::super::value::Value;

const TEXT: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];
const LIST: &[&str] =
    &["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"];
const DICT: &[&str] = &[
    "clear",
    "copy",
    "fromkeys",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];
const SET: &[&str] = &[
    "add",
    "clear",
    "copy",
    "difference",
    "difference_update",
    "discard",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "symmetric_difference_update",
    "union",
    "update",
];
const FROZEN_SET: &[&str] = &[
    "copy",
    "difference",
    "intersection",
    "isdisjoint",
    "issubset",
    "issuperset",
    "symmetric_difference",
    "union",
];
const TUPLE: &[&str] = &["count", "index"];
const INTEGER: &[&str] = &[
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "denominator",
    "from_bytes",
    "imag",
    "numerator",
    "real",
    "to_bytes",
];
const FLOAT: &[&str] = &["as_integer_ratio", "conjugate", "fromhex", "hex", "imag", "is_integer", "real"];
const RANGE: &[&str] = &["count", "index", "start", "step", "stop"];
const VIEW: &[&str] = &["isdisjoint", "mapping"];
const TASK: &[&str] = &[
    "add_done_callback",
    "cancel",
    "cancelled",
    "cancelling",
    "done",
    "exception",
    "get_coro",
    "get_name",
    "remove_done_callback",
    "result",
    "set_name",
    "uncancel",
];
const COROUTINE: &[&str] = &["close", "cr_await", "cr_code", "cr_frame", "cr_running", "send", "throw"];
const GENERATOR: &[&str] = &["close", "gi_code", "gi_frame", "gi_running", "send", "throw"];

/// The methods of a built-in type.
pub(super) fn of_type(basic: BasicType) -> &'static [&'static str] {
    match basic {
        BasicType::Str => TEXT,
        BasicType::List => LIST,
        BasicType::Dict => DICT,
        BasicType::Set => SET,
        BasicType::FrozenSet => FROZEN_SET,
        BasicType::Tuple => TUPLE,
        BasicType::Int | BasicType::Bool => INTEGER,
        BasicType::Float => FLOAT,
        _ => &[],
    }
}

/// The methods of a value of a built-in type.
pub(super) fn of(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Text(_) => TEXT,
        Value::List(_) => LIST,
        Value::Dict(_) => DICT,
        Value::Set(set) if set.frozen => FROZEN_SET,
        Value::Set(_) => SET,
        Value::Tuple(_) => TUPLE,
        Value::Int(_) | Value::Bool(_) => INTEGER,
        Value::Float(_) => FLOAT,
        Value::Range(_) => RANGE,
        Value::View(_) => VIEW,
        Value::Iterator(iteration) if iteration.class_name() == "generator" => GENERATOR,
        Value::Awaitable(awaitable) if awaitable.is_task() => TASK,
        Value::Awaitable(_) => COROUTINE,
        Value::Primitive(primitive) => primitive.methods(),
        _ => &[],
    }
}
