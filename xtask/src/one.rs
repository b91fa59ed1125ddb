//! The one scenario a command is about, by its id or by its file.
//!
//! Reads it and says what is wrong with it; what is done with it is the commands' business.
//! Rules: a file may lie anywhere, so that a scenario can be tried before it is part of the suite.

use std::path::Path;

use harness::protocol::LoadOutcome;
use harness::protocol::{LoadReport, Reply};
use harness::runner::{Answer, Run};
use harness::scenario::{Scenario, ScenarioId, parse};
use harness::source::nearest;
use harness::suite::Repository;

/// Reads the scenario that `name` means.
pub(crate) fn read(repository: &Repository, name: &str) -> Result<Scenario, String> {
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

/// Why there are no turns to show, if there are none.
pub(crate) fn refusal(run: &Run) -> Option<String> {
    if let Some(fault) = run.fault() {
        return Some(fault.to_string());
    }
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
        Ok(Reply::Skipped(skipped)) => Some(skipped.message.clone()),
        Ok(Reply::Errored(errored)) => Some(errored.message.clone()),
        Err(fault) => Some(fault.to_string()),
    };
    let control = run.control.as_ref().and_then(|answer| refused("the control project", answer));
    control.or_else(|| run.load.as_ref().and_then(|answer| refused("the project", answer)))
}
