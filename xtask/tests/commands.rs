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
    for command in ["lint", "coverage", "schemas", "inspect"] {
        let help = xtask(&[command, "--help"]);
        assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:\n  cargo xtask"), "{command}");
    }
}

fn inspect(arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/wallet_agent");
    let output = xtask(&[&["inspect", folder.to_str().unwrap()], arguments].concat());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn inspect_says_what_a_gate_reads_and_whether_memory_opens_it() {
    let (code, printed, _) = inspect(&[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("      reads session.freeze_card.card_id, text\n"), "{printed}");
    assert!(!printed.contains("with the memory given"), "{printed}");
    for (value, state) in [("c1", "open"), ("''", "shut"), ("null", "shut")] {
        let (code, printed, _) = inspect(&["--with", &format!("session.freeze_card.card_id={value}")]);
        assert_eq!(code, Some(0), "{printed}");
        let gate = format!("text\n      with the memory given: {state}\n");
        assert!(printed.contains(&gate), "{value}: {printed}");
    }
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_that_cannot_connect_says_which_one_can() {
    let (code, printed, beside) = inspect(&["--connect"]);
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{beside}");
    assert!(beside.contains("run `cargo run --package xtask --features mcp -- inspect"), "{beside}");
}

#[test]
fn inspect_for_programs_has_the_gates_in_its_document() {
    let with = ["--with", "session.project.signed_in=true", "--with", "session.freeze_card.card_id=c1"];
    let (_, printed, _) = inspect(&[&["--format", "json"], with.as_slice()].concat());
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let gates = document["gates"].as_array().unwrap();
    let gate = gates.iter().find(|gate| gate["tool"] == "freeze_chosen_card").unwrap();
    assert_eq!((&gate["open"], &gate["reads"][0]["type"]), (&true.into(), &"text".into()));
}

#[test]
fn memory_that_nobody_declares_exits_with_2_and_a_hint() {
    let (code, _, printed) = inspect(&["--with", "session.freeze_card.cardid=c1"]);
    let expected = "error: --with: the project declares no `session.freeze_card.cardid`; \
        did you mean `session.freeze_card.card_id`?\n";
    assert_eq!((code, printed.as_str()), (Some(2), expected));
}
