//! Why a write is refused, as `context.memory.set` raises it.
//!
//! Knows the names of the exceptions; how one is raised in Python is not its business.
//! Rules: tools-reference, "`context.memory`"; MEM-27 to MEM-37.

use crate::protocol::SkillId;

/// A refused write. It has changed nothing and left no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MemoryWriteError {
    /// Neither the active skill nor the project declares the entry (MEM-27, MEM-28).
    #[error("`{name}` is not declared; declare it in the skill's memory.yml or in the project's")]
    Undeclared {
        /// The name as the tool wrote it.
        name: String,
    },
    /// The entry is another skill's, whether that skill declares it or not (MEM-29).
    #[error("`{name}` belongs to the skill `{owner}`; only its own tools may write it")]
    CrossSkill {
        /// The name as the tool wrote it.
        name: String,
        /// Whose it is.
        owner: SkillId,
    },
    /// The `system.` namespace is the engine's (MEM-30).
    #[error("`{name}` is in the reserved `system.` namespace; declare an entry of your own")]
    SystemNamespace {
        /// The name as the tool wrote it.
        name: String,
    },
    /// The project entry holds a value already (MEM-31, MEM-33 to MEM-35, MEM-37).
    #[error("`{full_name}` is set already, and a project entry is written once; read it before you write it")]
    ProjectAlreadySet {
        /// The entry.
        full_name: String,
    },
}

impl MemoryWriteError {
    /// The name of the exception's class. `ProjectMemoryAlreadySetError` is a subclass of
    /// `MemoryWriteError` (MEM-32).
    pub(crate) const fn class_name(&self) -> &'static str {
        match self {
            Self::Undeclared { .. } | Self::CrossSkill { .. } | Self::SystemNamespace { .. } => {
                "MemoryWriteError"
            }
            Self::ProjectAlreadySet { .. } => "ProjectMemoryAlreadySetError",
        }
    }
}
