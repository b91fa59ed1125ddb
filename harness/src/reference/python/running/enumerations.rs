//! Enumerations in running code.
//!
//! Knows the members of a class and which of them are also texts or numbers.
//! Rules: Python's `enum` in 3.11; flags and members with an `__init__` of their own are not run.

use std::rc::Rc;

use super::super::class::Class;
use super::super::enumeration;
use super::super::exception::Halt;
use super::super::form::BasicType;
use super::super::interpreter::Interpreter;
use super::super::value::{Member, Value};
use super::site::Site;

impl Interpreter<'_> {
    /// The members of an enumeration, aliases left out; `None` when the class is none, or not one that is run.
    pub(super) fn enumerated(class: &Rc<Class>) -> Option<Vec<Value>> {
        if !enumeration::is_enumeration(class) {
            return None;
        }
        let counts_words = class.linear().iter().any(|one| {
            one.bases.iter().any(|base| matches!(base, Value::Opaque(path) if &**path == "enum.StrEnum"))
        });
        let mut members: Vec<Rc<Member>> = Vec::new();
        let mut last = 0_i64;
        for (name, value) in class.scope.bindings.borrow().iter() {
            if name.starts_with('_') || !enumeration::is_member_value(value) {
                continue;
            }
            let value = match value {
                Value::Opaque(_) if counts_words => Value::text(&name.to_lowercase()),
                Value::Opaque(_) => Value::Int(last.saturating_add(1)),
                known => known.clone(),
            };
            if let Value::Int(number) = value {
                last = number;
            }
            let is_alias = members.iter().any(|known| known.value.equals(&value) == Some(true));
            if !is_alias {
                members.push(Rc::new(Member { class: Rc::clone(class), name: Rc::clone(name), value }));
            }
        }
        Some(members.into_iter().map(Value::Member).collect())
    }

    /// The member of a name, which may be an alias.
    pub(super) fn member_named(class: &Rc<Class>, members: &[Value], name: &str) -> Option<Value> {
        let named = |wanted: &Value| match wanted {
            Value::Member(member) => *member.name == *name,
            _ => false,
        };
        if let Some(member) = members.iter().find(|member| named(member)) {
            return Some(member.clone());
        }
        let value = class.scope.bindings.borrow().get(name).cloned().filter(|_| !name.starts_with('_'))?;
        members
            .iter()
            .find(
                |member| matches!(member, Value::Member(member) if member.value.equals(&value) == Some(true)),
            )
            .cloned()
    }

    /// `Enumeration(value)`.
    pub(super) fn member_of(
        &mut self,
        site: Site<'_>,
        class: &Rc<Class>,
        value: &Value,
    ) -> Result<Value, Halt> {
        let unsupported = ["__init__", "__new__", "_missing_", "_generate_next_value_"];
        if unsupported.iter().any(|name| class.find(name).is_some()) {
            return Err(site.outside("an enumeration that makes its members itself is not run"));
        }
        for member in Self::enumerated(class).unwrap_or_default() {
            let Value::Member(known) = &member else { continue };
            let is_it = match value {
                Value::Member(other) => Rc::ptr_eq(&other.class, class) && other.name == known.name,
                value => self.equal(site, &known.value.clone(), value)?,
            };
            if is_it {
                return Ok(member);
            }
        }
        let message = format!("{} is not a valid {}", self.represent(site, value)?, class.name);
        Err(site.value_error(message))
    }

    /// Whether `str` of a member is its value's.
    pub(super) fn shows_its_value(member: &Member) -> bool {
        member.class.linear().iter().any(|class| {
            class
                .bases
                .iter()
                .any(|base| matches!(base, Value::Opaque(path) if matches!(&**path, "enum.StrEnum" | "enum.IntEnum")))
        })
    }

    /// A value, or for a member that is also a text or number, that one.
    pub(super) fn unmixed(value: &Value) -> Value {
        match value {
            Value::Member(member) if member.is_mixed() => member.value.clone(),
            other => other.clone(),
        }
    }
}

impl Member {
    /// Whether a member is also the text or number that is its value.
    pub(crate) fn is_mixed(&self) -> bool {
        self.class.linear().iter().any(|class| {
            class.bases.iter().any(|base| match base {
                Value::Type(basic) => matches!(basic, BasicType::Str | BasicType::Int | BasicType::Float),
                Value::Opaque(path) => matches!(&**path, "enum.StrEnum" | "enum.IntEnum"),
                _ => false,
            })
        })
    }
}
