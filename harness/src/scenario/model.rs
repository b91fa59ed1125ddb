//! The data of a scenario, after parsing: nothing in it can be malformed any more.
//!
//! Types without behaviour; where they come from is the parser's business.
//! Rules: `docs/scenarios.md`.

use std::collections::BTreeSet;

use super::Pattern;
use crate::project::MemoryProject;
use crate::protocol::{Capability, ServiceName, Session, Turn, Wait, World};
use crate::source::Position;
use crate::spec::RequirementId;

/// A scenario's id: its path below `scenarios/` without the ending, for example
/// `schema/optional_union`. Immutable: a changed meaning is a new scenario.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioId(String);

impl ScenarioId {
    /// Wraps an id.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder of the chapter it belongs to.
    pub fn chapter_folder(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

impl std::fmt::Display for ScenarioId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its id.
    pub id: ScenarioId,
    /// Its file, as a reader would open it from the repository's root.
    pub file: String,
    /// What it claims, in one sentence.
    pub title: String,
    /// Where the title stands.
    pub title_position: Position,
    /// The clauses it covers, each with its place in the file.
    pub covers: Vec<(RequirementId, Position)>,
    /// What it needs beyond what the covered clauses need.
    pub needs: BTreeSet<Capability>,
    /// Free words to select by.
    pub tags: BTreeSet<String>,
    /// The agent project, complete: what was left out and is needed is filled in.
    pub project: MemoryProject,
    /// The same project made sound: it must be accepted, or a rejection proves nothing.
    pub control: Option<MemoryProject>,
    /// The outside world.
    pub world: World,
    /// Where the conversation begins.
    pub session: Session,
    /// What must be seen when the project is loaded.
    pub load: Option<Expectation>,
    /// What happens then, in order.
    pub steps: Vec<Step>,
    /// Whether the last turn is swept, and what must hold in each of its runs.
    pub sweep: Option<Sweep>,
}

/// A sweep: the last turn of a scenario is cut off at every suspension and every instant of it, and repeated
/// uncut after each.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Where it stands in the file.
    pub position: Position,
    /// Services that return at most once over the cut turn and its repetition, each with its place.
    pub at_most_once: Vec<(ServiceName, Position)>,
    /// Services that no call reaches once the turn is cut off, each with its place.
    pub never_after_cut: Vec<(ServiceName, Position)>,
    /// What the trace of the cut turn must match.
    pub interrupted: Option<Expectation>,
    /// What the trace of its repetition must match.
    pub repeated: Option<Expectation>,
}

/// One step of a scenario's timeline.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it stands in the file.
    pub position: Position,
    /// What happens.
    pub action: StepAction,
    /// What must be seen.
    pub expect: Option<Expectation>,
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum StepAction {
    /// A user turn.
    Turn(Turn),
    /// Virtual time passes.
    Wait(Wait),
}

/// What must be seen of a load report or a turn trace.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Where it stands in the file.
    pub position: Position,
    /// The pattern that the whole report must match.
    pub pattern: Pattern,
}
