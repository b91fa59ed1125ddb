//! `memory.yml`: which entries a skill or the project declares.
//!
//! Reads declarations; no value is kept here.
//! Rules: contract-notes, "3. memory.yml".

use std::rc::Rc;

use indexmap::IndexMap;

use super::read_yaml;
use crate::project::ProjectSource;
use crate::protocol::{EntryName, Json, LoadPhase, MemoryField};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::Node;

/// The entries of a schema, in the order of the file.
pub(crate) type Entries = IndexMap<EntryName, MemoryField>;

const INVALID: &str = "mantle.validation.memory.invalid_schema";

/// Reads a skill's `memory.yml`: `schema:` with `public:` and `private:`; private wins.
pub(crate) fn read_skill_memory(project: &dyn ProjectSource, path: &str, findings: &mut Findings) -> Entries {
    let mut entries = Entries::new();
    let Some(root) = read(project, path, findings) else { return entries };
    let Some(schema) = root.get("schema").filter(|schema| !schema.is_null()) else { return entries };
    for (visibility, private) in [("public", false), ("private", true)] {
        if let Some(declared) = schema.get(visibility).filter(|declared| !declared.is_null()) {
            read_entries(declared, private, path, &mut entries, findings);
        }
    }
    entries
}

/// Reads the project's `memory.yml`: a flat map.
pub(crate) fn read_project_memory(project: &dyn ProjectSource, findings: &mut Findings) -> Entries {
    let mut entries = Entries::new();
    if let Some(root) = read(project, "memory.yml", findings).filter(|root| !root.is_null()) {
        read_entries(&root, false, "memory.yml", &mut entries, findings);
    }
    entries
}

fn read(project: &dyn ProjectSource, path: &str, findings: &mut Findings) -> Option<Rc<Node>> {
    match read_yaml(project, path) {
        Ok(node) => node,
        Err(broken) => {
            findings.error(LoadPhase::Train, INVALID, broken.place, broken.message);
            None
        }
    }
}

fn read_entries(declared: &Node, private: bool, path: &str, entries: &mut Entries, findings: &mut Findings) {
    let Some(fields) = declared.entries() else {
        let message = format!("memory entries must be a mapping by name, not {}", declared.kind());
        findings.error(LoadPhase::Train, INVALID, finding::at(path, declared.position), message);
        return;
    };
    for (name, attributes) in fields {
        entries.insert(EntryName::new(name.text().unwrap_or_default()), read_field(attributes, private));
    }
}

/// An entry's attributes; what is not a mapping declares the entry and says nothing about it (MEM-59).
fn read_field(attributes: &Node, private: bool) -> MemoryField {
    let given = |key: &str| attributes.get(key).filter(|value| !value.is_null());
    let text = |key: &str| given(key).and_then(Node::text).map(str::to_owned);
    let flag = |key: &str| given(key).is_some_and(|value| value.to_json() == Json::Bool(true));
    let listed = given("enum_values").and_then(Node::items).unwrap_or_default();
    MemoryField {
        kind: text("type").unwrap_or_else(|| "any".to_owned()),
        description: text("description"),
        enum_values: listed.iter().filter_map(Node::text).map(str::to_owned).collect(),
        private,
        llm_settable: flag("llm_settable"),
        seed: flag("seed"),
        pii: flag("pii"),
        initial_value: given("initial_value").map_or(Json::Null, Node::to_json),
    }
}
