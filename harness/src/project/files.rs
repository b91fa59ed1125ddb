//! The trait, and the source that lives in memory.
//!
//! Nothing here knows what an agent project needs, or touches the disk.
//! Rules: paths are relative, use `/` and are sorted, so that no order depends on a machine.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The files of an agent project, by path relative to its root, with `/` between the parts.
pub trait ProjectSource: Send + Sync {
    /// Every path, sorted.
    fn paths(&self) -> Vec<&str>;

    /// A file's bytes, if there is such a file.
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>>;
}

/// A project whose files are held in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryProject {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryProject {
    /// A project without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), content.into());
    }

    /// Removes a file; tells whether it was there.
    pub fn remove(&mut self, path: &str) -> bool {
        self.files.remove(path).is_some()
    }

    /// Whether there is a file at this path.
    pub fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

impl ProjectSource for MemoryProject {
    fn paths(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.files.get(path).map(|content| Cow::Borrowed(content.as_slice()))
    }
}

impl<Path: Into<String>, Content: Into<Vec<u8>>> FromIterator<(Path, Content)> for MemoryProject {
    fn from_iter<Files: IntoIterator<Item = (Path, Content)>>(files: Files) -> Self {
        Self { files: files.into_iter().map(|(path, content)| (path.into(), content.into())).collect() }
    }
}
