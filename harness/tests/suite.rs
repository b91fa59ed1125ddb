//! The suite as trials: what is listed, selected, skipped, failed and recorded.
//!
//! Uses a repository of its own; the real scenarios are the root package's business.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

mod doubles;

use std::path::Path;

use doubles::{Double, Habit};
use harness::suite::{Suite, Variables};
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

/// A suite of ten scenarios for a program that notes when it is started and when it ends.
fn behind_a_command(program: &str, threads: &str) -> (Conclusion, String, String) {
    let folder = repository();
    for number in 0..8 {
        let copy = folder.path().join(format!("scenarios/schema/accepted_{number}.yml"));
        std::fs::copy(folder.path().join("scenarios/schema/accepted.yml"), copy).unwrap();
    }
    let log = folder.path().join("log.txt");
    let script = format!("echo begins >> \"$1\"; {program}; echo ends >> \"$1\"");
    let words =
        serde_json::json!(["sh", "-c", script, env!("CARGO_BIN_EXE_mantle-reference"), log]).to_string();
    let variables = Variables::read(|name| match name {
        "CONFORMANCE_IMPL" => Some(words.clone().into()),
        "CONFORMANCE_TIMEOUT" => Some("20s".into()),
        _ => None,
    });
    let suite = Suite::of_variables(variables.unwrap().unwrap()).from_root(folder.path());
    let conclusion = suite.run(&arguments(folder.path(), &["--test-threads", threads]));
    (conclusion, std::fs::read_to_string(log).unwrap(), report(folder.path()))
}

#[test]
fn a_process_serves_many_trials_and_has_left_when_they_are_over() {
    for threads in [1, 3] {
        let (conclusion, log, report) = behind_a_command("\"$0\"", &threads.to_string());
        assert_eq!((conclusion.num_passed, conclusion.num_failed), (9, 1), "{report}");
        let count = |word: &str| log.lines().filter(|line| *line == word).count();
        let begun = count("begins");
        assert!((1..=threads).contains(&begun), "{begun} processes for {threads} threads");
        assert_eq!(count("ends"), begun, "all have left in good order");
    }
}

#[test]
fn after_a_fault_the_next_trial_meets_a_fresh_process() {
    // Each is greeted, answers one project, and is gone.
    let two_requests = "for request in 1 2; do read -r line; printf '%s\\n' \"$line\"; done | \"$0\"";
    let (conclusion, log, report) = behind_a_command(two_requests, "1");
    assert_eq!((conclusion.num_passed, conclusion.num_failed), (5, 5), "{report}");
    assert_eq!(log.lines().filter(|line| *line == "begins").count(), 5);
}

#[test]
fn what_is_typed_to_run_a_failure_again_names_the_variables() {
    let (_, _, report) = behind_a_command("\"$0\"", "1");
    let rerun = report.lines().find(|line| line.starts_with("  rerun ")).unwrap();
    assert!(rerun.starts_with("  rerun     CONFORMANCE_IMPL='[\"sh\",\"-c\",\"echo begins "), "{rerun}");
    assert!(rerun.ends_with("]' CONFORMANCE_TIMEOUT=20s cargo test -- --exact schema/offered"), "{rerun}");
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
