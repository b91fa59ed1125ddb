//! Deviants in chapters CNF and MCP: approvals and servers.
//!
//! Constraints and worlds are rewritten on the way in, answers exchanged, the rest changed in the trace.
//! Rules: contract-notes on confirmations and on MCP servers.

use harness::protocol::{Intent, Json, ReadResult, Sender, ToolRun, ToolSource, Trigger, TurnTrace};
use serde_json::json;

use crate::change::{detach, each_offer, offer_always, overlook, tools_where, withhold};
use crate::deviant::{Deviant, deviant};
use crate::memory::going_on;
use crate::steps::{blocks, called, pass_step, run, stepped};

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = asking();
    table.extend(answering());
    table.extend(servers());
    table
}

fn each_status(trace: &mut TurnTrace, status: &str, change: impl Fn(&mut ReadResult)) {
    let read = trace.llm_calls.iter_mut().flat_map(|call| &mut call.read);
    read.filter(|read| read.result.get("status") == Some(&json!(status))).for_each(change);
}

fn awaiting(trace: &TurnTrace) -> bool {
    let events = trace.events.iter().filter_map(|event| event.data.get("result"));
    events.into_iter().any(|result| result.get("status") == Some(&json!("awaiting_confirmation")))
}

fn answer(name: &'static str, breaks: &'static str, from: bool) -> Deviant {
    deviant(name, breaks).turn(move |turn, _| {
        for call in turn.llm.iter_mut().flat_map(|reply| &mut reply.calls) {
            if *call == Intent::Confirm(from) {
                *call = Intent::Confirm(!from);
            }
        }
    })
}

fn end_after_first_call(trace: &mut TurnTrace) {
    trace.llm_calls.truncate(1);
    trace.messages.retain(|message| message.sender != Sender::Llm);
}

fn asking() -> Vec<Deviant> {
    vec![
        blocks("nothing is confirmed", "CNF-01 CNF-02 CNF-25 CNF-29", r"enabled: true", "enabled: false"),
        deviant("a call that waits is an error", "CNF-02")
            .trace(|trace, _| each_status(trace, "awaiting_confirmation", |read| read.error = true)),
        deviant("a call that waits has another status", "CNF-02").trace(|trace, _| {
            each_status(trace, "awaiting_confirmation", |read| read.result = json!({"status": "pending"}));
        }),
        blocks("whatever speaks of confirmation is confirmed", "CNF-03", r"enabled: false", "enabled: true"),
        deviant("a call that does not fit waits as well", "CNF-04")
            .trace(|trace, _| offer_always(trace, "resolve_tool_confirmation")),
        deviant("a call whose gate is shut waits as well", "CNF-05")
            .trace(|trace, _| offer_always(trace, "resolve_tool_confirmation")),
        blocks("the engine does not ask", "CNF-06 CNF-07", r",? ?utter_for_confirmation: \w+", ""),
        deviant("the model is called after the engine's question", "CNF-06").trace(|trace, _| {
            if awaiting(trace)
                && trace.messages.iter().any(|message| message.sender == Sender::Response)
                && let Some(call) = trace.llm_calls.last().cloned()
            {
                trace.llm_calls.push(call);
            }
        }),
        deviant("the engine asks before the other calls run", "CNF-07").trace(|trace, _| {
            if awaiting(trace) {
                trace.messages.sort_by_key(|message| message.sender != Sender::Response);
                trace.events.sort_by_key(|event| event.event != "bot");
            }
        }),
        deviant("the turn ends with a call that waits", "CNF-08").trace(|trace, _| {
            if awaiting(trace) {
                end_after_first_call(trace);
            }
        }),
        deviant("a waiting tool is not offered", "CNF-18").trace(|trace, seen| {
            let tools = tools_where(&seen.report, |_| true);
            each_offer(trace, |offer| {
                if offer.contains_key("resolve_tool_confirmation") {
                    offer.retain(|name, _| !tools.iter().any(|tool| tool == name.as_str()));
                }
            });
        }),
        deviant("a second call waits as well", "CNF-19 CNF-28").trace(|trace, _| {
            let waiting = json!({"status": "awaiting_confirmation"});
            let read = trace.llm_calls.iter_mut().flat_map(|call| &mut call.read);
            for read in read.filter(|read| read.error) {
                read.error = false;
                read.result = waiting.clone();
            }
        }),
        deviant("a skill can be completed while a confirmation is pending", "CNF-21").trace(|trace, _| {
            if called(trace, |call| matches!(call, Intent::Complete)) {
                trace.active = None;
                trace
                    .llm_calls
                    .iter_mut()
                    .flat_map(|call| &mut call.read)
                    .for_each(|read| read.error = false);
            }
        }),
        deviant("a digression loses the confirmation", "CNF-23").restart(|latest, seen| {
            let away = latest.events.iter().any(|event| {
                ["skill_interrupted", "skill_resumed", "flow_interrupted"].contains(&event.event.as_str())
            });
            away.then(|| going_on(latest, seen))
        }),
        deviant("after a digression the confirmation is not pending again", "CNF-23").trace(|trace, _| {
            let mut away = false;
            for call in &mut trace.llm_calls {
                if away {
                    call.offered.shift_remove("resolve_tool_confirmation");
                }
                away |= call
                    .calls
                    .iter()
                    .any(|call| matches!(call, Intent::Complete | Intent::Activate(_) | Intent::Cancel));
            }
        }),
        deviant("a cancelled skill keeps its confirmation", "CNF-24").trace(|trace, seen| {
            let cancelled =
                |turn: &TurnTrace| turn.events.iter().any(|event| event.event == "skill_cancelled");
            if cancelled(trace) || seen.earlier.iter().any(cancelled) {
                offer_always(trace, "resolve_tool_confirmation");
                trace.tools.extend(tools_where(&seen.report, |_| true).iter().map(|tool| run(tool)));
            }
        }),
    ]
}

