//! The forms in which a run is written for programs, and the reporter that writes one when it ends.
//!
//! Every form is made of the same document, so that none can say something else than the others.
//! Rules: docs/running.md, "Reports"; a form never changes an exit code.

use std::io::Write;

use crate::report::document::{Builder, Document};
use crate::report::event::{Event, ReportError, Reporter};
use crate::report::{github, junit, markdown};

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON document: `specs/report.schema.json`.
    Json,
    /// JUnit's XML, for build servers.
    Junit,
    /// A conformance statement in Markdown.
    Markdown,
    /// Annotations for GitHub's workflows.
    Github,
}

impl Form {
    /// Writes a document in this form.
    pub fn text(self, document: &Document) -> Result<String, ReportError> {
        match self {
            Self::Json => Ok(format!("{}\n", serde_json::to_string_pretty(document)?)),
            Self::Junit => junit::text(document),
            Self::Markdown => Ok(markdown::text(document)),
            Self::Github => Ok(github::text(document)),
        }
    }
}

/// Writes a run in one form, when it ends.
pub struct FormReporter<Output> {
    form: Form,
    output: Output,
    builder: Builder,
}

impl<Output: Write> FormReporter<Output> {
    /// A reporter that writes this form to this output.
    pub fn new(form: Form, output: Output) -> Self {
        Self { form, output, builder: Builder::default() }
    }

    /// Scenarios are shown with the command that reruns them with the implementation
    /// that these arguments choose, as in `--timeout 2s -- ./my-adapter`.
    #[must_use]
    pub fn of_command(mut self, arguments: Option<String>) -> Self {
        self.builder = Builder::of_command(arguments);
        self
    }
}

impl<Output: Write> Reporter for FormReporter<Output> {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        if let Some(document) = self.builder.take(event) {
            self.output.write_all(self.form.text(&document)?.as_bytes())?;
            self.output.flush()?;
        }
        Ok(())
    }
}

/// Tells every event to several reporters; the first that cannot take one is what becomes of it.
#[derive(Default)]
pub struct Several<'reporters>(Vec<Box<dyn Reporter + 'reporters>>);

impl<'reporters> Several<'reporters> {
    /// Nobody yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more, told after the others.
    pub fn add(&mut self, reporter: impl Reporter + 'reporters) {
        self.0.push(Box::new(reporter));
    }
}

impl Reporter for Several<'_> {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        // All are told: who no longer listens keeps nothing from the others.
        let told: Vec<_> = self.0.iter_mut().map(|reporter| reporter.take(event)).collect();
        told.into_iter().collect()
    }
}
