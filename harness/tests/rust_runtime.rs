//! The example of a runtime in Rust runs the whole suite, and passes nothing that it did not do.
//!
//! Takes the example's own source, so that what is shown is what is tested.
//! Rules: docs/adapters.md.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
#![allow(dead_code, reason = "the example's `main` is its own")]

#[path = "../examples/rust_runtime.rs"]
mod rust_runtime;

use harness::suite::Suite;
use libtest_mimic::Arguments;

#[test]
fn a_runtime_that_declares_nothing_is_skipped_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = Arguments::from_iter(["suite", "schema/"]);
    arguments.logfile = Some(folder.path().join("report.txt").to_str().unwrap().to_owned());
    let conclusion = Suite::of(rust_runtime::MyRuntime::default).run(&arguments);
    assert_eq!((conclusion.num_failed, conclusion.num_passed), (0, 0));
    assert!(conclusion.num_ignored > 50, "{conclusion:?}");
}
