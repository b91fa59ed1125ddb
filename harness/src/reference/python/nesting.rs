//! How deep the code of a file nests.
//!
//! Looks at syntax; runs nothing, and stops descending at the limit itself.
//! Rules: none of Python's; a bound, so that walks by recursion end.

use ruff_python_ast::{
    Expr, ModModule, Pattern, Stmt,
    visitor::{self, Visitor},
};
use ruff_text_size::{Ranged, TextSize};

/// Where a file first nests deeper than `limit`, if it does.
pub(crate) fn first_beyond(module: &ModModule, limit: u32) -> Option<TextSize> {
    let mut measure = Measure { left: limit, beyond: None };
    measure.visit_body(&module.body);
    measure.beyond
}

struct Measure {
    left: u32,
    beyond: Option<TextSize>,
}

impl Measure {
    fn descend(&mut self, node: &impl Ranged, walk: impl FnOnce(&mut Self)) {
        if self.beyond.is_some() {
            return;
        }
        if self.left == 0 {
            self.beyond = Some(node.range().start());
            return;
        }
        self.left -= 1;
        walk(self);
        self.left += 1;
    }
}

impl<'tree> Visitor<'tree> for Measure {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        self.descend(statement, |own| visitor::walk_stmt(own, statement));
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        self.descend(expression, |own| visitor::walk_expr(own, expression));
    }

    fn visit_pattern(&mut self, pattern: &'tree Pattern) {
        self.descend(pattern, |own| visitor::walk_pattern(own, pattern));
    }
}
