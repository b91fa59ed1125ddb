//! Classes written in Python.
//!
//! Knows a class as a namespace with bases; instances hold nothing of their own.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;

use super::native::Native;
use super::scope::Scope;
use super::value::Value;

/// A class.
#[derive(Debug)]
pub(crate) struct Class {
    /// Its name.
    pub(crate) name: Rc<str>,
    /// Its bases, as they were evaluated.
    pub(crate) bases: Vec<Value>,
    /// Its body's names.
    pub(crate) scope: Rc<Scope>,
    /// Whether it has a metaclass, which may do anything to it.
    pub(crate) metaclass: Cell<bool>,
    /// How many classes a search through its bases may visit, counted once for each way there.
    pub(crate) reach: usize,
    /// How `@dataclass` changed it, if it did.
    pub(crate) dataclass: RefCell<Option<Dataclass>>,
    /// Whether it may be subscripted, or that cannot be excluded.
    pub(crate) subscriptable: bool,
}

/// An instance of a class.
#[derive(Debug)]
pub(crate) struct Instance {
    /// Its class.
    pub(crate) class: Rc<Class>,
    /// Its attributes, when they are known.
    pub(crate) fields: Option<RefCell<IndexMap<Rc<str>, Value>>>,
    /// What it was made with; an exception's `args`.
    pub(crate) arguments: RefCell<Vec<Value>>,
}

/// What `@dataclass` was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the decorator's own arguments")]
pub(crate) struct Dataclass {
    /// Whether instances may not be changed.
    pub(crate) frozen: bool,
    /// Whether instances have an order.
    pub(crate) order: bool,
    /// Whether instances are equal when their fields are.
    pub(crate) equal: bool,
    /// Whether fields are given by name alone.
    pub(crate) keyword_only: bool,
    /// Whether something else was asked for, which is not modelled.
    pub(crate) other: bool,
}

impl Class {
    /// How many classes a search through these bases may visit, one more for the class itself.
    pub(crate) fn reach_over(bases: &[Value]) -> usize {
        let reach = |base: &Value| if let Value::Class(base) = base { base.reach } else { 0 };
        bases.iter().map(reach).fold(1, usize::saturating_add)
    }

    /// Finds an attribute in the class and its readable bases.
    pub(crate) fn attribute(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.scope.bindings.borrow().get(name) {
            return Some(value.clone());
        }
        self.bases.iter().find_map(|base| match base {
            Value::Class(base) => base.attribute(name),
            _ => None,
        })
    }

    /// The class and what it derives from, in the order in which Python looks for attributes.
    pub(crate) fn linear(self: &Rc<Self>) -> Vec<Rc<Self>> {
        let bases: Vec<Rc<Self>> = self
            .bases
            .iter()
            .filter_map(|base| if let Value::Class(base) = base { Some(Rc::clone(base)) } else { None })
            .collect();
        let mut order = vec![Rc::clone(self)];
        if let [only] = bases.as_slice() {
            order.extend(only.linear());
            return order;
        }
        let mut lines: Vec<Vec<Rc<Self>>> = bases.iter().map(Self::linear).collect();
        lines.push(bases);
        loop {
            lines.retain(|line| !line.is_empty());
            let next = lines.iter().filter_map(|line| line.first()).find(|candidate| {
                !lines.iter().any(|line| line.iter().skip(1).any(|later| Rc::ptr_eq(later, candidate)))
            });
            // Where there is no order Python refuses the class; the first will do.
            let Some(next) = next.or_else(|| lines.first().and_then(|line| line.first())).map(Rc::clone)
            else {
                return order;
            };
            for line in &mut lines {
                line.retain(|one| !Rc::ptr_eq(one, &next));
            }
            order.push(next);
        }
    }

    /// Finds an attribute in that order.
    pub(crate) fn find(self: &Rc<Self>, name: &str) -> Option<Value> {
        if let Some(value) = self.scope.bindings.borrow().get(name) {
            return Some(value.clone());
        }
        self.linear().iter().skip(1).find_map(|class| class.scope.bindings.borrow().get(name).cloned())
    }

    /// Whether an attribute is a static method.
    pub(crate) fn is_static(&self, name: &str) -> bool {
        let value = self.attribute(name);
        matches!(value, Some(Value::Native(native)) if matches!(*native, Native::StaticMethod(_)))
    }

    /// Whether raising an instance of this class is caught by a handler for the built-in exception
    /// `caught`; `None` when a base cannot be read.
    pub(crate) fn is_exception(&self, caught: &str) -> Option<bool> {
        let mut known = true;
        for base in &self.bases {
            let matches = match base {
                Value::Exception(base) => Some(super::exception::is_subclass(&base.class, caught)),
                Value::Class(base) => base.is_exception(caught),
                Value::Type(_) | Value::Form(_) => Some(false),
                _ => None,
            };
            match matches {
                Some(true) => return Some(true),
                Some(false) => {}
                None => known = false,
            }
        }
        known.then_some(false)
    }
}
