//! The outside world of an agent, scripted: services, MCP servers, knowledge, installed packages.
//!
//! Serde types only; nothing in it runs.
//! Rules: `specs/protocol.schema.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Json, ServerId, ServiceName};

/// What lies outside the agent project.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct World {
    /// Awaitables reached through `lib.world`: what each does, call by call; the last repeats.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<ServiceName, Vec<ServiceBehaviour>>,
    /// MCP servers that answer, by the name `integrations.yml` declares.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mcp: BTreeMap<ServerId, McpServer>,
    /// What a knowledge search finds; `None` leaves it to the project's reference files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knowledge: Option<Vec<Passage>>,
    /// Python packages installed beside the standard library and `rasa`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// Whether there may be more outside than is listed here: what is not listed is then unknown
    /// instead of missing, and a server that is not listed is not connected to.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

/// What one call to a service does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServiceBehaviour {
    /// How long it takes, in virtual milliseconds.
    #[serde(default)]
    pub takes_ms: u64,
    /// How it ends.
    #[serde(default)]
    pub ends: ServiceResult,
}

/// How a call to a service ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceResult {
    /// With this value.
    Returns(Json),
    /// With an exception of this type and message, for example `RuntimeError`.
    Raises {
        /// The exception's class name.
        exception: String,
        /// Its message.
        message: String,
    },
}

impl Default for ServiceResult {
    fn default() -> Self {
        Self::Returns(Json::Null)
    }
}

/// An MCP server: what it lists and how it fails.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct McpServer {
    /// The tools it lists.
    #[serde(default)]
    pub tools: Vec<McpTool>,
    /// How it fails at start-up, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<McpFailure>,
}

/// How an MCP server fails when the agent starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum McpFailure {
    /// No connection.
    Connect,
    /// Credentials refused.
    Authenticate,
    /// Connected, but the tools cannot be listed.
    List,
}

/// A tool on an MCP server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct McpTool {
    /// Its bare name.
    pub name: String,
    /// What the server says about it.
    #[serde(default)]
    pub description: String,
    /// The input schema as the server lists it.
    #[serde(default)]
    pub parameters: Json,
    /// What its calls do, one by one; the last repeats.
    #[serde(default)]
    pub calls: Vec<ServiceBehaviour>,
}

/// A passage a knowledge search returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Passage {
    /// What it says.
    pub text: String,
    /// The file it comes from.
    #[serde(default)]
    pub source: String,
}
