//! What can be seen: the types of the reports and traces, as far as a pattern needs to know them.
//!
//! Read once from the JSON Schema of the protocol's types, so that the two cannot differ.
//! Rules: `protocol`; the naming keys are those of `docs/scenarios.md`.

use std::sync::LazyLock;

use crate::protocol::{self, Json, LoadReport, TurnTrace, WaitReport};

/// What an expectation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observed {
    /// The answer to `load`.
    Load,
    /// The answer to `turn`.
    Turn,
    /// The answer to `wait`.
    Wait,
}

/// What can be seen in one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Type {
    /// What it is.
    pub(crate) kind: Kind,
    /// For a record in a list: the key that a bare string stands for.
    pub(crate) naming: Option<&'static str>,
}

/// The kinds of what can be seen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Any JSON value.
    Anything,
    /// A string.
    Text,
    /// A boolean.
    Flag,
    /// A whole number from 0.
    Integer,
    /// One of these words.
    Word(Vec<&'static str>),
    /// A list of these.
    List(Box<Type>),
    /// A map with free keys.
    Dictionary(Box<Type>),
    /// A map with these keys and no others.
    Record(Vec<Field>),
    /// A word or a record, as an intent is.
    OneOf(Vec<Type>),
}

/// A key of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// The key.
    pub(crate) name: &'static str,
    /// What it means.
    pub(crate) meaning: &'static str,
    /// What stands behind it.
    pub(crate) seen: Type,
}

/// The record types whose naming key a bare string stands for.
const NAMING: [(&str, &str); 9] = [
    ("EventRecord", "event"),
    ("LogRecord", "event"),
    ("ServiceCall", "call"),
    ("ToolRun", "tool"),
    ("ReadResult", "tool"),
    ("MessageRecord", "text"),
    ("Finding", "code"),
    ("Button", "title"),
    ("Await", "what"),
];

/// The key of a trace that is for people only.
const UNJUDGED: &str = "order";

// The schemas live as long as the process, so that their words need no copies.
static SCHEMAS: LazyLock<[Json; 3]> = LazyLock::new(|| {
    [
        protocol::schema_of::<LoadReport>(),
        protocol::schema_of::<TurnTrace>(),
        protocol::schema_of::<WaitReport>(),
    ]
});
static TYPES: LazyLock<[Type; 3]> = LazyLock::new(|| SCHEMAS.each_ref().map(|schema| read(schema, schema)));

impl Observed {
    /// What can be seen of it.
    pub(crate) fn seen(self) -> &'static Type {
        let [load, turn, wait] = &*TYPES;
        match self {
            Self::Load => load,
            Self::Turn => turn,
            Self::Wait => wait,
        }
    }
}

/// The keys of an observation.
pub(crate) fn fields(observed: Observed) -> Vec<&'static Field> {
    observed.seen().fields()
}

impl Type {
    /// A place that can hold anything.
    pub(crate) const ANYTHING: Self = Self { kind: Kind::Anything, naming: None };

    /// The keys that can be here; of several records, those of all.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        match &self.kind {
            Kind::Record(fields) => fields.iter().collect(),
            Kind::OneOf(types) => types.iter().flat_map(Self::fields).collect(),
            _ => Vec::new(),
        }
    }

    /// The words that can be here, if only certain words can.
    pub(crate) fn words(&self) -> Vec<&'static str> {
        match &self.kind {
            Kind::Word(words) => words.clone(),
            Kind::OneOf(types) => types.iter().flat_map(Self::words).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a map can be here.
    pub(crate) fn may_be_map(&self) -> bool {
        matches!(self.kind, Kind::Anything | Kind::Dictionary(_) | Kind::Record(_) | Kind::OneOf(_))
    }

    /// What is here, for messages.
    pub(crate) fn described(&self) -> String {
        match &self.kind {
            Kind::Anything => "anything".to_owned(),
            Kind::Text => "a string".to_owned(),
            Kind::Flag => "a boolean".to_owned(),
            Kind::Integer => "a whole number".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::List(_) => "a list".to_owned(),
            Kind::Dictionary(_) | Kind::Record(_) => "a mapping".to_owned(),
            Kind::OneOf(_) => format!("one of {}, or a mapping", self.words().join(", ")),
        }
    }
}

