//! Ordered blocks: the steps that run without the model, until one has to wait.
//!
//! Rules: chapter BLK; contract-notes, "10. Ordered block steps". A step whose tool was cut off, or is held
//! back by its gate or its arguments, stays the pending step.

use std::rc::Rc;

use super::arguments::refusal;
use super::stack::{Asked, Entry, Frame};
use super::turn::{Course, TurnEngine, failure};
use crate::condition::Condition;
use crate::protocol::{EntryName, Json, Outcome, SkillId, ToolName, ToolRunOutcome, Trigger, Visibility};
use crate::reference::agent::{Next, Step, StepKind};
use crate::reference::loaded::Gate;

/// How many steps may run before the model or the user has the word.
const MAXIMUM_STEPS: u32 = 50;

impl TurnEngine<'_> {
    /// Runs the steps of the block on top until the model or the user has the word.
    pub(super) async fn run_steps(&mut self) -> Result<Course, String> {
        for _ in 0..MAXIMUM_STEPS {
            if self.standing.stack.last().is_none_or(|frame| frame.block.is_none()) {
                return Ok(Course::Model);
            }
            let course = match self.current_step() {
                Some(step) => self.run_step(&step).await?,
                None => {
                    self.complete_block();
                    Course::On
                }
            };
            if course != Course::On {
                return Ok(course);
            }
            if self.standing.shared.is_cut() {
                return Ok(Course::Over(Outcome::Cancelled));
            }
        }
        Ok(Course::GivenUp(failure("too_many_steps", "the steps of the block go round in a circle")))
    }

    fn current_step(&self) -> Option<Step> {
        let frame = self.standing.stack.last()?;
        let block = self.standing.agent.skills.get(&frame.skill)?.block(frame.block.as_deref()?)?;
        block.steps.iter().find(|step| Some(&step.id) == frame.step.as_ref()).cloned()
    }

    async fn run_step(&mut self, step: &Step) -> Result<Course, String> {
        match &step.kind {
            StepKind::End => {
                self.complete_block();
                return Ok(Course::On);
            }
            StepKind::Route => {}
            StepKind::Action(name) if name == "action_listen" => {
                self.advance(step);
                self.standing.shared.record("action", [("name", name.clone().into())]);
                return Ok(Course::Over(Outcome::Completed));
            }
            StepKind::Action(name) => {
                if !self.say(name).await? {
                    return Ok(Course::Over(Outcome::Cancelled));
                }
            }
            StepKind::Instructions { complete_when } => {
                let done = complete_when.as_deref().is_some_and(|condition| {
                    Gate::of(Some(condition.trim())).is_open(&self.standing.reader())
                });
                if !done {
                    return Ok(Course::Model);
                }
            }
            StepKind::Collect { entry, utterance, ask_before_filling } => {
                if let Some(course) =
                    self.collect(step, entry, utterance.as_deref(), *ask_before_filling).await?
                {
                    return Ok(course);
                }
            }
            StepKind::ExecuteTool { tool, parameters } => {
                if let Some(course) = self.execute(step, tool, parameters).await? {
                    return Ok(course);
                }
            }
            StepKind::SetMemory(values) => {
                if let Some(course) = self.set_memory(values) {
                    return Ok(course);
                }
            }
            StepKind::Call(target) => {
                self.advance(step);
                self.call(target);
                return Ok(Course::On);
            }
            StepKind::Link(target) => {
                self.link(target);
                return Ok(Course::On);
            }
        }
        self.advance(step);
        Ok(Course::On)
    }

    /// Sends a step's response, after those that the tools of earlier steps have brought. `false` when the turn
    /// was cut off.
    async fn say(&mut self, response: &str) -> Result<bool, String> {
        self.deliver_queued().await?;
        let active = self.standing.active().cloned();
        Ok(!self.standing.shared.is_cut() && self.respond(active.as_ref(), response).await?)
    }

    /// Asks for an entry once and waits; passes when it holds a value (BLK-26 to BLK-28). `None` to go on.
    async fn collect(
        &mut self,
        step: &Step,
        entry: &EntryName,
        utterance: Option<&str>,
        asks_again: bool,
    ) -> Result<Option<Course>, String> {
        let Some(frame) = self.standing.stack.last() else { return Ok(Some(Course::Model)) };
        let name = format!("{}.{entry}", frame.skill);
        let asked = frame.asked.as_ref().filter(|asked| asked.step == step.id);
        let held = self.standing.shared.memory.borrow().get(Some(&frame.skill), &name).is_some();
        if held && (!asks_again || asked.is_some_and(|asked| self.written_since(asked.since, &name))) {
            return Ok(None);
        }
        let Some(utterance) = utterance.filter(|_| asked.is_none()) else { return Ok(Some(Course::Model)) };
        if !self.say(utterance).await? {
            return Ok(Some(Course::Over(Outcome::Cancelled)));
        }
        let since = self.standing.shared.history.borrow().len();
        if let Some(frame) = self.standing.stack.last_mut() {
            frame.asked = Some(Asked { step: step.id.clone(), since });
        }
        Ok(Some(Course::Over(Outcome::Completed)))
    }

    fn written_since(&self, since: usize, name: &str) -> bool {
        let history = self.standing.shared.history.borrow();
        history.get(since..).unwrap_or_default().iter().any(|event| {
            event.event == "memory_set" && event.data.get("key").and_then(Json::as_str) == Some(name)
        })
    }

    /// Runs a step's tool (BLK-01, BLK-07 to BLK-18). `None` to go on.
    async fn execute(
        &mut self,
        step: &Step,
        name: &ToolName,
        parameters: &[(String, Json)],
    ) -> Result<Option<Course>, String> {
        let agent = Rc::clone(&self.standing.agent);
        let skill = self.standing.active().and_then(|active| agent.skills.get(active));
        let Some((skill, tool)) = skill.and_then(|skill| Some((skill, skill.tools.get(name)?))) else {
            return Ok(Some(Course::Model));
        };
        if tool.visibility != Visibility::Model {
            return Ok(Some(Course::Model));
        }
        let read = self.standing.reader();
        let confirms = tool.constraint.as_ref().is_some_and(|constraint| constraint.confirmation.is_some());
        // One tool waits at a time, this step's own included (CNF-25).
        let waits = confirms && self.standing.pending.is_some();
        if waits || !tool.gate.is_open(&read) {
            return Ok(Some(Course::Model));
        }
        let arguments: serde_json::Map<String, Json> =
            parameters.iter().map(|(name, value)| (name.clone(), resolved(value, &read))).collect();
        let arguments = Json::Object(arguments);
        if refusal(&tool.parameters, &arguments).is_some() {
            return Ok(Some(Course::Model));
        }
        if confirms {
            self.pause(&skill.id, tool, &arguments, Some(step.id.clone()));
            return Ok(Some(Course::Model));
        }
        let invocation = self.run_tool(&agent, &skill.id, tool, &arguments, Trigger::Step).await?;
        if invocation.outcome == ToolRunOutcome::Cancelled {
            return Ok(Some(Course::Over(Outcome::Cancelled)));
        }
        Ok(None)
    }

    /// Writes literals; a project entry that is set already is skipped (MEM-48, BLK-21, BLK-22).
    fn set_memory(&mut self, values: &[(String, Json)]) -> Option<Course> {
        let shared = self.shared();
        let active = self.standing.active().cloned();
        for (name, value) in values {
            let now = shared.now_ms();
            let mut memory = shared.memory.borrow_mut();
            let mut events = shared.history.borrow_mut();
            let written =
                memory.set_unless_project_is_set(active.as_ref(), name, value.clone(), now, &mut events);
            if let Err(refused) = written {
                return Some(Course::GivenUp(failure("memory_write_refused", &refused.to_string())));
            }
        }
        None
    }

    /// Puts a skill, or a block of the active one, on top of the block that waits for it (BLK-33).
    fn call(&mut self, target: &str) {
        let agent = Rc::clone(&self.standing.agent);
        let active = self.standing.active().cloned();
        let own = active
            .filter(|active| agent.skills.get(active).is_some_and(|skill| skill.block(target).is_some()));
        if let Some(active) = own {
            self.enter(&active, Some(target.to_owned()), Entry::Called);
        } else if agent.skills.contains_key(target) {
            self.start(&SkillId::new(target), Entry::Called);
        }
    }

    /// Completes the block and goes on elsewhere: what waits for the block waits for the target (BLK-35).
    fn link(&mut self, target: &str) {
        let agent = Rc::clone(&self.standing.agent);
        let own =
            |frame: &Frame| agent.skills.get(&frame.skill).is_some_and(|skill| skill.block(target).is_some());
        let Some(top) = self.standing.stack.last().cloned() else { return };
        if own(&top) {
            self.pop_block();
            self.enter(&top.skill, Some(target.to_owned()), top.entry);
        } else {
            self.complete_block();
            if agent.skills.contains_key(target) {
                self.start(&SkillId::new(target), top.entry);
            }
        }
    }

    fn pop_block(&mut self) -> Option<Frame> {
        let frame = self.standing.stack.pop()?;
        self.drop_pending(&frame);
        self.tell_of(&frame, "completed");
        Some(frame)
    }

    /// The block is done (BLT-16). Prose below it has control again; a skill of blocks only is done with it.
    fn complete_block(&mut self) {
        let Some(frame) = self.pop_block() else { return };
        let returns = self.standing.active() == Some(&frame.skill);
        let agent = Rc::clone(&self.standing.agent);
        let blocks_only = agent.skills.get(&frame.skill).is_some_and(|skill| !skill.body.has_prose);
        if !returns && blocks_only {
            self.tell_of(&Frame { block: None, ..frame }, "completed");
        }
        self.uncover();
    }

    /// Moves past a step (BLK-03 to BLK-06).
    fn advance(&mut self, step: &Step) {
        let read = self.standing.reader();
        let following = || {
            let frame = self.standing.stack.last()?;
            let block = self.standing.agent.skills.get(&frame.skill)?.block(frame.block.as_deref()?)?;
            let position = block.steps.iter().position(|known| known.id == step.id)?;
            block.steps.get(position + 1).map(|next| next.id.clone())
        };
        let next = match &step.next {
            Next::Following => following(),
            Next::Step(id) => Some(id.clone()),
            Next::Branches(branches) => {
                let holds = |condition: &Option<Condition>| {
                    condition.as_ref().is_none_or(|condition| condition.holds(&read))
                };
                branches.iter().find(|(condition, _)| holds(condition)).map(|(_, id)| id.clone())
            }
        };
        if let Some(frame) = self.standing.stack.last_mut() {
            frame.step = Some(next.unwrap_or_else(|| "END".to_owned()));
            frame.asked = None;
        }
    }

    /// Moves past the step whose tool was settled by the user.
    pub(super) fn pass_step(&mut self, step: Option<&str>) {
        let current = self.current_step().filter(|current| Some(current.id.as_str()) == step);
        if let Some(current) = current {
            self.advance(&current);
        }
    }
}

/// A parameter as it arrives: what is exactly a reference becomes the value it stands for (BLK-08).
fn resolved(value: &Json, read: &dyn Fn(&str, &str) -> Json) -> Json {
    let reference = value.as_str().and_then(|text| {
        let mut parts = text.trim().split('.');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("session"), Some(namespace), Some(entry), None) => Some(read(namespace, entry)),
            _ => None,
        }
    });
    reference.unwrap_or_else(|| value.clone())
}
