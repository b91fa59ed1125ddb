//! Shapes: what may stand where in a file that people write, as data.
//!
//! One table drives the diagnostics of a wrong file and the JSON Schema that editors complete from,
//! so that the two cannot differ. Knows nothing of scenarios but the table itself (`tables`).
//! Rules: `docs/scenarios.md`.

mod check;
mod json_schema;
mod tables;

pub(crate) use check::{boolean, check, count, shown};
pub use json_schema::scenario_schema;
pub(crate) use tables::{INTENT_KEYS, SCENARIO};

/// What may stand in a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A string.
    Text,
    /// A string that names something: not blank.
    Name,
    /// `true` or `false`.
    Flag,
    /// Only `true`: leaving the key out means the opposite.
    True,
    /// A whole number from 1.
    Count,
    /// A duration such as `3s`.
    Duration,
    /// The id of a clause.
    Requirement,
    /// One of these words.
    Word(&'static [&'static str]),
    /// The content of a file, or null.
    File,
    /// Any value, taken literally.
    Anything,
    /// A pattern for one of these observations, by the names of their types.
    Pattern(&'static [&'static str]),
    /// A mapping with these keys and no others.
    Record(&'static Record),
    /// A mapping with free keys.
    Dictionary(&'static Shape),
    /// A list; whether it may be empty.
    List {
        /// What each item is.
        item: &'static Shape,
        /// Whether it may have no items.
        may_be_empty: bool,
    },
    /// One of these, or a list of them with at least one.
    OneOrMany(&'static Shape),
}

/// A mapping with known keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// What it is, for messages: "a scenario", "a step".
    pub(crate) name: &'static str,
    /// Its name in the JSON Schema.
    pub(crate) definition: &'static str,
    /// Its keys, in the order in which they are best written.
    pub(crate) keys: &'static [Key],
}

/// A key of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The key.
    pub(crate) name: &'static str,
    /// What may stand behind it.
    pub(crate) shape: Shape,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it means.
    pub(crate) meaning: &'static str,
}

impl Shape {
    /// What belongs here, for messages: "a string", "a list of mappings".
    pub(crate) fn wanted(&self) -> String {
        match self {
            Self::Text | Self::Name => "a string".to_owned(),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::True => "`true`".to_owned(),
            Self::Count => "a whole number from 1".to_owned(),
            Self::Duration => "a duration".to_owned(),
            Self::Requirement => "the id of a clause".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::File => "a file's text, or null".to_owned(),
            Self::Anything => "a value".to_owned(),
            Self::Pattern(_) | Self::Dictionary(_) => "a mapping".to_owned(),
            Self::Record(record) => format!("a mapping, {}", record.name),
            Self::List { item, .. } => format!("a list, each item {}", item.wanted()),
            Self::OneOrMany(item) => format!("{}, or a list of such", item.wanted()),
        }
    }
}
