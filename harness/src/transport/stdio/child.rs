//! A child process and its three streams: one line in, one line out, within a time.
//!
//! Knows lines, not what is in them. One `poll` watches everything, so neither side can block the other,
//! however much is said on which stream. Rules: design, "The boundary".

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::Pid;

use super::answer::{quoted, remedy_for_print};
use super::ending::ending;
use super::interruption;
use super::tail::Tail;
use super::word::FolderWord;

/// How much is read at once.
const PIECE_BYTES: usize = 64 * 1024;
/// How long a process whose streams are closed may take to be gone, in real milliseconds.
const GONE_MS: u64 = 500;
/// How much of its stderr is still read after its end.
const LAST_PIECES: usize = 64;

/// Why there is no line.
#[derive(Debug)]
pub(super) enum Failure {
    /// It took too long.
    Silence,
    /// The process has ended.
    Ended,
    /// What came is not a line, or was not asked for.
    Protocol(String),
    /// It speaks this version of the protocol.
    OtherProtocol(serde_json::Number),
    /// Something between the suite and the operating system.
    Harness(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Harness(error)
    }
}

/// A process, the leader of a group of its own.
pub(super) struct Child {
    process: std::process::Child,
    group: Pid,
    requests: ChildStdin,
    answers: ChildStdout,
    errors: Option<ChildStderr>,
    ending: PipeReader,
    /// What was read of the line that is being answered.
    line: Vec<u8>,
    piece: Box<[u8]>,
    tail: Tail,
    word: FolderWord,
}

/// What a look at a stream came to.
enum Seen {
    Nothing,
    Some,
    Closed,
}

impl Child {
    /// Starts a program; `folder` is removed should the suite be interrupted, and in what the program says `word` stands
    /// for it.
    pub(super) fn spawn(
        program: &OsString,
        arguments: &[OsString],
        folder: &Path,
        word: FolderWord,
    ) -> io::Result<Self> {
        let (mut process, group) = interruption::guarded(folder.to_owned(), || {
            let process = Command::new(program)
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .process_group(0)
                .spawn()?;
            let group = Pid::from_child(&process);
            io::Result::Ok((process, group))
        })?;
        match attach(&mut process, group) {
            Ok((requests, answers, errors, ending)) => Ok(Self {
                process,
                group,
                requests,
                answers,
                errors: Some(errors),
                ending,
                line: Vec::new(),
                piece: vec![0; PIECE_BYTES].into_boxed_slice(),
                tail: Tail::default(),
                word,
            }),
            Err(error) => {
                interruption::end(group);
                _ = process.wait();
                Err(error)
            }
        }
    }

