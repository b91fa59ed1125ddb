//! A campaign tells the same story at any parallelism, in text and in JSON.
//!
//! Uses the real scenarios and the reference; judges neither.
//! Rules: design, "Proof that the suite is good", 4, and "Verdicts" (exit codes).
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

mod doubles;

use std::num::NonZeroUsize;

use doubles::{Double, Habit};
use harness::implementation::Fault;
use harness::protocol::Capability;
use harness::reference::Reference;
use harness::report::{Document, ExitCode, Form, FormReporter, Reporter, ScenarioEntry, TerminalReporter};
use harness::runner::Starter;
use harness::scenario::Scenario;
use harness::suite::{Campaign, CampaignError, Repository, in_process, run_campaign};
use harness::verdict::Status;

/// Every n-th scenario: enough of each chapter for the workers to overtake one another.
fn scenarios() -> Vec<Scenario> {
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap();
    ids.iter().step_by(ids.len() / 60 + 1).filter_map(|id| repository.scenario(id).ok()).collect()
}

/// What a campaign prints, colours and all, and how it ends.
fn told(starter: &Starter, scenarios: &[Scenario], jobs: usize, json: bool) -> (String, ExitCode) {
    let repository = Repository::shipped();
    let catalogue = repository.catalogue().unwrap();
    let campaign = Campaign {
        snapshots: Some(&repository),
        jobs: NonZeroUsize::new(jobs).unwrap(),
        ..Campaign::new(starter, &catalogue, scenarios)
    };
    let mut output = Vec::new();
    let mut reporter: Box<dyn Reporter + '_> = if json {
        Box::new(FormReporter::new(Form::Json, &mut output))
    } else {
        Box::new(TerminalReporter::new(&mut output))
    };
    let code = run_campaign(&campaign, reporter.as_mut()).unwrap().exit_code();
    drop(reporter);
    (String::from_utf8(output).unwrap(), code)
}

#[test]
fn parallelism_changes_no_byte() {
    let scenarios = scenarios();
    let reference = in_process(Reference::new);
    let crashing = in_process(|| Double::of(Habit::Panics));
    let starters: [&Starter; 2] = [&reference, &crashing];
    for starter in starters {
        for json in [true, false] {
            let alone = told(starter, &scenarios, 1, json);
            for jobs in [2, 7] {
                assert!(alone == told(starter, &scenarios, jobs, json), "{jobs} jobs tell another story");
            }
        }
    }
}

#[test]
fn who_answers_nothing_is_given_up_at_the_same_scenario_at_any_parallelism() {
    let scenarios = scenarios();
    let starter = in_process(|| Double::without(Habit::Hangs, Capability::Memory));
    let (alone, _) = told(&starter, &scenarios, 1, true);
    let document = Document::read(&alone).unwrap();
    let given_up = |one: &&ScenarioEntry| one.reason.contains("given up after 20 silences in a row");
    let timed_out = document.scenarios.iter().filter(|one| one.status == Status::Timeout);
    assert_eq!(timed_out.clone().position(|one| given_up(&one)), Some(20));
    assert!(timed_out.skip(20).all(|one| given_up(&one)));
    let last = document.scenarios.iter().rposition(|one| one.status == Status::Skip);
    let first = document.scenarios.iter().position(|one| given_up(&one));
    assert!(last > first, "what is not declared is skipped, given up or not");
    for jobs in [2, 7] {
        assert!(alone == told(&starter, &scenarios, jobs, true).0, "{jobs} jobs tell another story");
    }
}

#[test]
fn on_a_terminal_those_never_asked_are_counted_and_not_shown_one_by_one() {
    let scenarios = scenarios();
    let starter = in_process(|| Double::without(Habit::Hangs, Capability::Memory));
    let (text, _) = told(&starter, &scenarios, 2, false);
    let text = anstream::adapter::strip_str(&text).to_string();
    let given_up: Vec<&str> =
        text.lines().filter(|line| line.contains("given up after 20 silences")).collect();
    let [line] = given_up[..] else { panic!("{text}") };
    let asked = text.lines().filter(|line| line.starts_with("  rerun")).count();
    let unasked = line.strip_prefix("timeout ").and_then(|rest| rest.split(' ').next()).unwrap();
    let skipped = text.lines().find_map(|line| line.strip_prefix("skipped ")?.split(':').next()).unwrap();
    let [unasked, skipped] = [unasked, skipped].map(|count| count.parse::<usize>().unwrap());
    assert_eq!((asked, asked + unasked + skipped), (20, scenarios.len()), "{text}");
}

#[test]
fn the_json_document_says_what_the_exit_code_says() {
    let scenarios = scenarios();
    let (text, code) = told(&in_process(|| Double::of(Habit::RejectsAll)), &scenarios, 2, true);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, ExitCode::Failures);
    assert_eq!(document["summary"]["exit_code"], 1);
    assert_eq!(document["summary"]["total"], scenarios.len());
    assert_eq!(document["scenarios"].as_array().unwrap().len(), scenarios.len());
    let first = &document["scenarios"][0];
    let id = first["id"].as_str().unwrap();
    assert_eq!(first["rerun"], format!("cargo xtask conformance --run {id}"));
}

#[test]
fn nothing_to_run_is_no_success() {
    let (_, code) = told(&in_process(Reference::new), &[], 2, false);
    assert_eq!(code, ExitCode::Usage);
}

#[test]
fn an_implementation_that_does_not_start_ends_the_campaign() {
    let repository = Repository::shipped();
    let catalogue = repository.catalogue().unwrap();
    let starter = || Err(Fault::NotStarted("no such command".to_owned()));
    let scenarios = scenarios();
    let campaign = Campaign::new(&starter, &catalogue, &scenarios);
    let outcome = run_campaign(&campaign, &mut FormReporter::new(Form::Json, Vec::new()));
    assert!(matches!(outcome, Err(CampaignError::NotStarted(Fault::NotStarted(_)))));
}
