//! What a newcomer sees whose runtime is behind a command: nothing about the reference, and what was asked of it.
//!
//! Knows only what is printed and written, and the exit codes; verdicts are tested in the library.
//! Rules: docs/running.md; the exit codes of `cargo xtask --help`.
#![allow(clippy::unwrap_used, reason = "helpers of a test")]

use std::process::Command;

const ONE: &str = "schema/type_str";

/// Passes that scenario, and does not say all that the reference says.
const BRIEF: &str = r#"{"result":{"outcome":"ok","skills":{"payments":{"tools":{"find_invoice":{"source":"skill",
    "description":null,"parameters":{"properties":{"number":{"type":"string"}}}}}}}}}"#;

/// Declares $1, answers each project with $2, in which ROOT stands for the project's folder, and says so on stderr.
const ADAPTER: &str = r#"
n=0
while read -r line; do
  n=$((n+1))
  case $line in
    *'"kind":"hello"'*) reply='{"result":{"name":"shell","version":"1","language":"sh","protocol":1,"edition":"3.20",
      "capabilities":['$1']}}';;
    *'"kind":"load"'*) root=${line#*'"root":"'}; root=${root%%'"'*}
      reply=$(printf '%s' "$2" | sed "s|ROOT|$root|g"); echo "loaded $root/agent.yml" >&2;;
    *'"kind":"bye"'*) exit;;
  esac
  printf '%s' '{"id":'$n',"reply":'"$reply"'}' | tr -d '\n'
  echo
done
"#;

