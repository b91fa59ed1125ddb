//! Runs deviants against the scenarios that name their clauses, and tells which nobody caught.
//!
//! Judges as the suite does; a deviant is caught by a difference, not by breaking down.
//! Rules: design, "Proof that the suite is good", 2.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use harness::protocol::{LoadOutcome, Reply};
use harness::runner::{Host, Run, StepAnswer, in_order};
use harness::scenario::{Scenario, ScenarioId};
use harness::spec::Catalogue;
use harness::suite::{Performance, Repository, in_process, perform};
use harness::verdict::Status;

use crate::deviant::{Deviant, Deviating};

/// Everything there is to run.
pub(crate) struct Suite {
    pub(crate) catalogue: Catalogue,
    scenarios: Vec<Scenario>,
}

pub(crate) static SUITE: LazyLock<Suite> = LazyLock::new(|| {
    let repository = Repository::shipped();
    let mut scenarios = Vec::new();
    let ids = repository.scenario_ids().unwrap();
    // One that cannot be read catches nothing; lint says what is wrong with it.
    in_order(&ids, jobs(), || (), |(), id| repository.scenario(id).ok(), |_, read| scenarios.extend(read));
    Suite { catalogue: repository.catalogue().unwrap(), scenarios }
});

fn jobs() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// What came of a table of deviants.
#[derive(Default)]
pub(crate) struct Judged {
    /// A line for each clause of a deviant that no scenario about it noticed to be broken.
    pub(crate) missed: Vec<String>,
    /// The scenarios that noticed something.
    pub(crate) caught_by: BTreeSet<ScenarioId>,
}

/// Runs each deviant through the scenarios about its clauses, until one has noticed.
pub(crate) fn judged(deviants: &'static [Deviant]) -> Judged {
    let deviants: Vec<&'static Deviant> = deviants.iter().collect();
    let mut all = Judged::default();
    in_order(
        &deviants,
        jobs(),
        || (),
        |(), deviant| judged_alone(deviant),
        |_, judged| {
            all.missed.extend(judged.missed);
            all.caught_by.extend(judged.caught_by);
        },
    );
    all
}

fn judged_alone(deviant: &'static Deviant) -> Judged {
    let starter = in_process(move || Deviating::new(deviant));
    let mut host = Host::new(&starter);
    let mut tried: BTreeMap<&ScenarioId, Result<(), String>> = BTreeMap::new();
    let mut judged = Judged::default();
    for clause in &deviant.breaks {
        let mut about: Vec<&Scenario> =
            SUITE.scenarios.iter().filter(|scenario| is_about(scenario, clause)).collect();
        // One that catches it is enough, so the dear ones come last.
        about.sort_by_key(|scenario| scenario.sweep.is_some());
        let mut told = Vec::new();
        let caught = about.into_iter().find(|scenario| {
            let result = tried.entry(&scenario.id).or_insert_with(|| {
                noticed(deviant, scenario, &perform(&mut host, &SUITE.catalogue, scenario))
            });
            told.extend(result.as_ref().err().map(|why| format!("    {}: {why}", scenario.id)));
            result.is_ok()
        });
        match caught {
            Some(scenario) => _ = judged.caught_by.insert(scenario.id.clone()),
            None => judged.missed.push(format!("{clause}: {}\n{}", deviant.name, told.join("\n"))),
        }
    }
    judged
}

/// Those of these scenarios that an implementation, which deviates in nothing, does not pass.
pub(crate) fn failures(nobody: &'static Deviant, ids: &BTreeSet<ScenarioId>) -> Vec<String> {
    let starter = in_process(move || Deviating::new(nobody));
    let chosen: Vec<&Scenario> =
        SUITE.scenarios.iter().filter(|scenario| ids.contains(&scenario.id)).collect();
    let mut failed = Vec::new();
    let run =
        |host: &mut Host<'_>, scenario: &&Scenario| perform(host, &SUITE.catalogue, scenario).verdict.status;
    in_order(
        &chosen,
        jobs(),
        || Host::new(&starter),
        run,
        |scenario, status| {
            if status != Status::Pass {
                failed.push(format!("{}: {status}", scenario.id));
            }
        },
    );
    failed
}

fn is_about(scenario: &Scenario, clause: &str) -> bool {
    scenario.covers.iter().any(|(id, _)| id.to_string() == clause)
}

/// Whether a scenario noticed, and if not, what it said instead.
fn noticed(deviant: &Deviant, scenario: &Scenario, performance: &Performance) -> Result<(), String> {
    let status = performance.verdict.status;
    if status != Status::Fail {
        return Err(format!("{status} {}", performance.verdict.reason));
    }
    // What breaks down proves nothing about the clause.
    if let Some(why) = breakdown(&performance.run) {
        return Err(why);
    }
    let rejected = matches!(&performance.run.load, Some(Ok(Reply::Result(report))) if report.outcome == LoadOutcome::Rejected);
    if rejected && scenario.control.is_none() && !deviant.refuses {
        return Err("the changed project is refused".to_owned());
    }
    Ok(())
}

fn breakdown(run: &Run) -> Option<String> {
    if let Some(Ok(Reply::Errored(errored))) = &run.load {
        return Some(errored.message.clone());
    }
    run.steps.iter().find_map(|step| match step {
        StepAnswer::Turn(Ok(Reply::Errored(errored))) => Some(errored.message.clone()),
        _ => None,
    })
}
