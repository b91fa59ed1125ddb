//! A baseline's text brought up to date, every line that people wrote kept.
//!
//! Edits lines instead of writing the file anew, and believes the result only after reading it again.
//! Rules: comments, order and reasons stay; only a signature is ever changed inside an entry.

use std::collections::BTreeMap;

use super::{Baseline, Entry};
use crate::scenario::ScenarioId;
use crate::source::yaml::{self, Node};
use crate::verdict::signature::Failures;
use crate::verdict::status::Status;

/// The reason of a failure that nobody has looked into.
const NEW_REASON: &str = "not looked into yet";

const NEW_FILE: &str = "\
# Known failures: each is excused as long as it fails in the way its signature says.
";

/// A baseline brought up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The file's new text.
    pub text: String,
    /// Keys of entries that were added.
    pub added: Vec<String>,
    /// Keys of entries whose signature changed.
    pub changed: Vec<String>,
    /// Keys of entries that were taken out, since nothing fails that they excuse.
    pub removed: Vec<String>,
}

/// A baseline that cannot be brought up to date by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// An edit of the lines does not say what it should.
    #[error("{file}: this is written in a way that cannot be edited line by line, write one key a line")]
    Unusual {
        /// The file.
        file: String,
    },
}

impl Update {
    /// Brings a baseline up to date with everything that a whole run saw. `text` is what `baseline` was
    /// read from.
    pub fn new(
        baseline: &Baseline,
        text: &str,
        seen: &BTreeMap<ScenarioId, Failures>,
    ) -> Result<Self, UpdateError> {
        let unusual = || UpdateError::Unusual { file: baseline.file.clone() };
        let root = yaml::parse(text).map_err(|_| unusual())?;
        let nodes = root.as_ref().and_then(Node::entries).unwrap_or_default();
        let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
        let mut update = Self::default();
        let mut expected: Vec<(String, String, String)> = Vec::new();
        for (entry, (key, value)) in baseline.entries.iter().zip(nodes) {
            match now(entry, seen) {
                None => {
                    remove(&mut lines, key, value);
                    update.removed.push(entry.key.clone());
                }
                Some(signature) => {
                    if signature != entry.signature {
                        let node = value.get("signature").ok_or_else(unusual)?;
                        replace(&mut lines, node, &signature).ok_or_else(unusual)?;
                        update.changed.push(entry.key.clone());
                    }
                    expected.push((entry.key.clone(), entry.reason.clone(), signature));
                }
            }
        }
        update.text = kept(text, nodes.is_empty(), &lines);
        for (key, signature) in missing(baseline, seen) {
            let written = serde_json::Value::from(signature.as_str());
            let lines = [&key, ":\n  reason: ", NEW_REASON, "\n  signature: ", &written.to_string(), "\n"];
            update.text.extend(lines);
            update.added.push(key.clone());
            expected.push((key, NEW_REASON.to_owned(), signature));
        }
        let read = Baseline::read(&baseline.file, &update.text).map_err(|_| unusual())?;
        let says: Vec<(String, String, String)> =
            read.entries.into_iter().map(|entry| (entry.key, entry.reason, entry.signature)).collect();
        if says == expected { Ok(update) } else { Err(unusual()) }
    }

