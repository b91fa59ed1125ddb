//! Verdicts as data.
//!
//! Names what can become of a scenario; decides nothing.

use crate::protocol::InterruptPoint;
use crate::source::Position;
use crate::verdict::matching::Mismatch;

/// What became of a scenario.
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
pub enum Status {
    /// Everything demanded was seen.
    Pass,
    /// Something demanded was not seen.
    Fail,
    /// It failed, as the baseline says.
    Xfail,
    /// It passed, though the baseline says that it fails.
    Xpass,
    /// The implementation does not offer what the scenario needs.
    Skip,
    /// A prerequisite did not happen, so that nothing is known about the clause.
    Untestable,
    /// The implementation ended before it answered.
    Crash,
    /// The implementation did not answer in time.
    Timeout,
    /// The implementation answered, but not as the protocol says.
    ProtocolError,
    /// The suite itself is at fault.
    HarnessError,
}

impl Status {
    /// Every status, in the order reports count them.
    pub const ALL: [Self; 10] = [
        Self::Pass,
        Self::Fail,
        Self::Xfail,
        Self::Xpass,
        Self::Skip,
        Self::Untestable,
        Self::Crash,
        Self::Timeout,
        Self::ProtocolError,
        Self::HarnessError,
    ];

    /// The word in reports and baselines.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Xfail => "xfail",
            Self::Xpass => "xpass",
            Self::Skip => "skip",
            Self::Untestable => "untestable",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::ProtocolError => "protocol-error",
            Self::HarnessError => "harness-error",
        }
    }

    /// Whether a run with such a verdict is not a success.
    pub const fn is_unexpected(self) -> bool {
        !matches!(self, Self::Pass | Self::Xfail | Self::Skip)
    }

    /// Whether there is something wrong with the implementation or the suite: with who passes unexpectedly only the
    /// baseline is.
    pub const fn is_failure(self) -> bool {
        self.is_unexpected() && !matches!(self, Self::Xpass)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.word())
    }
}

/// Which part of a scenario is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Loading the control project.
    Control,
    /// Loading the project.
    Load,
    /// A step, counted from 1.
    Step(usize),
    /// The last turn, cut off at this point of a sweep.
    Cut(InterruptPoint),
}

impl std::fmt::Display for Check {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Control => formatter.write_str("control"),
            Self::Load => formatter.write_str("load"),
            Self::Step(number) => write!(formatter, "step {number}"),
            Self::Cut(InterruptPoint::AtMs(ms)) => write!(formatter, "cut off {ms} ms into the turn"),
            Self::Cut(InterruptPoint::AtAwait(number)) => write!(formatter, "cut off at suspension {number}"),
        }
    }
}

impl Check {
    /// Its name where a baseline names it; all cuts of a sweep share one.
    pub fn key(&self) -> String {
        match self {
            Self::Control => "control".to_owned(),
            Self::Load => "load".to_owned(),
            Self::Step(number) => format!("step-{number}"),
            Self::Cut(_) => "cut".to_owned(),
        }
    }
}

/// Where and how a scenario ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The part in which it ended; none when it did not even begin.
    pub check: Option<Check>,
    /// What happened, in words that stay the same when messages are reworded; empty when the status says it.
    pub what: String,
}

/// One reason why a scenario did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The part of the scenario.
    pub check: Check,
    /// What was demanded and what was seen instead.
    pub mismatch: Mismatch,
}

/// What a scenario that only covers `observed` clauses saw. Never a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// What the scenario describes.
    AsDescribed,
    /// Something else.
    Differs {
        /// What kept it from being seen, as in [`Verdict::reason`].
        reason: String,
        /// What was seen instead.
        findings: Vec<Finding>,
    },
}

/// What became of a scenario, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What became of it.
    pub status: Status,
    /// Why, where differences alone do not say it; else empty.
    pub reason: String,
    /// Where in the scenario's file to look first.
    pub position: Position,
    /// Every difference between what was demanded and what was seen.
    pub findings: Vec<Finding>,
    /// Where it ended, when that was before its end.
    pub ended: Option<Ended>,
    /// For a scenario that only observes: what it saw.
    pub observation: Option<Observation>,
}
