//! The reference implementation of the contract: deterministic, on a virtual clock.
//!
//! Knows the protocol and agent projects; knows nothing of scenarios, expectations or verdicts, and is
//! reached only through `Implementation`. Rules: the clauses named in each module.

mod agent;
mod checks;
mod conversation;
mod discovery;
mod finding;
mod load;
mod loaded;
mod memory;
mod python;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::rc::Rc;

use conversation::Conversation;

use crate::condition;
use crate::implementation::{Fault, Implementation, STACK_BYTES};
use crate::project::ProjectSource;
use crate::protocol::{
    Capability, Edition, Errored, HelloReport, LoadReport, PROTOCOL_VERSION, Reply, Session, Turn, TurnTrace,
    Wait, WaitReport, World,
};

/// What the reference can be asked about.
const CAPABILITIES: [Capability; 17] = Capability::ALL;

/// The reference implementation.
#[derive(Default)]
pub struct Reference {
    conversation: Option<Conversation>,
}

impl Reference {
    /// A reference without a project.
    pub fn new() -> Self {
        Self::default()
    }
}

fn errored<Report>(message: impl Into<String>) -> Reply<Report> {
    Reply::Errored(Errored { message: message.into(), detail: String::new() })
}

impl Implementation for Reference {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        Ok(Reply::Result(HelloReport {
            name: "mantle-reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "Rust".to_owned(),
            protocol: PROTOCOL_VERSION,
            edition: Edition("3.20".to_owned()),
            capabilities: BTreeSet::from(CAPABILITIES),
        }))
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        let loaded = on_a_large_stack(|| load::load(project, world));
        let former = self.conversation.take();
        on_a_large_stack(|| drop(former));
        if let Some(agent) = loaded.agent {
            match Conversation::start(Rc::new(agent), session) {
                Ok(conversation) => self.conversation = Some(conversation),
                Err(message) => return Ok(errored(message)),
            }
        }
        Ok(Reply::Result(loaded.report))
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        let Some(conversation) = &mut self.conversation else { return Ok(errored("no agent is loaded")) };
        match conversation.turn(turn) {
            Ok(trace) => Ok(Reply::Result(trace)),
            Err(message) => Ok(errored(message)),
        }
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        let Some(conversation) = &mut self.conversation else { return Ok(errored("no agent is loaded")) };
        Ok(Reply::Result(conversation.wait(wait.for_ms)))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Runs something on a stack that is large enough for whatever a project's files hold: nested code and nested
/// values are walked by recursion, and however deep they are, a load ends.
fn on_a_large_stack<Outcome>(run: impl FnOnce() -> Outcome) -> Outcome {
    // Ruff's parser asks `stacker` how much stack is left; on a stack of another making it would map its own.
    stacker::maybe_grow(STACK_BYTES, STACK_BYTES + (1 << 20), run)
}

impl Drop for Reference {
    fn drop(&mut self) {
        // What an agent holds may nest as deep as what made it.
        let conversation = self.conversation.take();
        if conversation.is_some() {
            on_a_large_stack(|| drop(conversation));
        }
    }
}
