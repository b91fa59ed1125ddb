//! A turn as a timeline: what happened, each with its virtual time, in the order in which it happened.
//!
//! Formats a trace and judges nothing.
//! Rules: `ARCHITECTURE.md`; the trace is described by `specs/protocol.schema.json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::protocol::{
    Awaited, Intent, InterruptPoint, Json, Moment, Outcome, Part, ReadResult, Sender, ServiceCall,
    ServiceOutcome, ToolRun, ToolRunOutcome, Trigger, TurnTrace,
};
use crate::source::counted;
use crate::verdict::json_text;

/// What comes first among things of the same instant where the trace does not say: what was under way ends, with
/// what follows from that; then the model speaks, and what it starts begins.
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

/// A line of the timeline.
struct Line {
    at_ms: u64,
    /// Its place in the order that the trace gives.
    place: Place,
    /// Where it stands among things of one instant that have no such place.
    rank: Rank,
    text: String,
}

/// A position in the order of a trace. What has none comes last among things of its instant, unless it is the end
/// of a suspension: that stands before the end of its tool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    position: usize,
    is_itself: bool,
}

const NO_PLACE: Place = Place { position: usize::MAX, is_itself: true };

/// The order that a trace gives, for looking up.
struct Order(BTreeMap<Moment, usize>);

impl Order {
    fn of(trace: &TurnTrace) -> Self {
        Self(trace.order.iter().enumerate().map(|(position, moment)| (*moment, position)).collect())
    }

    fn place(&self, moment: Moment) -> Place {
        let known = |moment: Moment| self.0.get(&moment).copied();
        match (known(moment), moment) {
            (Some(position), _) => Place { position, is_itself: true },
            (None, Moment { part: Part::Await { tool, .. }, ends: true }) => known(Part::Tool(tool).ends())
                .map_or(NO_PLACE, |position| Place { position, is_itself: false }),
            (None, _) => NO_PLACE,
        }
    }

    /// Where the first thing stands that was cut off at this instant: what completes then has come before the cut.
    fn first_cut_off(&self, trace: &TurnTrace, at_ms: u64) -> Option<usize> {
        let runs = trace.tools.iter().enumerate().flat_map(|(tool, run)| {
            let awaits = run.awaits.iter().enumerate().filter_map(move |(number, one)| {
                let is_cut_off = one.ended == Awaited::Cancelled && one.ended_ms == at_ms;
                is_cut_off.then_some(Part::Await { tool, number })
            });
            let is_cut_off = run.outcome == ToolRunOutcome::Cancelled && run.ended_ms == at_ms;
            awaits.chain(is_cut_off.then_some(Part::Tool(tool)))
        });
        let services = trace.services.iter().enumerate().filter_map(|(number, call)| {
            let is_cut_off = call.outcome == ServiceOutcome::Cancelled && call.ended_ms == Some(at_ms);
            is_cut_off.then_some(Part::Service(number))
        });
        runs.chain(services).filter_map(|part| self.0.get(&part.ends()).copied()).min()
    }

    fn line(&self, at_ms: u64, moment: Moment, rank: Rank, text: String) -> Line {
        Line { at_ms, place: self.place(moment), rank, text }
    }
}

