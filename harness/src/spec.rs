//! The requirement catalogue: every clause of the contract, with an id, a level and its source.
//!
//! Knows nothing of scenarios: which scenario covers a clause is asked from the other side.
//! Rules: `specs/*.yml`.

mod folder;
mod lookup;
mod model;
mod read;
mod tables;

pub use folder::CatalogueError;
pub use model::{Catalogue, Chapter, Document, Level, Requirement, RequirementId, Source};
pub use tables::schema;
pub(crate) use tables::{CAPABILITIES, REQUIREMENT_ID};

/// The chapters' ids, in the order of the contract.
pub const CHAPTERS: [&str; 17] = [
    "DEF", "SCH", "DSC", "CTX", "MEM", "CND", "GAT", "BLT", "HOK", "BTN", "RES", "MCP", "CNF", "BLK", "TIM",
    "CAN", "VAL",
];
