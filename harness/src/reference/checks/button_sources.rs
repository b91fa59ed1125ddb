//! `buttons: {source: <tool>}`: whether the skills that use the response have that tool, and may run it.
//!
//! Knows names and tiers; runs no tool. Rules: tools-reference, "`context.set_buttons`" and "Gating a tool";
//! contract-notes, "13. Findings"; VAL-28 to VAL-31.

use std::collections::BTreeSet;

use super::Checked;
use super::code;
use super::responses::File;
use crate::protocol::ToolName;
use crate::reference::agent::{Skill, StepKind};
use crate::reference::discovery::{Attached, Origin};
use crate::source::nearest;
use crate::source::yaml::Node;

/// What the source's name is to a skill that uses the response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Provider {
    Local {
        confirms: bool,
    },
    Shared,
    Mcp,
    Nobody,
    /// Not all of the skill's modules could be read.
    Unknown,
}

/// Checks the source of one variant.
pub(super) fn check(file: &mut File<'_, '_>, response: &str, source: &Node) {
    let tool = ToolName::new(source.text().unwrap_or_default());
    let users = users(file.checked, response, file);
    if users.is_empty() {
        let message = format!("no skill refers to `{response}`, so no skill can run its source `{tool}`");
        file.error(source, "response.unbound_button_source", message);
        return;
    }
    let providers: Vec<Provider> = users.iter().map(|index| provider(file.checked, *index, &tool)).collect();
    let has = |wanted: Provider| providers.contains(&wanted);
    if has(Provider::Local { confirms: true }) {
        let message =
            format!("`{tool}` asks for confirmation, and a source runs without asking; use another tool");
        file.error(source, "response.confirming_button_source_tool", message);
    } else if has(Provider::Mcp) {
        let message = format!("`{tool}` is an MCP tool; a source must be a tool of the skill's own modules");
        file.error(source, "response.mcp_button_source_tool", message);
    } else if has(Provider::Local { confirms: false }) || has(Provider::Unknown) {
        // Those who use the response and lack the tool show it without buttons.
        if has(Provider::Nobody) {
            let message = format!("some skills that refer to `{response}` have no tool `{tool}`");
            file.warn(source, &code("response.unknown_button_source_tool"), message);
        }
    } else if has(Provider::Shared) {
        let message =
            format!("`{tool}` is a shared tool; some runtimes take a source from the skill's modules only");
        file.warn(source, &code("response.unknown_button_source_tool"), message);
    } else {
        let own = users.iter().filter_map(|index| file.checked.local.get(*index));
        let names: Vec<&str> = own.flat_map(|own| own.tools.keys().map(ToolName::as_str)).collect();
        let remedy = nearest(tool.as_str(), names).map_or_else(
            || "define it in the skill's tools.py".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("no skill that uses `{response}` has a tool `{tool}`; {remedy}");
        file.error(source, "response.unknown_button_source_tool", message);
    }
}

/// The skills that use a response: the one in whose file it stands, and for a response of the root those
/// that refer to it.
fn users(checked: &Checked<'_>, response: &str, file: &File<'_, '_>) -> Vec<usize> {
    let indexed = checked.skills.iter().enumerate();
    let uses = |skill: &Skill| match file.owner {
        Some(owner) => *owner == skill.id,
        None => named_responses(skill).contains(response),
    };
    indexed.filter(|(_, skill)| uses(skill)).map(|(index, _)| index).collect()
}

/// Every response that a skill names, in its steps, settings and prose.
fn named_responses(skill: &Skill) -> BTreeSet<&str> {
    let mut named: BTreeSet<&str> = skill.body.mentioned_responses.iter().map(String::as_str).collect();
    for step in skill.body.blocks.iter().flat_map(|block| &block.steps) {
        match &step.kind {
            StepKind::Action(name) => {
                named.insert(name);
            }
            StepKind::Collect { utterance, .. } => named.extend(utterance.as_deref()),
            _ => {}
        }
    }
    for constraint in &skill.constraints {
        let confirmation = constraint.confirmation.iter();
        named
            .extend(confirmation.flat_map(|asked| [&asked.ask, &asked.denial]).flatten().map(String::as_str));
        named.extend(
            [&constraint.on_success, &constraint.on_failure].into_iter().flatten().map(String::as_str),
        );
    }
    named.extend(skill.triggers.iter().map(|trigger| trigger.response.as_str()));
    named
}

fn provider(checked: &Checked<'_>, index: usize, tool: &ToolName) -> Provider {
    let attached = checked.attached.get(index).map(Vec::as_slice).unwrap_or_default();
    let constraints = checked.skills.get(index).map(|skill| skill.constraints.as_slice()).unwrap_or_default();
    match attached.iter().find(|known| known.name == *tool) {
        Some(Attached { origin: Origin::Skill(_), .. }) => {
            let mut of_tool = constraints.iter().filter(|constraint| constraint.tool == *tool);
            Provider::Local { confirms: of_tool.any(|constraint| constraint.confirmation.is_some()) }
        }
        Some(Attached { origin: Origin::Shared(_), .. }) => Provider::Shared,
        Some(Attached { origin: Origin::Mcp { .. }, .. }) => Provider::Mcp,
        None if checked.local.get(index).is_some_and(|own| own.incomplete) => Provider::Unknown,
        None => Provider::Nobody,
    }
}
