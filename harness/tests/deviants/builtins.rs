//! Deviants in chapter BLT: when the framework's own tools are offered, and what they do.
//!
//! Offers are changed in the trace, effects by leaving out what the model asks for.
//! Rules: tools-reference, "Built-in framework tools".

use harness::protocol::{Intent, Json, ToolName};
use serde_json::json;

use crate::change::{each_offer, is_markdown, offer_always, rewrite, settable, sub, withhold};
use crate::deviant::{Deviant, Seen, deviant};

pub(crate) fn withheld(name: &'static str, breaks: &'static str, tool: &'static str) -> Deviant {
    deviant(name, breaks).trace(move |trace, _| withhold(trace, |offered| offered == tool))
}

pub(crate) fn offered(name: &'static str, breaks: &'static str, tool: &'static str) -> Deviant {
    deviant(name, breaks).trace(move |trace, _| offer_always(trace, tool))
}

/// Changes a built-in's schema wherever it is offered.
pub(crate) fn shaped(
    name: &'static str,
    breaks: &'static str,
    tool: &'static str,
    change: impl Fn(&mut Json, &Seen) + Send + Sync + 'static,
) -> Deviant {
    deviant(name, breaks).trace(move |trace, seen| {
        each_offer(trace, |offer| {
            if let Some(schema) = offer.get_mut(tool) {
                change(schema, seen);
            }
        });
    })
}

/// Leaves some of what the model asks for out.
fn ignoring(name: &'static str, breaks: &'static str, ignored: fn(&Intent) -> bool) -> Deviant {
    deviant(name, breaks).turn(move |turn, _| {
        turn.llm.iter_mut().for_each(|reply| reply.calls.retain(|call| !ignored(call)));
    })
}

pub(crate) fn rename_property(schema: &mut Json, from: &str, to: &str) {
    if let Some(properties) = schema.get_mut("properties").and_then(Json::as_object_mut)
        && let Some(property) = properties.remove(from)
    {
        properties.insert(to.to_owned(), property);
    }
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = stack();
    table.extend(fields());
    table
}

