//! An agent that was loaded: what its conversations run on.
//!
//! Knows what skills have and how tools are gated; nothing of turns. Rules: chapters DSC and GAT.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::IndexMap;

use super::agent::{Block, Body, Configuration, Constraint, Responses, Skill, StepKind};
use super::condition::Condition;
use super::memory::Schema;
use super::python::{Function, Value};
use crate::protocol::{EntryName, Json, ServerId, SkillId, ToolName, Visibility, World};

/// An agent.
pub(crate) struct Agent {
    /// Its skills, by id.
    pub(crate) skills: IndexMap<SkillId, AgentSkill>,
    /// What memory it declares.
    pub(crate) schema: Rc<Schema>,
    /// What it says by name.
    pub(crate) responses: Responses,
    /// Its settings.
    pub(crate) configuration: Configuration,
    /// The outside world.
    pub(crate) world: Rc<World>,
    /// The Python modules loaded with it.
    pub(crate) modules: Rc<RefCell<BTreeMap<String, Value>>>,
    /// Whether it ships knowledge to search.
    pub(crate) has_index: bool,
}

/// A skill of an agent.
pub(crate) struct AgentSkill {
    /// Its id.
    pub(crate) id: SkillId,
    /// Whether it is switched off.
    pub(crate) disabled: bool,
    /// Whether only the engine starts it.
    pub(crate) engine_managed: bool,
    /// The condition under which it can be started.
    pub(crate) requires: Gate,
    /// When the skill is done, for `complete_skill`.
    pub(crate) complete_when: Gate,
    /// Prose and blocks.
    pub(crate) body: Body,
    /// Its tools, by the name the model sees.
    pub(crate) tools: IndexMap<ToolName, Tool>,
    /// The entries that its `collect:` steps ask for.
    pub(crate) collected: BTreeSet<EntryName>,
}

/// A tool of a skill.
pub(crate) struct Tool {
    /// Its name.
    pub(crate) name: ToolName,
    /// The parameters schema the model sees.
    pub(crate) parameters: Json,
    /// Who may see it.
    pub(crate) visibility: Visibility,
    /// What runs.
    pub(crate) body: ToolBody,
    /// The gate of `tool_constraints`.
    pub(crate) gate: Gate,
    /// Its other constraints.
    pub(crate) constraint: Option<Constraint>,
}

/// What a tool runs.
pub(crate) enum ToolBody {
    /// A Python function.
    Function(Rc<Function>),
    /// A tool of an MCP server.
    Mcp(ServerId),
    /// A function that cannot be read; the reason.
    Unreadable(String),
}

/// A condition that something waits for.
#[derive(Clone, Debug, Default)]
pub(crate) enum Gate {
    /// None: always open.
    #[default]
    Open,
    /// Open while the condition holds.
    When(Condition),
    /// What is written is no condition: never open (CND-22).
    Shut,
}

impl Gate {
    /// The gate that a condition's text makes.
    pub(crate) fn of(text: Option<&str>) -> Self {
        text.map_or(Self::Open, |text| Condition::parse(text).map_or(Self::Shut, Self::When))
    }

    /// Whether the gate is open; a condition that fails to evaluate keeps it shut (CND-19 to CND-21).
    pub(crate) fn is_open(&self, read: &dyn Fn(&str, &str) -> Json) -> bool {
        match self {
            Self::Open => true,
            Self::When(condition) => condition.holds(read),
            Self::Shut => false,
        }
    }
}

impl AgentSkill {
    /// A skill from its declaration and its tools.
    pub(crate) fn new(declared: &Skill, tools: IndexMap<ToolName, Tool>) -> Self {
        let steps = declared.body.blocks.iter().flat_map(|block| &block.steps);
        let collected = steps
            .filter_map(|step| match &step.kind {
                StepKind::Collect { entry, .. } => Some(entry.clone()),
                _ => None,
            })
            .collect();
        Self {
            id: declared.id.clone(),
            disabled: declared.disabled,
            engine_managed: declared.engine_managed,
            requires: Gate::of(declared.requires.as_deref()),
            complete_when: Gate::of(declared.complete_when.as_deref()),
            body: declared.body.clone(),
            tools,
            collected,
        }
    }

    /// A block by its id.
    pub(crate) fn block(&self, id: &str) -> Option<&Block> {
        self.body.blocks.iter().find(|block| block.id == id)
    }

    /// Where the skill begins: in its prose, or in the block `main`, else its first block.
    pub(crate) fn entry_block(&self) -> Option<&str> {
        if self.body.has_prose {
            return None;
        }
        let main = self.block("main").or_else(|| self.body.blocks.first());
        main.map(|block| block.id.as_str())
    }
}