/// The timeline of one turn; times are milliseconds since the conversation began.
pub fn timeline_text(title: &str, trace: &TurnTrace, cut: Option<InterruptPoint>) -> String {
    let order = Order::of(trace);
    let mut lines: Vec<Line> = model_lines(&order, trace).collect();
    lines.extend(trace.tools.iter().enumerate().flat_map(|(tool, run)| tool_lines(&order, tool, run)));
    lines.extend(
        trace.services.iter().enumerate().flat_map(|(number, call)| service_lines(&order, number, call)),
    );
    lines.extend(told_lines(&order, trace));
    if let Some(InterruptPoint::AtMs(ms)) = cut {
        let at_ms = trace.started_ms.saturating_add(ms);
        let text = "cut      the turn is cut off here".to_owned();
        let (place, rank) = match order.first_cut_off(trace, at_ms) {
            Some(position) => (Place { position, is_itself: false }, Rank::User),
            None => (NO_PLACE, Rank::Cut),
        };
        lines.push(Line { at_ms, place, rank, text });
    }
    // Stable: what was noted first stays first among equals.
    lines.sort_by_key(|line| (line.at_ms, line.place, line.rank));
    let width = lines.iter().map(|line| line.at_ms.to_string().len()).max().unwrap_or(1);
    let mut text = format!("{title}\n");
    // Writing to a string cannot fail.
    if let Some(InterruptPoint::AtAwait(number)) = cut {
        let _ = writeln!(text, "  {:>width$}     cut off at suspension {number}", "");
    }
    for line in lines {
        let _ = writeln!(text, "  {:>width$} ms  {}", line.at_ms, line.text);
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

/// What the model reads stands before the call in which it reads it, and nothing between them.
fn model_lines(order: &Order, trace: &TurnTrace) -> impl Iterator<Item = Line> {
    trace.llm_calls.iter().enumerate().flat_map(|(number, call)| {
        let line = |text: String| order.line(call.at_ms, Part::LlmCall(number).begins(), Rank::Model, text);
        let said = call.say.iter().map(|text| format!("\"{text}\""));
        let answered: Vec<String> = said.chain(call.calls.iter().map(intent)).collect();
        let answered = if answered.is_empty() { "nothing".to_owned() } else { answered.join(", ") };
        let offered = counted(call.offered.len(), "tool");
        let text = format!("model    call {}: {offered} offered; answers {answered}", number + 1);
        let mut lines: Vec<Line> = call.read.iter().map(|result| line(reading(result))).collect();
        lines.push(line(text));
        lines
    })
}

/// A tool result as the model reads it; why a tool failed stands nowhere else in a trace.
fn reading(ReadResult { tool, result, error }: &ReadResult) -> String {
    let error = if *error { ", an error" } else { "" };
    format!("model    reads {tool}{error}: {}", json_text(result))
}

fn tool_lines(order: &Order, tool: usize, run: &ToolRun) -> Vec<Line> {
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
    let part = Part::Tool(tool);
    let rank = end(run.started_ms, run.ended_ms, Rank::ToolEnds, Rank::ToolEndsAtOnce);
    let starts = format!("tool     {} starts, called by {trigger}", run.tool);
    let mut lines = vec![
        order.line(run.started_ms, part.begins(), Rank::Tool, starts),
        order.line(run.ended_ms, part.ends(), rank, format!("tool     {} {ended}", run.tool)),
    ];
    for (number, one) in run.awaits.iter().enumerate() {
        let ended = match one.ended {
            Awaited::Returned => "goes on",
            Awaited::Raised => "raises",
            Awaited::Cancelled => "raises CancelledError",
        };
        let part = Part::Await { tool, number };
        let rank = end(one.started_ms, one.ended_ms, Rank::Ends, Rank::EndsAtOnce);
        let starts = format!("await    {} at {}", one.what, one.place);
        lines.push(order.line(one.started_ms, part.begins(), Rank::Starts, starts));
        lines.push(order.line(one.ended_ms, part.ends(), rank, format!("await    {} {ended}", one.what)));
    }
    lines
}

fn service_lines(order: &Order, number: usize, call: &ServiceCall) -> impl Iterator<Item = Line> {
    let arguments: Vec<String> = call.arguments.iter().map(Json::to_string).collect();
    let part = Part::Service(number);
    let text = format!("service  {}({})", call.call, arguments.join(", "));
    let begins = order.line(call.started_ms, part.begins(), Rank::Starts, text);
    let how = match call.outcome {
        ServiceOutcome::Returned => "returns",
        ServiceOutcome::Raised => "raises",
        ServiceOutcome::Cancelled => "is cut off",
        ServiceOutcome::Running => "still runs",
    };
    let ends = call.ended_ms.map(|ended| {
        let rank = end(call.started_ms, ended, Rank::Ends, Rank::EndsAtOnce);
        order.line(ended, part.ends(), rank, format!("service  {} {how}", call.call))
    });
    std::iter::once(begins).chain(ends)
}

/// Messages and events. What comes with the end of a tool that was under way stands right after it.
fn told_lines(order: &Order, trace: &TurnTrace) -> Vec<Line> {
    let follows = |at_ms: u64, otherwise: Rank| {
        let ended = trace.tools.iter().any(|run| run.ended_ms == at_ms && run.started_ms < at_ms);
        if ended { Rank::Follows } else { otherwise }
    };
    let mut lines = Vec::new();
    for (number, message) in trace.messages.iter().enumerate() {
        let rank = match message.sender {
            Sender::Response => follows(message.at_ms, Rank::Message),
            Sender::Llm | Sender::Filler | Sender::Tool => Rank::Message,
        };
        let text = format!("message  \"{}\"", message.text);
        lines.push(order.line(message.at_ms, Part::Message(number).begins(), rank, text));
    }
    for (number, event) in trace.events.iter().enumerate().filter(|(_, event)| event.event != "bot") {
        let data: Vec<String> = event.data.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let rank = if event.event == "user" { Rank::User } else { follows(event.at_ms, Rank::Event) };
        let text = format!("event    {} {}", event.event, data.join(" "));
        lines.push(order.line(event.at_ms, Part::Event(number).begins(), rank, text));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{EventRecord, LlmCall, ToolName};

    /// A turn in one instant: the model calls a tool, and answers from what it reads.
    fn turn() -> TurnTrace {
        let call = |say: Option<&str>, calls: Vec<Intent>| LlmCall {
            at_ms: 0,
            offered: indexmap::IndexMap::new(),
            read: Vec::new(),
            heard: None,
            say: say.map(str::to_owned),
            calls,
        };
        let intent = Intent::Call { tool: "pay".to_owned(), arguments: serde_json::json!({}) };
        let run = ToolRun {
            tool: ToolName::new("pay"),
            trigger: Trigger::Llm,
            arguments: Json::Null,
            started_ms: 0,
            ended_ms: 0,
            outcome: ToolRunOutcome::Returned,
            awaits: Vec::new(),
        };
        let event =
            EventRecord { at_ms: 0, event: "tool_executed".to_owned(), data: indexmap::IndexMap::new() };
        TurnTrace {
            llm_calls: vec![call(None, vec![intent]), call(Some("Paid"), Vec::new())],
            tools: vec![run],
            events: vec![event],
            ..TurnTrace::default()
        }
    }

    fn firsts(trace: &TurnTrace) -> Vec<String> {
        let text = timeline_text("step 1", trace, None);
        let words = |line: &str| line.split_whitespace().skip(2).take(2).collect::<Vec<_>>().join(" ");
        text.lines().skip(1).map(words).collect()
    }

    #[test]
    fn things_of_one_instant_stand_in_the_order_that_the_trace_gives() {
        let mut trace = turn();
        let order = ["llm_calls[0]", "tools[0]", "tools[0] ends", "events[0]", "llm_calls[1]"];
        trace.order = order.iter().map(|moment| moment.parse().unwrap()).collect();
        assert_eq!(
            firsts(&trace),
            ["model call", "tool pay", "tool pay", "event tool_executed", "model call", "completed"]
        );
    }

    #[test]
    fn what_the_model_reads_stands_before_the_call_that_reads_it() {
        let mut trace = turn();
        let result = |result: Json, error: bool| ReadResult { tool: ToolName::new("pay"), result, error };
        trace.llm_calls[1].read = vec![
            result(serde_json::json!({"error": "ValueError: no such account"}), true),
            result(serde_json::json!({"note": "x".repeat(5000)}), false),
        ];
        let order = ["llm_calls[0]", "tools[0]", "tools[0] ends", "events[0]", "llm_calls[1]"];
        trace.order = order.iter().map(|moment| moment.parse().unwrap()).collect();
        let text = timeline_text("step 1", &trace, None);
        let lines: Vec<&str> = text.lines().skip(5).collect();
        assert_eq!(
            lines[0],
            r#"  0 ms  model    reads pay, an error: {"error":"ValueError: no such account"}"#
        );
        assert!(lines[1].starts_with(r#"  0 ms  model    reads pay: {"note":"xxx"#), "{text}");
        assert!(lines[1].ends_with("x…") && lines[1].chars().count() < 200, "{text}");
        assert_eq!(lines[2], r#"  0 ms  model    call 2: 0 tools offered; answers "Paid""#);
    }

    #[test]
    fn without_an_order_they_stand_by_their_kind() {
        assert_eq!(
            firsts(&turn()),
            ["model call", "model call", "tool pay", "tool pay", "event tool_executed", "completed"]
        );
    }
}
