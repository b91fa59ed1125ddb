//! Names and what they are bound to.
//!
//! Knows names, not what runs; a name that may be bound is unknown, not missing.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;

use super::value::{Unknown, Value};

/// The bindings of a scope, in the order of their first assignment.
pub(crate) type Bindings = IndexMap<Rc<str>, Value>;

/// A module's, class's or function's names.
#[derive(Debug)]
pub(crate) struct Scope {
    /// What kind of scope it is.
    pub(crate) kind: ScopeKind,
    /// The bindings.
    pub(crate) bindings: RefCell<Bindings>,
    /// The scope around it.
    pub(crate) parent: Option<Rc<Self>>,
    /// Names declared `global` here.
    pub(crate) globals: RefCell<BTreeSet<Rc<str>>>,
    /// Names declared `nonlocal` here.
    pub(crate) nonlocals: RefCell<BTreeSet<Rc<str>>>,
    /// Why any name may be bound here: a star import that cannot be read.
    pub(crate) anything: RefCell<Option<Rc<Unknown>>>,
    /// Names annotated here, in order, and whether each is a class variable.
    pub(crate) annotated: RefCell<Vec<(Rc<str>, bool)>>,
    /// The class whose body this is, once it is made.
    pub(crate) owner: RefCell<std::rc::Weak<super::class::Class>>,
    /// Names that a call of a function decides to be its own, by assigning them somewhere.
    pub(crate) locals: RefCell<Option<Rc<super::running::LocalNames>>>,
    /// Whether the scope's code ran to its end as far as it could be read.
    pub(crate) complete: Cell<bool>,
}

/// The kinds of scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// A module.
    Module,
    /// A class body, invisible from the functions in it.
    Class,
    /// A call of a function.
    Function,
    /// A comprehension or generator expression.
    Comprehension,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    /// It is bound.
    Bound(Value),
    /// It may be bound by something that cannot be read.
    Perhaps(Rc<Unknown>),
    /// It is not bound.
    Missing,
}

impl Scope {
    /// A new scope inside another.
    pub(crate) fn new(kind: ScopeKind, parent: Option<Rc<Self>>) -> Rc<Self> {
        Rc::new(Self {
            kind,
            bindings: RefCell::default(),
            parent,
            globals: RefCell::default(),
            nonlocals: RefCell::default(),
            anything: RefCell::default(),
            annotated: RefCell::default(),
            owner: RefCell::default(),
            locals: RefCell::default(),
            complete: Cell::new(true),
        })
    }

    /// Looks a name up from here outwards; the built-ins are the caller's affair.
    pub(crate) fn lookup(self: &Rc<Self>, name: &str) -> Lookup {
        let mut perhaps = None;
        let mut scope = Some(self);
        while let Some(current) = scope {
            let visible = current.kind != ScopeKind::Class || Rc::ptr_eq(current, self);
            if visible {
                if let Some(value) = current.bindings.borrow().get(name) {
                    return perhaps.map_or_else(|| Lookup::Bound(value.clone()), Lookup::Perhaps);
                }
                if perhaps.is_none() {
                    perhaps.clone_from(&current.anything.borrow());
                }
            }
            scope = current.parent.as_ref();
        }
        perhaps.map_or(Lookup::Missing, Lookup::Perhaps)
    }

    /// Binds a name where an assignment in this scope binds it.
    pub(crate) fn assign(self: &Rc<Self>, name: &str, value: Value) {
        let target = self.owner_of(name);
        let mut bindings = target.bindings.borrow_mut();
        match bindings.get_mut(name) {
            Some(slot) => *slot = value,
            None => {
                bindings.insert(Rc::from(name), value);
            }
        }
    }

    /// The scope that `:=` binds in here: the nearest around that is no comprehension's.
    pub(crate) fn named_scope(self: &Rc<Self>) -> Rc<Self> {
        let mut scope = Rc::clone(self);
        while let (ScopeKind::Comprehension, Some(parent)) = (scope.kind, scope.parent.clone()) {
            scope = parent;
        }
        scope
    }

    /// Unbinds a name; tells whether it was bound.
    pub(crate) fn remove(self: &Rc<Self>, name: &str) -> bool {
        self.owner_of(name).bindings.borrow_mut().shift_remove(name).is_some()
    }

    /// The module scope around this one.
    pub(crate) fn module(self: &Rc<Self>) -> Rc<Self> {
        let mut scope = Rc::clone(self);
        while let Some(parent) = scope.parent.clone() {
            scope = parent;
        }
        scope
    }

    fn owner_of(self: &Rc<Self>, name: &str) -> Rc<Self> {
        if self.globals.borrow().contains(name) {
            return self.module();
        }
        if self.nonlocals.borrow().contains(name) {
            let mut scope = self.parent.clone();
            while let Some(current) = scope {
                if current.kind == ScopeKind::Function && current.bindings.borrow().contains_key(name) {
                    return current;
                }
                scope = current.parent.as_ref().map(Rc::clone);
            }
        }
        Rc::clone(self)
    }
}
