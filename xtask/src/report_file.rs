//! The file of a report: looked at before the run, and written when there is a report, whole or not at all.
//!
//! Knows nothing of what is written. Rules: docs/running.md, "Reports"; a path that cannot be written is known before
//! anything is run.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to be written; what is written to it is there once it is flushed.
pub(crate) struct ReportFile {
    /// As it was given, for messages.
    named: PathBuf,
    place: Place,
    text: Vec<u8>,
}

enum Place {
    /// A file, replaced as a whole.
    File(PathBuf),
    /// What cannot be replaced: a device, a pipe.
    Opened(File),
}

impl ReportFile {
    /// Makes sure that it can be written, and leaves all as it is.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let was_there = path.exists();
        let opened = File::options().write(true).create(true).truncate(false).open(path)?;
        let place = if opened.metadata()?.is_file() {
            // What a link stands for is replaced, not the link.
            let path = path.canonicalize()?;
            if !was_there {
                std::fs::remove_file(&path)?;
            }
            Place::File(path)
        } else {
            Place::Opened(opened)
        };
        Ok(Self { named: path.to_owned(), place, text: Vec::new() })
    }

    /// Takes away what an earlier run wrote there: whatever is found after this run is of this run.
    pub(crate) fn clear(&self) -> io::Result<()> {
        let Place::File(path) = &self.place else { return Ok(()) };
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                // A file in a folder that is not ours, or one that is mounted, can still be emptied.
                File::options().write(true).truncate(true).open(path).map(drop)
            }
            _ => Ok(()),
        }
    }
}

impl Write for ReportFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        let written = match &mut self.place {
            Place::File(path) => replace(path, &text).or_else(|_| std::fs::write(path, &text)),
            Place::Opened(opened) => opened.write_all(&text),
        };
        // Of no kind: a broken pipe here is not stdout's.
        written.map_err(|error| io::Error::other(format!("{}: {error}", self.named.display())))
    }
}

/// Writes a file beside and renames it.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut beside =
        tempfile::Builder::new().prefix(".report-").make_in(folder, |path| File::create_new(path))?;
    beside.write_all(text)?;
    beside.persist(path)?;
    Ok(())
}
