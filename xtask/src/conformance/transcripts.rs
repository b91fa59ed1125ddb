//! The transcripts of scenarios that did not pass, each a file in a folder.
//!
//! Writes while the run goes on, so that what a run leaves behind when it is ended is there; keeps a list of what it
//! wrote, so that the next run takes that away and nothing else.
//! Rules: docs/running.md, "Transcripts"; a file is named after its scenario, folders and all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use harness::report::{Event, ReportError, Reporter};

/// The list of what was written, in the folder: a path a line.
const LIST: &str = ".transcripts";

/// Writes transcripts to a folder.
pub(crate) struct Transcripts {
    folder: PathBuf,
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--transcript {folder}: {error}", folder = .0.display(), error = .1)]
pub(crate) struct TranscriptsError(PathBuf, io::Error);

impl Transcripts {
    /// Makes sure that the folder can be written to, and leaves all as it is: a run should not come to its end to tell
    /// that nothing was kept.
    pub(crate) fn to(folder: PathBuf) -> Result<Self, TranscriptsError> {
        match try_out(&folder) {
            Ok(()) => Ok(Self { folder }),
            Err(error) => Err(TranscriptsError(folder, error)),
        }
    }

    /// Takes away the transcripts of an earlier run.
    pub(crate) fn clear(&self) -> Result<(), TranscriptsError> {
        clear(&self.folder).map_err(|error| TranscriptsError(self.folder.clone(), error))
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let file = self.folder.join(name);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // On the list first: what a run that is killed now leaves behind is known as well.
        let mut list = File::options().append(true).create(true).open(self.folder.join(LIST))?;
        writeln!(list, "{name}")?;
        std::fs::write(file, text)
    }
}

impl Reporter for Transcripts {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        let Event::Finished(judged) = event else { return Ok(()) };
        let Some(transcript) = judged.transcript.as_ref().filter(|one| !one.exchanges.is_empty()) else {
            return Ok(());
        };
        let name = format!("{}.jsonl", judged.id);
        self.write(&name, &transcript.text()?).map_err(|error| {
            let file = self.folder.join(&name);
            io::Error::other(format!("{}: {error}", file.display()))
        })?;
        Ok(())
    }
}

/// Writes to a folder and takes that away again, with the folders that had to be made for it.
fn try_out(folder: &Path) -> io::Result<()> {
    let made: Vec<&Path> = folder
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .collect();
    let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)).map(drop);
    for made in made {
        // One that could not be made is not there.
        _ = std::fs::remove_dir(made);
    }
    tried
}

/// Removes what is on the list, the folders that are empty then, and the list.
fn clear(folder: &Path) -> io::Result<()> {
    let list = match std::fs::read_to_string(folder.join(LIST)) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in list.lines().map(Path::new).filter(|name| is_transcript(name)) {
        let file = folder.join(name);
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let within = name.ancestors().skip(1).filter(|name| *name != Path::new(""));
        for emptied in within {
            // One in which there is something else stays.
            _ = std::fs::remove_dir(folder.join(emptied));
        }
    }
    std::fs::remove_file(folder.join(LIST))
}

/// Whether a name on the list is one that this writes, and inside the folder: anybody may have changed it.
fn is_transcript(name: &Path) -> bool {
    let is_inside = name.components().all(|part| matches!(part, Component::Normal(_)));
    is_inside && name.extension().is_some_and(|ending| ending == "jsonl")
}
