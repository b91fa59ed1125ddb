//! Deviants in chapters RES and CTX: what the model reads of a call, and what a context gives to a tool.
//!
//! Results are changed in the trace, arguments before the call, contexts by a function put before them.
//! Rules: tools-reference, "`ToolContext`" and "`ToolResult`"; contract-notes on results.

use harness::protocol::{Intent, Json, MessageRecord, Outcome, Sender, ToolRunOutcome, TurnTrace};
use serde_json::json;

use crate::change::{is_markdown, patch, rewrite, sub};
use crate::deviant::{Deviant, deviant};

fn each_result(trace: &mut TurnTrace, change: impl Fn(&mut Json)) {
    trace.llm_calls.iter_mut().flat_map(|call| &mut call.read).for_each(|read| change(&mut read.result));
}

/// A value with its leaves changed.
fn leaves(value: &mut Json, change: &impl Fn(&mut Json)) {
    match value {
        Json::Array(items) => items.iter_mut().for_each(|item| leaves(item, change)),
        Json::Object(object) => object.values_mut().for_each(|item| leaves(item, change)),
        leaf => change(leaf),
    }
}

fn is_falsy(value: &Json) -> bool {
    *value == json!(0)
        || *value == json!(false)
        || *value == json!("")
        || *value == json!([])
        || *value == json!({})
}

/// Mends the arguments of every call, given the schema of its tool.
fn lenient(
    name: &'static str,
    breaks: &'static str,
    mend: fn(&mut serde_json::Map<String, Json>, &Json),
) -> Deviant {
    deviant(name, breaks).turn(move |turn, seen| {
        for call in turn.llm.iter_mut().flat_map(|reply| &mut reply.calls) {
            let Intent::Call { tool, arguments } = call else { continue };
            let schema = seen.report.skills.values().find_map(|skill| skill.tools.get(tool.as_str()));
            if let (Some(tool), Some(arguments)) = (schema, arguments.as_object_mut()) {
                mend(arguments, &tool.parameters);
            }
        }
    })
}

fn of_type(value: &Json, kind: &str) -> Json {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match kind {
        "integer" => json!(sub(&text, r"\..*$", "").parse::<i64>().unwrap_or(1)),
        "number" => json!(text.parse::<f64>().unwrap_or(1.0)),
        "boolean" => json!(!["false", "0", ""].contains(&text.as_str())),
        "array" => json!([text]),
        _ => json!(text),
    }
}

fn is_of(value: &Json, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        _ => true,
    }
}

fn has_invalid(trace: &TurnTrace) -> bool {
    let read = trace.llm_calls.iter().flat_map(|call| &call.read);
    read.into_iter().any(|read| read.result.get("code") == Some(&json!("invalid_arguments")))
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = values();
    table.extend(arguments());
    table.extend(responses());
    table.extend(sending());
    table.extend(contexts());
    table
}

fn values() -> Vec<Deviant> {
    vec![
        deviant("the model reads a receipt and not the result", "RES-01")
            .trace(|trace, _| each_result(trace, |result| *result = json!("done"))),
        deviant("numbers reach the model as text", "RES-02").trace(|trace, _| {
            each_result(trace, |result| {
                leaves(result, &|leaf| {
                    if leaf.is_number() {
                        *leaf = json!(leaf.to_string());
                    }
                });
            });
        }),
        deviant("booleans reach the model as numbers", "RES-02").trace(|trace, _| {
            each_result(trace, |result| {
                leaves(result, &|leaf| {
                    if let Some(truth) = leaf.as_bool() {
                        *leaf = json!(i32::from(truth));
                    }
                });
            });
        }),
        deviant("nulls reach the model as text", "RES-02").trace(|trace, _| {
            each_result(trace, |result| {
                leaves(result, &|leaf| {
                    if leaf.is_null() {
                        *leaf = json!("None");
                    }
                });
            });
        }),
        deviant("a falsy result is none", "RES-03").trace(|trace, _| {
            each_result(trace, |result| {
                if is_falsy(result) {
                    *result = Json::Null;
                }
            });
        }),
        deviant("a call without a result is not recorded", "RES-04").trace(|trace, _| {
            trace.events.retain(|event| {
                event.event != "tool_executed"
                    || event.data.get("result").is_some_and(|result| !result.is_null())
            });
        }),
        deviant("the calls of an answer run in reverse", "RES-06")
            .turn(|turn, _| turn.llm.iter_mut().for_each(|reply| reply.calls.reverse())),
        deviant("results are tied to the wrong calls", "RES-07").trace(|trace, _| {
            for call in &mut trace.llm_calls {
                let mut results: Vec<Json> = call.read.iter().map(|read| read.result.clone()).collect();
                results.reverse();
                call.read.iter_mut().zip(results).for_each(|(read, result)| read.result = result);
            }
        }),
        deviant("an answer gets the last of its results", "RES-07").trace(|trace, _| {
            for call in &mut trace.llm_calls {
                call.read = call.read.pop().into_iter().collect();
            }
        }),
    ]
}

