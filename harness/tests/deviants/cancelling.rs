//! Deviants in chapter CAN: what a cut does to a tool, its record and its step.
//!
//! The cut is moved or dropped on the way in, handlers are rewritten, records are changed in the trace.
//! Rules: tools-reference, "Cancellation".

use harness::protocol::{
    EventRecord, Intent, Interrupt, InterruptCause, InterruptPoint, LlmCall, Outcome, Session, ToolName,
    ToolRun, ToolRunOutcome, TurnTrace,
};
use indexmap::IndexMap;
use serde_json::json;

use crate::change::{all, patch, python_of, texts, withhold};
use crate::deviant::{Deviant, Seen, deviant};
use crate::memory::going_on;

/// A turn whose cut happens only where it is wanted.
fn cut(name: &'static str, breaks: &'static str, wanted: fn(&Interrupt, &Seen) -> bool) -> Deviant {
    deviant(name, breaks)
        .turn(move |turn, seen| turn.interrupt = turn.interrupt.take().filter(|cut| wanted(cut, seen)))
}

pub(crate) fn source(
    name: &'static str,
    breaks: &'static str,
    pattern: &'static str,
    with: &'static str,
    helpers: &'static str,
) -> Deviant {
    deviant(name, breaks).load(move |asked| patch(asked, pattern, with, helpers))
}

fn is_cut(trace: &TurnTrace) -> bool {
    trace.outcome == Outcome::Cancelled
}

pub(crate) fn ended(trace: &TurnTrace, outcome: ToolRunOutcome) -> Vec<ToolRun> {
    trace.tools.iter().filter(|run| run.outcome == outcome).cloned().collect()
}

fn record(trace: &mut TurnTrace, run: &ToolRun, at_ms: u64) {
    let data = IndexMap::from([
        ("tool_name".to_owned(), json!(run.tool)),
        ("arguments".to_owned(), run.arguments.clone()),
        ("result".to_owned(), json!(null)),
        ("is_error".to_owned(), json!(false)),
    ]);
    trace.events.push(EventRecord { at_ms, event: "tool_executed".to_owned(), data });
}

pub(crate) fn unrecord(trace: &mut TurnTrace, runs: &[ToolRun]) {
    trace.events.retain(|event| {
        event.event != "tool_executed"
            || !runs.iter().any(|run| event.data.get("tool_name") == Some(&json!(run.tool)))
    });
}

/// Puts a block's pending step somewhere else.
pub(crate) fn hold_at(trace: &mut TurnTrace, step: &str) {
    if let Some(frame) = trace.active.as_mut().filter(|frame| frame.block.is_some()) {
        frame.pending_step = Some(step.to_owned());
    }
}

/// The step that runs a tool.
pub(crate) fn step_of(seen: &Seen, tool: &ToolName) -> Option<String> {
    let pattern = format!(r"- id: (\w+)\s+execute_tool: {tool}\b");
    texts(&seen.asked.project).iter().flat_map(|(_, text)| all(text, &pattern)).next()
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = raising();
    table.extend(interrupting());
    table.extend(records());
    table.extend(cancelled_flag());
    table.extend(handlers());
    table
}

/// An interrupt that does not reach one kind of run, or of wait.
fn interrupting() -> Vec<Deviant> {
    fn mentions(seen: &Seen, word: &str) -> bool {
        texts(&seen.asked.project).iter().any(|(_, text)| text.contains(word))
    }
    vec![
        cut("a hook is not interrupted", "CAN-01", |_, seen| !mentions(seen, "run_after_setting_")),
        cut("a button source is not interrupted", "CAN-01", |_, seen| !mentions(seen, "buttons: {source:")),
        cut("an approved call is not interrupted", "CAN-01", |_, seen| {
            !mentions(seen, "requires_confirmation:")
        }),
        cut("a wait for a lock is not interrupted", "CAN-01", |_, seen| !mentions(seen, "asyncio.Lock(")),
        cut("a wait for an event is not interrupted", "CAN-01", |_, seen| !mentions(seen, "asyncio.Event(")),
        cut("gathered exceptions swallow the interrupt", "CAN-01", |_, seen| {
            !mentions(seen, "return_exceptions=True")
        }),
        cut("a timeout block swallows the interrupt", "CAN-01", |_, seen| {
            !mentions(seen, "asyncio.timeout(")
        }),
    ]
}

