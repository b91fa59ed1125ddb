//! From a scenario's text to the scenario, or to everything that is wrong with it.
//!
//! Pure: what the tree of all scenarios must be is for `lint` to say, and nothing is looked up.
//! Rules: `docs/scenarios.md`.

mod project;
mod steps;
mod sweep;
#[cfg(test)]
mod tests;
mod world;

use std::collections::BTreeSet;

use super::expect::{self, Observed};
use super::tables::SCENARIO;
use super::{Expectation, Scenario, ScenarioId, Step};
use crate::protocol::Capability;
use crate::source::shape::{self, Shape};
use crate::source::yaml::{self, Node};
use crate::source::{Diagnostic, Diagnostics, Position};
use crate::spec::RequirementId;

/// The largest scenario file: a thousand times what a reader can follow.
pub const MAXIMUM_BYTES: usize = 1024 * 1024;

/// Reads a scenario. `file` is what messages call it; everything wrong is reported at once.
pub fn parse(id: ScenarioId, file: &str, text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    let mut problems = Diagnostics::new(file, text);
    let Some(root) = document(text, &mut problems) else { return Err(problems.finish()) };
    shape::check(&root, &Shape::Record(&SCENARIO), "this file", &mut problems);
    let scenario = read(id, file, &root, &mut problems);
    if problems.is_empty() { Ok(scenario) } else { Err(problems.finish()) }
}

/// The YAML tree, unless the text is none.
fn document(text: &str, problems: &mut Diagnostics<'_>) -> Option<Node> {
    if text.len() > MAXIMUM_BYTES {
        let message = format!("larger than {} KiB", MAXIMUM_BYTES / 1024);
        problems.report(Position::START, message, "split it: a scenario is about one clause");
        return None;
    }
    if let Some(offset) = text.find('\0') {
        let position = crate::source::LineIndex::of(text).position(text, offset);
        let remedy = "remove it; inside double quotes it is written `\\0`";
        problems.report(position, "a NUL character stands here", remedy);
        return None;
    }
    match yaml::parse(text) {
        Ok(Some(root)) => Some(root),
        Ok(None) => {
            let remedy = "begin with `scenario:`; docs/scenarios.md has an example to copy";
            problems.report(Position::START, "this file holds no scenario", remedy);
            None
        }
        Err(error) => {
            problems.report(error.position, error.message, error.remedy);
            None
        }
    }
}

/// Builds the scenario from a tree whose shape has been checked. Where it was wrong, something
/// harmless stands in: the scenario is only used when nothing was.
fn read(id: ScenarioId, file: &str, root: &Node, problems: &mut Diagnostics<'_>) -> Scenario {
    let title = root.get("scenario");
    let world = world::read(root.get("world"), problems);
    let (project, control) = project::read(root, &world, problems);
    let load = expectation(root, &[Observed::Load], problems);
    let steps = steps::read(root, problems);
    let sweep = sweep::read(root, &steps, problems);
    let scenario = Scenario {
        id,
        file: file.to_owned(),
        title: title.and_then(Node::string).unwrap_or_default().trim().to_owned(),
        title_position: title.map_or(Position::START, |title| title.position),
        covers: covers(root, problems),
        needs: words(root, "needs").filter_map(Capability::named).collect(),
        tags: words(root, "tags").map(str::to_owned).collect(),
        project,
        control,
        world,
        session: world::session(root.get("session"), problems),
        load,
        steps,
        sweep,
    };
    together(root, &scenario, problems);
    scenario
}

fn words<'node>(root: &'node Node, key: &str) -> impl Iterator<Item = &'node str> {
    root.get(key).and_then(Node::items).unwrap_or_default().iter().filter_map(Node::string)
}

fn covers(root: &Node, problems: &mut Diagnostics<'_>) -> Vec<(RequirementId, Position)> {
    let mut seen = BTreeSet::new();
    let mut covers = Vec::new();
    for node in root.get("covers").and_then(Node::items).unwrap_or_default() {
        let Some(id) = node.string().and_then(RequirementId::parse) else { continue };
        if !seen.insert(id.clone()) {
            problems.report(node.position, format!("`{id}` stands here twice"), "name each clause once");
        }
        covers.push((id, node.position));
    }
    covers
}

/// What `expect` in this mapping demands of one of these observations.
fn expectation(node: &Node, observed: &[Observed], problems: &mut Diagnostics<'_>) -> Option<Expectation> {
    named_expectation(node, "expect", observed, problems)
}

/// What a key of this mapping demands of one of these observations.
fn named_expectation(
    node: &Node,
    key: &str,
    observed: &[Observed],
    problems: &mut Diagnostics<'_>,
) -> Option<Expectation> {
    let pattern = expect::compile(node.get(key)?, observed, problems);
    Some(Expectation { position: pattern.position, pattern })
}

/// What no key can say alone.
fn together(root: &Node, scenario: &Scenario, problems: &mut Diagnostics<'_>) {
    let expects = scenario.load.is_some() || scenario.steps.iter().any(|step: &Step| step.expect.is_some());
    if !expects && root.entries().is_some() {
        let remedy = "add `expect:` for what loading must report, or to a step for what its trace must show";
        problems.report(scenario.title_position, "nothing is expected, so nothing can fail", remedy);
    }
    let load = scenario.load.as_ref().map(|load| (load.position, expect::rejection(&load.pattern)));
    let Some((position, expect::Rejection::Demanded { says_why })) = load else {
        if let (Some(control), Some((_, expect::Rejection::Excluded)) | None) = (root.get("control"), load) {
            let remedy = "remove `control`, or expect `outcome: rejected`";
            problems.report(control.position, "a control proves a rejection, and none is expected", remedy);
        }
        return;
    };
    if root.get("control").is_none() {
        let remedy = "add `control:` with the files that make this project sound";
        problems.report(position, "a rejection is expected without a `control`", remedy);
    }
    if !says_why {
        let remedy = "state the `phase`, and `findings` by their codes where the contract names them";
        problems.report(position, "a rejection is expected for any reason at all", remedy);
    }
    if let Some(step) = scenario.steps.first() {
        let message = "nothing can happen after a rejected project";
        problems.report(step.position, message, "remove `steps`, or expect `outcome: ok`");
    }
}
