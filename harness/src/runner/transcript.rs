//! What was asked and answered in one scenario, to be kept in a file and asked again.
//!
//! Notes requests and replies as they are; a project goes along as files, so that nothing points at a folder
//! that is gone. Rules: docs/running.md, "Transcripts": one JSON value a line, in the order of the exchange.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::implementation::{Fault, Implementation};
use crate::project::{MemoryProject, ProjectSource};
use crate::protocol::{
    HelloReport, Json, LoadReport, Reply, Session, Turn, TurnTrace, Wait, WaitReport, World,
};

/// The exchange of one scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// Every request with what came back.
    pub exchanges: Vec<Exchange>,
}

/// A request and what came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// What was asked.
    pub request: Asked,
    /// What came back.
    pub answer: Answered,
}

/// A request, its project as files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Asked {
    /// A project to load.
    Load {
        /// Its files, by path.
        files: BTreeMap<String, String>,
        /// The outside.
        world: World,
        /// Where the conversation starts.
        session: Session,
    },
    /// A turn.
    Turn(Turn),
    /// Time to pass.
    Wait(Wait),
}

/// What came back for a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// A reply, as it crosses the boundary.
    Reply(Json),
    /// None: what happened instead.
    Fault(String),
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Request(Asked),
    Reply(Json),
    Fault(String),
}

/// A text that is no transcript.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// A line that is none of a transcript.
    #[error("line {line}: this is no line of a transcript: {error}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
    /// Requests and answers do not alternate.
    #[error("line {line}: {what}")]
    Order {
        /// Which line, from 1.
        line: usize,
        /// What is out of order.
        what: &'static str,
    },
    /// Nothing in it.
    #[error("this transcript holds no request")]
    Empty,
}

/// Where a repetition departs from a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Which request, from 1.
    pub number: usize,
    /// `load`, `turn` or `wait`.
    pub kind: &'static str,
    /// Where in the answer; empty for the whole of it.
    pub path: String,
    /// What the transcript has there.
    pub recorded: Option<Json>,
    /// What came back this time.
    pub seen: Option<Json>,
}

impl Asked {
    /// The request's name.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Load { .. } => "load",
            Self::Turn(_) => "turn",
            Self::Wait(_) => "wait",
        }
    }

    /// Asks it again.
    fn ask(&self, implementation: &mut dyn Implementation) -> Answered {
        match self {
            Self::Load { files, world, session } => {
                let project: MemoryProject =
                    files.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
                answered(&implementation.load(&project, world, session))
            }
            Self::Turn(turn) => answered(&implementation.turn(turn)),
            Self::Wait(wait) => answered(&implementation.wait(wait.clone())),
        }
    }
}

impl Transcript {
    /// The transcript as JSON lines.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        for exchange in &self.exchanges {
            let answer = match &exchange.answer {
                Answered::Reply(reply) => Line::Reply(reply.clone()),
                Answered::Fault(fault) => Line::Fault(fault.clone()),
            };
            for line in [Line::Request(exchange.request.clone()), answer] {
                text.push_str(&serde_json::to_string(&line)?);
                text.push('\n');
            }
        }
        Ok(text)
    }

    /// Reads a transcript.
    pub fn read(text: &str) -> Result<Self, TranscriptError> {
        let mut exchanges = Vec::new();
        let mut asked: Option<Asked> = None;
        let mut last = 0;
        for (index, written) in text.lines().enumerate() {
            let line = index + 1;
            last = line;
            let read: Line =
                serde_json::from_str(written).map_err(|error| TranscriptError::Line { line, error })?;
            let answer = match (read, asked.take()) {
                (Line::Request(request), None) => {
                    asked = Some(request);
                    continue;
                }
                (Line::Request(_), Some(_)) => {
                    return Err(TranscriptError::Order { line, what: "the request before it has no answer" });
                }
                (_, None) => {
                    return Err(TranscriptError::Order { line, what: "an answer without a request" });
                }
                (Line::Reply(reply), Some(request)) => (request, Answered::Reply(reply)),
                (Line::Fault(fault), Some(request)) => (request, Answered::Fault(fault)),
            };
            exchanges.push(Exchange { request: answer.0, answer: answer.1 });
        }
        match (asked, exchanges.is_empty()) {
            (Some(_), _) => {
                Err(TranscriptError::Order { line: last, what: "the last request has no answer" })
            }
            (None, true) => Err(TranscriptError::Empty),
            (None, false) => Ok(Self { exchanges }),
        }
    }

    /// Asks everything again, up to the first answer that is another one.
    pub fn replay(&self, implementation: &mut dyn Implementation) -> Option<Departure> {
        for (index, exchange) in self.exchanges.iter().enumerate() {
            let seen = exchange.request.ask(implementation);
            let departs = |path: String, recorded: Option<&Json>, seen: Option<&Json>| Departure {
                number: index + 1,
                kind: exchange.request.kind(),
                path,
                recorded: recorded.cloned(),
                seen: seen.cloned(),
            };
            match (&exchange.answer, &seen) {
                (Answered::Reply(recorded), Answered::Reply(seen)) => {
                    if let Some((path, recorded, seen)) = difference("", Some(recorded), Some(seen)) {
                        return Some(departs(path, recorded, seen));
                    }
                }
                // Both gave no answer; the words about it hold numbers of processes and the like.
                (Answered::Fault(_), Answered::Fault(_)) => return None,
                (Answered::Reply(recorded), Answered::Fault(fault)) => {
                    return Some(departs(String::new(), Some(recorded), Some(&fault.as_str().into())));
                }
                (Answered::Fault(fault), Answered::Reply(seen)) => {
                    return Some(departs(String::new(), Some(&fault.as_str().into()), Some(seen)));
                }
            }
        }
        None
    }
}

