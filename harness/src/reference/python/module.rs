//! Modules.
//!
//! Holds names; finding and running a module is the importer's business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::scope::{Scope, ScopeKind};

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
}
