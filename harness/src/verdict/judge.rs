//! From a scenario and the answers it got to a verdict.
//!
//! Pure, and without mercy for anyone: it does not know whose answers these are.
//! Rules: design, "Verdicts".

use crate::implementation::Fault;
use crate::protocol::{Errored, InterruptPoint, Json, LoadOutcome, Reply, Skipped};
use crate::runner::{Answer, Observed, Run, StepAnswer};
use crate::scenario::{Expectation, Scenario, Step, StepAction};
use crate::source::Position;
use crate::spec::{Catalogue, Level, Requirement};
use crate::verdict::matching::compare;
use crate::verdict::prerequisites::{
    failure_code, refusal, refusal_codes, refused_unasked, turn_did_not_happen,
};
use crate::verdict::status::{Check, Ended, Finding, Observation, Status, Verdict};

/// How many lines of a fault's detail a reason quotes: where the story begins, and where it ends, which matters more.
const FIRST_LINES: usize = 2;
/// See [`FIRST_LINES`].
const LAST_LINES: usize = 6;

/// How binding a scenario is: as the most binding clause it covers. An unknown clause binds, so that a
/// slip in an id cannot excuse anyone.
pub fn binding_level(scenario: &Scenario, catalogue: &Catalogue) -> Level {
    let observes = |requirement: &Requirement| requirement.level == Level::Observed;
    let only_observes = !scenario.covers.is_empty()
        && scenario.covers.iter().all(|(id, _)| catalogue.requirement(id).is_some_and(observes));
    if only_observes { Level::Observed } else { Level::Must }
}

/// Judges a run of a scenario that binds this much.
pub fn judge(scenario: &Scenario, level: Level, run: &Run) -> Verdict {
    match Observed::of(run) {
        Ok(observed) => judge_observed(scenario, level, run, &observed),
        Err(error) => unwritten(scenario, &error),
    }
}

/// The verdict when what was observed cannot be written as JSON.
pub fn unwritten(scenario: &Scenario, error: &serde_json::Error) -> Verdict {
    let reason = format!("the observation cannot be written as JSON: {error}");
    conclude(scenario, Some(ending(Status::HarnessError, reason, scenario.title_position)), Vec::new())
}

/// As [`judge`], for a run whose reports are JSON already.
pub fn judge_observed(scenario: &Scenario, level: Level, run: &Run, observed: &Observed) -> Verdict {
    let mut findings = Vec::new();
    let ending = walk(scenario, run, observed, &mut findings).err();
    let is_own_fault = ending.as_ref().is_some_and(|ending| ending.is_own_fault);
    let verdict = conclude(scenario, ending, findings);
    match level {
        // A fault of its own is nothing that a silent text leaves open.
        Level::Observed if !is_own_fault => excused(verdict),
        Level::Must | Level::Observed => verdict,
    }
}

/// Why a scenario was not followed to its end.
struct Ending {
    status: Status,
    reason: String,
    position: Position,
    ended: Ended,
    /// Whether the implementation reported a fault of its own.
    is_own_fault: bool,
}

impl Ending {
    /// The part of the scenario in which it ended, and what happened, for signatures.
    fn within(mut self, check: Check, what: impl Into<String>) -> Self {
        self.ended = Ended { check: Some(check), what: what.into() };
        self
    }
}

fn conclude(scenario: &Scenario, ending: Option<Ending>, findings: Vec<Finding>) -> Verdict {
    let first = findings.first().map(|finding| finding.mismatch.position);
    let ended = ending.as_ref().map(|ending| ending.ended.clone());
    let (status, reason, position) = match ending {
        // What was seen to be wrong stays wrong, even if the rest could not be seen.
        Some(ending)
            if matches!(ending.status, Status::Untestable | Status::Skip) && !findings.is_empty() =>
        {
            (Status::Fail, ending.reason, first.unwrap_or(ending.position))
        }
        Some(ending) => (ending.status, ending.reason, ending.position),
        None if findings.is_empty() => (Status::Pass, String::new(), scenario.title_position),
        None => (Status::Fail, String::new(), first.unwrap_or(scenario.title_position)),
    };
    Verdict { status, reason, position, findings, ended, observation: None }
}

/// A scenario that binds nobody passes and tells what it saw. Not answering is still no answer.
fn excused(verdict: Verdict) -> Verdict {
    let observation = match verdict.status {
        Status::Pass => Observation::AsDescribed,
        Status::Fail | Status::Untestable => {
            Observation::Differs { reason: verdict.reason, findings: verdict.findings }
        }
        _ => return verdict,
    };
    Verdict {
        status: Status::Pass,
        reason: String::new(),
        position: verdict.position,
        findings: Vec::new(),
        ended: None,
        observation: Some(observation),
    }
}

