//! What the Python of a scenario's project asks of a runtime once it runs.
//!
//! Reads syntax and follows no value. A tool that nothing names does not run. Rules: `docs/scenarios.md`, "What a scenario needs".

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, Number, Stmt};
use ruff_text_size::{Ranged, TextSize};

use super::Found;
use crate::project::ProjectSource;
use crate::protocol::{Capability, Intent};
use crate::scenario::{Scenario, StepAction};
use crate::source::yaml::Node;
use crate::source::{LineIndex, parse_python, python_too_deep};

/// Finds what is used in a Python file of the project.
pub(super) fn find(scenario: &Scenario, file: &Node, text: &str, found: &mut Found) {
    // What is too deep, or no Python, does not run.
    if python_too_deep(text) {
        return;
    }
    let Ok(module) = parse_python(text) else { return };
    let mut walker = Walker { scenario, seen: Vec::new() };
    visitor::walk_body(&mut walker, &module.body);
    let lines = LineIndex::of(text);
    for (capability, at, what) in walker.seen {
        found.add(capability, file.inside(lines.position(text, at.to_usize())), what);
    }
}

/// Whether anything names this tool, so that it may run: the model, a step, a response.
fn is_named(tool: &str, scenario: &Scenario) -> bool {
    let called = scenario.steps.iter().any(|step| match &step.action {
        StepAction::Turn(turn) => turn
            .llm
            .iter()
            .flat_map(|reply| &reply.calls)
            .any(|intent| matches!(intent, Intent::Call { tool: called, .. } if called == tool)),
        StepAction::Wait(_) => false,
    });
    let keys = [format!("execute_tool: {tool}"), format!("source: {tool}")];
    let in_file = |path: &&str| {
        let text = scenario.project.read(path).unwrap_or_default();
        keys.iter().any(|key| String::from_utf8_lossy(&text).contains(key))
    };
    called || scenario.project.paths().iter().any(in_file)
}

struct Walker<'scenario> {
    scenario: &'scenario Scenario,
    seen: Vec<(Capability, TextSize, &'static str)>,
}

impl Walker<'_> {
    fn call(&mut self, call: &ExprCall) {
        let Some(called) = dotted(&call.func) else { return };
        let name = called.rsplit('.').next().unwrap_or_default();
        let at = call.func.start();
        if matches!(name, "sleep" | "busy") && call.arguments.args.first().is_some_and(takes_time) {
            self.seen.push((Capability::VirtualTime, at, "work that takes time"));
        }
        if called == "context.set_buttons" {
            self.seen.push((Capability::Buttons, at, "`context.set_buttons`"));
        }
    }
}

impl<'tree> Visitor<'tree> for Walker<'_> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        if let Stmt::FunctionDef(function) = statement
            && !function.decorator_list.is_empty()
        {
            let is_hook = function.name.starts_with("run_after_setting_");
            if !is_hook && !is_named(&function.name, self.scenario) {
                return;
            }
            if is_hook {
                self.seen.push((Capability::Hooks, function.name.start(), "a post-write hook"));
            }
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Attribute(attribute) if is_memory(attribute) => {
                self.seen.push((Capability::Memory, attribute.start(), "`context.memory`"));
            }
            Expr::Call(call) => self.call(call),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// A name, or names apart by dots.
fn dotted(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr)),
        _ => None,
    }
}

fn is_memory(attribute: &ExprAttribute) -> bool {
    attribute.attr.as_str() == "memory"
        && matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "context")
}

/// Whether so many seconds are more than none: a number, as far as it is one.
fn takes_time(seconds: &Expr) -> bool {
    match seconds {
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(seconds) => seconds.as_u64() != Some(0),
            Number::Float(seconds) => *seconds > 0.0,
            Number::Complex { .. } => false,
        },
        _ => false,
    }
}
