//! Memory agrees, call by call, with a second model of it written from the text alone.
//!
//! The model keeps a set of declared names and a map of values; it shares no code with what it is held
//! against. Rules: tools-reference, "`context.memory`"; contract-notes, "3. memory.yml".

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;

const SKILLS: [&str; 3] = ["alpha", "beta", "gamma"];
const ENTRIES: [&str; 3] = ["x", "y", "z"];

/// A declaration by full name: whether it is private, and the initial value.
type Declarations = BTreeMap<String, (bool, Json)>;

#[derive(Clone, Debug)]
enum Call {
    Get(String),
    GetWithDefault(String, Json),
    Condition(String, String),
    Set(String, Json),
    QuietSet(String, Json),
    Activate(Option<usize>),
    StartSkill(usize),
}

/// The outcome of a call: a value, or the kind of refusal.
#[derive(Debug, PartialEq)]
enum Seen {
    Value(Json),
    Nothing,
    Skipped,
    Raised { class: &'static str, kind: &'static str },
}

// The model.

struct Model {
    declared: Declarations,
    values: BTreeMap<String, Json>,
    active: Option<&'static str>,
    events: Vec<(String, Json, Json)>,
}

impl Model {
    fn new(declared: Declarations) -> Self {
        let values = declared.iter().map(|(name, (_, initial))| (name.clone(), initial.clone())).collect();
        Self { declared, values, active: None, events: Vec::new() }
    }

    /// "Bare: active skill, then project. Fully-qualified: as it stands." A namespace is what is known as one.
    fn full(&self, name: &str) -> String {
        let first = name.split('.').next().unwrap();
        if name.contains('.') && (SKILLS.contains(&first) || ["project", "system"].contains(&first)) {
            return name.to_owned();
        }
        let own = self.active.map(|skill| format!("{skill}.{name}"));
        own.filter(|own| self.declared.contains_key(own)).unwrap_or_else(|| format!("project.{name}"))
    }

    /// "The active skill's public and private fields, every other skill's public fields, and project fields."
    fn readable(&self, full: &str) -> Json {
        let Some((private, _)) = self.declared.get(full) else { return Json::Null };
        let own = self.active.is_some_and(|skill| full.starts_with(&format!("{skill}.")));
        if *private && !own { Json::Null } else { self.values[full].clone() }
    }

    fn set(&mut self, name: &str, value: &Json) -> Seen {
        let raised = |class, kind| Seen::Raised { class, kind };
        let full = self.full(name);
        let namespace = full.split('.').next().unwrap();
        if namespace == "system" {
            return raised("MemoryWriteError", "system");
        }
        if namespace != "project" && self.active != Some(namespace) {
            return raised("MemoryWriteError", "cross-skill");
        }
        if !self.declared.contains_key(&full) {
            return raised("MemoryWriteError", "undeclared");
        }
        if namespace == "project" && self.values[&full] != Json::Null {
            return raised("ProjectMemoryAlreadySetError", "already set");
        }
        self.write(full, value);
        Seen::Nothing
    }

    fn write(&mut self, full: String, value: &Json) {
        self.events.push(("slot".to_owned(), json!(full), value.clone()));
        let event = if *value == Json::Null { "memory_cleared" } else { "memory_set" };
        self.events.push((event.to_owned(), json!(full), value.clone()));
        self.values.insert(full, value.clone());
    }

    fn call(&mut self, call: &Call) -> Seen {
        match call {
            Call::Get(name) => Seen::Value(self.readable(&self.full(name))),
            Call::GetWithDefault(name, default) => match self.readable(&self.full(name)) {
                Json::Null => Seen::Value(default.clone()),
                value => Seen::Value(value),
            },
            Call::Condition(namespace, entry) => Seen::Value(self.readable(&format!("{namespace}.{entry}"))),
            Call::Set(name, value) => self.set(name, value),
            Call::QuietSet(name, value) => match self.set(name, value) {
                Seen::Raised { class: "ProjectMemoryAlreadySetError", .. } => Seen::Skipped,
                seen => seen,
            },
            Call::Activate(skill) => {
                self.active = skill.map(|skill| SKILLS[skill]);
                Seen::Nothing
            }
            Call::StartSkill(skill) => {
                let prefix = format!("{}.", SKILLS[*skill]);
                let own: Vec<_> = self.declared.clone().into_iter().collect();
                for (full, (_, initial)) in own.iter().filter(|(full, _)| full.starts_with(&prefix)) {
                    if self.values[full] != *initial {
                        self.write(full.clone(), initial);
                    }
                }
                Seen::Nothing
            }
        }
    }
}

// What is held against it.

impl Conversation {
    fn of(declared: &Declarations) -> Self {
        let entries = |namespace: &str| -> IndexMap<EntryName, MemoryField> {
            let own = declared.iter().filter_map(|(full, declaration)| {
                let (owner, entry) = full.split_once('.')?;
                (owner == namespace).then_some((entry, declaration))
            });
            own.map(|(entry, (private, initial))| {
                let initial_value = initial.clone();
                let field = MemoryField { private: *private, initial_value, ..MemoryField::default() };
                (EntryName::new(entry), field)
            })
            .collect()
        };
        let skills: IndexMap<SkillId, _> =
            SKILLS.iter().map(|skill| (SkillId::new(*skill), entries(skill))).collect();
        let memory = Memory::new(Rc::new(Schema::new(&skills, &entries("project"))));
        Self { memory, events: Vec::new(), active: None }
    }

