//! A conversation: the agent it is with, and where it stands.
//!
//! Owns the runtime with the paused clock. Rules: design, "Time and determinism".

use std::rc::Rc;

use tokio::task::LocalSet;

use super::shared::Shared;
use super::stack::{Entry, Frame, active_frame};
use super::turn::TurnEngine;
use crate::protocol::{Json, Session, SkillId, ToolName, Turn, TurnTrace, WaitReport};
use crate::reference::loaded::Agent;
use crate::reference::memory::Memory;

/// A conversation.
pub(crate) struct Conversation {
    runtime: tokio::runtime::Runtime,
    local: LocalSet,
    standing: Standing,
}

/// Where a conversation stands between turns.
pub(crate) struct Standing {
    /// The agent.
    pub(crate) agent: Rc<Agent>,
    /// What tools share.
    pub(crate) shared: Rc<Shared>,
    /// The stack, bottom first.
    pub(crate) stack: Vec<Frame>,
    /// The number of the next frame.
    pub(crate) next_frame: u64,
    /// A tool that waits for the user's approval.
    pub(crate) pending: Option<Pending>,
    /// The entries that the model recorded for the user, by full name, in order: those that can be corrected.
    pub(crate) recorded: Vec<String>,
    /// The buttons of the latest message.
    pub(crate) buttons: Vec<crate::protocol::Button>,
}

/// A tool call that waits for the user's approval.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The tool.
    pub(crate) tool: ToolName,
    /// Its arguments.
    pub(crate) arguments: Json,
    /// The skill it belongs to.
    pub(crate) skill: SkillId,
    /// The number of the frame that was on top.
    pub(crate) frame: u64,
    /// The step that runs it, when a step does.
    pub(crate) step: Option<String>,
    /// Whether it was opened in this turn.
    pub(crate) fresh: bool,
}

impl Conversation {
    /// Starts a conversation.
    pub(crate) fn start(agent: Rc<Agent>, session: &Session) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| format!("no runtime for a conversation: {error}"))?;
        let entered = runtime.enter();
        let mut memory = Memory::new(Rc::clone(&agent.schema));
        for (name, value) in &session.memory {
            memory.preset(name, value.clone()).map_err(|error| format!("session.memory: {error}"))?;
        }
        let shared = Rc::new(Shared::new(memory, Rc::clone(&agent.world)));
        shared.record("session_started", []);
        let metadata = &session.metadata;
        shared.memory.borrow_mut().seed(metadata, 0, &mut shared.history.borrow_mut());
        drop(entered);
        let mut standing = Standing {
            agent,
            shared,
            stack: Vec::new(),
            next_frame: 0,
            pending: None,
            recorded: Vec::new(),
            buttons: Vec::new(),
        };
        if let Some(active) = &session.active {
            let Some(skill) = standing.agent.skills.get(active) else {
                return Err(format!("session.active: the agent has no skill `{active}`"));
            };
            let block = skill.entry_block().map(str::to_owned);
            standing.push(active, block, Entry::Activated);
        }
        Ok(Self { runtime, local: LocalSet::new(), standing })
    }

    /// Runs one user turn. The error is a fault of the reference or a body outside the subset it runs.
    pub(crate) fn turn(&mut self, turn: &Turn) -> Result<TurnTrace, String> {
        let standing = &mut self.standing;
        let shared = Rc::clone(&standing.shared);
        self.local.block_on(&self.runtime, async {
            shared.begin_turn(turn.interrupt.as_ref().map(|interrupt| interrupt.when));
            let outcome = TurnEngine::new(standing, turn).run().await?;
            let mut trace = shared.end_turn();
            trace.outcome = outcome.0;
            trace.failure = outcome.1;
            trace.ended_ms = shared.now_ms();
            trace.memory = shared.memory.borrow().dump();
            trace.active = active_frame(&standing.stack);
            if let Some(message) = trace.messages.last() {
                standing.buttons.clone_from(&message.buttons);
            }
            Ok(trace)
        })
    }

    /// Lets virtual time pass.
    pub(crate) fn wait(&mut self, ms: u64) -> WaitReport {
        let shared = Rc::clone(&self.standing.shared);
        self.local.block_on(&self.runtime, async {
            let before = shared.history.borrow().len();
            tokio::time::advance(std::time::Duration::from_millis(ms)).await;
            let events = shared.history.borrow().get(before..).unwrap_or_default().to_vec();
            WaitReport { now_ms: shared.now_ms(), events }
        })
    }
}

impl Standing {
    /// Puts a frame on top of the stack, at the first step of its block.
    pub(crate) fn push(&mut self, skill: &SkillId, block: Option<String>, entry: Entry) {
        let step = block.as_deref().and_then(|id| self.agent.skills.get(skill)?.block(id));
        let step = step.and_then(|block| block.steps.first()).map(|step| step.id.clone());
        let number = self.next_frame;
        self.next_frame += 1;
        let skill = skill.clone();
        self.stack.push(Frame { number, skill, block, step, entry, interrupted: false, asked: None });
    }

    /// The skill on top.
    pub(crate) fn active(&self) -> Option<&SkillId> {
        self.stack.last().map(|frame| &frame.skill)
    }

    /// A function that reads memory for the conditions of the active skill.
    pub(crate) fn reader(&self) -> impl Fn(&str, &str) -> Json + use<> {
        let (shared, skill) = (Rc::clone(&self.shared), self.active().cloned());
        move |namespace, entry| shared.read(skill.as_ref(), namespace, entry)
    }
}
