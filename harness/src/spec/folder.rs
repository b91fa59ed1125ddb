//! Reads the catalogue from its folder.
//!
//! The one place of this layer that touches the disk.
//! Rules: every `*.yml` directly in `specs/` is a chapter.

use std::path::{Path, PathBuf};

use super::Catalogue;
use crate::source::Diagnostic;

/// A catalogue that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// The folder or a file cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why it was not.
        error: std::io::Error,
    },
    /// There is nothing to read.
    #[error("{}: no chapter here; name the folder that holds schema.yml and its like", .0.display())]
    Empty(PathBuf),
    /// Files are wrong.
    #[error("{} wrong in the requirement catalogue", .0.len())]
    Wrong(Vec<Diagnostic>),
}

impl Catalogue {
    /// Reads the chapters in a folder; messages call them `specs/<name>`.
    pub fn open(folder: &Path) -> Result<Self, CatalogueError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |error| CatalogueError::Unreadable { path, error }
        };
        let mut specs = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable(folder))? {
            let path = entry.map_err(unreadable(folder))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if name.strip_suffix(".yml").is_some_and(|stem| !stem.starts_with('.')) {
                let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
                specs.push((format!("specs/{name}"), text));
            }
        }
        if specs.is_empty() {
            return Err(CatalogueError::Empty(folder.to_owned()));
        }
        specs.sort();
        Self::read(&specs).map_err(CatalogueError::Wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::CHAPTERS;

    #[test]
    fn the_catalogue_of_this_repository_is_sound() {
        let catalogue = Catalogue::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs")).unwrap();
        let ids: Vec<&str> = catalogue.chapters.iter().map(|chapter| chapter.id.as_str()).collect();
        assert_eq!(ids, CHAPTERS);
    }

    #[test]
    fn an_empty_or_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Catalogue::open(folder.path()), Err(CatalogueError::Empty(_))));
        let missing = folder.path().join("none");
        assert!(matches!(Catalogue::open(&missing), Err(CatalogueError::Unreadable { .. })));
    }
}
