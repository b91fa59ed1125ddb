//! What failed, as short text that stays the same as long as the same thing fails.
//!
//! Made of places and kinds, never of values, positions in lists or wordings: those change without meaning.
//! Rules: design, "Verdicts" (known failures).

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::Json;
use crate::verdict::status::{Check, Finding, Observation, Status, Verdict};

/// How many differences of one part a signature spells out; the others are counted and summed up.
const MAXIMUM_SPELLED: usize = 3;

/// What kind of thing was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Absent, or null.
    Nothing,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// A map.
    Map,
    /// A rule about the whole run does not hold.
    Breach,
}

impl Kind {
    /// The kind of a value.
    pub const fn of(value: Option<&Json>) -> Self {
        match value {
            None | Some(Json::Null) => Self::Nothing,
            Some(Json::Bool(_)) => Self::Boolean,
            Some(Json::Number(_)) => Self::Number,
            Some(Json::String(_)) => Self::Text,
            Some(Json::Array(_)) => Self::List,
            Some(Json::Object(_)) => Self::Map,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::Text => "string",
            Self::List => "list",
            Self::Map => "map",
            Self::Breach => "breach",
        }
    }
}

/// Everything that failed in a scenario, part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failures {
    /// What became of the scenario, whatever a baseline says of it.
    pub status: Status,
    /// What failed in each part, by the part's key; nothing when it passed or was skipped.
    pub parts: BTreeMap<String, String>,
}

impl Failures {
    /// What failed in a verdict that no baseline has been applied to.
    pub fn of(verdict: &Verdict) -> Self {
        let mut parts = BTreeMap::new();
        if verdict.status.is_unexpected() {
            parts = findings_by_part(&verdict.findings);
            let ended = verdict.ended.iter().map(|ended| {
                let key = ended.check.as_ref().map_or_else(|| "start".to_owned(), Check::key);
                (key, ended.what.clone())
            });
            for (key, what) in ended {
                parts.entry(key).or_insert(what);
            }
        }
        Self { status: verdict.status, parts }
    }

    /// The signature of the whole; `None` when nothing failed.
    pub fn signature(&self) -> Option<String> {
        if !self.status.is_unexpected() {
            return None;
        }
        let parts: Vec<String> = self.parts.iter().map(|(key, what)| joined(key, what)).collect();
        Some(format!("{} {}", self.status, parts.join("; ")).trim_end().to_owned())
    }

    /// The signature of one part; `None` when nothing failed in it.
    pub fn signature_of(&self, part: &str) -> Option<String> {
        let what = self.parts.get(part)?;
        Some(format!("{} {what}", self.status).trim_end().to_owned())
    }
}

impl Observation {
    /// The signature of what was seen instead; `None` when it was seen as described.
    pub fn signature(&self) -> Option<String> {
        match self {
            Self::AsDescribed => None,
            Self::Differs { findings, .. } if findings.is_empty() => Some("not seen".to_owned()),
            Self::Differs { findings, .. } => {
                let parts = findings_by_part(findings);
                let parts: Vec<String> = parts.iter().map(|(key, what)| joined(key, what)).collect();
                Some(parts.join("; "))
            }
        }
    }
}

fn joined(key: &str, what: &str) -> String {
    if what.is_empty() { key.to_owned() } else { format!("{key}: {what}") }
}

fn findings_by_part(findings: &[Finding]) -> BTreeMap<String, String> {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in findings {
        seen.entry(finding.check.key()).or_default().insert(difference(finding));
    }
    seen.into_iter().map(|(key, differences)| (key, summed_up(&differences))).collect()
}

fn difference(finding: &Finding) -> String {
    let path = without_indices(&finding.mismatch.path);
    let path = if path.is_empty() { "all" } else { &path };
    format!("{path} {}", finding.mismatch.kind.word())
}

/// The n-th of a list is another one as soon as something unrelated happens before it.
fn without_indices(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for (index, piece) in path.split('[').enumerate() {
        match piece.split_once(']') {
            Some((number, rest)) if index > 0 && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.push_str("[]");
                text.push_str(rest);
            }
            _ if index > 0 => {
                text.push('[');
                text.push_str(piece);
            }
            _ => text.push_str(piece),
        }
    }
    text
}

fn summed_up(differences: &BTreeSet<String>) -> String {
    let spelled: Vec<&str> = differences.iter().take(MAXIMUM_SPELLED).map(String::as_str).collect();
    let text = spelled.join(", ");
    if differences.len() > MAXIMUM_SPELLED {
        let rest = differences.iter().skip(MAXIMUM_SPELLED);
        let sum = rest.flat_map(|one| one.bytes().chain([b'\n'])).fold(0x811c_9dc5_u32, |sum, byte| {
            // FNV-1a: the same on every machine and in every release, unlike the standard library's hashes.
            (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        return format!("{text}, {} more ({sum:08x})", differences.len() - MAXIMUM_SPELLED);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Position;
    use crate::verdict::matching::Mismatch;
    use crate::verdict::status::Ended;

    fn finding(check: Check, path: &str, seen: &str, kind: Kind) -> Finding {
        let mismatch = Mismatch {
            position: Position::START,
            path: path.to_owned(),
            expected: "x".to_owned(),
            seen: seen.to_owned(),
            kind,
        };
        Finding { check, mismatch }
    }

    fn failed(findings: Vec<Finding>) -> Failures {
        Failures::of(&Verdict {
            status: Status::Fail,
            reason: String::new(),
            position: Position::START,
            findings,
            ended: None,
            observation: None,
        })
    }

    #[test]
    fn places_and_kinds_make_it_and_values_do_not() {
        let one = |index: usize, seen: &str| {
            let path = format!("events[{index}].data");
            failed(vec![
                finding(Check::Step(2), &path, seen, Kind::Text),
                finding(Check::Load, "", seen, Kind::Map),
            ])
        };
        assert_eq!(one(3, "a"), one(7, "b"));
        let failures = one(3, "a");
        assert_eq!(failures.signature().unwrap(), "fail load: all map; step-2: events[].data string");
        assert_eq!(failures.signature_of("step-2").unwrap(), "fail events[].data string");
        assert_eq!(failures.signature_of("step-1"), None);
    }

    #[test]
    fn many_differences_stay_short_and_are_still_told_apart() {
        let many = |last: &str| {
            let names = ["a", "b", "c", "d", last];
            failed(names.iter().map(|name| finding(Check::Load, name, "", Kind::Nothing)).collect())
        };
        let text = many("e").signature().unwrap();
        assert_eq!(text, "fail load: a nothing, b nothing, c nothing, 2 more (051c4bb4)");
        assert_ne!(text, many("f").signature().unwrap());
    }

    #[test]
    fn an_ending_has_its_place_and_nothing_of_its_message() {
        let mut verdict = Verdict {
            status: Status::Crash,
            reason: "exit status 7, its stderr: …".to_owned(),
            position: Position::START,
            findings: Vec::new(),
            ended: Some(Ended { check: Some(Check::Step(1)), what: String::new() }),
            observation: None,
        };
        assert_eq!(Failures::of(&verdict).signature().unwrap(), "crash step-1");
        verdict.status = Status::Skip;
        assert_eq!(Failures::of(&verdict).signature(), None);
    }
}
