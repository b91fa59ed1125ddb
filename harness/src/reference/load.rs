//! Loading an agent: from a project's files to its skills' tools, or to what it is refused for.
//!
//! Puts the parts together and decides nothing itself. Rules: chapters DEF, SCH and DSC.

mod tool_report;

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::agent::{self, Buttons, Responses, Skill};
use super::checks::{self, Checked};
use super::discovery::{self, Attached, Maker, ModuleTools, Origin};
use super::finding::Findings;
use super::loaded::{Agent, AgentSkill, Gate, Tool, ToolBody};
use super::memory::{self, Field, Owner};
use super::python::Interpreter;
use crate::project::ProjectSource;
use crate::protocol::{
    LoadOutcome, LoadReport, SkillId, SkillReport, ToolName, ToolReport, ToolSource, Unknown, Visibility,
    World,
};

/// What loading a project gave.
pub(crate) struct Loaded {
    /// What there is to say about it.
    pub(crate) report: LoadReport,
    /// The agent, unless the project was refused.
    pub(crate) agent: Option<Agent>,
}

/// Loads a project.
pub(crate) fn load(project: &dyn ProjectSource, world: &World) -> Loaded {
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

    let mut entries = IndexMap::new();
    for skill in &skills {
        let path = format!("skills/{}/memory.yml", skill.id);
        entries.insert(skill.id.clone(), agent::read_skill_memory(project, &path, &mut findings));
    }
    let mut tools = Vec::new();
    for (skill, own) in skills.iter().zip(&local) {
        logs.extend(own.logs.iter().cloned());
        let elsewhere = tools_elsewhere(skill, &skills, &local);
        let (mut attached, shadowed) =
            discovery::attach(skill, own, &shared, &elsewhere, &configuration, &mut findings);
        if let Some(declared) = entries.get(&skill.id) {
            discovery::attach_hooks(declared, &shared, &mut attached);
        }
        logs.extend(shadowed);
        tools.push(attached);
    }
    for (own, declared) in local.iter().zip(entries.values()) {
        discovery::check_hooks(own, &[declared], &project_memory, &mut findings);
    }
    let declared: Vec<_> = entries.values().collect();
    discovery::check_hooks(&shared, &declared, &project_memory, &mut findings);
    discovery::check_startup(tools.iter().flatten(), world, &mut findings);

    let schema = Rc::new(memory::Schema::new(&entries, &project_memory));
    let responses = agent::read_responses(project, skills.iter().map(|skill| &skill.id), &mut findings);
    let sources = button_sources(&skills, &responses);
    let checked = Checked {
        project,
        skills: &skills,
        local: &local,
        shared: &shared,
        attached: &tools,
        schema: &schema,
        responses: &responses,
    };
    checks::check(&checked, &mut findings);

    let mut reports = IndexMap::new();
    let mut running = IndexMap::new();
    for ((skill, own), attached) in skills.iter().zip(&local).zip(&tools) {
        let mut seen = IndexMap::new();
        for tool in attached {
            let mut report = tool_report::report(&mut interpreter, skill, tool, world);
            let is_source = sources.contains(&(&skill.id, &tool.name)) && report.source == ToolSource::Skill;
            if is_source {
                report.visibility = Visibility::ButtonSource;
            }
            seen.insert(tool.name.clone(), report);
        }
        let ready = attached
            .iter()
            .filter_map(|tool| Some((tool.name.clone(), ready(skill, tool, seen.get(&tool.name)?))));
        running.insert(skill.id.clone(), AgentSkill::new(skill, ready.collect()));
        let report = SkillReport {
            tools: seen,
            memory: entries.shift_remove(&skill.id).unwrap_or_default(),
            readable: own_names(schema.readable_set(&skill.id), &skills),
            writable: own_names(schema.writable_set(&skill.id), &skills),
            unknown: own.unknown.iter().chain(doubts_about_imports(skill, &shared)).cloned().collect(),
        };
        reports.insert(skill.id.clone(), report);
    }
    let (outcome, phase, findings) = findings.conclude();
    let report = LoadReport { outcome, phase, findings, skills: reports, memory: project_memory, logs };
    let agent = (outcome == LoadOutcome::Ok).then(|| Agent {
        skills: running,
        schema,
        responses,
        configuration,
        world: Rc::new(world.clone()),
        modules: interpreter.modules(),
        has_index: world.knowledge.is_some() || ships_references(project),
    });
    Loaded { report, agent }
}

/// Whether the project has reference files of its own or of a skill.
fn ships_references(project: &dyn ProjectSource) -> bool {
    project.paths().iter().any(|path| {
        let below = path
            .strip_prefix("skills/")
            .and_then(|path| path.split_once('/'))
            .map_or(*path, |(_, rest)| rest);
        below.starts_with("references/")
    })
}

/// The tools that supply the buttons of a response: of the skill whose file it stands in, and of every skill
/// that names it (BTN-02, BTN-33).
fn button_sources<'loaded>(
    skills: &'loaded [Skill],
    responses: &'loaded Responses,
) -> Vec<(&'loaded SkillId, &'loaded ToolName)> {
    let mut sources = Vec::new();
    for (name, response) in responses {
        for variant in &response.variants {
            let Buttons::From(tool) = &variant.buttons else { continue };
            let observing = skills
                .iter()
                .filter(|skill| response.skill.as_ref() == Some(&skill.id) || skill.responses.contains(name));
            sources.extend(observing.map(|skill| (&skill.id, tool)));
        }
    }
    sources
}

/// A tool as a conversation runs it.
fn ready(skill: &Skill, tool: &Attached, report: &ToolReport) -> Tool {
    let constraint = skill.constraints.iter().find(|constraint| constraint.tool == tool.name).cloned();
    let body = match &tool.origin {
        Origin::Mcp { server, .. } => ToolBody::Mcp(server.clone()),
        Origin::Skill(found) | Origin::Shared(found) => match &found.maker {
            Maker::Function(function) => ToolBody::Function(Rc::clone(function)),
            Maker::Made(made) => ToolBody::Unreadable(made.by.why.clone()),
        },
    };
    Tool {
        name: tool.name.clone(),
        parameters: report.parameters.clone(),
        visibility: report.visibility,
        body,
        gate: Gate::of(constraint.as_ref().and_then(|constraint| constraint.requires.as_deref())),
        constraint,
    }
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
