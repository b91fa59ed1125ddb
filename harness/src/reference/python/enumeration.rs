//! Enumerations: which names of a class are members, and how a member shows.
//!
//! Knows classes after their bodies ran; what `auto()` counts to is not modelled.
//! Rules: Python's `enum`, as 3.11 to 3.13 agree on it; where they differ nothing is known.

use std::rc::Rc;

use super::class::Class;
use super::value::{Member, Value};

/// What `enum.auto()` gives in a class body.
pub(crate) const AUTO: &str = "enum.auto()";

const KINDS: [&str; 5] = ["enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"];

/// Whether a class is an enumeration.
pub(crate) fn is_enumeration(class: &Class) -> bool {
    class.bases.iter().any(|base| match base {
        Value::Opaque(path) => KINDS.contains(&&**path),
        Value::Class(base) => is_enumeration(base),
        _ => false,
    })
}

/// The member of that name, if the class is an enumeration and the name is one of its members.
pub(crate) fn member(class: &Rc<Class>, name: &str) -> Option<Value> {
    if name.starts_with('_') || !is_enumeration(class) {
        return None;
    }
    let value = class.scope.bindings.borrow().get(name).cloned().filter(is_member_value)?;
    Some(Value::Member(Rc::new(Member { class: Rc::clone(class), name: Rc::from(name), value })))
}

/// The members of an enumeration in order; `None` when they are not known.
pub(crate) fn members(class: &Rc<Class>) -> Option<Vec<Value>> {
    if !is_enumeration(class) {
        return None;
    }
    let mut members: Vec<Rc<Member>> = Vec::new();
    for (name, value) in class.scope.bindings.borrow().iter() {
        if name.starts_with('_') || matches!(value, Value::Function(_) | Value::Made(_)) {
            continue;
        }
        if !is_member_value(value) {
            return None;
        }
        let is_auto = |value: &Value| matches!(value, Value::Opaque(path) if &**path == AUTO);
        let mut alias = false;
        for known in &members {
            // Every `auto()` counts on, and none is compared with a value that was written out.
            alias |= match (is_auto(&known.value), is_auto(value)) {
                (true, true) => false,
                (false, false) => known.value.equals(value)?,
                _ => return None,
            };
        }
        if !alias {
            let (class, name) = (Rc::clone(class), Rc::clone(name));
            members.push(Rc::new(Member { class, name, value: value.clone() }));
        }
    }
    Some(members.into_iter().map(Value::Member).collect())
}

/// An attribute of a member; `None` when it is not known.
pub(crate) fn attribute(member: &Member, name: &str) -> Option<Value> {
    let plain = !["__new__", "__init__", name].iter().any(|name| member.class.attribute(name).is_some());
    match name {
        "name" | "_name_" if plain => Some(Value::Text(Rc::clone(&member.name))),
        "value" | "_value_" if plain && !matches!(member.value, Value::Opaque(_)) => {
            Some(member.value.clone())
        }
        _ => None,
    }
}

/// What `str(member)` gives; `None` when that is not known.
pub(crate) fn display(member: &Member) -> Option<String> {
    let own = ["__str__", "__format__", "__new__", "__init__"];
    if own.iter().any(|name| member.class.attribute(name).is_some()) {
        return None;
    }
    match (member.class.bases.as_slice(), &member.value) {
        ([Value::Opaque(base)], _) if &**base == "enum.Enum" => {
            Some(format!("{}.{}", member.class.name, member.name))
        }
        ([Value::Opaque(base)], Value::Text(text)) if &**base == "enum.StrEnum" => Some(text.to_string()),
        _ => None,
    }
}

/// Values that a class body turns into members; descriptors, and what may be one, are others.
pub(super) fn is_member_value(value: &Value) -> bool {
    match value {
        Value::Opaque(path) => &**path == AUTO,
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::Tuple(_)
        | Value::List(_)
        | Value::Dict(_) => true,
        _ => false,
    }
}
