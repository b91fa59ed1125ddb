//! The transcripts of scenarios that did not pass, each a file in a folder.
//!
//! Writes while the run goes on, so that what a run leaves behind when it is ended is there.
//! Rules: docs/running.md, "Transcripts"; a file is named after its scenario, folders and all.

use std::path::PathBuf;

use harness::report::{Event, ReportError, Reporter};

/// Writes transcripts to a folder.
pub(crate) struct Transcripts {
    folder: PathBuf,
}

impl Transcripts {
    pub(crate) fn to(folder: PathBuf) -> Self {
        Self { folder }
    }
}

impl Reporter for Transcripts {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        let Event::Finished(judged) = event else { return Ok(()) };
        let Some(transcript) = judged.transcript.as_ref().filter(|one| !one.exchanges.is_empty()) else {
            return Ok(());
        };
        let file = self.folder.join(format!("{}.jsonl", judged.id));
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, transcript.text()?)?;
        Ok(())
    }
}
