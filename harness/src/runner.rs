//! Driving one implementation through scenarios: what to run, in which order, and what was answered.
//!
//! Knows no verdicts and no implementation by name; it stops at the first fault and keeps what it has.
//! Rules: design, "The boundary" and "Time and determinism".

mod drive;
mod files;
mod host;
mod hosts;
mod observed;
mod pool;
mod run;
mod selection;
mod shard;
mod sweep;
mod transcript;

pub use drive::{drive, unasked};
pub use files::{FilesError, scenario_ids, scenario_path};
pub use host::{Host, Started, Starter};
pub use hosts::Hosts;
pub use observed::Observed;
pub use pool::{WORKER_STACK_BYTES, in_order, in_order_until};
pub use run::{Answer, Cut, Run, StepAnswer};
pub use selection::{Selection, SelectionError, Unmatched};
pub use shard::{Shard, ShardError};
pub use sweep::points;
pub use transcript::{Answered, Asked, Departure, Exchange, Transcript, TranscriptError};
