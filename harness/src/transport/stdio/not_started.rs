//! What to do about a command that the operating system does not start.
//!
//! Looks at the file that was named; starts nothing. Rules: docs/adapters.md, "Life cycle".

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A file that has no `#!` line and is no program of this machine's format.
const NO_EXECUTABLE_FORMAT: i32 = 8;

/// Why it did not start, and what to write instead where that can be told.
pub(super) fn not_started(program: &OsStr, error: &io::Error) -> String {
    let shown = program.to_string_lossy();
    let remedy = remedy(&shown, Path::new(program), error);
    format!("`{shown}`: {error}{}", remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default())
}

fn remedy(shown: &str, file: &Path, error: &io::Error) -> Option<String> {
    match error.kind() {
        ErrorKind::NotFound if file.is_file() && !shown.contains('/') => {
            Some(format!("a file of this folder that is not on the PATH is started as `./{shown}`"))
        }
        ErrorKind::NotFound if file.is_file() => {
            Some("the file is there: what its first line (`#!`) names is not".to_owned())
        }
        ErrorKind::NotFound if shown.contains(char::is_whitespace) => {
            Some("no quotes around the whole command: each word is an argument of its own".to_owned())
        }
        ErrorKind::PermissionDenied if file.is_file() => {
            Some("make it executable (`chmod +x`), or write the program that runs it before it".to_owned())
        }
        _ if error.raw_os_error() == Some(NO_EXECUTABLE_FORMAT) => Some(
            "begin it with a line `#!` that names what runs it, or write that program before it".to_owned(),
        ),
        _ => None,
    }
}
