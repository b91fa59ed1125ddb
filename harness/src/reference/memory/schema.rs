//! What memory there is, and which entry a name means to whom.
//!
//! Knows declarations; no value and no event.
//! Rules: tools-reference, "`context.memory`"; contract-notes, "3. memory.yml"; MEM-01 to MEM-03, MEM-05 to
//! MEM-13, MEM-22 to MEM-30.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::MemoryWriteError;
use crate::protocol::{EntryName, MemoryField, SkillId};

/// The skills that every agent has unless it brings one of the same id (contract-notes, "1. Project layout").
const BUNDLED_SKILLS: [&str; 6] = [
    "default_completed",
    "default_continue_interrupted",
    "default_customer_satisfaction",
    "default_session_start",
    "default_silence_timeout",
    UNSUPPORTED_REQUESTS,
];
const UNSUPPORTED_REQUESTS: &str = "default_unsupported_request_handler";

/// An entry of somebody's memory.
#[derive(Debug)]
pub(crate) struct Field {
    /// `<skill>.<entry>` or `project.<entry>` (MEM-03).
    pub(crate) full_name: String,
    /// Whose it is.
    pub(crate) owner: Owner,
    /// Its bare name.
    pub(crate) entry: EntryName,
    /// As declared.
    pub(crate) declaration: MemoryField,
    /// Where the store keeps its value.
    pub(super) slot: usize,
}

/// Whose memory an entry belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A skill's.
    Skill(SkillId),
    /// The project's: every skill reads it and may write it once.
    Project,
}

impl Field {
    /// A project entry is everybody's to read, a private one its own skill's (MEM-09 to MEM-12).
    pub(crate) fn is_readable_by(&self, active: Option<&SkillId>) -> bool {
        match &self.owner {
            Owner::Project => true,
            Owner::Skill(skill) => active == Some(skill) || !self.declaration.private,
        }
    }
}

type Fields = IndexMap<EntryName, Field>;

/// Every entry of an agent.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    skills: BTreeMap<SkillId, Fields>,
    project: Fields,
}

