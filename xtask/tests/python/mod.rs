//! Python runtimes under the suite, for tests: a Python that is new enough, and a report of what became of scenarios.
//!
//! Knows no runtime.
//! Rules: without Python 3.11 a test says so and does nothing.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository's root.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folder of the Python kit.
pub(crate) fn kit() -> PathBuf {
    repository().join("harness/adapters/python")
}

/// A Python that is new enough.
pub(crate) fn interpreter() -> Option<&'static str> {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    let found = ["python3", "python"].into_iter().find(|name| {
        Command::new(name).args(["-c", is_new]).output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Python 3.11 or newer");
    }
    found
}

/// Puts a command under the suite, with these flags, the suite's own first.
pub(crate) fn conformance<'flag>(
    flags: impl IntoIterator<Item = &'flag str>,
    command: &[&OsStr],
    python_path: &OsStr,
) -> Output {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.arg("conformance").args(flags).arg("--").args(command).env("PYTHONPATH", python_path);
    xtask.output().unwrap()
}

/// The scenarios of a JSON report, each with its status; whoever answered must be of this name.
pub(crate) fn statuses(output: &Output, name: &str) -> BTreeMap<String, String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
    assert_eq!(report.pointer("/implementation/name"), Some(&name.into()));
    let text = |scenario: &serde_json::Value, key: &str| {
        scenario.get(key).and_then(serde_json::Value::as_str).unwrap().to_owned()
    };
    let scenarios = report.get("scenarios").and_then(serde_json::Value::as_array).unwrap();
    scenarios.iter().map(|scenario| (text(scenario, "id"), text(scenario, "status"))).collect()
}
