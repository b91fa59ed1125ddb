//! The suite, for the reference: one test a scenario.
//!
//! Any other implementation is put through it with the same five lines.
//! Rules: `scenarios/`, `snapshots/`.

use harness::reference::Reference;
use harness::suite::Suite;

fn main() -> std::process::ExitCode {
    Suite::of(Reference::new).with_snapshots().main()
}
