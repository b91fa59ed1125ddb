//! A run as one document: what every report for programs is made of, and the JSON report itself.
//!
//! Data; fields are added, never renamed. Nothing in it depends on time, machine or parallelism.
//! Rules: `specs/report.schema.json`, which is generated from these types.

mod build;
mod merge;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::HelloReport;
use crate::report::conclusion::{conclusion, summary_line};
use crate::report::event::Summary;
use crate::report::exit_code::ExitCode;
use crate::source::{Place, Position};
use crate::verdict::{Stale, Staleness, Status};

pub(super) use build::Builder;
pub use merge::MergeError;

/// The version of the document's shape.
const FORMAT: u32 = 1;

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// The version of this shape.
    pub format: u32,
    /// The suite that was run.
    pub suite: SuiteEntry,
    /// Who was asked, as it introduced itself.
    pub implementation: Option<HelloReport>,
    /// Which part of the suite was run.
    pub scope: ScopeEntry,
    /// What it came to.
    pub summary: SummaryEntry,
    /// The chapters of the contract.
    pub chapters: Vec<ChapterEntry>,
    /// What no longer holds in the baseline of known failures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<StaleEntry>,
    /// Every scenario that was run, by id.
    pub scenarios: Vec<ScenarioEntry>,
}

/// The suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuiteEntry {
    /// Its version.
    pub version: String,
    /// The protocol that it speaks.
    pub protocol: u32,
}

/// Which part of the suite was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeEntry {
    /// Whether scenarios were left out by name, tag, clause or chapter.
    pub filtered: bool,
    /// The share of the others that was run; absent when all of them were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardEntry>,
}

/// A share of the scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardEntry {
    /// Which one, from 1.
    pub index: usize,
    /// Of how many.
    pub count: usize,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SummaryEntry {
    /// How many scenarios were judged.
    pub total: usize,
    /// How many of each status; every status is there.
    pub counts: BTreeMap<String, usize>,
    /// How many observing scenarios saw something other than they describe.
    pub observed_differs: usize,
    /// How many snapshots changed.
    pub snapshots_changed: usize,
    /// Whether a changed snapshot fails the run.
    pub strict: bool,
    /// How many scenarios were not run, because one failed before them.
    pub not_run: usize,
    /// The exit code of the command.
    pub exit_code: u8,
}

/// A chapter of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterEntry {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How many of its clauses the text demands.
    pub must: usize,
    /// On how many points the text is silent.
    pub observed: usize,
}

/// An entry of the baseline that no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct StaleEntry {
    /// The baseline.
    pub file: String,
    /// Where in it: line and column.
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// The entry's key.
    pub key: String,
    /// How it does not hold.
    pub kind: Staleness,
    /// In words.
    pub message: String,
}

/// One scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioEntry {
    /// Its id.
    pub id: String,
    /// What it claims.
    pub title: String,
    /// Its file.
    pub file: String,
    /// The clauses it covers.
    pub covers: Vec<ClauseEntry>,
    /// Its status.
    pub status: Status,
    /// Why, where the differences do not say it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// For what failed: how, in text that stays the same as long as the same thing fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// For a known failure: what is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ExpectedEntry>,
    /// Where to look first: line and column in its file.
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// Every difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<DifferenceEntry>,
    /// For a sweep that failed: what happened where it failed first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub timeline: String,
    /// For a scenario that binds nobody: what it saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<ObservedEntry>,
    /// How its trace compares with the snapshot; absent when nothing was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<SnapshotEntry>,
    /// For a snapshot that differs: a unified diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_diff: Option<String>,
    /// The command that runs it again.
    pub rerun: String,
}

/// What is known about a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectedEntry {
    /// Why it fails.
    pub reason: String,
    /// Where that is tracked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
}

/// How a trace compares with its snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SnapshotEntry {
    /// The same.
    Same,
    /// There is no snapshot.
    Missing,
    /// They differ.
    Differs,
}

/// A covered clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseEntry {
    /// Its id.
    pub id: String,
    /// How binding it is.
    pub level: LevelEntry,
    /// What it says.
    pub statement: String,
}

/// How binding a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LevelEntry {
    /// The text demands it.
    Must,
    /// The text is silent: recorded, never a failure.
    Observed,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceEntry {
    /// `control`, `load`, or `step` and its number.
    pub check: String,
    /// Where in the observation.
    pub path: String,
    /// What was demanded.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// Where the demand stands in the scenario's file.
    pub line: u32,
    /// See `line`.
    pub column: u32,
}

/// What an observing scenario saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObservedEntry {
    /// Whether it is what the scenario describes.
    pub as_described: bool,
    /// What kept it from being seen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How it differs, in text that stays the same as long as it differs in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Every difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<DifferenceEntry>,
}

/// A text that is no report.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// Not JSON of this shape.
    #[error("this is no JSON report: {0}")]
    Shape(#[from] serde_json::Error),
    /// Of another version.
    #[error("this is a report of format {0}, this suite reads format {FORMAT}")]
    Format(u32),
}

impl Document {
    /// Reads a JSON report.
    pub fn read(text: &str) -> Result<Self, DocumentError> {
        let json: crate::protocol::Json = serde_json::from_str(text)?;
        // The version first: what another one looks like is not known here.
        let format = json.get("format").and_then(serde_json::Value::as_u64);
        match format.and_then(|format| u32::try_from(format).ok()) {
            Some(format) if format != FORMAT => Err(DocumentError::Format(format)),
            _ => Ok(serde_json::from_value(json)?),
        }
    }

    /// Whether it is about the whole suite.
    pub const fn is_whole(&self) -> bool {
        !self.scope.filtered && self.scope.shard.is_none() && self.summary.not_run == 0
    }

    /// How the command ended that made it.
    pub fn exit_code(&self) -> ExitCode {
        self.summary().exit_code()
    }

    /// What it says of the implementation, in a few words.
    pub(super) fn conclusion(&self) -> String {
        conclusion(&self.summary(), !self.is_whole())
    }

    /// What a run ends with on a terminal: the counts, and what they say of the implementation.
    pub fn closing_text(&self) -> String {
        format!("{}\n{}\n", summary_line(&self.summary(), false), self.conclusion())
    }

    /// What it came to, as the run told it.
    fn summary(&self) -> Summary {
        let stale = |entry: &StaleEntry| Stale {
            place: Place::new(entry.file.clone(), Position::new(entry.line, entry.column)),
            key: entry.key.clone(),
            kind: entry.kind,
            message: entry.message.clone(),
        };
        Summary {
            total: self.summary.total,
            counts: self.counts(),
            observed_differs: self.summary.observed_differs,
            snapshots_changed: self.summary.snapshots_changed,
            strict: self.summary.strict,
            not_run: self.summary.not_run,
            stale: self.stale.iter().map(stale).collect(),
        }
    }

    /// How many scenarios have each status; those without any are left out.
    fn counts(&self) -> BTreeMap<Status, usize> {
        let counts = Status::ALL.into_iter().filter_map(|status| {
            let count = *self.summary.counts.get(status.word()).filter(|count| **count > 0)?;
            Some((status, count))
        });
        counts.collect()
    }

    /// Who was asked, in a few words.
    pub fn implementation_name(&self) -> String {
        self.implementation
            .as_ref()
            .map_or_else(|| "nobody".to_owned(), |hello| format!("{} {}", hello.name, hello.version))
    }
}

impl ScenarioEntry {
    /// The first segment of its id.
    pub fn folder(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// The JSON Schema of the document.
pub fn schema() -> crate::protocol::Json {
    schemars::schema_for!(Document).to_value()
}
