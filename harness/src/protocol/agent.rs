//! What an implementation makes of an agent project: its skills' tools, and what it refuses.
//!
//! Serde types only; which findings there are is for the contract's chapters to say.
//! Rules: `specs/protocol.schema.json`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EntryName, Json, SkillId, ToolName};

/// The answer to `load`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadReport {
    /// Whether the agent is up.
    pub outcome: LoadOutcome,
    /// For a rejected project: the first phase that refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<LoadPhase>,
    /// What was found wrong, or is worth a look, in the order of the project's files.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// The project's own skills, by id. As far as known when the project is rejected.
    #[serde(default)]
    pub skills: IndexMap<SkillId, SkillReport>,
    /// Project memory, by entry.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub memory: IndexMap<EntryName, MemoryField>,
    /// What the runtime logged while loading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<LogRecord>,
}

/// Whether a project was accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadOutcome {
    /// Trained, loaded and started.
    #[default]
    Ok,
    /// Refused in some phase.
    Rejected,
}

/// The phases a project passes before its first conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadPhase {
    /// The train-time checks.
    Train,
    /// The model is loaded.
    Load,
    /// The agent starts and connects.
    Startup,
}

/// Something found in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// A stable code, for example `mantle.validation.tools.import_failed`.
    pub code: String,
    /// How grave it is; an error refuses the project.
    pub severity: Severity,
    /// The phase that reports it.
    pub phase: LoadPhase,
    /// Where, if it has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// What is wrong and what to do, for a person. Never compared.
    pub message: String,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The project is refused.
    Error,
    /// The project runs, but probably not as meant.
    Warning,
    /// Worth knowing.
    Info,
}

/// A place in the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SourcePlace {
    /// The file, relative to the project's root, with `/`.
    pub file: String,
    /// The line, from 1; 0 means the file as a whole.
    #[serde(default)]
    pub line: u32,
    /// The column in characters, from 1; 0 means the line as a whole.
    #[serde(default)]
    pub column: u32,
}

/// What a skill consists of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillReport {
    /// Every tool attached to the skill, by the name the model sees.
    #[serde(default)]
    pub tools: IndexMap<ToolName, ToolReport>,
    /// The skill's own memory, by entry.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub memory: IndexMap<EntryName, MemoryField>,
    /// The full names of the entries that its tools, conditions and prompts may read, as far as the
    /// project declares them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// The full names of the entries that its tools may write; a project entry once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writable: Vec<String>,
    /// What could not be known by reading, each a sentence with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// A tool attached to a skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolReport {
    /// The tier it was found in.
    pub source: ToolSource,
    /// Where it is defined; for an MCP tool the import entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// What the model reads about it; `None` when it is not known.
    pub description: Option<String>,
    /// The JSON Schema object the model sees.
    pub parameters: Json,
    /// Its gate: the condition under which it is offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<String>,
    /// Where this tool may be seen by the model.
    #[serde(default)]
    pub visibility: Visibility,
    /// What could not be known by reading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Unknown>,
}

/// The tier a tool was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolSource {
    /// The skill's own `tools.py` or `tools/`.
    Skill,
    /// The agent's `tools/`, imported by the skill.
    Shared,
    /// An MCP server.
    Mcp,
}

/// Whether the model can ever be offered a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Offered whenever its skill is active and its gate is open.
    #[default]
    Model,
    /// A post-write hook: run by the runtime, never offered.
    Hook,
    /// A response button source: run by the runtime, never offered.
    ButtonSource,
}

/// Something that reading alone cannot tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// What is unknown: `description`, `type of <parameter>`, `tool`, …
    pub what: String,
    /// Why.
    pub why: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
}

/// A memory entry as declared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the attributes of `memory.yml`, each on its own")]
pub struct MemoryField {
    /// Its declared type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the model reads about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For a `categorical` entry: the values it may take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enum_values: Vec<String>,
    /// Whether only its own skill may read it.
    #[serde(default)]
    pub private: bool,
    /// Whether the model may set it.
    #[serde(default)]
    pub llm_settable: bool,
    /// For a project entry: whether the session's metadata may fill it at the start.
    #[serde(default)]
    pub seed: bool,
    /// Whether its value is kept out of prompts.
    #[serde(default)]
    pub pii: bool,
    /// What it holds before anything writes it.
    #[serde(default)]
    pub initial_value: Json,
}

/// A structured log record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogRecord {
    /// How grave it is.
    pub level: Severity,
    /// Its event name, for example `mantle.tool_loader.duplicate_tool_name`.
    pub event: String,
    /// What it is about.
    #[serde(default)]
    pub data: IndexMap<String, Json>,
}
