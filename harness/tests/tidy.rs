//! Facts about this repository that a reviewer would otherwise check by hand, all violations at once.
//!
//! Reads text, not types: what it cannot see it does not claim. Each rule is tested on a text that
//! breaks it. Rules: `ARCHITECTURE.md`, "The parts".
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/shape.rs"]
mod shape;
#[path = "tidy/snapshots.rs"]
mod snapshots;
#[path = "tidy/tree.rs"]
mod tree;

use tree::Violation;

#[track_caller]
fn none(mut violations: Vec<Violation>) {
    violations.sort();
    let shown: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{} violations:\n{}", shown.len(), shown.join("\n"));
}

#[test]
fn each_layer_uses_only_those_below_it() {
    let files = tree::rust_files(&["harness/src"]);
    none(files.iter().flat_map(|(file, text)| layers::violations(file, text)).collect());
}

#[test]
fn every_module_says_what_it_is_and_stays_small() {
    let files = tree::rust_files(&["harness/src", "harness/tests", "xtask/src"]);
    none(files.iter().flat_map(|(file, text)| shape::violations(file, text)).collect());
}

#[test]
fn every_snapshot_belongs_to_a_scenario() {
    none(snapshots::orphans(&tree::paths("scenarios"), &tree::paths("snapshots")));
}
