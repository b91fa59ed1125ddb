//! Post-write hooks: which shared ones a skill has, and which hooks are refused.
//!
//! A hook is known by its name alone. Rules: chapter HOK; VAL-13 to VAL-15.

use indexmap::IndexMap;

use super::attachment::{Attached, Origin};
use super::module_tools::{Found, ModuleTools};
use crate::protocol::{EntryName, LoadPhase, MemoryField, ToolName};
use crate::reference::finding::Findings;

/// The prefix of a post-write hook's name; the entry it hooks follows.
pub(crate) const HOOK: &str = "run_after_setting_";

const REFUSED: &str = "mantle.validation.tools.invalid_post_write_hook";

type Entries = IndexMap<EntryName, MemoryField>;

/// The entry that a tool of this name hooks, if it is a hook.
fn hooked(name: &ToolName) -> Option<&str> {
    name.as_str().strip_prefix(HOOK)
}

/// Attaches the shared hooks of a skill's own entries, imported or not (HOK-27, HOK-28). The skill's own hook
/// of an entry comes first.
pub(crate) fn attach_hooks(declared: &Entries, shared: &ModuleTools, attached: &mut Vec<Attached>) {
    for (name, found) in &shared.tools {
        let is_own = hooked(name).is_some_and(|entry| declared.contains_key(entry));
        if is_own && !attached.iter().any(|tool| tool.name == *name) {
            attached.push(Attached { name: name.clone(), origin: Origin::Shared(found.clone()) });
        }
    }
}

/// Refuses the hooks that are named after a project entry: the model never sets one. `declared` is what those
/// skills declare that could use the hook.
pub(crate) fn check_hooks(
    tools: &ModuleTools,
    declared: &[&Entries],
    project: &Entries,
    findings: &mut Findings,
) {
    for (name, found) in &tools.tools {
        let Some(entry) = hooked(name) else { continue };
        let is_skills = declared.iter().any(|entries| entries.contains_key(entry));
        if project.contains_key(entry) && !is_skills {
            refuse(entry, found, findings);
        }
    }
}

fn refuse(entry: &str, found: &Found, findings: &mut Findings) {
    let message = format!(
        "`{}` is named after the project entry `{entry}`, which the model never sets; hook a skill's entry and \
         write `project.{entry}` in that hook",
        found.name
    );
    findings.error(LoadPhase::Train, REFUSED, found.place.clone(), message);
}
