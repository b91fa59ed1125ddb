//! One scenario with one implementation: run, judged, and told.
//!
//! The only place where run and verdict meet, so that every way to start the suite says the same.

use crate::implementation::Fault;
use crate::protocol::{HelloReport, Reply};
use crate::report::{observed_text, timeline_text};
use crate::runner::{Cut, Host, Observed, Run, Transcript};
use crate::scenario::{Scenario, needs};
use crate::spec::Catalogue;
use crate::verdict::{Check, Status, Verdict, binding_level, judge_observed, unwritten};

/// What a scenario came to.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The answers.
    pub run: Run,
    /// What they are worth.
    pub verdict: Verdict,
    /// The trace to compare with the snapshot; only what passed is worth comparing.
    pub trace: Option<String>,
    /// The timeline of the run in which a sweep failed first; empty when none did.
    pub timeline: String,
}

/// Performs a scenario.
pub fn perform(host: &mut Host<'_>, catalogue: &Catalogue, scenario: &Scenario) -> Performance {
    performed(host.run(scenario, &needs(scenario, catalogue)), catalogue, scenario)
}

/// Performs a scenario and keeps what was asked and answered.
pub(super) fn perform_recorded(
    host: &mut Host<'_>,
    catalogue: &Catalogue,
    scenario: &Scenario,
) -> (Performance, Transcript) {
    let (run, transcript) = host.run_recorded(scenario, &needs(scenario, catalogue));
    (performed(run, catalogue, scenario), transcript)
}

/// What a scenario comes to when nothing is asked, since this fault is all that would come back.
pub(super) fn unasked(
    hello: &HelloReport,
    catalogue: &Catalogue,
    scenario: &Scenario,
    fault: Fault,
) -> Performance {
    let run = crate::runner::unasked(hello, &needs(scenario, catalogue), fault);
    performed(run, catalogue, scenario)
}

fn performed(run: Run, catalogue: &Catalogue, scenario: &Scenario) -> Performance {
    let (verdict, trace) = match Observed::of(&run) {
        Ok(observed) => judged(&run, observed, catalogue, scenario),
        Err(error) => (unwritten(scenario, &error), None),
    };
    let timeline = failed_cut(&run, &verdict);
    Performance { run, verdict, trace, timeline }
}

fn judged(
    run: &Run,
    observed: Observed,
    catalogue: &Catalogue,
    scenario: &Scenario,
) -> (Verdict, Option<String>) {
    let verdict = judge_observed(scenario, binding_level(scenario, catalogue), run, &observed);
    if verdict.status != Status::Pass {
        return (verdict, None);
    }
    match observed_text(run, observed) {
        Ok(trace) => (verdict, Some(trace)),
        Err(error) => (unwritten(scenario, &error), None),
    }
}

/// The timelines of the first cut that a sweep found wrong, or at which it ended.
fn failed_cut(run: &Run, verdict: &Verdict) -> String {
    let ended = verdict.ended.iter().filter_map(|ended| ended.check);
    let checks = verdict.findings.iter().map(|finding| finding.check).chain(ended);
    let mut points = checks.filter_map(|check| match check {
        Check::Cut(point) => Some(point),
        _ => None,
    });
    let first = points.next();
    let cut = first.and_then(|point| run.sweep.iter().find(|cut| cut.point == point));
    cut.map(timelines).unwrap_or_default()
}

/// The timelines of a cut turn and of its repetition.
pub fn timelines(cut: &Cut) -> String {
    let traces =
        [("the cut turn", &cut.interrupted, Some(cut.point)), ("the same turn again", &cut.repeated, None)];
    let told = traces.into_iter().filter_map(|(title, answer, point)| match answer {
        Some(Ok(Reply::Result(trace))) => Some(timeline_text(title, trace, point)),
        _ => None,
    });
    told.collect()
}
