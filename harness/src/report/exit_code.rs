//! The exit codes, one meaning each, the same for every output format.
//!
//! Knows nothing of how a run was made. Rules: design, "Verdicts".

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

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
