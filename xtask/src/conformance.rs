//! `cargo xtask conformance`: puts an implementation through the scenarios and reports.
//!
//! Parses flags and prints; what a run means is the library's business.
//! Rules: exit codes as `--help` says; the same verdicts as `cargo test`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use harness::report::{ExitCode, Form, FormReporter, Scope, Several, Summary, TerminalReporter};
use harness::runner::Shard;
use harness::suite::{Campaign, CampaignError, Repository, run_campaign};
use harness::verdict::Status;

use crate::Outcome;
use crate::chosen::Chosen;
use crate::implementation::{ChosenImplementation, starter_of};
use crate::list;
use crate::reports::{Reports, ReportsError};
use known::{ChosenBaseline, Seen};
use transcripts::Transcripts;

mod known;
mod transcripts;

/// Put an implementation through the scenarios: the embedded reference, or the command after `--`.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask conformance
  cargo xtask conformance --chapter schema
  cargo xtask conformance --run schema/optional_union
  cargo xtask conformance --requirement SCH-06 --format json
  cargo xtask conformance -- python3 -m my_runtime.adapter
  cargo xtask conformance --chapter memory --timeout 30s -- ./my-adapter --verbose
  cargo xtask conformance --baseline known.yml --report junit=junit.xml -- ./my-adapter
  cargo xtask conformance --shard 1/4 --report json=share1.json -- ./my-adapter

All of it: docs/running.md. What a command must speak on its stdin and stdout: docs/adapters.md.")]
pub(crate) struct Conformance {
    #[command(flatten)]
    chosen: Chosen,
    /// Run one share of the chosen scenarios: `1/3` is the first of three.
    #[arg(long, value_name = "I/N", help_heading = "Choosing scenarios")]
    shard: Option<Shard>,
    #[command(flatten)]
    implementation: ChosenImplementation,
    #[command(flatten)]
    baseline: ChosenBaseline,
    #[command(flatten)]
    reports: Reports,
    /// How many scenarios to run at once [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<NonZeroUsize>,
    /// Stop at the first unexpected failure.
    #[arg(long)]
    fail_fast: bool,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the exchange of each scenario that did not pass to a file in this folder, for `replay`; those that an
    /// earlier run wrote there are removed.
    #[arg(long, value_name = "FOLDER")]
    transcript: Option<PathBuf>,
    #[command(flatten)]
    snapshots: ComparedSnapshots,
    /// Run nothing, list what would be run.
    #[arg(long)]
    list: bool,
}

/// What is compared with the snapshots, and what that means.
#[derive(Args)]
struct ComparedSnapshots {
    /// With a command: also show where its traces differ from the snapshots, which say what the embedded reference did;
    /// without one they are always shown.
    #[arg(long, requires = "command")]
    snapshots: bool,
    /// Let a trace that differs from its snapshot fail the run; with a command this asks for `--snapshots`.
    #[arg(long)]
    strict: bool,
}

/// How a run is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: failures last and together.
    Text,
    /// For programs: one JSON document.
    Json,
}

impl Conformance {
    /// The implementation that it is about.
    pub(crate) fn implementation(&self) -> &ChosenImplementation {
        &self.implementation
    }
}

/// Runs the command.
pub(crate) fn run(command: &Conformance) -> Outcome {
    match prepared(command) {
        Ok(code) => Ok(code),
        Err(Refusal::Usage(error)) => {
            crate::output::eprintln!("error: {error}");
            Ok(ExitCode::Usage)
        }
        Err(Refusal::Fault(error)) => Err(error),
    }
}

/// Why a command has no result: a slip of whoever wrote it, or a fault that is not theirs.
enum Refusal {
    Usage(Box<dyn std::error::Error>),
    Fault(Box<dyn std::error::Error>),
}

impl<Error: std::error::Error + 'static> From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Usage(error.into())
    }
}

/// A share in which there is nothing: a run of it would prove nothing.
#[derive(Debug, thiserror::Error)]
#[error("share {0} of {1} scenarios is empty, split them into fewer")]
struct EmptyShare(Shard, usize);