/// Exit code, stdout, stderr.
fn xtask(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The same of `conformance`, with an adapter that is capable of this and answers projects like this.
fn conformance(flags: &[&str], capabilities: &str, answer: &str) -> (Option<i32>, String, String) {
    let command = ["--", "sh", "-c", ADAPTER, "adapter", capabilities, answer];
    xtask(&[&["conformance"], flags, &command].concat())
}

#[test]
fn snapshots_of_the_reference_are_counted_beside_another_shown_when_asked_for_and_never_accepted() {
    let run = |flags: &[&str]| conformance(&[&["--run", ONE], flags].concat(), "\"schema\"", BRIEF);
    let (code, printed, _) = run(&[]);
    assert_eq!(code, Some(0), "{printed}");
    let end = "\n1 trace differs from the reference's, which is no failure; --snapshots shows where\n\n1 scenario: 1 pass\n\
               conformant in what was asked: a part of the suite\n";
    assert!(printed.ends_with(end), "{printed}");
    let (_, document, _) = run(&["--format", "json"]);
    assert!(document.contains("\"snapshot\": \"differs\""), "{document}");
    let (code, printed, _) = run(&["--snapshots"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("\nsnapshot differs schema/type_str: "), "{printed}");
    assert!(!printed.contains("accept"), "{printed}");
    let (code, printed, _) = run(&["--strict"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("\nsnapshot differs schema/type_str: "), "{printed}");
    let end = "1 pass, 1 snapshot changed (failures)\n\
               conformant in what was asked: a part of the suite, but 1 trace differs from its snapshot\n";
    assert!(printed.ends_with(end), "{printed}");
    let (code, _, complaint) = xtask(&["conformance", "--run", ONE, "--snapshots"]);
    assert_eq!(code, Some(2), "the reference is always compared: {complaint}");
    let (_, document, _) = xtask(&["conformance", "--run", ONE, "--format", "json"]);
    assert!(document.contains("\"snapshot\": \"same\""), "{document}");
}

#[test]
fn nobody_is_called_conformant_in_what_was_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("statement.md");
    let report = format!("markdown={}", file.display());
    let run = |capabilities: &str| {
        let flags = ["--run", ONE, "--run", "memory/false_then_true", "--report", &report];
        let (code, printed, complaint) = conformance(&flags, capabilities, BRIEF);
        assert_eq!(code, Some(0), "{printed}");
        (printed, complaint, std::fs::read_to_string(&file).unwrap())
    };
    let (printed, complaint, statement) = run("");
    assert!(printed.ends_with("\n2 scenarios: 0 pass, 2 skip\nnothing asked\n"), "{printed}");
    assert_eq!(complaint, "warning: nothing asked, every scenario was skipped\n");
    assert!(statement.contains("\n| Result | nothing asked |\n"), "{statement}");
    let (printed, complaint, statement) = run("\"schema\"");
    let result = "conformant in what was asked: 1 of 2, a part of the suite";
    assert!(printed.ends_with(&format!("\n2 scenarios: 1 pass, 1 skip\n{result}\n")), "{printed}");
    assert_eq!(complaint, "");
    assert!(statement.contains(&format!("\n| Result | {result} |\n")), "{statement}");
}

/// Its project's folder is in each of its texts.
const TALKATIVE: &str =
    r#"{"errored":{"message":"no ROOT/tools.yml","detail":"Traceback\n  File \"ROOT/a.py\", line 1"}}"#;

#[test]
fn two_runs_of_one_implementation_differ_in_no_byte_although_their_folders_do() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("transcripts").display().to_string();
    let flags = ["--run", ONE, "--transcript", &kept, "--format", "json"];
    let rejected = r#"{"result":{"outcome":"rejected","phase":"load","findings":[{"code":"x","severity":"error",
        "phase":"load","message":"ROOT/agent.yml is missing"}]}}"#;
    for (answer, told) in [
        (TALKATIVE, "no <project>/tools.yml\\nTraceback\\n  File \\\"<project>/a.py\\\", line 1\""),
        (rejected, "x: <project>/agent.yml is missing"),
        ("ROOT", "`{\\\"id\\\":2,\\\"reply\\\":<project>"),
    ] {
        let (code, one, _) = conformance(&flags, "\"schema\"", answer);
        assert_eq!(code, Some(1), "{one}");
        assert!(one.contains(told), "{one}");
        let transcript = std::fs::read_to_string(format!("{kept}/{ONE}.jsonl")).unwrap();
        assert!(
            transcript.contains("<project>") && !transcript.contains("mantle-conformance-"),
            "{transcript}"
        );
        assert!(conformance(&flags, "\"schema\"", answer).1 == one, "another folder, another document");
        let command = ["--", "sh", "-c", ADAPTER, "adapter", "\"schema\"", answer];
        let (code, printed, _) = xtask(&[&["replay", &format!("{kept}/{ONE}.jsonl")], &command[..]].concat());
        assert_eq!((code, printed.as_str()), (Some(0), "1 request, every answer as recorded\n"));
    }
    let (_, printed, _) = conformance(&["--run", ONE], "\"schema\"", TALKATIVE);
    assert!(printed.contains("  its stderr:\n    loaded <project>/agent.yml\n"), "{printed}");
}

#[test]
fn a_replay_shows_where_a_long_answer_becomes_another() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("transcripts").display().to_string();
    let answer = |end: &str| format!(r#"{{"errored":{{"message":"{}{end}","detail":""}}}}"#, "x".repeat(300));
    conformance(&["--run", ONE, "--transcript", &kept], "\"schema\"", &answer("one"));
    let command = ["--", "sh", "-c", ADAPTER, "adapter", "\"schema\"", &answer("two")];
    let (code, printed, _) = xtask(&[&["replay", &format!("{kept}/{ONE}.jsonl")], &command[..]].concat());
    let before = "x".repeat(40);
    let expected = format!(
        "request 1 of 1, load: errored.message\n  recorded  …{before}one\n  seen      …{before}two\n"
    );
    assert_eq!((code, printed), (Some(1), expected));
}

