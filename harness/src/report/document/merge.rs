//! The reports of all shares of a run as the report of the whole run.
//!
//! Refuses what does not belong together, and what is not complete: a merged report never says more than
//! its parts. Rules: merged shares equal the unshared run, byte for byte.

use std::collections::BTreeSet;

use super::{Document, ShardEntry, StaleEntry, SummaryEntry};

/// Reports that are not all shares of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Nothing to merge.
    #[error("there is no report to merge")]
    Nothing,
    /// A report of a run that was not shared.
    #[error("{0}: this is no report of a share, as `--shard 1/2` makes one")]
    NoShare(String),
    /// A report that differs in what all shares of a run have in common.
    #[error("{name}: {what} is not the same as in {first}")]
    Other {
        /// The report.
        name: String,
        /// The report that it was compared with.
        first: String,
        /// What differs.
        what: &'static str,
    },
    /// A share that is there twice.
    #[error("{name}: share {index} of {count} is there twice")]
    Twice {
        /// The report.
        name: String,
        /// Which share.
        index: usize,
        /// Of how many.
        count: usize,
    },
    /// Shares that are not there.
    #[error("of {count} shares these are missing: {}", .missing.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Incomplete {
        /// Which shares.
        missing: Vec<usize>,
        /// Of how many.
        count: usize,
    },
}

impl Document {
    /// Merges the reports of all shares of a run, each with a name for messages, in any order.
    pub fn merge(parts: Vec<(String, Self)>) -> Result<Self, MergeError> {
        let mut parts = parts.into_iter();
        let (first, mut whole) = parts.next().ok_or(MergeError::Nothing)?;
        let share = whole.scope.shard.take().ok_or_else(|| MergeError::NoShare(first.clone()))?;
        let mut there = BTreeSet::from([share.index]);
        for (name, mut part) in parts {
            let other = part.scope.shard.take().ok_or_else(|| MergeError::NoShare(name.clone()))?;
            if let Some(what) = whole.difference(&part, share, other) {
                return Err(MergeError::Other { name, first, what });
            }
            if !there.insert(other.index) {
                return Err(MergeError::Twice { name, index: other.index, count: other.count });
            }
            whole.scenarios.append(&mut part.scenarios);
            whole.stale.append(&mut part.stale);
            whole.summary.not_run += part.summary.not_run;
        }
        let missing: Vec<usize> = (1..=share.count).filter(|index| !there.contains(index)).collect();
        if !missing.is_empty() {
            return Err(MergeError::Incomplete { missing, count: share.count });
        }
        whole.scenarios.sort_by(|one, other| one.id.cmp(&other.id));
        // Each share says that an entry is for no scenario.
        let stale: BTreeSet<StaleEntry> = whole.stale.into_iter().collect();
        whole.stale = stale.into_iter().collect();
        let summary = &whole.summary;
        whole.summary = SummaryEntry::of(&whole.scenarios, &whole.stale, summary.strict, summary.not_run);
        Ok(whole)
    }

    /// What two shares of one run have in common, and these have not.
    fn difference(&self, part: &Self, share: ShardEntry, other: ShardEntry) -> Option<&'static str> {
        [
            ("the suite", self.suite == part.suite),
            ("the implementation", self.implementation == part.implementation),
            ("the selection of scenarios", self.scope == part.scope),
            ("the number of shares", share.count == other.count),
            ("the contract", self.chapters == part.chapters),
            ("--strict", self.summary.strict == part.summary.strict),
        ]
        .into_iter()
        .find_map(|(what, is_same)| (!is_same).then_some(what))
    }
}
