//! Whoever is asked a scenario has declared all that it takes: runtimes that lack one capability each.
//!
//! Judges what the reference answered, with everything made unrecognisable that the capability shows.
//! Rules: `docs/scenarios.md`, "What a scenario needs".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

#[path = "needs/lacking.rs"]
mod lacking;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use harness::protocol::Capability;
use harness::reference::Reference;
use harness::runner::{Host, in_order};
use harness::scenario::{Scenario, needs};
use harness::spec::Catalogue;
use harness::suite::{Repository, in_process};
use harness::verdict::{Observation, Status, Verdict, binding_level, judge};

/// What a scenario takes and does not need, a line for each.
fn undeclared(host: &mut Host<'_>, catalogue: &Catalogue, scenario: &Scenario) -> Vec<String> {
    let declared = needs(scenario, catalogue);
    let run = host.run(scenario, &declared);
    let level = binding_level(scenario, catalogue);
    let honest = judge(scenario, level, &run);
    let used: BTreeSet<Capability> = lacking::shown(scenario, &run);
    let mut found = Vec::new();
    for capability in Capability::ALL.into_iter().filter(|one| !declared.contains(one)) {
        let without = judge(scenario, level, &lacking::without(capability, scenario, &run));
        let what = if used.contains(&capability) {
            "its run shows"
        } else if outcome(&without) != outcome(&honest) {
            "its verdict hangs on"
        } else {
            continue;
        };
        found.push(format!("{}: {what} `{capability}`: add it to `needs`", scenario.file));
    }
    found
}

/// What became of it; what exactly was seen instead of what was expected is nobody's verdict.
fn outcome(verdict: &Verdict) -> (Status, bool) {
    (verdict.status, matches!(verdict.observation, Some(Observation::Differs { .. })))
}

#[test]
fn nobody_is_asked_what_takes_a_capability_that_was_not_declared() {
    let repository = Repository::shipped();
    let catalogue = repository.catalogue().unwrap();
    let ids = repository.scenario_ids().unwrap();
    // One that cannot be read is for lint to complain about.
    let scenarios: Vec<Scenario> = ids.iter().filter_map(|id| repository.scenario(id).ok()).collect();
    let starter = in_process(Reference::new);
    let mut found = Vec::new();
    in_order(
        &scenarios,
        std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        || Host::new(&starter),
        |host, scenario| undeclared(host, &catalogue, scenario),
        |_, undeclared| found.extend(undeclared),
    );
    assert!(!scenarios.is_empty());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
