//! The values of one conversation, and the events that each write leaves.
//!
//! Knows the schema; who is active, what time it is and where events go it is told with every call.
//! Rules: tools-reference, "`context.memory`"; contract-notes, "3. memory.yml"; chapter MEM.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use indexmap::IndexMap;

use super::schema::{Field, Owner, Schema};
use super::{MemoryWriteError, types};
use crate::protocol::{EntryName, EventRecord, Json, SkillId};

/// What an entry holds that nothing has written: an unset entry and a stored null are the same (MEM-15).
static UNSET: Json = Json::Null;

/// The memory of one conversation.
#[derive(Debug)]
pub(crate) struct Memory {
    schema: Rc<Schema>,
    /// By the slots of the schema's fields.
    values: Vec<Json>,
}

/// What became of a write that must not fail on a project entry that is set already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuietWrite {
    /// The value is stored.
    Written,
    /// It is a project entry that is set already; nothing happened.
    Skipped,
}

/// All values at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot(Vec<Json>);

impl Memory {
    /// Memory before anything has written it (MEM-04).
    pub(crate) fn new(schema: Rc<Schema>) -> Self {
        let mut values = vec![Json::Null; schema.fields().count()];
        for field in schema.fields() {
            if let Some(value) = values.get_mut(field.slot) {
                value.clone_from(&field.declaration.initial_value);
            }
        }
        Self { schema, values }
    }

    /// What is declared.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// `context.memory.get`: what the entry holds; `None` wherever the default is to be used (MEM-05 to
    /// MEM-19). Never an error.
    pub(crate) fn get(&self, active: Option<&SkillId>, name: &str) -> Option<&Json> {
        let field = self.schema.resolve_read(active, name)?;
        Some(self.value(field)).filter(|value| !value.is_null())
    }

    /// What `session.<namespace>.<entry>` means in a condition of the active skill: the value, or null when
    /// the entry is unset or not in the readable set (contract-notes, "4. Conditions").
    pub(crate) fn read_for_condition(&self, active: Option<&SkillId>, namespace: &str, entry: &str) -> &Json {
        let field = self.schema.qualified(namespace, entry).filter(|field| field.is_readable_by(active));
        field.map_or(&UNSET, |field| self.value(field))
    }

    /// The entry that `set` would write, and that it may; `Err` says why not (MEM-22 to MEM-37).
    #[cfg(test)]
    pub(crate) fn resolve_write(
        &self,
        active: Option<&SkillId>,
        name: &str,
    ) -> Result<&Field, MemoryWriteError> {
        self.admit(self.schema.resolve_write(active, name)?)
    }

    /// `context.memory.set`: stores the value as given (MEM-47), at once (MEM-39), with its two events
    /// (MEM-43); or refuses it and changes nothing.
    pub(crate) fn set(
        &mut self,
        active: Option<&SkillId>,
        name: &str,
        value: Json,
        at_ms: u64,
        events: &mut Vec<EventRecord>,
    ) -> Result<(), MemoryWriteError> {
        let schema = Rc::clone(&self.schema);
        let field = self.admit(schema.resolve_write(active, name)?)?;
        self.write(field, value, at_ms, events);
        Ok(())
    }

    /// A write by a `set_memory:` step or in a hook: as [`Memory::set`], but a project entry that is set
    /// already is left alone and nothing fails (MEM-48).
    pub(crate) fn set_unless_project_is_set(
        &mut self,
        active: Option<&SkillId>,
        name: &str,
        value: Json,
        at_ms: u64,
        events: &mut Vec<EventRecord>,
    ) -> Result<QuietWrite, MemoryWriteError> {
        match self.set(active, name, value, at_ms, events) {
            Ok(()) => Ok(QuietWrite::Written),
            Err(MemoryWriteError::ProjectAlreadySet { .. }) => Ok(QuietWrite::Skipped),
            Err(refused) => Err(refused),
        }
    }

    /// A new run of a skill that is nowhere on the stack: its entries, and no others, return to their initial
    /// values (MEM-54, MEM-57); only what differs leaves events (MEM-58).
    pub(crate) fn start_skill(&mut self, skill: &SkillId, at_ms: u64, events: &mut Vec<EventRecord>) {
        let schema = Rc::clone(&self.schema);
        for field in schema.fields_of(skill) {
            let initial = &field.declaration.initial_value;
            if self.value(field) != initial {
                self.write(field, initial.clone(), at_ms, events);
            }
        }
    }

