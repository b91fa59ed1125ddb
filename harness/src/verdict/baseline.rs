//! Known failures: what an implementation is known to fail, why, and how.
//!
//! The file as data, and reading it; what a run makes of it is for `compare`, writing it for `update`.
//! Rules: design, "Verdicts"; docs/running.md, "Known failures".

mod compare;
mod date;
mod tables;
mod update;

pub use compare::{Expected, Known, Stale, Staleness};
pub use date::Date;
pub use tables::schema;
pub use update::{Update, UpdateError};

use crate::source::shape::{self, Shape};
use crate::source::yaml::{self, Node};
use crate::source::{Diagnostic, Diagnostics, Position};

/// The parts of a scenario that an entry may be about, beside `step-N`.
const PARTS: [&str; 4] = ["start", "control", "load", "cut"];

/// The known failures of an implementation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The file, as its reader would open it.
    pub file: String,
    /// Its entries, in the order of the file.
    pub entries: Vec<Entry>,
}

/// A known failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A scenario's id, or an id and the part that fails: `schema/literal`, `schema/literal/step-2`.
    pub key: String,
    /// Why it fails.
    pub reason: String,
    /// Where that is tracked.
    pub issue: Option<String>,
    /// How it fails.
    pub signature: String,
    /// The last day on which it is excused.
    pub expires: Option<Date>,
    /// Where it stands in the file.
    pub position: Position,
}

impl Entry {
    /// The scenario and the part that the key means, read as one of a part.
    fn part(&self) -> Option<(&str, &str)> {
        let (id, part) = self.key.rsplit_once('/')?;
        let number = part.strip_prefix("step-").map(|number| number.parse::<usize>().is_ok_and(|it| it > 0));
        (PARTS.contains(&part) || number == Some(true)).then_some((id, part))
    }
}

impl Baseline {
    /// Reads a baseline; everything that is wrong with it comes back at once.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut problems = Diagnostics::new(file, text);
        let root = match yaml::parse(text) {
            Ok(root) => root,
            Err(error) => {
                problems.report(error.position, error.message, error.remedy);
                None
            }
        };
        let mut entries = Vec::new();
        if let Some(root) = &root {
            shape::check(root, &Shape::Dictionary(&tables::ENTRY_SHAPE), "this file", &mut problems);
            entries.extend(root.entries().unwrap_or_default().iter().filter_map(entry));
            doubled(&entries, &mut problems);
        }
        let found = problems.finish();
        if found.is_empty() { Ok(Self { file: file.to_owned(), entries }) } else { Err(found) }
    }
}

fn entry((key, value): &(Node, Node)) -> Option<Entry> {
    let text = |name| value.get(name).and_then(Node::text).map(|text| text.trim().to_owned());
    Some(Entry {
        key: key.text()?.to_owned(),
        reason: text("reason")?,
        issue: text("issue"),
        signature: text("signature")?,
        expires: text("expires").as_deref().and_then(Date::parse),
        position: key.position,
    })
}

/// An entry about a whole scenario leaves nothing for one about a part of it.
fn doubled(entries: &[Entry], problems: &mut Diagnostics<'_>) {
    for entry in entries {
        let Some((id, _)) = entry.part() else { continue };
        if entries.iter().any(|other| other.key == id) {
            let message = format!("`{}` is also excused as a whole, by `{id}`", entry.key);
            problems.report(entry.position, message, "keep one of the two");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
# What we know.
schema/literal:
  reason: enums are strings
  issue: https://example.org/7
  signature: 'fail load: skills string'
  expires: 2027-01-31
memory/read/step-2:
  reason: no memory yet
  signature: 'fail memory nothing'
";

    fn refused(text: &str) -> Vec<String> {
        let found = Baseline::read("known.yml", text).unwrap_err();
        found.iter().map(|one| format!("{}: {}; {}", one.place, one.message, one.remedy)).collect()
    }

    #[test]
    fn entries_keep_their_order_and_places() {
        let baseline = Baseline::read("known.yml", GOOD).unwrap();
        let keys: Vec<&str> = baseline.entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["schema/literal", "memory/read/step-2"]);
        assert_eq!(baseline.entries[0].expires, Date::parse("2027-01-31"));
        assert_eq!(baseline.entries[1].position, Position::new(7, 1));
        assert_eq!(baseline.entries[1].part(), Some(("memory/read", "step-2")));
        assert_eq!(baseline.entries[0].part(), None);
    }

    #[test]
    fn a_file_without_entries_knows_nothing() {
        for text in ["", "# nothing yet\n", "{}\n"] {
            assert_eq!(Baseline::read("known.yml", text).unwrap().entries, [], "{text}");
        }
    }

    #[test]
    fn slips_are_shown_where_they_stand() {
        let text = GOOD.replace("reason: no", "raeson: no").replace("2027-01-31", "2027-02-30");
        assert_eq!(
            refused(&text),
            [
                "known.yml:6:12: `2027-02-30` is not a day of the calendar; write a day as in `2027-01-31`",
                "known.yml:8:3: unknown key `raeson` in a known failure; did you mean `reason`?",
            ]
        );
        assert_eq!(refused("- a\n").len(), 1);
        assert_eq!(refused("a: [\n").len(), 1);
        assert!(refused("a: {reason: b}\n")[0].starts_with("known.yml:1:4: `signature` is missing"));
    }

    #[test]
    fn a_scenario_is_excused_as_a_whole_or_in_parts() {
        let text = "a/b: {reason: r, signature: s}\na/b/load: {reason: r, signature: s}\n";
        let expected = "known.yml:2:1: `a/b/load` is also excused as a whole, by `a/b`; keep one of the two";
        assert_eq!(refused(text), [expected]);
    }
}
