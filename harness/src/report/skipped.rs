//! What was not asked, as a short table: what one more capability would open.
//!
//! Counts what others found missing and decides nothing.
//! Rules: docs/running.md, "Running the suite".

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::protocol::Capability;
use crate::report::event::Judged;

/// The skipped scenarios of a run, counted.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    /// How many lack a capability, for each.
    undeclared: BTreeMap<Capability, Lacking>,
    /// How many lack any.
    lacking: usize,
    /// What an implementation said itself about a scenario that it would not answer.
    said: BTreeMap<String, usize>,
}

/// How many scenarios lack a capability.
#[derive(Clone, Copy, Debug, Default)]
struct Lacking {
    only_it: usize,
    in_all: usize,
}

impl Skipped {
    /// Counts a skipped scenario.
    pub(super) fn count(&mut self, judged: &Judged) {
        if judged.missing.is_empty() {
            *self.said.entry(judged.verdict.reason.clone()).or_default() += 1;
            return;
        }
        self.lacking += 1;
        for capability in &judged.missing {
            let lacking = self.undeclared.entry(*capability).or_default();
            lacking.in_all += 1;
            lacking.only_it += usize::from(judged.missing.len() == 1);
        }
    }

    /// A line for each reason that was given, and a table of what is not declared: what opens most comes first.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        for (reason, count) in &self.said {
            _ = writeln!(text, "skipped {count}: {reason}");
        }
        if self.lacking == 0 {
            return text;
        }
        let mut rows: Vec<(&str, Lacking)> =
            self.undeclared.iter().map(|(capability, lacking)| (capability.name(), *lacking)).collect();
        // Stable: among equals in the order of the protocol.
        rows.sort_by_key(|(_, lacking)| std::cmp::Reverse((lacking.only_it, lacking.in_all)));
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(NOT_DECLARED.len());
        _ = writeln!(text, "skipped {}: they need what is not declared", self.lacking);
        _ = writeln!(text, "  {NOT_DECLARED:<width$}  lack only it  need it");
        for (name, Lacking { only_it, in_all }) in rows {
            _ = writeln!(text, "  {name:<width$}  {only_it:>12}  {in_all:>7}");
        }
        text
    }
}

const NOT_DECLARED: &str = "not declared";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::event::Snapshot;
    use crate::spec::{Catalogue, Level};
    use crate::verdict::judge;

    fn skipped(missing: &[Capability]) -> Judged {
        let scenario = crate::verdict::fixture::scenario(None, Vec::new());
        let run = crate::runner::Run::lacking(missing.iter().copied().collect());
        let verdict = judge(&scenario, Level::Must, &run);
        let mut judged =
            Judged::new(&scenario, &Catalogue { chapters: Vec::new() }, verdict, Snapshot::NotCompared);
        judged.missing = run.missing;
        judged
    }

    #[test]
    fn what_one_more_capability_opens_comes_first() {
        use Capability::{Execution, Memory, OrderedBlocks, Schema};
        let mut counted = Skipped::default();
        for missing in
            [&[Memory][..], &[Execution, Memory], &[Execution, Schema], &[Memory], &[OrderedBlocks]]
        {
            counted.count(&skipped(missing));
        }
        let mut said = Judged { missing: [].into(), ..skipped(&[Memory]) };
        "load: mcp is not offered: no network here".clone_into(&mut said.verdict.reason);
        counted.count(&said);
        let expected = "\
skipped 1: load: mcp is not offered: no network here
skipped 5: they need what is not declared
  not declared    lack only it  need it
  memory                     2        3
  ordered_blocks             1        1
  execution                  0        2
  schema                     0        1
";
        assert_eq!(counted.text(), expected);
    }

    #[test]
    fn where_nothing_was_skipped_there_is_nothing_to_say() {
        assert_eq!(Skipped::default().text(), "");
    }
}
