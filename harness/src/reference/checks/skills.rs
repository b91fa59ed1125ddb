//! A skill's prose, its settings, and the responses and skills that these name.
//!
//! Knows names and conditions; the steps of its blocks are checked in `steps`.
//! Rules: contract-notes, "2. skill.md", "5. `tool_constraints`" and "13. Findings"; VAL-24 to VAL-26, VAL-35.

use super::conditions::{self, Unreadable};
use super::{Checked, code};
use crate::condition::Condition;
use crate::protocol::{LoadPhase, Severity};
use crate::reference::agent::{Paragraph, Skill, WrittenCondition};
use crate::reference::finding::{self, Findings};
use crate::source::{Position, nearest};

/// Checks a skill's prose and the names in its settings.
pub(super) fn check(checked: &Checked<'_>, skill: &Skill, findings: &mut Findings) {
    let path = format!("skills/{}/skill.md", skill.id);
    for paragraph in &skill.body.paragraphs {
        match &paragraph.condition {
            Some(written) => check_condition(checked, skill, written, findings),
            None => check_beginning(&path, paragraph, findings),
        }
        if paragraph.condition.is_some() && !paragraph.has_body {
            let place = finding::at(&path, Position::new(paragraph.first.0, 1));
            let message = "no text follows the condition; write it on the next lines";
            findings.error(LoadPhase::Train, "skill.markdown.empty_prose_if_body", place, message);
        }
    }
    for id in skill.body.mentioned_skills.iter().filter(|id| !checked.has_skill(id)) {
        let known = checked.skills.iter().map(|skill| skill.id.as_str());
        let message = format!("`@skill.{id}` names no skill{}", did_you_mean(nearest(id, known)));
        let place = finding::file(&path);
        findings.note(Severity::Warning, "skill.referenced.invalid_target", place, message);
    }
    for constraint in &skill.constraints {
        let confirmation = constraint.confirmation.iter();
        let asked = confirmation.flat_map(|confirmation| [&confirmation.ask, &confirmation.denial]);
        let asked = asked.map(|name| ("tool_constraint.unknown_requires_confirmation_response", name));
        let result = "tool_constraint.unknown_on_success_or_failure";
        let told = [(result, &constraint.on_success), (result, &constraint.on_failure)];
        for (name, response) in asked.chain(told) {
            let Some(response) = response else { continue };
            check_response(checked, response, name, &constraint.place, findings);
        }
    }
    for trigger in &skill.triggers {
        let name = "verbatim_trigger.unknown_response";
        check_response(checked, &trigger.response, name, &trigger.place, findings);
    }
}

/// A response that no file declares: its name itself would be said, and a bundled one may have it.
pub(super) fn check_response(
    checked: &Checked<'_>,
    response: &str,
    name: &str,
    place: &crate::protocol::SourcePlace,
    findings: &mut Findings,
) {
    if checked.responses.contains_key(response) {
        return;
    }
    let near = nearest(response, checked.responses.keys().map(String::as_str));
    let message = format!("no responses.yml declares `{response}`{}", did_you_mean(near));
    findings.note(Severity::Warning, &code(name), place.clone(), message);
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// VAL-24 to VAL-26: the condition of a paragraph.
fn check_condition(
    checked: &Checked<'_>,
    skill: &Skill,
    written: &WrittenCondition,
    findings: &mut Findings,
) {
    let mut error = |name: &str, position: Position, message: String| {
        findings.error(LoadPhase::Train, &code(name), written.place(position), message);
    };
    if written.text.is_empty() {
        error("prose.empty_if_condition", Position::START, "`if:` needs a condition on its line".to_owned());
        return;
    }
    let condition = match Condition::parse(&written.text) {
        Ok(condition) => condition,
        Err(problem) => {
            error("prose.invalid_if_expression", problem.position(), problem.to_string());
            return;
        }
    };
    let name = "prose.unknown_memory_key";
    for (reference, why) in conditions::unreadable(checked, Some(&skill.id), &condition) {
        let message = conditions::explain(checked, &reference.namespace, &reference.entry, why);
        let place = written.place(reference.position);
        match why {
            // The entry is declared: the paragraph is just never shown.
            Unreadable::Private => findings.note(Severity::Warning, &code(name), place, message),
            _ => findings.error(LoadPhase::Train, &code(name), place, message),
        }
    }
}

fn check_beginning(path: &str, paragraph: &Paragraph, findings: &mut Findings) {
    let (number, line) = &paragraph.first;
    for (word, name) in [("else:", "unsupported_prose_else"), ("elif:", "unsupported_prose_elif")] {
        if line.trim_start().starts_with(word) {
            let message = format!("`{word}` is not read; write another `if:` with the opposite condition");
            let place = finding::at(path, Position::new(*number, 1));
            findings.error(LoadPhase::Train, &format!("skill.markdown.{name}"), place, message);
        }
    }
}