/// A command where filters stand.
#[derive(Debug, thiserror::Error)]
#[error(
    "no scenario is called `{first}`, but a program or file is; a command goes after `--`: \
     `cargo xtask conformance -- {all}`",
    first = .0.first().map_or("", String::as_str),
    all = .0.join(" ")
)]
struct ForgottenDashes(Vec<String>);

fn prepared(command: &Conformance) -> Result<ExitCode, Refusal> {
    let repository = Repository::shipped();
    let scope = Scope { filtered: command.chosen.is_filtered(), shard: command.shard };
    command.baseline.permit(scope, command.fail_fast)?;
    if let Some(words) = command.chosen.forgotten_command(&repository)? {
        return Err(ForgottenDashes(words.to_vec()).into());
    }
    let mut scenarios = command.chosen.scenarios(&repository)?;
    if let Some(shard) = command.shard {
        let all = scenarios.len();
        scenarios = shard.of(scenarios);
        if scenarios.is_empty() {
            return Err(EmptyShare(shard, all).into());
        }
    }
    if command.list {
        let format = match command.format {
            Format::Text => list::Format::Text,
            Format::Json => list::Format::Json,
        };
        return list::print(&scenarios, format).map_err(Refusal::Fault);
    }
    let catalogue = repository.catalogue()?;
    let baseline = command.baseline.read()?;
    let suite = repository.scenario_ids()?;
    let implementation = command.implementation.command()?;
    let shown = command.implementation.arguments(implementation.as_ref());
    let starter = starter_of(implementation);
    let campaign = Campaign {
        scope,
        snapshots: Some(&repository),
        strict: command.snapshots.strict,
        known: baseline.as_ref().map(|baseline| command.baseline.known(baseline, &suite)),
        fail_fast: command.fail_fast,
        record: command.transcript.is_some(),
        jobs: command.jobs.unwrap_or_else(cores),
        ..Campaign::new(starter.as_ref(), &catalogue, &scenarios)
    };
    let mut seen = Seen::default();
    let summary = {
        let transcripts = command.transcript.clone().map(Transcripts::to).transpose()?;
        let mut reporters = reporters(command, shown.as_ref())?;
        reporters.add(&mut seen);
        if let Some(transcripts) = transcripts {
            transcripts.clear()?;
            reporters.add(transcripts);
        }
        #[cfg(unix)]
        let _last_words = harness::transport::LastWords::say("interrupted: no report written");
        run_campaign(&campaign, &mut reporters)
    };
    let summary = match summary {
        Ok(summary) => summary,
        Err(CampaignError::NotStarted(fault)) => {
            crate::output::eprintln!("error: {fault}");
            return Ok(ExitCode::NotStarted);
        }
        Err(error @ CampaignError::Report(_)) => return Err(Refusal::Fault(error.into())),
    };
    if let Some(baseline) = baseline.as_ref().filter(|_| command.baseline.is_updated()) {
        return Ok(command.baseline.update(baseline, &seen, &summary)?);
    }
    Ok(code(&summary))
}

/// Everybody who is told of the run: the terminal or a program, and the files of `--report`.
fn reporters<'run>(command: &Conformance, shown: Option<&String>) -> Result<Several<'run>, ReportsError> {
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let mut reporters = Several::new();
    match command.format {
        Format::Text => {
            // Snapshots are what the reference did: another implementation owes them nothing.
            let counts = shown.is_some() && !command.snapshots.snapshots && !command.snapshots.strict;
            let terminal = TerminalReporter::new(anstream::stdout()).of_command(shown.cloned());
            let terminal = terminal.writing_baseline(command.baseline.is_updated());
            reporters.add(terminal.counting_snapshots(counts).with_progress(is_terminal));
        }
        Format::Json => {
            reporters.add(FormReporter::new(Form::Json, anstream::stdout()).of_command(shown.cloned()));
        }
    }
    command.reports.add_to(&mut reporters, shown, command.format == Format::Json)?;
    Ok(reporters)
}

fn code(summary: &Summary) -> ExitCode {
    if summary.of(Status::Skip) == summary.total {
        crate::output::eprintln!("warning: nothing asked, every scenario was skipped");
    }
    summary.exit_code()
}

/// How many scenarios to run at once when nobody says.
pub(crate) fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "write a number from 1 on".to_owned())
}
