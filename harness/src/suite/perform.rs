//! One scenario with one implementation: run, judged, and told.
//!
//! The only place where run and verdict meet, so that every way to start the suite says the same.

use crate::report::trace_text;
use crate::runner::{Host, Run};
use crate::scenario::Scenario;
use crate::spec::Catalogue;
use crate::verdict::{Status, Verdict, binding_level, judge, needs};

/// What a scenario came to.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The answers.
    pub run: Run,
    /// What they are worth.
    pub verdict: Verdict,
    /// The trace to compare with the snapshot; only what passed is worth comparing.
    pub trace: Option<String>,
}

/// Performs a scenario.
pub fn perform(host: &mut Host<'_>, catalogue: &Catalogue, scenario: &Scenario) -> Performance {
    let run = host.run(scenario, &needs(scenario, catalogue));
    let mut verdict = judge(scenario, binding_level(scenario, catalogue), &run);
    let mut trace = None;
    if verdict.status == Status::Pass {
        match trace_text(&run) {
            Ok(text) => trace = Some(text),
            Err(error) => {
                verdict.status = Status::HarnessError;
                verdict.reason = format!("the trace cannot be written: {error}");
            }
        }
    }
    Performance { run, verdict, trace }
}
