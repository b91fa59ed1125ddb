//! `sweep` and `always`: a turn that is cut off everywhere, and what must hold wherever it is.
//!
//! Reads a tree whose shape has been checked; reports what two keys say against each other.
//! Rules: `docs/scenarios.md`, "sweep".

use super::named_expectation;
use super::world::{items, text};
use crate::protocol::ServiceName;
use crate::scenario::expect::Observed;
use crate::scenario::{Step, StepAction, Sweep};
use crate::source::yaml::Node;
use crate::source::{Diagnostics, Position};

/// Reads `sweep` and `always`.
pub(super) fn read(root: &Node, steps: &[Step], problems: &mut Diagnostics<'_>) -> Option<Sweep> {
    let always = root.get("always");
    let Some(sweep) = root.get("sweep") else {
        if let Some(always) = always {
            let message = "`always` speaks of a sweep, and there is none";
            problems.report(always.position, message, "add `sweep: cancellation`");
        }
        return None;
    };
    match steps.last().map(|step| (&step.action, step.position)) {
        Some((StepAction::Turn(turn), _)) if turn.interrupt.is_none() => {}
        Some((_, position)) => {
            let message = "a sweep cuts the last turn off by itself";
            problems.report(position, message, "end with a turn that has no `interrupt`");
        }
        None => {
            problems.report(
                sweep.position,
                "a sweep needs a turn to cut off",
                "add `steps:` that end with a turn",
            );
        }
    }
    let names = |key: &str| -> Vec<(ServiceName, Position)> {
        let listed = items(always.and_then(|always| always.get(key)));
        listed.iter().map(|name| (ServiceName::new(text(name)), name.position)).collect()
    };
    let mut expectation = |key: &str| named_expectation(always?, key, &[Observed::Turn], problems);
    Some(Sweep {
        position: sweep.position,
        at_most_once: names("at_most_once"),
        never_after_cut: names("never_after_cut"),
        interrupted: expectation("interrupted"),
        repeated: expectation("repeated"),
    })
}
