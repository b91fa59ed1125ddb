//! `cargo xtask lint`: everything that is wrong in the catalogue and in the tree of scenarios.
//!
//! Prints; what is wrong is for the library to find.
//! Rules: exit code 2 when anything is, so that a broken file never looks like a failing runtime.

use std::path::PathBuf;

use clap::Args;
use harness::report::ExitCode;
use harness::scenario::{lint, read_tree};
use harness::source::{Diagnostic, counted};
use harness::spec::{Catalogue, CatalogueError};

use crate::{Outcome, repository};

/// Check the requirement catalogue and every scenario, without running any.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask lint
  cargo xtask lint --scenarios /path/to/my/scenarios

Each message names file:line:column, the line, and a remedy. Exits with 2 when anything is wrong.")]
pub(crate) struct Lint {
    /// The folder of scenarios.
    #[arg(long, value_name = "FOLDER")]
    scenarios: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(command: &Lint) -> Outcome {
    let catalogue = match Catalogue::open(&repository::root().join("specs")) {
        Ok(catalogue) => catalogue,
        Err(CatalogueError::Wrong(found)) => {
            print(&found);
            crate::output::println!("{} wrong in the catalogue; the scenarios were not checked", found.len());
            return Ok(ExitCode::Usage);
        }
        Err(error) => return Err(error.into()),
    };
    let folder = command.scenarios.clone().unwrap_or_else(|| repository::root().join("scenarios"));
    let files = match read_tree(&folder) {
        Ok(files) => files,
        Err(error) => {
            crate::output::eprintln!("error: {error}");
            return Ok(ExitCode::Usage);
        }
    };
    let linted = lint(&files, &catalogue);
    print(&linted.diagnostics);
    let (wrong, checked) = (linted.diagnostics.len(), files.len());
    if checked == 0 {
        crate::output::eprintln!("error: {}: no scenario here", folder.display());
        return Ok(ExitCode::Usage);
    }
    if wrong > 0 {
        let mut broken: Vec<&str> = linted.diagnostics.iter().map(|one| one.place.file.as_str()).collect();
        broken.dedup();
        crate::output::println!("{wrong} wrong in {} of {}", broken.len(), counted(checked, "file"));
        return Ok(ExitCode::Usage);
    }
    crate::output::println!("{}, nothing wrong", counted(checked, "scenario"));
    Ok(ExitCode::Conformant)
}

/// Prints diagnostics, the first line of each in bold, so that the eye finds where one begins.
pub(crate) fn print(found: &[Diagnostic]) {
    for diagnostic in found {
        let text = diagnostic.to_string();
        let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
        crate::output::println!("\u{1b}[1m{head}\u{1b}[0m\n{rest}\n");
    }
}
