//! `cargo xtask coverage`: which clauses have a test, and whether every gated `must` has one.
//!
//! Prints; what is covered is for the library to count.
//! Rules: exit code 1 when a gated `must` is uncovered, 2 when a file cannot be read.

use clap::{Args, ValueEnum};
use harness::report::ExitCode;
use harness::scenario::{Coverage, coverage, covered_by, lint, read_tree};
use harness::spec::{Catalogue, CatalogueError};

use crate::{Outcome, repository};

/// Show which clauses are covered by scenarios; fail when a gated `must` is not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask coverage
  cargo xtask coverage --format json | jq '.chapters[] | {chapter, must}'

Exits with 1 when a gated `must` is uncovered and not excluded, with 2 when a file is wrong.")]
pub(crate) struct CoverageCommand {
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table for people.
    Text,
    /// For programs.
    Json,
}

/// Runs the command.
pub(crate) fn run(command: &CoverageCommand) -> Outcome {
    let catalogue = match Catalogue::open(&repository::root().join("specs")) {
        Ok(catalogue) => catalogue,
        Err(CatalogueError::Wrong(found)) => {
            crate::lint::print(&found);
            return Ok(ExitCode::Usage);
        }
        Err(error) => return Err(error.into()),
    };
    let linted = lint(&read_tree(&repository::root().join("scenarios"))?, &catalogue);
    let coverage = coverage(&catalogue, &covered_by(&linted.scenarios));
    match command.format {
        Format::Text => text(&coverage),
        Format::Json => crate::output::println!("{}", serde_json::to_string_pretty(&coverage)?),
    }
    let failures = coverage.failures().count();
    if !linted.diagnostics.is_empty() {
        let wrong = linted.diagnostics.len();
        crate::output::eprintln!(
            "{wrong} wrong in the scenarios, those files are not counted: `cargo xtask lint` shows them"
        );
        return Ok(ExitCode::Usage);
    }
    if failures > 0 {
        crate::output::eprintln!(
            "{failures} gated `must` uncovered: write a scenario, or exclude them with a reason"
        );
        return Ok(ExitCode::Failures);
    }
    Ok(ExitCode::Conformant)
}

fn text(coverage: &Coverage) {
    let width = coverage.chapters.iter().map(|chapter| chapter.title.chars().count()).max().unwrap_or(0);
    crate::output::println!("chapter {:width$}        {:>9} {:>9}", "", "must", "observed");
    let mut totals = [0; 4];
    for chapter in &coverage.chapters {
        let (must, observed) = (chapter.must, chapter.observed);
        for (total, count) in
            totals.iter_mut().zip([must.covered, must.total, observed.covered, observed.total])
        {
            *total += count;
        }
        crate::output::println!(
            "{:4} {:width$}  {:6}  {:>9} {:>9}",
            chapter.chapter,
            chapter.title,
            if chapter.gated { "gated" } else { "" },
            format!("{}/{}", must.covered, must.total),
            format!("{}/{}", observed.covered, observed.total),
        );
    }
    let [must, of_must, observed, of_observed] = totals;
    crate::output::println!(
        "{:4} {:width$}  {:6}  {:>9} {:>9}",
        "",
        "all",
        "",
        format!("{must}/{of_must}"),
        format!("{observed}/{of_observed}"),
    );
    for chapter in &coverage.chapters {
        let ids = |level: &str| {
            let clauses = chapter.uncovered.iter().filter(|clause| clause.level == level && !clause.fails);
            clauses.map(|clause| clause.id.as_str()).collect::<Vec<_>>().join(" ")
        };
        for (level, ids) in [("must", ids("must")), ("observed", ids("observed"))] {
            if !ids.is_empty() {
                crate::output::println!("\nuncovered {level}, {}:\n  {ids}", chapter.title);
            }
        }
    }
    let mut excluded = coverage.chapters.iter().flat_map(|chapter| &chapter.excluded).peekable();
    if excluded.peek().is_some() {
        crate::output::println!("\nexcluded:");
    }
    for clause in excluded {
        crate::output::println!("  {}  {}", clause.id, clause.reason);
    }
    let mut failures = coverage.failures().peekable();
    if failures.peek().is_some() {
        crate::output::println!("\ngated `must` that nothing covers:");
    }
    for clause in failures {
        crate::output::println!("  {}  {}\n          {}", clause.id, clause.statement, clause.place);
    }
}
