//! Reads the tree of scenario files.
//!
//! The one place of this layer that touches the disk; judges nothing that it finds.
//! Rules: every file below `scenarios/` is listed, hidden ones apart; only `*.yml` is opened.

use std::path::{Path, PathBuf};

/// How deep folders may nest before they are taken for a circle.
const MAXIMUM_DEPTH: usize = 8;

/// A file in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Its path below `scenarios/`, with `/`.
    pub path: String,
    /// What is in it.
    pub content: Content,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A `*.yml` file's text.
    Text(String),
    /// A `*.yml` file that is not UTF-8.
    NotText,
    /// Another file, which is not opened.
    NotOpened,
}

/// A tree that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A folder or file cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why it was not.
        error: std::io::Error,
    },
    /// Folders in folders in folders.
    #[error("{}: nested deeper than {MAXIMUM_DEPTH} folders, flatten them", .0.display())]
    TooDeep(PathBuf),
}

/// Reads the tree below a folder, sorted by path.
pub fn read_tree(root: &Path) -> Result<Vec<TreeFile>, TreeError> {
    let mut files = Vec::new();
    let mut pending = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = pending.pop() {
        if depth > MAXIMUM_DEPTH {
            return Err(TreeError::TooDeep(folder));
        }
        for entry in std::fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let entry = entry.map_err(unreadable(&folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let path = format!("{prefix}{name}");
            if entry.file_type().map_err(unreadable(&entry.path()))?.is_dir() {
                pending.push((entry.path(), format!("{path}/"), depth + 1));
            } else {
                files.push(TreeFile { content: content(&entry.path(), &name)?, path });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn content(path: &Path, name: &str) -> Result<Content, TreeError> {
    if name.strip_suffix(".yml").is_none() {
        return Ok(Content::NotOpened);
    }
    let bytes = std::fs::read(path).map_err(unreadable(path))?;
    Ok(String::from_utf8(bytes).map_or(Content::NotText, Content::Text))
}

fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> TreeError + use<> {
    let path = path.to_owned();
    move |error| TreeError::Unreadable { path, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed_and_only_scenarios_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("schema/deep")).unwrap();
        for (path, bytes) in [
            ("schema/deep/b.yml", b"x".as_slice()),
            ("schema/a.yml", b"\xff"),
            ("notes.txt", b""),
            (".hidden", b""),
        ] {
            std::fs::write(folder.path().join(path), bytes).unwrap();
        }
        let found = read_tree(folder.path()).unwrap();
        let found: Vec<(&str, &Content)> =
            found.iter().map(|file| (file.path.as_str(), &file.content)).collect();
        let expected = [
            ("notes.txt", &Content::NotOpened),
            ("schema/a.yml", &Content::NotText),
            ("schema/deep/b.yml", &Content::Text("x".to_owned())),
        ];
        assert_eq!(found, expected);
        assert!(read_tree(&folder.path().join("none")).is_err());
    }
}
