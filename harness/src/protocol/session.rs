//! Where a conversation begins.
//!
//! Serde types only; what a conversation does with it is an implementation's business.
//! Rules: `specs/protocol.schema.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Json, SkillId};

/// The state a conversation starts from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The skill already active, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<SkillId>,
    /// Memory already written, by full name: `<skill>.<entry>` or `project.<entry>`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub memory: BTreeMap<String, Json>,
    /// How the user talks to the agent.
    #[serde(default)]
    pub channel: Channel,
    /// What the channel knows about the user at session start; seeds project fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, Json>,
}

/// How the user talks to the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Typed messages.
    #[default]
    Text,
    /// Speech; a user can barge in.
    Voice,
}
