//! What a run looks like to those who read it: events, and the reporters that take them.
//!
//! Judges nothing and runs nothing; a reporter that falls out of step can only be ugly, not wrong.
//! Rules: design, "Verdicts" (exit codes, order, what a failure shows).

mod compare;
mod conclusion;
mod document;
mod event;
mod exit_code;
mod failure;
mod form;
mod gates;
mod github;
mod inspection;
mod junit;
mod markdown;
mod skipped;
mod snapshot;
mod terminal;
mod timeline;
mod yaml;

pub use compare::Comparison;
pub use document::{
    Document, DocumentError, LevelEntry, MergeError, ObservedEntry, ScenarioEntry, schema as report_schema,
};
pub use event::{Clause, Event, Judged, ReportError, Reporter, Scope, Snapshot, Summary};
pub use exit_code::ExitCode;
pub use failure::{Rerun, failure_text, snapshot_text};
pub use form::{Form, FormReporter, Several};
pub use gates::{GateAccess, GateInspection, GateRead, GivenError, GivenMemory, gates};
pub use inspection::{inspection_json, inspection_text, load_text};
pub use snapshot::{compare_snapshot, observed_text, snapshot_content, snapshot_path, trace_text};
pub use terminal::TerminalReporter;
pub use timeline::timeline_text;
