//! Deviants in chapter BLT, continued: what a search does to the offer, and the tool that waits.
//!
//! Offers are changed in the trace, `listen` on the way in.
//! Rules: tools-reference, "Built-in framework tools".

use harness::protocol::{Intent, Json, MessageRecord, Sender, ToolName, Turn, TurnTrace};
use serde_json::json;

use crate::builtins::{offered, rename_property, shaped, withheld};
use crate::change::{BUILT_INS, add_to, each_offer, no_arguments, offer_always, withhold};
use crate::deviant::{Deviant, Seen, deviant};

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = searching();
    table.extend(listening());
    table
}

/// Whether a search ran before the call of this number.
fn searched(trace: &TurnTrace, call: usize) -> bool {
    let earlier = trace.llm_calls.iter().take(call).flat_map(|call| &call.calls);
    earlier.into_iter().any(|call| matches!(call, Intent::Search(_)))
}

/// Changes the offers that follow a search.
fn after_search(
    name: &'static str,
    breaks: &'static str,
    change: impl Fn(&mut indexmap::IndexMap<ToolName, Json>, &Seen) + Send + Sync + 'static,
) -> Deviant {
    deviant(name, breaks).trace(move |trace, seen| {
        let after: Vec<bool> = (0..trace.llm_calls.len()).map(|call| searched(trace, call)).collect();
        for (call, after) in trace.llm_calls.iter_mut().zip(after) {
            if after {
                change(&mut call.offered, seen);
            }
        }
    })
}

fn only_listen(turn: &Turn) -> bool {
    turn.llm.iter().any(|reply| reply.say.is_none() && reply.calls == [Intent::Listen])
}

fn skill_tools(seen: &Seen) -> Vec<String> {
    crate::change::tools_where(&seen.report, |_| true)
}

fn searching() -> Vec<Deviant> {
    vec![
        withheld("search_knowledge is never offered", "BLT-45 BLT-46", "search_knowledge"),
        shaped("search_knowledge takes a question", "BLT-46", "search_knowledge", |schema, _| {
            rename_property(schema, "query", "question");
        }),
        shaped("a search may do without a query", "BLT-46", "search_knowledge", |schema, _| {
            schema["required"] = json!([]);
        }),
        offered("search_knowledge is always offered", "BLT-47", "search_knowledge"),
        deviant("a search finds nothing", "BLT-48")
            .load(|asked| asked.world.knowledge = asked.world.knowledge.take().map(|_| Vec::new())),
        after_search("a search hides a pending confirmation", "BLT-49", |offer, _| {
            _ = offer.shift_remove("resolve_tool_confirmation");
        }),
        after_search("after a search nothing can be started", "BLT-50", |offer, _| {
            _ = offer.shift_remove("activate");
        }),
        after_search("there is one search a turn", "BLT-50", |offer, _| {
            _ = offer.shift_remove("search_knowledge");
        }),
        after_search("a search that ran keeps cannot_help away", "BLT-50", |offer, _| {
            _ = offer.shift_remove("cannot_help");
        }),
        after_search("after a search complete_skill stays", "BLT-51", |offer, _| {
            add_to(offer, ["complete_skill".to_owned()]);
        }),
        after_search("after a search cancel_skill stays", "BLT-51", |offer, _| {
            add_to(offer, ["cancel_skill".to_owned()]);
        }),
        after_search("after a search set_fields stays", "BLT-51", |offer, _| {
            add_to(offer, ["set_fields".to_owned()]);
        }),
        after_search("after a search correct stays", "BLT-51", |offer, _| {
            add_to(offer, ["correct".to_owned()]);
        }),
        after_search("after a search the skill's tools stay", "BLT-52", |offer, seen| {
            add_to(offer, skill_tools(seen));
        }),
        after_search("after a search listen stays", "BLT-53", |offer, _| {
            add_to(offer, ["listen".to_owned()]);
        }),
        deviant("what a search withheld never comes back", "BLT-54").trace(|trace, seen| {
            if seen.earlier.iter().any(|turn| searched(turn, turn.llm_calls.len())) {
                withhold(trace, |name| !["activate", "search_knowledge", "cannot_help"].contains(&name));
            }
        }),
        deviant("cannot_help does not wait for a search", "BLT-56")
            .trace(|trace, _| offer_always(trace, "cannot_help")),
        withheld("cannot_help is never offered", "BLT-57 BLT-58", "cannot_help"),
        deviant("cannot_help waits for a second call", "BLT-57").trace(|trace, _| {
            if let Some(call) = trace.llm_calls.first_mut() {
                call.offered.shift_remove("cannot_help");
            }
        }),
        shaped("in_domain is a string", "BLT-58", "cannot_help", |schema, _| {
            schema["properties"]["in_domain"] = json!({"type": "string"});
        }),
        shaped("in_domain may be left out", "BLT-58", "cannot_help", |schema, _| {
            schema["required"] = json!([]);
        }),
    ]
}

