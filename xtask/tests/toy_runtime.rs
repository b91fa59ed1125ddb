//! The Python kit's own tests, and its example runtime under the suite: passes what it does right, fails what it does
//! wrong on purpose, and nothing breaks the protocol.
//!
//! Skipped, with a message, where Python 3.11 or newer is missing. New scenarios need no change here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of a test")]
#![allow(clippy::print_stderr, reason = "says why it did nothing")]
mod python;

use std::collections::BTreeMap;
use std::ffi::OsStr;
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

#[test]
fn the_kits_own_tests_pass() {
    let Some(interpreter) = python::interpreter() else { return };
    let arguments = ["-B", "-m", "unittest", "discover", "-t", ".", "-s", "tests"];
    let output = Command::new(interpreter)
        .args(arguments)
        .env("PYTHONPATH", python::kit().join("src"))
        .current_dir(python::kit())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_suite_tells_right_from_wrong_in_the_toy() {
    let Some(interpreter) = python::interpreter() else { return };
    let paths = [python::kit().join("src"), python::kit().join("examples/toy_runtime")];
    let scenarios = RIGHT.iter().chain(WRONG).flat_map(|scenario| ["--run", scenario]);
    let flags = ["--format", "json"].into_iter().chain(scenarios);
    let command = [interpreter, "-B", "-m", "toy_runtime"].map(OsStr::new);
    let output = python::conformance(flags, &command, &std::env::join_paths(paths).unwrap());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = |ids: &[&str], status: &str| -> Vec<(String, String)> {
        ids.iter().map(|id| ((*id).to_owned(), status.to_owned())).collect()
    };
    let expected: BTreeMap<String, String> =
        [expected(RIGHT, "pass"), expected(WRONG, "fail")].concat().into_iter().collect();
    assert_eq!(python::statuses(&output, "toy"), expected);
}
