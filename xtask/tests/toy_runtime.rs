//! The Python kit's own tests, and its example runtime under the suite: passes what it does right, fails what it does
//! wrong on purpose, and nothing breaks the protocol.
//!
//! Skipped, with a message, where Python 3.11 or newer is missing. New scenarios need no change here.

#![allow(clippy::unwrap_used, reason = "helpers of a test")]
#![allow(clippy::print_stderr, reason = "says why it did nothing")]
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Scenarios of the parts that the toy has.
const RIGHT: &[&str] = &[
    "cancellation/barge_in_raises_in_the_tool",
    "discovery/import_of_misspelled_tool",
    "discovery/lib_value_at_dispatch",
    "discovery/local_tool_named_listen",
    "discovery/module_is_badly_indented",
    "discovery/undeclared_shared_tool_is_not_attached",
    "memory/get_other_private",
    "memory/get_stored_falsy",
    "memory/set_other_public",
    "memory/set_own_qualified",
    "memory/seen_by_the_next_tool_of_one_answer",
    "schema/context_is_no_property",
    "schema/optional_scalars",
    "schema/type_list_of_str",
    "schema/unresolved_is_a_string",
    "timeouts/default_stops_a_sleep",
];

/// Scenarios about what its README says that it does wrong.
const WRONG: &[&str] = &[
    "discovery/folder_shadows_tools_py",
    "memory/set_project_twice",
    "schema/no_additional_properties",
    "schema/pipe_none",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A Python that is new enough.
fn python() -> Option<&'static str> {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    let found = ["python3", "python"].into_iter().find(|name| {
        Command::new(name).args(["-c", is_new]).output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Python 3.11 or newer");
    }
    found
}

#[test]
fn the_kits_own_tests_pass() {
    let Some(python) = python() else { return };
    let kit = repository().join("harness/adapters/python");
    let arguments = ["-B", "-m", "unittest", "discover", "-t", ".", "-s", "tests"];
    let output = Command::new(python)
        .args(arguments)
        .env("PYTHONPATH", kit.join("src"))
        .current_dir(&kit)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_suite_tells_right_from_wrong_in_the_toy() {
    let Some(python) = python() else { return };
    let kit = repository().join("harness/adapters/python");
    let paths = std::env::join_paths([kit.join("src"), kit.join("examples/toy_runtime")]).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["conformance", "--format", "json"]);
    for scenario in RIGHT.iter().chain(WRONG) {
        command.args(["--run", scenario]);
    }
    command.args(["--", python, "-B", "-m", "toy_runtime"]).env("PYTHONPATH", paths);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report.pointer("/implementation/name"), Some(&"toy".into()));
    let seen: BTreeMap<String, String> = report
        .get("scenarios")
        .and_then(serde_json::Value::as_array)
        .unwrap()
        .iter()
        .map(|scenario| {
            let text = |key: &str| scenario.get(key).and_then(serde_json::Value::as_str).unwrap().to_owned();
            (text("id"), text("status"))
        })
        .collect();
    let expected = |ids: &[&str], status: &str| -> Vec<(String, String)> {
        ids.iter().map(|id| ((*id).to_owned(), status.to_owned())).collect()
    };
    let expected: BTreeMap<String, String> =
        [expected(RIGHT, "pass"), expected(WRONG, "fail")].concat().into_iter().collect();
    assert_eq!(seen, expected);
}
