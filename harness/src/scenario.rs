//! Scenarios: a small agent project, a scripted model and world, a timeline, and what must be seen.
//!
//! Knows the protocol and the requirement catalogue; knows no implementation and judges nothing.
//! Rules: `docs/scenarios.md`.

mod coverage;
mod duration;
mod expect;
mod folder;
mod lint;
mod model;
mod parse;
mod path;
mod pattern;
mod render;
mod schema;
mod tables;
mod uses;

pub use coverage::{ChapterCoverage, Count, Coverage, Excluded, Uncovered, coverage, covered_by};
pub use duration::{DurationError, SPELLING as DURATION_SPELLING, parse as duration_ms};
pub use folder::{Content, TreeError, TreeFile, read_tree};
pub use lint::{Linted, lint};
pub use model::{Expectation, Scenario, ScenarioId, Step, StepAction, Sweep};
pub use parse::{MAXIMUM_BYTES, parse};
pub use pattern::{Pattern, PatternKind};
pub use render::DEFAULT_SKILL;
pub use schema::schema;
pub use uses::needs;
