//! One scenario, one implementation, from control project to last step.
//!
//! Asks and notes the answers; it neither expects nor repairs anything.

use crate::implementation::{Fault, Implementation};
use crate::project::MemoryProject;
use crate::protocol::{Capability, HelloReport, LoadOutcome, LoadReport, Reply};
use crate::runner::run::{Answer, Run, StepAnswer};
use crate::runner::sweep::sweep;
use crate::scenario::{Scenario, Step, StepAction};
use std::collections::BTreeSet;

/// Drives an implementation through a scenario that needs these capabilities.
///
/// The control project is loaded first: an implementation that cannot accept it is not asked to refuse
/// the other one.
pub fn drive(
    scenario: &Scenario,
    hello: &HelloReport,
    needs: &BTreeSet<Capability>,
    implementation: &mut dyn Implementation,
) -> Run {
    if let Some(run) = lacking(hello, needs) {
        return run;
    }
    let mut run = Run::default();
    if let Some(project) = &scenario.control {
        let answer = load(scenario, project, implementation);
        let accepted = is_accepted(&answer);
        run.control = Some(answer);
        if !accepted {
            return run;
        }
    }
    let answer = load(scenario, &scenario.project, implementation);
    let accepted = is_accepted(&answer);
    run.load = Some(answer);
    if accepted {
        run.steps = steps(scenario, implementation);
        if scenario.sweep.is_some() {
            run.sweep = sweep(scenario, &run, implementation);
        }
    }
    run
}

/// A run in which nothing is asked, since this fault is all that would come back; what is not declared is still not
/// declared.
pub fn unasked(hello: &HelloReport, needs: &BTreeSet<Capability>, fault: Fault) -> Run {
    lacking(hello, needs).unwrap_or_else(|| Run::unanswered(fault))
}

fn lacking(hello: &HelloReport, needs: &BTreeSet<Capability>) -> Option<Run> {
    let missing: BTreeSet<Capability> = needs.difference(&hello.capabilities).copied().collect();
    (!missing.is_empty()).then(|| Run::lacking(missing))
}

pub(super) fn load(
    scenario: &Scenario,
    project: &MemoryProject,
    implementation: &mut dyn Implementation,
) -> Answer<LoadReport> {
    implementation.load(project, &scenario.world, &scenario.session)
}

pub(super) fn is_accepted(answer: &Answer<LoadReport>) -> bool {
    matches!(answer, Ok(Reply::Result(report)) if report.outcome == LoadOutcome::Ok)
}

fn steps(scenario: &Scenario, implementation: &mut dyn Implementation) -> Vec<StepAnswer> {
    let mut answers = Vec::with_capacity(scenario.steps.len());
    for step in &scenario.steps {
        let (answer, goes_on) = run_step(step, implementation);
        answers.push(answer);
        if !goes_on {
            break;
        }
    }
    answers
}

/// Takes one step; tells whether the next can be taken.
pub(super) fn run_step(step: &Step, implementation: &mut dyn Implementation) -> (StepAnswer, bool) {
    match &step.action {
        StepAction::Turn(turn) => {
            let answer = implementation.turn(turn);
            let goes_on = matches!(answer, Ok(Reply::Result(_)));
            (StepAnswer::Turn(answer), goes_on)
        }
        StepAction::Wait(wait) => {
            let answer = implementation.wait(wait.clone());
            let goes_on = matches!(answer, Ok(Reply::Result(_)));
            (StepAnswer::Wait(answer), goes_on)
        }
    }
}