fn arguments() -> Vec<Deviant> {
    vec![
        lenient("a missing argument is made up", "RES-08", |arguments, schema| {
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
                let kind = schema["properties"][name]["type"].as_str().unwrap_or_default();
                arguments.entry(name).or_insert_with(|| of_type(&json!("1"), kind));
            }
        }),
        lenient("an unknown argument is dropped", "RES-09", |arguments, schema| {
            arguments.retain(|name, _| schema["properties"].get(name).is_some());
        }),
        lenient("arguments are converted", "RES-10", |arguments, schema| {
            for (name, value) in arguments.iter_mut() {
                let kind = schema["properties"][name]["type"].as_str().unwrap_or_default();
                if !is_of(value, kind) {
                    *value = of_type(value, kind);
                }
            }
        }),
        lenient("items are converted", "RES-11", |arguments, _| {
            for item in arguments.values_mut().filter_map(Json::as_array_mut).flatten() {
                *item = of_type(item, "string");
            }
        }),
        deviant("a refusal says nothing of trying again", "RES-12").trace(|trace, _| {
            each_result(trace, |result| {
                _ = result.as_object_mut().and_then(|object| object.remove("retryable"));
            });
        }),
        deviant("a refusal has no code", "RES-12 CNF-04 MCP-11").trace(|trace, _| {
            each_result(trace, |result| _ = result.as_object_mut().and_then(|object| object.remove("code")));
        }),
        deviant("a refusal is a plain text", "RES-12").trace(|trace, _| {
            each_result(trace, |result| {
                if result.get("code").is_some() {
                    *result = result["error"].clone();
                }
            });
        }),
        deviant("a refused call ends the turn", "RES-13").trace(|trace, _| {
            if has_invalid(trace) {
                trace.llm_calls.truncate(1);
                trace.tools.clear();
                trace.messages.clear();
            }
        }),
    ]
}

fn responses() -> Vec<Deviant> {
    vec![
        deviant("on_success is not delivered", "RES-19")
            .load(|asked| {
                rewrite(asked, is_markdown, |_, text| {
                    sub(text, r"on_success: (\w+)", "on_success: utter_nothing")
                });
            })
            .trace(|trace, _| {
                trace.messages.retain(|message| message.response.as_deref() != Some("utter_nothing"));
            }),
        deviant("on_failure is not delivered", "RES-20 TIM-17").trace(|trace, seen| {
            let failures = crate::change::texts(&seen.asked.project)
                .into_iter()
                .flat_map(|(_, text)| crate::change::all(&text, r"on_failure: (\w+)"));
            let failures: Vec<String> = failures.collect();
            trace.messages.retain(|message| {
                !message.response.as_ref().is_some_and(|response| failures.contains(response))
            });
        }),
        deviant("on_success is delivered whatever the result", "RES-20 RES-21").load(|asked| {
            rewrite(asked, is_markdown, |_, text| {
                let pair = r"on_success: (\w+)(,?\s+)on_failure: \w+";
                let one =
                    sub(text, pair, "on_success: $1$2 on_failure: $1").replace("  on_failure", " on_failure");
                sub(&one, r"on_failure: (\w+)(,?\s+)on_success: (\w+)", "on_failure: $3${2}on_success: $3")
            });
        }),
        deviant("a response is delivered beside the one that matches", "RES-21").trace(|trace, seen| {
            let files = crate::change::texts(&seen.asked.project);
            let named: Vec<String> = files
                .iter()
                .flat_map(|(_, text)| crate::change::all(text, r"on_(?:success|failure): (\w+)"))
                .collect();
            if let Some(sent) = trace
                .messages
                .iter()
                .find(|message| message.response.as_ref().is_some_and(|response| named.contains(response)))
                .cloned()
            {
                for response in named.iter().filter(|name| Some(*name) != sent.response.as_ref()) {
                    let text = files
                        .iter()
                        .flat_map(|(_, text)| {
                            crate::change::all(text, &format!(r"{response}:\s*\n\s*- text: (.*)"))
                        })
                        .next();
                    trace.messages.push(MessageRecord {
                        response: Some(response.clone()),
                        text: text.unwrap_or_default(),
                        ..sent.clone()
                    });
                }
            }
        }),
        deviant("a response ends the turn", "RES-22").trace(|trace, _| {
            if trace.messages.iter().any(|message| message.sender == Sender::Response) {
                trace.llm_calls.truncate(1);
                trace.messages.retain(|message| message.sender == Sender::Response);
            }
        }),
    ]
}

