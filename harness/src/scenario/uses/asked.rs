//! What a scenario asks for beside its project: the world, the session, the timeline.
//!
//! Reads a tree whose shape has been checked; whether a service is called is for `expected` to say.
//! Rules: `docs/scenarios.md`, "What a scenario needs".

use super::{Found, offering};
use crate::protocol::Capability;
use crate::source::yaml::Node;

/// Finds what is used outside the project's files.
pub(super) fn find(root: &Node, found: &mut Found) {
    for (key, value) in entries(root.get("session")) {
        if key.text() == Some("memory") && value.entries().is_some_and(|entries| !entries.is_empty()) {
            found.add(Capability::Memory, key.position, "a session that begins with memory");
        }
    }
    for (key, value) in entries(root.get("world")) {
        match key.text() {
            Some("mcp") if value.entries().is_some_and(|servers| !servers.is_empty()) => {
                found.add(Capability::Mcp, key.position, "an MCP server");
            }
            Some("knowledge") => found.add(Capability::Knowledge, key.position, "a knowledge index"),
            _ => {}
        }
    }
    for (key, _) in entries(Some(root)).iter().filter(|(key, _)| key.text() == Some("sweep")) {
        found.add(Capability::Cancellation, key.position, "a sweep");
        found.add(
            Capability::VirtualTime,
            key.position,
            "a sweep, which cuts a turn off at every instant of it,",
        );
    }
    for step in items(root.get("steps")) {
        self::step(step, found);
    }
}

fn step(step: &Node, found: &mut Found) {
    // Only a runtime that runs tools holds a conversation.
    found.add(Capability::Execution, step.position, "a step of a conversation");
    for (key, value) in entries(Some(step)) {
        match key.text() {
            Some("tap") => found.add(Capability::Buttons, key.position, "a tap on a button"),
            Some("wait") => found.add(Capability::VirtualTime, key.position, "a wait"),
            Some("interrupt") => interrupt(key, value, found),
            Some("llm") => {
                for reply in items(Some(value)) {
                    intents(reply, found);
                    for intent in items(reply.get("calls")) {
                        intents(intent, found);
                    }
                }
            }
            _ => {}
        }
    }
}

fn interrupt(key: &Node, value: &Node, found: &mut Found) {
    found.add(Capability::Cancellation, key.position, "an interrupt");
    for (key, _) in entries(Some(value)) {
        if key.text() == Some("at") {
            found.add(Capability::VirtualTime, key.position, "an interrupt at an instant");
        }
    }
}

fn intents(map: &Node, found: &mut Found) {
    for (key, value) in entries(Some(map)) {
        let Some(name) = key.text() else { continue };
        let capability = match name {
            "activate" | "complete" | "cancel" | "set" | "correct" | "cannot_help" | "listen" => {
                Capability::Builtins
            }
            "confirm" => Capability::Confirmation,
            "search" => Capability::Knowledge,
            "call" => {
                for (tool, _) in entries(Some(value)) {
                    let Some(name) = tool.text() else { continue };
                    if let Some(capability) = offering(name) {
                        found.add(capability, tool.position, format!("a call of `{name}`"));
                    }
                }
                continue;
            }
            _ => continue,
        };
        found.add(capability, key.position, format!("the model's `{name}`"));
        if matches!(name, "set" | "correct") {
            found.add(Capability::Memory, key.position, format!("the model's `{name}`"));
        }
    }
}

pub(super) fn entries(node: Option<&Node>) -> &[(Node, Node)] {
    node.and_then(Node::entries).unwrap_or_default()
}

pub(super) fn items(node: Option<&Node>) -> &[Node] {
    node.and_then(Node::items).unwrap_or_default()
}
