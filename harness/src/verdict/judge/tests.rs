//! What becomes of a scenario, for every way a run can go.
//!
//! Data only. Rules: design, "Verdicts".

use serde_json::json;

use super::*;
use crate::protocol::{
    Capability, Failure, Finding as LoadFinding, LlmCall, LoadPhase, LoadReport, Outcome, ScriptedReply,
    Severity, Turn, TurnTrace, UserInput,
};
use crate::verdict::fixture::{expectation, scenario};
use crate::verdict::signature::Failures;

fn loaded(report: LoadReport) -> Run {
    Run { load: Some(Ok(Reply::Result(report))), ..Run::default() }
}

fn rejected() -> LoadReport {
    let finding = LoadFinding {
        code: "mantle.broken".to_owned(),
        severity: Severity::Error,
        phase: LoadPhase::Train,
        place: None,
        message: "it is broken".to_owned(),
    };
    LoadReport {
        outcome: LoadOutcome::Rejected,
        phase: Some(LoadPhase::Train),
        findings: vec![finding],
        ..LoadReport::default()
    }
}

fn turn(expect: Option<&Json>) -> Step {
    let turn = Turn {
        input: UserInput::Says("hi".to_owned()),
        llm: vec![ScriptedReply { say: Some("hello".to_owned()), calls: Vec::new() }],
        interrupt: None,
    };
    Step { position: Position::new(10, 3), action: StepAction::Turn(turn), expect: expect.map(expectation) }
}

fn answered(trace: TurnTrace) -> Run {
    Run { steps: vec![StepAnswer::Turn(Ok(Reply::Result(trace)))], ..loaded(LoadReport::default()) }
}

fn heard() -> TurnTrace {
    let call = LlmCall {
        at_ms: 0,
        offered: [].into_iter().collect(),
        read: Vec::new(),
        heard: None,
        say: None,
        calls: Vec::new(),
    };
    TurnTrace { llm_calls: vec![call], ..TurnTrace::default() }
}

fn status(scenario: &Scenario, run: &Run) -> (Status, String) {
    let verdict = judge(scenario, Level::Must, run);
    (verdict.status, verdict.reason)
}

const REFUSAL: &str = "the project was rejected while training: mantle.broken: it is broken";

#[test]
fn a_match_passes_and_a_difference_fails_where_it_stands() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let verdict = judge(&scenario, Level::Must, &loaded(LoadReport::default()));
    assert_eq!(verdict.status, Status::Pass);
    let verdict = judge(&scenario, Level::Must, &loaded(rejected()));
    assert_eq!((verdict.status, verdict.reason.as_str()), (Status::Fail, REFUSAL));
    assert_eq!(verdict.position, crate::verdict::fixture::HERE);
    assert_eq!(verdict.findings.len(), 1);
}

#[test]
fn a_refusal_nobody_spoke_of_is_untestable() {
    let silent = scenario(Some(&json!({"skills": {}})), Vec::new());
    assert_eq!(status(&silent, &loaded(rejected())), (Status::Untestable, REFUSAL.to_owned()));
    let steps = scenario(None, vec![turn(Some(&json!({"outcome": "completed"})))]);
    assert_eq!(status(&steps, &loaded(rejected())).0, Status::Untestable);
    let expected = scenario(Some(&json!({"outcome": "rejected"})), vec![turn(None)]);
    assert_eq!(status(&expected, &loaded(rejected())).0, Status::Untestable);
}

#[test]
fn a_refusal_counts_only_beside_a_control_that_is_accepted() {
    let mut scenario = scenario(Some(&json!({"outcome": "rejected"})), Vec::new());
    scenario.control = Some(crate::project::MemoryProject::new());
    let with_control = |report| Run { control: Some(Ok(Reply::Result(report))), ..loaded(rejected()) };
    assert_eq!(status(&scenario, &with_control(LoadReport::default())).0, Status::Pass);
    let (status, reason) = status(&scenario, &with_control(rejected()));
    assert_eq!((status, reason), (Status::Untestable, format!("control: {REFUSAL}")));
}

#[test]
fn a_turn_that_did_not_happen_is_untestable() {
    let absence = scenario(None, vec![turn(Some(&json!({"events": {"exclude": ["tool_executed"]}})))]);
    assert_eq!(status(&absence, &answered(heard())).0, Status::Pass);
    assert_eq!(
        status(&absence, &answered(TurnTrace::default())),
        (Status::Untestable, "step 1: the turn completed without calling the scripted model".to_owned())
    );
    let failure = Some(Failure { code: "llm_script_exhausted".to_owned(), message: String::new() });
    let given_up = TurnTrace { outcome: Outcome::Failed, failure, ..heard() };
    assert_eq!(
        status(&absence, &answered(given_up.clone())),
        (Status::Untestable, "step 1: the turn failed: llm_script_exhausted".to_owned())
    );
    let spoken = scenario(None, vec![turn(Some(&json!({"failure": {"code": "llm_script_exhausted"}})))]);
    assert_eq!(status(&spoken, &answered(given_up)).0, Status::Pass);
}

