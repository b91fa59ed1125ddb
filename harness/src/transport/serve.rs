//! The other end of the wire: an implementation in this process, served over a pair of streams.
//!
//! Reads requests, asks, writes replies; a panic is not caught, the process that serves ends with it.
//! Rules: design, "The boundary"; docs/adapters.md.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use serde::Serialize;

use crate::implementation::{Fault, Implementation};
use crate::project::FolderProject;
use crate::protocol::{Bye, Errored, Json, Load, LoadReport, Reply, ReplyLine, Request, RequestLine};

/// How long a request may be.
const MAXIMUM_LINE_BYTES: u64 = 64 * 1024 * 1024;

/// Serves an implementation until it is told goodbye, or nobody asks any more.
pub fn serve(
    implementation: &mut dyn Implementation,
    mut requests: impl BufRead,
    mut replies: impl Write,
) -> io::Result<()> {
    // Holds a request, then its reply.
    let mut line = Vec::new();
    loop {
        line.clear();
        requests.by_ref().take(MAXIMUM_LINE_BYTES).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        if !line.ends_with(b"\n") {
            return Err(violation("a request that does not end with a line break"));
        }
        let (id, request) = match serde_json::from_slice::<RequestLine>(&line) {
            Ok(RequestLine { id, request }) => (id, request),
            Err(error) => {
                let id =
                    id_of(&line).ok_or_else(|| violation(&format!("a request without an id: {error}")))?;
                let message = format!("this request is not known here: {error}");
                reply::<Bye>(&mut replies, &mut line, id, Ok(errored(message)))?;
                continue;
            }
        };
        match request {
            Request::Hello(_) => reply(&mut replies, &mut line, id, implementation.hello())?,
            Request::Load(asked) => reply(&mut replies, &mut line, id, load(implementation, &asked))?,
            Request::Turn(turn) => reply(&mut replies, &mut line, id, implementation.turn(&turn))?,
            Request::Wait(wait) => reply(&mut replies, &mut line, id, implementation.wait(wait))?,
            Request::Bye(_) => {
                let farewell = implementation.bye().map(|()| Reply::Result(Bye {}));
                return reply(&mut replies, &mut line, id, farewell);
            }
        }
    }
}

fn load(implementation: &mut dyn Implementation, load: &Load) -> Result<Reply<LoadReport>, Fault> {
    match FolderProject::open(Path::new(&load.root)) {
        Ok(project) => implementation.load(&project, &load.world, &load.session),
        Err(error) => Ok(errored(error.to_string())),
    }
}

fn reply<Report: Serialize>(
    replies: &mut impl Write,
    line: &mut Vec<u8>,
    id: u64,
    answer: Result<Reply<Report>, Fault>,
) -> io::Result<()> {
    let reply = answer.unwrap_or_else(|fault| errored(fault.to_string()));
    // One write a line: whoever reads never sees half a reply for longer than it must.
    line.clear();
    serde_json::to_writer(&mut *line, &ReplyLine { id, reply })?;
    line.push(b'\n');
    replies.write_all(line)?;
    replies.flush()
}

fn errored<Report>(message: String) -> Reply<Report> {
    Reply::Errored(Errored { message, detail: String::new() })
}

fn id_of(line: &[u8]) -> Option<u64> {
    serde_json::from_slice::<Json>(line).ok()?.get("id")?.as_u64()
}

fn violation(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the suite breaks the protocol: {what}"))
}
