//! The implementation a command is about.
//!
//! The only module of the command line that names one.
//! Rules: it is reached as every other one is, through a starter.

use harness::reference::Reference;
use harness::runner::Started;

/// Starts the reference, in this process.
pub(crate) fn starter() -> impl Fn() -> Started + Send + Sync + 'static {
    harness::suite::in_process(Reference::new)
}
