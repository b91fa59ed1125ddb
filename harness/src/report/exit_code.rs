//! The exit codes, one meaning each, the same for every output format.
//!
//! Knows nothing of how a run was made. Rules: design, "Verdicts".

use std::collections::BTreeMap;

use crate::verdict::Status;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// Conformant, or only expected failures.
    Conformant = 0,
    /// An unexpected failure, or a baseline that is no longer true.
    Failures = 1,
    /// Bad usage, a bad scenario, nothing selected.
    Usage = 2,
    /// The implementation would not start, or speaks another protocol.
    NotStarted = 3,
    /// A fault of the suite itself.
    Fault = 4,
}

impl ExitCode {
    /// How a run ends that came to these verdicts; `is_stale` when something it was compared with, a
    /// baseline or a snapshot, no longer holds.
    pub(super) fn of_run(counts: &BTreeMap<Status, usize>, is_stale: bool) -> Self {
        if counts.contains_key(&Status::HarnessError) {
            Self::Fault
        } else if counts.is_empty() {
            Self::Usage
        } else if is_stale || counts.keys().any(|status| status.is_unexpected()) {
            Self::Failures
        } else {
            Self::Conformant
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