type Difference<'json> = (String, Option<&'json Json>, Option<&'json Json>);

/// The first place at which two values differ.
fn difference<'json>(
    path: &str,
    one: Option<&'json Json>,
    other: Option<&'json Json>,
) -> Option<Difference<'json>> {
    match (one, other) {
        (Some(Json::Object(one)), Some(Json::Object(other))) => {
            let added = other.keys().filter(|key| !one.contains_key(*key));
            one.keys().chain(added).find_map(|key| {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                difference(&below, one.get(key), other.get(key))
            })
        }
        (Some(Json::Array(one)), Some(Json::Array(other))) => (0..one.len().max(other.len()))
            .find_map(|index| difference(&format!("{path}[{index}]"), one.get(index), other.get(index))),
        (one, other) => (one != other).then(|| (path.to_owned(), one, other)),
    }
}

fn answered<Report: Serialize>(answer: &Result<Reply<Report>, Fault>) -> Answered {
    match answer {
        Ok(reply) => match serde_json::to_value(reply) {
            Ok(reply) => Answered::Reply(reply),
            Err(error) => Answered::Fault(error.to_string()),
        },
        Err(fault) => Answered::Fault(fault.to_string()),
    }
}

/// Passes everything on to an implementation and notes it.
pub(super) struct Recorder<'inner> {
    inner: &'inner mut dyn Implementation,
    transcript: Transcript,
}

impl<'inner> Recorder<'inner> {
    pub(super) fn new(inner: &'inner mut dyn Implementation) -> Self {
        Self { inner, transcript: Transcript::default() }
    }

    pub(super) fn finish(self) -> Transcript {
        self.transcript
    }

    fn note<Report: Serialize>(
        &mut self,
        request: Asked,
        answer: Result<Reply<Report>, Fault>,
    ) -> Result<Reply<Report>, Fault> {
        self.transcript.exchanges.push(Exchange { request, answer: answered(&answer) });
        answer
    }
}

impl Implementation for Recorder<'_> {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.inner.hello()
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        let file = |path: &str| {
            let bytes = project.read(path)?;
            Some((path.to_owned(), String::from_utf8_lossy(&bytes).into_owned()))
        };
        let files = project.paths().into_iter().filter_map(file).collect();
        let request = Asked::Load { files, world: world.clone(), session: session.clone() };
        let answer = self.inner.load(project, world, session);
        self.note(request, answer)
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        let answer = self.inner.turn(turn);
        self.note(Asked::Turn(turn.clone()), answer)
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        let answer = self.inner.wait(wait.clone());
        self.note(Asked::Wait(wait), answer)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.inner.bye()
    }

    fn said(&mut self) -> String {
        self.inner.said()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
{\"request\":{\"kind\":\"wait\",\"for_ms\":5}}
{\"reply\":{\"result\":{\"now_ms\":5,\"events\":[]}}}
{\"request\":{\"kind\":\"wait\",\"for_ms\":1}}
{\"fault\":\"the implementation crashed: 7\"}
";

    #[test]
    fn a_transcript_is_read_as_it_was_written() {
        let transcript = Transcript::read(TEXT).unwrap();
        assert_eq!(transcript.exchanges.len(), 2);
        assert_eq!(transcript.text().unwrap(), TEXT);
    }

    #[test]
    fn what_is_none_is_refused_with_its_line() {
        let lines: Vec<&str> = TEXT.lines().collect();
        let refused = |lines: &[&str]| Transcript::read(&lines.join("\n")).unwrap_err().to_string();
        assert_eq!(refused(&[]), "this transcript holds no request");
        assert_eq!(refused(&lines[1..]), "line 1: an answer without a request");
        assert_eq!(refused(&[lines[0], lines[0]]), "line 2: the request before it has no answer");
        assert_eq!(refused(&lines[..3]), "line 3: the last request has no answer");
        assert!(refused(&["{}"]).starts_with("line 1: this is no line of a transcript: "));
    }

    #[test]
    fn the_first_difference_is_found_where_it_stands() {
        let one: Json = serde_json::json!({"a": [1, {"b": 2}], "c": null});
        let at = |other: Json| difference("", Some(&one), Some(&other)).map(|(path, _, _)| path);
        assert_eq!(at(one.clone()), None);
        assert_eq!(at(serde_json::json!({"a": [1, {"b": 3}], "c": 4})), Some("a[1].b".to_owned()));
        assert_eq!(at(serde_json::json!({"a": [1], "c": null})), Some("a[1]".to_owned()));
        assert_eq!(at(serde_json::json!({"a": [1, {"b": 2}], "c": null, "d": 1})), Some("d".to_owned()));
    }
}