fn stack() -> Vec<Deviant> {
    vec![
        withheld("activate is never offered", "BLT-01 BLT-03", "activate"),
        deviant("activate is not offered while a skill is active", "BLT-01").trace(|trace, _| {
            each_offer(trace, |offer| {
                if offer.contains_key("cancel_skill") {
                    offer.shift_remove("activate");
                }
            });
        }),
        offered("activate is offered although nothing can be started", "BLT-02", "activate"),
        shaped("activate takes a skill_id", "BLT-03", "activate", |schema, _| rename_property(schema, "flow_id", "skill_id")),
        shaped("the flows are not listed", "BLT-03 BLT-04", "activate", |schema, _| {
            schema["properties"]["flow_id"] = json!({"type": "string"});
        }),
        deviant("the flows that can be started are those of the first turn", "BLT-04").trace(|trace, seen| {
            let first = seen.earlier.first().and_then(|turn| turn.llm_calls.first());
            let flows = first.and_then(|call| call.offered.get("activate").cloned());
            each_offer(trace, |offer| match (&flows, seen.earlier.is_empty()) {
                (Some(flows), false) => _ = offer.insert(ToolName::new("activate"), flows.clone()),
                (None, false) => _ = offer.shift_remove("activate"),
                (_, true) => {}
            });
        }),
        deviant("every skill can be started", "BLT-05 BLT-06 BLT-07").trace(|trace, seen| {
            let paths = crate::change::texts(&seen.asked.project).into_iter().map(|(path, _)| path);
            let ids: Vec<String> = paths.filter_map(|path| Some(path.strip_prefix("skills/")?.split_once('/')?.0.to_owned())).collect();
            each_offer(trace, |offer| {
                let schema = json!({"type": "object", "properties": {"flow_id": {"type": "string", "enum": ids}}, "required": ["flow_id"]});
                offer.insert(ToolName::new("activate"), schema);
            });
        }),
        ignoring("activate starts nothing", "BLT-08 BLT-09", |call| matches!(call, Intent::Activate(_))),
        withheld("complete_skill is never offered", "BLT-11 BLT-14", "complete_skill"),
        offered("complete_skill is always offered", "BLT-12 BLT-13 BLT-15", "complete_skill"),
        deviant("after a block complete_skill stays away", "BLT-14").trace(|trace, seen| {
            let blocks = crate::change::texts(&seen.asked.project).iter().any(|(_, text)| text.contains(":::ordered_block"));
            if blocks {
                withhold(trace, |name| name == "complete_skill");
            }
        }),
        deviant("a block at its end waits for the model", "BLT-16").load(|asked| {
            rewrite(asked, is_markdown, |_, text| {
                sub(text, r"(?m)^(\s*)- id: END$", "$1- id: END_REACHED\n$1  instructions: Complete the skill.")
                    .replace("next: END\n", "next: END_REACHED\n")
            });
        }),
        ignoring("complete_skill finishes nothing", "BLT-17", |call| matches!(call, Intent::Complete)),
        deviant("complete_skill ends a block as well", "BLT-18").turn(|turn, _| {
            for reply in &mut turn.llm {
                for call in &mut reply.calls {
                    let completes = matches!(call, Intent::Call { tool, .. } if tool == "complete_skill");
                    if completes || matches!(call, Intent::Complete) {
                        *call = Intent::Cancel;
                    }
                }
            }
        }),
        withheld("cancel_skill is never offered", "BLT-20 BLT-22", "cancel_skill"),
        offered("cancel_skill is always offered", "BLT-21", "cancel_skill"),
        deviant("cancel_skill is withheld where complete_skill is", "BLT-22").trace(|trace, _| {
            each_offer(trace, |offer| {
                if !offer.contains_key("complete_skill") {
                    offer.shift_remove("cancel_skill");
                }
            });
        }),
        ignoring("cancel_skill abandons nothing", "BLT-23 BLT-24", |call| matches!(call, Intent::Cancel)),
        deviant("cancel_skill leaves the skill of a block", "BLT-24").trace(|trace, seen| {
            let before = seen.earlier.last().and_then(|trace| trace.active.clone());
            if trace.events.iter().any(|event| event.event == "ordered_block_cancelled") {
                trace.events.retain(|event| event.event != "skill_cancelled");
                trace.active = before.map(|mut frame| {
                    frame.block = None;
                    frame.pending_step = None;
                    frame.stack = vec![frame.skill.to_string()];
                    frame
                });
            }
        }),
        shaped("complete_skill takes a reason", "BLT-25", "complete_skill", |schema, _| {
            schema["properties"]["reason"] = json!({"type": "string"});
        }),
        shaped("cancel_skill takes a reason", "BLT-25", "cancel_skill", |schema, _| {
            schema["properties"]["reason"] = json!({"type": "string"});
        }),
        shaped("listen takes a duration", "BLT-25", "listen", |schema, _| {
            schema["properties"]["seconds"] = json!({"type": "number"});
        }),
        offered("resolve_tool_confirmation is always offered", "BLT-44", "resolve_tool_confirmation"),
        withheld("resolve_tool_confirmation is never offered", "BLT-42 BLT-43 BLT-49", "resolve_tool_confirmation"),
        shaped("confirmed is a string", "BLT-43", "resolve_tool_confirmation", |schema, _| {
            schema["properties"]["confirmed"] = json!({"type": "string", "enum": ["yes", "no"]});
        }),
        shaped("confirmed may be left out", "BLT-43", "resolve_tool_confirmation", |schema, _| schema["required"] = json!([])),
    ]
}

