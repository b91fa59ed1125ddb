//! `cargo xtask schemas`: writes the JSON Schemas under `specs/`, or checks that they are fresh.
//!
//! Knows where they go; what they say is the library's business.
//! Rules: the schemas are generated from the types and tables that read the files.

use clap::Args;
use harness::report::ExitCode;

use crate::{Outcome, repository};

/// Write the generated JSON Schemas under specs/.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  cargo xtask schemas            rewrite them\n  cargo xtask schemas --check    only say whether they are stale"
)]
pub(crate) struct Schemas {
    /// Write nothing; exit with 1 when a file is not what would be written.
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub(crate) fn run(command: &Schemas) -> Outcome {
    let mut stale = 0;
    for (name, text) in harness::schemas::all() {
        let path = repository::root().join("specs").join(name);
        let fresh = std::fs::read_to_string(&path).is_ok_and(|existing| existing == text);
        if fresh {
            crate::output::println!("fresh    specs/{name}");
        } else if command.check {
            stale += 1;
            crate::output::println!("stale    specs/{name}");
        } else {
            std::fs::write(&path, text)?;
            crate::output::println!("written  specs/{name}");
        }
    }
    if stale > 0 {
        crate::output::eprintln!("{stale} stale; run `cargo xtask schemas` and commit what it writes");
        return Ok(ExitCode::Failures);
    }
    Ok(ExitCode::Conformant)
}
