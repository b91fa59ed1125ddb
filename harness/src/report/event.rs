//! The events of a run, in the order they are told.
//!
//! Data and the seam between a run and those who report it; no text for people.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::{Capability, HelloReport};
use crate::report::exit_code::ExitCode;
use crate::runner::{Shard, Transcript};
use crate::scenario::{Scenario, ScenarioId};
use crate::source::Position;
use crate::spec::{Catalogue, Level, RequirementId};
use crate::verdict::{Expected, Failures, Observation, Stale, Status, Verdict};

/// Something that happens in a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'run> {
    /// It begins.
    Started {
        /// Who is asked.
        hello: &'run HelloReport,
        /// How many scenarios.
        selected: usize,
        /// Which part of the suite they are.
        scope: Scope,
        /// The clauses.
        catalogue: &'run Catalogue,
    },
    /// A scenario was judged. Told in the order of the scenarios.
    Finished(&'run Judged),
    /// It ends.
    Ended(&'run Summary),
}

/// Which part of the suite a run is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Whether scenarios were left out by name, tag, clause or chapter.
    pub filtered: bool,
    /// The share of the others that is run.
    pub shard: Option<Shard>,
}

impl Scope {
    /// Whether it is the whole suite.
    pub const fn is_whole(self) -> bool {
        !self.filtered && self.shard.is_none()
    }
}

/// Takes the events of a run.
pub trait Reporter {
    /// Takes one event.
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError>;
}

impl<Inner: Reporter + ?Sized> Reporter for &mut Inner {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        (**self).take(event)
    }
}

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The output is gone.
    #[error("the report cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// The report is no JSON.
    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The report is no XML.
    #[error("the report cannot be written as JUnit's XML: {0}")]
    Junit(String),
}

/// A scenario and what became of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its id.
    pub id: ScenarioId,
    /// What it claims.
    pub title: String,
    /// Its file, from the repository's root.
    pub file: String,
    /// The clauses it covers.
    pub covers: Vec<Clause>,
    /// What became of it.
    pub verdict: Verdict,
    /// What it needs and the implementation does not declare: then it was skipped.
    pub missing: BTreeSet<Capability>,
    /// Whether nothing was asked, because the implementation had been given up before.
    pub given_up: bool,
    /// What failed in it, whatever is known of it.
    pub failures: Failures,
    /// The known failure that it is, for an `xfail`.
    pub expected: Option<Expected>,
    /// How its trace compares with the snapshot.
    pub snapshot: Snapshot,
    /// What happened where a sweep failed first; empty when none did.
    pub timeline: String,
    /// What the implementation said on stderr meanwhile; empty when there is nothing, or when the verdict's reason
    /// tells it.
    ///
    /// It belongs to no document: times, process numbers and what a process says only once would make two
    /// reports of the same implementation differ.
    pub said: String,
    /// What was asked and answered, where something failed and somebody wants to know.
    pub transcript: Option<Transcript>,
}

/// A covered clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its id.
    pub id: RequirementId,
    /// How binding it is.
    pub level: Level,
    /// What it says; empty when the catalogue does not have it.
    pub statement: String,
    /// Where the scenario names it.
    pub position: Position,
}

/// How a trace compares with its snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Snapshot {
    /// Nobody asked, or there is no trace to compare.
    NotCompared,
    /// The same.
    Same,
    /// There is no snapshot.
    Missing,
    /// They differ.
    Differs {
        /// What is in one and not in the other, as a unified diff.
        diff: String,
    },
}

impl Snapshot {
    /// Whether something changed since the snapshot was accepted.
    pub const fn is_changed(&self) -> bool {
        matches!(self, Self::Missing | Self::Differs { .. })
    }
}

impl Judged {
    /// Puts a scenario, its clauses and its verdict together.
    pub fn new(scenario: &Scenario, catalogue: &Catalogue, verdict: Verdict, snapshot: Snapshot) -> Self {
        Self {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            file: scenario.file.clone(),
            covers: clauses(scenario, catalogue),
            failures: Failures::of(&verdict),
            missing: BTreeSet::new(),
            given_up: false,
            expected: None,
            verdict,
            timeline: String::new(),
            said: String::new(),
            transcript: None,
            snapshot,
        }
    }
}

/// The clauses a scenario covers, with their words.
fn clauses(scenario: &Scenario, catalogue: &Catalogue) -> Vec<Clause> {
    scenario
        .covers
        .iter()
        .map(|(id, position)| {
            let requirement = catalogue.requirement(id);
            Clause {
                id: id.clone(),
                level: requirement.map_or(Level::Must, |requirement| requirement.level),
                statement: requirement.map(|requirement| requirement.statement.clone()).unwrap_or_default(),
                position: *position,
            }
        })
        .collect()
}

/// What a run comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many scenarios were judged.
    pub total: usize,
    /// How many of each status; those without any are left out.
    pub counts: BTreeMap<Status, usize>,
    /// How many observing scenarios saw something other than they describe.
    pub observed_differs: usize,
    /// How many traces differ from their snapshot, or have none.
    pub snapshots_changed: usize,
    /// Whether a changed snapshot is a failure.
    pub strict: bool,
    /// How many scenarios were not run, because one failed before them.
    pub not_run: usize,
    /// What no longer holds in the baseline.
    pub stale: Vec<Stale>,
}

impl Summary {
    /// Counts a scenario.
    pub fn count(&mut self, judged: &Judged) {
        self.total += 1;
        *self.counts.entry(judged.verdict.status).or_default() += 1;
        if matches!(judged.verdict.observation, Some(Observation::Differs { .. })) {
            self.observed_differs += 1;
        }
        if judged.snapshot.is_changed() {
            self.snapshots_changed += 1;
        }
    }

    /// How many have this status.
    pub fn of(&self, status: Status) -> usize {
        self.counts.get(&status).copied().unwrap_or(0)
    }

    /// How a command with this outcome ends.
    pub fn exit_code(&self) -> ExitCode {
        let is_stale = !self.stale.is_empty() || (self.strict && self.snapshots_changed > 0);
        ExitCode::of_run(&self.counts, is_stale)
    }
}