fn fields() -> Vec<Deviant> {
    vec![
        withheld("set_fields is never offered", "BLT-26 BLT-27 BLT-29", "set_fields"),
        deviant("what a collect step asks for is not settable", "BLT-27").trace(|trace, seen| {
            let settable = settable(&seen.report);
            each_offer(trace, |offer| {
                let Some(schema) = offer.get_mut("set_fields") else { return };
                if let Some(properties) = schema["properties"].as_object_mut() {
                    properties.retain(|name, _| settable.iter().any(|entry| entry.as_str() == name));
                    if properties.is_empty() {
                        offer.shift_remove("set_fields");
                    }
                }
            });
        }),
        offered("set_fields is always offered", "BLT-28", "set_fields"),
        shaped("set_fields requires every entry", "BLT-29", "set_fields", |schema, _| {
            let names: Vec<Json> =
                schema["properties"].as_object().into_iter().flatten().map(|(name, _)| json!(name)).collect();
            schema["required"] = json!(names);
        }),
        shaped("set_fields names entries in full", "BLT-29", "set_fields", |schema, _| {
            let object = schema["properties"].as_object().cloned().unwrap_or_default();
            schema["properties"] =
                object.into_iter().map(|(name, property)| (format!("skill.{name}"), property)).collect();
        }),
        shaped("set_fields offers project entries", "BLT-30", "set_fields", |schema, seen| {
            for name in seen.report.memory.keys() {
                schema["properties"][name.as_str()] = json!({"type": "string"});
            }
        }),
        shaped("set_fields offers the entries of all skills", "BLT-30", "set_fields", |schema, seen| {
            for name in seen.report.skills.values().flat_map(|skill| skill.memory.keys()) {
                schema["properties"][name.as_str()] = json!({"type": "string"});
            }
        }),
        shaped("every entry is a string", "BLT-31", "set_fields", |schema, _| {
            for property in
                schema["properties"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut)
            {
                property["type"] = json!("string");
            }
        }),
        shaped("a list entry has items", "BLT-31", "set_fields", |schema, _| {
            for property in
                schema["properties"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut)
            {
                if property["type"] == "array" {
                    property["items"] = json!({"type": "string"});
                }
            }
        }),
        shaped("the values of a categorical entry are not listed", "BLT-32", "set_fields", |schema, _| {
            for property in
                schema["properties"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut)
            {
                property.as_object_mut().map(|object| object.remove("enum"));
            }
        }),
        deviant("set_fields records the first entry alone", "BLT-33").turn(|turn, _| {
            for call in turn.llm.iter_mut().flat_map(|reply| &mut reply.calls) {
                match call {
                    Intent::Set(values) => values.truncate(1),
                    Intent::Call { tool, arguments } if tool == "set_fields" => {
                        if let Some(object) = arguments.as_object_mut() {
                            let first = object.keys().next().cloned();
                            object.retain(|name, _| Some(name) == first.as_ref());
                        }
                    }
                    _ => {}
                }
            }
        }),
        deviant("set_fields writes project memory", "BLT-34").trace(|trace, seen| {
            for call in seen.turn.iter().flat_map(|turn| &turn.llm).flat_map(|reply| &reply.calls) {
                let values: Vec<(String, Json)> = match call {
                    Intent::Set(values) => {
                        values.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
                    }
                    Intent::Call { arguments, .. } => {
                        arguments.as_object().cloned().unwrap_or_default().into_iter().collect()
                    }
                    _ => Vec::new(),
                };
                for (name, value) in values {
                    let bare = name.trim_start_matches("project.").to_owned();
                    if seen.report.memory.contains_key(bare.as_str()) {
                        trace.memory.insert(format!("project.{bare}"), value);
                    }
                }
            }
        }),
        withheld("correct is never offered", "BLT-36 BLT-38", "correct"),
        offered("correct is always offered", "BLT-37", "correct"),
        shaped("correct takes a field", "BLT-38", "correct", |schema, _| {
            rename_property(schema, "memory_key", "field");
        }),
        shaped("correct lists bare names", "BLT-38", "correct", |schema, _| {
            let names = schema["properties"]["memory_key"]["enum"].as_array().cloned().unwrap_or_default();
            let bare = names.iter().filter_map(|name| name.as_str()?.split('.').next_back());
            schema["properties"]["memory_key"]["enum"] = bare.collect();
        }),
        shaped("correct does not require a value", "BLT-38", "correct", |schema, _| {
            schema["required"] = json!(["memory_key"]);
        }),
        ignoring("correct corrects nothing", "BLT-39", |call| matches!(call, Intent::Correct { .. })),
    ]
}
