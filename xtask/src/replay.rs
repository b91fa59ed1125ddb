//! `cargo xtask replay`: asks again what a transcript holds, and shows the first answer that is another one.
//!
//! Reads and prints; asking and comparing is the library's business.
//! Rules: docs/running.md, "Transcripts".

use std::path::PathBuf;

use clap::Args;
use harness::report::ExitCode;
use harness::runner::{Host, Transcript};
use harness::source::counted;
use harness::verdict::texts_apart;

use crate::Outcome;
use crate::implementation::{ChosenImplementation, starter_of};

/// Ask an implementation again what a transcript holds: the embedded reference, or the command after `--`.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask conformance --transcript transcripts -- ./my-adapter
  cargo xtask replay transcripts/schema/optional_union.jsonl -- ./my-adapter
  cargo xtask replay transcripts/schema/optional_union.jsonl

Exits with 0 when every answer is the recorded one, with 1 when one is another.")]
pub(crate) struct Replay {
    /// The transcript.
    transcript: PathBuf,
    #[command(flatten)]
    implementation: ChosenImplementation,
}

impl Replay {
    /// The implementation that it is about.
    pub(crate) fn implementation(&self) -> &ChosenImplementation {
        &self.implementation
    }
}

/// Runs the command.
pub(crate) fn run(command: &Replay) -> Outcome {
    let shown = command.transcript.display();
    let usage = |error: &dyn std::fmt::Display| {
        crate::output::eprintln!("error: {error}");
        Ok(ExitCode::Usage)
    };
    let text = match std::fs::read_to_string(&command.transcript) {
        Ok(text) => text,
        Err(error) => return usage(&format!("{shown}: {error}")),
    };
    let transcript = match Transcript::read(&text) {
        Ok(transcript) => transcript,
        Err(error) => return usage(&format!("{shown}: {error}")),
    };
    let starter = match command.implementation.command() {
        Ok(implementation) => starter_of(implementation),
        Err(error) => return usage(&error),
    };
    let departure = match Host::new(starter.as_ref()).replay(&transcript) {
        Ok(departure) => departure,
        Err(fault) => {
            crate::output::eprintln!("error: {fault}");
            return Ok(ExitCode::NotStarted);
        }
    };
    let requests = transcript.exchanges.len();
    let Some(departure) = departure else {
        crate::output::println!("{}, every answer as recorded", counted(requests, "request"));
        return Ok(ExitCode::Conformant);
    };
    let path = if departure.path.is_empty() { "the whole answer" } else { &departure.path };
    crate::output::println!("request {} of {requests}, {}: {path}", departure.number, departure.kind);
    let (recorded, seen) = texts_apart(departure.recorded.as_ref(), departure.seen.as_ref());
    crate::output::println!("  recorded  {recorded}\n  seen      {seen}");
    Ok(ExitCode::Failures)
}
