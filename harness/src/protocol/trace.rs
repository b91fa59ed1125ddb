//! What happened in a turn, with virtual times in milliseconds since the conversation began.
//!
//! Serde types only: what was seen, without a word on what should have been.
//! Rules: `specs/protocol.schema.json`.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Intent, Json, LogRecord, Moment, ServiceName, SkillId, ToolName};

/// Everything observed in one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnTrace {
    /// How the turn ended.
    pub outcome: Outcome,
    /// For a failed turn: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// When it began.
    pub started_ms: u64,
    /// When it ended.
    pub ended_ms: u64,
    /// Every call to the model, in order.
    #[serde(default)]
    pub llm_calls: Vec<LlmCall>,
    /// Every message the user got, in order.
    #[serde(default)]
    pub messages: Vec<MessageRecord>,
    /// Every tracker event recorded, in order.
    #[serde(default)]
    pub events: Vec<EventRecord>,
    /// Every tool that ran, whoever started it.
    #[serde(default)]
    pub tools: Vec<ToolRun>,
    /// Every call to an outside service.
    #[serde(default)]
    pub services: Vec<ServiceCall>,
    /// Memory after the turn, by full name; entries that hold null are left out.
    #[serde(default)]
    pub memory: BTreeMap<String, Json>,
    /// What is active after the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<ActiveFrame>,
    /// What the runtime logged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<LogRecord>,
    /// In which order all of this happened, for people to read: times are equal more often than not. May be left
    /// out, and is never compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Moment>,
}

/// Why the runtime gave a turn up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// A stable code, for example `llm_script_exhausted`.
    pub code: String,
    /// The story, for a person. Never compared.
    #[serde(default)]
    pub message: String,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The turn reached its end.
    #[default]
    Completed,
    /// It was cut off.
    Cancelled,
    /// The runtime gave it up.
    Failed,
}

/// One call to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LlmCall {
    /// When.
    pub at_ms: u64,
    /// The tools offered, by name, each with the parameters schema the model saw.
    pub offered: IndexMap<ToolName, Json>,
    /// The tool results the model read since its last call.
    #[serde(default)]
    pub read: Vec<ReadResult>,
    /// In a turn that began with a tap: the text that the model reads as what the user said; `None` when it
    /// reads none, and in every other turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<String>,
    /// What it answered, as scripted; `None` when the script had run out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// The calls it made, as scripted.
    #[serde(default)]
    pub calls: Vec<Intent>,
}

/// A tool result as the model read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadResult {
    /// The tool that was called.
    pub tool: ToolName,
    /// What the model read: parsed when it is JSON, else a string.
    pub result: Json,
    /// Whether the runtime counts it as an error.
    pub error: bool,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MessageRecord {
    /// When.
    pub at_ms: u64,
    /// Its text.
    pub text: String,
    /// Its buttons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buttons: Vec<Button>,
    /// Who sent it.
    pub sender: Sender,
    /// The response it was made from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Button {
    /// What the user reads.
    pub title: String,
    /// What a tap sends.
    pub payload: String,
}

/// Who sent a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// The model's answer.
    Llm,
    /// The model's text beside tool calls.
    Filler,
    /// A response of `responses.yml`.
    Response,
    /// `context.send` in a tool.
    Tool,
}

/// A tracker event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// When.
    pub at_ms: u64,
    /// Its name, for example `memory_set`.
    pub event: String,
    /// Its payload.
    #[serde(default)]
    pub data: IndexMap<String, Json>,
}

/// One run of a tool's function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolRun {
    /// The tool.
    pub tool: ToolName,
    /// What started it.
    pub trigger: Trigger,
    /// The arguments it got, without the context.
    #[serde(default)]
    pub arguments: Json,
    /// When it started.
    pub started_ms: u64,
    /// When it ended.
    pub ended_ms: u64,
    /// How it ended.
    pub outcome: ToolRunOutcome,
    /// Where it was suspended, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<Await>,
}

/// What started a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The model called it.
    Llm,
    /// An ordered block's `execute_tool` step.
    Step,
    /// A write to the entry it hooks.
    Hook,
    /// A response whose buttons it supplies.
    ButtonSource,
    /// The user approved it.
    Confirmation,
    /// A correction ran it again.
    Correction,
}

/// How a tool run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolRunOutcome {
    /// It returned.
    Returned,
    /// It raised.
    Raised,
    /// It ran into its timeout.
    TimedOut,
    /// Its turn was cut off.
    Cancelled,
}

/// A suspension point a tool reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Await {
    /// When it was reached.
    pub started_ms: u64,
    /// When the tool went on, or was told to stop.
    pub ended_ms: u64,
    /// What was awaited, for example `bank.transfer` or `asyncio.sleep`.
    pub what: String,
    /// Where in the project: `file:line`.
    pub place: String,
    /// How the wait ended.
    pub ended: Awaited,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// With a value.
    Returned,
    /// With an exception.
    Raised,
    /// With `asyncio.CancelledError`.
    Cancelled,
}

/// A call to an outside service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServiceCall {
    /// The service.
    pub call: ServiceName,
    /// Positional arguments.
    #[serde(default)]
    pub arguments: Vec<Json>,
    /// Keyword arguments.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub keywords: IndexMap<String, Json>,
    /// When the call reached the service.
    pub started_ms: u64,
    /// When it ended; `None` while it still runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
    /// How it ended.
    pub outcome: ServiceOutcome,
}

/// How a call to a service ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceOutcome {
    /// With a value.
    Returned,
    /// With an exception.
    Raised,
    /// The caller was cut off while waiting.
    Cancelled,
    /// Not yet.
    Running,
}

/// What is active after a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActiveFrame {
    /// The skill on top.
    pub skill: SkillId,
    /// The ordered block on top, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// The step that runs next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_step: Option<String>,
    /// The whole stack, bottom first, as `<skill>` or `<skill>__<block>`.
    #[serde(default)]
    pub stack: Vec<String>,
}