fn walk(
    scenario: &Scenario,
    run: &Run,
    observed: &Observed,
    findings: &mut Vec<Finding>,
) -> Result<(), Ending> {
    let start = scenario.title_position;
    if !run.missing.is_empty() {
        let missing: Vec<&str> = run.missing.iter().map(|capability| capability.name()).collect();
        return Err(ending(Status::Skip, format!("not declared: {}", missing.join(", ")), start));
    }
    if let Some(fault) = &run.not_started {
        return Err(fallen(fault, start));
    }
    if scenario.control.is_some() {
        control(run, start)?;
    }
    load(scenario, run, observed.load.as_ref(), findings)?;
    for (index, step) in scenario.steps.iter().enumerate() {
        let seen = observed.steps.get(index).and_then(Option::as_ref);
        judge_step(step, index + 1, run.steps.get(index), seen, findings)?;
    }
    if let Some(sweep) = &scenario.sweep {
        if !run.sweep.iter().any(|cut| matches!(cut.point, InterruptPoint::AtAwait(_))) {
            let reason = "sweep: no tool was suspended in the last turn, so there is nothing to cut off";
            let untestable = ending(Status::Untestable, reason.to_owned(), sweep.position);
            return Err(untestable.within(Check::Step(scenario.steps.len()), "no suspension"));
        }
        findings.extend(super::sweep::judge(scenario, run));
        cuts_are_answered(run, sweep.position)?;
    }
    let checks =
        scenario.load.iter().count() + scenario.steps.iter().filter(|step| step.expect.is_some()).count();
    if checks == 0 {
        return Err(ending(Status::HarnessError, "the scenario expects nothing".to_owned(), start));
    }
    Ok(())
}

fn control(run: &Run, start: Position) -> Result<(), Ending> {
    let report = result(run.control.as_ref(), Check::Control, start)?;
    match report.outcome {
        LoadOutcome::Ok => Ok(()),
        LoadOutcome::Rejected => {
            let untestable = ending(Status::Untestable, format!("control: {}", refusal(report)), start);
            Err(untestable.within(Check::Control, refusal_codes(report)))
        }
    }
}

fn load(
    scenario: &Scenario,
    run: &Run,
    seen: Option<&Json>,
    findings: &mut Vec<Finding>,
) -> Result<(), Ending> {
    let expectation = scenario.load.as_ref();
    let position = expectation.map_or(scenario.title_position, |expectation| expectation.position);
    let report = result(run.load.as_ref(), Check::Load, position)?;
    if let Some(reason) = refused_unasked(expectation, report) {
        let untestable = ending(Status::Untestable, reason, position);
        return Err(untestable.within(Check::Load, refusal_codes(report)));
    }
    check(expectation, seen, Check::Load, findings);
    if report.outcome == LoadOutcome::Rejected {
        // The steps need a running agent; and a refusal that was not wanted explains the differences.
        let unwanted = !findings.is_empty();
        if unwanted || !scenario.steps.is_empty() {
            let untestable = ending(Status::Untestable, refusal(report), position);
            return Err(untestable.within(Check::Load, refusal_codes(report)));
        }
    }
    Ok(())
}

fn judge_step(
    step: &Step,
    number: usize,
    answer: Option<&StepAnswer>,
    seen: Option<&Json>,
    findings: &mut Vec<Finding>,
) -> Result<(), Ending> {
    let expectation = step.expect.as_ref();
    let name = format!("step {number}");
    match (&step.action, answer) {
        (StepAction::Turn(turn), Some(StepAnswer::Turn(answer))) => {
            let trace = result(Some(answer), Check::Step(number), step.position)?;
            if let Some(reason) = turn_did_not_happen(expectation, turn, trace) {
                let untestable = ending(Status::Untestable, format!("{name}: {reason}"), step.position);
                return Err(untestable.within(Check::Step(number), failure_code(trace)));
            }
            check(expectation, seen, Check::Step(number), findings);
            Ok(())
        }
        (StepAction::Wait(_), Some(StepAnswer::Wait(answer))) => {
            result(Some(answer), Check::Step(number), step.position)?;
            check(expectation, seen, Check::Step(number), findings);
            Ok(())
        }
        (_, None) => Err(unasked(&name, step.position)),
        (_, Some(_)) => {
            let reason = format!("{name}: the runner asked for something else");
            Err(ending(Status::HarnessError, reason, step.position))
        }
    }
}

