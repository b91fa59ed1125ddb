//! What a condition reads that it cannot read.
//!
//! Knows declarations; evaluates nothing. Rules: contract-notes, "4. Conditions"; CND-03, CND-04; VAL-23,
//! VAL-26, VAL-27.

use super::Checked;
use crate::condition::{Condition, Reference};
use crate::protocol::SkillId;
use crate::source::nearest;

/// Why a reference reads nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// No skill has this id.
    UnknownSkill,
    /// The skill or the project does not declare the entry.
    Undeclared,
    /// The entry is private to another skill.
    Private,
}

/// The references of a condition that read nothing, each once, in the order of the text.
pub(super) fn unreadable<'tree>(
    checked: &Checked<'_>,
    reader: Option<&SkillId>,
    condition: &'tree Condition,
) -> Vec<(&'tree Reference, Unreadable)> {
    let mut found: Vec<(&Reference, Unreadable)> = Vec::new();
    for reference in condition.references() {
        let why = why_unreadable(checked, reader, &reference.namespace, &reference.entry);
        if let Some(why) = why.filter(|_| !found.iter().any(|(known, _)| *known == reference)) {
            found.push((reference, why));
        }
    }
    found
}

/// Nothing of `system` is ever readable (CND-30), and what bundled skills declare is not known in full.
/// Without a reader it is any skill that reads.
pub(super) fn why_unreadable(
    checked: &Checked<'_>,
    reader: Option<&SkillId>,
    namespace: &str,
    entry: &str,
) -> Option<Unreadable> {
    if namespace == "system" {
        return None;
    }
    if namespace != "project" && !checked.has_skill(namespace) {
        return Some(Unreadable::UnknownSkill);
    }
    match checked.schema.qualified(namespace, entry) {
        None => checked.is_declared_here(namespace).then_some(Unreadable::Undeclared),
        Some(field) if reader.is_some() && !field.is_readable_by(reader) => Some(Unreadable::Private),
        Some(_) => None,
    }
}

/// What is wrong with a reference, and what to do.
pub(super) fn explain(checked: &Checked<'_>, namespace: &str, entry: &str, why: Unreadable) -> String {
    let whole = format!("session.{namespace}.{entry}");
    let hint = |near: Option<&str>, otherwise: &str| {
        near.map_or_else(|| otherwise.to_owned(), |near| format!("did you mean `{near}`?"))
    };
    match why {
        Unreadable::UnknownSkill => {
            let known = checked.skills.iter().map(|skill| skill.id.as_str()).chain(["project"]);
            let remedy = hint(nearest(namespace, known), "name a skill's folder, or `project`");
            format!("`{whole}` reads nothing: there is no skill `{namespace}`; {remedy}")
        }
        Unreadable::Undeclared => {
            let fields = checked.schema.fields();
            let prefix = format!("{namespace}.");
            let known = fields.filter_map(|field| field.full_name.strip_prefix(prefix.as_str()));
            let remedy = hint(nearest(entry, known), "declare it in memory.yml");
            format!("`{whole}` reads nothing: `{namespace}` declares no `{entry}`; {remedy}")
        }
        Unreadable::Private => {
            format!("`{whole}` reads nothing: the entry is private to `{namespace}`; make it public there")
        }
    }
}
