//! The reports beside what is printed: the flag, and where each goes.
//!
//! Knows files and names of forms; what a form looks like is the library's business.
//! Rules: docs/running.md, "Reports"; a report never changes an exit code.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use harness::report::{Document, Form, FormReporter, ReportError, Several};

use crate::report_file::ReportFile;

/// Reports.
#[derive(Args)]
pub(crate) struct Reports {
    /// Also write a report: `json=FILE`, `junit=FILE`, `markdown=FILE`, or `github` for annotations on
    /// stdout; may be repeated.
    #[arg(long = "report", value_name = "FORM[=FILE]", value_parser = wanted)]
    wanted: Vec<Wanted>,
}

/// A report that is asked for.
#[derive(Clone, Debug)]
struct Wanted {
    form: Form,
    /// Stdout, when there is none.
    file: Option<PathBuf>,
}

/// A report that cannot be begun.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportsError {
    #[error("{file}: {error}", file = .0.display(), error = .1)]
    File(PathBuf, std::io::Error),
    #[error("--report github and JSON cannot both be printed on stdout")]
    TwoOnStdout,
}

impl Reports {
    /// Whether none is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Adds those that are asked for, so that a slip is known before anything is run; what earlier runs wrote to their
    /// files is taken away.
    pub(crate) fn add_to(
        &self,
        reporters: &mut Several<'_>,
        command: Option<&String>,
        stdout_is_json: bool,
    ) -> Result<(), ReportsError> {
        let outputs = self.wanted.iter().map(|wanted| wanted.output(stdout_is_json));
        // All are looked at before the first is touched.
        let outputs: Vec<Output> = outputs.collect::<Result<_, _>>()?;
        for (wanted, output) in self.wanted.iter().zip(outputs) {
            if let (Output::File(output), Some(file)) = (&output, &wanted.file) {
                output.clear().map_err(|error| ReportsError::File(file.clone(), error))?;
            }
            let output: Box<dyn Write> = output.into();
            reporters.add(FormReporter::new(wanted.form, output).of_command(command.cloned()));
        }
        Ok(())
    }

    /// Writes those that are asked for.
    pub(crate) fn write(&self, document: &Document) -> Result<(), Box<dyn std::error::Error>> {
        for wanted in &self.wanted {
            let text = wanted.form.text(document)?;
            let mut output: Box<dyn Write> = wanted.output(false)?.into();
            output.write_all(text.as_bytes()).map_err(ReportError::from)?;
            output.flush().map_err(ReportError::from)?;
        }
        Ok(())
    }
}

/// Where a report goes.
enum Output {
    File(ReportFile),
    Stdout,
}

impl From<Output> for Box<dyn Write> {
    fn from(output: Output) -> Self {
        match output {
            Output::File(file) => Box::new(file),
            Output::Stdout => Box::new(anstream::stdout()),
        }
    }
}

impl Wanted {
    fn output(&self, stdout_is_json: bool) -> Result<Output, ReportsError> {
        match &self.file {
            Some(file) => match ReportFile::at(file) {
                Ok(output) => Ok(Output::File(output)),
                Err(error) => Err(ReportsError::File(file.clone(), error)),
            },
            None if stdout_is_json => Err(ReportsError::TwoOnStdout),
            None => Ok(Output::Stdout),
        }
    }
}

fn wanted(text: &str) -> Result<Wanted, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) if !file.is_empty() => (name, Some(PathBuf::from(file))),
        Some((name, _)) => return Err(format!("name a file: `{name}=FILE`")),
        None => (text, None),
    };
    let form = match name {
        "json" => Form::Json,
        "junit" => Form::Junit,
        "markdown" => Form::Markdown,
        "github" => Form::Github,
        _ => {
            let names = ["json", "junit", "markdown", "github"];
            return Err(format!("no form `{name}`; {}", harness::source::did_you_mean(name, &names)));
        }
    };
    if file.is_none() && form != Form::Github {
        return Err(format!("name a file: `{name}=FILE`"));
    }
    Ok(Wanted { form, file })
}
