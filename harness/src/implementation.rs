//! The one door to an implementation of the contract: five requests.
//!
//! Knows nothing of who stands behind it; the reference, a child process and a test double all come
//! through here (design: "The boundary").

use crate::project::ProjectSource;
use crate::protocol::{
    HelloReport, LoadReport, PROTOCOL_VERSION, Reply, Session, Turn, TurnTrace, Wait, WaitReport, World,
};

/// How much stack an implementation in this process finds when a worker of the suite calls it, in bytes. One
/// that wants as much and is called on a thread with less maps a stack of its own, which takes longer than
/// loading a small project.
pub const STACK_BYTES: usize = 256 << 20;

/// An implementation of the contract, with one conversation at a time.
pub trait Implementation {
    /// Asks who it is and what it can do.
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault>;

    /// Starts over with an agent project and a fresh conversation.
    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault>;

    /// Runs one user turn.
    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault>;

    /// Lets virtual time pass between turns.
    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault>;

    /// Ends it.
    fn bye(&mut self) -> Result<(), Fault>;

    /// What it said beside its answers since this was asked last, for people to read. Most have nowhere to say
    /// it.
    fn said(&mut self) -> String {
        String::new()
    }
}

/// An exchange that came to no answer. It is over; the implementation may be started anew.
///
/// A message may have several lines: the first says what happened, the others what is known beside it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ended, or panicked, before it answered.
    #[error("the implementation crashed: {0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer within {limit_ms} ms of real time{}", below(detail))]
    Silence {
        /// How long was waited, in real milliseconds.
        limit_ms: u64,
        /// What is known beside it; may be empty.
        detail: String,
    },
    /// It answered, but not as the protocol says.
    #[error("the answer breaks the protocol: {0}")]
    Protocol(String),
    /// It could not be started.
    #[error("the implementation did not start: {0}")]
    NotStarted(String),
    /// The suite could not ask: nothing is known about the implementation.
    #[error("the suite could not ask: {0}")]
    Harness(String),
}

impl Fault {
    /// It speaks this version of the protocol, which is not the suite's.
    pub fn other_protocol(spoken: impl std::fmt::Display) -> Self {
        Self::NotStarted(format!(
            "it speaks protocol {spoken}, this suite speaks protocol {PROTOCOL_VERSION}"
        ))
    }
}

fn below(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!("\n{detail}") }
}
