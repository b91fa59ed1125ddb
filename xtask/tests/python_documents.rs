//! The adapters that the documents print, run as they stand there: `harness/adapters/python/README.md` and
//! `docs/adapters.md`.
//!
//! Skipped, with a message, where Python 3.11 or newer is missing. New scenarios need no change here.
//! Rules: what a reader copies must work, and do what the text beside it says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]
#![allow(clippy::print_stderr, reason = "says why it did nothing")]
mod python;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use harness::protocol::{LoadOutcome, LoadReport, Outcome, Reply, ReplyLine, TurnTrace};

/// The only Python that a document prints.
fn printed(document: &str) -> &str {
    let mut fences = document.split("```python\n").skip(1);
    let code = fences.next().unwrap().split_once("```").unwrap().0;
    assert!(fences.next().is_none(), "which one is to be run?");
    code
}

/// Runs code under the suite, saved as a file of its own; with the kit, or with Python alone.
fn run(code: &str, flags: &[&str], with_kit: bool) -> Option<Output> {
    let interpreter = python::interpreter()?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first_adapter.py");
    std::fs::write(&file, code).unwrap();
    let path = if with_kit { python::kit().join("src") } else { folder.path().to_owned() };
    let command = [OsStr::new(interpreter), OsStr::new("-B"), file.as_os_str()];
    Some(python::conformance(flags.iter().copied(), &command, path.as_os_str()))
}

/// Every one of these scenarios passes.
fn pass(statuses: &BTreeMap<String, String>, scenarios: &[&str]) {
    for scenario in scenarios {
        assert_eq!(statuses.get(*scenario).map(String::as_str), Some("pass"), "{scenario}");
    }
}

/// How many have this status.
fn count(statuses: &BTreeMap<String, String>, wanted: &str) -> usize {
    statuses.values().filter(|status| *status == wanted).count()
}

#[test]
fn the_readmes_example_prints_what_the_readme_says() {
    let readme = include_str!("../../harness/adapters/python/README.md");
    let flags = ["--run", "results/falsy_values_inside"];
    assert!(
        readme.contains(&format!("cargo xtask conformance {} -- python3 first_adapter.py", flags.join(" ")))
    );
    let Some(output) = run(printed(readme), &flags, true) else { return };
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        readme.contains(&format!("first_adapter.py\n{printed}```")),
        "the README does not print:\n{printed}"
    );
}

#[test]
fn of_what_the_readmes_example_is_asked_about_half_passes_and_nothing_breaks() {
    let readme = include_str!("../../harness/adapters/python/README.md");
    assert!(readme.contains("passes about half of the rest"));
    let Some(output) = run(printed(readme), &["--format", "json"], true) else { return };
    let statuses = python::statuses(&output, "first-runtime");
    pass(
        &statuses,
        &[
            "context/send_between_two_services",
            "context/sends_keep_their_order_across_awaits",
            "discovery/lib_imported_in_tools_py",
            "discovery/module_imports_absent_package",
            "discovery/module_imports_installed_package",
            "discovery/module_is_badly_indented",
            "results/calls_run_one_after_the_other",
            "results/falsy_values_inside",
            "results/nested_values_keep_their_types",
        ],
    );
    let [passed, failed, skipped] = ["pass", "fail", "skip"].map(|status| count(&statuses, status));
    assert_eq!(passed + failed + skipped, statuses.len(), "{statuses:?}");
    assert!((35..=65).contains(&(passed * 100 / (passed + failed))), "{passed} of {}", passed + failed);
}

#[test]
fn the_adapter_written_by_hand_passes_what_its_document_says() {
    let document = include_str!("../../docs/adapters.md");
    let simplest = "discovery/tools_py_needs_no_declaration";
    assert!(document.contains(&format!("--run {simplest} -- python3 by_hand.py")));
    let Some(output) = run(printed(document), &["--format", "json"], false) else { return };
    let statuses = python::statuses(&output, "by-hand");
    pass(&statuses, &[simplest, "discovery/module_is_badly_indented", "discovery/skill_id_is_its_folder"]);
    // Nothing breaks.
    let [passed, failed, skipped] = ["pass", "fail", "skip"].map(|status| count(&statuses, status));
    assert_eq!(passed + failed + skipped, statuses.len(), "{statuses:?}");
}

#[test]
fn the_adapter_written_by_hand_gives_a_turn_up_when_the_script_is_at_its_end() {
    let Some(interpreter) = python::interpreter() else { return };
    let document = include_str!("../../docs/adapters.md");
    let project = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(project.path().join("skills/pay")).unwrap();
    let requests = [
        serde_json::json!({"kind": "load", "root": project.path()}),
        serde_json::json!({"kind": "turn", "input": {"says": "Hi"}, "llm": [{"calls": ["listen"]}]}),
        serde_json::json!({"kind": "turn", "input": {"says": "Hi"}, "llm": [{"say": "Hello"}]}),
        serde_json::json!({"kind": "dance"}),
        serde_json::json!({"kind": "bye"}),
    ];
    let mut child = Command::new(interpreter)
        .args(["-B", "-c", printed(document)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for (id, request) in requests.iter().enumerate() {
        writeln!(stdin, "{}", serde_json::json!({"id": id, "request": request})).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let replies: Vec<&str> = text.lines().collect();
    let [load, given_up, completed, unknown, bye] = replies.as_slice() else { panic!("{text}") };
    let load: ReplyLine<LoadReport> = serde_json::from_str(load).unwrap();
    assert!(matches!(load.reply, Reply::Result(report) if report.outcome == LoadOutcome::Ok));
    for (line, outcome, code) in
        [(given_up, Outcome::Failed, Some("llm_script_exhausted")), (completed, Outcome::Completed, None)]
    {
        let line: ReplyLine<TurnTrace> = serde_json::from_str(line).unwrap();
        let Reply::Result(trace) = line.reply else { panic!("{text}") };
        assert_eq!(trace.outcome, outcome);
        assert_eq!(trace.failure.as_ref().map(|failure| failure.code.as_str()), code);
    }
    assert!(unknown.contains("errored"));
    assert_eq!(*bye, r#"{"id": 4, "reply": {"result": {}}}"#);
}