fn answering() -> Vec<Deviant> {
    vec![
        answer("an approval is a denial", "CNF-09 CNF-10 CNF-26", true),
        answer("a denial is an approval", "CNF-11 CNF-12 CNF-13 CNF-14", false),
        deviant("an approved tool runs twice", "CNF-09").trace(|trace, _| {
            let again: Vec<ToolRun> =
                trace.tools.iter().filter(|run| run.trigger == Trigger::Confirmation).cloned().collect();
            trace.tools.extend(again);
            let services = trace.services.clone();
            trace.services.extend(services);
        }),
        deviant("an approved tool runs without its arguments", "CNF-10").trace(|trace, _| {
            trace
                .tools
                .iter_mut()
                .filter(|run| run.trigger == Trigger::Confirmation)
                .for_each(|run| run.arguments = json!({}));
            trace.services.iter_mut().for_each(|call| call.arguments.clear());
        }),
        deviant("a denial is an error", "CNF-12")
            .trace(|trace, _| each_status(trace, "declined", |read| read.error = true)),
        blocks("a denial sends nothing", "CNF-13", r",? ?utter_on_user_denial: \w+", ""),
        deviant("a denial ends the turn", "CNF-14").trace(|trace, _| {
            if called(trace, |call| *call == Intent::Confirm(false)) {
                end_after_first_call(trace);
            }
        }),
        deviant("a confirmation stays pending once it is resolved", "CNF-15").trace(|trace, seen| {
            if seen.earlier.iter().any(|turn| called(turn, |call| matches!(call, Intent::Confirm(_)))) {
                offer_always(trace, "resolve_tool_confirmation");
            }
        }),
        blocks("an approved tool is not gated again", "CNF-17", r"(?m)^(\s{4,}requires: ).*$", "$1'True'"),
        deviant("an approved step stays pending", "CNF-26 CNF-27").trace(|trace, seen| {
            let step = seen.earlier.last().and_then(|turn| turn.active.clone());
            if step.is_some() {
                trace.active = step;
                trace.tools.retain(|run| run.trigger != Trigger::Step);
                trace.messages.retain(|message| message.sender != Sender::Response);
            }
        }),
        deviant("a confirmed step is passed before the answer", "CNF-25")
            .trace(|trace, seen| pass_step(trace, &stepped(seen))),
        deviant("a cut during an approved step is recorded and passed", "CNF-30").trace(|trace, seen| {
            if trace.outcome == harness::protocol::Outcome::Cancelled {
                pass_step(trace, &stepped(seen));
            }
        }),
    ]
}

fn results(trace: &mut TurnTrace, change: impl Fn(&mut Json)) {
    trace.llm_calls.iter_mut().flat_map(|call| &mut call.read).for_each(|read| change(&mut read.result));
}

fn servers() -> Vec<Deviant> {
    vec![
        deviant("the agent starts without its servers", "MCP-01 MCP-02 MCP-03 MCP-05 MCP-06").report(
            |report, _| {
                overlook(report, |finding| finding.code.starts_with("mcp."));
                detach(report, |_, tool| tool.source == ToolSource::Mcp);
            },
        ),
        deviant("a start-up stops without a word", "MCP-04").report(|report, _| report.findings.clear()),
        deviant("an MCP tool is offered without its description", "MCP-08").report(|report, _| {
            crate::change::each_tool(report, |_, tool| tool.description = None);
        }),
        deviant("an MCP tool is offered without its schema", "MCP-08")
            .trace(|trace, seen| {
                let names = tools_where(&seen.report, |tool| tool.source == ToolSource::Mcp);
                each_offer(trace, |offer| {
                    offer
                        .iter_mut()
                        .filter(|(name, _)| names.iter().any(|other| other == name.as_str()))
                        .for_each(|(_, schema)| *schema = crate::change::no_arguments());
                });
            })
            .report(|report, _| {
                crate::change::each_tool(report, |_, tool| tool.parameters = crate::change::no_arguments());
            }),
        deviant("a server is called without arguments", "MCP-10")
            .trace(|trace, _| trace.tools.iter_mut().for_each(|run| run.arguments = json!({}))),
        deviant("the last server is called", "MCP-10").load(|asked| {
            if let Some(last) = asked.world.mcp.values().next_back().cloned() {
                asked.world.mcp.values_mut().for_each(|server| {
                    for tool in &mut server.tools {
                        if let Some(other) = last.tools.iter().find(|other| other.name == tool.name) {
                            tool.calls.clone_from(&other.calls);
                        }
                    }
                });
            }
        }),
        deviant("a server is called whatever the arguments", "MCP-11").load(|asked| {
            for tool in asked.world.mcp.values_mut().flat_map(|server| &mut server.tools) {
                tool.parameters = json!({"type": "object", "properties": {}, "additionalProperties": true});
            }
        }),
        deviant("a tool without a schema takes anything", "MCP-12").load(|asked| {
            for tool in asked.world.mcp.values_mut().flat_map(|server| &mut server.tools) {
                if tool.parameters.get("type") != Some(&json!("object")) {
                    tool.parameters = json!({"type": "object"});
                }
            }
        }),
        deviant("what a server answers is a receipt", "MCP-14")
            .trace(|trace, _| results(trace, |result| *result = json!("done"))),
        deviant("the tools of servers are never offered", "MCP-08").trace(|trace, seen| {
            let names = tools_where(&seen.report, |tool| tool.source == ToolSource::Mcp);
            withhold(trace, |name| names.iter().any(|other| other == name));
        }),
    ]
}
