//! `tool_constraints`: the gates of a skill's tools.
//!
//! Reads them; whether a gate is open is decided in a turn.
//! Rules: contract-notes, "5. `tool_constraints`".

use super::frontmatter::Document;
use crate::protocol::{LoadPhase, SourcePlace, ToolName};
use crate::reference::finding::Findings;
use crate::source::did_you_mean;
use crate::source::yaml::Node;

/// A tool's entry in `tool_constraints`.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    /// The tool.
    pub(crate) tool: ToolName,
    /// The condition under which it is offered.
    pub(crate) requires: Option<String>,
    /// Where the entry stands.
    pub(crate) place: SourcePlace,
}

const CODE: &str = "skill.markdown.invalid_tool_constraints";
const OPTIONS: [&str; 4] = ["requires", "requires_confirmation", "on_success", "on_failure"];
const CONFIRMATION: [&str; 3] = ["enabled", "utter_for_confirmation", "utter_on_user_denial"];

/// Reads `tool_constraints` (contract-notes, "5. `tool_constraints`"). A tool listed twice keeps its last entry.
pub(crate) fn read(node: &Node, document: &Document, path: &str, findings: &mut Findings) -> Vec<Constraint> {
    let mut report = |node: &Node, message: String| {
        findings.error(LoadPhase::Train, CODE, document.place(path, node.position), message);
    };
    let mut constraints: Vec<Constraint> = Vec::new();
    if node.is_null() {
        return constraints;
    }
    let Some(items) = node.items() else {
        report(node, format!("`tool_constraints` must be a list, not {}", node.kind()));
        return constraints;
    };
    for item in items {
        let Some([(name, options)]) = item.entries() else {
            report(
                item,
                "an entry of `tool_constraints` must be a mapping from one tool's name to its options"
                    .to_owned(),
            );
            continue;
        };
        let tool = ToolName::new(name.text().unwrap_or_default());
        let requires = options.get("requires");
        check_options(options, &mut report);
        let place = document.place(path, name.position);
        let requires = requires.and_then(Node::string).map(str::to_owned);
        constraints.retain(|known| known.tool != tool);
        constraints.push(Constraint { tool, requires, place });
    }
    constraints
}

fn check_options(options: &Node, report: &mut impl FnMut(&Node, String)) {
    if options.is_null() {
        return;
    }
    let Some(entries) = options.entries() else {
        report(options, format!("a tool's options must be a mapping, not {}", options.kind()));
        return;
    };
    for (key, value) in entries {
        let name = key.text().unwrap_or_default();
        match name {
            "requires_confirmation" => check_confirmation(value, report),
            _ if !OPTIONS.contains(&name) => {
                report(key, format!("unknown option `{name}`; {}", did_you_mean(name, &OPTIONS)));
            }
            _ if value.string().is_none() => {
                report(value, format!("`{name}` must be a string, not {}", value.kind()));
            }
            _ => {}
        }
    }
}

fn check_confirmation(confirmation: &Node, report: &mut impl FnMut(&Node, String)) {
    let Some(entries) = confirmation.entries() else {
        report(
            confirmation,
            format!("`requires_confirmation` must be a mapping, not {}", confirmation.kind()),
        );
        return;
    };
    for (key, value) in entries {
        let name = key.text().unwrap_or_default();
        let fits = match name {
            "enabled" => value.kind() == "a boolean" || value.is_null(),
            _ => value.string().is_some(),
        };
        if !CONFIRMATION.contains(&name) {
            report(key, format!("unknown option `{name}`; {}", did_you_mean(name, &CONFIRMATION)));
        } else if !fits {
            report(value, format!("`{name}` cannot be {}", value.kind()));
        }
    }
}