/// Reads the type that a schema describes; what it does not understand can be anything.
fn read(schema: &'static Json, root: &'static Json) -> Type {
    if let Some(name) =
        schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix("#/$defs/"))
    {
        let definition = root.get("$defs").and_then(|definitions| definitions.get(name));
        let naming = NAMING.iter().find(|(record, _)| *record == name).map(|(_, key)| *key);
        let inner = definition.map_or(Type::ANYTHING, |definition| read(definition, root));
        return Type { naming, ..inner };
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(alternatives) = schema.get(word).and_then(Json::as_array) {
            return one_of(
                alternatives.iter().filter(|schema| !is_null(schema)).map(|schema| read(schema, root)),
            );
        }
    }
    if let Some(word) = schema.get("const").and_then(Json::as_str) {
        return Type { kind: Kind::Word(vec![word]), naming: None };
    }
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        return Type { kind: Kind::Word(words.iter().filter_map(Json::as_str).collect()), naming: None };
    }
    let kind = match type_word(schema) {
        Some("string") => Kind::Text,
        Some("boolean") => Kind::Flag,
        Some("integer") => Kind::Integer,
        Some("array") => {
            Kind::List(Box::new(schema.get("items").map_or(Type::ANYTHING, |items| read(items, root))))
        }
        Some("object") => object(schema, root),
        _ => Kind::Anything,
    };
    Type { kind, naming: None }
}

fn object(schema: &'static Json, root: &'static Json) -> Kind {
    if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
        let field = |(name, schema): (&'static String, &'static Json)| Field {
            name,
            meaning: schema.get("description").and_then(Json::as_str).unwrap_or_default(),
            seen: read(schema, root),
        };
        let is_judged = |(name, _): &(&String, &Json)| name.as_str() != UNJUDGED;
        return Kind::Record(properties.iter().filter(is_judged).map(field).collect());
    }
    match schema.get("additionalProperties") {
        Some(value) => Kind::Dictionary(Box::new(read(value, root))),
        None => Kind::Dictionary(Box::new(Type::ANYTHING)),
    }
}

/// Several alternatives: one stands for itself, words are gathered, a mixture stays one.
fn one_of(types: impl Iterator<Item = Type>) -> Type {
    let mut types: Vec<Type> = types.collect();
    if types.iter().all(|seen| matches!(seen.kind, Kind::Word(_))) {
        let words = types.iter().flat_map(Type::words).collect();
        return Type { kind: Kind::Word(words), naming: None };
    }
    match (types.len(), types.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            types.extend(last);
            Type { kind: Kind::OneOf(types), naming: None }
        }
    }
}

fn is_null(schema: &Json) -> bool {
    type_word(schema) == Some("null")
}

/// The `type` of a schema; beside `null`, which every expectation may be, there is one.
fn type_word(schema: &Json) -> Option<&str> {
    match schema.get("type")? {
        Json::String(word) => Some(word),
        Json::Array(words) => words.iter().filter_map(Json::as_str).find(|word| *word != "null"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(observed: Observed, name: &str) -> &'static Type {
        &fields(observed).into_iter().find(|field| field.name == name).unwrap().seen
    }

    #[test]
    fn the_types_are_read_from_the_protocol() {
        assert_eq!(field(Observed::Load, "outcome").words(), ["ok", "rejected"]);
        assert_eq!(field(Observed::Load, "phase").words(), ["train", "load", "startup"]);
        assert_eq!(field(Observed::Turn, "started_ms").kind, Kind::Integer);
        let Kind::List(events) = &field(Observed::Turn, "events").kind else { panic!("not a list") };
        assert_eq!(events.naming, Some("event"));
        assert!(matches!(events.kind, Kind::Record(_)));
        let Kind::Dictionary(skill) = &field(Observed::Load, "skills").kind else { panic!("not a map") };
        assert!(skill.fields().iter().any(|field| field.name == "tools"));
        assert!(field(Observed::Turn, "memory").may_be_map());
    }

    #[test]
    fn every_naming_key_is_a_key_of_its_record() {
        for (record, key) in NAMING {
            let definition = SCHEMAS.iter().find_map(|schema| schema.get("$defs")?.get(record));
            let properties = definition.and_then(|definition| definition.get("properties")).unwrap();
            assert!(properties.get(key).is_some(), "{record} has no {key}");
        }
    }
}
