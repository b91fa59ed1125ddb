//! The reference implementation of the contract: deterministic, on a virtual clock.
//!
//! Knows the protocol and agent projects; knows nothing of scenarios, expectations or verdicts, and is
//! reached only through `Implementation`. Rules: the clauses named in each module.

mod agent;
mod condition;
mod discovery;
mod finding;
mod load;
mod memory;
mod python;
mod schema;

use std::collections::BTreeSet;

use crate::implementation::{Fault, Implementation};
use crate::project::ProjectSource;
use crate::protocol::{
    Capability, Edition, HelloReport, LoadReport, PROTOCOL_VERSION, Reply, Session, Skipped, Turn, TurnTrace,
    Wait, WaitReport, World,
};

/// The reference implementation.
#[derive(Debug, Default)]
pub struct Reference {
    now_ms: u64,
}

impl Reference {
    /// A reference without a project.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Implementation for Reference {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        Ok(Reply::Result(HelloReport {
            name: "mantle-reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "Rust".to_owned(),
            protocol: PROTOCOL_VERSION,
            edition: Edition("3.20".to_owned()),
            capabilities: BTreeSet::from([Capability::Schema, Capability::Discovery, Capability::Mcp]),
        }))
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        _session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        self.now_ms = 0;
        Ok(Reply::Result(load::load(project, world)))
    }

    fn turn(&mut self, _turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        Ok(Reply::Skipped(Skipped {
            capability: Capability::Execution,
            message: "turns are not run yet".to_owned(),
            issue_url: None,
        }))
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.now_ms += wait.for_ms;
        Ok(Reply::Result(WaitReport { now_ms: self.now_ms, events: Vec::new() }))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
