//! Modules.
//!
//! Holds names; finding and running a module is the importer's business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::scope::{Scope, ScopeKind};
use super::value::{Unknown, Value};
use crate::protocol::SourcePlace;

/// A module of the project.
#[derive(Debug)]
pub(crate) struct Module {
    /// Its dotted name.
    pub(crate) name: String,
    /// The package that relative imports in it start from; empty when it has none.
    pub(crate) package: String,
    /// Its names.
    pub(crate) scope: Rc<Scope>,
}

impl Module {
    /// A module without names.
    pub(crate) fn new(name: &str, package: &str) -> Rc<Self> {
        let scope = Scope::new(ScopeKind::Module, None);
        Rc::new(Self { name: name.to_owned(), package: package.to_owned(), scope })
    }

    /// What an attribute that is not bound may still be: one that every module has, or one that the
    /// module's own `__getattr__` gives.
    pub(crate) fn unread_attribute(&self, name: &str) -> Option<Value> {
        let special = name.starts_with("__") && name.ends_with("__");
        if !special && !self.scope.bindings.borrow().contains_key("__getattr__") {
            return None;
        }
        let why = format!("`{}.{name}` is not read", self.name);
        let file = format!("{}.py", self.name.replace('.', "/"));
        Some(Value::Unknown(Unknown::new(why, SourcePlace { file, line: 1, column: 1 })))
    }
}
