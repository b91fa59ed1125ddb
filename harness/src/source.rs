//! Text with places: positions, diagnostics that show them, YAML that remembers them.
//!
//! Knows nothing of the contract, of scenarios or of agent projects; every layer that reads what
//! people write builds on it, so that each error names file, line, column and remedy.

mod diagnostic;
mod position;
pub(crate) mod shape;
mod similar;
pub mod yaml;

pub use diagnostic::{Diagnostic, Diagnostics, Place};
pub use position::{LineIndex, Position};
pub use similar::{did_you_mean, nearest};
