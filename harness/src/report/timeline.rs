//! A turn as a timeline: what happened, each with its virtual time, in the order in which it happened.
//!
//! Formats a trace and judges nothing.
//! Rules: `ARCHITECTURE.md`; the trace is described by `specs/protocol.schema.json`.

use std::fmt::Write as _;

use crate::protocol::{
    Awaited, Intent, InterruptPoint, Json, Outcome, Sender, ServiceCall, ServiceOutcome, ToolRun,
    ToolRunOutcome, Trigger, TurnTrace,
};

/// What comes first among things of the same instant: what was under way ends, with what follows from that;
/// then the model speaks, and what it starts begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    User,
    Ends,
    ToolEnds,
    Follows,
    Model,
    Tool,
    Starts,
    EndsAtOnce,
    Message,
    ToolEndsAtOnce,
    Event,
    Cut,
}

/// What ends at the instant at which it began stands after its beginning.
fn end(started_ms: u64, ended_ms: u64, later: Rank, at_once: Rank) -> Rank {
    if started_ms == ended_ms { at_once } else { later }
}

/// A line of the timeline: when, where among things of the same instant, and what.
type Line = (u64, Rank, String);

/// The timeline of one turn; times are milliseconds since the conversation began.
pub fn timeline_text(title: &str, trace: &TurnTrace, cut: Option<InterruptPoint>) -> String {
    let mut lines: Vec<Line> = model_lines(trace).collect();
    lines.extend(trace.tools.iter().flat_map(tool_lines));
    lines.extend(trace.services.iter().flat_map(service_lines));
    lines.extend(told_lines(trace));
    if let Some(InterruptPoint::AtMs(ms)) = cut {
        let at = trace.started_ms.saturating_add(ms);
        lines.push((at, Rank::Cut, "cut      the turn is cut off here".to_owned()));
    }
    // Stable: what was noted first stays first among equals.
    lines.sort_by_key(|(at, rank, _)| (*at, *rank));
    let width = lines.iter().map(|(at, ..)| at.to_string().len()).max().unwrap_or(1);
    let mut text = format!("{title}\n");
    // Writing to a string cannot fail.
    if let Some(InterruptPoint::AtAwait(number)) = cut {
        let _ = writeln!(text, "  {:>width$}     cut off at suspension {number}", "");
    }
    for (at, _, line) in lines {
        let _ = writeln!(text, "  {at:>width$} ms  {line}");
    }
    let outcome = match trace.outcome {
        Outcome::Completed => "completed",
        Outcome::Cancelled => "cancelled",
        Outcome::Failed => "failed",
    };
    let _ = writeln!(text, "  {:>width$} ms  {outcome}", trace.ended_ms);
    for (name, value) in &trace.memory {
        let _ = writeln!(text, "  {:>width$}     memory {name} = {value}", "");
    }
    text
}

fn model_lines(trace: &TurnTrace) -> impl Iterator<Item = Line> {
    (1..).zip(&trace.llm_calls).map(|(number, call)| {
        let said = call.say.iter().map(|text| format!("\"{text}\""));
        let answered: Vec<String> = said.chain(call.calls.iter().map(intent)).collect();
        let answered = if answered.is_empty() { "nothing".to_owned() } else { answered.join(", ") };
        let offered = call.offered.len();
        (
            call.at_ms,
            Rank::Model,
            format!("model    call {number}: {offered} tools offered; answers {answered}"),
        )
    })
}

fn tool_lines(run: &ToolRun) -> Vec<Line> {
    let trigger = match run.trigger {
        Trigger::Llm => "the model",
        Trigger::Step => "a step",
        Trigger::Hook => "a write",
        Trigger::ButtonSource => "a response",
        Trigger::Confirmation => "the approval",
        Trigger::Correction => "a correction",
    };
    let ended = match run.outcome {
        ToolRunOutcome::Returned => "returns",
        ToolRunOutcome::Raised => "raises",
        ToolRunOutcome::TimedOut => "runs out of time",
        ToolRunOutcome::Cancelled => "is cut off",
    };
    let rank = end(run.started_ms, run.ended_ms, Rank::ToolEnds, Rank::ToolEndsAtOnce);
    let mut lines = vec![
        (run.started_ms, Rank::Tool, format!("tool     {} starts, called by {trigger}", run.tool)),
        (run.ended_ms, rank, format!("tool     {} {ended}", run.tool)),
    ];
    for one in &run.awaits {
        let ended = match one.ended {
            Awaited::Returned => "goes on",
            Awaited::Raised => "raises",
            Awaited::Cancelled => "raises CancelledError",
        };
        let rank = end(one.started_ms, one.ended_ms, Rank::Ends, Rank::EndsAtOnce);
        lines.push((one.started_ms, Rank::Starts, format!("await    {} at {}", one.what, one.place)));
        lines.push((one.ended_ms, rank, format!("await    {} {ended}", one.what)));
    }
    lines
}

fn service_lines(call: &ServiceCall) -> impl Iterator<Item = Line> {
    let arguments: Vec<String> = call.arguments.iter().map(Json::to_string).collect();
    let begins = (call.started_ms, Rank::Starts, format!("service  {}({})", call.call, arguments.join(", ")));
    let how = match call.outcome {
        ServiceOutcome::Returned => "returns",
        ServiceOutcome::Raised => "raises",
        ServiceOutcome::Cancelled => "is cut off",
        ServiceOutcome::Running => "still runs",
    };
    let ends = call.ended_ms.map(|ended| {
        let rank = end(call.started_ms, ended, Rank::Ends, Rank::EndsAtOnce);
        (ended, rank, format!("service  {} {how}", call.call))
    });
    std::iter::once(begins).chain(ends)
}

/// Messages and events. What comes with the end of a tool that was under way stands right after it.
fn told_lines(trace: &TurnTrace) -> Vec<Line> {
    let follows = |at_ms: u64, otherwise: Rank| {
        let ended = trace.tools.iter().any(|run| run.ended_ms == at_ms && run.started_ms < at_ms);
        if ended { Rank::Follows } else { otherwise }
    };
    let mut lines = Vec::new();
    for message in &trace.messages {
        let rank = match message.sender {
            Sender::Response => follows(message.at_ms, Rank::Message),
            Sender::Llm | Sender::Filler | Sender::Tool => Rank::Message,
        };
        lines.push((message.at_ms, rank, format!("message  \"{}\"", message.text)));
    }
    for event in trace.events.iter().filter(|event| event.event != "bot") {
        let data: Vec<String> = event.data.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let rank = if event.event == "user" { Rank::User } else { follows(event.at_ms, Rank::Event) };
        lines.push((event.at_ms, rank, format!("event    {} {}", event.event, data.join(" "))));
    }
    lines
}

fn intent(intent: &Intent) -> String {
    match intent {
        Intent::Activate(target) => format!("activate {target}"),
        Intent::Complete => "complete".to_owned(),
        Intent::Cancel => "cancel".to_owned(),
        Intent::Set(fields) => format!("set {}", fields.keys().cloned().collect::<Vec<_>>().join(" ")),
        Intent::Correct { entry, .. } => format!("correct {entry}"),
        Intent::Confirm(confirmed) => format!("confirm {confirmed}"),
        Intent::Search(query) => format!("search \"{query}\""),
        Intent::CannotHelp(_) => "cannot help".to_owned(),
        Intent::Listen => "listen".to_owned(),
        Intent::Call { tool, arguments } => format!("call {tool}{arguments}"),
    }
}
