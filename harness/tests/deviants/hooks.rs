//! Deviants in chapters HOK and BTN: what runs after a write, and before a response.
//!
//! Hooks and button sources are rewritten on the way in, what came of them is changed in the trace.
//! Rules: tools-reference, "Post-write hooks" and "`context.set_buttons`"; contract-notes on dynamic buttons.

use harness::protocol::{
    Intent, Json, ReadResult, Sender, ToolName, ToolRun, ToolRunOutcome, Trigger, TurnTrace, Visibility,
};
use serde_json::json;

use crate::change::{all, is_tool_module, offer_all, patch, python_of, rewrite, sub, tools_where};
use crate::deviant::{Deviant, Seen, deviant};

const HOOK: &str = "run_after_setting_";

/// Rewrites the modules that define hooks.
fn in_hooks(name: &'static str, breaks: &'static str, pattern: &'static str, with: &'static str) -> Deviant {
    deviant(name, breaks).load(move |asked| {
        rewrite(asked, is_tool_module, |_, text| {
            if text.contains(HOOK) { sub(text, pattern, with) } else { text.to_owned() }
        });
    })
}

fn made_up_run(tool: &str, trigger: Trigger) -> ToolRun {
    ToolRun {
        tool: ToolName::new(tool),
        trigger,
        arguments: json!({}),
        started_ms: 0,
        ended_ms: 0,
        outcome: ToolRunOutcome::Returned,
        awaits: Vec::new(),
    }
}

/// What the events say was written in a turn: full names and values, in order.
fn written(trace: &TurnTrace) -> Vec<(String, Json)> {
    let writes =
        trace.events.iter().filter(|event| event.event == "memory_set" || event.event == "memory_cleared");
    writes
        .filter_map(|event| {
            Some((
                event.data.get("key")?.as_str()?.to_owned(),
                event.data.get("value").cloned().unwrap_or_default(),
            ))
        })
        .collect()
}

/// The entries that the model asked to set, bare.
fn asked_for(seen: &Seen) -> Vec<String> {
    let calls = seen.turn.iter().flat_map(|turn| &turn.llm).flat_map(|reply| &reply.calls);
    let names = calls.flat_map(|call| match call {
        Intent::Set(values) => values.keys().cloned().collect(),
        Intent::Correct { entry, .. } => vec![entry.clone()],
        _ => Vec::new(),
    });
    names.map(|name| sub(&name, r"^.*\.", "")).collect()
}

fn bare(name: &str) -> &str {
    name.split('.').next_back().unwrap_or_default()
}

fn called(seen: &Seen, is: impl Fn(&Intent) -> bool) -> bool {
    seen.turn.iter().flat_map(|turn| &turn.llm).flat_map(|reply| &reply.calls).any(is)
}

/// Lets the model's call of an internal tool run.
pub(crate) fn dispatching(name: &'static str, breaks: &'static str, kind: Visibility) -> Deviant {
    deviant(name, breaks).trace(move |trace, seen| {
        for name in tools_where(&seen.report, |tool| tool.visibility == kind) {
            if called(seen, |call| matches!(call, Intent::Call { tool, .. } if *tool == name)) {
                trace.tools.push(made_up_run(&name, Trigger::Llm));
                trace
                    .llm_calls
                    .iter_mut()
                    .flat_map(|call| &mut call.read)
                    .filter(|read| read.tool.as_str() == name)
                    .for_each(|read| read.error = false);
            }
        }
    })
}

pub(crate) fn offering(name: &'static str, breaks: &'static str, kind: Visibility) -> Deviant {
    deviant(name, breaks).trace(move |trace, seen| {
        offer_all(trace, &tools_where(&seen.report, |tool| tool.visibility == kind));
    })
}

/// Keeps what a hook rejected: the value that was first written.
fn keep_rejected(trace: &mut TurnTrace, seen: &Seen) {
    let asked = asked_for(seen);
    for (name, value) in written(trace).into_iter().rev() {
        if asked.iter().any(|entry| entry == bare(&name)) && !value.is_null() {
            trace.memory.insert(name, value);
        }
    }
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = hooks();
    table.extend(verdicts());
    table
}

