//! The wire changes nothing: in this process and over stdio, in any order, at any parallelism, the same bytes.
//!
//! Compares traces of every scenario; whether they are right is for the suite to say.
//! Rules: design, "Proof that the suite is good", 4 and 5.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

use harness::reference::Reference;
use harness::report::trace_text;
use harness::runner::{Host, Starter, in_order};
use harness::scenario::{Scenario, needs};
use harness::spec::Catalogue;
use harness::suite::{Repository, in_process};
use harness::transport::{Command, child_process};

/// Every scenario, and what the reference does in it: alone, in order, in this process.
struct Baseline {
    catalogue: Catalogue,
    scenarios: Vec<Scenario>,
    traces: BTreeMap<String, String>,
}

/// Made once for all tests.
fn baseline() -> &'static Baseline {
    static BASELINE: OnceLock<Baseline> = OnceLock::new();
    BASELINE.get_or_init(|| {
        let repository = Repository::shipped();
        let ids = repository.scenario_ids().unwrap();
        // One that cannot be read is for lint and for its own trial to complain about.
        let scenarios: Vec<Scenario> = ids.iter().filter_map(|id| repository.scenario(id).ok()).collect();
        assert!(scenarios.len() > 500, "{}", scenarios.len());
        let catalogue = repository.catalogue().unwrap();
        let traces = traces(&in_process(Reference::new), 1, &catalogue, &scenarios);
        Baseline { catalogue, scenarios, traces }
    })
}

/// What was seen in each scenario, by its id.
fn traces(
    starter: &Starter,
    jobs: usize,
    catalogue: &Catalogue,
    scenarios: &[Scenario],
) -> BTreeMap<String, String> {
    let mut traces = BTreeMap::new();
    in_order(
        scenarios,
        NonZeroUsize::new(jobs).unwrap(),
        || Host::new(starter),
        |host, scenario| trace_text(&host.run(scenario, &needs(scenario, catalogue))).unwrap(),
        |scenario, trace| _ = traces.insert(scenario.id.to_string(), trace),
    );
    traces
}

#[track_caller]
fn same(expected: &BTreeMap<String, String>, seen: &BTreeMap<String, String>, seen_how: &str) {
    assert_eq!(expected.len(), seen.len());
    let different: Vec<&String> =
        expected.iter().filter(|(id, trace)| seen.get(*id) != Some(trace)).map(|(id, _)| id).collect();
    if let Some(first) = different.first() {
        let (count, expected, seen) = (different.len(), &expected[*first], &seen[*first]);
        panic!("{count} traces differ {seen_how}, the first is {first}:\n{expected}\n--- and not\n{seen}");
    }
}

/// The scenarios in an order that is random and comes again with the seed.
fn shuffled(scenarios: &[Scenario], seed: u64) -> Vec<Scenario> {
    let mut random = seed;
    let mut keyed: Vec<(u64, &Scenario)> = Vec::new();
    for scenario in scenarios {
        // Knuth's linear congruential generator; the high bits are the good ones.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        keyed.push((random >> 33, scenario));
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, scenario)| scenario.clone()).collect()
}

#[test]
fn every_trace_is_the_same_in_process_and_over_stdio() {
    let Baseline { catalogue, scenarios, traces: here } = baseline();
    let command = Command::new([env!("CARGO_BIN_EXE_mantle-reference")]).unwrap();
    let there = traces(&child_process(command), 2, catalogue, scenarios);
    same(here, &there, "over stdio");
}

#[test]
fn every_trace_is_the_same_in_any_order_and_at_any_parallelism() {
    let Baseline { catalogue, scenarios, traces: alone } = baseline();
    for (seed, jobs) in [(1, 1), (2, 7)] {
        let seen = traces(&in_process(Reference::new), jobs, catalogue, &shuffled(scenarios, seed));
        same(alone, &seen, &format!("in the order of seed {seed} with {jobs} jobs"));
    }
}

#[test]
fn the_program_says_what_it_is_and_refuses_what_it_does_not_know() {
    let run = |arguments: &[&str]| {
        let program = Path::new(env!("CARGO_BIN_EXE_mantle-reference"));
        let output = std::process::Command::new(program).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let version = format!("mantle-reference {} (protocol 1)\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"]), (Some(0), version));
    assert!(run(&["--help"]).1.contains("Usage: mantle-reference"));
    assert_eq!(run(&["--nope"]), (Some(2), String::new()));
    assert_eq!(run(&[]), (Some(0), String::new()), "the end of its input is a farewell");
}
