//! What must have happened before an expectation means anything.
//!
//! Asks whether there was something to see, not whether it was right: nothing passes for the wrong
//! reason. Rules: design, "Verdicts" (untestable).

use std::collections::BTreeSet;

use crate::protocol::{LoadOutcome, LoadReport, Outcome, Turn, TurnTrace};
use crate::scenario::{Expectation, Pattern, PatternKind};

/// How many findings a reason quotes.
const MAXIMUM_QUOTED: usize = 3;

/// Why a load report cannot be judged by this expectation, if it cannot: the project was refused and
/// the expectation does not speak of that.
pub(super) fn refused_unasked(expectation: Option<&Expectation>, report: &LoadReport) -> Option<String> {
    let speaks = expectation.is_some_and(|expectation| speaks_of(&expectation.pattern, "outcome"));
    (report.outcome == LoadOutcome::Rejected && !speaks).then(|| refusal(report))
}

/// A refusal in words: phase and findings.
pub(super) fn refusal(report: &LoadReport) -> String {
    let phase = report.phase.map_or("loading", |phase| match phase {
        crate::protocol::LoadPhase::Train => "training",
        crate::protocol::LoadPhase::Load => "loading",
        crate::protocol::LoadPhase::Startup => "starting",
    });
    let mut quoted: Vec<String> = report
        .findings
        .iter()
        .take(MAXIMUM_QUOTED)
        .map(|finding| match &finding.place {
            Some(place) => {
                format!("{} ({}:{}): {}", finding.code, place.file, place.line, finding.message)
            }
            None => format!("{}: {}", finding.code, finding.message),
        })
        .collect();
    if report.findings.len() > MAXIMUM_QUOTED {
        quoted.push(format!("and {} more", report.findings.len() - MAXIMUM_QUOTED));
    }
    if quoted.is_empty() {
        quoted.push("it gave no findings".to_owned());
    }
    format!("the project was rejected while {phase}: {}", quoted.join("; "))
}

/// A refusal by its kinds alone: phase and codes, each once.
pub(super) fn refusal_codes(report: &LoadReport) -> String {
    let codes: BTreeSet<&str> = report.findings.iter().map(|finding| finding.code.as_str()).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    format!("rejected {}", codes.join(" ")).trim_end().to_owned()
}

/// Why a turn was no turn, by its kind alone.
pub(super) fn failure_code(trace: &TurnTrace) -> String {
    let code = trace.failure.as_ref().map(|failure| failure.code.as_str());
    let failed = |code: &str| format!("failed {code}").trim_end().to_owned();
    if trace.outcome == Outcome::Failed {
        failed(code.unwrap_or_default())
    } else {
        "no model call".to_owned()
    }
}

/// Why a turn cannot be judged by this expectation, if it cannot: the runtime gave the turn up, or a
/// scripted model was never called, and the expectation does not speak of that.
pub(super) fn turn_did_not_happen(
    expectation: Option<&Expectation>,
    turn: &Turn,
    trace: &TurnTrace,
) -> Option<String> {
    let speaks = |key| expectation.is_some_and(|expectation| speaks_of(&expectation.pattern, key));
    if trace.outcome == Outcome::Failed && !speaks("outcome") && !speaks("failure") {
        let why = trace.failure.as_ref().map_or_else(
            || "it does not say why".to_owned(),
            |failure| format!("{} {}", failure.code, failure.message).trim_end().to_owned(),
        );
        return Some(format!("the turn failed: {why}"));
    }
    let unheard = !turn.llm.is_empty() && trace.llm_calls.is_empty();
    (unheard && trace.outcome == Outcome::Completed && !speaks("llm_calls"))
        .then(|| "the turn completed without calling the scripted model".to_owned())
}

/// Whether a pattern for a report says anything about one of its keys.
pub(super) fn speaks_of(pattern: &Pattern, key: &str) -> bool {
    match &pattern.kind {
        PatternKind::Map(entries) => entries.iter().any(|(name, _)| name == key),
        PatternKind::Exactly(inner) => speaks_of(inner, key),
        PatternKind::Any(parts) | PatternKind::All(parts) => parts.iter().any(|part| speaks_of(part, key)),
        PatternKind::Scalar(_)
        | PatternKind::List(_)
        | PatternKind::Include(_)
        | PatternKind::Exclude(_)
        | PatternKind::SomeValue(_)
        | PatternKind::Matches(_) => false,
    }
}
