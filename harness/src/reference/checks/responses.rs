//! The variants of responses: their texts, conditions and buttons.
//!
//! Reads the files again for their places; which variant is chosen is a conversation's affair.
//! Rules: contract-notes, "6. responses.yml" and "13. Findings"; VAL-27 to VAL-31.

use super::conditions::{self, Unreadable};
use super::{Checked, button_sources, code};
use crate::condition::Condition;
use crate::protocol::{LoadPhase, Severity, SkillId};
use crate::reference::agent::read_yaml;
use crate::reference::finding::{self, Findings};
use crate::source::yaml::{Node, Value};
use crate::source::{Position, did_you_mean};

/// Checks the skills' responses, then the root's.
pub(super) fn check(checked: &Checked<'_>, findings: &mut Findings) {
    let own = checked.skills.iter().map(|skill| Some(&skill.id));
    for owner in own.chain([None]) {
        let path = match owner {
            Some(skill) => format!("skills/{skill}/responses.yml"),
            None => "responses.yml".to_owned(),
        };
        let Ok(Some(root)) = read_yaml(checked.project, &path) else { continue };
        let named = root.get("responses").and_then(Node::entries).unwrap_or_default();
        let mut file = File { checked, owner, path: &path, findings };
        for (name, variants) in named {
            file.check_response(name.text().unwrap_or_default(), variants);
        }
    }
}

/// One file with responses.
pub(super) struct File<'check, 'load> {
    pub(super) checked: &'check Checked<'load>,
    pub(super) owner: Option<&'check SkillId>,
    pub(super) path: &'check str,
    pub(super) findings: &'check mut Findings,
}

const VARIANT_KEYS: [&str; 4] = ["text", "condition", "metadata", "buttons"];

impl File<'_, '_> {
    pub(super) fn error(&mut self, node: &Node, name: &str, message: String) {
        self.error_at(node.position, name, message);
    }

    fn error_at(&mut self, position: Position, name: &str, message: String) {
        self.findings.error(LoadPhase::Train, &code(name), finding::at(self.path, position), message);
    }

    pub(super) fn warn(&mut self, node: &Node, code: &str, message: String) {
        self.findings.note(Severity::Warning, code, finding::at(self.path, node.position), message);
    }

    fn check_response(&mut self, name: &str, variants: &Node) {
        let items = variants.items().unwrap_or_default();
        for variant in items {
            self.check_variant(name, variant);
        }
        let conditioned = |item: &&Node| item.get("condition").is_some_and(|condition| !condition.is_null());
        let defaults: Vec<&Node> = items.iter().filter(|item| !conditioned(item)).collect();
        match (defaults.as_slice(), items.iter().any(|item| conditioned(&item))) {
            ([], true) => {
                let message =
                    format!("`{name}` says nothing when no condition holds; add a variant without one");
                self.warn(variants, &code("response.default_required"), message);
            }
            ([_, second, ..], true) => {
                let message =
                    format!("`{name}` has two variants without a condition; the second is never said");
                self.warn(second, &code("response.multiple_defaults"), message);
            }
            _ => {}
        }
    }

    fn check_variant(&mut self, name: &str, variant: &Node) {
        if let Value::Scalar(scalar) = &variant.value {
            if scalar.text.trim().is_empty() {
                self.empty(name, variant);
            }
            return;
        }
        for (key, _) in variant.entries().unwrap_or_default() {
            let known = key.text().unwrap_or_default();
            if !VARIANT_KEYS.contains(&known) {
                let message = format!("unknown key `{known}`; {}", did_you_mean(known, &VARIANT_KEYS));
                self.warn(key, &code("response.invalid_variant_key"), message);
            }
        }
        if variant.get("text").and_then(Node::text).is_none_or(|text| text.trim().is_empty()) {
            self.empty(name, variant);
        }
        if let Some(condition) = variant.get("condition").filter(|condition| !condition.is_null()) {
            self.check_condition(condition);
        }
        let Some(buttons) = variant.get("buttons").filter(|buttons| !buttons.is_null()) else { return };
        match buttons.get("source") {
            Some(source) => button_sources::check(self, name, source),
            None => self.check_buttons(buttons),
        }
    }

    fn empty(&mut self, name: &str, node: &Node) {
        self.warn(node, &code("response.empty_body"), format!("a variant of `{name}` has no text"));
    }

    /// VAL-27, observed: a variant with such a condition is never said.
    fn check_condition(&mut self, node: &Node) {
        let condition = match node.string().map(|text| Condition::parse(text.trim())) {
            Some(Ok(condition)) => condition,
            Some(Err(error)) => {
                self.error_at(node.inside(error.position()), "response.invalid_condition", error.to_string());
                return;
            }
            None => {
                let message = format!("a condition must be a string, not {}", node.kind());
                self.error(node, "response.invalid_condition", message);
                return;
            }
        };
        let name = "response.unknown_memory_key";
        for (reference, why) in conditions::unreadable(self.checked, self.owner, &condition) {
            let message = conditions::explain(self.checked, &reference.namespace, &reference.entry, why);
            let position = node.inside(reference.position);
            match why {
                Unreadable::Private => {
                    let place = finding::at(self.path, position);
                    self.findings.note(Severity::Warning, &code(name), place, message);
                }
                _ => self.error_at(position, name, message),
            }
        }
    }

    /// Fixed buttons: each has a title, and a payload that is a text; a tap that writes names an entry.
    fn check_buttons(&mut self, buttons: &Node) {
        let invalid = "responses.registry.invalid_variant";
        let Some(items) = buttons.items() else {
            let message = "`buttons` must be a list, or a mapping with `source: <tool>`".to_owned();
            self.warn(buttons, invalid, message);
            return;
        };
        for item in items {
            if item.get("title").and_then(Node::string).is_none_or(|title| title.trim().is_empty()) {
                self.warn(item, invalid, "a button needs a `title`, a text that is not blank".to_owned());
            }
            let Some(payload) = item.get("payload").filter(|payload| !payload.is_null()) else { continue };
            match payload.string() {
                None => {
                    let message = format!("a payload must be a string, not {}", payload.kind());
                    self.warn(payload, invalid, message);
                }
                Some(text) => {
                    if let Some(write) = text.strip_prefix("set:") {
                        self.check_tap(payload, write);
                    }
                }
            }
        }
    }

    /// What a tap writes: `session.<namespace>.<entry>=<value>`.
    fn check_tap(&mut self, payload: &Node, write: &str) {
        let parts = write.split_once('=').filter(|(_, value)| !value.is_empty());
        let named = parts.and_then(|(reference, value)| {
            let (namespace, entry) = reference.strip_prefix("session.")?.split_once('.')?;
            (!entry.contains('.')).then_some((namespace, entry, value))
        });
        let Some((namespace, entry, _)) = named else {
            let message = "a tap that writes is `set:session.<skill>.<entry>=<value>`".to_owned();
            self.warn(payload, &code("response.invalid_button_payload"), message);
            return;
        };
        let full = format!("{namespace}.{entry}");
        let writers =
            self.checked.skills.iter().filter(|skill| self.owner.is_none_or(|owner| *owner == skill.id));
        let schema = self.checked.schema;
        if writers.clone().count() > 0
            && !writers.clone().any(|skill| schema.resolve_write(Some(&skill.id), &full).is_ok())
        {
            let message = format!("no tap can write `{full}`: it is not declared, or another skill's");
            self.warn(payload, &code("response.not_writable_memory_key"), message);
        }
    }
}
