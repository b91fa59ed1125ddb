//! An implementation in a child process: JSON lines over its standard input and output.
//!
//! Writes projects to a folder, asks, and reads answers; what is no answer becomes a fault with what the
//! process said on stderr. Knows nothing of what an answer should be. Rules: docs/adapters.md.

mod answer;
mod child;
mod ending;
mod folder;
mod interruption;
mod not_started;
mod stale;
mod tail;
mod word;

use serde::de::DeserializeOwned;

use self::answer::{named, read};
use self::child::{Child, Failure};
use self::folder::ProjectFolder;
pub use self::interruption::LastWords;
use self::not_started::not_started;
use super::command::{Command, Limits};
use crate::implementation::{Fault, Implementation};
use crate::project::ProjectSource;
use crate::protocol::{
    Bye, Hello, HelloReport, Load, LoadReport, PROTOCOL_VERSION, Reply, Request, RequestLine, Session, Turn,
    TurnTrace, Wait, WaitReport, World,
};

/// How many lines of its stderr are shown with a fault, of which it may be all that is known.
const LINES_OF_A_FAULT: usize = 20;
/// How many are shown beside answers.
const LINES_BESIDE_ANSWERS: usize = 10;
/// How long it may take to leave after its farewell, in real milliseconds.
const LEAVE_MS: u64 = 2_000;

/// A running child process.
pub(super) struct ChildProcess {
    child: Child,
    folder: ProjectFolder,
    limits: Limits,
    next_id: u64,
}

impl ChildProcess {
    /// Removes what earlier runs, which were killed, left behind where this command's folders are.
    pub(super) fn sweep(command: &Command) {
        stale::sweep(&command.folders);
    }

    /// Starts the command; it is not greeted yet.
    pub(super) fn start(command: &Command) -> Result<Self, Fault> {
        let folder = ProjectFolder::new(&command.folders)
            .map_err(|error| Fault::Harness(format!("{}: {error}", command.folders.display())))?;
        let child = Child::spawn(&command.program, &command.arguments, folder.root(), folder.word())
            .map_err(|error| Fault::NotStarted(not_started(&command.program, &error)))?;
        Ok(Self { child, folder, limits: command.limits, next_id: 1 })
    }

    fn ask<Report: DeserializeOwned>(
        &mut self,
        request: Request,
        limit_ms: u64,
    ) -> Result<Reply<Report>, Fault> {
        let name = named(&request);
        let id = self.next_id;
        self.next_id += 1;
        let mut line = serde_json::to_vec(&RequestLine { id, request })
            .map_err(|error| Fault::Harness(format!("`{name}` cannot be written as JSON: {error}")))?;
        line.push(b'\n');
        let outcome = match self.child.exchange(&line, limit_ms, self.limits.line_bytes) {
            Ok(answer) => read(&answer, id, name),
            Err(failure) => Err(failure),
        };
        outcome.map_err(|failure| self.fault(failure, name, limit_ms))
    }

    /// Ends the process and tells why, with what it said last.
    fn fault(&mut self, failure: Failure, name: &str, limit_ms: u64) -> Fault {
        let status = self.child.end();
        let said = self.child.said(LINES_OF_A_FAULT);
        let half = self.child.half_a_line();
        let with_said = |what: String| if said.is_empty() { what } else { format!("{what}\n{said}") };
        let with_half = |what: String| match half {
            Some(half) => format!("{what}, in the middle of a line: {half}"),
            None => what,
        };
        match failure {
            Failure::Silence => {
                let detail = with_said(with_half(format!("to `{name}`")));
                Fault::Silence { limit_ms, detail }
            }
            Failure::Ended => {
                let status = status.map_or_else(|| "it is gone".to_owned(), |status| status.to_string());
                Fault::Crash(with_said(with_half(format!("{status}, before it answered `{name}`"))))
            }
            Failure::Protocol(what) => Fault::Protocol(with_said(what)),
            Failure::OtherProtocol(spoken) => Fault::other_protocol(spoken),
            Failure::Harness(error) => Fault::Harness(with_said(error.to_string())),
        }
    }
}

impl Implementation for ChildProcess {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.ask(Request::Hello(Hello { protocol: PROTOCOL_VERSION }), self.limits.start_ms)
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        let root = self
            .folder
            .write(project)
            .map_err(|error| Fault::Harness(format!("the project cannot be written to a folder: {error}")))?;
        let load = Load { root, world: world.clone(), session: session.clone() };
        self.ask(Request::Load(load), self.limits.answer_ms)
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.ask(Request::Turn(turn.clone()), self.limits.answer_ms)
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.ask(Request::Wait(wait), self.limits.answer_ms)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        let limit_ms = self.limits.answer_ms.min(LEAVE_MS);
        _ = self.ask::<Bye>(Request::Bye(Bye {}), limit_ms)?;
        if self.child.leaves_within(limit_ms) {
            return Ok(());
        }
        Err(self.fault(Failure::Protocol("it stays after its farewell".to_owned()), "bye", limit_ms))
    }

    fn said(&mut self) -> String {
        self.child.said(LINES_BESIDE_ANSWERS)
    }
}
