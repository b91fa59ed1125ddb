//! What a scenario expects to see that only a certain capability shows.
//!
//! Judges by the keys of reports and traces alone. What is expected to be null or empty may be missing, so it
//! demands nothing. Rules: `docs/scenarios.md`, "What a scenario needs".

use super::{Found, offering};
use crate::protocol::{Capability, Json, ServiceBehaviour};
use crate::scenario::{Expectation, Pattern, PatternKind, Scenario};
use crate::source::Position;

/// Finds what is used in expectations.
pub(super) fn find(scenario: &Scenario, found: &mut Found) {
    let served = scenario.world.mcp.values().flat_map(|server| &server.tools);
    let takes_time = |calls: &[ServiceBehaviour]| calls.iter().all(|call| call.takes_ms > 0);
    let slow = scenario.world.services.iter().filter(|(_, calls)| takes_time(calls));
    let mut walker = Walker {
        served: served.map(|tool| tool.name.as_str()).collect(),
        slow: slow.map(|(name, _)| name.as_str()).collect(),
        found,
    };
    let sweep = scenario.sweep.iter().flat_map(|sweep| [&sweep.interrupted, &sweep.repeated]);
    let turns = scenario.steps.iter().map(|step| &step.expect).chain(sweep);
    let all = turns.chain([&scenario.load]).flatten();
    for Expectation { pattern, .. } in all {
        walker.walk(pattern, &mut Vec::new());
    }
}

struct Walker<'scenario, 'found> {
    /// The names of the tools that MCP servers list.
    served: Vec<&'scenario str>,
    /// The services whose every call takes time.
    slow: Vec<&'scenario str>,
    found: &'found mut Found,
}

impl<'scenario> Walker<'scenario, '_> {
    /// Walks through a pattern that stands behind these keys; lists have none.
    fn walk(&mut self, pattern: &'scenario Pattern, path: &mut Vec<&'scenario str>) {
        match &pattern.kind {
            PatternKind::Scalar(value) => self.scalar(value, pattern.position, path),
            PatternKind::Map(entries) => {
                for (key, value) in entries {
                    path.push(key);
                    if !empty(value) {
                        self.key(path, value.position);
                        self.walk(value, path);
                    }
                    path.pop();
                }
            }
            PatternKind::Exactly(inner) => self.walk(inner, path),
            PatternKind::SomeValue(inner) => {
                path.push("*");
                self.key(path, inner.position);
                self.walk(inner, path);
                path.pop();
            }
            // Who never shows something rightly shows none of what is excluded.
            PatternKind::Matches(_) | PatternKind::Exclude(_) => {}
            PatternKind::List(items)
            | PatternKind::Include(items)
            | PatternKind::Any(items)
            | PatternKind::All(items) => items.iter().for_each(|item| self.walk(item, path)),
        }
    }

    fn key(&mut self, path: &[&str], position: Position) {
        let (capability, what) = match path {
            ["memory"] => (Capability::Memory, "an expectation of memory"),
            ["skills", _, key @ ("memory" | "readable" | "writable")] => {
                return self.found.add(Capability::Memory, position, format!("an expectation of `{key}`"));
            }
            // Of some tool, whichever it is.
            ["llm_calls", "offered", "*"] => return,
            ["skills", _, "tools", tool, "parameters"] | ["llm_calls", "offered", tool] => {
                let capability = match offering(tool) {
                    Some(capability) => capability,
                    None if self.served.contains(tool) => Capability::Mcp,
                    None => Capability::Schema,
                };
                return self.found.add(
                    capability,
                    position,
                    format!("an expectation of the schema of `{tool}`"),
                );
            }
            ["skills", _, "tools", _, "requires"] => (Capability::Gating, "an expectation of a gate"),
            ["messages", "buttons"] => (Capability::Buttons, "an expectation of buttons"),
            ["active", "block" | "pending_step"] => {
                (Capability::OrderedBlocks, "an expectation of an ordered block")
            }
            [.., "at_ms" | "started_ms" | "ended_ms" | "now_ms"] if !in_data(path) => {
                (Capability::VirtualTime, "an expectation of an instant")
            }
            _ => return,
        };
        self.found.add(capability, position, what);
    }

    fn scalar(&mut self, value: &Json, position: Position, path: &[&str]) {
        let Json::String(word) = value else { return };
        let capability = match (path, word.as_str()) {
            (["llm_calls", "offered"], name) => offering(name),
            (["services", "call"], name) if self.slow.contains(&name) => Some(Capability::VirtualTime),
            (["events", "event"], "memory_set" | "memory_cleared" | "slot") => Some(Capability::Memory),
            (["tools", "trigger"] | ["skills", _, "tools", _, "visibility"], "hook") => {
                Some(Capability::Hooks)
            }
            (["tools", "trigger"], "step") => Some(Capability::OrderedBlocks),
            (["tools", "trigger"] | ["skills", _, "tools", _, "visibility"], "button_source") => {
                Some(Capability::Buttons)
            }
            (["tools", "trigger"], "confirmation") => Some(Capability::Confirmation),
            (["tools", "trigger"], "correction") => Some(Capability::Builtins),
            (["tools", "outcome"], "timed_out") => {
                self.found.add(Capability::VirtualTime, position, "an expectation of a timeout");
                Some(Capability::Timeouts)
            }
            (["outcome"] | ["tools", "outcome"], "cancelled") => Some(Capability::Cancellation),
            (["skills", _, "tools", _, "source"], "mcp") => Some(Capability::Mcp),
            _ => None,
        };
        if let Some(capability) = capability {
            self.found.add(capability, position, format!("an expectation of `{word}`"));
        }
    }
}

/// Whether a path lies in what somebody else wrote: a result, a payload, an argument.
fn in_data(path: &[&str]) -> bool {
    path.iter()
        .any(|key| ["data", "result", "arguments", "keywords", "memory", "offered", "calls"].contains(key))
}

/// Whether what is missing matches too.
fn empty(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Scalar(value) => value.is_null(),
        PatternKind::List(items) => items.is_empty(),
        PatternKind::Exactly(inner) => empty(inner),
        PatternKind::Map(entries) => entries.is_empty(),
        _ => false,
    }
}
