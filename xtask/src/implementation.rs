//! The implementation a command is about.
//!
//! The only module of the command line that names one.
//! Rules: it is reached as every other one is, through a starter.

use std::ffi::{OsStr, OsString};

use clap::Args;
use harness::reference::Reference;
use harness::runner::{Started, Starter};
use harness::suite::limit_ms;
use harness::transport::{Command, CommandError, Limits, child_process};

/// How long a command may take; the arguments that take these have a `command` beside them.
#[derive(Args)]
#[command(next_help_heading = "Choosing an implementation")]
pub(crate) struct ChosenLimits {
    /// How long it may take to answer, in real time: a command only [default: 10s].
    #[arg(long, value_name = "DURATION", value_parser = limit_ms, requires = "command")]
    timeout: Option<u64>,
    /// How long it may take to start: a command only [default: 60s].
    #[arg(long, value_name = "DURATION", value_parser = limit_ms, requires = "command")]
    start_timeout: Option<u64>,
}

impl ChosenLimits {
    /// The command of these words, within these limits.
    pub(crate) fn command(&self, words: &[OsString]) -> Result<Command, CommandError> {
        let usual = Limits::default();
        let limits = Limits {
            start_ms: self.start_timeout.unwrap_or(usual.start_ms),
            answer_ms: self.timeout.unwrap_or(usual.answer_ms),
            ..usual
        };
        Ok(Command::new(words)?.with_limits(limits))
    }

    /// The arguments that choose this command again: without its limits it would be judged by others.
    pub(crate) fn arguments(&self, command: &Command) -> String {
        let given = |flag: &str, limit_ms: Option<u64>| {
            limit_ms.map(|limit_ms| format!("{flag} {} ", duration_text(limit_ms))).unwrap_or_default()
        };
        let (answer, start) =
            (given("--timeout", self.timeout), given("--start-timeout", self.start_timeout));
        format!("{answer}{start}-- {command}")
    }
}

/// A limit as it is typed.
fn duration_text(milliseconds: u64) -> String {
    if milliseconds.is_multiple_of(1000) {
        format!("{}s", milliseconds / 1000)
    } else {
        format!("{milliseconds}ms")
    }
}

/// Choosing an implementation.
#[derive(Args)]
#[command(next_help_heading = "Choosing an implementation")]
pub(crate) struct ChosenImplementation {
    #[command(flatten)]
    limits: ChosenLimits,
    /// The command behind which it is, after `--`: a program and its arguments, no shell [default: the
    /// embedded reference].
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The variable in which `cargo test` finds a command.
const VARIABLE: &str = "CONFORMANCE_IMPL";

/// A `--` with no command after it, as `-- $ADAPTER` is where the variable is unset: nobody means the embedded
/// reference by that.
#[derive(Debug, thiserror::Error)]
#[error("nothing stands after `--`; leave it out to run the embedded reference")]
pub(crate) struct NoCommand;

impl ChosenImplementation {
    /// Refuses a command that is not there, and warns of one that stands where this command line never looks;
    /// `words` is the command line.
    pub(crate) fn permit(&self, words: impl IntoIterator<Item = OsString>) -> Result<(), NoCommand> {
        if !self.command.is_empty() {
            return Ok(());
        }
        if is_left_open(words) {
            return Err(NoCommand);
        }
        if std::env::var_os(VARIABLE).is_some() {
            crate::output::eprintln!(
                "warning: only `cargo test` reads {VARIABLE}; here a command goes after `--`, and without one the \
                 embedded reference is run"
            );
        }
        Ok(())
    }

    /// The command, if there is one.
    pub(crate) fn command(&self) -> Result<Option<Command>, CommandError> {
        if self.command.is_empty() {
            return Ok(None);
        }
        self.limits.command(&self.command).map(Some)
    }

    /// The arguments that choose this command again, if there is one.
    pub(crate) fn arguments(&self, command: Option<&Command>) -> Option<String> {
        command.map(|command| self.limits.arguments(command))
    }
}

/// Whether a command line ends where a command should begin. The parser does not tell: it has no values for a
/// command that is left out, with its dashes or without.
fn is_left_open(words: impl IntoIterator<Item = OsString>) -> bool {
    words.into_iter().last().is_some_and(|word| word == OsStr::new("--"))
}

/// What starts the implementation: the command, or the reference in this process.
pub(crate) fn starter_of(command: Option<Command>) -> Box<Starter> {
    match command {
        Some(command) => Box::new(child_process(command)),
        None => Box::new(starter()),
    }
}

/// Starts the reference, in this process.
pub(crate) fn starter() -> impl Fn() -> Started + Send + Sync + 'static {
    harness::suite::in_process(Reference::new)
}
