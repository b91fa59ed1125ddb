//! A sweep finds what it is for: side effects that happen twice, or after the turn was cut off.
//!
//! Runs scenarios that must fail, so they are no part of the suite; the sound ones are in `scenarios/`.
//! Rules: `docs/scenarios.md`, "sweep"; tools-reference, "Cancellation".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use harness::protocol::InterruptPoint;
use harness::reference::Reference;
use harness::runner::Host;
use harness::scenario::{ScenarioId, parse};
use harness::spec::Level;
use harness::suite::in_process;
use harness::verdict::{Check, Status, Verdict, judge};

fn swept(name: &str) -> (Verdict, usize) {
    let file = format!("{}/tests/fixtures/{name}.yml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap();
    let scenario = parse(ScenarioId::new(name), &file, &text).unwrap();
    let starter = in_process(Reference::new);
    let run = Host::new(&starter).run(&scenario, &scenario.needs.clone());
    (judge(&scenario, Level::Must, &run), run.sweep.len())
}

#[test]
fn an_unguarded_transfer_is_charged_twice_when_cut_off_after_the_charge() {
    let (verdict, points) = swept("unguarded_transfer");
    assert_eq!(verdict.status, Status::Fail);
    assert!(points > 6, "{points} points are no sweep");
    let at: Vec<Check> = verdict.findings.iter().map(|finding| finding.check).collect();
    assert!(at.contains(&Check::Cut(InterruptPoint::AtAwait(2))), "{at:?}");
    assert!(!at.contains(&Check::Cut(InterruptPoint::AtAwait(1))), "nothing was charged there: {at:?}");
    let first = &verdict.findings[0].mismatch;
    assert_eq!(first.seen, "it returned 2 times");
}

#[test]
fn a_transfer_that_does_not_look_is_begun_after_the_cut() {
    let (verdict, _) = swept("late_transfer");
    assert_eq!(verdict.status, Status::Fail);
    assert!(verdict.findings.iter().all(|finding| finding.mismatch.seen == "a call at 2000 ms"));
}
