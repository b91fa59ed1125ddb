//! The command line of the suite.
//!
//! Only dispatches: one module a command, each parses its flags, calls the library and prints.
//! Rules: `ARCHITECTURE.md`, "The command line".

mod bench;
mod chosen;
mod compare;
mod conformance;
mod connect;
mod coverage;
mod implementation;
mod inspect;
mod lint;
mod list;
mod merge;
mod one;
mod output;
mod replay;
mod report_file;
mod reports;
mod repository;
mod schemas;
mod show;
mod sweep;

use clap::{Parser, Subcommand};
use harness::report::ExitCode;
use implementation::ChosenImplementation;

/// The tool-runtime conformance suite.
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", version, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 failures or something stale, 2 wrong usage or a bad file,
            3 the implementation did not start, 4 a fault of the suite itself;
            141 when nobody reads stdout to its end, as with `| head`.";

/// How a command ended. An error is a fault of the suite or of the machine it runs on; what is wrong in a
/// file that somebody wrote is printed by the command, which then says so with its exit code.
type Outcome = Result<ExitCode, Box<dyn std::error::Error>>;

#[derive(Subcommand)]
enum Command {
    Bench(bench::Bench),
    Compare(compare::Compare),
    Conformance(conformance::Conformance),
    List(list::List),
    Lint(lint::Lint),
    Coverage(coverage::CoverageCommand),
    Inspect(inspect::Inspect),
    Merge(merge::Merge),
    Replay(replay::Replay),
    Schemas(schemas::Schemas),
    Show(show::Show),
    Sweep(sweep::Sweep),
}

impl Command {
    /// The implementation that it is about, if one can be chosen.
    fn implementation(&self) -> Option<&ChosenImplementation> {
        match self {
            Self::Conformance(command) => Some(command.implementation()),
            Self::Replay(command) => Some(command.implementation()),
            Self::Show(command) => Some(command.implementation()),
            Self::Sweep(command) => Some(command.implementation()),
            _ => None,
        }
    }
}

fn main() -> std::process::ExitCode {
    let command = CommandLine::parse().command;
    if let Some(Err(error)) = command.implementation().map(|one| one.permit(std::env::args_os())) {
        crate::output::eprintln!("error: {error}");
        return ExitCode::Usage.into();
    }
    let outcome = match command {
        Command::Bench(command) => bench::run(&command),
        Command::Compare(command) => compare::run(&command),
        Command::Conformance(command) => conformance::run(&command),
        Command::List(command) => list::run(&command),
        Command::Lint(command) => lint::run(&command),
        Command::Coverage(command) => coverage::run(&command),
        Command::Inspect(command) => inspect::run(&command),
        Command::Merge(command) => merge::run(&command),
        Command::Replay(command) => replay::run(&command),
        Command::Schemas(command) => schemas::run(&command),
        Command::Show(command) => show::run(&command),
        Command::Sweep(command) => sweep::run(&command),
    };
    match outcome {
        Ok(code) => code.into(),
        Err(error) if output::is_unread(error.as_ref()) => output::NOBODY_READS.into(),
        Err(error) => {
            crate::output::eprintln!("error: {error}");
            ExitCode::Fault.into()
        }
    }
}
