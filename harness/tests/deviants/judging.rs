//! Runs deviants against the scenarios that name their clauses, and tells which nobody caught.
//!
//! Judges as the suite does; a deviant is caught by a difference, not by breaking down.
//! Rules: design, "Proof that the suite is good", 2.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use harness::protocol::{LoadOutcome, Reply};
use harness::runner::{Host, Run, StepAnswer, in_order};
use harness::scenario::Scenario;
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

/// A line for each clause of a deviant that no scenario about it noticed to be broken.
pub(crate) fn misses(deviants: &'static [Deviant]) -> Vec<String> {
    let deviants: Vec<&'static Deviant> = deviants.iter().collect();
    let mut missed = Vec::new();
    in_order(&deviants, jobs(), || (), |(), deviant| missed_by_all(deviant), |_, lines| missed.extend(lines));
    missed
}

/// The scenarios about these clauses that an implementation, which deviates in nothing, does not pass.
pub(crate) fn failures(nobody: &'static Deviant, clauses: &[&str]) -> Vec<String> {
    let starter = in_process(move || Deviating::new(nobody));
    let about: Vec<&Scenario> = SUITE.scenarios.iter().filter(|scenario| is_about(scenario, clauses)).collect();
    let mut failed = Vec::new();
    let run = |host: &mut Host<'_>, scenario: &&Scenario| perform(host, &SUITE.catalogue, scenario).verdict.status;
    in_order(&about, jobs(), || Host::new(&starter), run, |scenario, status| {
        if status != Status::Pass {
            failed.push(format!("{}: {status}", scenario.id));
        }
    });
    failed
}

fn missed_by_all(deviant: &'static Deviant) -> Vec<String> {
    let starter = in_process(move || Deviating::new(deviant));
    let mut host = Host::new(&starter);
    let about = SUITE.scenarios.iter().filter(|scenario| is_about(scenario, &deviant.breaks));
    let results: Vec<(&Scenario, Result<(), String>)> = about
        .map(|scenario| (scenario, noticed(deviant, scenario, &perform(&mut host, &SUITE.catalogue, scenario))))
        .collect();
    let clauses = deviant.breaks.iter();
    let missed = clauses.filter_map(|clause| {
        let about: Vec<_> = results.iter().filter(|(scenario, _)| is_about(scenario, &[clause])).collect();
        if about.iter().any(|(_, result)| result.is_ok()) {
            return None;
        }
        let told = about.iter().map(|(scenario, result)| {
            format!("    {}: {}", scenario.id, result.as_ref().err().map_or("", String::as_str))
        });
        Some(format!("{clause}: {}\n{}", deviant.name, told.collect::<Vec<_>>().join("\n")))
    });
    missed.collect()
}

fn is_about(scenario: &Scenario, clauses: &[&str]) -> bool {
    scenario.covers.iter().any(|(id, _)| clauses.contains(&id.to_string().as_str()))
}

/// Whether a scenario noticed, and if not, what it said instead.
fn noticed(deviant: &Deviant, scenario: &Scenario, performance: &Performance) -> Result<(), String> {
    let status = performance.verdict.status;
    if status != Status::Fail {
        return Err(status.to_string());
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
