//! Implementations that do nothing right pass nothing that binds.
//!
//! Says nothing about which scenarios there are. Rules: design, "Proof that the suite is good", 3.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

mod doubles;

use std::num::NonZeroUsize;

use doubles::{Double, Habit};
use harness::report::{Event, Judged, ReportError, Reporter, Summary};
use harness::scenario::Scenario;
use harness::spec::{Catalogue, Level};
use harness::suite::{Campaign, Repository, in_process, run_campaign};
use harness::verdict::{Status, binding_level};

struct Kept(Vec<Judged>);

impl Reporter for Kept {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        if let Event::Finished(judged) = event {
            self.0.push(judged.clone());
        }
        Ok(())
    }
}

/// All scenarios.
fn all() -> (Catalogue, Vec<Scenario>) {
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap();
    // One that cannot be read passes nothing; lint and its own trial say what is wrong with it.
    let scenarios = ids.iter().filter_map(|id| repository.scenario(id).ok()).collect();
    (repository.catalogue().unwrap(), scenarios)
}

/// The scenarios that cover at least one `must`.
fn binding() -> (Catalogue, Vec<Scenario>) {
    let (catalogue, mut scenarios) = all();
    scenarios.retain(|scenario| binding_level(scenario, &catalogue) == Level::Must);
    (catalogue, scenarios)
}

fn judged_by(
    make: impl Fn() -> Double + Send + Sync + 'static,
    catalogue: &Catalogue,
    scenarios: &[Scenario],
) -> (Summary, Vec<Judged>) {
    let starter = in_process(make);
    let campaign =
        Campaign { jobs: NonZeroUsize::new(2).unwrap(), ..Campaign::new(&starter, catalogue, scenarios) };
    let mut kept = Kept(Vec::new());
    let summary = run_campaign(&campaign, &mut kept).unwrap();
    (summary, kept.0)
}

#[test]
fn trivial_implementations_pass_no_scenario_that_binds() {
    let (catalogue, scenarios) = binding();
    assert!(!scenarios.is_empty());
    let mut passed = Vec::new();
    for habit in [Habit::AcceptsAll, Habit::RejectsAll, Habit::Errors, Habit::Panics, Habit::Dies] {
        let (_, judged) = judged_by(move || Double::of(habit), &catalogue, &scenarios);
        assert_eq!(judged.len(), scenarios.len());
        let of_habit = judged.iter().filter(|judged| judged.verdict.status == Status::Pass);
        passed.extend(
            of_habit.map(|judged| format!("{}: an implementation that {habit:?} passes", judged.file)),
        );
    }
    assert!(
        passed.is_empty(),
        "expect something that only a runtime that did it can show:\n{}",
        passed.join("\n")
    );
}

#[test]
fn faults_have_their_own_verdicts_also_where_the_text_is_silent() {
    let (catalogue, scenarios) = all();
    let expected =
        [(Habit::Errors, Status::Fail), (Habit::Panics, Status::Crash), (Habit::Dies, Status::Crash)];
    for (habit, status) in expected {
        let (summary, _) = judged_by(move || Double::of(habit), &catalogue, &scenarios);
        assert_eq!(summary.of(status), scenarios.len(), "{habit:?}");
    }
}

#[test]
fn an_implementation_that_can_do_nothing_is_skipped_and_not_passed() {
    let (catalogue, scenarios) = binding();
    let (summary, judged) = judged_by(Double::incapable, &catalogue, &scenarios);
    assert_eq!(summary.of(Status::Skip), scenarios.len());
    assert!(judged.iter().all(|judged| judged.verdict.reason.starts_with("not declared: ")));
}
