//! What commands print: colours only where somebody sees them, and an end where nobody reads any more.
//!
//! Knows no commands. Rules: a reader who has read enough, as `head` has, is no fault of anybody: the program ends
//! quietly, as one does that the signal of a broken pipe ends.

use std::error::Error;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

use harness::report::ExitCode;

/// What a shell reports of a program that SIGPIPE ended: the usual word for "nobody reads". Success it cannot be,
/// since not everything was told, perhaps not even done.
pub(crate) const NOBODY_READS: u8 = 128 + 13;

/// Prints a text; does not come back where it cannot be printed.
pub(crate) fn write(text: Arguments<'_>) {
    if let Err(error) = anstream::stdout().write_fmt(text) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(i32::from(NOBODY_READS));
        }
        complain(format_args!("error: stdout cannot be written: {error}\n"));
        std::process::exit(ExitCode::Fault as i32);
    }
}

/// Says something on stderr; where nobody listens there is nobody to tell that to.
pub(crate) fn complain(text: Arguments<'_>) {
    _ = anstream::stderr().write_fmt(text);
}

/// Whether the reason of an error is that nobody reads stdout any more; files that are written tell of a broken pipe
/// by another kind.
pub(crate) fn is_unread(error: &(dyn Error + 'static)) -> bool {
    let reasons = std::iter::successors(Some(error), |&error| error.source());
    reasons
        .filter_map(|reason| reason.downcast_ref::<io::Error>())
        .any(|reason| reason.kind() == ErrorKind::BrokenPipe)
}

macro_rules! print {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}

macro_rules! println {
    ($($text:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($text)*))) };
}

macro_rules! eprintln {
    ($($text:tt)*) => { $crate::output::complain(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {eprintln, print, println};
