//! The timeline of a scenario: turns with their scripted model, waits, interrupts.
//!
//! Reads a tree whose shape has been checked; reports what two keys say against each other.
//! Rules: `docs/scenarios.md`, "steps".

use super::expectation;
use super::world::{entries, items, text};
use crate::protocol::{
    Intent, Interrupt, InterruptCause, InterruptPoint, Json, ScriptedReply, Turn, UserInput, Wait,
};
use crate::scenario::expect::Observed;
use crate::scenario::tables::INTENT_KEYS;
use crate::scenario::{Step, StepAction, duration};
use crate::source::Diagnostics;
use crate::source::shape;
use crate::source::yaml::Node;

const ACTIONS: [&str; 3] = ["user", "tap", "wait"];

/// Reads `steps`.
pub(super) fn read(root: &Node, problems: &mut Diagnostics<'_>) -> Vec<Step> {
    items(root.get("steps")).iter().filter_map(|node| step(node, problems)).collect()
}

fn step(node: &Node, problems: &mut Diagnostics<'_>) -> Option<Step> {
    let written = node.entries()?;
    let actions: Vec<(&str, &Node, &Node)> = written
        .iter()
        .filter_map(|(key, value)| Some((key.text().filter(|name| ACTIONS.contains(name))?, key, value)))
        .collect();
    let action = match actions.as_slice() {
        [(name, _, value)] => Some((*name, *value)),
        [] => {
            problems.report(node.position, "a step without an action", "add `user:`, `tap:` or `wait:`");
            None
        }
        [(first, ..), (second, key, _), ..] => {
            let message = format!("a step does one thing, here stand `{first}` and `{second}`");
            problems.report(key.position, message, "make two steps of them");
            None
        }
    };
    let observed: &[Observed] = match action {
        Some(("wait", _)) => &[Observed::Wait],
        Some(_) => &[Observed::Turn],
        None => &[Observed::Turn, Observed::Wait],
    };
    let expect = expectation(node, observed, problems);
    let llm = items(node.get("llm")).iter().map(|reply| self::reply(reply, problems)).collect();
    let interrupt = node.get("interrupt").and_then(|interrupt| self::interrupt(interrupt, problems));
    let (name, value) = action?;
    let action = match name {
        "wait" => {
            nothing_but_time(written, problems);
            StepAction::Wait(Wait { for_ms: milliseconds(value) })
        }
        "tap" => StepAction::Turn(Turn { input: UserInput::Taps { title: text(value) }, llm, interrupt }),
        _ => StepAction::Turn(Turn { input: UserInput::Says(text(value)), llm, interrupt }),
    };
    Some(Step { position: node.position, action, expect })
}

/// Nobody speaks while time passes.
fn nothing_but_time(written: &[(Node, Node)], problems: &mut Diagnostics<'_>) {
    for (key, _) in written {
        if let Some(name @ ("llm" | "interrupt")) = key.text() {
            let message = format!("`{name}` belongs to a user's turn, and this step only waits");
            problems.report(key.position, message, "move it to a step with `user:` or `tap:`");
        }
    }
}

fn milliseconds(node: &Node) -> u64 {
    node.text().and_then(|text| duration::parse(text).ok()).unwrap_or(0)
}

fn interrupt(node: &Node, problems: &mut Diagnostics<'_>) -> Option<Interrupt> {
    node.entries()?;
    let when = match (node.get("at"), node.get("at_await")) {
        (Some(_), Some(at_await)) => {
            let message = "an interrupt comes once, here stand `at` and `at_await`";
            problems.report(at_await.position, message, "keep one of them");
            return None;
        }
        (Some(at), None) => InterruptPoint::AtMs(milliseconds(at)),
        (None, Some(at_await)) => InterruptPoint::AtAwait(shape::count(at_await)?),
        (None, None) => {
            let remedy = "add `at: 2s`, or `at_await: 1` for the first suspension in tool code";
            problems.report(node.position, "an interrupt that does not say when", remedy);
            return None;
        }
    };
    let cause = match node.get("cause").and_then(Node::string) {
        Some("session_timeout") => InterruptCause::SessionTimeout,
        Some("disconnect") => InterruptCause::Disconnect,
        _ => InterruptCause::BargeIn,
    };
    Some(Interrupt { when, cause })
}

fn reply(node: &Node, problems: &mut Diagnostics<'_>) -> ScriptedReply {
    let mut calls = Vec::new();
    for (key, value) in entries(Some(node)) {
        if key.text() == Some("calls") {
            for item in items(Some(value)) {
                if item.entries().is_some_and(<[_]>::is_empty) {
                    problems.report(
                        item.position,
                        "an intent of nothing",
                        format!("write one of: {INTENT_KEYS}"),
                    );
                }
                calls.extend(entries(Some(item)).iter().flat_map(|(key, value)| intents(key, value)));
            }
        } else {
            calls.extend(intents(key, value));
        }
    }
    if node.entries().is_some_and(<[_]>::is_empty) {
        let remedy = "say or call something; an empty answer is written `say: \"\"`";
        problems.report(node.position, "an answer of nothing", remedy);
    }
    ScriptedReply { say: node.get("say").map(text), calls }
}

/// The intents of one key, in the order in which they are written.
fn intents(key: &Node, value: &Node) -> Vec<Intent> {
    let one = match key.text().unwrap_or_default() {
        "call" => {
            return entries(Some(value)).iter().map(|(tool, arguments)| call(tool, arguments)).collect();
        }
        "activate" => Some(Intent::Activate(text(value))),
        "complete" => Some(Intent::Complete),
        "cancel" => Some(Intent::Cancel),
        "listen" => Some(Intent::Listen),
        "search" => Some(Intent::Search(text(value))),
        "confirm" => shape::boolean(value).map(Intent::Confirm),
        "cannot_help" => shape::boolean(value).map(Intent::CannotHelp),
        "set" => {
            let values = entries(Some(value)).iter().map(|(entry, value)| (text(entry), value.to_json()));
            Some(Intent::Set(values.collect()))
        }
        "correct" => Some(Intent::Correct {
            entry: value.get("entry").map(text).unwrap_or_default(),
            value: value.get("value").map_or(Json::Null, Node::to_json),
        }),
        _ => None,
    };
    one.into_iter().collect()
}

fn call(tool: &Node, arguments: &Node) -> Intent {
    let nothing = arguments.is_null();
    let arguments = if nothing { Json::Object(serde_json::Map::new()) } else { arguments.to_json() };
    Intent::Call { tool: text(tool), arguments }
}
