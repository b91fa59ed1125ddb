//! `cargo xtask merge`: the reports of all shares of a run as the report of the whole run.
//!
//! Reads files and prints; what belongs together is the library's business.
//! Rules: merged shares equal the run that was not shared, exit code included.

use std::path::{Path, PathBuf};

use clap::Args;
use harness::report::{Document, ExitCode, Form};

use crate::Outcome;
use crate::reports::Reports;

/// Put the JSON reports of all shares of a run together.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask merge share1.json share2.json > whole.json
  cargo xtask merge share*.json --report json=whole.json --report markdown=statement.md

Without --report the JSON report of the whole run goes to stdout; with it, what the run came to does.
Exits as the whole run would have; with 2 when a share is missing, twice there, or of another run.")]
pub(crate) struct Merge {
    /// The reports, in any order.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    #[command(flatten)]
    written: Reports,
}

/// Runs the command.
pub(crate) fn run(command: &Merge) -> Outcome {
    let mut parts = Vec::new();
    for path in &command.reports {
        match read(path) {
            Ok(document) => parts.push((path.display().to_string(), document)),
            Err(error) => return Ok(usage(&error)),
        }
    }
    let whole = match Document::merge(parts) {
        Ok(whole) => whole,
        Err(error) => return Ok(usage(&error.to_string())),
    };
    if command.written.is_empty() {
        crate::output::print!("{}", Form::Json.text(&whole)?);
    } else {
        command.written.write(&whole)?;
        crate::output::print!("{}", whole.closing_text());
    }
    Ok(whole.exit_code())
}

/// Reads a JSON report; the error names the file.
pub(crate) fn read(path: &Path) -> Result<Document, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Document::read(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn usage(error: &str) -> ExitCode {
    crate::output::eprintln!("error: {error}");
    ExitCode::Usage
}
