//! The skills of a project: which folders are skills, and what each `skill.md` declares.
//!
//! Reads what is declared; knows nothing of the tools in their modules.
//! Rules: contract-notes, "1. Project layout" and "2. skill.md".

use std::collections::BTreeSet;

use super::body::{self, Body};
use super::constraints::{self, Constraint};
use super::frontmatter;
use super::imports::{self, ImportEntry};
use super::settings::{self, Trigger};
use super::written::WrittenCondition;
use crate::project::ProjectSource;
use crate::protocol::{Json, LoadPhase, SkillId};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::Node;

/// A skill as declared.
#[derive(Debug, Default)]
pub(crate) struct Skill {
    /// Its id, the name of its folder (DSC-01).
    pub(crate) id: SkillId,
    /// The shared and MCP tools it imports.
    pub(crate) imports: Vec<ImportEntry>,
    /// The gates of its tools.
    pub(crate) constraints: Vec<Constraint>,
    /// Whether it is switched off.
    pub(crate) disabled: bool,
    /// Whether only the engine starts it.
    pub(crate) engine_managed: bool,
    /// The condition under which it can be started.
    pub(crate) requires: Option<String>,
    /// The condition under which it can be completed.
    pub(crate) complete_when: Option<String>,
    /// The conditions among its settings, with their places; those of its tools are in `constraints`.
    pub(crate) conditions: Vec<WrittenCondition>,
    /// The responses that are sent when it starts.
    pub(crate) triggers: Vec<Trigger>,
    /// Its prose and its ordered blocks.
    pub(crate) body: Body,
    /// The responses that its settings and its body name.
    pub(crate) responses: BTreeSet<String>,
}

const FAILED: &str = "mantle.validation.skill.failed_to_load";

/// Reads every skill, in the order of their ids. A folder whose name begins with `_` is no skill.
pub(crate) fn read_skills(project: &dyn ProjectSource, findings: &mut Findings) -> Vec<Skill> {
    let folders: BTreeSet<&str> = project
        .paths()
        .iter()
        .filter_map(|path| path.strip_prefix("skills/")?.split_once('/'))
        .map(|(id, _)| id)
        .collect();
    let mut skills = Vec::new();
    for id in folders {
        let path = format!("skills/{id}/skill.md");
        let Some(bytes) = project.read(&path).filter(|_| !id.starts_with('_')) else {
            if !id.starts_with(['_', '.']) {
                let message = format!(
                    "the folder skills/{id} has no skill.md; add one, or move the folder out of skills/"
                );
                findings.error(LoadPhase::Train, FAILED, finding::file(&path), message);
            }
            continue;
        };
        check_id(id, &path, findings);
        skills.push(read_skill(id, &path, &bytes, findings));
    }
    if skills.is_empty() && !project.paths().iter().any(|path| path.starts_with("skills/")) {
        let message = "the project has no skill; add skills/<id>/skill.md";
        findings.error(LoadPhase::Train, FAILED, finding::file("skills"), message);
    }
    skills
}

fn check_id(id: &str, path: &str, findings: &mut Findings) {
    if matches!(id, "project" | "system") {
        let message = format!("`{id}` names memory of its own; rename the skill's folder");
        findings.error(LoadPhase::Train, "mantle.validation.skill.reserved_id", finding::file(path), message);
    }
    if id.contains('.') {
        let message = "a skill's id must not contain a dot; rename its folder";
        findings.error(LoadPhase::Train, "mantle.validation.skill.invalid_id", finding::file(path), message);
    }
}

fn read_skill(id: &str, path: &str, bytes: &[u8], findings: &mut Findings) -> Skill {
    let mut skill = Skill { id: SkillId::new(id), ..Skill::default() };
    let Ok(text) = std::str::from_utf8(bytes) else {
        findings.error(LoadPhase::Train, FAILED, finding::file(path), "the file is not UTF-8 text");
        return skill;
    };
    let document = match frontmatter::read(path, text) {
        Ok(document) => document,
        Err(malformed) => {
            findings.error(LoadPhase::Train, malformed.code, malformed.place, malformed.message);
            return skill;
        }
    };
    if document.body.trim().is_empty() {
        let message = "the skill has no instructions; write prose or an ordered block below its settings";
        findings.error(LoadPhase::Train, "skill.markdown.missing_instructions", finding::file(path), message);
    }
    if let Some(settings) = &document.settings {
        if let Some(node) = settings.get("import_tools") {
            skill.imports = imports::read(node, &document, path, findings);
        }
        if let Some(node) = settings.get("tool_constraints") {
            skill.constraints = constraints::read(node, &document, path, findings);
        }
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
        skill.requires = text(settings, "requires");
        skill.disabled = settings.get("disabled").is_some_and(is_truthy);
        let routing = settings.get("routing");
        skill.engine_managed =
            routing.and_then(|routing| routing.get("engine_managed")).is_some_and(is_truthy);
        let complete_when = settings.get("complete_when").and_then(|node| text(node, "condition"));
        skill.complete_when = complete_when.map(|condition| condition.trim().to_owned());
    }
    skill.responses = named_responses(text);
    skill.body = body::read(path, &document.body, document.body_line, findings);
    if let Some(settings) = &document.settings {
        let mut reader = settings::Reader { path, document: &document, findings };
        skill.triggers = reader.triggers(settings);
        skill.conditions = reader.conditions(settings);
        reader.check(settings, skill.body.has_prose);
    }
    skill
}

/// The words of a `skill.md` that name a response: those that begin with `utter_`.
fn named_responses(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| word.starts_with("utter_")).map(str::to_owned).collect()
}

/// Whether a setting counts as switched on: any value that Python takes for true, a text `false` included.
fn is_truthy(node: &Node) -> bool {
    match node.to_json() {
        Json::Null => false,
        Json::Bool(flag) => flag,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(entries) => !entries.is_empty(),
    }
}
