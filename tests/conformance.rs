//! The suite as tests, one a scenario: for the reference, or for the command in `CONFORMANCE_IMPL`, with
//! `CONFORMANCE_TIMEOUT` and `CONFORMANCE_START_TIMEOUT` as its limits.
//!
//! Any implementation in Rust is put through it with the same few lines; docs/adapters.md says what a
//! command must speak. Rules: `scenarios/`, `snapshots/`.

use std::process::ExitCode;

use harness::reference::Reference;
use harness::suite::{Suite, Variables};

fn main() -> ExitCode {
    match Variables::read(std::env::var_os) {
        Ok(None) => Suite::of(Reference::new).with_snapshots().main(),
        Ok(Some(variables)) => Suite::of_variables(variables).main(),
        Err(error) => {
            anstream::eprintln!("error: {error}");
            harness::report::ExitCode::Usage.into()
        }
    }
}
