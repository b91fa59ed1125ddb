//! Deviants in chapters BLK, CNF and MCP: steps, approvals, servers.
//!
//! Blocks and constraints are rewritten on the way in, answers to questions exchanged, the rest changed in the trace.
//! Rules: contract-notes on ordered blocks, on confirmations and on MCP servers.

use harness::protocol::{
    Intent, MessageRecord, ReadResult, Sender, ToolName, ToolRun, ToolRunOutcome, Trigger, TurnTrace,
};
use serde_json::json;

use crate::change::{is_markdown, rewrite, sub, tools_where};
use crate::deviant::{Deviant, Seen, deviant};

pub(crate) fn blocks(
    name: &'static str,
    breaks: &'static str,
    pattern: &'static str,
    with: &'static str,
) -> Deviant {
    deviant(name, breaks).load(move |asked| rewrite(asked, is_markdown, |_, text| sub(text, pattern, with)))
}

pub(crate) fn called(trace: &TurnTrace, is: impl Fn(&Intent) -> bool) -> bool {
    trace.llm_calls.iter().flat_map(|call| &call.calls).any(is)
}

/// The steps of a project's blocks that run a tool.
pub(crate) fn stepped(seen: &Seen) -> Vec<String> {
    let files = crate::change::texts(&seen.asked.project).into_iter();
    files.flat_map(|(_, text)| crate::change::all(&text, r"- id: (\w+)\s+execute_tool:")).collect()
}

/// The steps of a project's blocks that the model carries out.
fn guided(seen: &Seen) -> Vec<String> {
    let files = crate::change::texts(&seen.asked.project).into_iter();
    files.flat_map(|(_, text)| crate::change::all(&text, r"- id: (\w+)\s+instructions:")).collect()
}

pub(crate) fn pass_step(trace: &mut TurnTrace, from: &[String]) {
    if let Some(frame) = &mut trace.active
        && frame.pending_step.as_ref().is_some_and(|step| from.contains(step))
    {
        frame.pending_step = Some("END".to_owned());
    }
}

pub(crate) fn run(tool: &str) -> ToolRun {
    ToolRun {
        tool: ToolName::new(tool),
        trigger: Trigger::Step,
        arguments: json!({}),
        started_ms: 0,
        ended_ms: 0,
        outcome: ToolRunOutcome::Returned,
        awaits: Vec::new(),
    }
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = steps();
    table.extend(collecting());
    table
}

