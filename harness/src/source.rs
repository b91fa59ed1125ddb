//! Text with places: positions, diagnostics that show them, YAML that remembers them, Python
//! that is fit to be parsed.
//!
//! Knows nothing of the contract, of scenarios or of agent projects; every layer that reads what
//! people write builds on it, so that each error names file, line, column and remedy.

mod count;
mod diagnostic;
mod position;
mod python;
mod python_depth;
mod recent;
pub(crate) mod shape;
mod similar;
pub mod yaml;

pub use count::counted;
pub use diagnostic::{Diagnostic, Diagnostics, Place};
pub use position::{LineIndex, Position};
pub use python::parse_python;
pub use python_depth::{MAXIMUM_PYTHON_DEPTH, python_too_deep};
pub use similar::{did_you_mean, nearest};
