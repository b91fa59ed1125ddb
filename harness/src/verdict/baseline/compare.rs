//! What a baseline makes of the verdicts of a run, and what no longer holds in it.
//!
//! Pure: which scenarios there are and what day it is come from the caller.
//! Rules: design, "Verdicts": a baseline that is no longer true fails the run.

use std::collections::BTreeSet;

use super::{Baseline, Date, Entry};
use crate::scenario::ScenarioId;
use crate::source::{Place, nearest};
use crate::verdict::signature::Failures;
use crate::verdict::status::{Status, Verdict};

/// A baseline at work.
#[derive(Clone, Debug)]
pub struct Known<'run> {
    baseline: &'run Baseline,
    today: Option<Date>,
    suite: BTreeSet<&'run str>,
    stale: Vec<Stale>,
}

/// The entry that excuses a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Why it fails.
    pub reason: String,
    /// Where that is tracked.
    pub issue: Option<String>,
}

/// An entry that no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stale {
    /// Where it stands.
    pub place: Place,
    /// Its key.
    pub key: String,
    /// How it does not hold.
    pub kind: Staleness,
    /// In words, for people.
    pub message: String,
}

/// How an entry can be no longer true.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Staleness {
    /// What it excuses passed.
    UnexpectedPass,
    /// What it excuses fails in another way.
    ChangedSignature,
    /// There is no such scenario.
    Unmatched,
    /// The implementation was not asked.
    Skipped,
    /// It was excused until a day that is over.
    Expired,
}

impl<'run> Known<'run> {
    /// A baseline for a suite of these scenarios; without a day, nothing expires.
    pub fn new(
        baseline: &'run Baseline,
        today: Option<Date>,
        suite: impl IntoIterator<Item = &'run ScenarioId>,
    ) -> Self {
        let suite: BTreeSet<&str> = suite.into_iter().map(ScenarioId::as_str).collect();
        let mut known = Self { baseline, today, suite, stale: Vec::new() };
        known.stale = baseline.entries.iter().filter_map(|entry| known.unmatched(entry)).collect();
        known
    }

    /// Applies the baseline to a scenario's verdict; what excuses it, if something does.
    pub fn apply(&mut self, id: &ScenarioId, verdict: &mut Verdict) -> Option<Expected> {
        let failures = Failures::of(verdict);
        let whole = self.baseline.entries.iter().find(|entry| entry.key == id.as_str());
        let parts: Vec<(&Entry, &str)> = self
            .baseline
            .entries
            .iter()
            .filter(|entry| !self.suite.contains(entry.key.as_str()))
            .filter_map(|entry| entry.part().map(|(of, part)| (entry, of, part)))
            .filter(|(_, of, _)| *of == id.as_str())
            .map(|(entry, _, part)| (entry, part))
            .collect();
        if whole.is_none() && parts.is_empty() {
            return None;
        }
        if verdict.status == Status::HarnessError {
            // Nothing is known about the implementation, so nothing about the entry.
            return None;
        }
        let mut excused = Vec::new();
        let mut excused_parts = BTreeSet::new();
        if let Some(entry) = whole
            && self.holds(entry, verdict.status, failures.signature())
        {
            excused.push(entry);
            excused_parts.extend(failures.parts.keys().map(String::as_str));
        }
        for (entry, part) in parts {
            if self.holds(entry, verdict.status, failures.signature_of(part)) {
                excused.push(entry);
                excused_parts.insert(part);
            }
        }
        if verdict.status == Status::Pass {
            verdict.status = Status::Xpass;
            "it is a known failure, and passes".clone_into(&mut verdict.reason);
            return None;
        }
        let everything = failures.parts.keys().all(|part| excused_parts.contains(part.as_str()));
        let first = excused.first().filter(|_| everything && failures.status.is_unexpected())?;
        verdict.status = Status::Xfail;
        Some(Expected { reason: first.reason.clone(), issue: first.issue.clone() })
    }

    /// What no longer holds, in the order of the file, after the last verdict.
    pub fn stale(mut self) -> Vec<Stale> {
        self.stale.sort();
        self.stale
    }

    /// Whether an entry excuses what is there; if not, why is noted.
    fn holds(&mut self, entry: &Entry, status: Status, seen: Option<String>) -> bool {
        let expired = entry.expires.zip(self.today).filter(|(until, today)| until < today);
        let (kind, message) = match seen {
            _ if status == Status::Skip => (
                Staleness::Skipped,
                "was not asked: the implementation does not declare what it needs".to_owned(),
            ),
            None if status == Status::Pass => {
                (Staleness::UnexpectedPass, "passes; take its entry out".to_owned())
            }
            None => (Staleness::UnexpectedPass, "did not fail, other parts of its scenario did".to_owned()),
            Some(seen) if seen != entry.signature => {
                (Staleness::ChangedSignature, format!("fails otherwise: `{seen}`, not `{}`", entry.signature))
            }
            Some(_) => match expired {
                Some((until, _)) => (Staleness::Expired, format!("was excused until {until}")),
                None => return true,
            },
        };
        self.stale.push(self.about(entry, kind, message));
        false
    }

