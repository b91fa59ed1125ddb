//! The folder an implementation finds its project in.
//!
//! Holds exactly the files of the latest project, whatever was left there by others; removed when it is
//! dropped. Rules: docs/adapters.md, "Life cycle".

use std::io;
use std::path::{Component, Path, PathBuf};

use super::stale;
use super::word::FolderWord;
use crate::project::ProjectSource;

/// A folder of one worker.
pub(super) struct ProjectFolder {
    outer: tempfile::TempDir,
    /// Tells others that the folder is somebody's. Where nothing can be locked, only its name does.
    _held: Option<std::fs::File>,
    project: PathBuf,
}

impl ProjectFolder {
    /// An empty folder below `parent`.
    pub(super) fn new(parent: &Path) -> io::Result<Self> {
        let outer = tempfile::Builder::new().prefix(&stale::prefix()).tempdir_in(parent.canonicalize()?)?;
        let held = stale::hold(outer.path()).ok();
        let project = outer.path().join("project");
        std::fs::create_dir(&project)?;
        Ok(Self { outer, _held: held, project })
    }

    /// The folder that is to be removed in the end.
    pub(super) fn root(&self) -> &Path {
        self.outer.path()
    }

    /// What stands for it in whatever is said.
    pub(super) fn word(&self) -> FolderWord {
        FolderWord::new(self.root(), &self.project)
    }

    /// Writes a project in place of the one before; returns its absolute path.
    pub(super) fn write(&self, project: &dyn ProjectSource) -> io::Result<String> {
        empty(&self.project)?;
        for path in project.paths() {
            let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
            if !inside {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("{path}: leaves the project's folder"),
                ));
            }
            let Some(content) = project.read(path) else { continue };
            let file = self.project.join(path);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(file, content)?;
        }
        self.project.to_str().map(str::to_owned).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidFilename, "the path of the folder is not UTF-8")
        })
    }
}

/// Empties a folder that an implementation may have changed in any way. Links are removed, not followed.
fn empty(folder: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            std::fs::remove_file(folder)?;
            return std::fs::create_dir(folder);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return std::fs::create_dir_all(folder),
        Err(error) => return Err(error),
    }
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{FolderProject, MemoryProject};

    fn paths(folder: &str) -> Vec<String> {
        FolderProject::open(Path::new(folder)).unwrap().paths().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn only_the_latest_project_is_there_whatever_was_left() {
        let (parent, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(elsewhere.path().join("precious"), "x").unwrap();
        let folder = ProjectFolder::new(parent.path()).unwrap();
        let first: MemoryProject = [("agent.yml", "a"), ("skills/pay/tools.py", "b")].into_iter().collect();
        let root = folder.write(&first).unwrap();
        assert!(Path::new(&root).is_absolute());
        std::fs::create_dir_all(format!("{root}/skills/pay/__pycache__")).unwrap();
        std::fs::write(format!("{root}/left.txt"), "x").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), format!("{root}/link")).unwrap();
        std::fs::remove_file(format!("{root}/agent.yml")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("precious"), format!("{root}/agent.yml")).unwrap();
        let second: MemoryProject = [("agent.yml", "c")].into_iter().collect();
        assert_eq!(folder.write(&second).unwrap(), root);
        assert_eq!(paths(&root), ["agent.yml"]);
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1);
        assert_eq!(std::fs::read_to_string(elsewhere.path().join("precious")).unwrap(), "x");
        std::fs::remove_dir_all(&root).unwrap();
        folder.write(&first).unwrap();
        assert_eq!(paths(&root), ["agent.yml", "skills/pay/tools.py"]);
        drop(folder);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_project_cannot_write_outside() {
        let parent = tempfile::tempdir().unwrap();
        let folder = ProjectFolder::new(parent.path()).unwrap();
        for path in ["../x", "/x", "a/../../x"] {
            let project: MemoryProject = [(path, "x")].into_iter().collect();
            assert!(folder.write(&project).is_err(), "{path}");
        }
    }
}