fn sending() -> Vec<Deviant> {
    vec![
        deviant("what a tool sends waits for the end of the turn", "CTX-03").trace(|trace, _| {
            let at_ms = trace.ended_ms;
            trace
                .messages
                .iter_mut()
                .filter(|message| message.sender == Sender::Tool)
                .for_each(|message| message.at_ms = at_ms);
        }),
        deviant("what a tool sends is reworded", "CTX-04").trace(|trace, _| {
            trace
                .messages
                .iter_mut()
                .filter(|message| message.sender == Sender::Tool)
                .for_each(|message| message.text = format!("Dear customer, {}", message.text));
        }),
        deviant("a message is sent some time after the await", "CTX-05").trace(|trace, _| {
            trace
                .messages
                .iter_mut()
                .filter(|message| message.sender == Sender::Tool)
                .for_each(|message| message.at_ms += 1);
        }),
        deviant("send is no coroutine", "CTX-05").load(|asked| {
            patch(
                asked,
                r"await context\.send\(",
                "await _send(context, ",
                "def _send(context, text):\n    return None",
            );
        }),
        deviant("messages of a tool are sent in reverse", "CTX-06").trace(|trace, _| {
            let mut sent: Vec<MessageRecord> =
                trace.messages.iter().filter(|message| message.sender == Sender::Tool).cloned().collect();
            trace
                .messages
                .iter_mut()
                .filter(|message| message.sender == Sender::Tool)
                .for_each(|message| *message = sent.pop().unwrap());
        }),
        deviant("a tool that raises takes its messages back", "CTX-07").trace(|trace, _| {
            if trace.tools.iter().any(|run| run.outcome == ToolRunOutcome::Raised) {
                trace.messages.retain(|message| message.sender != Sender::Tool);
            }
        }),
        deviant("a message after the interruption is still sent", "CTX-08").trace(|trace, seen| {
            if trace.outcome == Outcome::Cancelled {
                let source = crate::change::python_of(&seen.asked.project);
                for text in crate::change::all(&source, r#"context\.send\(f?"([^"]*)"\)"#) {
                    if !trace.messages.iter().any(|message| message.text == text) {
                        trace.messages.push(MessageRecord {
                            at_ms: trace.ended_ms,
                            text,
                            buttons: Vec::new(),
                            sender: Sender::Tool,
                            response: None,
                        });
                    }
                }
            }
        }),
    ]
}

fn instead(
    name: &'static str,
    breaks: &'static str,
    pattern: &'static str,
    with: &'static str,
    helpers: &'static str,
) -> Deviant {
    deviant(name, breaks).load(move |asked| patch(asked, pattern, with, helpers))
}

fn contexts() -> Vec<Deviant> {
    vec![
        instead(
            "the first context is used again",
            "CTX-01",
            r"(?m)^    (.*\bcontext\b.*)$",
            "    context = _same(context); $1",
            "_KEPT = []\ndef _same(context):\n    _KEPT.append(context)\n    return _KEPT[0]",
        ),
        deviant("a step's tool gets no context", "CTX-02").load(|asked| {
            let steps: String =
                crate::change::texts(&asked.project).into_iter().map(|(_, text)| text).collect();
            if steps.contains("execute_tool:") {
                patch(asked, r"\bcontext\.", "(None).", "");
            }
        }),
        instead("a tool sees no events", "CTX-11", r"\bcontext\.events\b", "[]", ""),
        instead(
            "a tool sees the latest event alone",
            "CTX-11",
            r"\bcontext\.events\b",
            "(context.events[-1:])",
            "",
        ),
        instead(
            "events are plain mappings",
            "CTX-12",
            r"\bcontext\.events\b",
            "[{} for _ in context.events]",
            "",
        ),
        instead(
            "events are one list for all",
            "CTX-13 CTX-14",
            r"\bcontext\.events\b",
            "_events(context)",
            "_KEPT = []\ndef _events(context):\n    if not _KEPT:\n        _KEPT.append(context.events)\n    return _KEPT[0]",
        ),
        instead(
            "the settings of the model are empty",
            "CTX-16",
            r"\bcontext\.model\.llm_config\b",
            "({})",
            "",
        ),
        instead("there is always an index", "CTX-18", r"\bcontext\.model\.references_index\b", "([])", ""),
        instead("there is never an index", "CTX-19", r"\bcontext\.model\.references_index\b", "(None)", ""),
        instead(
            "the model's settings can be assigned",
            "CTX-20",
            r"\bcontext\.model\b",
            "_model(context)",
            "class _Model:\n    pass\n_KEPT = []\ndef _model(context):\n    if not _KEPT:\n        model = _Model()\n        model.llm_config = context.model.llm_config\n        model.references_index = context.model.references_index\n        _KEPT.append(model)\n    return _KEPT[0]",
        ),
        instead(
            "only the first invocation is told of the model",
            "CTX-21",
            r"\bcontext\.model\b",
            "_model(context)",
            "class _Model:\n    llm_config = None\n    references_index = None\n_KEPT = []\ndef _model(context):\n    if _KEPT and _KEPT[0] is not context:\n        return _Model()\n    _KEPT.append(context)\n    return context.model",
        ),
    ]
}
