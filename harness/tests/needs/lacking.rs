//! What a run shows of each capability, and the same run without it.
//!
//! Knows reports and traces; what a scenario's text shows is for its lint to say.
//! Rules: `docs/scenarios.md`, "What a scenario needs".

use std::collections::BTreeSet;

use harness::protocol::{
    Capability, EventRecord, InterruptPoint, Json, LoadReport, Outcome, Reply, ToolName, ToolRunOutcome,
    ToolSource, Trigger, TurnTrace, UserInput, Visibility,
};
use harness::runner::{Answer, Run, StepAnswer};
use harness::scenario::{Scenario, StepAction};
use serde_json::json;

/// The built-in tools that a runtime offers as part of `builtins`.
const BUILTINS: [&str; 7] =
    ["activate", "complete_skill", "cancel_skill", "set_fields", "correct", "cannot_help", "listen"];

/// The capabilities without which this run cannot be had.
pub(crate) fn shown(scenario: &Scenario, run: &Run) -> BTreeSet<Capability> {
    let mut shown = BTreeSet::new();
    let mut show = |capability: Capability, is_shown: bool| {
        if is_shown {
            shown.insert(capability);
        }
    };
    show(Capability::Memory, !scenario.session.memory.is_empty());
    show(Capability::Mcp, !scenario.world.mcp.is_empty());
    show(Capability::Knowledge, scenario.world.knowledge.is_some());
    show(Capability::Cancellation, scenario.sweep.is_some());
    show(Capability::Execution, !scenario.steps.is_empty());
    for step in &scenario.steps {
        let StepAction::Turn(turn) = &step.action else {
            show(Capability::VirtualTime, true);
            continue;
        };
        show(Capability::Buttons, matches!(turn.input, UserInput::Taps { .. }));
        let interrupt = turn.interrupt.as_ref();
        show(Capability::Cancellation, interrupt.is_some());
        let at = interrupt.is_some_and(|interrupt| matches!(interrupt.when, InterruptPoint::AtMs(_)));
        show(Capability::VirtualTime, at);
    }
    for trace in run.steps.iter().filter_map(trace) {
        show(Capability::VirtualTime, trace.ended_ms != trace.started_ms);
        show(Capability::Cancellation, trace.outcome == Outcome::Cancelled);
        show(Capability::Memory, !trace.memory.is_empty() || trace.events.iter().any(writes_memory));
        show(Capability::Buttons, trace.messages.iter().any(|message| !message.buttons.is_empty()));
        let block = trace.active.as_ref().is_some_and(|active| active.block.is_some());
        show(Capability::OrderedBlocks, block);
        for tool in &trace.tools {
            let started_by = match tool.trigger {
                Trigger::Llm => Capability::Execution,
                Trigger::Step => Capability::OrderedBlocks,
                Trigger::Hook => Capability::Hooks,
                Trigger::ButtonSource => Capability::Buttons,
                Trigger::Confirmation => Capability::Confirmation,
                Trigger::Correction => Capability::Builtins,
            };
            show(started_by, true);
            show(Capability::Timeouts, tool.outcome == ToolRunOutcome::TimedOut);
        }
    }
    shown
}

fn trace(answer: &StepAnswer) -> Option<&TurnTrace> {
    match answer {
        StepAnswer::Turn(Ok(Reply::Result(trace))) => Some(trace),
        _ => None,
    }
}

/// Whether an event tells of a write to an entry that the project declares: what a runtime remembers of its own
/// work, in memory or elsewhere, is no matter of the project's.
fn writes_memory(event: &EventRecord) -> bool {
    let entry = event.data.get("key").or_else(|| event.data.get("name")).and_then(Json::as_str);
    matches!(event.event.as_str(), "slot" | "memory_set" | "memory_cleared")
        && entry.is_some_and(|entry| !entry.starts_with("system.") && !entry.starts_with("default_"))
}

