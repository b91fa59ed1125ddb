//! Clause by clause; the whole of it against an independent model in `agreement`.

mod agreement;
mod names;
mod types;
mod writes;

use std::rc::Rc;

use indexmap::IndexMap;
use serde_json::json;

use super::{Field, Memory, MemoryWriteError, QuietWrite, Schema};
use crate::project::MemoryProject;
use crate::protocol::{EntryName, EventRecord, Json, MemoryField, SkillId};
use crate::reference::agent::{read_project_memory, read_skill_memory};
use crate::reference::finding::Findings;

/// What two skills and the project declare, for the tests of single clauses.
const PAY: &str = "
schema:
  public:
    amount: {type: float}
    attempts: {type: int, initial_value: 3}
    both: {type: text}
  private:
    pin: {type: text}
    plan: {type: text, initial_value: basic}
";
const CARDS: &str = "
schema:
  public: {label: {type: text}, limit: {type: int, initial_value: 100}}
  private: {number: {type: text, initial_value: '4711'}}
";
const PROJECT: &str = "
both: {type: text}
token: {type: any}
language: {type: text, initial_value: en}
";

fn declared(skills: &[(&str, &str)], project: &str) -> Schema {
    let files = skills.iter().map(|(id, text)| (format!("skills/{id}/memory.yml"), (*text).to_owned()));
    let source: MemoryProject = files.chain([("memory.yml".to_owned(), project.to_owned())]).collect();
    let mut findings = Findings::default();
    let mut entries: IndexMap<SkillId, IndexMap<EntryName, MemoryField>> = IndexMap::new();
    for (id, _) in skills {
        let path = format!("skills/{id}/memory.yml");
        entries.insert(SkillId::new(*id), read_skill_memory(&source, &path, &mut findings));
    }
    Schema::new(&entries, &read_project_memory(&source, &mut findings))
}

/// A conversation with that memory, and what its tools do in it.
struct Conversation {
    memory: Memory,
    events: Vec<EventRecord>,
    active: Option<SkillId>,
}

fn conversation() -> Conversation {
    with_schema(declared(&[("pay", PAY), ("cards", CARDS)], PROJECT))
}

fn with_schema(schema: Schema) -> Conversation {
    Conversation {
        memory: Memory::new(Rc::new(schema)),
        events: Vec::new(),
        active: Some(SkillId::new("pay")),
    }
}

impl Conversation {
    fn get(&self, name: &str) -> Option<&Json> {
        self.memory.get(self.active.as_ref(), name)
    }

    /// The class of the exception, if the write is refused.
    fn set(&mut self, name: &str, value: Json) -> Result<(), &'static str> {
        let written = self.memory.set(self.active.as_ref(), name, value, 7, &mut self.events);
        written.map_err(|refused| refused.class_name())
    }

    fn activate(&mut self, skill: &str) {
        self.active = Some(SkillId::new(skill));
    }

    /// The events since the last time one asked.
    fn new_events(&mut self) -> Vec<Json> {
        self.events.drain(..).map(|event| json!([event.event, event.data])).collect()
    }
}
