//! Findings: what a project is refused for, and what is worth a look, with code, phase and place.
//!
//! Rules: the codes of contract-notes, "13. Findings" and the sections it names.

use crate::protocol::{Finding, LoadOutcome, LoadPhase, Severity, SourcePlace};
use crate::source::Position;

/// Collects the findings of one load.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    /// Notes an error that refuses the project in a phase.
    pub(crate) fn error(
        &mut self,
        phase: LoadPhase,
        code: &str,
        place: SourcePlace,
        message: impl Into<String>,
    ) {
        self.add(Severity::Error, phase, code, place, message.into());
    }

    /// Notes something that refuses nothing.
    pub(crate) fn note(
        &mut self,
        severity: Severity,
        code: &str,
        place: SourcePlace,
        message: impl Into<String>,
    ) {
        self.add(severity, LoadPhase::Train, code, place, message.into());
    }

    fn add(&mut self, severity: Severity, phase: LoadPhase, code: &str, place: SourcePlace, message: String) {
        self.found.push(Finding { code: code.to_owned(), severity, phase, place: Some(place), message });
    }

    /// Whether, and in which phase first, the project is refused; and all findings.
    pub(crate) fn conclude(self) -> (LoadOutcome, Option<LoadPhase>, Vec<Finding>) {
        let errors = self.found.iter().filter(|finding| finding.severity == Severity::Error);
        let phase = errors.map(|finding| finding.phase).min();
        let outcome = if phase.is_some() { LoadOutcome::Rejected } else { LoadOutcome::Ok };
        (outcome, phase, self.found)
    }
}

/// A file as a whole.
pub(crate) fn file(path: &str) -> SourcePlace {
    SourcePlace { file: path.to_owned(), line: 0, column: 0 }
}

/// A position in a file.
pub(crate) fn at(path: &str, position: Position) -> SourcePlace {
    SourcePlace { file: path.to_owned(), line: position.line, column: position.column }
}