/// What a name refers to, before it is asked who may do what with it.
enum Address<'schema, 'name> {
    /// No namespace that is known: the active skill's entry, else the project's.
    Bare(&'name str),
    /// `project.<entry>`.
    Project(&'name str),
    /// `system.<anything>`.
    System,
    /// `<skill>.<entry>` with a skill there is.
    Skill { skill: &'schema SkillId, fields: &'schema Fields, entry: &'name str },
}

impl Schema {
    /// Puts together what the skills and the project declare; a bundled skill that the agent does not
    /// replace is there too.
    pub(crate) fn new<'declared, Skills>(skills: Skills, project: &IndexMap<EntryName, MemoryField>) -> Self
    where
        Skills: IntoIterator<Item = (&'declared SkillId, &'declared IndexMap<EntryName, MemoryField>)>,
    {
        let mut schema = Self::default();
        for (skill, declared) in skills {
            schema.add_skill(skill.clone(), declared);
        }
        for id in BUNDLED_SKILLS {
            if !schema.skills.contains_key(id) {
                schema.add_skill(SkillId::new(id), &bundled_memory(id));
            }
        }
        schema.project = fields(&Owner::Project, project, schema.fields().count());
        schema
    }

    fn add_skill(&mut self, skill: SkillId, declared: &IndexMap<EntryName, MemoryField>) {
        let fields = fields(&Owner::Skill(skill.clone()), declared, self.fields().count());
        self.skills.insert(skill, fields);
    }

    /// Every entry: the skills by their ids, then the project, each in the order of its declaration.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.skills.values().flat_map(Fields::values).chain(self.project.values())
    }

    /// A skill's own entries, in the order of their declaration.
    pub(crate) fn fields_of(&self, skill: &SkillId) -> impl Iterator<Item = &Field> {
        self.skills.get(skill).into_iter().flat_map(Fields::values)
    }

    /// The project's entries, in the order of their declaration.
    pub(crate) fn project_fields(&self) -> impl Iterator<Item = &Field> {
        self.project.values()
    }

    /// Whether the agent has a skill of this id, its own or a bundled one.
    pub(crate) fn has_skill(&self, id: &SkillId) -> bool {
        self.skills.contains_key(id)
    }

    /// The entry `<namespace>.<entry>`, whoever asks.
    pub(crate) fn qualified(&self, namespace: &str, entry: &str) -> Option<&Field> {
        match namespace {
            "project" => self.project.get(entry),
            skill => self.skills.get(skill)?.get(entry),
        }
    }

    /// The entry that a name means in `get`, if there is one and the active skill may read it (MEM-05 to
    /// MEM-13, MEM-16, MEM-19).
    pub(crate) fn resolve_read(&self, active: Option<&SkillId>, name: &str) -> Option<&Field> {
        match self.address(name) {
            Address::Bare(entry) => self.bare(active, entry),
            Address::Project(entry) => self.project.get(entry),
            Address::System => None,
            Address::Skill { fields, entry, .. } => {
                fields.get(entry).filter(|field| field.is_readable_by(active))
            }
        }
    }

    /// The entry that a name means in `set`, or why the active skill may not write it (MEM-22 to MEM-30).
    /// Whether a project entry is set already is for the store to say.
    pub(crate) fn resolve_write(
        &self,
        active: Option<&SkillId>,
        name: &str,
    ) -> Result<&Field, MemoryWriteError> {
        let as_written = || name.to_owned();
        let found = match self.address(name) {
            Address::Bare(entry) => self.bare(active, entry),
            Address::Project(entry) => self.project.get(entry),
            Address::System => return Err(MemoryWriteError::SystemNamespace { name: as_written() }),
            Address::Skill { skill, fields, entry } if active == Some(skill) => fields.get(entry),
            Address::Skill { skill, .. } => {
                let owner = skill.clone();
                return Err(MemoryWriteError::CrossSkill { name: as_written(), owner });
            }
        };
        found.ok_or_else(|| MemoryWriteError::Undeclared { name: as_written() })
    }

    /// What a skill's tools, conditions and prompts may read: its own entries, the other skills' public
    /// ones, the project's.
    pub(crate) fn readable_set(&self, skill: &SkillId) -> impl Iterator<Item = &Field> {
        let others = self.skills.iter().filter(move |(other, _)| *other != skill);
        let others = others.flat_map(|(_, fields)| fields.values());
        let public = others.filter(move |field| field.is_readable_by(Some(skill)));
        self.fields_of(skill).chain(public).chain(self.project_fields())
    }

    /// What a skill's tools may write: its own entries, and the project's once.
    pub(crate) fn writable_set(&self, skill: &SkillId) -> impl Iterator<Item = &Field> {
        self.fields_of(skill).chain(self.project_fields())
    }

    /// MEM-07, MEM-24: where both declare a name, it means the skill's entry. MEM-08: never another skill's.
    fn bare(&self, active: Option<&SkillId>, entry: &str) -> Option<&Field> {
        let own = active.and_then(|skill| self.skills.get(skill)).and_then(|fields| fields.get(entry));
        own.or_else(|| self.project.get(entry))
    }

    /// A first segment is a namespace only if it is known; any other name is bare, dots and all.
    fn address<'name>(&self, name: &'name str) -> Address<'_, 'name> {
        match name.split_once('.') {
            Some(("project", entry)) => Address::Project(entry),
            Some(("system", _)) => Address::System,
            Some((namespace, entry)) => match self.skills.get_key_value(namespace) {
                Some((skill, fields)) => Address::Skill { skill, fields, entry },
                None => Address::Bare(name),
            },
            None => Address::Bare(name),
        }
    }
}

fn fields(owner: &Owner, declared: &IndexMap<EntryName, MemoryField>, first_slot: usize) -> Fields {
    let namespace = match owner {
        Owner::Skill(skill) => skill.as_str(),
        Owner::Project => "project",
    };
    let field = |slot: usize, entry: &EntryName, declaration: &MemoryField| Field {
        full_name: format!("{namespace}.{entry}"),
        owner: owner.clone(),
        entry: entry.clone(),
        declaration: declaration.clone(),
        slot,
    };
    let slots = first_slot..;
    let placed = slots.zip(declared);
    placed.map(|(slot, (entry, declaration))| (entry.clone(), field(slot, entry, declaration))).collect()
}

/// What is known of a bundled skill's memory: the entry that `cannot_help` writes.
fn bundled_memory(skill: &str) -> IndexMap<EntryName, MemoryField> {
    let field = MemoryField { kind: "text".to_owned(), ..MemoryField::default() };
    let known = (skill == UNSUPPORTED_REQUESTS).then(|| (EntryName::new("request_type"), field));
    known.into_iter().collect()
}
