//! Two runs side by side: what no longer holds, what holds now, and what fails in another way.
//!
//! Knows documents only; whose they are does not matter: two releases, two runtimes, two machines.
//! Rules: docs/running.md, "Two runs compared"; what is not asked any more counts as regressed.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::report::document::{Document, ObservedEntry, ScenarioEntry};
use crate::report::exit_code::ExitCode;
use crate::verdict::Status;

/// What differs between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The earlier run, or the one side.
    pub before: Side,
    /// The later run, or the other side.
    pub after: Side,
    /// What held before and fails now.
    pub regressed: Vec<Change>,
    /// What held before and is not asked any more, since the implementation does not declare what it needs.
    pub no_longer_asked: Vec<Change>,
    /// What holds now, and did not before.
    pub fixed: Vec<Change>,
    /// What does not hold in either, but in another way.
    pub failing_otherwise: Vec<Change>,
    /// What failed before and is not asked any more: nobody knows whether it still would.
    pub failures_no_longer_asked: Vec<Change>,
    /// What fails now and was not asked before.
    pub newly_failing: Vec<Change>,
    /// Where the text is silent: what is seen otherwise than before. Never a regression.
    pub observed_otherwise: Vec<Observed>,
    /// Scenarios that only the first run has.
    pub only_before: Vec<String>,
    /// Scenarios that only the second run has.
    pub only_after: Vec<String>,
    /// How many scenarios came to the same in both.
    pub same: usize,
}

/// One of the runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Who was asked.
    pub implementation: String,
    /// The version of the suite.
    pub suite: String,
    /// Whether the whole suite was run.
    pub is_whole: bool,
}

/// A scenario that came to something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its id.
    pub id: String,
    /// What it claims.
    pub title: String,
    /// The clauses it covers.
    pub clauses: Vec<String>,
    /// What it came to before; absent when it was not run.
    pub before: Option<Outcome>,
    /// What it came to after.
    pub after: Outcome,
    /// The command that runs the second again.
    pub rerun: String,
}

/// What a scenario came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Its status.
    pub status: Status,
    /// How it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Why, where neither signature nor status say it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A scenario about something the text is silent on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// Its id.
    pub id: String,
    /// What it describes.
    pub title: String,
    /// The clauses it covers.
    pub clauses: Vec<String>,
    /// What was seen before.
    pub before: Vec<String>,
    /// What was seen after.
    pub after: Vec<String>,
}

/// Whether a scenario holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Holds,
    Fails,
    NotAsked,
}

impl Standing {
    /// A known failure fails, and an unexpected pass holds: a comparison excuses nobody.
    fn of(scenario: &ScenarioEntry) -> Self {
        match scenario.status {
            Status::Pass | Status::Xpass => Self::Holds,
            Status::Skip => Self::NotAsked,
            _ => Self::Fails,
        }
    }
}

