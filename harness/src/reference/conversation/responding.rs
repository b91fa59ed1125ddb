//! Responses: choosing a variant, filling its placeholders, supplying its buttons.
//!
//! Rules: contract-notes, "6. responses.yml"; chapter BTN.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::json;

use super::context::{SuppliedButtons, delivered_buttons};
use super::invocation::{Call, invoke};
use super::turn::TurnEngine;
use crate::protocol::{Button, Json, MessageRecord, Sender, SkillId, ToolName, ToolRunOutcome, Trigger};
use crate::reference::agent::{Buttons, Variant};
use crate::reference::loaded::{Gate, ToolBody};

impl TurnEngine<'_> {
    /// Sends a response that a skill produced, its buttons supplied first when a tool supplies them (BTN-01).
    /// `false` when the turn was cut off in that tool: nothing is sent then.
    pub(super) async fn respond(&mut self, skill: Option<&SkillId>, name: &str) -> Result<bool, String> {
        let variant = self.variant(name);
        let text = match &variant {
            Some(variant) => self.filled(&variant.text),
            // A response that nobody defines is sent by its name.
            None => name.to_owned(),
        };
        if text.trim().is_empty() {
            return Ok(true);
        }
        let buttons = match variant.map(|variant| variant.buttons) {
            None => Vec::new(),
            Some(Buttons::Listed(listed)) => listed
                .iter()
                .map(|(title, payload)| {
                    let title = self.filled(title);
                    let payload =
                        payload.as_ref().map_or_else(|| title.clone(), |payload| self.filled(payload));
                    Button { title, payload }
                })
                .collect(),
            Some(Buttons::From(tool)) => match self.supply(skill, &tool).await? {
                Some(buttons) => buttons,
                None => return Ok(false),
            },
        };
        let shared = &self.standing.shared;
        let response = Some(name.to_owned());
        shared.send(MessageRecord {
            at_ms: shared.now_ms(),
            text,
            buttons,
            sender: Sender::Response,
            response,
        });
        Ok(true)
    }

    /// The text a response would have now.
    pub(super) fn response_text(&self, name: &str) -> Option<String> {
        self.variant(name).map(|variant| self.filled(&variant.text))
    }

    /// The variant of a response: the first whose condition holds, else the first without one.
    fn variant(&self, name: &str) -> Option<Variant> {
        let response = self.standing.agent.responses.get(name)?;
        let read = self.standing.reader();
        let holds = |variant: &&Variant| {
            variant.condition.as_deref().is_some_and(|condition| Gate::of(Some(condition)).is_open(&read))
        };
        let chosen = response.variants.iter().find(holds);
        let chosen = chosen.or_else(|| response.variants.iter().find(|variant| variant.condition.is_none()));
        chosen.cloned()
    }

    /// Asks the source tool of the skill that produced a response for its buttons (BTN-11, BTN-12). Whatever
    /// goes wrong costs only the buttons (BTN-13, BTN-14); `None` when the turn was cut off.
    async fn supply(
        &mut self,
        skill: Option<&SkillId>,
        tool: &ToolName,
    ) -> Result<Option<Vec<Button>>, String> {
        let none = Ok(Some(Vec::new()));
        let agent = Rc::clone(&self.standing.agent);
        let Some(skill) = skill.and_then(|skill| agent.skills.get(skill)) else { return none };
        let local = skill.tools.get(tool).filter(|tool| matches!(tool.body, ToolBody::Function(_)));
        let Some(tool) = local else { return none };
        let supplied: SuppliedButtons = Rc::new(RefCell::default());
        let shared = self.shared();
        let arguments = json!({});
        let call = Call {
            skill: &skill.id,
            tool,
            arguments: &arguments,
            trigger: Trigger::ButtonSource,
            buttons: Some(Rc::clone(&supplied)),
        };
        let invocation = invoke(&agent, &shared, call).await?;
        if invocation.outcome == ToolRunOutcome::Cancelled {
            return Ok(None);
        }
        if invocation.outcome != ToolRunOutcome::Returned || invocation.error {
            return none;
        }
        let memory = shared.memory.borrow();
        let is_writable = |reference: &str| {
            let name = reference.strip_prefix("session.").filter(|name| name.matches('.').count() == 1);
            name.is_some_and(|name| memory.schema().resolve_write(Some(&skill.id), name).is_ok())
        };
        Ok(Some(delivered_buttons(&supplied.borrow(), is_writable)))
    }

    /// A text with its placeholders filled, once: `{session.<namespace>.<entry>}` and `{<entry>}`.
    fn filled(&self, text: &str) -> String {
        let memory = self.standing.shared.memory.borrow();
        let active = self.standing.active();
        let mut filled = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, from) = rest.split_at(open);
            filled.push_str(before);
            let Some(close) = from.find('}') else {
                rest = from;
                break;
            };
            let (placeholder, after) = from.split_at(close + 1);
            let name = placeholder.trim_start_matches('{').trim_end_matches('}');
            let value = memory.get(active, name.strip_prefix("session.").unwrap_or(name));
            match value {
                Some(Json::String(value)) => filled.push_str(value),
                Some(value) => filled.push_str(&value.to_string()),
                None => filled.push_str(placeholder),
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}
