//! Scenarios and snapshots mirror each other.
//!
//! Looks at paths only; what is in a snapshot is compared by the suite.
//! Rules: design, "Scenarios".

use std::collections::BTreeSet;

use crate::tree::Violation;

/// Snapshots of no scenario.
pub(crate) fn orphans(scenarios: &[String], snapshots: &[String]) -> Vec<Violation> {
    let scenarios = ids(scenarios, "scenarios/", ".yml");
    let orphaned = ids(snapshots, "snapshots/", ".snap").into_iter().filter(|id| !scenarios.contains(id));
    let violation = |id: String| Violation {
        file: format!("snapshots/{id}.snap"),
        line: 0,
        what: "there is no such scenario".to_owned(),
        instead: "delete it, or rename it with its scenario".to_owned(),
    };
    orphaned.map(violation).collect()
}

/// Scenarios without a snapshot.
pub(crate) fn missing(scenarios: &[String], snapshots: &[String]) -> Vec<Violation> {
    let snapshots = ids(snapshots, "snapshots/", ".snap");
    let bare = ids(scenarios, "scenarios/", ".yml").into_iter().filter(|id| !snapshots.contains(id));
    let violation = |id: String| Violation {
        file: format!("scenarios/{id}.yml"),
        line: 0,
        what: "it has no snapshot".to_owned(),
        instead: "record one with `cargo test`, then `cargo insta review`".to_owned(),
    };
    bare.map(violation).collect()
}

fn ids(paths: &[String], folder: &str, ending: &str) -> BTreeSet<String> {
    let id = |path: &String| Some(path.strip_prefix(folder)?.strip_suffix(ending)?.to_owned());
    paths.iter().filter_map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_looked_for_beside_the_other() {
        let paths = |paths: &[&str]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
        let scenarios = paths(&["scenarios/a/kept.yml", "scenarios/a/new.yml", "scenarios/README.md"]);
        let snapshots =
            paths(&["snapshots/a/kept.snap", "snapshots/a/old.snap", "snapshots/a/kept.snap.new"]);
        let found = [orphans(&scenarios, &snapshots), missing(&scenarios, &snapshots)].concat();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "snapshots/a/old.snap: there is no such scenario, delete it, or rename it with its scenario",
                "scenarios/a/new.yml: it has no snapshot, record one with `cargo test`, then `cargo insta review`",
            ]
        );
    }
}
