//! The skills of a project: which folders are skills, and what each `skill.md` declares.
//!
//! Reads what is declared; knows nothing of the tools in their modules.
//! Rules: contract-notes, "1. Project layout" and "2. skill.md".

use std::collections::BTreeSet;

use super::constraints::{self, Constraint};
use super::frontmatter;
use super::imports::{self, ImportEntry};
use crate::project::ProjectSource;
use crate::protocol::{LoadPhase, SkillId};
use crate::reference::finding::{self, Findings};

/// A skill as declared.
#[derive(Debug)]
pub(crate) struct Skill {
    /// Its id, the name of its folder (DSC-01).
    pub(crate) id: SkillId,
    /// The shared and MCP tools it imports.
    pub(crate) imports: Vec<ImportEntry>,
    /// The gates of its tools.
    pub(crate) constraints: Vec<Constraint>,
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
    let mut skill = Skill { id: SkillId::new(id), imports: Vec::new(), constraints: Vec::new() };
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
    }
    skill
}
