//! Paths of project files: relative, with `/`, inside the project, the same on every system.
//!
//! Knows nothing of what the files are; a path that passes can be written below any folder.
//! Rules: `docs/scenarios.md`, "project".

use std::collections::BTreeMap;

/// The longest path: well within every file system, below a temporary folder too.
const MAXIMUM_LENGTH: usize = 180;

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathError {
    /// Nothing.
    #[error("is empty")]
    Empty,
    /// NUL or another control character.
    #[error("has a control character")]
    Control,
    /// A backslash.
    #[error("has a backslash")]
    Backslash,
    /// A drive letter or another colon, which Windows takes for one.
    #[error("has a colon, as a drive does")]
    Drive,
    /// It begins at the root.
    #[error("is absolute")]
    Absolute,
    /// It climbs out.
    #[error("climbs with `..`")]
    Climbs,
    /// A `.` segment.
    #[error("has a `.` between its slashes")]
    Dot,
    /// Two slashes in a row, or one at the end.
    #[error("has nothing between two slashes, or ends with one")]
    EmptySegment,
    /// Longer than every file system takes.
    #[error("is longer than {MAXIMUM_LENGTH} bytes")]
    TooLong,
}

/// What every message about a path ends with.
pub(crate) const SPELLING: &str =
    "write it relative to the project's root, with `/` between names: `skills/pay/tools.py`";

/// Checks one path by itself.
pub(crate) fn check(path: &str) -> Result<(), PathError> {
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if path.len() > MAXIMUM_LENGTH {
        return Err(PathError::TooLong);
    }
    if path.chars().any(char::is_control) {
        return Err(PathError::Control);
    }
    if path.contains('\\') {
        return Err(PathError::Backslash);
    }
    if path.contains(':') {
        return Err(PathError::Drive);
    }
    if path.starts_with('/') {
        return Err(PathError::Absolute);
    }
    path.split('/').try_for_each(|segment| match segment {
        "" => Err(PathError::EmptySegment),
        "." => Err(PathError::Dot),
        ".." => Err(PathError::Climbs),
        _ => Ok(()),
    })
}

/// How two paths get in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collision {
    /// The other path needs a folder where this one is a file.
    FileAndFolder,
    /// The two differ in case only, and are one file on many systems.
    CaseOnly,
}

/// The pairs of paths that cannot both be written, by index into `paths`: the later one first.
pub(crate) fn collisions(paths: &[&str]) -> Vec<(usize, usize, Collision)> {
    let folded: Vec<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    let mut found = Vec::new();
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, path) in folded.iter().enumerate() {
        match files.get(path.as_str()) {
            Some(first) => found.push((index, *first, Collision::CaseOnly)),
            None => {
                files.insert(path, index);
            }
        }
    }
    for (index, path) in folded.iter().enumerate() {
        for (slash, _) in path.match_indices('/') {
            if let Some(file) = path.get(..slash).and_then(|folder| files.get(folder)) {
                found.push((index.max(*file), index.min(*file), Collision::FileAndFolder));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside_and_are_written_one_way() {
        let cases = [
            ("skills/pay/tools.py", Ok(())),
            ("", Err(PathError::Empty)),
            ("/etc/passwd", Err(PathError::Absolute)),
            ("../x", Err(PathError::Climbs)),
            ("a/../../x", Err(PathError::Climbs)),
            ("./a", Err(PathError::Dot)),
            ("a//b", Err(PathError::EmptySegment)),
            ("a/", Err(PathError::EmptySegment)),
            ("a\\b", Err(PathError::Backslash)),
            ("C:/x", Err(PathError::Drive)),
            ("a\0b", Err(PathError::Control)),
        ];
        for (path, verdict) in cases {
            assert_eq!(check(path), verdict, "{path:?}");
        }
        assert_eq!(check(&"a".repeat(400)), Err(PathError::TooLong));
    }

    #[test]
    fn a_file_is_no_folder_and_case_does_not_tell_files_apart() {
        assert_eq!(collisions(&["lib/a.py", "lib/b.py", "lib2"]), []);
        assert_eq!(collisions(&["lib/a.py", "lib"]), [(1, 0, Collision::FileAndFolder)]);
        assert_eq!(collisions(&["lib/A.py", "lib/a.py"]), [(1, 0, Collision::CaseOnly)]);
    }
}
