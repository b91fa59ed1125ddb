//! `cargo xtask conformance`: puts an implementation through the scenarios and reports.
//!
//! Parses flags and prints; what a run means is the library's business.
//! Rules: exit codes as `--help` says; the same verdicts as `cargo test`.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use harness::report::{ExitCode, JsonReporter, Reporter, TerminalReporter};
use harness::suite::{Campaign, CampaignError, Repository, run_campaign};
use harness::verdict::Status;

use crate::Outcome;
use crate::chosen::Chosen;
use crate::implementation::{ChosenImplementation, starter_of};
use crate::list;

/// Put an implementation through the scenarios: the embedded reference, or the command after `--`.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask conformance
  cargo xtask conformance --chapter schema
  cargo xtask conformance --run schema/optional_union
  cargo xtask conformance --requirement SCH-06 --format json
  cargo xtask conformance -- python3 -m my_runtime.adapter
  cargo xtask conformance --chapter memory --timeout 30s -- ./my-adapter --verbose

What a command must speak on its stdin and stdout: docs/adapters.md.")]
pub(crate) struct Conformance {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    implementation: ChosenImplementation,
    /// How many scenarios to run at once [default: as many as there are cores].
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How to report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Let a trace that differs from its snapshot fail the run.
    #[arg(long)]
    strict: bool,
    /// Run nothing, list what would be run.
    #[arg(long)]
    list: bool,
}

/// How a run is reported.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people: failures last and together.
    Text,
    /// For programs: one JSON document.
    Json,
}

/// Runs the command.
pub(crate) fn run(command: &Conformance) -> Outcome {
    let repository = Repository::shipped();
    let scenarios = match command.chosen.scenarios(&repository) {
        Ok(scenarios) => scenarios,
        Err(error) => return Ok(usage(&error)),
    };
    if command.list {
        let format = match command.format {
            Format::Text => list::Format::Text,
            Format::Json => list::Format::Json,
        };
        return list::print(&scenarios, format);
    }
    let catalogue = match repository.catalogue() {
        Ok(catalogue) => catalogue,
        Err(error) => return Ok(usage(&error)),
    };
    let implementation = match command.implementation.command() {
        Ok(implementation) => implementation,
        Err(error) => return Ok(usage(&error)),
    };
    let shown = implementation.as_ref().map(ToString::to_string);
    let starter = starter_of(implementation);
    let campaign = Campaign {
        starter: starter.as_ref(),
        catalogue: &catalogue,
        scenarios: &scenarios,
        snapshots: Some(&repository),
        strict: command.strict,
        jobs: command.jobs.unwrap_or_else(cores),
    };
    let mut reporter: Box<dyn Reporter> = match command.format {
        Format::Text => Box::new(TerminalReporter::new(anstream::stdout()).of_command(shown)),
        Format::Json => Box::new(JsonReporter::new(anstream::stdout()).of_command(shown)),
    };
    match run_campaign(&campaign, reporter.as_mut()) {
        Ok(summary) => {
            let code = summary.exit_code();
            if summary.of(Status::Pass) == 0 && code == ExitCode::Conformant {
                anstream::eprintln!("warning: nothing passed, everything was skipped");
            }
            Ok(code)
        }
        Err(CampaignError::NotStarted(fault)) => {
            anstream::eprintln!("error: {fault}");
            Ok(ExitCode::NotStarted)
        }
        Err(error @ CampaignError::Report(_)) => Err(error.into()),
    }
}

fn usage(error: &dyn std::error::Error) -> ExitCode {
    anstream::eprintln!("error: {error}");
    ExitCode::Usage
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
