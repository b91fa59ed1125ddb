//! The baselines that lie beside the adapters can be read, and name scenarios and findings that there are.
//!
//! Knows the files alone: whether their runtimes still fail like that takes a run of them.
//! Rules: `docs/running.md`, "Known failures"; `docs/findings.md`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use harness::suite::Repository;
use harness::verdict::Baseline;

const FINDINGS: &str = include_str!("../../docs/findings.md");

fn baselines() -> Vec<(PathBuf, Baseline)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/rasa_pro");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("baseline-"));
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        match Baseline::read(&file.display().to_string(), &text) {
            Ok(baseline) => (file, baseline),
            Err(found) => {
                panic!("{}", found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
            }
        }
    };
    files.map(read).collect()
}

/// The findings that a reason names before its colon: `F1, F2: what is seen`.
fn findings(reason: &str) -> Vec<&str> {
    reason.split_once(':').map(|(ids, _)| ids.split(", ").collect()).unwrap_or_default()
}

#[test]
fn every_entry_names_a_scenario_and_the_findings_behind_it() {
    let ids = Repository::shipped().scenario_ids().unwrap();
    let ids: BTreeSet<String> = ids.iter().map(ToString::to_string).collect();
    let mut wrong = Vec::new();
    for (file, baseline) in baselines() {
        for entry in &baseline.entries {
            let place = format!("{}:{}: `{}`", file.display(), entry.position.line, entry.key);
            let part = || entry.key.rsplit_once('/').is_some_and(|(id, _)| ids.contains(id));
            if !ids.contains(&entry.key) && !part() {
                wrong.push(format!("{place} is no scenario"));
            }
            let named = findings(&entry.reason);
            let told = |id: &&str| {
                FINDINGS.contains(&format!("### {id}. ")) || FINDINGS.contains(&format!("- {id}. "))
            };
            if named.is_empty() || !named.iter().all(told) {
                wrong.push(format!("{place}: `{}` names no finding of docs/findings.md", entry.reason));
            }
        }
    }
    assert!(wrong.is_empty(), "{} entries:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_finding_that_contradicts_the_text_is_in_a_baseline() {
    let baselines = baselines();
    assert!(!baselines.is_empty());
    let named: BTreeSet<&str> = baselines
        .iter()
        .flat_map(|(_, baseline)| &baseline.entries)
        .flat_map(|entry| findings(&entry.reason))
        .collect();
    let told =
        FINDINGS.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(". ").map(|(id, _)| id));
    let missing: Vec<&str> = told.filter(|id| !named.contains(id)).collect();
    assert!(missing.is_empty(), "in no baseline: {}", missing.join(", "));
}
