//! The report as one JSON document, for programs.
//!
//! Its shape is [`Document`]; fields are added, never renamed. Nothing in it depends on time or machine.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use crate::protocol::HelloReport;
use crate::report::event::{Event, Judged, ReportError, Reporter, Snapshot, Summary};
use crate::report::failure::Rerun;
use crate::spec::Level;
use crate::verdict::{Finding, Observation, Status};

/// Writes a run as one JSON document, when it ends.
pub struct JsonReporter<Output> {
    output: Output,
    command: Option<String>,
    implementation: Option<HelloReport>,
    scenarios: Vec<ScenarioEntry>,
}

impl<Output: Write> JsonReporter<Output> {
    /// A reporter that writes to this output.
    pub fn new(output: Output) -> Self {
        Self { output, command: None, implementation: None, scenarios: Vec::new() }
    }

    /// Failures are shown with the command that reruns them with this implementation.
    #[must_use]
    pub fn of_command(mut self, command: Option<String>) -> Self {
        self.command = command;
        self
    }
}

impl<Output: Write> Reporter for JsonReporter<Output> {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        match event {
            Event::Started { hello, .. } => self.implementation = Some(hello.clone()),
            Event::Finished(judged) => {
                self.scenarios.push(scenario_entry(judged, Rerun::of(self.command.as_deref())));
            }
            Event::Ended(summary) => {
                let document = Document {
                    format: 1,
                    implementation: self.implementation.take(),
                    summary: summary_entry(summary),
                    scenarios: std::mem::take(&mut self.scenarios),
                };
                serde_json::to_writer_pretty(&mut self.output, &document)?;
                writeln!(self.output)?;
                self.output.flush()?;
            }
        }
        Ok(())
    }
}

/// The whole document.
#[derive(Debug, Serialize)]
struct Document {
    /// The version of this shape.
    format: u32,
    /// Who was asked, as it introduced itself.
    implementation: Option<HelloReport>,
    /// What it came to.
    summary: SummaryEntry,
    /// Every scenario, by id.
    scenarios: Vec<ScenarioEntry>,
}

/// What a run came to.
#[derive(Debug, Serialize)]
struct SummaryEntry {
    /// How many scenarios were judged.
    total: usize,
    /// How many of each status; every status is there.
    counts: BTreeMap<&'static str, usize>,
    /// How many observing scenarios saw something other than they describe.
    observed_differs: usize,
    /// How many snapshots changed.
    snapshots_changed: usize,
    /// The exit code of the command.
    exit_code: u8,
}

/// One scenario.
#[derive(Debug, Serialize)]
struct ScenarioEntry {
    /// Its id.
    id: String,
    /// What it claims.
    title: String,
    /// Its file.
    file: String,
    /// The clauses it covers.
    covers: Vec<ClauseEntry>,
    /// Its status.
    status: Status,
    /// Why, where the differences do not say it.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// Where to look first: line and column in its file.
    line: u32,
    /// See `line`.
    column: u32,
    /// Every difference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<DifferenceEntry>,
    /// For a scenario that binds nobody: what it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<ObservedEntry>,
    /// `same`, `missing` or `differs`; absent when nothing was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot: Option<&'static str>,
    /// For a snapshot that differs: a unified diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    snapshot_diff: Option<String>,
    /// The command that runs it again.
    rerun: String,
}

/// A covered clause.
#[derive(Debug, Serialize)]
struct ClauseEntry {
    /// Its id.
    id: String,
    /// `must` or `observed`.
    level: &'static str,
    /// What it says.
    statement: String,
}

/// One difference.
#[derive(Debug, Serialize)]
struct DifferenceEntry {
    /// `control`, `load`, or `step` and its number.
    check: String,
    /// Where in the observation.
    path: String,
    /// What was demanded.
    expected: String,
    /// What was seen.
    seen: String,
    /// Where the demand stands in the scenario's file.
    line: u32,
    /// See `line`.
    column: u32,
}

/// What an observing scenario saw.
#[derive(Debug, Serialize)]
struct ObservedEntry {
    /// Whether it is what the scenario describes.
    as_described: bool,
    /// What kept it from being seen.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// Every difference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<DifferenceEntry>,
}

fn summary_entry(summary: &Summary) -> SummaryEntry {
    SummaryEntry {
        total: summary.total,
        counts: Status::ALL.into_iter().map(|status| (status.word(), summary.of(status))).collect(),
        observed_differs: summary.observed_differs,
        snapshots_changed: summary.snapshots_changed,
        exit_code: summary.exit_code() as u8,
    }
}

fn scenario_entry(judged: &Judged, rerun: Rerun<'_>) -> ScenarioEntry {
    let verdict = &judged.verdict;
    let observed = verdict.observation.as_ref().map(|observation| match observation {
        Observation::AsDescribed => {
            ObservedEntry { as_described: true, reason: String::new(), differences: Vec::new() }
        }
        Observation::Differs { reason, findings } => ObservedEntry {
            as_described: false,
            reason: reason.clone(),
            differences: difference_entries(findings),
        },
    });
    let (snapshot, snapshot_diff) = match &judged.snapshot {
        Snapshot::NotCompared => (None, None),
        Snapshot::Same => (Some("same"), None),
        Snapshot::Missing => (Some("missing"), None),
        Snapshot::Differs { diff } => (Some("differs"), Some(diff.clone())),
    };
    let covers = judged.covers.iter().map(|clause| ClauseEntry {
        id: clause.id.to_string(),
        level: match clause.level {
            Level::Must => "must",
            Level::Observed => "observed",
        },
        statement: clause.statement.clone(),
    });
    ScenarioEntry {
        id: judged.id.to_string(),
        title: judged.title.clone(),
        file: judged.file.clone(),
        covers: covers.collect(),
        status: verdict.status,
        reason: verdict.reason.clone(),
        line: verdict.position.line,
        column: verdict.position.column,
        differences: difference_entries(&verdict.findings),
        observed,
        snapshot,
        snapshot_diff,
        rerun: rerun.command(&judged.id),
    }
}

fn difference_entries(findings: &[Finding]) -> Vec<DifferenceEntry> {
    findings
        .iter()
        .map(|finding| DifferenceEntry {
            check: finding.check.to_string(),
            path: finding.mismatch.path.clone(),
            expected: finding.mismatch.expected.clone(),
            seen: finding.mismatch.seen.clone(),
            line: finding.mismatch.position.line,
            column: finding.mismatch.position.column,
        })
        .collect()
}
