//! `ToolContext` and what hangs from it, as Python code sees them.
//!
//! Rules: chapter CTX; tools-reference, "`ToolContext`".

use std::cell::RefCell;
use std::rc::Rc;

use super::shared::Shared;
use crate::protocol::{Button, Json, Sender, SkillId};
use crate::reference::memory::QuietWrite;
use crate::reference::python::{Arguments, HostObject, HostRaise, Record, Value, from_json, to_json};

/// The buttons that a response's source tool supplies.
pub(crate) type SuppliedButtons = Rc<RefCell<Vec<Value>>>;

/// One invocation's context (CTX-01).
pub(crate) struct ToolContext {
    /// The conversation.
    pub(crate) shared: Rc<Shared>,
    /// The skill whose memory bare names mean.
    pub(crate) skill: SkillId,
    /// The provider's settings.
    pub(crate) llm_config: Json,
    /// Whether knowledge is packaged.
    pub(crate) has_index: bool,
    /// Whether the tool is a post-write hook, whose project writes are skipped quietly.
    pub(crate) is_hook: bool,
    /// Where `set_buttons` puts its list, for a button source.
    pub(crate) buttons: Option<SuppliedButtons>,
}

impl std::fmt::Debug for ToolContext {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ToolContext of {}", self.skill)
    }
}

impl HostObject for ToolContext {
    fn class_name(&self) -> &'static str {
        "ToolContext"
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        match name {
            "memory" => Some(Value::Host(Rc::new(MemorySlice {
                shared: Rc::clone(&self.shared),
                skill: self.skill.clone(),
                is_hook: self.is_hook,
            }))),
            // CTX-13, CTX-14: a list of its own each time.
            "events" => Some(Value::list(self.shared.history.borrow().iter().map(typed_event).collect())),
            "is_cancelled" => Some(Value::Bool(self.shared.is_cut())),
            "model" => Some(Value::Host(Rc::new(ToolModel {
                llm_config: self.llm_config.clone(),
                has_index: self.has_index,
            }))),
            _ => None,
        }
    }

    fn is_coroutine_method(&self, name: &str) -> bool {
        name == "send"
    }

    fn methods(&self) -> &'static [&'static str] {
        &["send", "set_buttons"]
    }

    fn call_method(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, HostRaise>> {
        match name {
            "send" => {
                let text = arguments.positional.first().or_else(|| arguments.keywords.get("text"));
                let text = text.and_then(Value::display).unwrap_or_default();
                // CTX-08: after an interrupt the message is dropped.
                if !self.shared.is_cut() {
                    self.shared.send_text(&text, Sender::Tool);
                }
                Some(Ok(Value::None))
            }
            "set_buttons" => Some(self.set_buttons(arguments)),
            _ => None,
        }
    }
}

impl ToolContext {
    fn set_buttons(&self, arguments: &Arguments) -> Result<Value, HostRaise> {
        let Some(buttons) = &self.buttons else {
            let message = "set_buttons is only for a response button source tool".to_owned();
            return Err(HostRaise { class: "RuntimeError", message });
        };
        let given = arguments.positional.first().or_else(|| arguments.keywords.get("buttons"));
        *buttons.borrow_mut() = given.and_then(Value::items).unwrap_or_default();
        Ok(Value::None)
    }
}

/// The buttons a source tool supplied, as they are delivered: those without a title, a payload or a writable
/// reference are left out (BTN-16, BTN-19, BTN-29).
pub(crate) fn delivered_buttons(supplied: &[Value], is_writable: impl Fn(&str) -> bool) -> Vec<Button> {
    let deliver = |value: &Value| {
        let Value::Record(record) = value else { return None };
        if &*record.class != "Button" {
            return None;
        }
        let fields = record.fields.borrow();
        let text = |name: &str| {
            fields.get(name).filter(|value| !matches!(value, Value::None)).and_then(Value::display)
        };
        let title = text("title").filter(|title| !title.trim().is_empty())?;
        let value = text("value");
        let payload = match text("ref") {
            Some(reference) => {
                is_writable(&reference).then_some(())?;
                // A tap must have something to write.
                let value = value.filter(|value| !value.is_empty())?;
                format!("set:{reference}={value}")
            }
            None => value.unwrap_or_else(|| title.clone()),
        };
        (!payload.trim().is_empty()).then_some(Button { title, payload })
    };
    supplied.iter().filter_map(deliver).collect()
}

