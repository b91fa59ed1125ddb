//! Type forms: what annotations are made of.
//!
//! Rules: Python's own meaning of annotations; what each becomes in a schema is `schema`'s affair.

use std::rc::Rc;

use super::value::Value;

/// A built-in type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BasicType {
    Str,
    Int,
    Float,
    Bool,
    List,
    Dict,
    Tuple,
    Set,
    FrozenSet,
    Bytes,
    ByteArray,
    Complex,
    Object,
    Type,
    NoneType,
}

/// A form of the `typing` module, or a parametrised type.
#[derive(Debug)]
pub(crate) enum Form {
    /// A union of two or more members, flat.
    Union {
        /// Its members.
        members: Vec<Value>,
        /// Whether `typing` made it: only then may a string be joined to it.
        typing: bool,
    },
    /// A type with arguments, for example `list[str]`.
    Parametrised {
        /// The type.
        origin: Value,
        /// Its arguments.
        arguments: Vec<Value>,
    },
    /// `Annotated[T, ...]`, `Required[T]` or another form that only adds to `T`.
    Annotated(Value),
    /// A special form without arguments, for example `Optional` or `List`.
    Special(&'static str),
    /// Another form, by its spelling: a type variable, a new type, a literal.
    Other(Rc<str>),
}

impl BasicType {
    const NAMES: [(&'static str, Self); 14] = [
        ("str", Self::Str),
        ("int", Self::Int),
        ("float", Self::Float),
        ("bool", Self::Bool),
        ("list", Self::List),
        ("dict", Self::Dict),
        ("tuple", Self::Tuple),
        ("set", Self::Set),
        ("frozenset", Self::FrozenSet),
        ("bytes", Self::Bytes),
        ("bytearray", Self::ByteArray),
        ("complex", Self::Complex),
        ("object", Self::Object),
        ("type", Self::Type),
    ];

    /// The built-in type of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, basic)| *basic)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, basic)| *basic == self).map_or("NoneType", |(name, _)| name)
    }

    /// Whether `T[...]` is allowed.
    pub(crate) fn is_subscriptable(self) -> bool {
        matches!(self, Self::List | Self::Dict | Self::Tuple | Self::Set | Self::FrozenSet | Self::Type)
    }
}

/// Joins types with `|` or `Union[...]`: flattened, without repetition; a single one is itself.
pub(crate) fn union(members: impl IntoIterator<Item = Value>, typing: bool) -> Value {
    let mut flat: Vec<Value> = Vec::new();
    for member in members {
        let inner = match &member {
            Value::Form(form) => match form.as_ref() {
                Form::Union { members, .. } => members.clone(),
                _ => vec![member],
            },
            _ => vec![member],
        };
        for one in inner {
            if !flat.iter().any(|known| is_same_type(known, &one)) {
                flat.push(one);
            }
        }
    }
    match flat.len() {
        1 => match flat.remove(0) {
            Value::None => Value::Type(BasicType::NoneType),
            single => single,
        },
        _ => Value::Form(Rc::new(Form::Union { members: flat, typing })),
    }
}

/// Whether two types are equal, so that a union holds one of them only.
fn is_same_type(left: &Value, right: &Value) -> bool {
    let none = |value: &Value| matches!(value, Value::None | Value::Type(BasicType::NoneType));
    if left.is_same(right) || (none(left) && none(right)) {
        return true;
    }
    let (Value::Form(left), Value::Form(right)) = (left, right) else { return false };
    match (left.as_ref(), right.as_ref()) {
        (Form::Special(left), Form::Special(right)) => left == right,
        (
            Form::Parametrised { origin: left, arguments: ours },
            Form::Parametrised { origin: right, arguments: theirs },
        ) => {
            let pairwise = || ours.iter().zip(theirs).all(|(left, right)| is_same_type(left, right));
            is_same_type(left, right) && ours.len() == theirs.len() && pairwise()
        }
        (Form::Union { members: ours, .. }, Form::Union { members: theirs, .. }) => {
            let holds = |one: &Value| theirs.iter().any(|other| is_same_type(one, other));
            ours.len() == theirs.len() && ours.iter().all(holds)
        }
        _ => false,
    }
}
