//! The one scenario a command is about, by its id or by its file, and one run of it.
//!
//! Reads it, says what is wrong with it, runs it and says what came to no answer; what is shown of the answers is the
//! commands' business. Rules: a file may lie anywhere, so that a scenario can be tried before it is part of the
//! suite; exit codes as `--help` says.

use std::path::Path;

use harness::implementation::Fault;
use harness::protocol::LoadOutcome;
use harness::protocol::{LoadReport, Reply};
use harness::report::ExitCode;
use harness::runner::{Answer, Host, Run, StepAnswer};
use harness::scenario::{Scenario, ScenarioId, needs, parse};
use harness::source::nearest;
use harness::suite::Repository;
use harness::verdict::Check;

use crate::Outcome;
use crate::implementation::{ChosenImplementation, starter_of};

/// Why a scenario was not run.
pub(crate) enum NotRun {
    /// The scenario or the command is none.
    Usage(String),
    /// Nobody is there.
    NotStarted(Fault),
    /// Something in the suite cannot be read.
    Fault(Box<dyn std::error::Error>),
}

impl NotRun {
    /// Says why.
    pub(crate) fn told(self) -> Outcome {
        match self {
            Self::Usage(message) => {
                crate::output::eprintln!("error: {message}");
                Ok(ExitCode::Usage)
            }
            Self::NotStarted(fault) => {
                crate::output::eprintln!("error: {fault}");
                Ok(ExitCode::NotStarted)
            }
            Self::Fault(error) => Err(error),
        }
    }
}

/// Puts an implementation through a scenario; an `Ok` may still hold a fault.
pub(crate) fn run(
    repository: &Repository,
    scenario: &Scenario,
    implementation: &ChosenImplementation,
) -> Result<Run, NotRun> {
    let command = implementation.command().map_err(|error| NotRun::Usage(error.to_string()))?;
    let catalogue = repository.catalogue().map_err(|error| NotRun::Fault(error.into()))?;
    let starter = starter_of(command);
    let mut host = Host::new(starter.as_ref());
    host.greet().map_err(NotRun::NotStarted)?;
    Ok(host.run(scenario, &needs(scenario, &catalogue)))
}

/// Says on stderr that a request came to no answer, if one did, and how the command ends then.
pub(crate) fn fallen(run: &Run) -> Option<ExitCode> {
    let fault = run.fault()?;
    let cut = run.sweep.iter().find(|cut| cut.fault().is_some());
    let place = match (&run.control, &run.load, cut) {
        (_, _, Some(cut)) => Check::Cut(cut.point).to_string(),
        (Some(Err(_)), ..) => "the control project".to_owned(),
        (_, Some(Ok(_)), _) => Check::Step(run.steps.len()).to_string(),
        _ => "the project".to_owned(),
    };
    crate::output::eprintln!("error: {place}: {fault}");
    Some(if matches!(fault, Fault::Harness(_)) { ExitCode::Fault } else { ExitCode::Failures })
}

/// How a command ends when the last request was answered, but not with a result; the end of what the
/// implementation said on stderr may tell why.
pub(crate) fn unanswered(run: &Run) -> ExitCode {
    if !run.said.is_empty() {
        crate::output::eprintln!("{}", run.said);
    }
    ExitCode::Failures
}

/// Whether a step was answered with a result.
pub(crate) fn is_result(answer: &StepAnswer) -> bool {
    match answer {
        StepAnswer::Turn(answer) => matches!(answer, Ok(Reply::Result(_))),
        StepAnswer::Wait(answer) => matches!(answer, Ok(Reply::Result(_))),
    }
}

/// Reads the scenario that `name` means.
pub(crate) fn read(repository: &Repository, name: &str) -> Result<Scenario, NotRun> {
    named(repository, name).map_err(NotRun::Usage)
}

fn named(repository: &Repository, name: &str) -> Result<Scenario, String> {
    let is_file = Path::new(name).extension().is_some_and(|ending| ending == "yml" || ending == "yaml");
    if is_file {
        let text = std::fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?;
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("scenario");
        return parse(ScenarioId::new(stem), name, &text)
            .map_err(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"));
    }
    let ids = repository.scenario_ids().map_err(|error| error.to_string())?;
    match ids.iter().find(|id| id.as_str() == name) {
        Some(id) => repository.scenario(id).map_err(|error| error.to_string()),
        None => {
            let hint = nearest(name, ids.iter().map(ScenarioId::as_str)).map_or_else(
                || "`cargo xtask list` shows them all".to_owned(),
                |id| format!("did you mean `{id}`?"),
            );
            Err(format!("there is no scenario `{name}`; {hint}"))
        }
    }
}

/// What a reply says that is no result.
pub(crate) fn without_result<Report>(reply: &Reply<Report>) -> Option<String> {
    match reply {
        Reply::Result(_) => None,
        Reply::Skipped(skipped) => {
            Some(format!("{} is not offered: {}", skipped.capability, skipped.message))
        }
        Reply::Errored(errored) => {
            Some(format!("the implementation reports a fault of its own: {}", errored.message))
        }
    }
}

/// Why there are no turns to show, if there are none and no fault says so.
pub(crate) fn refusal(run: &Run) -> Option<String> {
    if !run.missing.is_empty() {
        let missing: Vec<&str> = run.missing.iter().map(|capability| capability.name()).collect();
        return Some(format!("the implementation does not declare: {}", missing.join(", ")));
    }
    let refused = |what: &str, answer: &Answer<LoadReport>| match answer {
        Ok(Reply::Result(report)) if report.outcome == LoadOutcome::Ok => None,
        Ok(Reply::Result(report)) => {
            let findings =
                report.findings.iter().map(|finding| format!("\n  {}: {}", finding.code, finding.message));
            Some(format!("{what} is refused:{}", findings.collect::<String>()))
        }
        Ok(reply) => without_result(reply).map(|reason| format!("{what}: {reason}")),
        Err(_) => None,
    };
    let control = run.control.as_ref().and_then(|answer| refused("the control project", answer));
    control.or_else(|| run.load.as_ref().and_then(|answer| refused("the project", answer)))
}
