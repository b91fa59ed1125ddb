//! One user turn as it is asked for: what the user does, what the model answers, what cuts it off.
//!
//! The model is scripted by intent: the runtime's own offered tools decide how an intent is spelled,
//! so that a runtime that names an argument differently fails one scenario and not all of them.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Json;

/// A user turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// What the user does.
    pub input: UserInput,
    /// What the model answers, call by call. A call beyond the script fails the turn with
    /// `llm_script_exhausted`.
    #[serde(default)]
    pub llm: Vec<ScriptedReply>,
    /// What cuts the turn off, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupt: Option<Interrupt>,
}

/// What the user does in a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserInput {
    /// Says or types this.
    Says(String),
    /// Taps a button of the latest message.
    Taps {
        /// The button's title.
        title: String,
    },
}

/// One answer of the scripted model: text, tool calls, or both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScriptedReply {
    /// Text for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// Tool calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Intent>,
}

/// What the model wants to do; all but [`Intent::Call`] leave the spelling to the runtime.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Start or switch to a skill (or one of its blocks, `<skill>__<block>`).
    Activate(String),
    /// Mark the active skill finished.
    Complete,
    /// Abandon the active skill.
    Cancel,
    /// Record memory values in one batch, in order.
    Set(IndexMap<String, Json>),
    /// Revise a value given earlier.
    Correct {
        /// The full name of the memory entry.
        entry: String,
        /// Its new value.
        value: Json,
    },
    /// Answer a pending confirmation.
    Confirm(bool),
    /// Search the knowledge base.
    Search(String),
    /// Decline; `true` when the request is within the agent's domain.
    CannotHelp(bool),
    /// Wait silently.
    Listen,
    /// Call a tool by its literal name with literal arguments.
    Call {
        /// The tool's name as spelled by the scenario.
        tool: String,
        /// The arguments, as the model sends them.
        arguments: Json,
    },
}

/// What cuts a turn off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interrupt {
    /// When. Due at the same instant as a completion, an interrupt loses to it.
    pub when: InterruptPoint,
    /// Why.
    #[serde(default)]
    pub cause: InterruptCause,
}

/// When a turn is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterruptPoint {
    /// So many virtual milliseconds after the turn began.
    AtMs(u64),
    /// At the n-th suspension in tool code, counted from 1.
    AtAwait(u32),
}

/// Why a turn is cut off (tools-reference, "Cancellation").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterruptCause {
    /// The user speaks over the agent.
    #[default]
    BargeIn,
    /// The session expired.
    SessionTimeout,
    /// The connection dropped.
    Disconnect,
}