#[test]
fn a_command_without_the_dashes_before_it_is_told_where_they_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wire.py").display().to_string();
    std::fs::write(&file, "").unwrap();
    for words in [&[file.as_str()][..], &["schema", &file]] {
        let (code, printed, complaint) = xtask(&[&["conformance"], words].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
        let hint = format!("a command goes after `--`: `cargo xtask conformance -- {file}`\n");
        assert!(complaint.contains(&hint), "{complaint}");
    }
    let (code, _, complaint) = xtask(&["conformance", "mkdir", "wire.py"]);
    let expected = "error: no scenario is called `mkdir`, but a program or file is; a command goes after `--`: \
                    `cargo xtask conformance -- mkdir wire.py`\n";
    assert_eq!((code, complaint.as_str()), (Some(2), expected));
    for none in ["no_such_scenario", "scenarios/schema/type_str.yml"] {
        let (code, _, complaint) = xtask(&["conformance", none]);
        let expected =
            format!("error: no scenario's id contains `{none}`; `cargo xtask list` shows what there is\n");
        assert_eq!((code, complaint), (Some(2), expected));
    }
}

#[test]
fn show_shows_what_loading_reports_where_nothing_else_happens() {
    let (code, printed, _) = xtask(&["show", ONE]);
    let expected = "schema/type_str: A parameter annotated str is a string\n\nskill payments: find_invoice\n\
                    accepted, 1 skill, 1 tool\n\nnothing happens after loading; `cargo xtask conformance --run \
                    schema/type_str` judges it\n";
    assert_eq!((code, printed.as_str()), (Some(0), expected));
    let rejected = r#"{"result":{"outcome":"rejected","phase":"load","findings":[{"code":"x.y","severity":"error",
        "phase":"load","place":{"file":"agent.yml","line":3,"column":1},"message":"no"}]}}"#;
    let command = ["--", "sh", "-c", ADAPTER, "adapter", "\"schema\"", rejected];
    let (code, printed, _) = xtask(&[&["show", ONE], &command[..]].concat());
    assert_eq!(code, Some(0), "{printed}");
    let told = "\nagent.yml:3:1: error at load: no\n    x.y\nrefused at load, 0 skills, 0 tools, 1 error\n";
    assert!(printed.contains(told), "{printed}");
    assert!(printed.contains("`cargo xtask conformance --run schema/type_str -- sh -c '"), "{printed}");
    let command = ["--", "sh", "-c", ADAPTER, "adapter", "\"schema\"", TALKATIVE];
    let (code, printed, _) = xtask(&[&["show", ONE], &command[..]].concat());
    assert_eq!(code, Some(1), "{printed}");
}

#[test]
fn a_fault_of_its_own_fails_also_where_the_text_is_silent_and_its_wording_is_no_observation() {
    let observed = "schema/annotated_observed";
    let errored = |line: u32| {
        let detail = format!(r#"Traceback\n  File \"ROOT/../adapter.py\", line {line}\n    pay()"#);
        format!(r#"{{"errored":{{"message":"KeyError","detail":"{detail}"}}}}"#)
    };
    let (code, printed, _) = conformance(&["--run", observed], "\"schema\"", &errored(7));
    assert_eq!(code, Some(1), "{printed}");
    let told = "KeyError\n            Traceback\n              File \"<project>/../adapter.py\", line 7\n                pay()\n";
    assert!(printed.contains(told), "{printed}");
    let (one, other) = (errored(7), errored(8));
    let command = |answer| ["--", "sh", "-c", ADAPTER, "adapter", "\"schema\"", answer];
    let flags = ["compare", "--run", observed];
    let (code, printed, _) = xtask(&[&flags[..], &command(one.as_str()), &command(other.as_str())].concat());
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with(", 0 observed otherwise, 1 the same\n"), "{printed}");
    let rejected = |word: &str| {
        let finding = format!(r#"{{"code":"x","severity":"error","phase":"load","message":"a\n  {word}"}}"#);
        format!(r#"{{"result":{{"outcome":"rejected","phase":"load","findings":[{finding}]}}}}"#)
    };
    let (one, other) = (rejected("b"), rejected("c"));
    let (code, printed, _) = xtask(&[&flags[..], &command(one.as_str()), &command(other.as_str())].concat());
    assert_eq!(code, Some(0), "{printed}");
    let said = "the project was rejected while loading: x: a\n              ";
    assert!(printed.contains(&format!("\n  was       {said}b\n  is        {said}c\n")), "{printed}");
}