/// `context.memory`.
struct MemorySlice {
    shared: Rc<Shared>,
    skill: SkillId,
    is_hook: bool,
}

impl std::fmt::Debug for MemorySlice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "memory of {}", self.skill)
    }
}

impl HostObject for MemorySlice {
    fn class_name(&self) -> &'static str {
        "MemorySlice"
    }

    fn attribute(&self, _: &str) -> Option<Value> {
        None
    }

    fn methods(&self) -> &'static [&'static str] {
        &["get", "set"]
    }

    fn call_method(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, HostRaise>> {
        let argument = |position: usize, names: [&str; 2]| {
            let by_name = || names.iter().find_map(|name| arguments.keywords.get(*name));
            arguments.positional.get(position).or_else(by_name)
        };
        let entry = argument(0, ["entry", "name"]);
        match name {
            "get" => {
                let memory = self.shared.memory.borrow();
                let held = match entry {
                    Some(Value::Text(entry)) => memory.get(Some(&self.skill), entry),
                    // MEM-19: `get` never raises, whatever it is given.
                    _ => None,
                };
                let default = || argument(1, ["default", "default"]).cloned().unwrap_or(Value::None);
                Some(Ok(held.map_or_else(default, from_json)))
            }
            "set" => {
                let Some(Value::Text(entry)) = entry else {
                    let message = "set() needs the name of an entry".to_owned();
                    return Some(Err(HostRaise { class: "TypeError", message }));
                };
                Some(self.set(entry, argument(1, ["value", "value"]).unwrap_or(&Value::None)))
            }
            _ => None,
        }
    }
}

impl MemorySlice {
    fn set(&self, entry: &str, value: &Value) -> Result<Value, HostRaise> {
        let value = to_json(value).map_err(|what| HostRaise {
            class: "TypeError",
            message: format!("{what} cannot be kept in memory"),
        })?;
        let now = self.shared.now_ms();
        let mut memory = self.shared.memory.borrow_mut();
        let mut events = self.shared.history.borrow_mut();
        let raised = |error: crate::reference::memory::MemoryWriteError| HostRaise {
            class: error.class_name(),
            message: error.to_string(),
        };
        if self.is_hook {
            // A project entry that is set already is left alone, and the hook goes on.
            let _: QuietWrite = memory
                .set_unless_project_is_set(Some(&self.skill), entry, value, now, &mut events)
                .map_err(raised)?;
            return Ok(Value::None);
        }
        memory.set(Some(&self.skill), entry, value, now, &mut events).map_err(raised)?;
        Ok(Value::None)
    }
}

/// `context.model` (CTX-16 to CTX-21): every reading is a copy.
#[derive(Debug)]
struct ToolModel {
    llm_config: Json,
    has_index: bool,
}

impl HostObject for ToolModel {
    fn class_name(&self) -> &'static str {
        "ToolModelContext"
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        match name {
            "llm_config" => Some(from_json(&self.llm_config)),
            "references_index" if self.has_index => Some(Value::Record(Rc::new(Record {
                class: Rc::from("ReferencesIndex"),
                fields: RefCell::default(),
            }))),
            "references_index" => Some(Value::None),
            _ => None,
        }
    }

    fn methods(&self) -> &'static [&'static str] {
        &[]
    }

    fn call_method(&self, _: &str, _: &Arguments) -> Option<Result<Value, HostRaise>> {
        None
    }
}

/// An event as an object of a class of its own kind (CTX-12): `memory_set` is a `MemorySet`.
fn typed_event(event: &crate::protocol::EventRecord) -> Value {
    let class: String = event
        .event
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect();
    let fields = event.data.iter().map(|(name, value)| (Rc::from(name.as_str()), from_json(value)));
    Value::Record(Rc::new(Record { class: Rc::from(class), fields: RefCell::new(fields.collect()) }))
}
