//! An implementation in the same process.
//!
//! Adds one thing: a panic is a crash of the implementation, not of the suite.

use super::panics::quietly;
use crate::implementation::{Fault, Implementation};
use crate::project::ProjectSource;
use crate::protocol::{HelloReport, LoadReport, Reply, Session, Turn, TurnTrace, Wait, WaitReport, World};

/// Wraps an implementation so that it can crash alone.
#[derive(Debug, Default)]
pub struct InProcess<Inner> {
    inner: Inner,
}

impl<Inner: Implementation> InProcess<Inner> {
    /// Wraps an implementation.
    pub fn new(inner: Inner) -> Self {
        Self { inner }
    }

    fn guard<Output>(
        &mut self,
        action: impl FnOnce(&mut Inner) -> Result<Output, Fault>,
    ) -> Result<Output, Fault> {
        quietly(|| action(&mut self.inner)).unwrap_or_else(|message| Err(Fault::Crash(message)))
    }
}

impl<Inner: Implementation> Implementation for InProcess<Inner> {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.guard(Implementation::hello)
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        self.guard(|inner| inner.load(project, world, session))
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.guard(|inner| inner.turn(turn))
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.guard(|inner| inner.wait(wait))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.guard(Implementation::bye)
    }

    fn said(&mut self) -> String {
        self.inner.said()
    }
}
