//! What must hold wherever a turn is cut off: the invariants of cancellation, and the scenario's `always`.
//!
//! Pure: compares the cut runs of a sweep with the uncut one and with the scenario.
//! Rules: chapter CAN; `docs/scenarios.md`, "sweep".

use crate::protocol::{
    EventRecord, InterruptPoint, Json, Outcome, Reply, Sender, ServiceOutcome, ToolRunOutcome, Trigger,
    TurnTrace,
};
use crate::runner::{Cut, Run, StepAnswer};
use crate::scenario::{Scenario, Sweep};
use crate::source::Position;
use crate::verdict::matching::{Mismatch, compare};
use crate::verdict::signature::Kind;
use crate::verdict::status::{Check, Finding};

/// Judges the runs of a sweep.
pub(super) fn judge(scenario: &Scenario, run: &Run) -> Vec<Finding> {
    let Some(sweep) = &scenario.sweep else { return Vec::new() };
    let Some(StepAnswer::Turn(Ok(Reply::Result(uncut)))) = run.steps.last() else { return Vec::new() };
    run.sweep.iter().flat_map(|cut| judge_cut(sweep, uncut, cut)).collect()
}

fn judge_cut(sweep: &Sweep, uncut: &TurnTrace, cut: &Cut) -> Vec<Finding> {
    let check = Check::Cut(cut.point);
    // What came to no trace ends the scenario, as it does in any step.
    if !cut.is_answered() {
        return Vec::new();
    }
    let Some(Ok(Reply::Result(interrupted))) = &cut.interrupted else {
        let seen = "what comes before the turn went another way this time";
        return vec![finding(check, sweep.position, "determinism", "the same answers again", seen)];
    };
    let repeated = match &cut.repeated {
        Some(Ok(Reply::Result(trace))) => Some(trace),
        _ => None,
    };
    let instant = instant(uncut, cut.point);
    let mut found = Found { check, position: sweep.position, findings: Vec::new() };
    // At the very instant of the end either may win (CAN-10, observed).
    if instant.is_none_or(|instant| instant > uncut.ended_ms) {
        found.demand(
            interrupted == uncut,
            "the whole trace",
            "an interrupt after the end changes nothing",
            "a change",
        );
    }
    record(uncut, interrupted, &mut found);
    nothing_after(uncut, interrupted, instant, &mut found);
    memory(interrupted, &mut found);
    if let Some(repeated) = repeated {
        repetition(interrupted, repeated, &mut found);
    }
    always(sweep, interrupted, repeated, instant, &mut found);
    found.findings
}

/// When a turn is cut off by a point, in milliseconds of the conversation.
fn instant(uncut: &TurnTrace, point: InterruptPoint) -> Option<u64> {
    match point {
        InterruptPoint::AtMs(ms) => Some(uncut.started_ms.saturating_add(ms)),
        InterruptPoint::AtAwait(number) => {
            let index = usize::try_from(number).ok()?.checked_sub(1)?;
            uncut.tools.iter().flat_map(|tool| &tool.awaits).nth(index).map(|one| one.started_ms)
        }
    }
}

struct Found {
    check: Check,
    position: Position,
    findings: Vec<Finding>,
}

impl Found {
    fn demand(&mut self, holds: bool, path: &str, expected: &str, seen: &str) {
        if !holds {
            self.findings.push(finding(self.check, self.position, path, expected, seen));
        }
    }
}

fn finding(check: Check, position: Position, path: &str, expected: &str, seen: &str) -> Finding {
    let mismatch = Mismatch {
        position,
        path: path.to_owned(),
        expected: expected.to_owned(),
        seen: seen.to_owned(),
        kind: Kind::Breach,
    };
    Finding { check, mismatch }
}

/// CAN-13: a tool that was cut off leaves no record of its call.
fn record(uncut: &TurnTrace, interrupted: &TurnTrace, found: &mut Found) {
    for run in interrupted.tools.iter().filter(|run| run.outcome == ToolRunOutcome::Cancelled) {
        let name = run.tool.as_str();
        let (recorded, before) = (executed(&interrupted.events, name), executed(&uncut.events, name));
        let expected = format!("CAN-13: `{name}`, which was cut off, is not recorded");
        found.demand(before == 0 || recorded < before, "events", &expected, "a tool_executed event for it");
    }
}

fn executed(events: &[EventRecord], tool: &str) -> usize {
    let of_tool = |event: &&EventRecord| {
        event.event == "tool_executed" && event.data.get("tool_name").and_then(Json::as_str) == Some(tool)
    };
    events.iter().filter(of_tool).count()
}

