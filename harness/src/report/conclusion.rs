//! What a run comes to, in counts and in a few words: the same on the terminal and in a conformance statement.
//!
//! Knows the summary, not scenarios. Rules: nobody is called conformant in what was not asked, nor not conformant
//! because a known failure is none any more; exit codes are `exit_code`'s business.

use anstyle::{AnsiColor, Style};

use crate::report::event::Summary;
use crate::source::counted;
use crate::verdict::{Staleness, Status};

const BAD: Style = AnsiColor::Red.on_default().bold();

/// What a run says of the implementation; `is_part` when it was about a part of the suite.
pub(super) fn conclusion(summary: &Summary, is_part: bool) -> String {
    let is_part = is_part || summary.not_run > 0;
    let asked = summary.total - summary.of(Status::Skip);
    if summary.of(Status::HarnessError) > 0 {
        return "unknown: the suite was at fault".to_owned();
    }
    if asked == 0 {
        return "nothing asked".to_owned();
    }
    if has_failures(summary) {
        return "not conformant".to_owned();
    }
    if is_outdated(summary) {
        return outdated(summary, is_part);
    }
    let mut limits = Vec::new();
    if asked < summary.total {
        limits.push(format!("{asked} of {}", summary.total));
    }
    if is_part {
        limits.push("a part of the suite".to_owned());
    }
    let held = if summary.of(Status::Xfail) > 0 { "conformant but for known failures" } else { "conformant" };
    let within =
        if limits.is_empty() { String::new() } else { format!(" in what was asked: {}", limits.join(", ")) };
    let changed = match summary.snapshots_changed {
        count if !summary.strict || count == 0 => String::new(),
        1 => ", but 1 trace differs from its snapshot".to_owned(),
        count => format!(", but {count} traces differ from their snapshots"),
    };
    format!("{held}{within}{changed}")
}

/// What is to be done about a run that failed only because its baseline knows more failures than there are.
pub(super) fn remedy(summary: &Summary, is_part: bool) -> Option<&'static str> {
    is_outdated(summary).then_some(if is_part {
        ": rerun the whole suite with --update-baseline"
    } else {
        ": rerun with --update-baseline"
    })
}

fn has_failures(summary: &Summary) -> bool {
    summary.counts.keys().any(|status| status.is_failure())
}

/// Whether nothing is wrong with a run but that its baseline is no longer true.
fn is_outdated(summary: &Summary) -> bool {
    let is_asked = summary.total > summary.of(Status::Skip);
    is_asked && !has_failures(summary) && !summary.stale.is_empty()
}

/// What is told of a run in which nothing fails that is not known, while the baseline is no longer true.
fn outdated(summary: &Summary, is_part: bool) -> String {
    let of = |kind: Staleness| summary.stale.iter().filter(|stale| stale.kind == kind).count();
    let passing = of(Staleness::UnexpectedPass);
    let unasked = of(Staleness::Skipped);
    let unmatched = of(Staleness::Unmatched);
    let mut found = Vec::new();
    if passing > 0 {
        let verb = if passing == 1 { "passes" } else { "pass" };
        found.push(format!("{} {verb} now", counted(passing, "known failure")));
    }
    if unasked > 0 {
        let verb = if unasked == 1 { "is" } else { "are" };
        found.push(format!("{} {verb} not asked", counted(unasked, "known failure")));
    }
    match unmatched {
        0 => {}
        1 => found.push("1 entry is about no scenario".to_owned()),
        count => found.push(format!("{count} entries are about no scenario")),
    }
    // Who is not asked any more may have become worse.
    let lead = if unasked == 0 { "nothing regressed" } else { "no failure but known ones" };
    let within = if is_part { " in this part of the suite" } else { "" };
    format!("{lead}{within}; {}", found.join(", "))
}

