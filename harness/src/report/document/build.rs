//! From the events of a run to its document.
//!
//! Copies and counts; decides nothing that the events do not say.
//! Rules: the summary is counted from the entries, so that merged shares are counted like whole runs.

use std::collections::BTreeMap;

use super::{
    ChapterEntry, ClauseEntry, DifferenceEntry, Document, ExpectedEntry, FORMAT, LevelEntry, ObservedEntry,
    ScenarioEntry, ScopeEntry, ShardEntry, SnapshotEntry, StaleEntry, SuiteEntry, SummaryEntry,
};
use crate::protocol::{HelloReport, PROTOCOL_VERSION};
use crate::report::event::{Event, Judged, Scope, Snapshot};
use crate::report::exit_code::ExitCode;
use crate::report::failure::Rerun;
use crate::spec::{Catalogue, Level};
use crate::verdict::{Finding, Observation, Stale, Status};

/// Collects the events of a run.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    command: Option<String>,
    implementation: Option<HelloReport>,
    scope: Scope,
    chapters: Vec<ChapterEntry>,
    scenarios: Vec<ScenarioEntry>,
}

impl Builder {
    /// Scenarios are shown with the command that reruns them with the implementation
    /// that these arguments choose, as in `--timeout 2s -- ./my-adapter`.
    pub(crate) fn of_command(arguments: Option<String>) -> Self {
        Self { command: arguments, ..Self::default() }
    }

    /// Takes an event; the last one completes the document.
    pub(crate) fn take(&mut self, event: Event<'_>) -> Option<Document> {
        match event {
            Event::Started { hello, scope, catalogue, .. } => {
                self.implementation = Some(hello.clone());
                self.scope = scope;
                self.chapters = chapter_entries(catalogue);
                None
            }
            Event::Finished(judged) => {
                self.scenarios.push(scenario_entry(judged, Rerun::of(self.command.as_deref())));
                None
            }
            Event::Ended(summary) => {
                let scenarios = std::mem::take(&mut self.scenarios);
                let stale: Vec<StaleEntry> = summary.stale.iter().map(stale_entry).collect();
                Some(Document {
                    format: FORMAT,
                    suite: SuiteEntry {
                        version: env!("CARGO_PKG_VERSION").to_owned(),
                        protocol: PROTOCOL_VERSION,
                    },
                    implementation: self.implementation.take(),
                    scope: ScopeEntry {
                        filtered: self.scope.filtered,
                        shard: self
                            .scope
                            .shard
                            .map(|shard| ShardEntry { index: shard.index(), count: shard.count() }),
                    },
                    summary: SummaryEntry::of(&scenarios, &stale, summary.strict, summary.not_run),
                    chapters: std::mem::take(&mut self.chapters),
                    stale,
                    scenarios,
                })
            }
        }
    }
}

impl SummaryEntry {
    /// Counts what a document holds.
    pub(super) fn of(
        scenarios: &[ScenarioEntry],
        stale: &[StaleEntry],
        strict: bool,
        not_run: usize,
    ) -> Self {
        let mut counts: BTreeMap<Status, usize> = BTreeMap::new();
        for scenario in scenarios {
            *counts.entry(scenario.status).or_default() += 1;
        }
        let changed = |scenario: &&ScenarioEntry| {
            matches!(scenario.snapshot, Some(SnapshotEntry::Missing | SnapshotEntry::Differs))
        };
        let differs =
            |scenario: &&ScenarioEntry| scenario.observed.as_ref().is_some_and(|seen| !seen.as_described);
        let snapshots_changed = scenarios.iter().filter(changed).count();
        let is_stale = !stale.is_empty() || (strict && snapshots_changed > 0);
        let count = |status: Status| counts.get(&status).copied().unwrap_or(0);
        Self {
            total: scenarios.len(),
            counts: Status::ALL.into_iter().map(|one| (one.word().to_owned(), count(one))).collect(),
            observed_differs: scenarios.iter().filter(differs).count(),
            snapshots_changed,
            strict,
            not_run,
            exit_code: ExitCode::of_run(&counts, is_stale) as u8,
        }
    }
}

fn chapter_entries(catalogue: &Catalogue) -> Vec<ChapterEntry> {
    let entry = |chapter: &crate::spec::Chapter| {
        let must = chapter.requirements.iter().filter(|clause| clause.level == Level::Must).count();
        let observed = chapter.requirements.len() - must;
        ChapterEntry { id: chapter.id.clone(), title: chapter.title.clone(), must, observed }
    };
    catalogue.chapters.iter().map(entry).collect()
}

fn stale_entry(stale: &Stale) -> StaleEntry {
    StaleEntry {
        file: stale.place.file.clone(),
        line: stale.place.position.line,
        column: stale.place.position.column,
        key: stale.key.clone(),
        kind: stale.kind,
        message: stale.message.clone(),
    }
}

fn scenario_entry(judged: &Judged, rerun: Rerun<'_>) -> ScenarioEntry {
    let verdict = &judged.verdict;
    let (snapshot, snapshot_diff) = match &judged.snapshot {
        Snapshot::NotCompared => (None, None),
        Snapshot::Same => (Some(SnapshotEntry::Same), None),
        Snapshot::Missing => (Some(SnapshotEntry::Missing), None),
        Snapshot::Differs { diff } => (Some(SnapshotEntry::Differs), Some(diff.clone())),
    };
    let covers = judged.covers.iter().map(|clause| ClauseEntry {
        id: clause.id.to_string(),
        level: match clause.level {
            Level::Must => LevelEntry::Must,
            Level::Observed => LevelEntry::Observed,
        },
        statement: clause.statement.clone(),
    });
    let expected = judged.expected.as_ref();
    ScenarioEntry {
        id: judged.id.to_string(),
        title: judged.title.clone(),
        file: judged.file.clone(),
        covers: covers.collect(),
        status: verdict.status,
        reason: verdict.reason.clone(),
        signature: judged.failures.signature(),
        expected: expected
            .map(|known| ExpectedEntry { reason: known.reason.clone(), issue: known.issue.clone() }),
        line: verdict.position.line,
        column: verdict.position.column,
        differences: difference_entries(&verdict.findings),
        timeline: judged.timeline.clone(),
        observed: verdict.observation.as_ref().map(observed_entry),
        snapshot,
        snapshot_diff,
        rerun: rerun.command(&judged.id),
    }
}

fn observed_entry(observation: &Observation) -> ObservedEntry {
    let signature = observation.signature();
    match observation {
        Observation::AsDescribed => {
            ObservedEntry { as_described: true, reason: String::new(), signature, differences: Vec::new() }
        }
        Observation::Differs { reason, findings } => ObservedEntry {
            as_described: false,
            reason: reason.clone(),
            signature,
            differences: difference_entries(findings),
        },
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
