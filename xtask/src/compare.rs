//! `cargo xtask compare`: two runs side by side, each a JSON report or a command that is run for it.
//!
//! Reads, runs and prints; what is a regression is the library's business.
//! Rules: exit code 1 when something regressed, whatever else differs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use harness::report::{Comparison, Document, ExitCode, Form, FormReporter, Scope};
use harness::source::counted;
use harness::suite::{Campaign, CampaignError, Repository, run_campaign};

use crate::Outcome;
use crate::chosen::Chosen;
use crate::implementation::{ChosenLimits, starter_of};
use crate::{conformance, merge};

/// Compare two runs: JSON reports, or commands after `--`.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask compare before.json after.json
  cargo xtask compare before.json -- ./my-adapter
  cargo xtask compare --chapter memory --timeout 30s -- ./one-adapter -- ./another-adapter

Reports and flags come before the first `--`: whatever stands after one belongs to its command.
Exits with 1 when something that held does not hold any more.")]
pub(crate) struct Compare {
    /// JSON reports, as `conformance --report json=FILE` writes them.
    #[arg(value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// For commands: only scenarios that match this glob; may be repeated.
    #[arg(long, value_name = "GLOB", requires = "command")]
    run: Vec<String>,
    /// For commands: only scenarios of this chapter; may be repeated.
    #[arg(long, value_name = "CHAPTER", requires = "command")]
    chapter: Vec<String>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    limits: ChosenLimits,
    /// The commands, each after a `--`: a program and its arguments, no shell.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// How a comparison is printed.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people: regressions last and together.
    Text,
    /// For programs: one JSON document.
    Json,
}

/// Why there is nothing to compare.
enum Missing {
    Usage(String),
    NotStarted(String),
    Fault(Box<dyn std::error::Error>),
}

/// Runs the command.
pub(crate) fn run(command: &Compare) -> Outcome {
    let comparison = match documents(command) {
        Ok((before, after)) => Comparison::of(&before, &after),
        Err(Missing::Usage(error)) => {
            crate::output::eprintln!("error: {error}");
            return Ok(ExitCode::Usage);
        }
        Err(Missing::NotStarted(error)) => {
            crate::output::eprintln!("error: {error}");
            return Ok(ExitCode::NotStarted);
        }
        Err(Missing::Fault(error)) => return Err(error),
    };
    match command.format {
        Format::Text => crate::output::print!("{}", comparison.text()),
        Format::Json => crate::output::println!("{}", serde_json::to_string_pretty(&comparison)?),
    }
    Ok(comparison.exit_code())
}

fn documents(command: &Compare) -> Result<(Document, Document), Missing> {
    let commands: Vec<&[OsString]> = match command.command.as_slice() {
        [] => Vec::new(),
        words => words.split(|word| word == "--").collect(),
    };
    // Two reports and a `--` are no slip that the parser tells of.
    let is_open = std::env::args_os().last().is_some_and(|word| word == "--");
    if is_open || commands.iter().any(|words| words.is_empty()) {
        return Err(Missing::Usage("nothing stands after `--`; a command goes there".to_owned()));
    }
    if command.reports.len() + commands.len() != 2 {
        let given = format!(
            "{} and {}",
            counted(command.reports.len(), "report"),
            counted(commands.len(), "command")
        );
        return Err(Missing::Usage(format!("two runs are compared, here are {given}")));
    }
    let mut runs = Vec::new();
    for report in &command.reports {
        runs.push(merge::read(report).map_err(Missing::Usage)?);
    }
    for words in commands {
        runs.push(document(command, words)?);
    }
    let mut runs = runs.into_iter();
    runs.next().zip(runs.next()).ok_or_else(|| Missing::Usage("two runs are compared".to_owned()))
}

fn document(command: &Compare, words: &[OsString]) -> Result<Document, Missing> {
    let usage = |error: &dyn std::error::Error| Missing::Usage(error.to_string());
    let repository = Repository::shipped();
    let chosen = Chosen::by(&command.run, &command.chapter);
    let scenarios = chosen.scenarios(&repository).map_err(|error| usage(&error))?;
    let catalogue = repository.catalogue().map_err(|error| usage(&error))?;
    let implementation = command.limits.command(words).map_err(|error| usage(&error))?;
    let arguments = command.limits.arguments(&implementation);
    let starter = starter_of(Some(implementation));
    let campaign = Campaign {
        scope: Scope { filtered: chosen.is_filtered(), shard: None },
        jobs: conformance::cores(),
        ..Campaign::new(starter.as_ref(), &catalogue, &scenarios)
    };
    let mut report = Vec::new();
    let mut reporter = FormReporter::new(Form::Json, &mut report).of_command(Some(arguments));
    match run_campaign(&campaign, &mut reporter) {
        Ok(_) => {}
        Err(CampaignError::NotStarted(fault)) => return Err(Missing::NotStarted(fault.to_string())),
        Err(error @ CampaignError::Report(_)) => return Err(Missing::Fault(error.into())),
    }
    let text = String::from_utf8(report).map_err(|error| Missing::Fault(error.into()))?;
    Document::read(&text).map_err(|error| Missing::Fault(error.into()))
}
