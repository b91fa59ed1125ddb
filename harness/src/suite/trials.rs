//! The suite as trials of libtest-mimic: one a scenario, named by its id.
//!
//! Names come from paths alone and a file is read inside its own trial, because nextest starts the
//! process once for each trial.

use std::sync::{Arc, OnceLock};

use libtest_mimic::{Completion, Failed, Trial};

use super::Suite;
use crate::report::{Judged, Rerun, Snapshot, failure_text};
use crate::runner::Hosts;
use crate::scenario::ScenarioId;
use crate::spec::Catalogue;
use crate::suite::accepted::accept_or_explain;
use crate::suite::perform::perform;
use crate::verdict::Status;

/// What all trials of a process share.
struct Shared {
    suite: Suite,
    hosts: Arc<Hosts>,
    catalogue: OnceLock<Result<Arc<Catalogue>, String>>,
}

/// A trial for each scenario; a suite without any is one trial that fails.
pub(super) fn trials(suite: Suite, hosts: &Arc<Hosts>) -> Vec<Trial> {
    match suite.repository.scenario_ids() {
        Err(error) => vec![broken(error.to_string())],
        Ok(ids) if ids.is_empty() => vec![broken("there are no scenarios".to_owned())],
        Ok(ids) => {
            let shared = Arc::new(Shared { suite, hosts: Arc::clone(hosts), catalogue: OnceLock::new() });
            ids.into_iter().map(|id| trial(&shared, id)).collect()
        }
    }
}

fn broken(message: String) -> Trial {
    Trial::test("scenarios", move || Err(Failed::from(message)))
}

fn trial(shared: &Arc<Shared>, id: ScenarioId) -> Trial {
    let shared = Arc::clone(shared);
    Trial::ignorable_test(id.as_str().to_owned(), move || shared.try_scenario(&id))
}

impl Shared {
    fn try_scenario(&self, id: &ScenarioId) -> Result<Completion, Failed> {
        let repository = &self.suite.repository;
        let catalogue = self
            .catalogue
            .get_or_init(|| repository.catalogue().map(Arc::new).map_err(|error| error.to_string()))
            .as_ref()
            .map_err(Failed::from)?;
        let scenario = repository.scenario(id)?;
        let shared = Arc::clone(catalogue);
        let (performance, scenario) =
            self.hosts.with(move |host| (perform(host, &shared, &scenario), scenario))?;
        let mut judged = Judged::new(&scenario, catalogue, performance.verdict, Snapshot::NotCompared);
        judged.timeline = performance.timeline;
        judged.said = performance.run.said;
        if judged.verdict.status == Status::Skip {
            return Ok(Completion::ignored_with(judged.verdict.reason));
        }
        if judged.verdict.status.is_unexpected() {
            return Err(self.failed(&judged));
        }
        if let (true, Some(trace)) = (self.suite.snapshots, performance.trace) {
            accept_or_explain(&repository.snapshots(), &scenario, &trace).map_err(|reason| {
                let mut judged = judged;
                judged.verdict.status = Status::Fail;
                judged.verdict.reason = reason;
                judged.verdict.observation = None;
                self.failed(&judged)
            })?;
        }
        Ok(Completion::Completed)
    }

    fn failed(&self, judged: &Judged) -> Failed {
        let text = failure_text(judged, Rerun::CargoTest(&self.suite.variables));
        Failed::from(anstream::adapter::strip_str(&text).to_string())
    }
}
