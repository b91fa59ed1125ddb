//! Literal writes of entries that may not be written, and what reaches behind `context.memory`.
//!
//! Judges what `python_walk` saw. Rules: tools-reference, "`context.memory`"; VAL-01 to VAL-12.

use std::rc::Rc;

use super::python_walk::{self, Write};
use super::{Checked, code};
use crate::protocol::{LoadPhase, Severity, SkillId, SourcePlace};
use crate::reference::agent::Skill;
use crate::reference::discovery::{self, Origin};
use crate::reference::finding::Findings;
use crate::reference::memory::MemoryWriteError;
use crate::reference::python::SourceFile;
use crate::source::nearest;

/// Checks every tool module: the shared ones, then each skill's.
pub(super) fn check(checked: &Checked<'_>, findings: &mut Findings) {
    for path in discovery::module_paths(checked.project, "") {
        check_module(checked, path, None, findings);
    }
    for skill in checked.skills {
        for path in discovery::module_paths(checked.project, &format!("skills/{}/", skill.id)) {
            check_module(checked, path, Some(&skill.id), findings);
        }
    }
}

/// A module that is no Python has its finding already.
fn check_module(checked: &Checked<'_>, path: &str, owner: Option<&SkillId>, findings: &mut Findings) {
    let parsed = checked.project.read(path).map(|bytes| SourceFile::parse(path, &bytes));
    let Some(Ok(file)) = parsed else { return };
    let seen = python_walk::read(file.body());
    for write in seen.writes {
        let refused = match owner {
            Some(skill) => refuse(checked, skill, &write.name).map(|message| (true, message)),
            None => refuse_shared(checked, path, &write.name),
        };
        if let Some((certain, message)) = refused {
            report(
                findings,
                "tools.undeclared_memory_write",
                certain && write.certain,
                place(&file, &write),
                message,
            );
        }
    }
    for bypass in seen.bypasses {
        let remedy = "read and write through `context.memory`, and clear a field with `set(<field>, None)`";
        let message = format!("{} goes behind `context.memory`; {remedy}", bypass.what);
        report(findings, "tools.memory_manager_bypass", bypass.certain, file.place(bypass.at), message);
    }
}

fn place(file: &Rc<SourceFile>, write: &Write) -> SourcePlace {
    file.place(write.at)
}

/// An error where it is certain that a context's memory is meant, else a warning: no valid project is
/// refused because an object of its own has a `memory`.
fn report(findings: &mut Findings, name: &str, certain: bool, place: SourcePlace, message: String) {
    if certain {
        findings.error(LoadPhase::Train, &code(name), place, message);
    } else {
        findings.note(Severity::Warning, &code(name), place, message);
    }
}

/// Why a skill's own tool may not write an entry, if it may not (VAL-01 to VAL-06).
fn refuse(checked: &Checked<'_>, skill: &SkillId, name: &str) -> Option<String> {
    let error = checked.schema.resolve_write(Some(skill), name).err()?;
    let hint = match &error {
        MemoryWriteError::Undeclared { .. } => {
            let known = checked.schema.writable_set(skill).map(|field| field.entry.as_str());
            let entry = name.rsplit('.').next().unwrap_or(name);
            nearest(entry, known).filter(|near| *near != entry)
        }
        _ => None,
    };
    Some(hint.map_or_else(|| error.to_string(), |near| format!("{error}; did you mean `{near}`?")))
}

/// The same for a shared tool, which has no skill of its own: an entry of any skill counts (VAL-08,
/// observed), with a warning when none of those that import from the module declares it.
fn refuse_shared(checked: &Checked<'_>, path: &str, name: &str) -> Option<(bool, String)> {
    let takes = |skill: &&Skill| refuse(checked, &skill.id, name).is_none();
    if checked.skills.iter().any(|skill| takes(&skill)) {
        let importers = || {
            let pairs = checked.skills.iter().zip(checked.attached);
            pairs.filter(|(_, tools)| {
                tools.iter().any(|tool| matches!(&tool.origin, Origin::Shared(found) if &*found.file == path))
            })
        };
        let unheard = importers().next().is_some() && !importers().any(|(skill, _)| takes(&skill));
        let message = format!("no skill that imports a tool of {path} declares `{name}`");
        return unheard.then_some((false, message));
    }
    let first = checked.skills.first()?;
    let message = match checked.schema.resolve_write(None, name).err()? {
        MemoryWriteError::SystemNamespace { .. } => refuse(checked, &first.id, name)?,
        _ => format!("no skill declares `{name}`, nor does the project; declare it in a memory.yml"),
    };
    Some((true, message))
}