    /// Sends a line and reads the one that answers it.
    pub(super) fn exchange(
        &mut self,
        request: &[u8],
        limit_ms: u64,
        line_bytes: usize,
    ) -> Result<Cow<'_, [u8]>, Failure> {
        self.line.clear();
        // What came since the last answer came without being asked for.
        if let Seen::Some = self.read_answers()? {
            return Err(Failure::Protocol(format!(
                "it wrote without being asked: {}{}",
                self.quoted(&self.line),
                remedy_for_print(&self.line)
            )));
        }
        let deadline = deadline(limit_ms);
        let mut pending = request;
        let mut known = 0;
        loop {
            self.write(&mut pending)?;
            let ready = self.wait(!pending.is_empty(), deadline)?;
            if ready.errors {
                self.read_errors();
            }
            let seen = if ready.answers || ready.ended { self.read_answers()? } else { Seen::Nothing };
            let fresh = self.line.get(known..).unwrap_or_default();
            if let Some(end) = fresh.iter().position(|byte| *byte == b'\n') {
                return self.answer(known + end, pending);
            }
            known = self.line.len();
            if self.line.len() > line_bytes {
                return Err(Failure::Protocol(format!(
                    "a line of more than {line_bytes} bytes: {}",
                    self.quoted(&self.line)
                )));
            }
            match seen {
                Seen::Closed => return Err(self.gone("standard output")),
                // What is still to come was written before the end, and is read first.
                Seen::Nothing if ready.ended => return Err(Failure::Ended),
                Seen::Nothing | Seen::Some => {}
            }
        }
    }

    /// Whether it ends by itself in time.
    pub(super) fn leaves_within(&mut self, limit_ms: u64) -> bool {
        let mut watched = [PollFd::new(&self.ending, PollFlags::IN)];
        matches!(poll_until(&mut watched, deadline(limit_ms)), Ok(()))
    }

    /// Ends it and everything it started; tells how it ended.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        interruption::end(self.group);
        self.process.wait().ok()
    }

    /// The last it said on stderr since this was asked last, in so many lines at most.
    pub(super) fn said(&mut self, lines: usize) -> String {
        for _ in 0..LAST_PIECES {
            if !self.read_errors() {
                break;
            }
        }
        std::mem::take(&mut self.tail).text(lines, &self.word)
    }

    /// The beginning of a line of its.
    fn quoted(&self, line: &[u8]) -> String {
        quoted(self.word.in_text(&String::from_utf8_lossy(line)).as_bytes())
    }

    fn answer(&self, end: usize, pending: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        let (answer, more) = self.line.split_at_checked(end + 1).unwrap_or((&self.line, &[]));
        if !more.is_empty() {
            let remedy = remedy_for_print(&self.line);
            let (answer, more) = (self.quoted(answer), self.quoted(more));
            return Err(Failure::Protocol(format!(
                "more than one line for one request: {answer}, then {more}{remedy}"
            )));
        }
        if !pending.is_empty() {
            return Err(Failure::Protocol("it answered before it had read the request".to_owned()));
        }
        Ok(self.word.in_line(answer))
    }

    /// Writes as much as the pipe takes.
    fn write(&mut self, pending: &mut &[u8]) -> Result<(), Failure> {
        while !pending.is_empty() {
            match self.requests.write(pending) {
                Ok(count) => *pending = pending.get(count..).unwrap_or_default(),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => break,
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::BrokenPipe => return Err(self.gone("standard input")),
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }

    /// Reads what is there of an answer.
    fn read_answers(&mut self) -> Result<Seen, Failure> {
        loop {
            match self.answers.read(&mut self.piece) {
                Ok(0) => return Ok(Seen::Closed),
                Ok(count) => {
                    self.line.extend_from_slice(self.piece.get(..count).unwrap_or_default());
                    return Ok(Seen::Some);
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return Ok(Seen::Nothing),
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
    }

    /// Reads a piece of stderr; tells whether there may be more.
    fn read_errors(&mut self) -> bool {
        let Some(errors) = &mut self.errors else { return false };
        match errors.read(&mut self.piece) {
            Ok(count) if count > 0 => {
                self.tail.push(self.piece.get(..count).unwrap_or_default());
                true
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            // Closed: it has nothing more to say there, which is its right.
            Ok(_) | Err(_) => {
                self.errors = None;
                false
            }
        }
    }

    /// The line it has begun and not ended, as a quote.
    pub(super) fn half_a_line(&self) -> Option<String> {
        (!self.line.is_empty() && !self.line.contains(&b'\n')).then(|| self.quoted(&self.line))
    }

    /// Waits until there is something to do.
    fn wait(&self, is_writing: bool, deadline: Option<Instant>) -> Result<Ready, Failure> {
        let mut watched = Vec::with_capacity(4);
        watched.push(PollFd::new(&self.answers, PollFlags::IN));
        watched.push(PollFd::new(&self.ending, PollFlags::IN));
        if is_writing {
            watched.push(PollFd::new(&self.requests, PollFlags::OUT));
        }
        if let Some(errors) = &self.errors {
            watched.push(PollFd::new(errors, PollFlags::IN));
        }
        poll_until(&mut watched, deadline)?;
        let is_ready = |index: usize| watched.get(index).is_some_and(|one| !one.revents().is_empty());
        let errors = self.errors.is_some() && is_ready(watched.len() - 1);
        Ok(Ready { answers: is_ready(0), ended: is_ready(1), errors })
    }

    /// A stream of its is closed: it has ended, or will in a moment, or has broken its word.
    fn gone(&mut self, stream: &str) -> Failure {
        if self.leaves_within(GONE_MS) {
            return Failure::Ended;
        }
        Failure::Protocol(format!("it closed its {stream}, and goes on"))
    }
}

type Attached = (ChildStdin, ChildStdout, ChildStderr, PipeReader);

/// Takes the streams of a process that was just started, and watches it.
fn attach(process: &mut std::process::Child, group: Pid) -> io::Result<Attached> {
    let streams = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let (Some(requests), Some(answers), Some(errors)) = streams else {
        return Err(io::Error::other("a process without its streams"));
    };
    ioctl_fionbio(&requests, true)?;
    ioctl_fionbio(&answers, true)?;
    ioctl_fionbio(&errors, true)?;
    Ok((requests, answers, errors, ending(group)?))
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// What can be done without waiting.
struct Ready {
    answers: bool,
    ended: bool,
    errors: bool,
}

/// Waits until one of these is ready, or fails with silence.
fn poll_until(watched: &mut [PollFd<'_>], deadline: Option<Instant>) -> Result<(), Failure> {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(now()));
        let left = left.map(|left| Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 0 }));
        match poll(watched, left.as_ref()) {
            Ok(0) => return Err(Failure::Silence),
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(Failure::Harness(error.into())),
        }
    }
}

/// No deadline when it lies beyond what a clock can say.
fn deadline(limit_ms: u64) -> Option<Instant> {
    now().checked_add(Duration::from_millis(limit_ms))
}

#[expect(clippy::disallowed_methods, reason = "another process lives in real time; no trace sees this clock")]
fn now() -> Instant {
    Instant::now()
}