fn steps() -> Vec<Deviant> {
    vec![
        deviant("a step leaves its tool to the model", "BLK-01 BLK-07")
            .trace(|trace, _| trace.tools.retain(|run| run.trigger != Trigger::Step)),
        deviant("one step runs a turn", "BLK-02").trace(|trace, seen| {
            trace.tools.truncate(1);
            trace.messages.truncate(1);
            if let (Some(frame), Some(step)) = (&mut trace.active, stepped(seen).first()) {
                frame.pending_step = Some(step.clone());
            }
        }),
        deviant("the model is asked between steps", "BLK-02").trace(|trace, _| {
            let call = harness::protocol::LlmCall {
                at_ms: 0,
                offered: indexmap::IndexMap::new(),
                read: Vec::new(),
                heard: None,
                say: None,
                calls: Vec::new(),
            };
            trace.llm_calls.insert(0, call);
        }),
        blocks("a next that is an id is overlooked", "BLK-04", r"(?m)^\s+next: \w+\n", ""),
        blocks(
            "the first branch is taken whatever its condition",
            "BLK-05",
            r"(?m)- if: .*$",
            "- if: 'True'",
        ),
        blocks("no branch but else is taken", "BLK-05", r"(?m)- if: .*$", "- if: 'False'"),
        deviant("literals arrive as text", "BLK-07").trace(|trace, _| {
            for value in trace
                .tools
                .iter_mut()
                .filter_map(|run| run.arguments.as_object_mut())
                .flat_map(serde_json::Map::values_mut)
            {
                *value = json!(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
        }),
        blocks(
            "a reference arrives as its text",
            "BLK-08",
            r"(?m)(\w+: )(session\.\w+\.\w+)(\}|,|$)",
            "$1'the $2'$3",
        ),
        deviant("a step resolves bare names nowhere", "BLK-10").load(|asked| {
            crate::change::patch(
                asked,
                r"context\.memory\.get\(",
                "_nothing(",
                "def _nothing(name, default=None):\n    return default",
            );
        }),
        deviant("what a step wrote is seen in the next turn", "BLK-11").load(|asked| {
            crate::change::patch(
                asked,
                r"context\.memory\.set\(",
                "_later(",
                "def _later(name, value):\n    return None",
            );
        }),
        deviant("the model reads the result of a step", "BLK-12").trace(|trace, _| {
            let runs: Vec<ToolName> = trace
                .tools
                .iter()
                .filter(|run| run.trigger == Trigger::Step)
                .map(|run| run.tool.clone())
                .collect();
            if let Some(call) = trace.llm_calls.first_mut() {
                call.read.extend(runs.into_iter().map(|tool| ReadResult {
                    tool,
                    result: json!({}),
                    error: false,
                }));
            }
        }),
        deviant("a step whose gate is shut is passed", "BLK-13 BLK-14")
            .trace(|trace, seen| pass_step(trace, &stepped(seen))),
        deviant("a step whose parameters do not fit is run", "BLK-15").trace(|trace, seen| {
            let tools = tools_where(&seen.report, |_| true);
            trace.tools.extend(tools.iter().map(|tool| run(tool)));
        }),
        deviant("a step whose parameters do not fit is passed", "BLK-16")
            .trace(|trace, seen| pass_step(trace, &stepped(seen))),
        deviant("set_memory writes nothing", "BLK-21").trace(|trace, seen| {
            let earlier = seen.earlier.last().map_or(&seen.asked.session.memory, |turn| &turn.memory);
            trace.memory.clone_from(earlier);
        }),
        deviant("an action sends nothing", "BLK-24")
            .trace(|trace, _| trace.messages.retain(|message| message.sender != Sender::Response)),
        blocks(
            "action_listen does not wait",
            "BLK-25",
            r"(?m)^(\s+)- id: \w+\n\s+action: action_listen\n",
            "",
        ),
        deviant("a called skill is not come back from", "BLK-33").trace(|trace, _| {
            if called(trace, |call| matches!(call, Intent::Complete)) {
                trace.active = None;
            }
        }),
        blocks("a link is a call", "BLK-35", r"(?m)^(\s+)link: ", "${1}call: "),
    ]
}

fn collecting() -> Vec<Deviant> {
    vec![
        deviant("a collect step asks though it knows", "BLK-26").trace(|trace, seen| {
            let files = crate::change::texts(&seen.asked.project);
            if let Some(text) =
                files.iter().flat_map(|(_, text)| crate::change::all(text, r"- text: (.*)")).next()
            {
                trace.messages.insert(
                    0,
                    MessageRecord {
                        at_ms: 0,
                        text,
                        buttons: Vec::new(),
                        sender: Sender::Response,
                        response: None,
                    },
                );
                trace.tools.clear();
            }
        }),
        deviant("a collect step does not ask", "BLK-27")
            .trace(|trace, _| trace.messages.retain(|message| message.sender != Sender::Response)),
        deviant("a collect step does not wait", "BLK-27").trace(|trace, _| {
            if let Some(frame) = &mut trace.active {
                frame.pending_step = Some("END".to_owned());
            }
        }),
        deviant("a recorded value does not pass its collect step", "BLK-28").trace(|trace, seen| {
            if called(trace, |call| matches!(call, Intent::Set(_))) {
                trace.tools.retain(|run| run.trigger != Trigger::Step);
                if let Some(frame) = seen.earlier.last().and_then(|turn| turn.active.clone()) {
                    trace.active = Some(frame);
                }
            }
        }),
        deviant("a rejected value passes its collect step", "BLK-29").trace(|trace, seen| {
            let files = crate::change::texts(&seen.asked.project).into_iter();
            let collects: Vec<String> =
                files.flat_map(|(_, text)| crate::change::all(&text, r"- id: (\w+)\s+collect:")).collect();
            pass_step(trace, &collects);
        }),
        deviant("instructions end with the first answer", "BLK-31")
            .trace(|trace, seen| pass_step(trace, &guided(seen))),
        deviant("instructions never end", "BLK-32").trace(|trace, seen| {
            trace.tools.retain(|run| run.trigger != Trigger::Step);
            if let (Some(frame), Some(step)) = (&mut trace.active, guided(seen).first()) {
                frame.pending_step = Some(step.clone());
            }
        }),
    ]
}
