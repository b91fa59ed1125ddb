//! Scenarios: a small agent project, a scripted model and world, a timeline, and what must be seen.
//!
//! Knows the protocol and the requirement catalogue; knows no implementation and judges nothing.
//! Rules: `docs/scenarios.md`.

mod duration;
mod expect;
mod model;
mod parse;
mod path;
mod pattern;
mod render;
mod schema;
mod tables;

pub use model::{Expectation, Scenario, ScenarioId, Step, StepAction};
pub use parse::{MAXIMUM_BYTES, parse};
pub use pattern::{Pattern, PatternKind};
pub use render::DEFAULT_SKILL;
pub use schema::schema;
