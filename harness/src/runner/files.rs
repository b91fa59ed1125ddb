//! Which scenarios there are: their ids, from paths alone.
//!
//! Opens no file: listing a thousand scenarios must not parse one.

use std::path::{Path, PathBuf};

use crate::scenario::ScenarioId;

/// How deep folders under `scenarios/` may nest.
const MAXIMUM_DEPTH: usize = 8;

/// A folder of scenarios that cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A folder cannot be read.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A name that cannot be an id.
    #[error("{}: the name is not UTF-8, rename it", path.display())]
    Name {
        /// The path.
        path: PathBuf,
    },
    /// Folders nest too deep.
    #[error("{}: folders nest deeper than {MAXIMUM_DEPTH}, flatten them", folder.display())]
    Depth {
        /// The folder.
        folder: PathBuf,
    },
}

/// The ids of all scenarios below a folder, sorted.
pub fn scenario_ids(root: &Path) -> Result<Vec<ScenarioId>, FilesError> {
    let mut found = Vec::new();
    list(root, "", 0, &mut found)?;
    found.sort();
    Ok(found)
}

/// The file of a scenario below a folder.
pub fn scenario_path(root: &Path, id: &ScenarioId) -> PathBuf {
    root.join(format!("{id}.yml"))
}

fn list(folder: &Path, prefix: &str, depth: usize, found: &mut Vec<ScenarioId>) -> Result<(), FilesError> {
    if depth > MAXIMUM_DEPTH {
        return Err(FilesError::Depth { folder: folder.to_owned() });
    }
    let unreadable = |error| FilesError::Folder { folder: folder.to_owned(), error };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            return Err(FilesError::Name { path });
        };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().map_err(unreadable)?.is_dir() {
            list(&path, &format!("{prefix}{name}/"), depth + 1, found)?;
        } else if let Some(stem) = name.strip_suffix(".yml") {
            found.push(ScenarioId::new(format!("{prefix}{stem}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sorted_paths_without_the_ending() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["schema/b.yml", "schema/a.yml", "memory/deep/c.yml", "schema/notes.txt", ".hidden/d.yml"]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let ids = scenario_ids(folder.path()).unwrap();
        let ids: Vec<&str> = ids.iter().map(ScenarioId::as_str).collect();
        assert_eq!(ids, ["memory/deep/c", "schema/a", "schema/b"]);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(scenario_ids(&folder.path().join("none")).is_err());
    }
}