fn raising() -> Vec<Deviant> {
    vec![
        cut("a barge-in does not reach a tool", "CAN-01 CAN-18", |cut, _| {
            cut.cause != InterruptCause::BargeIn
        }),
        cut("a session timeout does not reach a tool", "CAN-02", |cut, _| {
            cut.cause != InterruptCause::SessionTimeout
        }),
        cut("a dropped connection does not reach a tool", "CAN-03", |cut, _| {
            cut.cause != InterruptCause::Disconnect
        }),
        deviant("the error is raised an await too late", "CAN-04 CAN-05").turn(|turn, _| {
            if let Some(cut) = &mut turn.interrupt {
                cut.when = match cut.when {
                    InterruptPoint::AtAwait(number) => InterruptPoint::AtAwait(number + 1),
                    InterruptPoint::AtMs(ms) => InterruptPoint::AtMs(ms * 3 + 3000),
                };
            }
        }),
        source(
            "a helper does not see the error",
            "CAN-05",
            r"except (asyncio\.)?CancelledError",
            "except ZeroDivisionError",
            "",
        ),
        source("the error is an Exception", "CAN-06", r"except Exception\b", "except BaseException", ""),
        source(
            "synchronous code is cut as well",
            "CAN-07",
            r"(?m)^( +)busy\(",
            "${1}await _asyncio.sleep(",
            "import asyncio as _asyncio",
        ),
        cut("a cut during synchronous code is lost", "CAN-08 CAN-22 CAN-25 CAN-26 CAN-27", |_, seen| {
            !python_of(&seen.asked.project).contains("busy(")
        }),
        cut("a tool without cancellation code is left alone", "CAN-40", |_, seen| {
            let source = python_of(&seen.asked.project);
            ["CancelledError", "is_cancelled", "finally"].iter().any(|word| source.contains(word))
        }),
    ]
}

fn records() -> Vec<Deviant> {
    vec![
        deviant("a call that returned is not recorded", "CAN-11 CAN-26 CAN-28").trace(|trace, _| {
            let runs = ended(trace, ToolRunOutcome::Returned);
            unrecord(trace, &runs);
        }),
        deviant("a step whose tool returned stays pending", "CAN-12 CAN-27 BLK-03 BLK-18").trace(
            |trace, seen| {
                let first = trace.tools.iter().find(|run| run.outcome == ToolRunOutcome::Returned).cloned();
                if let Some(step) = first.and_then(|run| step_of(seen, &run.tool)) {
                    trace.tools.truncate(1);
                    hold_at(trace, &step);
                }
            },
        ),
        deviant("a cancelled call is recorded", "CAN-13 CAN-18 CAN-32").trace(|trace, _| {
            for run in ended(trace, ToolRunOutcome::Cancelled) {
                let at_ms = run.ended_ms;
                record(trace, &run, at_ms);
            }
        }),
        deviant("a step whose tool was cancelled is passed", "CAN-14 CAN-18 CAN-32 CAN-34").trace(
            |trace, _| {
                if !ended(trace, ToolRunOutcome::Cancelled).is_empty() {
                    hold_at(trace, "END");
                }
            },
        ),
        deviant("a cancelled tool does not run again", "CAN-15 CAN-16 CAN-20").trace(|trace, seen| {
            let cancelled: Vec<ToolRun> =
                seen.earlier.iter().flat_map(|turn| ended(turn, ToolRunOutcome::Cancelled)).collect();
            if !cancelled.is_empty() {
                trace.tools.retain(|run| !cancelled.iter().any(|other| other.tool == run.tool));
                trace.services.clear();
            }
        }),
        deviant("a repeated run goes on where it was cut off", "CAN-16 CAN-20").trace(|trace, seen| {
            if let Some(latest) = seen.earlier.last().filter(|latest| is_cut(latest)) {
                let done: Vec<_> = latest
                    .services
                    .iter()
                    .filter(|call| call.outcome == harness::protocol::ServiceOutcome::Returned)
                    .map(|call| &call.call)
                    .collect();
                trace.services.retain(|call| !done.contains(&&call.call));
            }
        }),
        deviant("a cancelled tool is not offered again", "CAN-17").trace(|trace, seen| {
            let cancelled: Vec<ToolRun> =
                seen.earlier.iter().flat_map(|turn| ended(turn, ToolRunOutcome::Cancelled)).collect();
            withhold(trace, |name| cancelled.iter().any(|run| run.tool.as_str() == name));
        }),
        deviant("a cut turn takes its memory back", "CAN-19").trace(|trace, seen| {
            if is_cut(trace) {
                trace.memory = seen
                    .earlier
                    .last()
                    .map_or_else(|| seen.asked.session.memory.clone(), |turn| turn.memory.clone());
            }
        }),
        deviant("the model is called after a cut", "CAN-37").trace(|trace, _| {
            if is_cut(trace) {
                let last = trace.llm_calls.last().map(|call| call.offered.clone()).unwrap_or_default();
                trace.llm_calls.push(LlmCall {
                    at_ms: trace.ended_ms,
                    offered: last,
                    read: Vec::new(),
                    heard: None,
                    say: None,
                    calls: Vec::new(),
                });
            }
        }),
        deviant("a cut takes back the calls that had returned", "CAN-38").trace(|trace, _| {
            if is_cut(trace) {
                trace.events.retain(|event| event.event != "tool_executed");
            }
        }),
        deviant("the calls after a cancelled one still run", "CAN-39").trace(|trace, seen| {
            if is_cut(trace) {
                let calls = seen.turn.iter().flat_map(|turn| &turn.llm).flat_map(|reply| &reply.calls);
                for call in calls {
                    let Intent::Call { tool, .. } = call else { continue };
                    if !trace.tools.iter().any(|run| run.tool.as_str() == tool)
                        && let Some(run) = trace.tools.first().cloned()
                    {
                        trace.tools.push(ToolRun {
                            tool: ToolName::new(tool.clone()),
                            outcome: ToolRunOutcome::Returned,
                            ..run
                        });
                    }
                }
            }
        }),
        deviant("after a cut no skill is active", "CAN-41").restart(|latest, seen| {
            is_cut(latest).then(|| Session { active: None, ..going_on(latest, seen) })
        }),
    ]
}

