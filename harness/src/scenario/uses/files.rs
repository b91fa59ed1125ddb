//! What the files of a scenario's project ask of a runtime.
//!
//! Knows the keys of skill files that name a part of the contract, and leaves Python to `python`.
//! Rules: `docs/scenarios.md`, "What a scenario needs".

use super::asked::{entries, items};
use super::{Found, python};
use crate::protocol::Capability;
use crate::scenario::Scenario;
use crate::source::Position;
use crate::source::yaml::{self, Node};

/// Finds what is used in the project's files. What is only loaded, and never asked in a conversation, uses
/// little: that a tool's body reads memory does not matter before it runs.
pub(super) fn find(scenario: &Scenario, root: &Node, found: &mut Found) {
    let converses = !scenario.steps.is_empty();
    for (path, file) in entries(root.get("project")) {
        let (Some(path), Some(text)) = (path.text(), file.string()) else { continue };
        match path.rsplit_once('.') {
            Some((_, "py")) if converses => python::find(scenario, file, text, found),
            Some((_, "md")) if path.starts_with("skills/") => {
                front_matter(file, text, converses, found);
                if converses {
                    blocks(file, text, found);
                }
            }
            _ => {}
        }
    }
}

/// A skill's front matter: the YAML between the first two lines of `---`.
fn front_matter(file: &Node, text: &str, converses: bool, found: &mut Found) {
    let Some(front) = text.strip_prefix("---\n").and_then(|rest| rest.split("\n---").next()) else { return };
    // One that is no YAML is refused, and has nothing to say.
    let Ok(Some(front)) = yaml::parse(front) else { return };
    let at = |node: &Node| file.inside(Position::new(node.position.line + 1, node.position.column));
    for import in items(front.get("import_tools")) {
        if import.string().is_some_and(|name| name.starts_with("mcp/")) {
            found.add(Capability::Mcp, at(import), "a tool of an MCP server");
        }
    }
    if !converses {
        return;
    }
    for (key, value) in entries(Some(&front)) {
        if key.text() == Some("requires") {
            condition(at(key), value, found);
        }
    }
    for constraint in items(front.get("tool_constraints")) {
        for (key, value) in entries(Some(constraint)).iter().flat_map(|(_, gates)| entries(Some(gates))) {
            match key.text() {
                Some("requires") => {
                    found.add(Capability::Gating, at(key), "a gate before a tool");
                    condition(at(key), value, found);
                }
                Some("requires_confirmation") => {
                    found.add(Capability::Confirmation, at(key), "a confirmation before a tool");
                }
                _ => {}
            }
        }
    }
}

/// Ordered blocks, from their opening line to the closing `:::`.
fn blocks(file: &Node, text: &str, found: &mut Found) {
    let mut inside = false;
    for (line, number) in text.lines().zip(1..) {
        let at = file.inside(Position::new(number, 1));
        let code = line.trim_start();
        if code.starts_with(":::ordered_block") {
            found.add(Capability::OrderedBlocks, at, "an ordered block");
        }
        inside = if code.starts_with(":::") { code.starts_with(":::ordered_block") } else { inside };
        let step = code.trim_start_matches(['-', ' ', '{']);
        let condition_of = |key: &str| step.strip_prefix(key).filter(|_| inside);
        if let Some(condition) = condition_of("complete_when:").or_else(|| condition_of("if:")) {
            found.add(Capability::Conditions, at, "a condition");
            if condition.contains("session.") {
                found.add(Capability::Memory, at, "a condition that reads memory");
            }
        }
    }
}

fn condition(position: Position, condition: &Node, found: &mut Found) {
    found.add(Capability::Conditions, position, "a condition");
    if condition.text().is_some_and(|text| text.contains("session.")) {
        found.add(Capability::Memory, position, "a condition that reads memory");
    }
}