impl Comparison {
    /// Compares two runs.
    pub fn of(before: &Document, after: &Document) -> Self {
        let by_id = |document: &'_ Document| -> BTreeMap<String, ScenarioEntry> {
            document.scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.clone())).collect()
        };
        let (earlier, later) = (by_id(before), by_id(after));
        let only = |these: &BTreeMap<String, ScenarioEntry>, those: &BTreeMap<String, ScenarioEntry>| {
            these.keys().filter(|id| !those.contains_key(*id)).cloned().collect()
        };
        let mut comparison = Self {
            before: side(before),
            after: side(after),
            regressed: Vec::new(),
            no_longer_asked: Vec::new(),
            fixed: Vec::new(),
            failing_otherwise: Vec::new(),
            failures_no_longer_asked: Vec::new(),
            newly_failing: Vec::new(),
            observed_otherwise: Vec::new(),
            only_before: only(&earlier, &later),
            only_after: only(&later, &earlier),
            same: 0,
        };
        for (id, scenario) in &later {
            comparison.scenario(earlier.get(id), scenario);
        }
        comparison
    }

    fn scenario(&mut self, before: Option<&ScenarioEntry>, after: &ScenarioEntry) {
        let was = before.map(Standing::of);
        let list = match (was, Standing::of(after)) {
            (Some(Standing::Holds), Standing::Fails) => &mut self.regressed,
            (Some(Standing::Holds), Standing::NotAsked) => &mut self.no_longer_asked,
            (Some(Standing::Fails | Standing::NotAsked), Standing::Holds) => &mut self.fixed,
            (Some(Standing::Fails), Standing::NotAsked) => &mut self.failures_no_longer_asked,
            (Some(Standing::Fails), Standing::Fails)
                if before.is_some_and(|before| before.signature != after.signature) =>
            {
                &mut self.failing_otherwise
            }
            (Some(Standing::NotAsked) | None, Standing::Fails) => &mut self.newly_failing,
            (None, _) => return,
            (Some(_), _) => {
                match before.and_then(|before| observed(before, after)) {
                    Some(observed) => self.observed_otherwise.push(observed),
                    None => self.same += 1,
                }
                return;
            }
        };
        list.push(Change {
            id: after.id.clone(),
            title: after.title.clone(),
            clauses: clauses(after),
            before: before.map(outcome),
            after: outcome(after),
            rerun: after.rerun.clone(),
        });
    }

    /// How a command with this outcome ends.
    pub fn exit_code(&self) -> ExitCode {
        if self.regressed.is_empty() && self.no_longer_asked.is_empty() {
            ExitCode::Conformant
        } else {
            ExitCode::Failures
        }
    }

    /// The comparison for people; regressions last, since that is where they look first.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            // Writing into a string cannot fail.
            _ = writeln!(text, "{arguments}");
        };
        line(format_args!("from {}\nto   {}", self.before, self.after));
        if self.before.suite != self.after.suite {
            line(format_args!("the suites differ: what changed may be theirs"));
        }
        for (what, ids) in [("only before", &self.only_before), ("only after", &self.only_after)] {
            if let Some((first, others)) = ids.split_first() {
                let others =
                    if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
                line(format_args!("{what}: {first}{others}"));
            }
        }
        for one in &self.observed_otherwise {
            line(format_args!("\nobserved otherwise {}: {}", one.id, one.title));
            line(format_args!("  clause    {}", one.clauses.join(", ")));
            // What an implementation says may have lines of its own: keep them under their name.
            let told = |seen: &[String]| seen.join("; ").replace('\n', "\n            ");
            line(format_args!("  was       {}\n  is        {}", told(&one.before), told(&one.after)));
        }
        for (what, changes) in self.lists() {
            for change in changes {
                let was = change.before.as_ref().map_or_else(|| "not run".to_owned(), ToString::to_string);
                line(format_args!("\n{what} {}: {}", change.id, change.title));
                line(format_args!("  clause    {}", change.clauses.join(", ")));
                line(format_args!("  was       {was}\n  is        {}", change.after));
                line(format_args!("  rerun     {}", change.rerun));
            }
        }
        for (what, changes) in [
            ("failed before, not asked any more", &self.failures_no_longer_asked),
            ("no longer asked", &self.no_longer_asked),
        ] {
            for (reason, count) in by_reason(changes) {
                line(format_args!("\n{what} {count}: {reason}"));
            }
        }
        let counts = self.lists().map(|(what, changes)| format!("{} {what}", changes.len()));
        let counts: Vec<String> = counts.into_iter().rev().collect();
        line(format_args!(
            "\n{}, {} no longer asked, {} failed before and not asked any more, {} observed otherwise, {} the same",
            counts.join(", "),
            self.no_longer_asked.len(),
            self.failures_no_longer_asked.len(),
            self.observed_otherwise.len(),
            self.same
        ));
        text
    }

    fn lists(&self) -> [(&'static str, &[Change]); 4] {
        [
            ("newly failing", &self.newly_failing),
            ("failing otherwise", &self.failing_otherwise),
            ("fixed", &self.fixed),
            ("regressed", &self.regressed),
        ]
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = if self.is_whole { "" } else { ", a part of it" };
        write!(formatter, "{}, suite {}{part}", self.implementation, self.suite)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.signature {
            // A signature begins with the status that the scenario has when nobody excuses it.
            Some(signature) if self.status == Status::Xfail => write!(formatter, "xfail, {signature}"),
            Some(signature) => formatter.write_str(signature),
            None => write!(formatter, "{}", self.status),
        }
    }
}

/// Scenarios that are not asked any more, counted by the reason: a capability that goes takes hundreds along.
fn by_reason(changes: &[Change]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for change in changes {
        *counts.entry(change.after.reason.as_str()).or_insert(0) += 1;
    }
    counts
}

fn side(document: &Document) -> Side {
    Side {
        implementation: document.implementation_name(),
        suite: document.suite.version.clone(),
        is_whole: document.is_whole(),
    }
}

fn outcome(scenario: &ScenarioEntry) -> Outcome {
    Outcome {
        status: scenario.status,
        signature: scenario.signature.clone(),
        reason: scenario.reason.clone(),
    }
}

fn clauses(scenario: &ScenarioEntry) -> Vec<String> {
    scenario.covers.iter().map(|clause| clause.id.clone()).collect()
}

fn observed(before: &ScenarioEntry, after: &ScenarioEntry) -> Option<Observed> {
    let (was, is) = (seen(before.observed.as_ref()?), seen(after.observed.as_ref()?));
    (was != is).then(|| Observed {
        id: after.id.clone(),
        title: after.title.clone(),
        clauses: clauses(after),
        before: was,
        after: is,
    })
}

fn seen(observed: &ObservedEntry) -> Vec<String> {
    if observed.as_described {
        return vec!["as described".to_owned()];
    }
    if observed.differences.is_empty() {
        return vec![observed.reason.clone()];
    }
    let differences = observed.differences.iter();
    differences.map(|one| format!("{}, {}: {}", one.check, one.path, one.seen)).collect()
}
