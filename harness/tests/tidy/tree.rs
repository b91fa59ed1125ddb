//! The repository's files, and how a violation is written.
//!
//! Knows no rule. Paths are relative to the root, with `/`, and sorted.

use std::path::{Path, PathBuf};

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) file: String,
    /// From 1; 0 means the file as a whole.
    pub(crate) line: usize,
    pub(crate) what: String,
    pub(crate) instead: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}, {}", self.file, self.what, self.instead),
            line => write!(formatter, "{}:{line}: {}, {}", self.file, self.what, self.instead),
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every file below a folder of the repository; none if there is no such folder.
pub(crate) fn paths(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let relative = path.strip_prefix(root()).unwrap();
                found.push(relative.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Every Rust file below these folders, with its text.
pub(crate) fn rust_files(folders: &[&str]) -> Vec<(String, String)> {
    let paths = folders.iter().flat_map(|folder| paths(folder));
    let rust = paths.filter(|path| Path::new(path).extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| (path.clone(), std::fs::read_to_string(root().join(path)).unwrap())).collect()
}
