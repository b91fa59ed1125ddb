//! An implementation kept running from scenario to scenario, and started anew after a fault.
//!
//! Knows how to start one, not what it is. One worker has one host; hosts share nothing.

use std::collections::BTreeSet;

use crate::implementation::{Fault, Implementation};
use crate::protocol::{Capability, HelloReport, PROTOCOL_VERSION, Reply};
use crate::runner::drive::drive;
use crate::runner::run::Run;
use crate::runner::transcript::{Departure, Recorder, Transcript};
use crate::scenario::Scenario;

/// What starting yields: an implementation that has not been greeted yet.
pub type Started = Result<Box<dyn Implementation>, Fault>;

/// Starts implementations; called by every worker, again after every fault.
pub type Starter = dyn Fn() -> Started + Send + Sync;

/// How many times in a row an implementation may fail to come up before it is given up.
const MAXIMUM_FAILED_STARTS: u32 = 3;

/// One running implementation.
pub struct Host<'starter> {
    starter: &'starter Starter,
    running: Option<(Box<dyn Implementation>, HelloReport)>,
    failed_starts: u32,
    given_up: Option<Fault>,
}

impl<'starter> Host<'starter> {
    /// A host that starts its implementation when it is first needed.
    pub fn new(starter: &'starter Starter) -> Self {
        Self { starter, running: None, failed_starts: 0, given_up: None }
    }

    /// Makes sure that an implementation runs, and tells who it is.
    pub fn greet(&mut self) -> Result<HelloReport, Fault> {
        if let Some((_, hello)) = &self.running {
            return Ok(hello.clone());
        }
        if let Some(fault) = &self.given_up {
            return Err(fault.clone());
        }
        match start(self.starter) {
            Ok((implementation, hello)) => {
                self.failed_starts = 0;
                self.running = Some((implementation, hello.clone()));
                Ok(hello)
            }
            Err(fault) => {
                self.failed_starts += 1;
                if self.failed_starts >= MAXIMUM_FAILED_STARTS {
                    self.given_up = Some(fault.clone());
                }
                Err(fault)
            }
        }
    }

    /// Drives the implementation through a scenario; after a fault the next one meets a fresh start.
    pub fn run(&mut self, scenario: &Scenario, needs: &BTreeSet<Capability>) -> Run {
        self.drive(|implementation, hello| drive(scenario, hello, needs, implementation))
    }

    /// As [`Self::run`], and what was asked and answered.
    pub fn run_recorded(&mut self, scenario: &Scenario, needs: &BTreeSet<Capability>) -> (Run, Transcript) {
        let mut transcript = Transcript::default();
        let run = self.drive(|implementation, hello| {
            let mut recorder = Recorder::new(implementation);
            let run = drive(scenario, hello, needs, &mut recorder);
            transcript = recorder.finish();
            run
        });
        (run, transcript)
    }

    /// Asks again what a transcript holds, up to the first answer that is another one.
    pub fn replay(&mut self, transcript: &Transcript) -> Result<Option<Departure>, Fault> {
        self.greet()?;
        let Some((implementation, _)) = &mut self.running else {
            return Err(Fault::NotStarted("it went away after its greeting".to_owned()));
        };
        Ok(transcript.replay(implementation.as_mut()))
    }

    fn drive(&mut self, driven: impl FnOnce(&mut dyn Implementation, &HelloReport) -> Run) -> Run {
        if let Err(fault) = self.greet() {
            return Run::unanswered(fault);
        }
        let Some((implementation, hello)) = &mut self.running else {
            return Run::unanswered(Fault::NotStarted("it went away after its greeting".to_owned()));
        };
        // What it said while it started, or after its last answer, is about nothing in this scenario.
        _ = implementation.said();
        let mut run = driven(implementation.as_mut(), hello);
        if run.fault().is_none() {
            run.said = implementation.said();
        } else {
            self.running = None;
        }
        run
    }

    /// Says goodbye, if anyone is there.
    pub fn close(mut self) -> Result<(), Fault> {
        match self.running.take() {
            Some((mut implementation, _)) => implementation.bye(),
            None => Ok(()),
        }
    }
}

impl Drop for Host<'_> {
    /// A worker that has nothing more to do leaves as it should; nobody asks how it went.
    fn drop(&mut self) {
        if let Some((mut implementation, _)) = self.running.take() {
            _ = implementation.bye();
        }
    }
}

fn start(starter: &Starter) -> Result<(Box<dyn Implementation>, HelloReport), Fault> {
    let mut implementation = starter()?;
    let hello = match implementation.hello()? {
        Reply::Result(hello) => hello,
        Reply::Skipped(skipped) => {
            return Err(Fault::NotStarted(format!("it skipped the greeting: {}", skipped.message)));
        }
        Reply::Errored(errored) => return Err(Fault::NotStarted(errored.message)),
    };
    if hello.protocol != PROTOCOL_VERSION {
        return Err(Fault::other_protocol(hello.protocol));
    }
    Ok((implementation, hello))
}