fn cancelled_flag() -> Vec<Deviant> {
    vec![
        source("is_cancelled is always true", "CAN-21 CAN-24", r"\bcontext\.is_cancelled\b", "True", ""),
        source(
            "is_cancelled is always false",
            "CAN-22 CAN-23 CAN-25 CAN-26 CAN-27",
            r"\bcontext\.is_cancelled\b",
            "False",
            "",
        ),
        source(
            "once cancelled, is_cancelled stays true",
            "CAN-24",
            r"\bcontext\.is_cancelled\b",
            "_cancelled(context)",
            "_KEPT = []\ndef _cancelled(context):\n    if context.is_cancelled:\n        _KEPT.append(True)\n    return len(_KEPT) > 0",
        ),
        deviant("a cut reaches a tool that is past its last await", "CAN-28").trace(|trace, _| {
            if is_cut(trace) {
                let runs = trace.tools.clone();
                unrecord(trace, &runs);
                trace.tools.iter_mut().for_each(|run| run.outcome = ToolRunOutcome::Cancelled);
            }
        }),
    ]
}

fn handlers() -> Vec<Deviant> {
    vec![
        source(
            "a handler for the error does not run",
            "CAN-29 CAN-23",
            r"except (asyncio\.)?CancelledError",
            "except ZeroDivisionError",
            "",
        ),
        deviant("an await in a handler is cancelled in turn", "CAN-30").trace(|trace, _| {
            if is_cut(trace) {
                let end = trace
                    .tools
                    .iter()
                    .flat_map(|run| &run.awaits)
                    .find(|wait| wait.ended == harness::protocol::Awaited::Cancelled)
                    .map(|wait| wait.ended_ms);
                for call in
                    trace.services.iter_mut().filter(|call| Some(call.started_ms) >= end && end.is_some())
                {
                    call.outcome = harness::protocol::ServiceOutcome::Cancelled;
                }
            }
        }),
        source("finally does not run", "CAN-31", r"finally:", "except ZeroDivisionError:", ""),
        deviant("a handler's value is recorded", "CAN-33").trace(|trace, _| {
            for run in ended(trace, ToolRunOutcome::Cancelled) {
                let at_ms = run.ended_ms;
                record(trace, &run, at_ms);
            }
        }),
    ]
}
