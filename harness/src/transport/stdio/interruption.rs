//! What must be undone when the suite itself is told to end: processes still running, folders still there.
//!
//! The one list of the process, since signals go to all of it. Rules: design, "Time and determinism" (a
//! child's folder is removed whatever happens).

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Mutex, Once, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Every process group that runs, by its leader, with the folder that belongs to it.
static RUNNING: Mutex<BTreeMap<i32, PathBuf>> = Mutex::new(BTreeMap::new());

static WATCHING: Once = Once::new();

/// What is said on stderr then, by whom something is waited for.
static LAST_WORDS: Mutex<Option<&'static str>> = Mutex::new(None);

/// Says on stderr, as long as this is kept, what an interruption means: nothing else is heard of the suite then.
#[must_use = "nothing is said once this is dropped"]
#[derive(Debug)]
pub struct LastWords(());

impl LastWords {
    /// These words; those that were there before are forgotten.
    pub fn say(words: &'static str) -> Self {
        WATCHING.call_once(watch);
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
        Self(())
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Starts a process group that is ended, and a folder that is removed, should the suite be interrupted. There
/// is no moment in between at which one could be missed.
pub(super) fn guarded<Started, Error>(
    folder: PathBuf,
    start: impl FnOnce() -> Result<(Started, Pid), Error>,
) -> Result<(Started, Pid), Error> {
    WATCHING.call_once(watch);
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let (started, group) = start()?;
    running.insert(group.as_raw_pid(), folder);
    Ok((started, group))
}

/// Ends a group; from here on it is its owner's alone. Its leader must not have been waited for, or its
/// number might be somebody else's by now.
pub(super) fn end(group: Pid) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if running.remove(&group.as_raw_pid()).is_some() {
        // It may have ended by itself.
        _ = kill_process_group(group, Signal::KILL);
    }
}

fn watch() {
    // Without a watch the suite still works; an interruption then leaves folders behind.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Kept locked until the end: nothing new is started any more.
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            for (group, folder) in std::mem::take(&mut *running) {
                if let Some(group) = Pid::from_raw(group) {
                    _ = kill_process_group(group, Signal::KILL);
                }
                _ = std::fs::remove_dir_all(folder);
            }
            // A thread like any other: what a handler of signals must not do is no concern here.
            if let Some(words) = *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) {
                let mut output = std::io::stderr();
                // A terminal stands behind `^C`, and perhaps behind a line that tells how far the run is.
                let gap = if output.is_terminal() { "\n" } else { "" };
                _ = writeln!(output, "{gap}{words}");
            }
            _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}