/// CAN-37, CAN-39, CTX-08: a cut turn is over.
fn nothing_after(uncut: &TurnTrace, interrupted: &TurnTrace, instant: Option<u64>, found: &mut Found) {
    let cut_off = interrupted.tools.iter().position(|run| run.outcome == ToolRunOutcome::Cancelled);
    if let Some(position) = cut_off {
        let cancelled = interrupted.outcome == Outcome::Cancelled;
        found.demand(
            cancelled,
            "outcome",
            "CAN-37: a turn whose tool was cut off is cancelled",
            "another outcome",
        );
        let later = interrupted.tools.iter().skip(position + 1);
        let started = later.filter(|run| matches!(run.trigger, Trigger::Llm | Trigger::Step)).count();
        found.demand(
            started == 0,
            "tools",
            "CAN-39: no tool starts after the one that was cut off",
            "another tool run",
        );
        let began = interrupted.tools.get(position).map_or(0, |run| run.started_ms);
        let asked = uncut.llm_calls.iter().filter(|call| call.at_ms <= began).count();
        let expected = "CAN-37: no model call follows a cut";
        found.demand(interrupted.llm_calls.len() <= asked, "llm_calls", expected, "another model call");
    }
    if let Some(instant) = instant {
        let late = interrupted
            .messages
            .iter()
            .any(|message| message.sender == Sender::Tool && message.at_ms > instant);
        found.demand(
            !late,
            "messages",
            "CTX-08: a tool's message after the cut is dropped",
            "a message after the cut",
        );
    }
}

/// CAN-19: what was written stays written.
fn memory(interrupted: &TurnTrace, found: &mut Found) {
    let mut last: std::collections::BTreeMap<&str, &Json> = std::collections::BTreeMap::new();
    for event in &interrupted.events {
        if let (true, Some(key)) = (event.event == "memory_set", event.data.get("key").and_then(Json::as_str))
        {
            last.insert(key, event.data.get("value").unwrap_or(&Json::Null));
        }
        if let (true, Some(key)) =
            (event.event == "memory_cleared", event.data.get("key").and_then(Json::as_str))
        {
            last.insert(key, &Json::Null);
        }
    }
    for (key, value) in last {
        let held = interrupted.memory.get(key).unwrap_or(&Json::Null);
        let expected = format!("CAN-19: {key} holds {value}, which was written");
        found.demand(held == value, "memory", &expected, &held.to_string());
    }
}

/// CAN-15, CAN-41: the turn after is served, and a step whose tool was cut off runs it again.
fn repetition(interrupted: &TurnTrace, repeated: &TurnTrace, found: &mut Found) {
    let served = repeated.outcome != Outcome::Cancelled;
    found.demand(
        served,
        "the next turn, outcome",
        "CAN-41: the turn after a cut is served",
        "a cancelled turn",
    );
    let by_step = |run: &&crate::protocol::ToolRun| run.trigger == Trigger::Step;
    let cut_off =
        interrupted.tools.iter().filter(by_step).find(|run| run.outcome == ToolRunOutcome::Cancelled);
    if let Some(run) = cut_off {
        let again = repeated.tools.iter().find(by_step).is_some_and(|first| first.tool == run.tool);
        let expected = format!("CAN-15: the pending step runs `{}` again", run.tool);
        found.demand(again, "the next turn, tools", &expected, "another step, or none");
    }
}

fn always(
    sweep: &Sweep,
    interrupted: &TurnTrace,
    repeated: Option<&TurnTrace>,
    instant: Option<u64>,
    found: &mut Found,
) {
    let calls = || interrupted.services.iter().chain(repeated.into_iter().flat_map(|trace| &trace.services));
    for (service, position) in &sweep.at_most_once {
        let made =
            calls().filter(|call| call.call == *service && call.outcome == ServiceOutcome::Returned).count();
        if made > 1 {
            let expected = format!("{service} returns at most once over the cut turn and its repetition");
            let seen = format!("it returned {made} times");
            found.findings.push(finding(found.check, *position, "services", &expected, &seen));
        }
    }
    for (service, position) in &sweep.never_after_cut {
        let late = interrupted
            .services
            .iter()
            .find(|call| call.call == *service && instant.is_some_and(|instant| call.started_ms > instant));
        if let Some(call) = late {
            let expected = format!("no call reaches {service} once the turn is cut off");
            let seen = format!("a call at {} ms", call.started_ms);
            found.findings.push(finding(found.check, *position, "services", &expected, &seen));
        }
    }
    // At the very instant of the beginning nothing need have happened yet (CAN-10, observed).
    let begun = found.check != Check::Cut(InterruptPoint::AtMs(0));
    let traces = [(&sweep.interrupted, begun.then_some(interrupted)), (&sweep.repeated, repeated)];
    for (expectation, trace) in traces {
        let (Some(expectation), Some(trace)) = (expectation, trace) else { continue };
        let Ok(value) = serde_json::to_value(trace) else { continue };
        let mismatches = compare(&expectation.pattern, &value);
        let check = found.check;
        found.findings.extend(mismatches.into_iter().map(|mismatch| Finding { check, mismatch }));
    }
}
