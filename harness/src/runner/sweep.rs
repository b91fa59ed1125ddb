//! A sweep: the last turn of a scenario, cut off at every suspension and every instant of it.
//!
//! Asks and notes the answers, as `drive` does; the points come from the uncut run.
//! Rules: `docs/scenarios.md`, "sweep"; design, "Time and determinism".

use std::collections::BTreeSet;

use super::drive::{is_accepted, load, run_step};
use super::run::{Cut, Run, StepAnswer, instead};
use crate::implementation::Implementation;
use crate::protocol::{
    Interrupt, InterruptCause, InterruptPoint, Outcome, Reply, ToolRunOutcome, Turn, TurnTrace,
};
use crate::scenario::{Scenario, StepAction};

/// How many points one sweep may have.
const MAXIMUM_POINTS: usize = 400;

/// Sweeps the last turn, once the scenario has run to its end without a cut.
pub(super) fn sweep(scenario: &Scenario, run: &Run, implementation: &mut dyn Implementation) -> Vec<Cut> {
    let Some(StepAction::Turn(turn)) = scenario.steps.last().map(|step| &step.action) else {
        return Vec::new();
    };
    let whole = run.steps.len() == scenario.steps.len();
    let Some(StepAnswer::Turn(Ok(Reply::Result(trace)))) = run.steps.last().filter(|_| whole) else {
        return Vec::new();
    };
    let mut cuts = Vec::new();
    for point in points(trace) {
        let cut = cut_at(scenario, turn, point, implementation);
        let fallen = matches!(cut.interrupted, Some(Err(_))) || matches!(cut.repeated, Some(Err(_)));
        cuts.push(cut);
        if fallen {
            break;
        }
    }
    cuts
}

/// Every suspension, every instant at which something happens, and an instant between each two of them.
pub fn points(trace: &TurnTrace) -> Vec<InterruptPoint> {
    let suspensions: usize = trace.tools.iter().map(|tool| tool.awaits.len()).sum();
    let suspensions = (1..).take(suspensions).map(InterruptPoint::AtAwait);
    let mut instants = BTreeSet::from([trace.started_ms, trace.ended_ms]);
    instants.extend(trace.messages.iter().map(|message| message.at_ms));
    instants.extend(trace.events.iter().map(|event| event.at_ms));
    instants.extend(trace.services.iter().flat_map(|call| [Some(call.started_ms), call.ended_ms]).flatten());
    for tool in &trace.tools {
        instants.extend([tool.started_ms, tool.ended_ms]);
        instants.extend(tool.awaits.iter().flat_map(|one| [one.started_ms, one.ended_ms]));
    }
    let between: Vec<u64> =
        instants.iter().zip(instants.iter().skip(1)).map(|(one, next)| one + (next - one) / 2).collect();
    instants.extend(between);
    // Beyond the end: an interrupt there changes nothing.
    instants.insert(trace.ended_ms + 1);
    let instants = instants.into_iter().map(|at| InterruptPoint::AtMs(at.saturating_sub(trace.started_ms)));
    suspensions.chain(instants).take(MAXIMUM_POINTS).collect()
}

/// Whether the turn is made once more: a call without a record would be made again, and a block goes on.
fn comes_again(trace: &TurnTrace) -> bool {
    let cut_off = trace.tools.iter().any(|run| run.outcome == ToolRunOutcome::Cancelled);
    let in_block = trace.active.as_ref().is_some_and(|active| active.block.is_some());
    trace.outcome == Outcome::Cancelled && (cut_off || in_block)
}

fn cut_at(
    scenario: &Scenario,
    turn: &Turn,
    point: InterruptPoint,
    implementation: &mut dyn Implementation,
) -> Cut {
    let mut cut = Cut { point, interrupted: None, repeated: None };
    let loaded = load(scenario, &scenario.project, implementation);
    if !is_accepted(&loaded) {
        cut.interrupted = instead(loaded);
        return cut;
    }
    let before = scenario.steps.len().saturating_sub(1);
    for step in scenario.steps.iter().take(before) {
        let (answer, goes_on) = run_step(step, implementation);
        if !goes_on {
            cut.interrupted = answer.instead();
            return cut;
        }
    }
    let interrupt = Some(Interrupt { when: point, cause: InterruptCause::BargeIn });
    let interrupted = implementation.turn(&Turn { interrupt, ..turn.clone() });
    let is_repeated = matches!(&interrupted, Ok(Reply::Result(trace)) if comes_again(trace));
    cut.interrupted = Some(interrupted);
    if is_repeated {
        cut.repeated = Some(implementation.turn(turn));
    }
    cut
}
