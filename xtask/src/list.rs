//! `cargo xtask list`: the scenarios there are.
//!
//! Knows how to print them; choosing is `chosen`'s business.
//! Rules: ids are for `--run`, clauses for `--requirement`.

use clap::{Args, ValueEnum};
use harness::report::ExitCode;
use harness::scenario::Scenario;
use harness::suite::Repository;

use crate::Outcome;
use crate::chosen::Chosen;

/// List scenarios: id, title and the clauses they cover.
#[derive(Args)]
#[command(after_help = "Examples:
  cargo xtask list --chapter schema
  cargo xtask list --requirement SCH-06 --format json")]
pub(crate) struct List {
    #[command(flatten)]
    chosen: Chosen,
    /// How to print them.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How scenarios are printed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// A block for each, for people.
    Text,
    /// A JSON array.
    Json,
}

/// Runs the command.
pub(crate) fn run(command: &List) -> Outcome {
    match command.chosen.scenarios(&Repository::shipped()) {
        Ok(scenarios) => print(&scenarios, command.format),
        Err(error) => {
            crate::output::eprintln!("error: {error}");
            Ok(ExitCode::Usage)
        }
    }
}

/// Prints scenarios.
pub(crate) fn print(scenarios: &[Scenario], format: Format) -> Outcome {
    match format {
        Format::Text => {
            for scenario in scenarios {
                crate::output::println!(
                    "{}  [{}]\n    {}",
                    scenario.id,
                    covers(scenario).join(", "),
                    scenario.title
                );
            }
        }
        Format::Json => {
            let entries: Vec<serde_json::Value> = scenarios
                .iter()
                .map(|scenario| {
                    serde_json::json!({
                        "id": scenario.id.as_str(),
                        "title": scenario.title,
                        "covers": covers(scenario),
                        "tags": scenario.tags,
                        "file": scenario.file,
                    })
                })
                .collect();
            crate::output::println!("{}", serde_json::to_string_pretty(&entries)?);
        }
    }
    Ok(ExitCode::Conformant)
}

fn covers(scenario: &Scenario) -> Vec<String> {
    scenario.covers.iter().map(|(id, _)| id.to_string()).collect()
}
