//! The built-in tools at work: activation, completion, cancelling, search, confirmation.
//!
//! Rules: chapter BLT; contract-notes, "11. Built-in tools".

use std::rc::Rc;

use serde_json::json;

use super::arguments::refusal;
use super::dispatch::Reading;
use super::offering::{offer, pending_here, startable};
use super::stack::{Entry, Frame};
use super::turn::TurnEngine;
use crate::protocol::{Json, SkillId, ToolRunOutcome, Trigger};

impl TurnEngine<'_> {
    /// Calls a built-in tool; `None` when the turn was cut off in it.
    pub(super) async fn call_builtin(
        &mut self,
        name: &str,
        arguments: &Json,
    ) -> Result<Option<Reading>, String> {
        let offered = offer(self.standing, self.searched);
        let is_resumption = name == "activate" && self.names_interrupted(arguments);
        match offered.get(name) {
            None if !is_resumption => {
                return Ok(Some(Reading::error(format!("`{name}` is not offered now"))));
            }
            // The others say themselves what is wrong with a single entry.
            Some(parameters) if !matches!(name, "set_fields" | "correct" | "activate") => {
                if let Some(result) = refusal(parameters, arguments) {
                    return Ok(Some(Reading { result, error: true }));
                }
            }
            _ => {}
        }
        Ok(Some(match name {
            "activate" => self.activate(arguments),
            "complete_skill" => self.complete_skill(),
            "cancel_skill" => self.cancel_skill(),
            "set_fields" => return self.set_fields(arguments).await,
            "correct" => return self.correct(arguments).await,
            "search_knowledge" => self.search(),
            "cannot_help" => {
                let in_domain = arguments.get("in_domain").cloned().unwrap_or(Json::Null);
                self.standing.shared.record("unsupported_request_classified", [("in_domain", in_domain)]);
                Reading::of("done")
            }
            "resolve_tool_confirmation" => return self.resolve(arguments).await,
            _ => Reading::error(format!("`{name}` does nothing here")),
        }))
    }

    fn names_interrupted(&self, arguments: &Json) -> bool {
        let target = arguments.get("flow_id").and_then(Json::as_str).unwrap_or_default();
        self.standing.stack.iter().any(|frame| frame.interrupted && frame.skill.as_str() == target)
    }

    /// BLT-08, BLT-09: starts, switches to, or resumes a skill or a block.
    fn activate(&mut self, arguments: &Json) -> Reading {
        let target = arguments.get("flow_id").and_then(Json::as_str).unwrap_or_default().to_owned();
        if self.standing.active().is_some_and(|active| active.as_str() == target) {
            return Reading::of(format!("{target} is active already"));
        }
        if self.resume(&target) {
            return Reading::of(format!("{target} goes on"));
        }
        if !startable(self.standing).contains(&target) {
            return Reading::error(format!("`{target}` cannot be started now"));
        }
        let active = self.standing.active().cloned();
        let local =
            active.as_ref().and_then(|active| target.strip_prefix(active.as_str())?.strip_prefix("__"));
        if let (Some(active), Some(block)) = (&active, local) {
            self.enter(active, Some(block.to_owned()), Entry::Activated);
        } else {
            self.interrupt();
            self.start(&SkillId::new(target.as_str()), Entry::Activated);
        }
        Reading::of(format!("{target}: done"))
    }

    /// Goes back to a skill that was interrupted; what is above it is cancelled.
    fn resume(&mut self, target: &str) -> bool {
        let stack = &self.standing.stack;
        let Some(position) =
            stack.iter().rposition(|frame| frame.interrupted && frame.skill.as_str() == target)
        else {
            return false;
        };
        while self.standing.stack.len() > position + 1 {
            let Some(frame) = self.standing.stack.pop() else { break };
            self.leave(&frame, "cancelled");
        }
        self.uncover();
        true
    }

    fn interrupt(&mut self) {
        let Some(active) = self.standing.active().cloned() else { return };
        let frames: Vec<Frame> =
            self.standing.stack.iter().rev().take_while(|frame| frame.skill == active).cloned().collect();
        for frame in &frames {
            self.tell_of(frame, "interrupted");
        }
        for frame in self.standing.stack.iter_mut().rev().take_while(|frame| frame.skill == active) {
            frame.interrupted = true;
        }
    }

    /// Starts a skill at its beginning. One that is nowhere on the stack starts with fresh memory (MEM-54).
    pub(super) fn start(&mut self, skill: &SkillId, entry: Entry) {
        let shared = self.shared();
        if !self.standing.stack.iter().any(|frame| frame.skill == *skill) {
            let now = shared.now_ms();
            shared.memory.borrow_mut().start_skill(skill, now, &mut shared.history.borrow_mut());
            let owner = format!("{skill}.");
            self.standing.recorded.retain(|name| !name.starts_with(&owner));
        }
        let agent = Rc::clone(&self.standing.agent);
        let block = agent.skills.get(skill).and_then(|skill| skill.entry_block()).map(str::to_owned);
        shared.record(
            "flow_started",
            [("flow_id", skill.to_string().into()), ("skill_id", skill.to_string().into())],
        );
        shared.record("skill_activated", [("skill_id", skill.to_string().into())]);
        self.enter(skill, block, entry);
    }

    /// Puts a skill's prose or one of its blocks on top.
    pub(super) fn enter(&mut self, skill: &SkillId, block: Option<String>, entry: Entry) {
        if let Some(block) = &block {
            let data = [("skill_id", skill.to_string().into()), ("block_id", block.clone().into())];
            self.standing.shared.record("ordered_block_entered", data);
        }
        self.standing.push(skill, block, entry);
    }

    /// BLT-17: the active skill is finished; not in a block, and not while a tool waits (BLT-18).
    fn complete_skill(&mut self) -> Reading {
        if pending_here(self.standing) {
            return Reading::error("a tool waits for the user's answer; resolve it first");
        }
        let agent = Rc::clone(&self.standing.agent);
        let skill = self.standing.active().and_then(|active| agent.skills.get(active));
        if skill.is_some_and(|skill| !skill.complete_when.is_open(&self.standing.reader())) {
            return Reading::error("the condition for completing this skill does not hold yet");
        }
        self.finish_skill();
        Reading::of("complete_skill: done")
    }

    /// Takes the active skill off the stack as completed.
    pub(super) fn finish_skill(&mut self) {
        let Some(active) = self.standing.active().cloned() else { return };
        let mut lowest = None;
        while self.standing.active() == Some(&active) {
            let Some(frame) = self.standing.stack.pop() else { break };
            self.drop_pending(&frame);
            let called = frame.entry == Entry::Called;
            lowest = Some(frame);
            if called {
                break;
            }
        }
        if let Some(frame) = lowest {
            self.tell_of(&Frame { block: None, ..frame }, "completed");
        }
        self.uncover();
    }

    /// BLT-23, BLT-24: the active skill is abandoned, with those that called it.
    fn cancel_skill(&mut self) -> Reading {
        while let Some(active) = self.standing.active().cloned() {
            let mut called = false;
            while self.standing.active() == Some(&active) && !called {
                let Some(frame) = self.standing.stack.pop() else { break };
                called = frame.entry == Entry::Called;
                let last = called || self.standing.active() != Some(&active);
                self.drop_pending(&frame);
                if frame.block.is_some() {
                    self.tell_of(&frame, "cancelled");
                }
                if last {
                    self.tell_of(&Frame { block: None, ..frame }, "cancelled");
                }
            }
            if !called {
                break;
            }
        }
        self.uncover();
        Reading::of("cancel_skill: done")
    }

    fn leave(&mut self, frame: &Frame, how: &str) {
        self.drop_pending(frame);
        self.tell_of(frame, how);
    }

    /// Records what became of a frame: `flow_<how>` and `skill_<how>` or `ordered_block_<how>`.
    pub(super) fn tell_of(&self, frame: &Frame, how: &str) {
        let shared = &self.standing.shared;
        let skill: Json = frame.skill.to_string().into();
        let step: Json = frame.step.clone().unwrap_or_else(|| "autonomous".to_owned()).into();
        let flow =
            [("flow_id", frame.target().into()), ("step_id", step.clone()), ("skill_id", skill.clone())];
        shared.record(&format!("flow_{how}"), flow);
        match &frame.block {
            Some(block) => {
                let data = [("skill_id", skill), ("block_id", block.clone().into()), ("step_id", step)];
                shared.record(&format!("ordered_block_{how}"), data);
            }
            None => shared.record(&format!("skill_{how}"), [("skill_id", skill), ("step_id", step)]),
        }
    }

    /// What was interrupted and is now on top goes on.
    pub(super) fn uncover(&mut self) {
        let Some(active) = self.standing.active().cloned() else { return };
        let mut resumed = Vec::new();
        for frame in self.standing.stack.iter_mut().rev().take_while(|frame| frame.skill == active) {
            if frame.interrupted {
                frame.interrupted = false;
                resumed.push(frame.clone());
            }
        }
        for frame in resumed.iter().rev() {
            self.tell_of(frame, "resumed");
        }
    }

    /// A tool that waits for approval does not outlive the frame it belongs to.
    pub(super) fn drop_pending(&mut self, frame: &Frame) {
        if self.standing.pending.as_ref().is_some_and(|pending| pending.frame == frame.number) {
            self.standing.pending = None;
        }
    }

    /// BLT-48: what the knowledge base holds.
    fn search(&mut self) -> Reading {
        self.searched = true;
        let passages = self.standing.agent.world.knowledge.clone().unwrap_or_default();
        let results: Vec<Json> =
            passages.iter().map(|passage| json!({"text": passage.text, "source": passage.source})).collect();
        if results.is_empty() {
            return Reading::of(json!({"results": results, "note": "nothing was found"}));
        }
        Reading::of(json!({"results": results}))
    }

    /// Approves or denies the tool that waits (chapter CNF); `None` when the turn was cut off in its run.
    async fn resolve(&mut self, arguments: &Json) -> Result<Option<Reading>, String> {
        let Some(pending) = self.standing.pending.clone().filter(|_| pending_here(self.standing)) else {
            return Ok(Some(Reading::error("no tool waits for an answer")));
        };
        if pending.fresh {
            return Ok(Some(Reading::error("the user has not answered yet")));
        }
        let agent = Rc::clone(&self.standing.agent);
        let tool = agent.skills.get(&pending.skill).and_then(|skill| skill.tools.get(&pending.tool));
        let Some(tool) = tool else {
            self.standing.pending = None;
            return Ok(Some(Reading::error(format!("there is no tool `{}` any more", pending.tool))));
        };
        if arguments.get("confirmed") != Some(&Json::Bool(true)) {
            self.standing.pending = None;
            self.settled.push(pending.tool.clone());
            let confirmation =
                tool.constraint.as_ref().and_then(|constraint| constraint.confirmation.as_ref());
            let denial = confirmation.and_then(|confirmation| confirmation.denial.clone());
            let result = json!({"status": "declined", "message": "the user declined"});
            self.record_tool(&pending.tool, &pending.arguments, &result, false);
            self.pass_step(pending.step.as_deref());
            let is_blank = |name: &String| self.response_text(name).is_none_or(|text| text.trim().is_empty());
            let denial = denial.filter(|name| !is_blank(name));
            self.last_word = denial.map(|name| (pending.skill.clone(), name));
            return Ok(Some(Reading::of(result)));
        }
        let shared = self.shared();
        let read = |namespace: &str, entry: &str| shared.read(Some(&pending.skill), namespace, entry);
        if !tool.gate.is_open(&read) {
            self.standing.pending = None;
            self.settled.push(pending.tool.clone());
            return Ok(Some(Reading::error(format!("the condition of `{}` holds no more", pending.tool))));
        }
        if let Some(result) = refusal(&tool.parameters, &pending.arguments) {
            return Ok(Some(Reading { result, error: true }));
        }
        self.standing.pending = None;
        self.settled.push(pending.tool.clone());
        let invocation =
            self.run_tool(&agent, &pending.skill, tool, &pending.arguments, Trigger::Confirmation).await?;
        if invocation.outcome == ToolRunOutcome::Cancelled {
            return Ok(None);
        }
        self.pass_step(pending.step.as_deref());
        Ok(Some(Reading { result: invocation.result, error: invocation.error }))
    }
}