#[test]
fn what_is_not_offered_is_skipped_with_its_reason() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let run = Run::lacking([Capability::Mcp, Capability::Schema].into());
    assert_eq!(status(&scenario, &run), (Status::Skip, "not declared: schema, mcp".to_owned()));
    let skipped = Skipped { capability: Capability::Mcp, message: "not yet".to_owned(), issue_url: None };
    let run = Run { load: Some(Ok(Reply::Skipped(skipped))), ..Run::default() };
    let reason = "the project: mcp is not offered: not yet".to_owned();
    assert_eq!(status(&scenario, &run), (Status::Skip, reason));
}

#[test]
fn no_answer_has_a_verdict_of_its_own() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let faults = [
        (Fault::Crash("gone".to_owned()), Status::Crash),
        (Fault::NotStarted("no such file".to_owned()), Status::Crash),
        (Fault::Silence { limit_ms: 5, detail: String::new() }, Status::Timeout),
        (Fault::Protocol("no JSON".to_owned()), Status::ProtocolError),
        (Fault::Harness("the disk is full".to_owned()), Status::HarnessError),
    ];
    for (fault, expected) in faults {
        let run = Run { load: Some(Err(fault)), ..Run::default() };
        assert_eq!(status(&scenario, &run).0, expected);
    }
    assert_eq!(status(&scenario, &Run::default()).0, Status::HarnessError);
}

fn errored(detail: &str) -> Run {
    let errored = Errored { message: "oh".to_owned(), detail: detail.to_owned() };
    Run { load: Some(Ok(Reply::Errored(errored))), ..Run::default() }
}

#[test]
fn a_fault_of_its_own_is_told_from_its_beginning_to_its_end() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let all: Vec<String> = (1..=50).map(|number| number.to_string()).collect();
    let cut = ["1", "2", "…", "45", "46", "47", "48", "49", "50"].join("\n");
    for (detail, told) in [
        (String::new(), String::new()),
        (all[..8].join("\n"), format!("\n{}", all[..8].join("\n"))),
        (all.join("\n"), format!("\n{cut}")),
    ] {
        let reason = format!("the project: the implementation reports a fault of its own: oh{told}");
        assert_eq!(status(&scenario, &errored(&format!("{detail}\n\n"))), (Status::Fail, reason));
    }
}

#[test]
fn a_fault_of_its_own_is_nothing_that_a_silent_text_leaves_open() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let verdict = judge(&scenario, Level::Observed, &errored("at line 1"));
    assert_eq!((verdict.status, verdict.observation.clone()), (Status::Fail, None));
    assert_eq!(Failures::of(&verdict).signature().as_deref(), Some("fail load: errored"));
}

#[test]
fn a_difference_before_a_skip_is_still_a_failure() {
    let scenario = scenario(Some(&json!({"findings": ["x"]})), vec![turn(None)]);
    let skipped = Skipped { capability: Capability::Mcp, message: String::new(), issue_url: None };
    let run =
        Run { steps: vec![StepAnswer::Turn(Ok(Reply::Skipped(skipped)))], ..loaded(LoadReport::default()) };
    assert_eq!(status(&scenario, &run).0, Status::Fail);
}

#[test]
fn nothing_expected_is_a_fault_of_the_suite() {
    let scenario = scenario(None, vec![turn(None)]);
    assert_eq!(status(&scenario, &answered(heard())).0, Status::HarnessError);
}

#[test]
fn a_scenario_that_only_observes_never_fails() {
    let scenario = scenario(Some(&json!({"outcome": "ok"})), Vec::new());
    let same = judge(&scenario, Level::Observed, &loaded(LoadReport::default()));
    assert_eq!((same.status, same.observation), (Status::Pass, Some(Observation::AsDescribed)));
    let other = judge(&scenario, Level::Observed, &loaded(rejected()));
    assert_eq!((other.status, other.findings.len()), (Status::Pass, 0));
    let Some(Observation::Differs { reason, findings }) = other.observation else {
        panic!("must be recorded");
    };
    assert_eq!((reason.as_str(), findings.len()), (REFUSAL, 1));
}

#[test]
fn an_unknown_clause_binds() {
    let scenario = scenario(None, Vec::new());
    assert_eq!(binding_level(&scenario, &Catalogue::default()), Level::Must);
}
