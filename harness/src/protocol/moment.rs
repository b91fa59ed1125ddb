//! The moments of a turn, named by where the trace has them: what the order of a turn is made of.
//!
//! Names only; whether the trace has such a place is for its reader to see.
//! Rules: docs/adapters.md, "turn"; `specs/protocol.schema.json`.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something in a trace that happened at a moment: `tools[0]` is the start of the first tool run, `tools[0] ends`
/// its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// What.
    pub part: Part,
    /// Whether its end is meant.
    pub ends: bool,
}

/// A part of a trace, by its position in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A call to the model.
    LlmCall(usize),
    /// A message.
    Message(usize),
    /// An event.
    Event(usize),
    /// A tool run.
    Tool(usize),
    /// A suspension of a tool run.
    Await {
        /// The run.
        tool: usize,
        /// Which of its suspensions.
        number: usize,
    },
    /// A call to a service.
    Service(usize),
}

/// A text that names no moment.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` names no moment of a turn, such as `llm_calls[0]`, `tools[0]` or `tools[0].awaits[1] ends`")]
pub struct NoMoment(String);

impl Part {
    /// Its beginning.
    pub const fn begins(self) -> Moment {
        Moment { part: self, ends: false }
    }

    /// Its end.
    pub const fn ends(self) -> Moment {
        Moment { part: self, ends: true }
    }
}

impl Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::LlmCall(number) => write!(out, "llm_calls[{number}]"),
            Part::Message(number) => write!(out, "messages[{number}]"),
            Part::Event(number) => write!(out, "events[{number}]"),
            Part::Tool(number) => write!(out, "tools[{number}]"),
            Part::Await { tool, number } => write!(out, "tools[{tool}].awaits[{number}]"),
            Part::Service(number) => write!(out, "services[{number}]"),
        }?;
        out.write_str(if self.ends { " ends" } else { "" })
    }
}

impl FromStr for Moment {
    type Err = NoMoment;

    fn from_str(text: &str) -> Result<Self, NoMoment> {
        let (path, ends) = match text.strip_suffix(" ends") {
            Some(path) => (path, true),
            None => (text, false),
        };
        part(path).map(|part| Self { part, ends }).ok_or_else(|| NoMoment(text.to_owned()))
    }
}

fn part(path: &str) -> Option<Part> {
    if let Some((run, suspension)) = path.split_once('.') {
        let ("tools", tool) = indexed(run)? else { return None };
        let ("awaits", number) = indexed(suspension)? else { return None };
        return Some(Part::Await { tool, number });
    }
    let (list, number) = indexed(path)?;
    Some(match list {
        "llm_calls" => Part::LlmCall(number),
        "messages" => Part::Message(number),
        "events" => Part::Event(number),
        "tools" => Part::Tool(number),
        "services" => Part::Service(number),
        _ => return None,
    })
}

fn indexed(text: &str) -> Option<(&str, usize)> {
    let (list, index) = text.strip_suffix(']')?.split_once('[')?;
    Some((list, index.parse().ok()?))
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Something in a trace that happened at a moment: `tools[0]` is the start of the first tool run, `tools[0] ends` its end.",
            "type": "string",
            "pattern": r"^((llm_calls|messages|events)\[[0-9]+\]|(tools\[[0-9]+\](\.awaits\[[0-9]+\])?|services\[[0-9]+\])( ends)?)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_it_is_written() {
        for text in [
            "llm_calls[0]",
            "messages[12]",
            "events[3]",
            "tools[0]",
            "tools[0] ends",
            "tools[1].awaits[2]",
            "tools[1].awaits[2] ends",
            "services[4] ends",
        ] {
            assert_eq!(text.parse::<Moment>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_moment_is_quoted() {
        for text in
            ["", "tools", "tools[x]", "tools[-1]", "memory[0]", "events[0].awaits[1]", "tools[0].x[1]"]
        {
            let error = text.parse::<Moment>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` names no moment")), "{error}");
        }
    }
}
