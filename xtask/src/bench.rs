//! `cargo xtask bench`: the benchmarks.
//!
//! Starts Cargo, which builds and runs them; they are no default member, so that tests do not build them.
//! Rules: numbers are for people; no test depends on them.

use clap::Args;
use harness::report::ExitCode;

use crate::{Outcome, repository};

/// Measure the suite: scenarios per second with the split read, load, run; growth; virtual time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench
  cargo xtask bench awaits")]
pub(crate) struct Bench {
    /// Only benchmarks whose name contains this.
    filter: Option<String>,
}

/// Runs the command.
pub(crate) fn run(command: &Bench) -> Outcome {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.current_dir(repository::root()).args(["bench", "--quiet", "--package", "benches"]);
    if let Some(filter) = &command.filter {
        cargo.arg("--").arg(filter);
    }
    Ok(if cargo.status()?.success() { ExitCode::Conformant } else { ExitCode::Failures })
}
