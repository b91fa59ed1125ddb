//! A runtime in Rust under the suite: implement five requests, and `main` has one line.
//!
//! This one does nothing yet and says so: it declares no capability, and every scenario is skipped. Declare
//! them one by one; what is declared is held to. In a package of your own this is `tests/conformance.rs`, with
//! `harness = false` for it in Cargo.toml.

use std::collections::BTreeSet;
use std::process::ExitCode;

use harness::implementation::{Fault, Implementation};
use harness::project::ProjectSource;
use harness::protocol::{
    Edition, HelloReport, LoadReport, PROTOCOL_VERSION, Reply, Session, Turn, TurnTrace, Wait, WaitReport,
    World,
};
use harness::suite::Suite;

fn main() -> ExitCode {
    Suite::of(MyRuntime::default).main()
}

/// Your runtime, or what drives it.
#[derive(Default)]
pub(crate) struct MyRuntime {
    now_ms: u64,
}

impl Implementation for MyRuntime {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        Ok(Reply::Result(HelloReport {
            name: "my-runtime".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "Rust".to_owned(),
            protocol: PROTOCOL_VERSION,
            edition: Edition("3.20".to_owned()),
            capabilities: BTreeSet::new(),
        }))
    }

    fn load(
        &mut self,
        _project: &dyn ProjectSource,
        _world: &World,
        _session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        self.now_ms = 0;
        Ok(Reply::Result(LoadReport::default()))
    }

    fn turn(&mut self, _turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        let (started_ms, ended_ms) = (self.now_ms, self.now_ms);
        Ok(Reply::Result(TurnTrace { started_ms, ended_ms, ..TurnTrace::default() }))
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.now_ms += wait.for_ms;
        Ok(Reply::Result(WaitReport { now_ms: self.now_ms, events: Vec::new() }))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
