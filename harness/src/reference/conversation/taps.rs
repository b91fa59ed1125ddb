//! What the user does at the start of a turn: says something, or taps a button.
//!
//! A payload `set:session.<namespace>.<entry>=<value>` writes memory; every other text is for the model.
//! Rules: contract-notes, "6. responses.yml" (tap handling); BTN-15 to BTN-28.

use super::fields::Write;
use super::turn::{TurnEnd, TurnEngine, failure};
use crate::protocol::{Json, MemoryField, Outcome, SkillId, UserInput};

/// What a tap begins with that writes memory.
const WRITES: &str = "set:";

/// The response that tells the user of a tap that wrote nothing.
const SKIPPED: &str = "utter_set_memory_button_skipped";

impl TurnEngine<'_> {
    /// Takes in what the user does. `Some` when that ends the turn.
    pub(super) async fn hear(&mut self) -> Result<Option<TurnEnd>, String> {
        let (text, title) = match &self.turn.input {
            UserInput::Says(text) => (text.clone(), None),
            UserInput::Taps { title } => {
                let button = self.standing.buttons.iter().find(|button| button.title == *title);
                let Some(button) = button.cloned() else {
                    let message = format!("the latest message has no button `{title}`");
                    return Ok(Some((Outcome::Failed, Some(failure("no_such_button", &message)))));
                };
                (button.payload, Some(button.title))
            }
        };
        self.standing.shared.record("user", [("text", Json::String(text.clone()))]);
        match text.strip_prefix(WRITES) {
            Some(write) => self.take_write(&text, write, title).await,
            None => {
                self.heard = title.map(|_| text);
                Ok(None)
            }
        }
    }

    /// A text that wants to write memory. Its wording never reaches the model (BTN-17).
    async fn take_write(
        &mut self,
        payload: &str,
        write: &str,
        title: Option<String>,
    ) -> Result<Option<TurnEnd>, String> {
        let Some((key, text)) = parsed(write) else {
            let Some(title) = title else { return self.skip().await };
            self.heard = Some(title);
            return Ok(None);
        };
        // BTN-24: only what the latest message offers.
        let is_offered = self.standing.buttons.iter().any(|button| button.payload == payload);
        let owner = self.standing.active().cloned().filter(|_| is_offered);
        let Some((owner, value)) = owner.and_then(|owner| self.tapped_value(&owner, key, text)) else {
            return self.skip().await;
        };
        match self.write(&owner, key, &value).await? {
            Write::Kept => {
                self.remember(key.to_owned());
                Ok(None)
            }
            Write::Rejected(_) => {
                self.heard = title;
                Ok(None)
            }
            Write::Refused(_) => self.skip().await,
            Write::Cut => Ok(Some((Outcome::Cancelled, None))),
        }
    }

    /// The value that a tap gives an entry of the active skill or of the project (BTN-25, BTN-26).
    fn tapped_value(&self, owner: &SkillId, key: &str, text: &str) -> Option<(SkillId, Json)> {
        let (namespace, entry) = key.split_once('.')?;
        if namespace != owner.as_str() && namespace != "project" {
            return None;
        }
        let memory = self.standing.shared.memory.borrow();
        let field = memory.schema().qualified(namespace, entry)?;
        Some((owner.clone(), coerced(&field.declaration, text)?))
    }

    /// Tells the user that nothing was written. The turn ends without the model (BTN-28).
    async fn skip(&mut self) -> Result<Option<TurnEnd>, String> {
        let active = self.standing.active().cloned();
        self.respond(active.as_ref(), SKIPPED).await?;
        Ok(Some((Outcome::Completed, None)))
    }
}

/// `session.<namespace>.<entry>=<value>` as the entry's full name and the value.
fn parsed(write: &str) -> Option<(&str, &str)> {
    let (reference, value) = write.split_once('=')?;
    let key = reference.strip_prefix("session.")?;
    (key.matches('.').count() == 1 && !value.is_empty()).then_some((key, value))
}

/// The value that a tapped text means for an entry (BTN-27).
fn coerced(declaration: &MemoryField, text: &str) -> Option<Json> {
    match declaration.kind.as_str() {
        "bool" => match text.to_lowercase().as_str() {
            "true" | "yes" | "1" => Some(Json::Bool(true)),
            "false" | "no" | "0" => Some(Json::Bool(false)),
            _ => None,
        },
        "int" => text.parse::<i64>().ok().map(Json::from),
        "float" => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Json::from),
        "list" => serde_json::from_str::<Json>(text).ok().filter(Json::is_array),
        "json" => serde_json::from_str::<Json>(text).ok().filter(|value| !value.is_null()),
        "categorical" => {
            let listed = declaration.enum_values.is_empty()
                || declaration.enum_values.iter().any(|allowed| allowed == text);
            listed.then(|| Json::String(text.to_owned()))
        }
        _ => Some(Json::String(text.to_owned())),
    }
}
