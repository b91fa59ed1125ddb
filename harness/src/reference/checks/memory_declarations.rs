//! Attributes in `memory.yml` that say nothing where they stand.
//!
//! Reads the files again for their places; what they declare is known already.
//! Rules: contract-notes, "3. memory.yml" and "13. Findings"; VAL-34, observed, hence warnings.

use super::{Checked, code, is_collected};
use crate::protocol::{Json, Severity, SourcePlace};
use crate::reference::agent::{Skill, read_yaml};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::Node;

/// Checks the project's declarations, then each skill's.
pub(super) fn check(checked: &Checked<'_>, findings: &mut Findings) {
    let mut warn = |name: &str, place: SourcePlace, message: String| {
        findings.note(Severity::Warning, &code(name), place, message);
    };
    let path = "memory.yml";
    if let Ok(Some(root)) = read_yaml(checked.project, path) {
        for (entry, attributes) in root.entries().unwrap_or_default() {
            if let Some(key) = switched_on(attributes, "llm_settable") {
                let name = entry.text().unwrap_or_default();
                let message =
                    format!("the model never sets project memory: `llm_settable` of `{name}` says nothing");
                warn("memory.project_llm_settable", finding::at(path, key.position), message);
            }
        }
    }
    for skill in checked.skills {
        let path = format!("skills/{}/memory.yml", skill.id);
        let Ok(Some(root)) = read_yaml(checked.project, &path) else { continue };
        let schema = root.get("schema");
        for group in ["public", "private"] {
            let declared = schema.and_then(|schema| schema.get(group)).and_then(Node::entries);
            for (entry, attributes) in declared.unwrap_or_default() {
                let name = entry.text().unwrap_or_default();
                check_entry(skill, name, attributes, &mut |code, node, message| {
                    warn(code, finding::at(&path, node.position), message);
                });
            }
        }
    }
}

fn check_entry(skill: &Skill, name: &str, attributes: &Node, warn: &mut dyn FnMut(&str, &Node, String)) {
    if let Some(key) = switched_on(attributes, "seed") {
        let message = format!("only project entries are seeded: `seed` of `{name}` says nothing");
        warn("memory.skill_seed", key, message);
    }
    let collected = is_collected(skill, name);
    let exposed = switched_on(attributes, "llm_settable").is_some() || collected;
    let given = |attribute: &str| attributes.get(attribute).filter(|value| !value.is_null());
    if let Some(description) = given("description").filter(|_| !exposed) {
        let message = format!("the model never reads this: `{name}` is neither `llm_settable` nor collected");
        warn("memory.description_not_exposed", description, message);
    }
    let is_bundled = skill.id.as_str().starts_with("default_");
    if let Some(value) = given("initial_value").filter(|_| collected && is_bundled) {
        let message = format!("`{name}` holds a value from the start, so it is never asked for");
        warn("memory.default_skill_collect_initial_value", value, message);
    }
}

fn switched_on<'node>(attributes: &'node Node, attribute: &str) -> Option<&'node Node> {
    attributes.get(attribute).filter(|value| value.to_json() == Json::Bool(true))
}
