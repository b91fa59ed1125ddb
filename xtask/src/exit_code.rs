//! What the exit codes mean, for every command and output format.
//!
//! Knows no command; each returns one of these and `main` passes it on.
//! Rules: `ARCHITECTURE.md`, "Verdicts". Scripts depend on the numbers: they never change.

/// Conformant, or only expected failures; nothing to complain about.
pub(crate) const OK: u8 = 0;
/// Unexpected failures, an uncovered clause, a stale baseline or a stale generated file.
pub(crate) const FAILURES: u8 = 1;
/// Wrong usage, or a bad scenario, requirement or configuration. clap uses the same number.
#[allow(dead_code, reason = "for the commands that read scenarios")]
pub(crate) const BAD_INPUT: u8 = 2;
/// The implementation would not start, or speaks another protocol.
#[allow(dead_code, reason = "for the commands that drive an implementation")]
pub(crate) const NOT_STARTED: u8 = 3;
/// A fault of the suite itself.
pub(crate) const HARNESS_FAULT: u8 = 4;
