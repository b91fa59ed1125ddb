//! A project in a folder on disk.
//!
//! Knows the disk, and nothing of what the files mean.
//! Rules: same paths, same order, same bytes as the project held in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::ProjectSource;

/// How many entries a project folder may have before it is taken for a mistake.
const MAXIMUM_ENTRIES: usize = 100_000;
/// How large a file may be to be read: larger ones cannot be tools or settings.
const MAXIMUM_BYTES: u64 = 8 * 1024 * 1024;
/// Folders that never belong to an agent, and can be huge.
const SKIPPED_FOLDERS: [&str; 6] = [".git", ".hg", ".venv", "__pycache__", "node_modules", "venv"];

/// A folder that cannot be read as a project.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder, or something in it, cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why it was not.
        source: io::Error,
    },
    /// It is not a folder.
    #[error("{0}: not a folder; name the folder that holds agent.yml and skills/")]
    NotAFolder(PathBuf),
    /// Too many files to be an agent.
    #[error("{0}: more than {MAXIMUM_ENTRIES} files; name the agent's own folder")]
    TooLarge(PathBuf),
}

/// A project in a folder. Listed once; files are read when they are asked for.
#[derive(Clone, Debug)]
pub struct FolderProject {
    files: BTreeMap<String, PathBuf>,
}

impl FolderProject {
    /// Lists the folder. Links are followed, but never out of the folder or in a circle.
    pub fn open(root: &Path) -> Result<Self, FolderError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::Unreadable { path, source }
        };
        let canonical = root.canonicalize().map_err(unreadable(root))?;
        if !canonical.is_dir() {
            return Err(FolderError::NotAFolder(root.to_owned()));
        }
        let mut files = BTreeMap::new();
        let mut pending = vec![(canonical.clone(), String::new())];
        let mut visited = std::collections::BTreeSet::new();
        while let Some((folder, prefix)) = pending.pop() {
            if !visited.insert(folder.clone()) {
                continue;
            }
            for entry in std::fs::read_dir(&folder).map_err(unreadable(&folder))? {
                let entry = entry.map_err(unreadable(&folder))?;
                // A name that is not text cannot be named in a project's files either.
                let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
                // A link that leads nowhere is no file.
                let Ok(path) = entry.path().canonicalize() else { continue };
                if !path.starts_with(&canonical) {
                    continue;
                }
                let relative = format!("{prefix}{name}");
                if path.is_dir() {
                    if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                        pending.push((path, format!("{relative}/")));
                    }
                } else if path.is_file() {
                    files.insert(relative, path);
                }
                if files.len() + pending.len() > MAXIMUM_ENTRIES {
                    return Err(FolderError::TooLarge(root.to_owned()));
                }
            }
        }
        Ok(Self { files })
    }
}

impl ProjectSource for FolderProject {
    fn paths(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let path = self.files.get(path)?;
        if std::fs::metadata(path).ok()?.len() > MAXIMUM_BYTES {
            return None;
        }
        std::fs::read(path).ok().map(Cow::Owned)
    }
}
