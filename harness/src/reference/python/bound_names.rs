//! Which names statements may bind, by their syntax alone.
//!
//! Looks at syntax; runs nothing.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, ExprContext, Stmt, statement_visitor::StatementVisitor, visitor};

/// Adds every name that a block may bind in its own scope.
pub(crate) fn collect<'tree>(body: &'tree [Stmt], names: &mut BTreeSet<&'tree str>) {
    let mut collector = Collector { names };
    for statement in body {
        collector.visit_stmt(statement);
    }
}

struct Collector<'tree, 'names> {
    names: &'names mut BTreeSet<&'tree str>,
}

impl<'tree> StatementVisitor<'tree> for Collector<'tree, '_> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        match statement {
            Stmt::FunctionDef(definition) => {
                self.names.insert(&definition.name);
            }
            Stmt::ClassDef(definition) => {
                self.names.insert(&definition.name);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.names.insert(bound.split('.').next().unwrap_or(bound));
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    self.names.insert(alias.asname.as_ref().unwrap_or(&alias.name));
                }
            }
            _ => {
                let mut targets = Targets { names: self.names };
                visitor::walk_stmt(&mut targets, statement);
                ruff_python_ast::statement_visitor::walk_stmt(self, statement);
            }
        }
    }
}

/// Finds the names that a statement's own expressions store to.
struct Targets<'tree, 'names> {
    names: &'names mut BTreeSet<&'tree str>,
}

impl<'tree> visitor::Visitor<'tree> for Targets<'tree, '_> {
    // Nested statements are the collector's affair.
    fn visit_stmt(&mut self, _: &'tree Stmt) {}

    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Name(name) if name.ctx == ExprContext::Store => {
                self.names.insert(&name.id);
            }
            // A lambda's and a comprehension's names are their own.
            Expr::Lambda(_)
            | Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_) => {}
            _ => visitor::walk_expr(self, expression),
        }
    }
}

/// Whether a function with this body is a generator.
pub(crate) fn yields(body: &[Stmt]) -> bool {
    let mut finder = Yields(false);
    visitor::walk_body(&mut finder, body);
    finder.0
}

struct Yields(bool);

impl<'tree> visitor::Visitor<'tree> for Yields {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        if !self.0 && !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            visitor::walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expression),
        }
    }
}
