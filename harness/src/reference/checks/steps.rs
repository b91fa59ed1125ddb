//! The steps of ordered blocks: where they go, what they run, ask for and write.
//!
//! Knows names; runs no step. Rules: contract-notes, "10. Ordered block steps"; VAL-19, VAL-34, VAL-35,
//! observed. What leads nowhere is an error, because the block could never go on.

use super::skills::check_response;
use super::{Checked, code, own_entry, parameters};
use crate::protocol::{LoadPhase, Severity, SourcePlace, ToolName};
use crate::reference::agent::{Block, Next, Skill, Step, StepKind};
use crate::reference::finding::Findings;
use crate::source::nearest;

/// Checks the blocks of a skill, the `index`th.
pub(super) fn check(checked: &Checked<'_>, skill: &Skill, index: usize, findings: &mut Findings) {
    let mut checker = Checker { checked, skill, index, findings };
    for block in &skill.body.blocks {
        for (tool, place) in &block.tools {
            checker.check_tool(tool, place.clone());
        }
        for step in &block.steps {
            checker.check_kind(step);
            checker.check_next(block, step);
        }
    }
}

/// The constraints of a skill some of whose modules cannot be read in full; those of the others are checked
/// where its tools are attached.
pub(super) fn check_constraints(checked: &Checked<'_>, skill: &Skill, index: usize, findings: &mut Findings) {
    if checked.local.get(index).is_some_and(|own| own.incomplete) {
        let mut checker = Checker { checked, skill, index, findings };
        for constraint in &skill.constraints {
            checker.check_tool(&constraint.tool, constraint.place.clone());
        }
    }
}

struct Checker<'check, 'load> {
    checked: &'check Checked<'load>,
    skill: &'check Skill,
    index: usize,
    findings: &'check mut Findings,
}

impl Checker<'_, '_> {
    fn error(&mut self, name: &str, place: SourcePlace, message: String) {
        self.findings.error(LoadPhase::Train, &code(name), place, message);
    }

    fn warn(&mut self, name: &str, place: SourcePlace, message: String) {
        self.findings.note(Severity::Warning, &code(name), place, message);
    }

    fn check_kind(&mut self, step: &Step) {
        match &step.kind {
            StepKind::End | StepKind::Route | StepKind::Instructions { .. } => {}
            StepKind::Action(name) => {
                let place = step.places.of_key(&["action", "utter"]);
                if name.starts_with("utter_") {
                    check_response(self.checked, name, "response.missing", &place, self.findings);
                } else if name != "action_listen" {
                    let message =
                        format!("`{name}` is no action; name a response `utter_…`, or `action_listen`");
                    self.warn("action.unknown", place, message);
                }
            }
            StepKind::Collect { entry, utterance, .. } => {
                self.check_collect(entry.as_str(), step);
                if let Some(utterance) = utterance {
                    let place = step.places.of_key(&["utterance"]);
                    check_response(self.checked, utterance, "response.missing", &place, self.findings);
                }
            }
            StepKind::ExecuteTool { tool, parameters } => {
                self.check_tool(tool, step.places.of_key(&["execute_tool"]));
                parameters::check(self.checked, self.skill, step, parameters, self.findings);
            }
            StepKind::SetMemory(entries) => {
                for (name, _) in entries {
                    if let Err(error) = self.checked.schema.resolve_write(Some(&self.skill.id), name) {
                        let place = step.places.of_key(&[&format!("set_memory.{name}"), "set_memory"]);
                        self.error("memory.undeclared_entry", place, error.to_string());
                    }
                }
            }
            StepKind::Call(target) => {
                self.check_target(target, "flow.unresolved_call", step.places.of_key(&["call"]));
            }
            StepKind::Link(target) => {
                self.check_target(target, "flow.unresolved_link", step.places.of_key(&["link"]));
            }
        }
    }

