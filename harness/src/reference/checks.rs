//! What training finds wrong with an agent beyond what its files say on their own: names that lead nowhere,
//! memory that may not be written, conditions that read nothing.
//!
//! Looks at what was read and loaded; runs nothing. An error is what the text refuses or what can never
//! work; what one runtime refuses and another could run is a warning.
//! Rules: chapter VAL; contract-notes, "13. Findings" and the sections it names.

mod button_sources;
mod conditions;
mod gates;
mod hooks;
mod memory_declarations;
mod memory_writes;
mod parameters;
mod python_walk;
mod responses;
mod skills;
mod steps;

use super::agent::{Responses, Skill, StepKind};
use super::discovery::{self, Attached, ModuleTools};
use super::finding::Findings;
use super::memory::Schema;
use crate::project::ProjectSource;
use crate::protocol::{SkillId, ToolName};

/// The prefix of the codes of training.
const PREFIX: &str = "mantle.validation.";

/// What is checked.
pub(crate) struct Checked<'load> {
    /// The files.
    pub(crate) project: &'load dyn ProjectSource,
    /// The skills.
    pub(crate) skills: &'load [Skill],
    /// The tools of their modules, a location for each skill.
    pub(crate) local: &'load [ModuleTools],
    /// The tools of the agent's modules.
    pub(crate) shared: &'load ModuleTools,
    /// The tools that each skill has.
    pub(crate) attached: &'load [Vec<Attached>],
    /// The memory.
    pub(crate) schema: &'load Schema,
    /// The responses.
    pub(crate) responses: &'load Responses,
}

/// Checks an agent: memory, modules, hooks, then skill by skill, then responses.
pub(crate) fn check(checked: &Checked<'_>, findings: &mut Findings) {
    memory_declarations::check(checked, findings);
    memory_writes::check(checked, findings);
    hooks::check(checked, findings);
    for (index, skill) in checked.skills.iter().enumerate() {
        skills::check(checked, skill, findings);
        steps::check_constraints(checked, skill, index, findings);
        gates::check(checked, skill, findings);
        steps::check(checked, skill, index, findings);
    }
    responses::check(checked, findings);
}

impl Checked<'_> {
    /// The skill of this id.
    fn skill(&self, id: &str) -> Option<&Skill> {
        self.skills.iter().find(|skill| skill.id.as_str() == id)
    }

    /// Whether the `index`th skill may have a tool of this name although none was found: a module could
    /// not be read in full, and the name stands in its text or comes from a module that is not known.
    fn may_have(&self, index: usize, tool: &ToolName) -> bool {
        let (Some(skill), Some(own)) = (self.skills.get(index), self.local.get(index)) else { return true };
        if self.shared.incomplete {
            return true;
        }
        let paths = discovery::module_paths(self.project, &format!("skills/{}/", skill.id));
        own.incomplete
            && paths.iter().filter_map(|path| self.project.read(path)).any(|bytes| {
                let text = String::from_utf8_lossy(&bytes);
                text.contains(tool.as_str()) || text.contains("import *")
            })
    }

    /// Whether a namespace's entries are all known: not those of a bundled skill, and not the engine's.
    fn is_declared_here(&self, namespace: &str) -> bool {
        namespace == "project" || self.skill(namespace).is_some()
    }

    /// Whether there is a skill of this id, the project's own or a bundled one.
    fn has_skill(&self, id: &str) -> bool {
        self.schema.has_skill(&SkillId::new(id))
    }
}

/// Whether a skill's step asks for an entry.
fn is_collected(skill: &Skill, entry: &str) -> bool {
    skill.body.blocks.iter().flat_map(|block| &block.steps).any(|step| match &step.kind {
        StepKind::Collect { entry: asked, .. } => own_entry(skill, asked.as_str()) == entry,
        _ => false,
    })
}

/// The bare name of `<skill>.<entry>`; any other name as it stands.
fn own_entry<'name>(skill: &Skill, name: &'name str) -> &'name str {
    name.strip_prefix(skill.id.as_str()).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name)
}

/// A code of training.
fn code(name: &str) -> String {
    format!("{PREFIX}{name}")
}
