//! Names as types, so that a skill id is never passed where a tool name is meant.
//!
//! Knows nothing of which names are allowed: the contract's chapters decide that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$documentation:meta])* $type:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $type(String);

        impl $type {
            /// Wraps a name as it was written.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as it was written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl From<&str> for $type {
            fn from(name: &str) -> Self {
                Self(name.to_owned())
            }
        }

        impl From<String> for $type {
            fn from(name: String) -> Self {
                Self(name)
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

name! {
    /// A skill's id: the name of its folder under `skills/`.
    SkillId
}
name! {
    /// A tool's name as the model sees it.
    ToolName
}
name! {
    /// A memory entry's bare name, as declared in a `memory.yml`.
    EntryName
}
name! {
    /// An outside service a tool awaits, for example `bank.transfer`.
    ServiceName
}
name! {
    /// An MCP server's name, as declared in `integrations.yml`.
    ServerId
}
