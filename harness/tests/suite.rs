//! The suite as trials: what is listed, selected, skipped, failed and recorded.
//!
//! Uses a repository of its own; the real scenarios are the root package's business.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

mod doubles;

use std::path::Path;

use doubles::{Double, Habit};
use harness::suite::Suite;
use libtest_mimic::{Arguments, Conclusion};

const CHAPTER: &str = "\
chapter: SCH
title: How the schema is derived
gated: true
needs: [schema]
requirements:
  - id: SCH-01
    level: must
    statement: A clause.
    source: {document: tools-reference, section: How the schema is derived}
";

/// Two scenarios: one that an implementation passes by accepting, and one that it cannot pass.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("specs/schema.yml", CHAPTER);
    write(
        "scenarios/schema/accepted.yml",
        "scenario: An empty project is accepted\ncovers: [SCH-01]\nexpect:\n  outcome: ok\n",
    );
    write(
        "scenarios/schema/offered.yml",
        "scenario: A tool is there\ncovers: [SCH-01]\nexpect:\n  skills: {pay: {tools: {include: [transfer]}}}\n",
    );
    folder
}

/// What a run is given, its report kept out of this test's own.
fn arguments(root: &Path, given: &[&str]) -> Arguments {
    let mut arguments = Arguments::from_iter(["suite"].iter().chain(given));
    arguments.logfile = Some(root.join("report.txt").to_str().unwrap().to_owned());
    arguments
}

fn run(root: &Path, make: fn() -> Double, given: &[&str]) -> Conclusion {
    Suite::of(make).from_root(root).run(&arguments(root, given))
}

fn report(root: &Path) -> String {
    std::fs::read_to_string(root.join("report.txt")).unwrap()
}

fn accepting() -> Double {
    Double::of(Habit::AcceptsAll)
}

#[test]
fn every_scenario_is_a_trial_with_its_own_verdict() {
    let folder = repository();
    let conclusion = run(folder.path(), accepting, &[]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (1, 1));
    let expected = "\
---- schema/offered ----
fail schema/offered: A tool is there
  clause    SCH-01: A clause.

  in        load, skills.pay
  expected  {tools: {include: [transfer]}}
  seen      absent; there are no keys
  at        scenarios/schema/offered.yml:4:17
  rerun     cargo test -- --exact schema/offered
";
    let report = report(folder.path());
    assert!(report.contains(expected), "{report}");
}

#[test]
fn filters_select_by_id() {
    let folder = repository();
    let conclusion = run(folder.path(), accepting, &["--exact", "schema/accepted"]);
    assert_eq!((conclusion.num_passed, conclusion.num_filtered_out), (1, 1));
    let conclusion = run(folder.path(), accepting, &["schema/", "--skip", "offered"]);
    assert_eq!((conclusion.num_passed, conclusion.num_filtered_out), (1, 1));
    let conclusion = run(folder.path(), accepting, &["--ignored"]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed, conclusion.num_filtered_out), (0, 0, 2));
}

#[test]
fn what_is_not_offered_is_ignored_and_a_crash_fails() {
    let folder = repository();
    let conclusion = run(folder.path(), Double::incapable, &[]);
    assert_eq!((conclusion.num_ignored, conclusion.num_failed), (2, 0));
    let conclusion = run(folder.path(), || Double::of(Habit::Panics), &[]);
    assert_eq!(conclusion.num_failed, 2);
    let conclusion = run(folder.path(), || panic!("no licence"), &[]);
    assert_eq!(conclusion.num_failed, 2);
}

#[test]
fn a_suite_without_scenarios_fails() {
    let folder = repository();
    std::fs::remove_dir_all(folder.path().join("scenarios/schema")).unwrap();
    assert!(run(folder.path(), accepting, &[]).has_failed());
    std::fs::remove_dir_all(folder.path().join("scenarios")).unwrap();
    assert!(run(folder.path(), accepting, &[]).has_failed());
}

#[test]
fn a_malformed_scenario_fails_its_own_trial_only() {
    let folder = repository();
    std::fs::write(folder.path().join("scenarios/schema/offered.yml"), "scenario: [").unwrap();
    let conclusion = run(folder.path(), accepting, &[]);
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (1, 1));
    let listed = run(folder.path(), accepting, &["--list"]);
    assert!(!listed.has_failed());
    assert!(report(folder.path()).contains("schema/accepted: test\nschema/offered: test\n"));
}

#[test]
fn an_accepted_snapshot_passes_and_a_changed_one_fails() {
    let folder = repository();
    let snapshots = folder.path().join("snapshots/schema");
    std::fs::create_dir_all(&snapshots).unwrap();
    let file = snapshots.join("accepted.snap");
    let with_snapshots = || {
        let arguments = arguments(folder.path(), &["--exact", "schema/accepted"]);
        Suite::of(accepting).from_root(folder.path()).with_snapshots().run(&arguments)
    };
    std::fs::write(&file, "---\nsource: x.rs\n---\nload: {outcome: ok}\n").unwrap();
    assert_eq!(with_snapshots().num_passed, 1);
    std::fs::write(&file, "---\nsource: x.rs\n---\nload: {outcome: rejected}\n").unwrap();
    assert_eq!(with_snapshots().num_failed, 1);
    let report = report(folder.path());
    assert!(report.contains("review it with `cargo insta review`"), "{report}");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(with_snapshots().num_failed, 1);
}
