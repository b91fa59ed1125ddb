//! Which tools the model is offered at a call, with the parameters it sees.
//!
//! Rules: chapter GAT for builder tools; chapter BLT, the offering rules, for the built-in ones.

use indexmap::IndexMap;
use serde_json::json;

use super::state::Standing;
use crate::protocol::{Json, SkillId, ToolName, Visibility};
use crate::reference::agent::StepKind;
use crate::reference::loaded::{AgentSkill, Tool};
use crate::reference::memory::property_schema;

/// What the model is offered, by name.
pub(crate) type Offer = IndexMap<ToolName, Json>;

/// Makes the offer for a model call. `searched` tells whether a search has run in this turn.
pub(crate) fn offer(standing: &Standing, searched: bool) -> Offer {
    let mut offer = Offer::new();
    let agent = &standing.agent;
    let pending = pending_here(standing);
    let mut add = |name: &str, parameters: Json| {
        offer.insert(ToolName::new(name), parameters);
    };
    let startable = startable(standing);
    if !startable.is_empty() {
        add("activate", object(&json!({"flow_id": {"type": "string", "enum": startable}}), &["flow_id"]));
    }
    if agent.has_index {
        add("search_knowledge", object(&json!({"query": {"type": "string"}}), &["query"]));
    }
    if searched || !agent.has_index {
        add("cannot_help", object(&json!({"in_domain": {"type": "boolean"}}), &["in_domain"]));
    }
    if pending {
        add("resolve_tool_confirmation", object(&json!({"confirmed": {"type": "boolean"}}), &["confirmed"]));
    }
    // BLT-50 to BLT-53: after a search nothing else is offered for the rest of the turn.
    if searched {
        return offer;
    }
    if !pending && !collects(standing) {
        add("listen", object(&json!({}), &[]));
    }
    let Some(skill) = active_skill(standing) else { return offer };
    let in_block = standing.stack.last().is_some_and(|frame| frame.block.is_some());
    if skill.body.has_prose && !in_block {
        add("complete_skill", object(&json!({}), &[]));
    }
    add("cancel_skill", object(&json!({}), &[]));
    let correctable = correctable(standing);
    if !correctable.is_empty() {
        let properties = json!({"memory_key": {"type": "string", "enum": correctable}, "value": {}});
        add("correct", object(&properties, &["memory_key", "value"]));
    }
    let fields = settable(standing, skill);
    if !fields.is_empty() {
        let properties: serde_json::Map<String, Json> = fields.into_iter().collect();
        add("set_fields", object(&Json::Object(properties), &[]));
    }
    for tool in skill.tools.values().filter(|tool| is_offered(standing, skill, tool)) {
        offer.insert(tool.name.clone(), tool.parameters.clone());
    }
    offer
}

/// The skill on top.
pub(crate) fn active_skill(standing: &Standing) -> Option<&AgentSkill> {
    standing.agent.skills.get(standing.active()?)
}

/// Whether a builder tool is offered: not internal, and its gate open (GAT-01, GAT-04, GAT-05).
fn is_offered(standing: &Standing, skill: &AgentSkill, tool: &Tool) -> bool {
    let read = |namespace: &str, entry: &str| standing.shared.read(Some(&skill.id), namespace, entry);
    tool.visibility == Visibility::Model && tool.gate.is_open(&read)
}

/// Whether a tool waits for approval in the frame on top.
pub(crate) fn pending_here(standing: &Standing) -> bool {
    let top = standing.stack.last().map(|frame| frame.number);
    standing.pending.as_ref().is_some_and(|pending| Some(pending.frame) == top)
}

/// Whether the model guides a collect step (BLT-61).
fn collects(standing: &Standing) -> bool {
    let Some(frame) = standing.stack.last() else { return false };
    let skill = standing.agent.skills.get(&frame.skill);
    let block = frame.block.as_deref().and_then(|block| skill?.block(block));
    let step = block.and_then(|block| block.steps.iter().find(|step| Some(&step.id) == frame.step.as_ref()));
    step.is_some_and(|step| matches!(step.kind, StepKind::Collect { .. }))
}

/// What `activate` can start: skills that are on, whose condition holds, and that are not active; and the
/// active skill's own blocks that its prose mentions (BLT-01 to BLT-07).
pub(crate) fn startable(standing: &Standing) -> Vec<String> {
    let mut targets: Vec<String> = Vec::new();
    for skill in standing.agent.skills.values() {
        let is_active = standing.active() == Some(&skill.id);
        if !is_active && may_start(standing, skill) {
            targets.push(skill.id.to_string());
        }
    }
    if let Some(skill) = active_skill(standing).filter(|skill| skill.body.has_prose) {
        let top = standing.stack.last().and_then(|frame| frame.block.as_deref());
        let blocks = skill.body.blocks.iter().filter(|block| top != Some(block.id.as_str()));
        targets.extend(blocks.map(|block| format!("{}__{}", skill.id, block.id)));
    }
    targets
}

fn may_start(standing: &Standing, skill: &AgentSkill) -> bool {
    let read = |namespace: &str, entry: &str| standing.shared.read(Some(&skill.id), namespace, entry);
    !skill.disabled && !skill.engine_managed && skill.requires.is_open(&read)
}

/// The settable entries of a skill, each with its property (BLT-26 to BLT-32).
fn settable(standing: &Standing, skill: &AgentSkill) -> Vec<(String, Json)> {
    let memory = standing.shared.memory.borrow();
    let fields = memory.settable(&skill.id, &skill.collected, asked_again(standing).as_ref());
    fields.into_iter().map(|field| (field.entry.to_string(), property_schema(&field.declaration))).collect()
}

/// The entry that the current step asks for although it holds a value.
pub(crate) fn asked_again(standing: &Standing) -> Option<crate::protocol::EntryName> {
    let frame = standing.stack.last()?;
    let block = standing.agent.skills.get(&frame.skill)?.block(frame.block.as_deref()?)?;
    let step = block.steps.iter().find(|step| Some(&step.id) == frame.step.as_ref())?;
    match &step.kind {
        StepKind::Collect { entry, ask_before_filling: true, .. } => Some(entry.clone()),
        _ => None,
    }
}

/// The full names of the entries that the user gave and that can be corrected (BLT-36 to BLT-38): recorded by
/// the model, still set, of a skill that is on the stack.
pub(crate) fn correctable(standing: &Standing) -> Vec<String> {
    let dump = standing.shared.memory.borrow().dump();
    let on_stack = |name: &str| {
        let owner = name.split('.').next().unwrap_or_default();
        standing.stack.iter().any(|frame| frame.skill == SkillId::new(owner))
    };
    standing.recorded.iter().filter(|name| dump.contains_key(*name) && on_stack(name)).cloned().collect()
}

fn object(properties: &Json, required: &[&str]) -> Json {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
