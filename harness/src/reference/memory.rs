//! Memory: what is declared, who may read and write it, the values, and the events that writes leave.
//!
//! Knows declarations, values and events; nothing of Python, of the model, or of a skill's tools.
//! Rules: chapter MEM; contract-notes, "3. memory.yml" and "9. Execution loop" (tracker events).
#![allow(dead_code, reason = "a loaded project tells its schema; values are for the turns, not run yet")]

mod error;
mod schema;
mod store;
#[cfg(test)]
mod tests;
mod types;

#[allow(unused_imports, reason = "as above")]
pub(crate) use error::MemoryWriteError;
pub(crate) use schema::{Field, Owner, Schema};
#[allow(unused_imports, reason = "as above")]
pub(crate) use store::{Memory, QuietWrite, Snapshot};
#[allow(unused_imports, reason = "as above")]
pub(crate) use types::property_schema;
