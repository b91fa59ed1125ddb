//! The requirement catalogue: every clause of the contract, with an id, a level and its source.
//!
//! Knows nothing of scenarios: which scenario covers a clause is asked from the other side.
//! Rules: `specs/*.yml`.

mod model;

pub use model::{Catalogue, Chapter, Document, Level, Requirement, RequirementId, Source};
