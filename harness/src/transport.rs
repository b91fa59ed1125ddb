//! Reaching an implementation.
//!
//! Carries requests and answers, and turns what is no answer into a [`Fault`](crate::implementation::Fault);
//! knows neither scenarios nor what an answer should be (design: "The boundary").

mod command;
mod in_process;
mod panics;
mod serve;
#[cfg(unix)]
mod stdio;

pub(crate) use command::typed;
pub use command::{Command, CommandError, Limits, child_process};
pub use in_process::InProcess;
pub use panics::quietly;
pub use serve::serve;
#[cfg(unix)]
pub use stdio::LastWords;
