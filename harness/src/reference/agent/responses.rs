//! `responses.yml`: what the agent says by name.
//!
//! Rules: contract-notes, "6. responses.yml"; chapter BTN.

use std::collections::BTreeMap;

use super::read_yaml;
use crate::project::ProjectSource;
use crate::protocol::{LoadPhase, SkillId, ToolName};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::{Node, Value};

/// Every response, by name; a skill's are replaced by a later skill's and by the root's.
pub(crate) type Responses = BTreeMap<String, Response>;

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    /// Its variants, in order.
    pub(crate) variants: Vec<Variant>,
    /// The skill whose file it stands in; `None` for the root's.
    pub(crate) skill: Option<SkillId>,
}

/// One way to say a response.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Its text, placeholders not filled.
    pub(crate) text: String,
    /// The condition under which it is chosen.
    pub(crate) condition: Option<String>,
    /// Its buttons.
    pub(crate) buttons: Buttons,
}

/// The buttons of a variant.
#[derive(Clone, Debug)]
pub(crate) enum Buttons {
    /// Titles, and payloads where they differ.
    Listed(Vec<(String, Option<String>)>),
    /// A tool supplies them.
    From(ToolName),
}

/// Reads the responses of all skills, in the order of their ids, and of the root.
pub(crate) fn read_responses<'skill>(
    project: &dyn ProjectSource,
    skills: impl IntoIterator<Item = &'skill SkillId>,
    findings: &mut Findings,
) -> Responses {
    let mut responses = bundled();
    for skill in skills {
        read_file(project, &format!("skills/{skill}/responses.yml"), Some(skill), &mut responses, findings);
    }
    read_file(project, "responses.yml", None, &mut responses, findings);
    responses
}

/// The response that every agent has unless it defines one of that name: a tap wrote nothing (BTN-28).
fn bundled() -> Responses {
    let text = "That choice is no longer available.".to_owned();
    let variant = Variant { text, condition: None, buttons: Buttons::Listed(Vec::new()) };
    let response = Response { variants: vec![variant], skill: None };
    Responses::from([("utter_set_memory_button_skipped".to_owned(), response)])
}

fn read_file(
    project: &dyn ProjectSource,
    path: &str,
    skill: Option<&SkillId>,
    responses: &mut Responses,
    findings: &mut Findings,
) {
    let invalid = "mantle.validation.response.invalid_variant_shape";
    let root = match read_yaml(project, path) {
        Ok(Some(root)) => root,
        Ok(None) => return,
        Err(broken) => {
            findings.error(LoadPhase::Train, invalid, broken.place, broken.message);
            return;
        }
    };
    let Some(named) = root.get("responses").and_then(Node::entries) else {
        if !root.is_null() {
            let message = "`responses:` must be a mapping from names to lists of variants";
            findings.error(LoadPhase::Train, invalid, finding::at(path, root.position), message);
        }
        return;
    };
    for (name, variants) in named {
        let Some(items) = variants.items().filter(|items| !items.is_empty()) else {
            let message = "a response is a list of variants that is not empty";
            findings.error(LoadPhase::Train, invalid, finding::at(path, variants.position), message);
            continue;
        };
        let variants = items.iter().map(read_variant).collect();
        responses
            .insert(name.text().unwrap_or_default().to_owned(), Response { variants, skill: skill.cloned() });
    }
}

fn read_variant(node: &Node) -> Variant {
    if let Value::Scalar(scalar) = &node.value {
        return Variant { text: scalar.text.clone(), condition: None, buttons: Buttons::Listed(Vec::new()) };
    }
    let text = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let buttons = node.get("buttons");
    let source = buttons.and_then(|buttons| text(buttons, "source"));
    let buttons = match source {
        Some(tool) => Buttons::From(ToolName::new(tool)),
        None => {
            let listed = buttons.and_then(Node::items).unwrap_or_default();
            let listed = listed
                .iter()
                .map(|button| (text(button, "title").unwrap_or_default(), text(button, "payload")));
            Buttons::Listed(listed.collect())
        }
    };
    Variant { text: text(node, "text").unwrap_or_default(), condition: text(node, "condition"), buttons }
}
