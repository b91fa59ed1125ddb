//! What a run is worth: expectations compared with answers.
//!
//! Pure: no clock, no file, no implementation. Says nothing about how a verdict is shown.
//! Rules: `docs/scenarios.md`, "Expectations"; design, "Verdicts".

mod baseline;
#[cfg(test)]
pub(crate) mod fixture;
mod judge;
mod matching;
mod prerequisites;
mod render;
mod signature;
mod status;
mod sweep;

pub use baseline::{
    Baseline, Date, Entry, Expected, Known, Stale, Staleness, Update, UpdateError, schema as baseline_schema,
};
pub use judge::{binding_level, judge, judge_observed, unwritten};
pub use matching::{Mismatch, compare};
pub(crate) use render::{is_plain, json_text};
pub use render::{pattern_text, texts_apart, value_text};
pub use signature::{Failures, Kind};
pub use status::{Check, Ended, Finding, Observation, Status, Verdict};
