//! A document as JUnit's XML: a suite for each chapter's folder, a case for each scenario.
//!
//! Knows the document and JUnit's words; says nothing of time, since scenarios run on a virtual clock.
//! Rules: what fails the run is a failure or an error here, and nothing else is.

use std::collections::BTreeMap;
use std::fmt::Write;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::report::document::{Document, ScenarioEntry, StaleEntry};
use crate::report::event::ReportError;
use crate::verdict::Status;

/// The XML.
pub(super) fn text(document: &Document) -> Result<String, ReportError> {
    let mut report = Report::new(document.implementation_name());
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for scenario in &document.scenarios {
        let folder = scenario.folder();
        let suite = suites.entry(folder).or_insert_with(|| TestSuite::new(folder));
        suite.add_test_case(case(scenario));
    }
    report.add_test_suites(suites.into_values());
    if !document.stale.is_empty() {
        let mut suite = TestSuite::new("baseline");
        suite.add_test_cases(document.stale.iter().map(stale));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| ReportError::Junit(error.to_string()))
}

fn case(scenario: &ScenarioEntry) -> TestCase {
    let status = match scenario.status {
        Status::Pass => TestCaseStatus::success(),
        Status::Skip => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(scenario.reason.as_str());
            status
        }
        Status::Xfail => {
            let known = scenario.expected.as_ref().map(|known| known.reason.as_str()).unwrap_or_default();
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("known failure: {known}"));
            status
        }
        Status::Fail | Status::Xpass | Status::Untestable => non_success(NonSuccessKind::Failure, scenario),
        Status::Crash | Status::Timeout | Status::ProtocolError | Status::HarnessError => {
            non_success(NonSuccessKind::Error, scenario)
        }
    };
    let mut case = TestCase::new(scenario.id.as_str(), status);
    case.set_classname(scenario.folder());
    case
}

fn non_success(kind: NonSuccessKind, scenario: &ScenarioEntry) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(scenario.status.word());
    status.set_message(scenario.title.as_str());
    status.set_description(explanation(scenario));
    status
}

fn stale(entry: &StaleEntry) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("stale-baseline");
    status.set_message(format!("known failure `{}` {}", entry.key, entry.message));
    let mut case = TestCase::new(entry.key.as_str(), status);
    case.set_classname("baseline");
    case
}

/// Everything about a scenario that did not pass, as plain text.
pub(super) fn explanation(scenario: &ScenarioEntry) -> String {
    let mut text = String::new();
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        // Writing into a string cannot fail.
        _ = writeln!(text, "{arguments}");
    };
    for clause in &scenario.covers {
        line(format_args!("{}: {}", clause.id, clause.statement));
    }
    if !scenario.reason.is_empty() {
        line(format_args!("because {}", scenario.reason));
    }
    for difference in &scenario.differences {
        let path = if difference.path.is_empty() { "the whole report" } else { &difference.path };
        line(format_args!("in {}, {path}", difference.check));
        line(format_args!("  expected {}", difference.expected));
        line(format_args!("  seen     {}", difference.seen));
        line(format_args!("  at       {}:{}:{}", scenario.file, difference.line, difference.column));
    }
    if scenario.differences.is_empty() {
        line(format_args!("at {}:{}:{}", scenario.file, scenario.line, scenario.column));
    }
    line(format_args!("rerun: {}", scenario.rerun));
    text
}
