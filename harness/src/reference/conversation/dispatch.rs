//! What a call of the model does: the built-in tool that it names, or a builder tool after its checks.
//!
//! Rules: contract-notes, "5. `tool_constraints`" (dispatch order, confirmation); GAT-08 to GAT-12.

use std::rc::Rc;

use serde_json::json;

use super::arguments::refusal;
use super::invocation::{Call, Invocation, invoke};
use super::state::Pending;
use super::turn::{Course, TurnEngine};
use crate::protocol::{
    Intent, Json, Outcome, ReadResult, SkillId, ToolName, ToolRunOutcome, Trigger, Visibility,
};
use crate::reference::discovery::RESERVED;
use crate::reference::loaded::{Agent, Tool};

/// What a call gives the model to read.
pub(super) struct Reading {
    /// The result.
    pub(super) result: Json,
    /// Whether it counts as an error.
    pub(super) error: bool,
}

impl Reading {
    /// A result.
    pub(super) fn of(result: impl Into<Json>) -> Self {
        Self { result: result.into(), error: false }
    }

    /// An error.
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self { result: json!({"error": message.into()}), error: true }
    }
}

impl TurnEngine<'_> {
    /// Does what the model wants. `Some` when that ends the turn.
    pub(super) async fn dispatch(&mut self, intent: &Intent) -> Result<Option<Course>, String> {
        let (name, arguments) = spelled(intent);
        if RESERVED.contains(&name.as_str()) {
            let Some(reading) = self.call_builtin(&name, &arguments).await? else {
                return Ok(Some(Course::Over(Outcome::Cancelled)));
            };
            self.tell(ToolName::new(name), &arguments, reading);
            return Ok(None);
        }
        let agent = Rc::clone(&self.standing.agent);
        let name = ToolName::new(name);
        match self.admit(&agent, &name, &arguments) {
            Admission::Refused(reading) => {
                self.tell(name, &arguments, reading);
                Ok(None)
            }
            Admission::Granted(skill, tool) => {
                let invocation = self.run_tool(&agent, skill, tool, &arguments, Trigger::Llm).await?;
                if invocation.outcome == ToolRunOutcome::Cancelled {
                    return Ok(Some(Course::Over(Outcome::Cancelled)));
                }
                self.tell(name, &arguments, Reading { result: invocation.result, error: invocation.error });
                Ok(None)
            }
        }
    }

    /// The checks before a builder tool runs, in their order.
    fn admit<'agent>(
        &mut self,
        agent: &'agent Agent,
        name: &ToolName,
        arguments: &Json,
    ) -> Admission<'agent> {
        let refused = |message: String| Admission::Refused(Reading::error(message));
        let skill = self.standing.active().and_then(|active| agent.skills.get(active));
        let Some((skill, tool)) = skill.and_then(|skill| Some((skill, skill.tools.get(name)?))) else {
            return refused(format!("there is no tool `{name}` now"));
        };
        if tool.visibility != Visibility::Model {
            return refused(format!("`{name}` is internal and cannot be called"));
        }
        if self.searched {
            return refused(format!("`{name}` is not offered after a search"));
        }
        let shared = &self.standing.shared;
        let read = |namespace: &str, entry: &str| shared.read(Some(&skill.id), namespace, entry);
        if !tool.gate.is_open(&read) {
            return refused(format!("the condition of `{name}` does not hold"));
        }
        let confirms = tool.constraint.as_ref().is_some_and(|constraint| constraint.confirmation.is_some());
        if confirms && let Some(reading) = self.refuse_confirmation(name) {
            return Admission::Refused(reading);
        }
        if let Some(result) = refusal(&tool.parameters, arguments) {
            return Admission::Refused(Reading { result, error: true });
        }
        if confirms {
            return Admission::Refused(self.pause(&skill.id, tool, arguments, None));
        }
        Admission::Granted(&skill.id, tool)
    }

    fn refuse_confirmation(&self, name: &ToolName) -> Option<Reading> {
        if let Some(pending) = &self.standing.pending {
            let message = if pending.tool == *name {
                format!("`{name}` waits for the user's answer; resolve it first")
            } else {
                format!("`{}` waits for the user's answer; one tool can wait at a time", pending.tool)
            };
            return Some(Reading::error(message));
        }
        let settled = self.settled.contains(name);
        settled.then(|| Reading::error(format!("`{name}` was settled in this turn already")))
    }

    /// Pauses a tool until the user approves it (chapter CNF).
    pub(super) fn pause(
        &mut self,
        skill: &SkillId,
        tool: &Tool,
        arguments: &Json,
        step: Option<String>,
    ) -> Reading {
        let confirmation = tool.constraint.as_ref().and_then(|constraint| constraint.confirmation.as_ref());
        let ask = confirmation.and_then(|confirmation| confirmation.ask.clone());
        let question = match &ask {
            Some(response) => match self.response_text(response) {
                Some(text) if !text.trim().is_empty() => text,
                _ => {
                    return Reading::error(format!("the question `{response}` is blank; nothing was paused"));
                }
            },
            None => format!("ask the user whether to go on with `{}`", tool.name),
        };
        let frame = self.standing.stack.last().map_or(u64::MAX, |frame| frame.number);
        self.standing.pending = Some(Pending {
            tool: tool.name.clone(),
            arguments: arguments.clone(),
            skill: skill.clone(),
            frame,
            step,
            fresh: true,
        });
        self.last_word = ask.map(|ask| (skill.clone(), ask));
        Reading::of(json!({"status": "awaiting_confirmation", "message": question}))
    }

    /// Runs a builder tool, records it unless it was cut off (CAN-11, CAN-13), and brings its responses.
    pub(super) async fn run_tool(
        &mut self,
        agent: &Agent,
        skill: &SkillId,
        tool: &Tool,
        arguments: &Json,
        trigger: Trigger,
    ) -> Result<Invocation, String> {
        let shared = self.shared();
        let invocation =
            invoke(agent, &shared, Call { skill, tool, arguments, trigger, buttons: None }).await?;
        if invocation.outcome != ToolRunOutcome::Cancelled {
            if trigger != Trigger::Llm {
                self.record_tool(&tool.name, arguments, &invocation.result, invocation.error);
            }
            let failed = ["error", "errors"].iter().any(|key| is_truthy(invocation.result.get(key)));
            let constraint = tool.constraint.as_ref();
            let response = constraint.and_then(|constraint| {
                if failed { constraint.on_failure.clone() } else { constraint.on_success.clone() }
            });
            self.queued.extend(response.map(|response| (skill.clone(), response)));
        }
        Ok(invocation)
    }

    /// Gives the model something to read, and records the call.
    fn tell(&mut self, tool: ToolName, arguments: &Json, reading: Reading) {
        self.record_tool(&tool, arguments, &reading.result, reading.error);
        self.read.push(ReadResult { tool, result: reading.result, error: reading.error });
    }

    /// Records a tool call in the conversation's history.
    pub(super) fn record_tool(&self, tool: &ToolName, arguments: &Json, result: &Json, error: bool) {
        self.standing.shared.record(
            "tool_executed",
            [
                ("tool_name", Json::String(tool.to_string())),
                ("arguments", arguments.clone()),
                ("result", result.clone()),
                ("is_error", Json::Bool(error)),
            ],
        );
    }
}

