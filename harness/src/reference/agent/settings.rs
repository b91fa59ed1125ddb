//! The settings of a `skill.md` besides its tools: when it starts and ends, what it says when it starts.
//!
//! Checks shapes; whether responses and entries exist is for the checks at training to say.
//! Rules: contract-notes, "2. skill.md".

use super::frontmatter::Document;
use super::written::WrittenCondition;
use crate::condition::Condition;
use crate::protocol::{LoadPhase, Severity, SourcePlace};
use crate::reference::finding::Findings;
use crate::source::did_you_mean;
use crate::source::yaml::Node;

/// A response that is sent when the skill starts.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    /// The response.
    pub(crate) response: String,
    /// Where it stands.
    pub(crate) place: SourcePlace,
}

const INVALID_END: &str = "skill.complete_when.invalid";
const INVALID_UTTER: &str = "skill.markdown.invalid_utter";

/// Reads the settings of one skill.
pub(super) struct Reader<'read> {
    pub(super) path: &'read str,
    pub(super) document: &'read Document,
    pub(super) findings: &'read mut Findings,
}

impl Reader<'_> {
    fn error(&mut self, node: &Node, code: &str, message: impl Into<String>) {
        let place = self.document.place(self.path, node.position);
        self.findings.error(LoadPhase::Train, code, place, message);
    }

    /// What is refused in no published page: worth a warning.
    fn warn(&mut self, node: &Node, code: &str, message: impl Into<String>) {
        let place = self.document.place(self.path, node.position);
        self.findings.note(Severity::Warning, code, place, message);
    }

    /// The conditions under which the skill starts, ends and says something.
    pub(super) fn conditions(&self, settings: &Node) -> Vec<WrittenCondition> {
        let end = settings.get("complete_when").and_then(|node| node.get("condition"));
        let triggers = settings.get("utter").and_then(Node::items).unwrap_or_default();
        let when = triggers.iter().filter_map(|item| match item.entries() {
            Some([(_, options)]) => options.get("when"),
            _ => None,
        });
        let conditions = settings.get("requires").into_iter().chain(end).chain(when);
        conditions.filter_map(|node| self.document.condition(self.path, node)).collect()
    }

    /// The responses of `utter`.
    pub(super) fn triggers(&mut self, settings: &Node) -> Vec<Trigger> {
        let mut triggers: Vec<Trigger> = Vec::new();
        let Some(node) = settings.get("utter").filter(|node| !node.is_null()) else { return triggers };
        let Some(items) = node.items() else {
            self.error(node, INVALID_UTTER, format!("`utter` must be a list, not {}", node.kind()));
            return triggers;
        };
        for item in items {
            let Some([(name, options)]) = item.entries() else {
                let message = "an entry of `utter` must be a mapping from one response to its options";
                self.error(item, INVALID_UTTER, message);
                continue;
            };
            let response = name.text().unwrap_or_default().to_owned();
            if triggers.iter().any(|known| known.response == response) {
                self.error(name, INVALID_UTTER, format!("`{response}` is listed twice; remove one"));
                continue;
            }
            self.check_trigger(options, &response);
            triggers.push(Trigger { response, place: self.document.place(self.path, name.position) });
        }
        triggers
    }

    fn check_trigger(&mut self, options: &Node, response: &str) {
        let Some(entries) = options.entries().filter(|entries| !entries.is_empty()) else {
            let message = format!("`{response}` needs `on: activate`, `when: <condition>` or both");
            self.error(options, INVALID_UTTER, message);
            return;
        };
        for (key, value) in entries {
            match key.text().unwrap_or_default() {
                // YAML 1.1 reads the bare key `on` as a boolean; both count.
                "on" | "true" if value.is_null() || value.text() == Some("activate") => {}
                "on" | "true" => self.error(value, INVALID_UTTER, "`on` can only be `activate`"),
                "when" => self.check_condition(value, INVALID_UTTER),
                other => {
                    let hint = did_you_mean(other, &["on", "when"]);
                    self.error(key, INVALID_UTTER, format!("unknown option `{other}`; {hint}"));
                }
            }
        }
    }

    fn check_condition(&mut self, node: &Node, code: &str) {
        match node.string().map(|text| Condition::parse(text.trim())) {
            Some(Ok(_)) => {}
            Some(Err(error)) => self.error(node, code, error.to_string()),
            None => self.error(node, code, format!("a condition must be a string, not {}", node.kind())),
        }
    }

    /// The shapes of the other settings.
    pub(super) fn check(&mut self, settings: &Node, has_prose: bool) {
        let given = |key: &str| settings.get(key).filter(|node| !node.is_null());
        if let Some(node) = given("requires").filter(|node| node.string().is_none()) {
            let message = format!("`requires` must be a condition in a string, not {}", node.kind());
            self.error(node, "mantle.validation.skill.failed_to_load", message);
        }
        if let Some(node) = given("complete_when") {
            self.check_end(node, has_prose);
        }
        if let Some(node) = given("references") {
            let instructions = node.get("instructions").and_then(Node::string);
            if instructions.is_none() || node.entries().is_none_or(|entries| entries.len() != 1) {
                let message = "`references` must be a mapping with `instructions`, a string";
                self.warn(node, "skill.markdown.invalid_references", message);
            }
        }
        if let Some(node) = given("routing").filter(|node| node.entries().is_none()) {
            let message = format!("`routing` must be a mapping, not {}", node.kind());
            self.warn(node, "skill.markdown.invalid_routing", message);
        }
    }

    fn check_end(&mut self, node: &Node, has_prose: bool) {
        if node.text().is_some() {
            let message = "`complete_when` must be a mapping; write `condition: <condition>` below it";
            self.error(node, "skill.complete_when.mapping_required", message);
            return;
        }
        let Some(entries) = node.entries().filter(|entries| !entries.is_empty()) else {
            let message = "`complete_when` must be a mapping with `condition`, `criteria` or both";
            self.error(node, INVALID_END, message);
            return;
        };
        for (key, value) in entries {
            match key.text().unwrap_or_default() {
                "condition" => self.check_condition(value, INVALID_END),
                "criteria" => self.check_criteria(value),
                other => {
                    let hint = did_you_mean(other, &["condition", "criteria"]);
                    self.error(key, INVALID_END, format!("unknown key `{other}`; {hint}"));
                }
            }
        }
        if !has_prose {
            let message = "only prose is completed by the model; a skill of blocks ends with its block";
            self.error(node, "skill.complete_when.requires_prose", message);
        }
    }

    fn check_criteria(&mut self, node: &Node) {
        let Some(items) = node.items().filter(|items| !items.is_empty()) else {
            self.error(node, INVALID_END, "`criteria` must be a list of sentences");
            return;
        };
        let mut known: Vec<&str> = Vec::new();
        for item in items {
            match item.string().map(str::trim).filter(|criterion| !criterion.is_empty()) {
                None => self.error(item, INVALID_END, "a criterion must be a text that is not blank"),
                Some(criterion) if known.contains(&criterion) => {
                    self.error(item, INVALID_END, "this criterion is listed twice; remove one");
                }
                Some(criterion) => known.push(criterion),
            }
        }
    }
}
