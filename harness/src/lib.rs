//! The tool-runtime contract of an agent engine, made executable.
//!
//! Layers, each may use only those above it in this list; `tests/tidy.rs` holds it:
pub mod source;

pub mod protocol;

mod condition;

pub mod project;

pub mod implementation;

pub mod transport;

pub mod reference;

pub mod spec;

pub mod scenario;

pub mod runner;

pub mod verdict;

pub mod report;

pub mod suite;

pub mod schemas;