    fn unmatched(&self, entry: &Entry) -> Option<Stale> {
        let is_part = entry.part().is_some_and(|(id, _)| self.suite.contains(id));
        if is_part || self.suite.contains(entry.key.as_str()) {
            return None;
        }
        let hint = nearest(&entry.key, self.suite.iter().copied())
            .map(|id| format!(", did you mean `{id}`?"))
            .unwrap_or_default();
        Some(self.about(entry, Staleness::Unmatched, format!("is no scenario of this suite{hint}")))
    }

    fn about(&self, entry: &Entry, kind: Staleness, message: String) -> Stale {
        let place = Place::new(self.baseline.file.clone(), entry.position);
        Stale { place, key: entry.key.clone(), kind, message }
    }
}

impl std::fmt::Display for Stale {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: known failure `{}` {}", self.place, self.key, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Position;
    use crate::verdict::status::{Check, Ended};

    fn ids(ids: &[&str]) -> Vec<ScenarioId> {
        ids.iter().map(|id| ScenarioId::new(*id)).collect()
    }

    fn verdict(status: Status) -> Verdict {
        let ended = (status != Status::Pass)
            .then(|| Ended { check: Some(Check::Load), what: "rejected E1".to_owned() });
        Verdict {
            status,
            reason: String::new(),
            position: Position::START,
            findings: Vec::new(),
            ended,
            observation: None,
        }
    }

    fn entry(key: &str, signature: &str, more: &str) -> Baseline {
        let text = format!("{key}:\n  reason: why\n  signature: '{signature}'\n{more}");
        Baseline::read("known.yml", &text).unwrap()
    }

    /// What becomes of a verdict about `a/b`, and what is stale then.
    fn becomes(baseline: &Baseline, status: Status) -> (Status, Vec<String>) {
        let suite = ids(&["a/b", "a/c"]);
        let mut known = Known::new(baseline, Date::parse("2027-01-31"), &suite);
        let mut verdict = verdict(status);
        let expected = known.apply(&suite[0], &mut verdict);
        assert_eq!(expected.is_some(), verdict.status == Status::Xfail);
        (verdict.status, known.stale().iter().map(ToString::to_string).collect())
    }

    const SEEN: &str = "untestable load: rejected E1";

    #[test]
    fn what_fails_as_known_is_an_expected_failure() {
        for baseline in [entry("a/b", SEEN, ""), entry("a/b/load", "untestable rejected E1", "")] {
            assert_eq!(becomes(&baseline, Status::Untestable), (Status::Xfail, Vec::new()));
        }
    }

    #[test]
    fn what_passes_is_unexpected_and_so_is_another_failure() {
        let baseline = entry("a/b", SEEN, "");
        let stale = |what: &str| vec![format!("known.yml:1:1: known failure `a/b` {what}")];
        assert_eq!(becomes(&baseline, Status::Pass), (Status::Xpass, stale("passes; take its entry out")));
        let other = "fails otherwise: `crash load: rejected E1`, not `untestable load: rejected E1`";
        assert_eq!(becomes(&baseline, Status::Crash), (Status::Crash, stale(other)));
        let skipped = "was not asked: the implementation does not declare what it needs";
        assert_eq!(becomes(&baseline, Status::Skip), (Status::Skip, stale(skipped)));
    }

    #[test]
    fn an_entry_holds_through_its_last_day() {
        let until = |day: &str| entry("a/b", SEEN, &format!("  expires: {day}\n"));
        assert_eq!(becomes(&until("2027-01-31"), Status::Untestable), (Status::Xfail, Vec::new()));
        let (status, stale) = becomes(&until("2027-01-30"), Status::Untestable);
        assert_eq!(status, Status::Untestable);
        assert_eq!(stale, ["known.yml:1:1: known failure `a/b` was excused until 2027-01-30"]);
    }

    #[test]
    fn an_entry_for_nothing_is_stale_and_one_for_another_scenario_waits_for_it() {
        let (status, stale) = becomes(&entry("a/d", SEEN, ""), Status::Untestable);
        assert_eq!(status, Status::Untestable);
        assert_eq!(
            stale,
            ["known.yml:1:1: known failure `a/d` is no scenario of this suite, did you mean `a/b`?"]
        );
        assert_eq!(becomes(&entry("a/c", SEEN, ""), Status::Pass), (Status::Pass, Vec::new()));
    }

    #[test]
    fn a_part_excuses_itself_and_nothing_else() {
        let (status, stale) = becomes(&entry("a/b/step-1", "fail x map", ""), Status::Untestable);
        assert_eq!(status, Status::Untestable);
        assert_eq!(
            stale,
            ["known.yml:1:1: known failure `a/b/step-1` did not fail, other parts of its scenario did"]
        );
    }

    #[test]
    fn a_fault_of_the_suite_is_never_excused() {
        let baseline = entry("a/b", "harness-error load: rejected E1", "");
        assert_eq!(becomes(&baseline, Status::HarnessError), (Status::HarnessError, Vec::new()));
    }
}