/// The turns of a sweep have all come to a trace; else what counts is a fault, which ended the sweep, before a fault
/// that the implementation reports, before a skip.
fn cuts_are_answered(run: &Run, position: Position) -> Result<(), Ending> {
    let answers = run.sweep.iter().flat_map(|cut| {
        let check = Check::Cut(cut.point);
        let turns = [
            (check.to_string(), &cut.interrupted),
            (format!("{check}, the turn after the cut"), &cut.repeated),
        ];
        turns.into_iter().filter_map(move |(name, answer)| Some((check, name, answer.as_ref()?)))
    });
    let endings = answers.filter_map(|(check, name, answer)| named(answer, check, &name, position).err());
    let worst = endings.min_by_key(|ending| match ending.status {
        Status::Skip => 2,
        Status::Fail => 1,
        _ => 0,
    });
    worst.map_or(Ok(()), Err)
}

fn check(expectation: Option<&Expectation>, seen: Option<&Json>, check: Check, findings: &mut Vec<Finding>) {
    let Some(expectation) = expectation else { return };
    let mismatches = compare(&expectation.pattern, seen.unwrap_or(&Json::Null));
    findings.extend(mismatches.into_iter().map(|mismatch| Finding { check, mismatch }));
}

/// The report in an answer, or why there is none.
fn result<Report>(
    answer: Option<&Answer<Report>>,
    check: Check,
    position: Position,
) -> Result<&Report, Ending> {
    let name = match check {
        Check::Control => "the control project".to_owned(),
        Check::Load => "the project".to_owned(),
        Check::Step(_) | Check::Cut(_) => check.to_string(),
    };
    match answer {
        Some(answer) => named(answer, check, &name, position),
        None => Err(unasked(&name, position)),
    }
}

/// As [`result`], for an answer that readers know by this name.
fn named<'run, Report>(
    answer: &'run Answer<Report>,
    check: Check,
    name: &str,
    position: Position,
) -> Result<&'run Report, Ending> {
    match answer {
        Ok(Reply::Result(report)) => Ok(report),
        Ok(Reply::Skipped(skipped)) => Err(ending(Status::Skip, skip_reason(name, skipped), position)),
        Ok(Reply::Errored(errored)) => {
            let failed = ending(Status::Fail, format!("{name}: {}", own_fault(errored)), position);
            Err(Ending { is_own_fault: true, ..failed.within(check, "errored") })
        }
        Err(fault) => {
            let fallen = fallen(fault, position);
            Err(Ending { reason: format!("{name}: {}", fallen.reason), ..fallen }.within(check, ""))
        }
    }
}

fn skip_reason(name: &str, skipped: &Skipped) -> String {
    let issue = skipped.issue_url.as_ref().map(|url| format!(" ({url})")).unwrap_or_default();
    format!("{name}: {} is not offered: {}{issue}", skipped.capability, skipped.message)
}

/// A fault the implementation reports, with the beginning and the end of its story.
fn own_fault(errored: &Errored) -> String {
    let detail: Vec<&str> = errored.detail.trim_end().lines().collect();
    let told = if detail.len() > FIRST_LINES + LAST_LINES {
        let (first, rest) = detail.split_at(FIRST_LINES);
        let last = rest.split_at(rest.len() - LAST_LINES).1;
        [first, &["…"], last].concat()
    } else {
        detail
    };
    let told = told.into_iter().map(|line| format!("\n{line}"));
    format!("the implementation reports a fault of its own: {}{}", errored.message, told.collect::<String>())
}

fn fallen(fault: &Fault, position: Position) -> Ending {
    let status = match fault {
        Fault::Crash(_) | Fault::NotStarted(_) => Status::Crash,
        Fault::Silence { .. } => Status::Timeout,
        Fault::Protocol(_) => Status::ProtocolError,
        Fault::Harness(_) => Status::HarnessError,
    };
    ending(status, fault.to_string(), position)
}

/// The runner asks everything until something ends the run, and what ends it is judged first.
fn unasked(name: &str, position: Position) -> Ending {
    ending(Status::HarnessError, format!("{name}: the runner did not ask"), position)
}

fn ending(status: Status, reason: String, position: Position) -> Ending {
    let ended = Ended { check: None, what: String::new() };
    Ending { status, reason, position, ended, is_own_fault: false }
}

#[cfg(test)]
mod tests;
