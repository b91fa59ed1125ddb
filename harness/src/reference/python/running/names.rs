//! Names of running code: which scope a name belongs to is decided before the code runs.
//!
//! Knows scopes and syntax; evaluates nothing.
//! Rules: Python's own: a name that a function assigns somewhere is its own everywhere.

use std::collections::BTreeSet;
use std::rc::Rc;

use ruff_python_ast::{
    Expr, Stmt,
    visitor::{self, Visitor},
};

use super::super::bound_names;
use super::super::exception::Halt;
use super::super::function::{Code, Function};
use super::super::interpreter::Interpreter;
use super::super::scope::{Scope, ScopeKind};
use super::super::standard;
use super::super::value::Value;
use super::site::Site;

/// The names that the code of a function decides about.
#[derive(Debug, Default)]
pub(crate) struct LocalNames {
    own: BTreeSet<Rc<str>>,
    globals: BTreeSet<Rc<str>>,
    nonlocals: BTreeSet<Rc<str>>,
}

impl LocalNames {
    /// The names of a function.
    pub(crate) fn of(function: &Function) -> Rc<Self> {
        let mut names = Self::default();
        for parameter in function.parameters().into_iter().flatten() {
            names.own.insert(Rc::from(parameter.name().as_str()));
        }
        match &function.code {
            Code::Lambda(lambda) => {
                let named = bound_names::named(&lambda.body);
                names.own.extend(named.into_iter().map(Rc::from));
            }
            Code::Definition(definition) => {
                let mut declared = Declared { names: &mut names };
                declared.visit_body(&definition.body);
                let mut bound = BTreeSet::new();
                bound_names::collect(&definition.body, &mut bound);
                names.own.extend(bound.into_iter().map(Rc::from));
            }
        }
        names.own.retain(|name| !names.globals.contains(name) && !names.nonlocals.contains(name));
        Rc::new(names)
    }
}

/// Finds what is declared `global` or `nonlocal`, deleted, or bound by `:=` inside a comprehension.
struct Declared<'names> {
    names: &'names mut LocalNames,
}

impl<'tree> Visitor<'tree> for Declared<'_> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        match statement {
            Stmt::Global(global) => {
                self.names.globals.extend(global.names.iter().map(|name| Rc::from(name.as_str())));
            }
            Stmt::Nonlocal(nonlocal) => {
                self.names.nonlocals.extend(nonlocal.names.iter().map(|name| Rc::from(name.as_str())));
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Named(named) => {
                if let Expr::Name(name) = named.target.as_ref() {
                    self.names.own.insert(Rc::from(name.id.as_str()));
                }
                self.visit_expr(&named.value);
            }
            Expr::Name(name) if name.ctx == ruff_python_ast::ExprContext::Del => {
                self.names.own.insert(Rc::from(name.id.as_str()));
            }
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expression),
        }
    }
}

impl Interpreter<'_> {
    /// What a name stands for.
    pub(super) fn look_up(site: Site<'_>, name: &str) -> Result<Value, Halt> {
        let own = &site.frame.scope;
        let mut current = Some(own);
        while let Some(scope) = current {
            let visible = scope.kind != ScopeKind::Class || Rc::ptr_eq(scope, own);
            let names = scope.locals.borrow();
            let is_global = names.as_ref().is_some_and(|names| names.globals.contains(name))
                || scope.globals.borrow().contains(name);
            if is_global {
                drop(names);
                return Self::look_up_in_module(site, &scope.module(), name);
            }
            if visible {
                if let Some(value) = scope.bindings.borrow().get(name) {
                    return Ok(value.clone());
                }
                if names.as_ref().is_some_and(|names| names.own.contains(name)) {
                    let message = if Rc::ptr_eq(scope, own) || own.kind == ScopeKind::Comprehension {
                        return Err(site.raise(
                            "UnboundLocalError",
                            format!("cannot access local variable '{name}' where it is not associated with a value"),
                        ));
                    } else {
                        format!(
                            "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
                        )
                    };
                    return Err(site.raise("NameError", message));
                }
                if let Some(unknown) = scope.anything.borrow().as_ref() {
                    return standard::builtin(name).ok_or_else(|| Halt::GaveUp(Rc::clone(unknown)));
                }
            }
            current = scope.parent.as_ref();
        }
        if name == "__class__" {
            return Err(site.not_run());
        }
        standard::builtin(name).ok_or_else(|| undefined(site, name))
    }

    fn look_up_in_module(site: Site<'_>, module: &Rc<Scope>, name: &str) -> Result<Value, Halt> {
        if let Some(value) = module.bindings.borrow().get(name) {
            return Ok(value.clone());
        }
        standard::builtin(name).ok_or_else(|| match module.anything.borrow().as_ref() {
            Some(unknown) => Halt::GaveUp(Rc::clone(unknown)),
            None => undefined(site, name),
        })
    }

    /// Binds a name in the scope it belongs to.
    pub(super) fn bind_name(scope: &Rc<Scope>, name: &str, value: Value) {
        let target = owner(scope, name);
        let mut bindings = target.bindings.borrow_mut();
        match bindings.get_mut(name) {
            // The old value is let go after the borrow ends: letting go may reach this scope.
            Some(slot) => {
                let old = std::mem::replace(slot, value);
                drop(bindings);
                drop(old);
            }
            None => {
                bindings.insert(Rc::from(name), value);
            }
        }
    }

    /// Unbinds a name.
    pub(super) fn unbind_name(site: Site<'_>, name: &str) -> Result<(), Halt> {
        let target = owner(&site.frame.scope, name);
        let removed = target.bindings.borrow_mut().shift_remove(name);
        if removed.is_some() {
            return Ok(());
        }
        let is_local = target.locals.borrow().as_ref().is_some_and(|names| names.own.contains(name));
        if is_local {
            let message =
                format!("cannot access local variable '{name}' where it is not associated with a value");
            return Err(site.raise("UnboundLocalError", message));
        }
        Err(undefined(site, name))
    }
}

fn undefined(site: Site<'_>, name: &str) -> Halt {
    site.raise("NameError", format!("name '{name}' is not defined"))
}

fn owner(scope: &Rc<Scope>, name: &str) -> Rc<Scope> {
    let names = scope.locals.borrow();
    let declared = |sets: fn(&LocalNames) -> &BTreeSet<Rc<str>>| {
        names.as_ref().is_some_and(|names| sets(names).contains(name))
    };
    if declared(|names| &names.globals) || scope.globals.borrow().contains(name) {
        return scope.module();
    }
    if declared(|names| &names.nonlocals) || scope.nonlocals.borrow().contains(name) {
        let mut current = scope.parent.clone();
        while let Some(around) = current {
            let has = around.bindings.borrow().contains_key(name)
                || around.locals.borrow().as_ref().is_some_and(|names| names.own.contains(name));
            if around.kind == ScopeKind::Function && has {
                return around;
            }
            current = around.parent.as_ref().map(Rc::clone);
        }
    }
    Rc::clone(scope)
}
