//! The five requests, their replies, and the line each travels on.
//!
//! One JSON object a line, one reply a request, ids echoed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Session, Turn, World};

/// The version of the boundary this suite speaks; `hello` carries it both ways.
pub const PROTOCOL_VERSION: u32 = 1;

/// A request and the id its reply must echo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestLine {
    /// Chosen by the suite, unique within one process.
    pub id: u64,
    /// What is asked.
    pub request: Request,
}

/// What the suite may ask of an implementation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Request {
    /// Who are you, what can you do?
    Hello(Hello),
    /// Start over with this agent project and a fresh conversation.
    Load(Load),
    /// Run one user turn with a scripted model.
    Turn(Turn),
    /// Let virtual time pass between turns.
    Wait(Wait),
    /// End. The process exits after its reply.
    Bye(Bye),
}

/// Opens the exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The suite's [`PROTOCOL_VERSION`].
    pub protocol: u32,
}

/// Loads an agent project from a folder and starts a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// The project's folder, absolute.
    pub root: String,
    /// The outside world the agent lives in.
    #[serde(default)]
    pub world: World,
    /// Where the conversation begins.
    #[serde(default)]
    pub session: Session,
}

/// Lets virtual time pass while nothing is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// Virtual milliseconds.
    pub for_ms: u64,
}

/// Closes the exchange; carries nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bye {}

/// A reply and the id of the request it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "{Report}ReplyLine")]
pub struct ReplyLine<Report> {
    /// The request's id.
    pub id: u64,
    /// The answer.
    pub reply: Reply<Report>,
}

/// The answer to a request: exactly one of three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "{Report}Reply")]
pub enum Reply<Report> {
    /// What was asked for.
    Result(Report),
    /// The implementation cannot do this and says so.
    Skipped(Skipped),
    /// The implementation met a fault of its own.
    Errored(Errored),
}

/// A request that needs what the implementation does not offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// The capability that is missing.
    pub capability: Capability,
    /// Why, for a person.
    pub message: String,
    /// Where the gap is tracked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_url: Option<String>,
}

/// A fault of the implementation, outside what the contract describes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Errored {
    /// What went wrong, in one line.
    pub message: String,
    /// More, for example a stack trace.
    #[serde(default)]
    pub detail: String,
}

/// Who answers, and what it can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HelloReport {
    /// The implementation's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language it is written in.
    pub language: String,
    /// The protocol version it speaks.
    pub protocol: u32,
    /// The edition of the contract it implements.
    pub edition: Edition,
    /// What it can be asked about. A scenario that needs more is skipped.
    pub capabilities: BTreeSet<Capability>,
}

/// An edition of the contract, named after the release whose text it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Edition(pub String);

/// A part of the contract an implementation can declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Derives tool schemas from signatures.
    Schema,
    /// Finds tools and reports what it refuses.
    Discovery,
    /// Evaluates conditions.
    Conditions,
    /// Keeps memory by its read and write rules.
    Memory,
    /// Gates tools by `tool_constraints`.
    Gating,
    /// Offers the built-in tools.
    Builtins,
    /// Runs tool bodies.
    Execution,
    /// Cancels turns while tools run.
    Cancellation,
    /// Ends tools that take too long.
    Timeouts,
    /// Runs post-write hooks.
    Hooks,
    /// Delivers dynamic buttons and takes taps.
    Buttons,
    /// Connects to MCP servers.
    Mcp,
    /// Asks for confirmation before a tool.
    Confirmation,
    /// Walks ordered blocks.
    OrderedBlocks,
    /// Searches a knowledge index.
    Knowledge,
    /// Reports train-time findings.
    TrainChecks,
    /// Runs on a virtual clock.
    VirtualTime,
}

impl Capability {
    /// Every capability, in the order of the protocol's documentation.
    pub const ALL: [Self; 17] = [
        Self::Schema,
        Self::Discovery,
        Self::Conditions,
        Self::Memory,
        Self::Gating,
        Self::Builtins,
        Self::Execution,
        Self::Cancellation,
        Self::Timeouts,
        Self::Hooks,
        Self::Buttons,
        Self::Mcp,
        Self::Confirmation,
        Self::OrderedBlocks,
        Self::Knowledge,
        Self::TrainChecks,
        Self::VirtualTime,
    ];

    /// The name on the wire and in `needs:`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Discovery => "discovery",
            Self::Conditions => "conditions",
            Self::Memory => "memory",
            Self::Gating => "gating",
            Self::Builtins => "builtins",
            Self::Execution => "execution",
            Self::Cancellation => "cancellation",
            Self::Timeouts => "timeouts",
            Self::Hooks => "hooks",
            Self::Buttons => "buttons",
            Self::Mcp => "mcp",
            Self::Confirmation => "confirmation",
            Self::OrderedBlocks => "ordered_blocks",
            Self::Knowledge => "knowledge",
            Self::TrainChecks => "train_checks",
            Self::VirtualTime => "virtual_time",
        }
    }

    /// The capability of that name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|capability| capability.name() == name)
    }
}

impl std::fmt::Display for Capability {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The answer to [`Wait`]: what happened meanwhile, for example a session that timed out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaitReport {
    /// Virtual milliseconds since the conversation began, after the wait.
    pub now_ms: u64,
    /// What happened while waiting, with its virtual time.
    #[serde(default)]
    pub events: Vec<super::EventRecord>,
}