fn listening() -> Vec<Deviant> {
    vec![
        withheld("listen is never offered", "BLT-60", "listen"),
        deviant("listen is offered only without a skill", "BLT-60").trace(|trace, _| {
            each_offer(trace, |offer| {
                if offer.contains_key("cancel_skill") {
                    offer.shift_remove("listen");
                }
            });
        }),
        offered("listen is offered in a guided collect", "BLT-61", "listen"),
        offered("listen is offered while a confirmation is pending", "BLT-62", "listen"),
        deviant("listen says that it listens", "BLT-63").trace(|trace, seen| {
            if seen.turn.as_ref().is_some_and(only_listen) {
                let text = "I am listening".to_owned();
                let at_ms = trace.ended_ms;
                trace.messages.push(MessageRecord {
                    at_ms,
                    text,
                    buttons: Vec::new(),
                    sender: Sender::Llm,
                    response: None,
                });
            }
        }),
        deviant("after listen the model is asked again", "BLT-63").turn(|turn, _| {
            for reply in &mut turn.llm {
                if reply.say.is_none() && reply.calls == [Intent::Listen] {
                    reply.calls = vec![Intent::Call { tool: "unknown".to_owned(), arguments: json!({}) }];
                }
            }
        }),
        deviant("listen ends the skill", "BLT-64").trace(|trace, seen| {
            if seen.turn.as_ref().is_some_and(only_listen) {
                trace.active = None;
            }
        }),
        deviant("listen clears memory", "BLT-64").trace(|trace, seen| {
            if seen.turn.as_ref().is_some_and(only_listen) {
                trace.memory.clear();
            }
        }),
        deviant("listen silences the text beside it", "BLT-65").turn(|turn, _| {
            for reply in turn.llm.iter_mut().filter(|reply| reply.calls.contains(&Intent::Listen)) {
                reply.say = None;
            }
        }),
        deviant("listen silences the calls beside it", "BLT-66").turn(|turn, _| {
            for reply in turn.llm.iter_mut().filter(|reply| reply.calls.contains(&Intent::Listen)) {
                reply.calls = vec![Intent::Listen];
            }
        }),
        deviant("listen beside a call ends the turn after it", "BLT-66").turn(|turn, _| {
            if let Some(at) = turn
                .llm
                .iter()
                .position(|reply| reply.calls.len() > 1 && reply.calls.contains(&Intent::Listen))
            {
                turn.llm.truncate(at + 1);
                turn.llm.push(harness::protocol::ScriptedReply { say: None, calls: vec![Intent::Listen] });
            }
        }),
        deviant("the framework's tools have no schema", "BLT-25").trace(|trace, _| {
            each_offer(trace, |offer| {
                for (name, schema) in offer.iter_mut().filter(|(name, _)| BUILT_INS.contains(&name.as_str()))
                {
                    *schema = if name.as_str() == "activate" {
                        no_arguments()
                    } else {
                        json!({"type": "object", "properties": {"input": {}}})
                    };
                }
            });
        }),
    ]
}
