//! Deviants in chapter TIM, and what chapter MCP says of limits: what an expired limit does.
//!
//! Limits are moved on the way in, records are changed in the trace.
//! Rules: tools-reference, "Defining a tool"; contract-notes on `tool_timeout`.

use harness::protocol::{Outcome, Sender, ToolRunOutcome, Trigger};
use serde_json::json;

use crate::cancelling::{ended, hold_at, source, step_of, unrecord};
use crate::change::{all, is_markdown, rewrite, sub, sub_with, texts};
use crate::deviant::{Asked, Deviant, deviant};

pub(crate) fn table() -> Vec<Deviant> {
    timeouts()
}

/// Sets the limit of the agent anew, and those of its servers where that is asked for.
fn limits(asked: &mut Asked, servers: bool, anew: impl Fn(f64) -> f64) {
    let limited = |path: &str| path == "agent.yml" || servers && path == "integrations.yml";
    rewrite(asked, limited, |path, text| {
        if path == "agent.yml" && !text.contains("tool_timeout") {
            return format!("{}\ntool_timeout: {}\n", text.trim_end(), anew(10.0));
        }
        sub_with(text, r"(?m)([ ,{]|^)tool_timeout: ([\d.]+)", |found| {
            format!("{}tool_timeout: {}", &found[1], anew(found[2].parse().unwrap_or(10.0)))
        })
    });
}

/// Takes the default away and leaves other limits as they are.
fn no_default(limit: f64) -> f64 {
    if (limit - 10.0).abs() < f64::EPSILON { 90_000.0 } else { limit }
}

fn limited(name: &'static str, breaks: &'static str, anew: fn(f64) -> f64) -> Deviant {
    deviant(name, breaks).load(move |asked| limits(asked, false, anew))
}

fn timeouts() -> Vec<Deviant> {
    vec![
        limited("there is no default limit", "TIM-01", no_default),
        deviant("the default limit holds whatever is configured", "TIM-02 TIM-03 TIM-04").load(|asked| {
            rewrite(
                asked,
                |path| path == "agent.yml",
                |_, text| sub(text, r"tool_timeout: [\d.]+", "tool_timeout: 10"),
            );
        }),
        deviant("only what the model calls and steps run has a limit", "TIM-02").trace(|trace, _| {
            let runs =
                trace.tools.iter_mut().filter(|run| !matches!(run.trigger, Trigger::Llm | Trigger::Step));
            for run in runs.filter(|run| run.outcome == ToolRunOutcome::TimedOut) {
                run.outcome = ToolRunOutcome::Returned;
            }
        }),
        deviant("a call that timed out takes its messages back", "CTX-03").trace(|trace, _| {
            if !ended(trace, ToolRunOutcome::TimedOut).is_empty() {
                trace.messages.retain(|message| message.sender != Sender::Tool);
            }
        }),
        limited("a limit is at most a minute", "TIM-03", |limit| limit.min(60.0)),
        limited("a limit is at most ten seconds", "TIM-03", |limit| limit.min(10.0)),
        limited("a limit is rounded up", "TIM-04", f64::ceil),
        limited("a limit stops what is within it", "TIM-05", |_| 0.001),
        limited("a suspension is limited and not the call", "TIM-06 TIM-14", |limit| limit * 1000.0),
        limited("the calls of a turn share one limit", "TIM-07", |limit| limit / 2.0),
        source("time in synchronous code does not count", "TIM-08", r"\bbusy\([\d.]+\)", "busy(0)", ""),
        deviant("a call that timed out has a result without error", "TIM-09 MCP-22").trace(|trace, _| {
            let runs = ended(trace, ToolRunOutcome::TimedOut);
            let read = trace.llm_calls.iter_mut().flat_map(|call| &mut call.read);
            for read in read.filter(|read| runs.iter().any(|run| run.tool == read.tool)) {
                read.result = json!({"status": "timeout"});
            }
        }),
        deviant("a call that timed out takes its memory back", "TIM-10").trace(|trace, seen| {
            if !ended(trace, ToolRunOutcome::TimedOut).is_empty() {
                trace.memory = seen
                    .earlier
                    .last()
                    .map_or_else(|| seen.asked.session.memory.clone(), |turn| turn.memory.clone());
            }
        }),
        deviant("a call that timed out is not recorded", "TIM-11").trace(|trace, _| {
            let runs = ended(trace, ToolRunOutcome::TimedOut);
            unrecord(trace, &runs);
        }),
        deviant("a step whose tool timed out stays pending", "TIM-12").trace(|trace, seen| {
            for run in ended(trace, ToolRunOutcome::TimedOut) {
                if let Some(step) = step_of(seen, &run.tool) {
                    trace.tools.truncate(1);
                    hold_at(trace, &step);
                }
            }
        }),
        deviant("a timeout ends the turn", "TIM-13").trace(|trace, _| {
            if !ended(trace, ToolRunOutcome::TimedOut).is_empty() {
                trace.outcome = Outcome::Failed;
                trace.llm_calls.truncate(1);
            }
        }),
        limited("what a tool awaits decides and not its limit", "TIM-14", |_| 90_000.0),
        source(
            "a shorter deadline of its own cannot be caught",
            "TIM-15",
            r"except (asyncio\.)?TimeoutError",
            "except ZeroDivisionError",
            "",
        ),
        deviant("a step's tool has no limit", "TIM-16").load(|asked| {
            if texts(&asked.project)
                .iter()
                .any(|(path, text)| is_markdown(path) && text.contains("execute_tool:"))
            {
                limits(asked, false, |_| 90_000.0);
            }
        }),
        deviant("a limit that is none is overlooked", "TIM-18")
            .report(|report, _| crate::change::overlook(report, |_| true)),
        deviant("a server's limit is overlooked", "MCP-17 MCP-18").load(|asked| {
            rewrite(
                asked,
                |path| path == "integrations.yml",
                |_, text| sub(text, r"(?m), tool_timeout: [\d.]+|^\s+tool_timeout: .*\n", ""),
            );
        }),
        deviant("the agent's limit does not hold for servers", "MCP-19")
            .load(|asked| limits(asked, false, |_| 90_000.0)),
        deviant("a server has no default limit", "MCP-20").load(|asked| {
            limits(asked, true, no_default);
        }),
        deviant("a server's limit holds for all tools", "MCP-21").load(|asked| {
            let text = crate::change::text_of(&asked.project, "integrations.yml");
            let limit =
                all(&text, r"tool_timeout: ([\d.]+)").first().and_then(|limit| limit.parse::<f64>().ok());
            limits(asked, true, move |own| limit.unwrap_or(own));
        }),
    ]
}
