//! The whole suite for one implementation: as `cargo test` trials, or as one run with reporters.
//!
//! Puts the layers together; each of them still answers its own question. Names no implementation.
//! Rules: design, "Verdicts" and "Time and determinism".

mod accepted;
mod campaign;
mod patience;
mod perform;
mod repository;
mod trials;
mod variables;

pub use accepted::accept_or_explain;
pub use campaign::{Campaign, CampaignError, run_campaign};
pub use perform::{Performance, perform, timelines};
pub use repository::{ReadError, Repository};
pub use variables::{Variables, VariablesError, limit_ms};

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::implementation::Implementation;
use crate::runner::{Hosts, Starter};
use crate::transport::{Command, InProcess, child_process, quietly};

/// The suite for one implementation, as a test target without a harness:
///
/// ```no_run
/// use harness::suite::Suite;
/// # use harness::implementation::Implementation;
/// # fn my_runtime() -> Box<dyn Implementation> { unimplemented!() }
///
/// fn main() -> std::process::ExitCode {
///     Suite::starting(|| Ok(my_runtime())).main()
/// }
/// ```
pub struct Suite {
    repository: Repository,
    starter: Arc<Starter>,
    snapshots: bool,
    /// What chose the implementation, to be typed before the command that reruns a failure.
    variables: String,
}

impl Suite {
    /// The suite for an implementation in this process. `make` makes one for each trial that runs at the same time, and
    /// another after a fault; what made one scenario's trace must not reach the next, as `load` starts over.
    pub fn of<Own: Implementation + 'static>(make: impl Fn() -> Own + Send + Sync + 'static) -> Self {
        Self::starting(in_process(make))
    }

    /// The suite for an implementation behind a command. As many processes are started as trials run at the same time,
    /// and another after a fault.
    pub fn of_command(command: Command) -> Self {
        Self::starting(child_process(command))
    }

    /// The suite for the implementation that environment variables choose.
    pub fn of_variables(variables: Variables) -> Self {
        Self { variables: variables.typed, ..Self::of_command(variables.command) }
    }

    /// The suite for whatever `starter` starts.
    pub fn starting(starter: impl Fn() -> crate::runner::Started + Send + Sync + 'static) -> Self {
        Self {
            repository: Repository::shipped(),
            starter: Arc::new(starter),
            snapshots: false,
            variables: String::new(),
        }
    }

    /// Also compares every trace with the accepted snapshots, and records new ones the way insta does.
    #[must_use]
    pub fn with_snapshots(mut self) -> Self {
        self.snapshots = true;
        self
    }

    /// Takes specs, scenarios and snapshots from another folder.
    #[must_use]
    pub fn from_root(mut self, root: &Path) -> Self {
        self.repository = Repository::at(root);
        self
    }

    /// Runs the trials that the command line asks for, as libtest would.
    pub fn main(self) -> ExitCode {
        self.run(&libtest_mimic::Arguments::from_args()).exit_code()
    }

    /// Runs the trials that these arguments ask for.
    pub fn run(self, arguments: &libtest_mimic::Arguments) -> libtest_mimic::Conclusion {
        let hosts = Arc::new(Hosts::new(Arc::clone(&self.starter)));
        let conclusion = libtest_mimic::run(arguments, trials::trials(self, &hosts));
        hosts.close();
        conclusion
    }
}

/// A starter for an implementation in this process.
pub fn in_process<Own: Implementation + 'static>(
    make: impl Fn() -> Own + Send + Sync + 'static,
) -> impl Fn() -> crate::runner::Started + Send + Sync + 'static {
    move || match quietly(&make) {
        Ok(implementation) => Ok(Box::new(InProcess::new(implementation))),
        Err(panic) => Err(crate::implementation::Fault::NotStarted(panic)),
    }
}
