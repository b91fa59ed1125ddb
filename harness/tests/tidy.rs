//! Facts about this repository that a reviewer would otherwise check by hand, all violations at once.
//!
//! Reads text, not types: what it cannot see it does not claim. Each rule is tested on a text that
//! breaks it. Rules: `ARCHITECTURE.md`, "The parts".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/shape.rs"]
mod shape;
#[path = "tidy/snapshots.rs"]
mod snapshots;
#[path = "tidy/tree.rs"]
mod tree;

use harness::implementation::Implementation;
use harness::protocol::Reply;
use harness::reference::Reference;
use harness::scenario::{ScenarioId, needs};
use harness::suite::Repository;
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
    let files = tree::rust_files(&["harness/src", "harness/tests", "mcp", "xtask/src"]);
    none(files.iter().flat_map(|(file, text)| shape::violations(file, text)).collect());
}

#[test]
fn every_snapshot_belongs_to_a_scenario() {
    none(snapshots::orphans(&tree::paths("scenarios"), &tree::paths("snapshots")));
}

#[test]
fn what_the_reference_can_be_asked_has_a_snapshot() {
    let repository = Repository::shipped();
    let catalogue = repository.catalogue().unwrap();
    let Reply::Result(hello) = Reference::new().hello().unwrap() else { panic!("the reference must greet") };
    let is_askable = |id: &ScenarioId| {
        // One that cannot be read is for lint to complain about.
        let scenario = repository.scenario(id).ok();
        scenario.is_some_and(|scenario| needs(&scenario, &catalogue).is_subset(&hello.capabilities))
    };
    let askable = repository.scenario_ids().unwrap().into_iter().filter(is_askable);
    let scenarios: Vec<String> = askable.map(|id| format!("scenarios/{id}.yml")).collect();
    none(snapshots::missing(&scenarios, &tree::paths("snapshots")));
}
