//! The parameters of `execute_tool:` steps that refer to memory.
//!
//! Knows references and declarations; resolves no value.
//! Rules: contract-notes, "4. Conditions", "Parameter references"; VAL-27, observed.

use super::conditions::{self, Unreadable};
use super::{Checked, code};
use crate::condition::{Condition, Reference};
use crate::protocol::{Json, LoadPhase, Severity};
use crate::reference::agent::{Skill, Step};
use crate::reference::finding::Findings;

/// Checks the parameters of a step.
pub(super) fn check(
    checked: &Checked<'_>,
    skill: &Skill,
    step: &Step,
    parameters: &[(String, Json)],
    findings: &mut Findings,
) {
    for (name, value) in parameters {
        let Some(text) = value.as_str().map(str::trim).filter(|text| text.starts_with("session.")) else {
            continue;
        };
        let place = step.places.of_key(&[&format!("parameters.{name}")]);
        let Some(reference) = reference(text) else {
            let message = format!(
                "`{text}` is no reference and would be passed as it stands; write `session.<skill>.<entry>`"
            );
            let name = "execute_step.invalid_session_parameter";
            findings.error(LoadPhase::Train, &code(name), place, message);
            continue;
        };
        let (namespace, entry) = (&reference.namespace, &reference.entry);
        let Some(why) = conditions::why_unreadable(checked, Some(&skill.id), namespace, entry) else {
            continue;
        };
        let message = conditions::explain(checked, namespace, entry, why);
        let name = code("execute_step.unknown_memory_key");
        match why {
            Unreadable::Private => findings.note(Severity::Warning, &name, place, message),
            _ => findings.error(LoadPhase::Train, &name, place, message),
        }
    }
}

/// The reference that a text is, if it is exactly one.
fn reference(text: &str) -> Option<Reference> {
    let condition = Condition::parse(text).ok()?;
    let mut references = condition.references();
    let reference = references.next()?.clone();
    let whole = format!("session.{}.{}", reference.namespace, reference.entry);
    (whole == text && references.next().is_none()).then_some(reference)
}