/// Whether a builder tool may run.
enum Admission<'agent> {
    Granted(&'agent SkillId, &'agent Tool),
    Refused(Reading),
}

fn is_truthy(value: Option<&Json>) -> bool {
    match value {
        None | Some(Json::Null) => false,
        Some(Json::Bool(flag)) => *flag,
        Some(Json::Number(number)) => number.as_f64() != Some(0.0),
        Some(Json::String(text)) => !text.is_empty(),
        Some(Json::Array(items)) => !items.is_empty(),
        Some(Json::Object(entries)) => !entries.is_empty(),
    }
}

/// How this runtime spells an intent.
fn spelled(intent: &Intent) -> (String, Json) {
    let (name, arguments) = match intent {
        Intent::Activate(flow) => ("activate", json!({"flow_id": flow})),
        Intent::Complete => ("complete_skill", json!({})),
        Intent::Cancel => ("cancel_skill", json!({})),
        Intent::Set(fields) => ("set_fields", json!(fields)),
        Intent::Correct { entry, value } => ("correct", json!({"memory_key": entry, "value": value})),
        Intent::Confirm(confirmed) => ("resolve_tool_confirmation", json!({"confirmed": confirmed})),
        Intent::Search(query) => ("search_knowledge", json!({"query": query})),
        Intent::CannotHelp(in_domain) => ("cannot_help", json!({"in_domain": in_domain})),
        Intent::Listen => ("listen", json!({})),
        Intent::Call { tool, arguments } => return (tool.clone(), arguments.clone()),
    };
    (name.to_owned(), arguments)
}
