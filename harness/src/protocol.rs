//! What crosses the boundary between the suite and an implementation: requests, replies, observations.
//!
//! Serde types only: no behaviour of the contract, no knowledge of scenarios or verdicts.
//! Rules: `specs/protocol.schema.json` is generated from these types; unknown fields are ignored.

mod agent;
mod envelope;
mod moment;
mod names;
mod schema;
mod session;
mod trace;
mod turn;
mod world;

pub use agent::{
    Finding, LoadOutcome, LoadPhase, LoadReport, LogRecord, MemoryField, Severity, SkillReport, SourcePlace,
    ToolReport, ToolSource, Unknown, Visibility,
};
pub use envelope::{
    Bye, Capability, Edition, Errored, Hello, HelloReport, Load, PROTOCOL_VERSION, Reply, ReplyLine, Request,
    RequestLine, Skipped, Wait, WaitReport,
};
pub use moment::{Moment, NoMoment, Part};
pub use names::{EntryName, ServerId, ServiceName, SkillId, ToolName};
pub use schema::{schema, schema_of};
pub use session::{Channel, Session};
pub use trace::{
    ActiveFrame, Await, Awaited, Button, EventRecord, Failure, LlmCall, MessageRecord, Outcome, ReadResult,
    Sender, ServiceCall, ServiceOutcome, ToolRun, ToolRunOutcome, Trigger, TurnTrace,
};
pub use turn::{Intent, Interrupt, InterruptCause, InterruptPoint, ScriptedReply, Turn, UserInput};
pub use world::{McpFailure, McpServer, McpTool, Passage, ServiceBehaviour, ServiceResult, World};

/// A JSON value as it stands on the wire; object keys keep their order.
pub type Json = serde_json::Value;
