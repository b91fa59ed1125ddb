//! The suite as tests, one a scenario: for the reference, or for the command in `CONFORMANCE_IMPL`.
//!
//! Any implementation in Rust is put through it with the same few lines; docs/adapters.md says what a
//! command must speak. Rules: `scenarios/`, `snapshots/`.

use std::process::ExitCode;

use harness::reference::Reference;
use harness::suite::Suite;
use harness::transport::Command;

fn main() -> ExitCode {
    let Ok(words) = std::env::var("CONFORMANCE_IMPL") else {
        return Suite::of(Reference::new).with_snapshots().main();
    };
    match Command::from_text(&words) {
        Ok(command) => Suite::of_command(command).main(),
        Err(error) => {
            anstream::eprintln!("CONFORMANCE_IMPL: {error}");
            harness::report::ExitCode::Usage.into()
        }
    }
}
