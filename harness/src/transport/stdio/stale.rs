//! Folders left behind by a suite that could not remove them: it was killed, or its machine lost its power.
//!
//! Removes what is provably nobody's any more, and leaves all else alone.
//! Rules: a folder is named after the process that made it, which holds a lock on it as long as it lives.

use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, geteuid, test_kill_process};

/// What all folders are called, before the number of the process that made them.
const PREFIX: &str = "mantle-conformance-";

/// The beginning of the name of a folder of this process.
pub(super) fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Holds a lock on a folder until it is dropped or the process is gone, however it ends.
pub(super) fn hold(folder: &Path) -> std::io::Result<File> {
    let held = File::open(folder)?;
    held.lock_shared()?;
    Ok(held)
}

/// Removes the stale folders below `parent`. What cannot be looked at or removed is left to others.
pub(super) fn sweep(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().and_then(maker).is_some_and(is_gone) && is_stale(&entry.path()) {
            _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The process that made a folder of this name.
fn maker(name: &str) -> Option<Pid> {
    let (number, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    Pid::from_raw(number.parse().ok()?)
}

fn is_gone(process: Pid) -> bool {
    // Any other answer, such as that it belongs to somebody else, means that it lives.
    test_kill_process(process) == Err(Errno::SRCH)
}

/// Whether it is a folder of this user's that nobody holds. A process that lives among other processes than this one,
/// in another container on the same file system, is not seen by its number, and its lock is.
fn is_stale(folder: &Path) -> bool {
    let is_own = std::fs::symlink_metadata(folder)
        .is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == geteuid().as_raw());
    let is_held = || match File::open(folder).map(|folder| folder.try_lock()) {
        Ok(Ok(())) => false,
        Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) | Err(_) => true,
    };
    is_own && !is_held()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a process that has ended and was waited for.
    fn gone() -> u32 {
        let mut process = std::process::Command::new("true").spawn().unwrap();
        process.wait().unwrap();
        process.id()
    }

    #[test]
    fn only_what_is_provably_nobodys_is_removed() {
        let (parent, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (gone, own) = (gone(), std::process::id());
        let folder = |name: String| {
            let folder = parent.path().join(name);
            std::fs::create_dir_all(folder.join("project/skills")).unwrap();
            std::fs::write(folder.join("project/agent.yml"), "x").unwrap();
            folder
        };
        let stale = folder(format!("{PREFIX}{gone}-a1"));
        let held = folder(format!("{PREFIX}{gone}-a2"));
        let lock = hold(&held).unwrap();
        let left_alone = [
            folder(format!("{PREFIX}{own}-a1")),
            folder(format!("{PREFIX}1-a1")),
            folder(format!("{PREFIX}q7xk2m")),
            folder(format!("{PREFIX}{gone}")),
            folder(format!("{PREFIX}-{gone}-a1")),
            folder(format!("another-{gone}-a1")),
        ];
        let precious = elsewhere.path().join("precious");
        std::fs::write(&precious, "x").unwrap();
        let link = parent.path().join(format!("{PREFIX}{gone}-a3"));
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        let file = parent.path().join(format!("{PREFIX}{gone}-a4"));
        std::fs::write(&file, "x").unwrap();
        sweep(parent.path());
        assert!(!stale.exists());
        assert!(left_alone.iter().all(|folder| folder.join("project/agent.yml").exists()));
        assert!(held.exists() && link.exists() && file.exists() && precious.exists());
        drop(lock);
        sweep(parent.path());
        assert!(!held.exists());
        sweep(&parent.path().join("none"));
    }
}
