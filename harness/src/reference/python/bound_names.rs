//! Which names statements may bind, by their syntax alone.
//!
//! Looks at syntax; runs nothing.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::collections::BTreeSet;

use ruff_python_ast::{
    ExceptHandler, Expr, ExprContext, Pattern, Stmt, statement_visitor::StatementVisitor, visitor,
};

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
            Stmt::Try(attempt) => {
                for handler in &attempt.handlers {
                    let ExceptHandler::ExceptHandler(handler) = handler;
                    if let Some(name) = &handler.name {
                        self.names.insert(name);
                    }
                }
                ruff_python_ast::statement_visitor::walk_stmt(self, statement);
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

    fn visit_pattern(&mut self, pattern: &'tree Pattern) {
        let name = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.names.insert(name);
        }
        visitor::walk_pattern(self, pattern);
    }

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

/// The names that a pattern binds.
pub(crate) fn captured(pattern: &Pattern) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    visitor::Visitor::visit_pattern(&mut Targets { names: &mut names }, pattern);
    names
}

/// The names that `:=` binds in an expression, comprehensions in it included.
pub(crate) fn named(expression: &Expr) -> BTreeSet<&str> {
    let mut finder = Named(BTreeSet::new());
    visitor::Visitor::visit_expr(&mut finder, expression);
    finder.0
}

struct Named<'tree>(BTreeSet<&'tree str>);

impl<'tree> visitor::Visitor<'tree> for Named<'tree> {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Named(named) => {
                if let Expr::Name(name) = named.target.as_ref() {
                    self.0.insert(&name.id);
                }
                self.visit_expr(&named.value);
            }
            Expr::Lambda(_) => {}
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
