//! What a scenario asks of a runtime, capability by capability, as far as its own text shows.
//!
//! Sound and not complete: what may or may not happen in a run is left out, so that nothing is demanded in vain.
//! Rules: `docs/scenarios.md`, "What a scenario needs".

mod asked;
mod expected;
mod files;
mod python;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::Scenario;
use crate::protocol::Capability;
use crate::source::Position;
use crate::source::yaml::Node;
use crate::spec::Catalogue;

/// Everything an implementation must be capable of to be asked this scenario.
pub fn needs(scenario: &Scenario, catalogue: &Catalogue) -> BTreeSet<Capability> {
    let of_clauses = scenario.covers.iter().flat_map(|(id, _)| catalogue.needs_of(id));
    scenario.needs.iter().copied().chain(of_clauses).collect()
}

/// Something in a scenario that only a runtime with a certain capability can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The capability.
    pub(super) capability: Capability,
    /// Where it stands.
    pub(super) position: Position,
    /// What it is, for a message.
    pub(super) what: String,
}

/// What a scenario uses, in the order of its text. `root` is the tree that the scenario was read from.
pub(super) fn uses(scenario: &Scenario, root: &Node) -> Vec<Use> {
    let mut found = Found::default();
    asked::find(root, &mut found);
    files::find(scenario, root, &mut found);
    expected::find(scenario, &mut found);
    found.0.sort_by_key(|one| (one.position, one.capability));
    found.0
}

/// The uses found so far.
#[derive(Default)]
struct Found(Vec<Use>);

impl Found {
    fn add(&mut self, capability: Capability, position: Position, what: impl Into<String>) {
        self.0.push(Use { capability, position, what: what.into() });
    }
}

/// The capability that offers a built-in tool of this name.
fn offering(tool: &str) -> Option<Capability> {
    match tool {
        "activate" | "complete_skill" | "cancel_skill" | "set_fields" | "correct" | "cannot_help"
        | "listen" => Some(Capability::Builtins),
        "resolve_tool_confirmation" => Some(Capability::Confirmation),
        "search_knowledge" => Some(Capability::Knowledge),
        _ => None,
    }
}