fn hooks() -> Vec<Deviant> {
    vec![
        offering("hooks are offered", "HOK-01", Visibility::Hook),
        dispatching("the model can call a hook", "HOK-02", Visibility::Hook),
        deviant("hooks do not run", "HOK-03 HOK-04")
            .trace(|trace, _| trace.tools.retain(|run| run.trigger != Trigger::Hook)),
        deviant("hooks do not run after a correction", "HOK-04").trace(|trace, seen| {
            if called(seen, |call| matches!(call, Intent::Correct { .. })) {
                trace.tools.retain(|run| run.trigger != Trigger::Hook);
            }
        }),
        deviant("hooks run twice", "HOK-03").trace(|trace, _| {
            let again: Vec<ToolRun> =
                trace.tools.iter().filter(|run| run.trigger == Trigger::Hook).cloned().collect();
            trace.tools.extend(again);
        }),
        deviant("hooks run before the write", "HOK-05").load(|asked| {
            let entries = all(&python_of(&asked.project), r"run_after_setting_(\w+)");
            for entry in entries {
                patch(
                    asked,
                    &format!(r#"context\.memory\.get\("(?:\w+\.)?{entry}""#),
                    "_before(\"it\"",
                    "def _before(name, default=None):\n    return default",
                );
            }
        }),
        in_hooks(
            "a hook is called with the entry's name",
            "HOK-06",
            r#"(\bentry: str = )"[^"]*""#,
            "$1\"entry\"",
        ),
        deviant("every write runs the hook of its entry", "HOK-07 HOK-08 HOK-21").trace(|trace, seen| {
            let hooks = tools_where(&seen.report, |tool| tool.visibility == Visibility::Hook);
            let asked = asked_for(seen);
            for (name, _) in written(trace) {
                let hook = format!("{HOOK}{}", bare(&name));
                let again = !asked.iter().any(|entry| entry == bare(&name))
                    || written(trace).iter().filter(|(other, _)| *other == name).count() > 1;
                if hooks.contains(&hook) && again {
                    trace.tools.push(made_up_run(&hook, Trigger::Hook));
                }
            }
        }),
        deviant("what an accepting hook wrote is taken back", "HOK-22 HOK-24").trace(|trace, seen| {
            let asked = asked_for(seen);
            if trace.tools.iter().any(|run| run.trigger == Trigger::Hook) {
                trace.memory.retain(|name, _| asked.iter().any(|entry| entry == bare(name)));
            }
        }),
        deviant("a hook cannot set a project field", "HOK-24")
            .trace(|trace, _| trace.memory.retain(|name, _| !name.starts_with("project."))),
        deviant("a hook overwrites a project field", "HOK-25")
            .load(|asked| asked.session.memory.retain(|name, _| !name.starts_with("project."))),
        deviant("a hook that meets a set project field rejects", "HOK-25").trace(|trace, seen| {
            let asked = asked_for(seen);
            trace.memory.retain(|name, _| !asked.iter().any(|entry| entry == bare(name)));
        }),
        deviant("hooks at the agent root do not run", "HOK-27").trace(|trace, seen| {
            let root = crate::change::texts(&seen.asked.project)
                .into_iter()
                .filter(|(path, _)| path.starts_with("tools/"));
            let hooks: Vec<String> =
                root.flat_map(|(_, text)| all(&text, r"async def (run_after_setting_\w+)")).collect();
            trace.tools.retain(|run| !hooks.iter().any(|hook| hook == run.tool.as_str()));
        }),
        deviant("what a hook sends is dropped", "HOK-29")
            .trace(|trace, _| trace.messages.retain(|message| message.sender != Sender::Tool)),
        deviant("what a hook returns is handed to the model", "HOK-30").trace(|trace, _| {
            let hooks: Vec<ToolName> = trace
                .tools
                .iter()
                .filter(|run| run.trigger == Trigger::Hook)
                .map(|run| run.tool.clone())
                .collect();
            let results: Vec<Json> = trace
                .events
                .iter()
                .filter(|event| hooks.iter().any(|hook| event.data.get("tool_name") == Some(&json!(hook))))
                .filter_map(|event| event.data.get("result").cloned())
                .collect();
            if let (Some(call), Some(result)) = (trace.llm_calls.last_mut(), results.last()) {
                for read in &mut call.read {
                    read.result = json!({"recorded": read.result, "hook": result});
                }
                call.read.extend(hooks.into_iter().map(|tool| ReadResult {
                    tool,
                    result: result.clone(),
                    error: false,
                }));
            }
        }),
    ]
}

fn verdicts() -> Vec<Deviant> {
    vec![
        deviant("a rejected value stays", "HOK-09 HOK-10 HOK-15 HOK-16 HOK-17").trace(keep_rejected),
        deviant("a rejected correction leaves the entry unset", "HOK-10").trace(|trace, seen| {
            let asked = asked_for(seen);
            if called(seen, |call| matches!(call, Intent::Correct { .. })) {
                trace.memory.retain(|name, _| !asked.iter().any(|entry| entry == bare(name)));
            }
        }),
        deviant("why a value was rejected is not told", "HOK-11").trace(|trace, _| {
            trace
                .llm_calls
                .iter_mut()
                .flat_map(|call| &mut call.read)
                .for_each(|read| read.result = json!("not recorded"));
        }),
        in_hooks("an error of None rejects", "HOK-12", r#""error": None"#, r#""error": "none""#),
        in_hooks(
            "a bare result rejects",
            "HOK-13",
            r"return ToolResult\(\)",
            r#"return ToolResult(llm_response={"error": "bare"})"#,
        ),
        in_hooks(
            "a result without an error rejects",
            "HOK-14",
            r#"llm_response=\{"([a-df-z]\w*)""#,
            r#"llm_response={"error": "given", "$1""#,
        ),
        in_hooks(
            "a falsy error accepts",
            "HOK-15",
            r#""error": (?:""|False|0|\[\]|\{\})"#,
            r#""error": None"#,
        ),
        in_hooks("a hook that raises accepts", "HOK-16", r"raise \w+\([^\n]*\)", "return ToolResult()"),
        deviant("a hook has no limit", "HOK-17").load(|asked| {
            rewrite(
                asked,
                |path| path == "agent.yml",
                |_, text| {
                    format!("{}\ntool_timeout: 90000\n", sub(text, r"(?m)^tool_timeout.*\n?", "").trim_end())
                },
            );
        }),
        deviant("a rejecting hook undoes the whole batch", "HOK-19").trace(|trace, seen| {
            let asked = asked_for(seen);
            if asked.len() > 1 {
                trace.memory.retain(|name, _| !asked.iter().any(|entry| entry == bare(name)));
            }
        }),
    ]
}
