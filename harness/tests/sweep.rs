//! A sweep finds what it is for: side effects that happen twice, or after the turn was cut off.
//!
//! Runs scenarios that must fail, so they are no part of the suite; the sound ones are in `scenarios/`.
//! Rules: `docs/scenarios.md`, "sweep"; tools-reference, "Cancellation".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use harness::implementation::{Fault, Implementation};
use harness::project::ProjectSource;
use harness::protocol::{
    HelloReport, InterruptPoint, LoadReport, Reply, Session, Turn, TurnTrace, Wait, WaitReport, World,
};
use harness::reference::Reference;
use harness::runner::Host;
use harness::scenario::{ScenarioId, parse};
use harness::spec::Level;
use harness::suite::{Repository, in_process};
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

/// The reference, which dies of its n-th turn.
struct Mortal {
    reference: Reference,
    turns_left: usize,
}

impl Implementation for Mortal {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.reference.hello()
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        self.reference.load(project, world, session)
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        match self.turns_left.checked_sub(1) {
            Some(left) => {
                self.turns_left = left;
                self.reference.turn(turn)
            }
            None => Err(Fault::Crash("exit status: 7".to_owned())),
        }
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.reference.wait(wait)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.reference.bye()
    }
}

#[test]
fn who_dies_of_a_cut_turn_or_of_its_repetition_does_not_pass() {
    let scenario = Repository::shipped()
        .scenario(&ScenarioId::new("cancellation/guarded_transfer_is_made_once"))
        .unwrap();
    let mut expected = Vec::new();
    // The first turn is the uncut one.
    for turns in 1..4 {
        let starter = in_process(move || Mortal { reference: Reference::new(), turns_left: turns });
        let run = Host::new(&starter).run(&scenario, &scenario.needs.clone());
        assert!(run.fault().is_some(), "the process is not asked again");
        let verdict = judge(&scenario, Level::Must, &run);
        assert!(verdict.status.is_unexpected(), "{turns}: {verdict:?}");
        let last = &verdict.findings.last().unwrap().mismatch;
        assert!(last.seen.contains("exit status: 7"), "{}", last.seen);
        expected.push(last.expected.clone());
    }
    assert_eq!(
        expected,
        ["an answer to the cut turn", "an answer to the turn after the cut", "an answer to the cut turn"]
    );
}