/// How many scenarios there were of each kind; without the snapshots where they are told of elsewhere. Always with colours.
pub(super) fn summary_line(summary: &Summary, snapshots_are_told: bool) -> String {
    let mut parts = Vec::new();
    for status in Status::ALL {
        let count = summary.of(status);
        // How many passed is told even when none did.
        if count > 0 || status == Status::Pass {
            let style = match status {
                Status::Pass => AnsiColor::Green.on_default(),
                Status::Skip | Status::Xfail => Style::new().dimmed(),
                _ => AnsiColor::Red.on_default().bold(),
            };
            parts.push(format!("{style}{count} {status}{style:#}"));
        }
    }
    if summary.not_run > 0 {
        parts.push(format!("{} not run after the first failure", summary.not_run));
    }
    if !summary.stale.is_empty() {
        parts.push(format!("{BAD}{} stale in the baseline{BAD:#}", summary.stale.len()));
    }
    if summary.observed_differs > 0 {
        parts.push(format!("{} observed otherwise", summary.observed_differs));
    }
    if summary.snapshots_changed > 0 && !snapshots_are_told {
        let kind = if summary.strict { "failures" } else { "not failures without --strict" };
        parts.push(format!("{} changed ({kind})", counted(summary.snapshots_changed, "snapshot")));
    }
    format!("{}: {}", counted(summary.total, "scenario"), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Place, Position};
    use crate::verdict::Stale;

    fn summary(counts: &[(Status, usize)], stale: &[Staleness]) -> Summary {
        let stale = stale.iter().map(|kind| Stale {
            place: Place::new("known.yml".to_owned(), Position::START),
            key: "a/b".to_owned(),
            kind: *kind,
            message: String::new(),
        });
        Summary {
            total: counts.iter().map(|(_, count)| count).sum(),
            counts: counts.iter().copied().collect(),
            stale: stale.collect(),
            ..Summary::default()
        }
    }

    #[test]
    fn nobody_is_conformant_in_what_was_not_asked() {
        use Status::{Fail, HarnessError, Pass, Skip, Xfail};
        for (counts, expected) in [
            (&[(Pass, 1602)][..], "conformant"),
            (&[(Skip, 1602)], "nothing asked"),
            (&[(Pass, 76), (Skip, 1526)], "conformant in what was asked: 76 of 1602"),
            (&[(Pass, 1), (Xfail, 1)], "conformant but for known failures"),
            (
                &[(Pass, 1), (Xfail, 2), (Skip, 3)],
                "conformant but for known failures in what was asked: 3 of 6",
            ),
            (&[(Pass, 1), (Fail, 1), (Skip, 1)], "not conformant"),
            (&[(Skip, 1), (HarnessError, 1)], "unknown: the suite was at fault"),
        ] {
            assert_eq!(conclusion(&summary(counts, &[]), false), expected);
        }
        let part = |counts: &[(Status, usize)]| conclusion(&summary(counts, &[]), true);
        assert_eq!(part(&[(Pass, 2)]), "conformant in what was asked: a part of the suite");
        assert_eq!(
            part(&[(Pass, 1), (Skip, 1)]),
            "conformant in what was asked: 1 of 2, a part of the suite"
        );
        assert_eq!(part(&[(Pass, 1), (Fail, 1)]), "not conformant");
    }

    #[test]
    fn who_became_better_than_the_baseline_is_not_called_worse() {
        use Staleness::{ChangedSignature, Skipped, UnexpectedPass, Unmatched};
        use Status::{Fail, Pass, Skip, Xfail, Xpass};
        for (counts, stale, expected) in [
            (
                &[(Pass, 1), (Xpass, 1)][..],
                &[UnexpectedPass][..],
                "nothing regressed; 1 known failure passes now",
            ),
            (
                &[(Xfail, 1), (Xpass, 2)],
                &[UnexpectedPass, UnexpectedPass, Unmatched],
                "nothing regressed; 2 known failures pass now, 1 entry is about no scenario",
            ),
            (&[(Pass, 1), (Skip, 1)], &[Skipped], "no failure but known ones; 1 known failure is not asked"),
        ] {
            let summary = summary(counts, stale);
            assert_eq!(conclusion(&summary, false), expected);
            assert_eq!(remedy(&summary, false), Some(": rerun with --update-baseline"));
            assert_eq!(remedy(&summary, true), Some(": rerun the whole suite with --update-baseline"));
        }
        let part = conclusion(&summary(&[(Xpass, 1)], &[UnexpectedPass]), true);
        assert_eq!(part, "nothing regressed in this part of the suite; 1 known failure passes now");
        let worse = summary(&[(Xpass, 1), (Fail, 1)], &[UnexpectedPass, ChangedSignature]);
        assert_eq!((conclusion(&worse, false).as_str(), remedy(&worse, false)), ("not conformant", None));
        let unasked = summary(&[(Skip, 1)], &[Skipped]);
        assert_eq!((conclusion(&unasked, false).as_str(), remedy(&unasked, false)), ("nothing asked", None));
        assert_eq!(remedy(&summary(&[(Pass, 1)], &[]), false), None);
    }
}
