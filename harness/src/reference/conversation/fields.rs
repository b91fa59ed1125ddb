//! `set_fields` and `correct`: recording what the user said, with the hook of each entry.
//!
//! Rules: BLT-26 to BLT-41; chapter HOK; contract-notes, "12. Post-write hooks".

use std::rc::Rc;

use serde_json::json;

use super::dispatch::Reading;
use super::invocation::{Call, invoke};
use super::offering::{asked_again, correctable};
use super::turn::TurnEngine;
use crate::protocol::{Json, SkillId, ToolRunOutcome, Trigger};
use crate::reference::memory::property_schema;

/// What became of one write.
pub(super) enum Write {
    /// It stands.
    Kept,
    /// Its hook undid it, with this message.
    Rejected(String),
    /// Memory refused it.
    Refused(String),
    /// The turn was cut off in its hook.
    Cut,
}

impl TurnEngine<'_> {
    /// BLT-33 to BLT-35: each entry by itself, in the order of the call.
    pub(super) async fn set_fields(&mut self, arguments: &Json) -> Result<Option<Reading>, String> {
        let Some(skill) = self.standing.active().cloned() else {
            return Ok(Some(Reading::error("no skill is active")));
        };
        let Some(fields) = arguments.as_object().filter(|fields| !fields.is_empty()) else {
            return Ok(Some(Reading::error("nothing is given to record")));
        };
        let mut outcomes = Vec::new();
        let mut written = false;
        for (entry, value) in fields {
            let outcome = match self.refuse_field(&skill, entry, value) {
                Some(refusal) => refusal,
                None => match self.write(&skill, &format!("{skill}.{entry}"), value).await? {
                    Write::Kept => {
                        written = true;
                        self.remember(format!("{skill}.{entry}"));
                        "recorded".to_owned()
                    }
                    Write::Rejected(message) => format!("rejected: {message}"),
                    Write::Refused(message) => message,
                    Write::Cut => return Ok(None),
                },
            };
            outcomes.push(format!("{entry}: {outcome}"));
        }
        let text = outcomes.join("; ");
        Ok(Some(if written { Reading::of(text) } else { Reading::error(text) }))
    }

    fn refuse_field(&self, skill: &SkillId, entry: &str, value: &Json) -> Option<String> {
        let agent = &self.standing.agent;
        let collected = &agent.skills.get(skill)?.collected;
        let memory = self.standing.shared.memory.borrow();
        let field = memory
            .settable(skill, collected, asked_again(self.standing).as_ref())
            .into_iter()
            .find(|field| field.entry.as_str() == entry);
        let Some(field) = field else {
            let held = memory.get(Some(skill), &format!("{skill}.{entry}"));
            return Some(match held {
                Some(_) => "not set: it is set already; use `correct` to change it".to_owned(),
                None => "not set: it cannot be recorded here".to_owned(),
            });
        };
        if value.is_null() {
            return Some("not set: no value was given".to_owned());
        }
        let allowed = property_schema(&field.declaration);
        let allowed = allowed.get("enum").and_then(Json::as_array);
        let listed = allowed.is_none_or(|allowed| allowed.contains(value));
        (!listed).then(|| "not set: it is none of the listed values".to_owned())
    }

    /// BLT-39: replaces a recorded value.
    pub(super) async fn correct(&mut self, arguments: &Json) -> Result<Option<Reading>, String> {
        let key = arguments.get("memory_key").and_then(Json::as_str).unwrap_or_default().to_owned();
        let value = arguments.get("value").cloned().unwrap_or(Json::Null);
        if !correctable(self.standing).contains(&key) {
            return Ok(Some(Reading::of(format!("{key} cannot be corrected now"))));
        }
        let owner = SkillId::new(key.split('.').next().unwrap_or_default());
        if self.standing.shared.memory.borrow().get(Some(&owner), &key) == Some(&value) {
            return Ok(Some(Reading::of(format!("{key} holds this value already"))));
        }
        Ok(match self.write(&owner, &key, &value).await? {
            Write::Kept => Some(Reading::of(format!("{key}: corrected"))),
            Write::Rejected(message) => Some(Reading::of(format!("{key}: rejected: {message}"))),
            Write::Refused(message) => Some(Reading::error(message)),
            Write::Cut => None,
        })
    }

    /// Keeps in mind that the user gave an entry, so that it can be corrected.
    pub(super) fn remember(&mut self, name: String) {
        if !self.standing.recorded.contains(&name) {
            self.standing.recorded.push(name);
        }
    }

    /// Writes an entry and runs its hook, which may undo it (HOK).
    pub(super) async fn write(&mut self, skill: &SkillId, name: &str, value: &Json) -> Result<Write, String> {
        let shared = self.shared();
        let before = shared.memory.borrow().snapshot();
        {
            let now = shared.now_ms();
            let mut events = shared.history.borrow_mut();
            let written = shared.memory.borrow_mut().set(Some(skill), name, value.clone(), now, &mut events);
            if let Err(refused) = written {
                return Ok(Write::Refused(refused.to_string()));
            }
        }
        let agent = Rc::clone(&self.standing.agent);
        let entry = name.rsplit('.').next().unwrap_or(name);
        let hook = format!("run_after_setting_{entry}");
        let Some(hook) = agent.skills.get(skill).and_then(|skill| skill.tools.get(hook.as_str())) else {
            return Ok(Write::Kept);
        };
        let arguments = json!({});
        let call = Call { skill, tool: hook, arguments: &arguments, trigger: Trigger::Hook, buttons: None };
        let invocation = invoke(&agent, &shared, call).await?;
        if invocation.outcome == ToolRunOutcome::Cancelled {
            return Ok(Write::Cut);
        }
        self.record_tool(&hook.name, &arguments, &invocation.result, invocation.error);
        let rejection = invocation.result.get("error").filter(|error| !error.is_null());
        let Some(error) = rejection else { return Ok(Write::Kept) };
        let now = shared.now_ms();
        shared.memory.borrow_mut().restore(&before, now, &mut shared.history.borrow_mut());
        // BLK-29: neither the rejected write nor its undoing answers a question.
        let since = shared.history.borrow().len();
        for asked in self.standing.stack.iter_mut().filter_map(|frame| frame.asked.as_mut()) {
            asked.since = since;
        }
        let message = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        Ok(Write::Rejected(if message.is_empty() {
            "the value was not accepted".to_owned()
        } else {
            message
        }))
    }
}
