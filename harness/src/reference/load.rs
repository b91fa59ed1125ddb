//! Loading an agent: from a project's files to its skills' tools, or to what it is refused for.
//!
//! Puts the parts together and decides nothing itself. Rules: chapters DEF, SCH and DSC.

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::agent::{self, Skill};
use super::discovery::{self, Attached, Found, Maker, ModuleTools, Origin};
use super::finding::Findings;
use super::memory::{self, Field, Owner};
use super::python::{Interpreter, Value};
use super::schema;
use crate::project::ProjectSource;
use crate::protocol::{
    Json, LoadReport, McpTool, ServerId, SkillReport, ToolName, ToolReport, ToolSource, Unknown, Visibility,
    World,
};

/// The prefix of a post-write hook's name.
const HOOK: &str = "run_after_setting_";

/// Loads a project.
pub(crate) fn load(project: &dyn ProjectSource, world: &World) -> LoadReport {
    let mut findings = Findings::default();
    let configuration = agent::read_configuration(project, &mut findings);
    let skills = agent::read_skills(project, &mut findings);
    let project_memory = agent::read_project_memory(project, &mut findings);
    let mut interpreter = Interpreter::new(project, world);
    let mut logs = Vec::new();

    let paths = discovery::module_paths(project, "");
    let shared = discovery::load_modules(&mut interpreter, &paths, &mut findings);
    logs.extend(shared.logs.iter().cloned());
    let local: Vec<ModuleTools> = skills
        .iter()
        .map(|skill| {
            let paths = discovery::module_paths(project, &format!("skills/{}/", skill.id));
            discovery::load_modules(&mut interpreter, &paths, &mut findings)
        })
        .collect();

    let mut tools = Vec::new();
    for (skill, own) in skills.iter().zip(&local) {
        logs.extend(own.logs.iter().cloned());
        let elsewhere = tools_elsewhere(skill, &skills, &local);
        let (attached, shadowed) =
            discovery::attach(skill, own, &shared, &elsewhere, &configuration, &mut findings);
        logs.extend(shadowed);
        tools.push(attached);
    }
    if !world.open {
        discovery::check_startup(tools.iter().flatten(), world, &mut findings);
    }

    let mut entries = IndexMap::new();
    for skill in &skills {
        let path = format!("skills/{}/memory.yml", skill.id);
        entries.insert(skill.id.clone(), agent::read_skill_memory(project, &path, &mut findings));
    }
    let schema = memory::Schema::new(&entries, &project_memory);

    let mut reports = IndexMap::new();
    for ((skill, own), attached) in skills.iter().zip(&local).zip(&tools) {
        let report = SkillReport {
            tools: attached
                .iter()
                .map(|tool| (tool.name.clone(), report(&mut interpreter, skill, tool, world)))
                .collect(),
            memory: entries.shift_remove(&skill.id).unwrap_or_default(),
            readable: own_names(schema.readable_set(&skill.id), &skills),
            writable: own_names(schema.writable_set(&skill.id), &skills),
            unknown: own.unknown.iter().chain(doubts_about_imports(skill, &shared)).cloned().collect(),
        };
        reports.insert(skill.id.clone(), report);
    }
    let (outcome, phase, findings) = findings.conclude();
    LoadReport { outcome, phase, findings, skills: reports, memory: project_memory, logs }
}

/// The full names of entries that the project itself declares; the bundled skills' are everywhere the same.
fn own_names<'schema>(fields: impl Iterator<Item = &'schema Field>, skills: &[Skill]) -> Vec<String> {
    let declared = |field: &&Field| match &field.owner {
        Owner::Skill(owner) => skills.iter().any(|skill| skill.id == *owner),
        Owner::Project => true,
    };
    fields.filter(declared).map(|field| field.full_name.clone()).collect()
}

/// What is unknown about the shared modules concerns the skills that import from them.
fn doubts_about_imports<'shared>(skill: &Skill, shared: &'shared ModuleTools) -> &'shared [Unknown] {
    if skill.imports.is_empty() { &[] } else { &shared.unknown }
}

/// The local tools of the other skills, with their files.
fn tools_elsewhere(skill: &Skill, skills: &[Skill], local: &[ModuleTools]) -> BTreeMap<ToolName, Rc<str>> {
    let others = skills.iter().zip(local).filter(|(other, _)| other.id != skill.id);
    others
        .flat_map(|(_, own)| own.tools.values())
        .map(|found| (found.name.clone(), Rc::clone(&found.file)))
        .collect()
}

fn report(interpreter: &mut Interpreter<'_>, skill: &Skill, tool: &Attached, world: &World) -> ToolReport {
    let constraint = skill.constraints.iter().find(|constraint| constraint.tool == tool.name);
    let requires = constraint.and_then(|constraint| constraint.requires.clone());
    let mut report = match &tool.origin {
        Origin::Skill(found) => report_found(interpreter, found, ToolSource::Skill),
        Origin::Shared(found) => report_found(interpreter, found, ToolSource::Shared),
        Origin::Mcp { server, place } => {
            let mut report = report_mcp(discovery::listed(world, server, tool.name.as_str()), server);
            report.place = Some(place.clone());
            report
        }
    };
    report.requires = requires;
    if tool.name.as_str().starts_with(HOOK) && report.source != ToolSource::Mcp {
        report.visibility = Visibility::Hook;
    }
    report
}

fn report_found(interpreter: &mut Interpreter<'_>, found: &Found, source: ToolSource) -> ToolReport {
    let derived = match &found.maker {
        Maker::Function(function) => schema::derive(interpreter, function),
        Maker::Made(made) => schema::unreadable(&made.by),
    };
    let mut unknown = derived.unknown;
    let description = match &found.description {
        Value::Text(text) => Some(text.to_string()),
        Value::Unknown(reason) => {
            unknown.push(schema::told("description".to_owned(), reason, reason.place.clone()));
            None
        }
        _ => {
            let why = "it is not a string".to_owned();
            unknown.push(Unknown { what: "description".to_owned(), why, place: Some(found.place.clone()) });
            None
        }
    };
    ToolReport {
        source,
        place: Some(found.place.clone()),
        description,
        parameters: derived.parameters,
        requires: None,
        visibility: Visibility::Model,
        unknown,
    }
}

fn report_mcp(listed: Option<&McpTool>, server: &ServerId) -> ToolReport {
    let unknown = match listed {
        Some(_) => Vec::new(),
        None => vec![Unknown {
            what: "description and parameters".to_owned(),
            why: format!("the MCP server `{server}` tells them when the agent starts"),
            place: None,
        }],
    };
    ToolReport {
        source: ToolSource::Mcp,
        place: None,
        description: listed.map(|tool| tool.description.clone()),
        parameters: listed.map_or(Json::Null, |tool| tool.parameters.clone()),
        requires: None,
        visibility: Visibility::Model,
        unknown,
    }
}
