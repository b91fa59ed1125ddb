//! Memory: what is declared, who may read and write it, the values, and the events that writes leave.
//!
//! Knows declarations, values and events; nothing of Python, of the model, or of a skill's tools.
//! Rules: chapter MEM; contract-notes, "3. memory.yml" and "9. Execution loop" (tracker events).

mod error;
mod schema;
mod store;
#[cfg(test)]
mod tests;
mod types;

pub(crate) use error::MemoryWriteError;
pub(crate) use schema::{Field, Owner, Schema};
pub(crate) use store::{Memory, QuietWrite};
pub(crate) use types::property_schema;
