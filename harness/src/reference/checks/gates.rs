//! The conditions of a skill: its tools' gates, when it starts and ends, and the branches of its steps.
//!
//! The contract refuses no project for what such a condition reads: it is just false, or not what was meant.
//! Rules: chapters CND and GAT; VAL-23, observed.

use super::Checked;
use super::conditions::{self, Unreadable};
use crate::condition::Condition;
use crate::protocol::{Json, Severity};
use crate::reference::agent::{NEVER_HOLDS, Skill, WrittenCondition};
use crate::reference::finding::Findings;
use crate::source::Position;

/// Checks what each condition of a skill reads. One that is no condition has its finding elsewhere.
pub(super) fn check(checked: &Checked<'_>, skill: &Skill, findings: &mut Findings) {
    for constraint in &skill.constraints {
        let Some(written) = &constraint.written else { continue };
        let Some(condition) = check_reads(checked, skill, written, findings) else { continue };
        // That every reference reads nothing, and some could: a constant has its finding already.
        let unreadable = conditions::unreadable(checked, Some(&skill.id), &condition);
        let reads_nothing = condition.references().all(|reference| {
            reference.namespace == "system" || unreadable.iter().any(|(known, _)| *known == reference)
        });
        if reads_nothing && !unreadable.is_empty() && !condition.holds(&|_, _| Json::Null) {
            let message = format!(
                "`{}` is never offered, because its condition never holds: `{condition}` reads nothing that is set",
                constraint.tool
            );
            findings.note(Severity::Warning, NEVER_HOLDS, written.place(Position::START), message);
        }
    }
    let steps = skill.body.blocks.iter().flat_map(|block| &block.steps);
    for written in skill.conditions.iter().chain(steps.flat_map(|step| &step.conditions)) {
        check_reads(checked, skill, written, findings);
    }
}

fn check_reads(
    checked: &Checked<'_>,
    skill: &Skill,
    written: &WrittenCondition,
    findings: &mut Findings,
) -> Option<Condition> {
    let condition =
        Condition::parse(&written.text).or_else(|_| Condition::parse(written.text.trim())).ok()?;
    for (reference, why) in conditions::unreadable(checked, Some(&skill.id), &condition) {
        let code = match why {
            Unreadable::UnknownSkill => "conformance.condition_reads_unknown_skill",
            Unreadable::Undeclared => "conformance.condition_reads_undeclared_entry",
            Unreadable::Private => "conformance.condition_reads_private_entry",
        };
        let message = conditions::explain(checked, &reference.namespace, &reference.entry, why);
        findings.note(Severity::Warning, code, written.place(reference.position), message);
    }
    Some(condition)
}