    /// Whether there was nothing to change.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// How what an entry excuses fails now; `None` when it does not.
fn now(entry: &Entry, seen: &BTreeMap<ScenarioId, Failures>) -> Option<String> {
    let whole = seen.get(&ScenarioId::new(entry.key.as_str()));
    match (whole, entry.part()) {
        (Some(failures), _) if failures.status == Status::HarnessError => Some(entry.signature.clone()),
        (Some(failures), _) => failures.signature(),
        (None, Some((id, part))) => match seen.get(&ScenarioId::new(id))? {
            failures if failures.status == Status::HarnessError => Some(entry.signature.clone()),
            failures => failures.signature_of(part),
        },
        (None, None) => None,
    }
}

/// What fails and no entry is about, in the order of the scenarios.
fn missing(baseline: &Baseline, seen: &BTreeMap<ScenarioId, Failures>) -> Vec<(String, String)> {
    let has = |key: &str| baseline.entries.iter().any(|entry| entry.key == key);
    let mut found = Vec::new();
    for (id, failures) in seen {
        let Some(signature) = failures.signature() else { continue };
        if has(id.as_str()) || failures.status == Status::HarnessError {
            continue;
        }
        let of_parts = baseline.entries.iter().filter_map(Entry::part).any(|(of, _)| of == id.as_str());
        if !of_parts {
            found.push((id.to_string(), signature));
            continue;
        }
        for part in failures.parts.keys() {
            let key = format!("{id}/{part}");
            if let (false, Some(signature)) = (has(&key), failures.signature_of(part)) {
                found.push((key, signature));
            }
        }
    }
    found
}

/// Takes an entry's own lines out; comments between entries stay.
fn remove(lines: &mut [Option<String>], key: &Node, value: &Node) {
    let end = last_line(value).max(key.position.line);
    for line in key.position.line..=end {
        if let Some(line) = index(line).and_then(|index| lines.get_mut(index)) {
            *line = None;
        }
    }
}

/// The line on which the last scalar of a node begins.
fn last_line(node: &Node) -> u32 {
    let own = node.position.line;
    let below = node.entries().unwrap_or_default().iter().map(|(_, value)| last_line(value)).max();
    below.unwrap_or(own).max(own)
}

/// Writes another scalar where one stands; `None` when that takes more than its line.
fn replace(lines: &mut [Option<String>], node: &Node, value: &str) -> Option<()> {
    let line = lines.get_mut(index(node.position.line)?)?.as_mut()?;
    let start: usize = line.chars().take(index(node.position.column)?).map(char::len_utf8).sum();
    let (before, old) = line.split_at_checked(start)?;
    let end = scalar_end(old, before.contains('{'))?;
    let written = serde_json::Value::from(value);
    *line = format!("{before}{written}{}", old.get(end..)?);
    Some(())
}

/// Where the scalar at the start of a text ends.
fn scalar_end(text: &str, in_flow: bool) -> Option<usize> {
    match text.chars().next()? {
        '\'' => {
            let mut characters = text.char_indices().skip(1).peekable();
            while let Some((offset, character)) = characters.next() {
                if character == '\'' && characters.next_if(|(_, next)| *next == '\'').is_none() {
                    return Some(offset + 1);
                }
            }
            None
        }
        '"' => {
            let mut escaped = false;
            for (offset, character) in text.char_indices().skip(1) {
                match character {
                    '"' if !escaped => return Some(offset + 1),
                    '\\' => escaped = !escaped,
                    _ => escaped = false,
                }
            }
            None
        }
        '|' | '>' | '&' | '*' | '!' => None,
        _ => {
            let comment = text.find(" #").unwrap_or(text.len());
            let flow = if in_flow { text.find([',', '}']).unwrap_or(text.len()) } else { text.len() };
            text.get(..comment.min(flow)).map(|scalar| scalar.trim_end().len())
        }
    }
}

fn index(from_one: u32) -> Option<usize> {
    usize::try_from(from_one).ok()?.checked_sub(1)
}

/// The text that is left, ready for more entries below.
fn kept(text: &str, is_empty: bool, lines: &[Option<String>]) -> String {
    if text.trim().is_empty() {
        return NEW_FILE.to_owned();
    }
    // An empty mapping written as `{}` would stand in the way of entries below it.
    let is_in_the_way = |line: &str| is_empty && line.trim_start().starts_with("{}");
    let lines = lines.iter().flatten().filter(|line| !is_in_the_way(line));
    lines.flat_map(|line| [line.as_str(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Ours, kept by hand.
a/b:
  reason: 'no: enums'  # told twice
  signature: fail load x # as of May
  issue: https://example.org/7

# The old one.
a/c: {reason: slow, signature: 'it''s', expires: 2027-01-31}
a/d/load:
  reason: r
  signature: \"fail \\\"q\\\"\"
";

    fn failures(status: Status, parts: &[(&str, &str)]) -> Failures {
        let parts = parts.iter().map(|(key, what)| ((*key).to_owned(), (*what).to_owned())).collect();
        Failures { status, parts }
    }

    fn updated(text: &str, seen: &[(&str, Failures)]) -> Result<Update, UpdateError> {
        let baseline = Baseline::read("known.yml", text).unwrap();
        let seen = seen.iter().map(|(id, failures)| (ScenarioId::new(*id), failures.clone())).collect();
        Update::new(&baseline, text, &seen)
    }

    #[test]
    fn people_find_their_lines_again() {
        let update = updated(
            TEXT,
            &[
                ("a/a", failures(Status::Crash, &[("step-1", "")])),
                ("a/b", failures(Status::Fail, &[("load", "y \"list\"")])),
                ("a/c", failures(Status::Fail, &[("load", "z map")])),
                ("a/d", failures(Status::Fail, &[("load", "q"), ("step-2", "w map")])),
            ],
        )
        .unwrap();
        let expected = "\
# Ours, kept by hand.
a/b:
  reason: 'no: enums'  # told twice
  signature: \"fail load: y \\\"list\\\"\" # as of May
  issue: https://example.org/7

# The old one.
a/c: {reason: slow, signature: \"fail load: z map\", expires: 2027-01-31}
a/d/load:
  reason: r
  signature: \"fail q\"
a/a:
  reason: not looked into yet
  signature: \"crash step-1\"
a/d/step-2:
  reason: not looked into yet
  signature: \"fail w map\"
";
        assert_eq!(update.text, expected);
        assert_eq!(update.added, ["a/a", "a/d/step-2"]);
        assert_eq!(update.changed, ["a/b", "a/c", "a/d/load"]);
    }

    #[test]
    fn what_passes_is_taken_out_and_comments_stay() {
        let update = updated(TEXT, &[("a/c", failures(Status::Pass, &[]))]).unwrap();
        assert_eq!(update.text, "# Ours, kept by hand.\n\n# The old one.\n");
        assert_eq!(update.removed, ["a/b", "a/c", "a/d/load"]);
        assert_eq!(updated(&update.text, &[]).unwrap().text, update.text);
    }

    #[test]
    fn a_file_begins_with_what_it_is() {
        for text in ["", "{}\n"] {
            let update = updated(text, &[("a/b", failures(Status::Fail, &[("load", "x map")]))]).unwrap();
            let entry = "a/b:\n  reason: not looked into yet\n  signature: \"fail load: x map\"\n";
            assert!(update.text.ends_with(entry), "{}", update.text);
        }
    }

    #[test]
    fn what_cannot_be_edited_by_lines_is_left_alone() {
        let text = "a/b:\n  reason: r\n  signature: >-\n    fail load\n    x\n";
        let seen = [("a/b", failures(Status::Fail, &[("load", "y map")]))];
        assert_eq!(updated(text, &seen), Err(UpdateError::Unusual { file: "known.yml".to_owned() }));
    }

    #[test]
    fn a_fault_of_the_suite_teaches_nothing() {
        let text = "a/b:\n  reason: r\n  signature: fail x\n";
        let seen =
            [("a/b", failures(Status::HarnessError, &[])), ("a/c", failures(Status::HarnessError, &[]))];
        assert!(updated(text, &seen).unwrap().is_empty());
    }
}
