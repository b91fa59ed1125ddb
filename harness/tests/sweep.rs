//! A sweep finds what it is for: side effects that happen twice, or after the turn was cut off.
//!
//! Runs scenarios that must fail, so they are no part of the suite; the sound ones are in `scenarios/`.
//! Rules: `docs/scenarios.md`, "sweep"; tools-reference, "Cancellation".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use harness::implementation::{Fault, Implementation};
use harness::project::ProjectSource;
use harness::protocol::{
    Capability, Errored, HelloReport, InterruptPoint, LoadReport, Outcome, Reply, Session, Skipped, Turn,
    TurnTrace, Wait, WaitReport, World,
};
use harness::reference::Reference;
use harness::runner::Host;
use harness::scenario::{ScenarioId, parse};
use harness::spec::Level;
use harness::suite::{Repository, in_process};
use harness::verdict::{Check, Failures, Status, Verdict, judge};

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

/// The reference, but an interrupt wins over what completes at its very instant, where the text leaves both open.
struct CutWins(Reference);

impl Implementation for CutWins {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.0.hello()
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        self.0.load(project, world, session)
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        let mut turn = turn.clone();
        if let Some(interrupt) = &mut turn.interrupt
            && let InterruptPoint::AtMs(at) = interrupt.when
        {
            // One that comes at once comes before everything else.
            let Some(before) = at.checked_sub(1) else {
                return Ok(Reply::Result(TurnTrace { outcome: Outcome::Cancelled, ..TurnTrace::default() }));
            };
            interrupt.when = InterruptPoint::AtMs(before);
        }
        self.0.turn(&turn)
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.0.wait(wait)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.0.bye()
    }
}

#[test]
fn no_sweep_fails_a_runtime_whose_interrupts_win_at_their_very_instant() {
    let repository = Repository::shipped();
    let starter = in_process(|| CutWins(Reference::new()));
    let mut swept = 0;
    for id in repository.scenario_ids().unwrap() {
        let scenario = repository.scenario(&id).unwrap();
        if scenario.sweep.is_none() {
            continue;
        }
        swept += 1;
        let run = Host::new(&starter).run(&scenario, &scenario.needs.clone());
        let verdict = judge(&scenario, Level::Must, &run);
        let findings: Vec<_> = verdict.findings.iter().map(|one| (one.check, &one.mismatch)).collect();
        assert_eq!(verdict.status, Status::Pass, "{id}: {findings:?}");
    }
    assert!(swept > 10, "{swept} sweeps are not those of the suite");
}

/// The reference, but that one request after so many others comes to something else.
struct Mortal {
    reference: Reference,
    left: usize,
    instead: Instead,
}

/// What it comes to.
#[derive(Clone, Copy)]
enum Instead {
    Crash,
    Silence,
    Nonsense,
    Errored,
    Skipped,
}

impl Mortal {
    fn survives<Report>(&mut self) -> Option<Result<Reply<Report>, Fault>> {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            return None;
        }
        // It happens once, and what is asked after an answer is answered again.
        self.left = usize::MAX;
        Some(match self.instead {
            Instead::Crash => Err(Fault::Crash("exit status: 7".to_owned())),
            Instead::Silence => Err(Fault::Silence { limit_ms: 5, detail: "to `turn`".to_owned() }),
            Instead::Nonsense => Err(Fault::Protocol("no JSON".to_owned())),
            Instead::Errored => {
                Ok(Reply::Errored(Errored { message: "oh".to_owned(), detail: "line 1".to_owned() }))
            }
            Instead::Skipped => {
                let message = "no cuts yet".to_owned();
                let capability = Capability::Cancellation;
                Ok(Reply::Skipped(Skipped { capability, message, issue_url: None }))
            }
        })
    }
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
        self.survives().unwrap_or_else(|| self.reference.load(project, world, session))
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.survives().unwrap_or_else(|| self.reference.turn(turn))
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.survives().unwrap_or_else(|| self.reference.wait(wait))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.reference.bye()
    }
}

/// The verdict on one who answers so many requests of a sound sweep before it happens.
fn with(instead: Instead, left: usize, level: Level) -> Verdict {
    let scenario = Repository::shipped()
        .scenario(&ScenarioId::new("cancellation/guarded_transfer_is_made_once"))
        .unwrap();
    assert_eq!(scenario.steps.len(), 1);
    let starter = in_process(move || Mortal { reference: Reference::new(), left, instead });
    let run = Host::new(&starter).run(&scenario, &scenario.needs.clone());
    let is_fault = !matches!(instead, Instead::Errored | Instead::Skipped);
    assert_eq!(run.fault().is_some(), is_fault, "who fell is not asked again");
    judge(&scenario, level, &run)
}

#[test]
fn a_fault_in_a_sweep_has_its_own_status_and_names_the_cut() {
    for (instead, status, said) in [
        (Instead::Crash, Status::Crash, "the implementation crashed: exit status: 7"),
        (Instead::Silence, Status::Timeout, "no answer within 5 ms of real time\nto `turn`"),
        (Instead::Nonsense, Status::ProtocolError, "the answer breaks the protocol: no JSON"),
    ] {
        // The project and the uncut turn come first; then the project and the turn of each cut, and its repetition.
        for (left, place) in [
            (2, "cut off at suspension 1"),
            (3, "cut off at suspension 1"),
            (4, "cut off at suspension 1, the turn after the cut"),
            (6, "cut off at suspension 2"),
        ] {
            for level in [Level::Must, Level::Observed] {
                let verdict = with(instead, left, level);
                assert_eq!((verdict.status, verdict.findings.len()), (status, 0), "{left}");
                assert_eq!(verdict.reason, format!("{place}: {said}"));
                let signature = Failures::of(&verdict).signature().unwrap();
                assert_eq!(signature, format!("{status} cut"));
            }
        }
    }
}

#[test]
fn what_is_errored_in_a_sweep_fails_and_what_is_skipped_is_skipped_wherever_it_happens() {
    for left in [2, 3, 4] {
        for level in [Level::Must, Level::Observed] {
            let verdict = with(Instead::Errored, left, level);
            assert_eq!((verdict.status, verdict.observation), (Status::Fail, None), "{left}");
            let said = "the implementation reports a fault of its own: oh\nline 1";
            assert!(verdict.reason.starts_with("cut off at suspension 1"), "{}", verdict.reason);
            assert!(verdict.reason.ends_with(said), "{}", verdict.reason);
            assert_eq!(with(Instead::Skipped, left, level).status, Status::Skip, "{left}");
        }
    }
}
