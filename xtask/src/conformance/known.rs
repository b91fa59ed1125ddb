//! The baseline of known failures: its flags, reading it, and writing it.
//!
//! The only place of the suite that asks what day it is.
//! Rules: docs/running.md, "Known failures".

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use harness::report::{Event, ExitCode, ReportError, Reporter, Scope, Summary};
use harness::scenario::ScenarioId;
use harness::source::Diagnostic;
use harness::verdict::{Baseline, Date, Failures, Known, Staleness, Status, Update, UpdateError};

/// Known failures.
#[derive(Args)]
#[command(next_help_heading = "Known failures")]
pub(crate) struct ChosenBaseline {
    /// What is known to fail, in YAML; exit with 1 when it is no longer true.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write to that file what fails now; comments, order and reasons stay. Whole runs only.
    #[arg(long, requires = "baseline")]
    update_baseline: bool,
    /// The day with which `expires` is compared [default: today].
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, requires = "baseline")]
    today: Option<Date>,
}

/// A baseline that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaselineError {
    #[error("{file}: {error}", file = .0.display(), error = .1)]
    File(PathBuf, std::io::Error),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"))]
    Malformed(Vec<Diagnostic>),
    #[error("--update-baseline needs the whole suite: a run of a part knows nothing of the other entries")]
    Partial,
    #[error(transparent)]
    Update(#[from] UpdateError),
}

impl ChosenBaseline {
    /// Refuses what an update must not be made from.
    pub(crate) fn permit(&self, scope: Scope, fail_fast: bool) -> Result<(), BaselineError> {
        let is_part = !scope.is_whole() || fail_fast;
        if self.update_baseline && is_part { Err(BaselineError::Partial) } else { Ok(()) }
    }

    /// Reads the baseline, if one is given; one that is to be written need not be there yet.
    pub(crate) fn read(&self) -> Result<Option<Baseline>, BaselineError> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let text = self.text(path)?;
        let file = path.display().to_string();
        Baseline::read(&file, &text).map(Some).map_err(BaselineError::Malformed)
    }

    /// The baseline at work.
    pub(crate) fn known<'run>(&self, baseline: &'run Baseline, suite: &'run [ScenarioId]) -> Known<'run> {
        let today = self.today.unwrap_or_else(|| Date::from(chrono::Utc::now().date_naive()));
        Known::new(baseline, Some(today), suite)
    }

    /// Whether it is to be written.
    pub(crate) fn is_updated(&self) -> bool {
        self.update_baseline
    }

    /// Writes what the run saw.
    pub(crate) fn update(
        &self,
        baseline: &Baseline,
        seen: &Seen,
        summary: &Summary,
    ) -> Result<ExitCode, BaselineError> {
        let path = Path::new(&baseline.file);
        let update = Update::new(baseline, &self.text(path)?, &seen.0)?;
        if !update.is_empty() {
            std::fs::write(path, &update.text)
                .map_err(|error| BaselineError::File(path.to_owned(), error))?;
        }
        for (what, keys) in
            [("added", &update.added), ("changed", &update.changed), ("taken out", &update.removed)]
        {
            for key in keys {
                crate::output::eprintln!("{}: {what}: {key}", baseline.file);
            }
        }
        // What nobody may excuse by writing a file stays as it is.
        let expired = summary.stale.iter().any(|stale| stale.kind == Staleness::Expired);
        Ok(match (summary.of(Status::HarnessError) > 0, expired) {
            (true, _) => ExitCode::Fault,
            (false, true) => ExitCode::Failures,
            (false, false) => ExitCode::Conformant,
        })
    }

    fn text(&self, path: &Path) -> Result<String, BaselineError> {
        match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.update_baseline => {
                Ok(String::new())
            }
            read => read.map_err(|error| BaselineError::File(path.to_owned(), error)),
        }
    }
}

/// What failed in each scenario, for writing a baseline.
#[derive(Default)]
pub(crate) struct Seen(BTreeMap<ScenarioId, Failures>);

impl Reporter for Seen {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        if let Event::Finished(judged) = event {
            self.0.insert(judged.id.clone(), judged.failures.clone());
        }
        Ok(())
    }
}

fn day(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| "write a day as in `2027-01-31`".to_owned())
}