    fn call(&mut self, call: &Call) -> Seen {
        let raised = |refused: &MemoryWriteError| Seen::Raised {
            class: refused.class_name(),
            kind: match refused {
                MemoryWriteError::Undeclared { .. } => "undeclared",
                MemoryWriteError::CrossSkill { .. } => "cross-skill",
                MemoryWriteError::SystemNamespace { .. } => "system",
                MemoryWriteError::ProjectAlreadySet { .. } => "already set",
            },
        };
        let active = self.active.as_ref();
        match call {
            Call::Get(name) => Seen::Value(self.get(name).cloned().unwrap_or_default()),
            Call::GetWithDefault(name, default) => Seen::Value(self.get(name).unwrap_or(default).clone()),
            Call::Condition(namespace, entry) => {
                Seen::Value(self.memory.read_for_condition(active, namespace, entry).clone())
            }
            Call::Set(name, value) => {
                let admitted = self.memory.resolve_write(active, name).map(|_| ());
                let written = self.memory.set(active, name, value.clone(), 0, &mut self.events);
                assert_eq!(admitted, written, "resolving says what setting does");
                written.map_or_else(|refused| raised(&refused), |()| Seen::Nothing)
            }
            Call::QuietSet(name, value) => {
                match self.memory.set_unless_project_is_set(active, name, value.clone(), 0, &mut self.events)
                {
                    Ok(QuietWrite::Written) => Seen::Nothing,
                    Ok(QuietWrite::Skipped) => Seen::Skipped,
                    Err(refused) => raised(&refused),
                }
            }
            Call::Activate(skill) => {
                self.active = skill.map(|skill| SkillId::new(SKILLS[skill]));
                Seen::Nothing
            }
            Call::StartSkill(skill) => {
                self.memory.start_skill(&SkillId::new(SKILLS[*skill]), 0, &mut self.events);
                Seen::Nothing
            }
        }
    }

    fn history(&self) -> Vec<(String, Json, Json)> {
        let field = |event: &EventRecord, key: &str| event.data.get(key).cloned();
        let shown = |event: &EventRecord| {
            let name = field(event, "name").or_else(|| field(event, "key")).unwrap();
            (event.event.clone(), name, field(event, "value").unwrap_or_default())
        };
        self.events.iter().map(shown).collect()
    }
}

// What is generated.

fn value() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        Just(json!(false)),
        Just(json!(0)),
        Just(json!("")),
        Just(json!([])),
        (1..4).prop_map(|number| json!(number)),
    ]
}

fn declarations() -> impl Strategy<Value = Declarations> {
    let namespaces = SKILLS.iter().chain(&["project"]);
    let names: Vec<String> = namespaces
        .flat_map(|namespace| ENTRIES.iter().map(move |entry| format!("{namespace}.{entry}")))
        // A name with a dot of its own, and one that reads like another skill's.
        .chain(["alpha.a.b", "project.a.b", "alpha.beta.x", "project.system.x"].map(str::to_owned))
        .collect();
    let declaration = prop::option::weighted(0.6, (any::<bool>(), prop::option::of(value())));
    prop::collection::vec(declaration, names.len()).prop_map(move |declared| {
        let pairs = names.iter().cloned().zip(declared);
        pairs
            .filter_map(|(name, declaration)| {
                let (private, initial) = declaration?;
                let private = private && !name.starts_with("project.");
                Some((name, (private, initial.unwrap_or_default())))
            })
            .collect()
    })
}

fn name() -> impl Strategy<Value = String> {
    let namespace = prop::sample::select(vec!["alpha", "beta", "gamma", "project", "system", "session", ""]);
    let entry = prop::sample::select(vec!["x", "y", "z", "a.b", "unknown", ""]);
    prop_oneof![
        2 => entry.clone().prop_map(str::to_owned),
        3 => (namespace, entry).prop_map(|(namespace, entry)| format!("{namespace}.{entry}")),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let namespace = prop::sample::select(vec!["alpha", "beta", "gamma", "project", "system", "nobody"]);
    let entry = prop::sample::select(vec!["x", "y", "z", "unknown"]);
    prop_oneof![
        3 => name().prop_map(Call::Get),
        3 => (name(), value()).prop_map(|(name, default)| Call::GetWithDefault(name, default)),
        2 => (namespace, entry).prop_map(|(namespace, entry)| Call::Condition(namespace.into(), entry.into())),
        6 => (name(), value()).prop_map(|(name, value)| Call::Set(name, value)),
        2 => (name(), value()).prop_map(|(name, value)| Call::QuietSet(name, value)),
        2 => prop::option::weighted(0.9, 0..SKILLS.len()).prop_map(Call::Activate),
        1 => (0..SKILLS.len()).prop_map(Call::StartSkill),
    ]
}

proptest! {
    #[test]
    fn memory_does_what_the_text_says(declared in declarations(), calls in prop::collection::vec(call(), 1..60)) {
        let mut memory = Conversation::of(&declared);
        let mut model = Model::new(declared);
        for call in &calls {
            prop_assert_eq!(memory.call(call), model.call(call), "{:?}", call);
            prop_assert_eq!(memory.history(), &model.events[..], "{:?}", call);
        }
        let held = model.values.into_iter().filter(|(_, value)| *value != Json::Null);
        prop_assert_eq!(memory.memory.dump(), held.collect::<BTreeMap<_, _>>());
    }
}
