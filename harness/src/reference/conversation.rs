//! A conversation with a loaded agent: turns, on the virtual clock.
//!
//! Knows agents, memory and running bodies; nothing of scenarios. Rules: contract-notes, "9. Execution
//! loop", and the chapters named in each module.

mod arguments;
mod blocks;
mod builtins;
mod context;
mod dispatch;
mod fields;
mod invocation;
mod offering;
mod outside;
mod responding;
mod shared;
mod stack;
mod state;
mod taps;
mod turn;

pub(crate) use state::Conversation;
