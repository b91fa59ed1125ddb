//! What a run comes to, in a few words: the same on the terminal and in a conformance statement.
//!
//! Knows counts, not scenarios. Rules: nobody is called conformant in what was not asked; exit codes are
//! `exit_code`'s business.

use std::collections::BTreeMap;

use crate::report::exit_code::ExitCode;
use crate::verdict::Status;

/// What a run with these verdicts, which ends like this, says of the implementation.
pub(super) fn conclusion(counts: &BTreeMap<Status, usize>, code: ExitCode) -> String {
    let of = |status: Status| counts.get(&status).copied().unwrap_or(0);
    let total: usize = counts.values().sum();
    let asked = total - of(Status::Skip);
    let held = if of(Status::Xfail) > 0 { "conformant but for known failures" } else { "conformant" };
    match code {
        ExitCode::Fault => "unknown: the suite was at fault".to_owned(),
        _ if asked == 0 => "nothing asked".to_owned(),
        ExitCode::Conformant if asked < total => format!("{held} in what was asked: {asked} of {total}"),
        ExitCode::Conformant => held.to_owned(),
        _ => "not conformant".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concluded(counts: &[(Status, usize)], is_stale: bool) -> String {
        let counts = counts.iter().copied().collect();
        conclusion(&counts, ExitCode::of_run(&counts, is_stale))
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
            assert_eq!(concluded(counts, false), expected);
        }
        assert_eq!(concluded(&[(Pass, 1), (Skip, 1)], true), "not conformant");
        assert_eq!(concluded(&[(Skip, 1)], true), "nothing asked");
    }
}
