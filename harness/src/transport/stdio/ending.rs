//! Knowing that a process has ended, without taking the knowledge away from its parent.
//!
//! A pipe becomes readable at that moment, so that one `poll` waits for answers and for the end alike.
//! Rules: the process is not reaped here; its number stays its own until the group is ended.

use std::io::PipeReader;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// A pipe that becomes readable when the process has ended.
pub(super) fn ending(process: Pid) -> std::io::Result<PipeReader> {
    let (reader, writer) = std::io::pipe()?;
    // The thread ends with the process, and every process is ended.
    std::thread::Builder::new().name(format!("process {process:?}")).stack_size(64 * 1024).spawn(
        move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(process), options), Err(rustix::io::Errno::INTR)) {}
            drop(writer);
        },
    )?;
    Ok(reader)
}
