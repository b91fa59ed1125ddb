//! Post-write hooks named after an entry of a skill that the model never sets, or after nothing.
//!
//! Knows names and declarations; runs no hook. Hooks on project entries are `discovery`'s.
//! Rules: tools-reference, "Post-write hooks"; VAL-16.

use super::{Checked, code, is_collected};
use crate::protocol::{EntryName, LoadPhase, Severity};
use crate::reference::agent::Skill;
use crate::reference::discovery::{Found, HOOK};
use crate::reference::finding::Findings;
use crate::source::nearest;

const CODE: &str = "tools.invalid_post_write_hook";

/// What an entry is to a skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Undeclared,
    NotSettable,
    Settable,
}

/// Checks every hook: the shared ones, then each skill's.
pub(super) fn check(checked: &Checked<'_>, findings: &mut Findings) {
    for found in checked.shared.tools.values() {
        let Some(entry) = hooked(found) else { continue };
        let best = checked.skills.iter().map(|skill| standing(checked, skill, entry)).max();
        let best = best.unwrap_or(Standing::Undeclared);
        judge(checked, found, entry, best, None, findings);
    }
    for (skill, own) in checked.skills.iter().zip(checked.local) {
        for found in own.tools.values() {
            let Some(entry) = hooked(found) else { continue };
            judge(checked, found, entry, standing(checked, skill, entry), Some(skill), findings);
        }
    }
}

fn hooked(found: &Found) -> Option<&str> {
    found.name.as_str().strip_prefix(HOOK)
}

fn standing(checked: &Checked<'_>, skill: &Skill, entry: &str) -> Standing {
    match checked.schema.qualified(skill.id.as_str(), entry) {
        None => Standing::Undeclared,
        Some(field) if field.declaration.llm_settable || is_collected(skill, entry) => Standing::Settable,
        Some(_) => Standing::NotSettable,
    }
}

/// VAL-16, observed: an entry that nobody declares can
/// never be set, so its skill-local hook is refused; one that only a tap can set is worth a warning.
fn judge(
    checked: &Checked<'_>,
    found: &Found,
    entry: &str,
    standing: Standing,
    skill: Option<&Skill>,
    findings: &mut Findings,
) {
    let is_project = checked.schema.qualified("project", entry).is_some();
    let (severity, message) = match standing {
        Standing::Settable => return,
        Standing::NotSettable => {
            let message = format!("the model never sets `{entry}`: the hook runs only when a tap writes it");
            (Severity::Info, message)
        }
        // Refused where the hooks are attached (VAL-13, VAL-14).
        Standing::Undeclared if is_project => return,
        Standing::Undeclared => {
            let message =
                format!("the hook never runs: nobody declares `{entry}`{}", hint(checked, skill, entry));
            (if skill.is_some() { Severity::Error } else { Severity::Warning }, message)
        }
    };
    match severity {
        Severity::Error => findings.error(LoadPhase::Train, &code(CODE), found.place.clone(), message),
        _ => findings.note(severity, &code(CODE), found.place.clone(), message),
    }
}

fn hint(checked: &Checked<'_>, skill: Option<&Skill>, entry: &str) -> String {
    let known = skill.into_iter().flat_map(|skill| checked.schema.fields_of(&skill.id));
    nearest(entry, known.map(|field| EntryName::as_str(&field.entry)))
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}
