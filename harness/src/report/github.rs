//! A document as annotations of a GitHub workflow: lines that it shows beside the files they name.
//!
//! Knows the document and the escapes of that format.
//! Rules: docs.github.com, "Workflow commands"; one line for what fails the run, none for the rest.

use std::fmt::Write;

use crate::report::document::{Document, ScenarioEntry};
use crate::report::junit::explanation;
use crate::source::counted;

/// How many annotations are written: GitHub shows ten of each kind for a step, and a flood hides the log.
const MAXIMUM_SHOWN: usize = 50;

/// The lines.
pub(super) fn text(document: &Document) -> String {
    let mut text = String::new();
    // What passes unexpectedly is told beside its entry in the baseline.
    let failed: Vec<&ScenarioEntry> =
        document.scenarios.iter().filter(|scenario| scenario.status.is_failure()).collect();
    for scenario in failed.iter().take(MAXIMUM_SHOWN) {
        let first = scenario.differences.first();
        let (line, column) =
            first.map_or((scenario.line, scenario.column), |first| (first.line, first.column));
        let title = format!("{} {}: {}", scenario.status, scenario.id, scenario.title);
        annotation(&mut text, &scenario.file, (line, column), &title, &explanation(scenario));
    }
    if failed.len() > MAXIMUM_SHOWN {
        let more = format!("{} failed", counted(failed.len() - MAXIMUM_SHOWN, "more scenario"));
        // Writing into a string cannot fail.
        _ = writeln!(text, "::error::{}", data(&more));
    }
    for entry in &document.stale {
        let message = format!("known failure `{}` {}", entry.key, entry.message);
        annotation(&mut text, &entry.file, (entry.line, entry.column), "stale baseline", &message);
    }
    text
}

fn annotation(text: &mut String, file: &str, (line, column): (u32, u32), title: &str, message: &str) {
    let (file, title, message) = (property(file), property(title), data(message.trim_end()));
    // Writing into a string cannot fail.
    _ = writeln!(text, "::error file={file},line={line},col={column},title={title}::{message}");
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