    /// VAL-19: a step that names no tool of the skill waits for ever.
    fn check_tool(&mut self, tool: &ToolName, place: SourcePlace) {
        let attached = self.checked.attached.get(self.index).map(Vec::as_slice).unwrap_or_default();
        let is_attached = attached.iter().any(|known| known.name == *tool);
        if is_attached || self.checked.may_have(self.index, tool) {
            return;
        }
        let remedy = if self.checked.shared.tools.contains_key(tool) {
            "; it is shared: add it to `import_tools`".to_owned()
        } else {
            let near = nearest(tool.as_str(), attached.iter().map(|known| known.name.as_str()));
            near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
        };
        self.error("tools.unresolved_tool", place, format!("the skill has no tool `{tool}`{remedy}"));
    }

    fn check_collect(&mut self, name: &str, step: &Step) {
        let place = step.places.of_key(&["collect"]);
        let schema = self.checked.schema;
        if schema.qualified(self.skill.id.as_str(), own_entry(self.skill, name)).is_some() {
            return;
        }
        let in_project = name.strip_prefix("project.").unwrap_or(name);
        if schema.qualified("project", in_project).is_some() {
            let message =
                format!("`{name}` is project memory, which the model never sets; collect a skill's entry");
            self.warn("memory.collect_on_project", place, message);
            return;
        }
        let known = schema.fields_of(&self.skill.id).map(|field| field.entry.as_str());
        let remedy = nearest(name, known)
            .map_or_else(|| "declare it in memory.yml".to_owned(), |near| format!("did you mean `{near}`?"));
        let message = format!("the skill declares no entry `{name}`; {remedy}");
        self.error("memory.undeclared_entry", place, message);
    }

    fn check_next(&mut self, block: &Block, step: &Step) {
        let known = |target: &str| target == "END" || block.steps.iter().any(|step| step.id == target);
        let targets: Vec<(String, &str)> = match &step.next {
            Next::Following => Vec::new(),
            Next::Step(target) => vec![("next".to_owned(), target)],
            Next::Branches(branches) => {
                let numbered = branches.iter().enumerate();
                numbered.map(|(index, (_, target))| (format!("next.{index}"), target.as_str())).collect()
            }
        };
        for (key, target) in targets.into_iter().filter(|(_, target)| !known(target)) {
            let (then, otherwise) = (format!("{key}.then"), format!("{key}.else"));
            let place = step.places.of_key(&[&then, &otherwise, &key, "next"]);
            let near = nearest(target, block.steps.iter().map(|step| step.id.as_str()));
            let remedy = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let message = format!("the block `{}` has no step `{target}`{remedy}", block.id);
            self.error("flow.unresolved_next", place, message);
        }
        if let Next::Branches(branches) = &step.next
            && !branches.iter().any(|(condition, _)| condition.is_none())
        {
            let message = "no branch is taken when no condition holds; add `- else: <step>`".to_owned();
            self.warn("flow.next_missing_else", step.places.of_key(&["next"]), message);
        }
    }

    /// Another skill, or a block of this one, bare or as `<skill>__<block>`.
    fn check_target(&mut self, target: &str, name: &str, place: SourcePlace) {
        let compiled = target.split_once("__");
        let own_prefix = compiled.filter(|(skill, _)| *skill == self.skill.id.as_str());
        let block = own_prefix.map_or(target, |(_, block)| block);
        if self.skill.body.blocks.iter().any(|known| known.id == block) {
            if self.skill.body.has_prose {
                let message =
                    format!("`{target}` is a block of a skill with prose, which some runtimes do not start");
                self.warn("flow.internal_not_callable", place, message);
            }
            return;
        }
        if self.checked.has_skill(target) {
            return;
        }
        if compiled.is_some_and(|(skill, _)| self.checked.has_skill(skill)) {
            let message = format!("`{target}` is a block of another skill; name the skill");
            self.findings.error(LoadPhase::Train, "skill.markdown.invalid_step_target", place, message);
            return;
        }
        let blocks = self.skill.body.blocks.iter().map(|block| block.id.as_str());
        let skills = self.checked.skills.iter().map(|skill| skill.id.as_str());
        let near = nearest(target, blocks.chain(skills));
        let remedy = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let message = format!("`{target}` is neither a skill nor a block of this one{remedy}");
        self.error(name, place, message);
    }
}
