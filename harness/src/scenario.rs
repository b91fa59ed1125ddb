//! Scenarios: a small agent project, a scripted model and world, a timeline, and what must be seen.
//!
//! Knows the protocol and the requirement catalogue; knows no implementation and judges nothing.
//! Rules: `docs/scenarios.md`.

mod model;
mod pattern;

pub use model::{Expectation, Scenario, ScenarioId, Step, StepAction};
pub use pattern::{Pattern, PatternKind};
