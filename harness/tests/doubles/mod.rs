//! Implementations that do nothing right, and one that does as it is told.
//!
//! Test doubles: each is a table from request to answer, none knows the contract.
#![allow(dead_code, reason = "every test target takes the doubles it needs")]

use std::collections::BTreeSet;

use harness::implementation::{Fault, Implementation};
use harness::project::ProjectSource;
use harness::protocol::{
    Capability, Edition, Errored, HelloReport, LoadOutcome, LoadPhase, LoadReport, PROTOCOL_VERSION, Reply,
    Session, Turn, TurnTrace, Wait, WaitReport, World,
};

/// What an implementation does with everything but the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Accepts every project, observes nothing.
    AcceptsAll,
    /// Rejects every project, without saying why.
    RejectsAll,
    /// Reports a fault of its own.
    Errors,
    /// Panics.
    Panics,
    /// Answers as if it had died.
    Dies,
    /// Answers as if it had hung.
    Hangs,
}

/// An implementation of one habit, which claims to be capable of everything.
pub(crate) struct Double {
    habit: Habit,
    capabilities: BTreeSet<Capability>,
}

impl Double {
    /// Capable of everything, so that nothing is skipped.
    pub(crate) fn of(habit: Habit) -> Self {
        Self { habit, capabilities: Capability::ALL.into() }
    }

    /// Capable of everything but this.
    pub(crate) fn without(habit: Habit, capability: Capability) -> Self {
        let mut double = Self::of(habit);
        double.capabilities.remove(&capability);
        double
    }

    /// Capable of nothing.
    pub(crate) fn incapable() -> Self {
        Self { habit: Habit::AcceptsAll, capabilities: BTreeSet::new() }
    }

    fn answer<Report>(&self, report: Report) -> Result<Reply<Report>, Fault> {
        match self.habit {
            Habit::AcceptsAll | Habit::RejectsAll => Ok(Reply::Result(report)),
            Habit::Errors => {
                let detail = "at line 1".to_owned();
                Ok(Reply::Errored(Errored { message: "not my day".to_owned(), detail }))
            }
            Habit::Panics => panic!("the sky fell"),
            Habit::Dies => Err(Fault::Crash("exit status 1".to_owned())),
            Habit::Hangs => Err(Fault::Silence { limit_ms: 10, detail: "to something".to_owned() }),
        }
    }
}

impl Implementation for Double {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        Ok(Reply::Result(HelloReport {
            name: format!("double {:?}", self.habit),
            version: "0".to_owned(),
            language: "rust".to_owned(),
            protocol: PROTOCOL_VERSION,
            edition: Edition("none".to_owned()),
            capabilities: self.capabilities.clone(),
        }))
    }

    fn load(&mut self, _: &dyn ProjectSource, _: &World, _: &Session) -> Result<Reply<LoadReport>, Fault> {
        let rejected = self.habit == Habit::RejectsAll;
        self.answer(LoadReport {
            outcome: if rejected { LoadOutcome::Rejected } else { LoadOutcome::Ok },
            phase: rejected.then_some(LoadPhase::Train),
            ..LoadReport::default()
        })
    }

    fn turn(&mut self, _: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.answer(TurnTrace::default())
    }

    fn wait(&mut self, _: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.answer(WaitReport::default())
    }

    fn bye(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
