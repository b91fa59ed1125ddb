//! The commands that read scenarios and the catalogue, as a user starts them.
//!
//! Knows only what is printed, and the exit codes; what is wrong with a file is tested in the library.
//! Rules: the exit codes of `cargo xtask --help`.

#![allow(clippy::unwrap_used, reason = "helpers of a test")]
use std::path::Path;
use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap()
}

fn lint(folder: &Path) -> (Option<i32>, String) {
    let output = xtask(&["lint", "--scenarios", folder.to_str().unwrap()]);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn lint_prints_every_diagnostic_and_a_count_and_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("schema")).unwrap();
    let text = "scenario: A\ncovers: [SCH-01]\nexpct: {}\nexpect: {outcom: ok}\n";
    std::fs::write(folder.path().join("schema/a.yml"), text).unwrap();
    std::fs::write(folder.path().join("schema/note.txt"), "").unwrap();
    let (code, printed) = lint(folder.path());
    let expected = "\
scenarios/schema/a.yml:3:1: unknown key `expct` in a scenario
 3 | expct: {}
   | ^
   = did you mean `expect`?

scenarios/schema/a.yml:4:10: `expect` never has the key `outcom`
 4 | expect: {outcom: ok}
   |          ^
   = did you mean `outcome`?

scenarios/schema/note.txt:1:1: this file is no scenario
   = only *.yml files belong here

3 wrong in 2 of 2 files
";
    assert_eq!((code, printed.as_str()), (Some(2), expected));
}

#[test]
fn a_folder_without_scenarios_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let (code, printed) = lint(folder.path());
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("no scenario here"));
    assert_eq!(lint(&folder.path().join("none")).0, Some(2));
}

#[test]
fn a_sound_tree_exits_with_0() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("schema")).unwrap();
    let text = "scenario: A\ncovers: [SCH-01]\nexpect: {outcome: ok}\n";
    std::fs::write(folder.path().join("schema/a.yml"), text).unwrap();
    assert_eq!(lint(folder.path()), (Some(0), "1 scenario, nothing wrong\n".to_owned()));
}

#[test]
fn coverage_for_programs_is_one_json_document() {
    let output = xtask(&["coverage", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let chapters = document["chapters"].as_array().unwrap();
    assert_eq!(chapters.len(), harness::spec::CHAPTERS.len());
    assert!(chapters.iter().all(|chapter| chapter["must"]["total"].as_u64() > Some(0)));
}

#[test]
fn wrong_usage_exits_with_2_and_help_has_examples() {
    assert_eq!(xtask(&["lnt"]).status.code(), Some(2));
    assert_eq!(xtask(&["coverage", "--format", "xml"]).status.code(), Some(2));
    for command in ["lint", "coverage", "schemas"] {
        let help = xtask(&[command, "--help"]);
        assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:\n  cargo xtask"), "{command}");
    }
}