/// The same run by a runtime that lacks a capability: what it shows is missing or wrong.
pub(crate) fn without(capability: Capability, scenario: &Scenario, run: &Run) -> Run {
    let mut run = run.clone();
    let served: BTreeSet<&str> =
        scenario.world.mcp.values().flat_map(|server| &server.tools).map(|tool| tool.name.as_str()).collect();
    for report in [&mut run.control, &mut run.load].into_iter().flatten() {
        change(report, |report| unload(capability, report));
    }
    for step in &mut run.steps {
        match step {
            StepAnswer::Turn(answer) => change(answer, |trace| untrace(capability, &served, trace)),
            StepAnswer::Wait(answer) => {
                change(answer, |report| report.now_ms += u64::from(capability == Capability::VirtualTime));
            }
        }
    }
    for cut in &mut run.sweep {
        for answer in [&mut cut.interrupted, &mut cut.repeated].into_iter().flatten() {
            change(answer, |trace| untrace(capability, &served, trace));
        }
    }
    run
}

fn change<Report>(answer: &mut Answer<Report>, change: impl FnOnce(&mut Report)) {
    if let Ok(Reply::Result(report)) = answer {
        change(report);
    }
}

fn unload(capability: Capability, report: &mut LoadReport) {
    if capability == Capability::Memory {
        report.memory.clear();
    }
    for skill in report.skills.values_mut() {
        if capability == Capability::Memory {
            skill.memory.clear();
            skill.readable.clear();
            skill.writable.clear();
        }
        for tool in skill.tools.values_mut() {
            match capability {
                Capability::Schema if tool.source != ToolSource::Mcp => tool.parameters = nonsense(),
                Capability::Mcp if tool.source == ToolSource::Mcp => tool.parameters = nonsense(),
                Capability::Gating => tool.requires = None,
                Capability::Hooks if tool.visibility == Visibility::Hook => {
                    tool.visibility = Visibility::Model;
                }
                Capability::Buttons if tool.visibility == Visibility::ButtonSource => {
                    tool.visibility = Visibility::Model;
                }
                _ => {}
            }
        }
    }
}

fn untrace(capability: Capability, served: &BTreeSet<&str>, trace: &mut TurnTrace) {
    match capability {
        Capability::Memory => trace.memory.clear(),
        Capability::Buttons => trace.messages.iter_mut().for_each(|message| message.buttons.clear()),
        Capability::OrderedBlocks => {
            if let Some(active) = &mut trace.active {
                active.block = None;
                active.pending_step = None;
            }
        }
        Capability::VirtualTime => late(trace),
        Capability::Schema | Capability::Mcp | Capability::Builtins => {
            for call in &mut trace.llm_calls {
                for (tool, parameters) in &mut call.offered {
                    if offering(tool, served) == Some(capability) {
                        *parameters = nonsense();
                    }
                }
                if capability == Capability::Builtins {
                    call.offered.retain(|tool, _| !BUILTINS.contains(&tool.as_str()));
                }
            }
        }
        _ => {}
    }
}

/// Whose work the schema of an offered tool is.
fn offering(tool: &ToolName, served: &BTreeSet<&str>) -> Option<Capability> {
    match tool.as_str() {
        builtin if BUILTINS.contains(&builtin) => Some(Capability::Builtins),
        "resolve_tool_confirmation" | "search_knowledge" => None,
        name if served.contains(name) => Some(Capability::Mcp),
        _ => Some(Capability::Schema),
    }
}

/// On a clock of the wall no two things happen at one instant.
fn late(trace: &mut TurnTrace) {
    let mut clock = 0;
    let mut tick = |instant: &mut u64| {
        clock += 1;
        *instant += clock;
    };
    tick(&mut trace.started_ms);
    trace.llm_calls.iter_mut().for_each(|call| tick(&mut call.at_ms));
    trace.messages.iter_mut().for_each(|message| tick(&mut message.at_ms));
    trace.events.iter_mut().for_each(|event| tick(&mut event.at_ms));
    for tool in &mut trace.tools {
        tick(&mut tool.started_ms);
        for pause in &mut tool.awaits {
            tick(&mut pause.started_ms);
            tick(&mut pause.ended_ms);
        }
        tick(&mut tool.ended_ms);
    }
    for service in &mut trace.services {
        tick(&mut service.started_ms);
        if let Some(ended) = &mut service.ended_ms {
            tick(ended);
        }
    }
    tick(&mut trace.ended_ms);
}

fn nonsense() -> Json {
    json!({"type": "nonsense"})
}
