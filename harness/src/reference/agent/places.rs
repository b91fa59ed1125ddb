//! Where the parts of a step stand in its file.
//!
//! Knows keys and positions, not what the keys mean.
//! Rules: a finding names the value that is wrong, or the step where the value has no place of its own.

use std::collections::BTreeMap;

use crate::protocol::SourcePlace;
use crate::reference::finding;
use crate::source::Position;
use crate::source::yaml::{Node, Value};

/// The places of a mapping's values, by their keys: `collect`, `parameters.amount`, `next.0.then`.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    whole: SourcePlace,
    parts: BTreeMap<String, SourcePlace>,
}

impl Places {
    /// The places in a mapping that begins some lines into its file.
    pub(super) fn of(path: &str, node: &Node, lines_before: u32) -> Self {
        let place = |position: Position| {
            finding::at(path, Position::new(position.line + lines_before, position.column))
        };
        let mut parts = BTreeMap::new();
        note(node, "", &mut |key, position| {
            parts.insert(key, place(position));
        });
        Self { whole: place(node.position), parts }
    }

    /// The place of the first of these keys that is there, else of the whole.
    pub(crate) fn of_key(&self, keys: &[&str]) -> SourcePlace {
        keys.iter().find_map(|key| self.parts.get(*key)).unwrap_or(&self.whole).clone()
    }
}

fn note(node: &Node, prefix: &str, report: &mut dyn FnMut(String, Position)) {
    let mut go = |key: &str, position: Position, value: &Node| {
        let name = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
        report(name.clone(), position);
        note(value, &name, report);
    };
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                go(&index.to_string(), item.position, item);
            }
        }
        Value::Mapping(entries) => {
            for (key, value) in entries {
                // Entries of memory and parameters are told by their names, everything else by its value.
                let named = matches!(prefix, "set_memory");
                let position = if named { key.position } else { value.position };
                go(key.text().unwrap_or_default(), position, value);
            }
        }
    }
}