    /// The start of a session: each project entry with `seed: true` takes the metadata's value under its name,
    /// else the one under `extra`; one that does not fit the entry's type is left out (MEM-49, MEM-51).
    pub(crate) fn seed(
        &mut self,
        metadata: &BTreeMap<String, Json>,
        at_ms: u64,
        events: &mut Vec<EventRecord>,
    ) {
        let schema = Rc::clone(&self.schema);
        for field in schema.project_fields().filter(|field| field.declaration.seed) {
            let name = field.entry.as_str();
            let direct = metadata.get(name).filter(|value| !value.is_null());
            let value = direct.or_else(|| metadata.get("extra")?.get(name));
            if let Some(value) = value.filter(|value| types::may_seed(&field.declaration, value)) {
                self.write(field, value.clone(), at_ms, events);
            }
        }
    }

    /// Lets an entry hold a value from before the conversation, by its full name; no event tells of it.
    pub(crate) fn preset(&mut self, full_name: &str, value: Json) -> Result<(), MemoryWriteError> {
        let schema = Rc::clone(&self.schema);
        let field =
            full_name.split_once('.').and_then(|(namespace, entry)| schema.qualified(namespace, entry));
        let undeclared = || MemoryWriteError::Undeclared { name: full_name.to_owned() };
        self.store(field.ok_or_else(undeclared)?, value);
        Ok(())
    }

    /// The values as they are now, for a write that its hook may reject.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.values.clone())
    }

    /// Undoes what was written since the snapshot, project entries included. History is not rewritten: what
    /// changes leaves events of its own (contract-notes, "12. Post-write hooks").
    pub(crate) fn restore(&mut self, snapshot: &Snapshot, at_ms: u64, events: &mut Vec<EventRecord>) {
        let schema = Rc::clone(&self.schema);
        for field in schema.fields() {
            let before = snapshot.0.get(field.slot).unwrap_or(&UNSET);
            if self.value(field) != before {
                self.write(field, before.clone(), at_ms, events);
            }
        }
    }

    /// The entries of the active skill that the model may set now, by name: those with `llm_settable` and those
    /// that a `collect:` step asks for, unless they hold a value (BLT-26 to BLT-30, BLT-35). `asked_again` is
    /// the entry that a current `ask_before_filling` step collects, which may be overwritten.
    pub(crate) fn settable(
        &self,
        skill: &SkillId,
        collected: &BTreeSet<EntryName>,
        asked_again: Option<&EntryName>,
    ) -> Vec<&Field> {
        let candidates = self
            .schema
            .fields_of(skill)
            .filter(|field| field.declaration.llm_settable || collected.contains(&field.entry));
        let mut settable: Vec<&Field> = candidates
            .filter(|field| self.value(field).is_null() || asked_again == Some(&field.entry))
            .collect();
        settable.sort_by(|one, other| one.entry.cmp(&other.entry));
        settable
    }

    /// What an entry holds.
    pub(crate) fn value(&self, field: &Field) -> &Json {
        self.values.get(field.slot).unwrap_or(&UNSET)
    }

    /// Everything that is set, by full name.
    pub(crate) fn dump(&self) -> BTreeMap<String, Json> {
        let held = self.schema.fields().map(|field| (field, self.value(field)));
        held.filter(|(_, value)| !value.is_null())
            .map(|(field, value)| (field.full_name.clone(), value.clone()))
            .collect()
    }

    /// A project entry is written once: not while it holds anything but null (MEM-31, MEM-33 to MEM-37).
    fn admit<'schema>(&self, field: &'schema Field) -> Result<&'schema Field, MemoryWriteError> {
        if field.owner == Owner::Project && !self.value(field).is_null() {
            return Err(MemoryWriteError::ProjectAlreadySet { full_name: field.full_name.clone() });
        }
        Ok(field)
    }

    /// MEM-43, MEM-44: the slot, then the memory entry.
    fn write(&mut self, field: &Field, value: Json, at_ms: u64, events: &mut Vec<EventRecord>) {
        let text = |text: &str| Json::String(text.to_owned());
        let name = || text(&field.full_name);
        let mut record = |event: &str, data: Vec<(&str, Json)>| {
            let data =
                data.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<IndexMap<_, _>>();
            events.push(EventRecord { at_ms, event: event.to_owned(), data });
        };
        record("slot", vec![("name", name()), ("value", value.clone())]);
        if value.is_null() {
            record("memory_cleared", vec![("key", name())]);
        } else {
            record("memory_set", vec![("key", name()), ("value", value.clone())]);
        }
        self.store(field, value);
    }

    fn store(&mut self, field: &Field, value: Json) {
        if let Some(held) = self.values.get_mut(field.slot) {
            *held = value;
        }
    }
}
