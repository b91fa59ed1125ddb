//! Deviants: implementations wrong in exactly one way, each caught by a scenario that names the clause.
//!
//! Which clauses no deviant breaks, and why, stands in `deviants/without.txt`.
//! Rules: design, "Proof that the suite is good", 2.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a project's paths are spelled in one way"
)]
#![allow(clippy::too_many_lines, reason = "a table of deviants is as long as it is")]

#[path = "deviants/approvals.rs"]
mod approvals;
#[path = "deviants/builtins.rs"]
mod builtins;
#[path = "deviants/buttons.rs"]
mod buttons;
#[path = "deviants/cancelling.rs"]
mod cancelling;
#[path = "deviants/change.rs"]
mod change;
#[path = "deviants/checks.rs"]
mod checks;
#[path = "deviants/defining.rs"]
mod defining;
#[path = "deviants/deviant.rs"]
mod deviant;
#[path = "deviants/discovery.rs"]
mod discovery;
#[path = "deviants/gating.rs"]
mod gating;
#[path = "deviants/hooks.rs"]
mod hooks;
#[path = "deviants/judging.rs"]
mod judging;
#[path = "deviants/memory.rs"]
mod memory;
#[path = "deviants/results.rs"]
mod results;
#[path = "deviants/schema.rs"]
mod schema;
#[path = "deviants/searching.rs"]
mod searching;
#[path = "deviants/steps.rs"]
mod steps;
#[path = "deviants/timing.rs"]
mod timing;
#[path = "deviants/writing.rs"]
mod writing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use deviant::{Deviant, deviant};
use harness::spec::Level;
use judging::{Judged, SUITE, failures, judged};

static DEVIANTS: LazyLock<Vec<Deviant>> = LazyLock::new(|| {
    let tables = [
        defining::table(),
        schema::table(),
        discovery::table(),
        gating::table(),
        builtins::table(),
        searching::table(),
        memory::table(),
        writing::table(),
        results::table(),
        cancelling::table(),
        timing::table(),
        hooks::table(),
        buttons::table(),
        approvals::table(),
        steps::table(),
        checks::table(),
    ];
    tables.into_iter().flatten().collect()
});

static HONEST: LazyLock<Vec<Deviant>> = LazyLock::new(memory::honest);

static NOBODY: LazyLock<Deviant> = LazyLock::new(|| deviant("the reference itself", ""));

static JUDGED: LazyLock<Judged> = LazyLock::new(|| judged(&DEVIANTS));

#[test]
fn every_deviant_is_caught_by_a_scenario_that_names_its_clause() {
    let missed = &JUDGED.missed;
    assert!(missed.is_empty(), "{} not caught:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn the_reference_itself_passes_what_catches_the_deviants() {
    let failed = failures(&NOBODY, &JUDGED.caught_by);
    assert!(failed.is_empty(), "{} not passed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn stand_ins_that_do_what_is_right_are_noticed_by_nobody() {
    let caught_by = judged(&HONEST).caught_by;
    assert!(caught_by.is_empty(), "noticed by {caught_by:?}");
}

#[test]
fn names_of_deviants_are_told_apart() {
    let names: BTreeSet<&str> = DEVIANTS.iter().map(|deviant| deviant.name).collect();
    assert_eq!(names.len(), DEVIANTS.len());
}

#[test]
fn every_clause_that_binds_is_broken_by_a_deviant_or_says_why_not() {
    let broken: BTreeSet<&str> = DEVIANTS.iter().flat_map(|deviant| deviant.breaks.iter().copied()).collect();
    let excused = excused();
    let mut wrong = Vec::new();
    for requirement in SUITE.catalogue.requirements() {
        let id = requirement.id.to_string();
        let binds = requirement.level == Level::Must && requirement.excluded.is_none();
        match (broken.contains(id.as_str()), excused.get(id.as_str())) {
            (false, None) if binds && requirement.gated => wrong.push(format!("{id}: no deviant breaks it")),
            (true, Some(_)) => wrong.push(format!("{id}: excused, though a deviant breaks it")),
            (_, Some(_)) if !binds => wrong.push(format!("{id}: excused, though it does not bind")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{} clauses:\n{}", wrong.len(), wrong.join("\n"));
}

/// The clauses of `without.txt`, each with its reason: a line of ids follows each line of text.
fn excused() -> BTreeMap<&'static str, &'static str> {
    let mut reason = "";
    let mut excused = BTreeMap::new();
    for line in include_str!("deviants/without.txt").lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(text) => reason = text,
            None => excused.extend(line.split_whitespace().map(|id| (id, reason))),
        }
    }
    assert!(excused.values().all(|reason| !reason.is_empty()), "a reason comes before the clauses");
    excused
}
