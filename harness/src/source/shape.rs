//! Shapes: what may stand where in a file that people write, as data.
//!
//! One table drives the diagnostics of a wrong file and the JSON Schema that editors complete from,
//! so that the two cannot differ. Knows no table: each is written where its files are read.
//! Rules: each message says what stands in the file, each remedy what should.

mod check;
mod json_schema;

pub(crate) use check::{boolean, check, count, shown};
pub(crate) use json_schema::definitions;

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
    /// A string, or another scalar, that is spelled in a certain way.
    Spelled(&'static Spelling),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The content of a file, or null.
    File,
    /// Any value, taken literally.
    Anything,
    /// What somebody else checks: one of these definitions of the JSON Schema.
    Defined(&'static [&'static str]),
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

/// How a scalar must be spelled.
#[derive(Debug)]
pub(crate) struct Spelling {
    /// What it is, for messages: "a duration".
    pub(crate) wanted: &'static str,
    /// What is wrong with a text, to be read behind it: "has no unit".
    pub(crate) complaint: fn(&str) -> Option<String>,
    /// How to spell it.
    pub(crate) remedy: &'static str,
    /// A regular expression that editors may use; it lets through what only `complaint` can judge.
    pub(crate) expression: &'static str,
}

/// A mapping with known keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// What it is, for messages, with its article: "a scenario", "a step".
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
            Self::Spelled(spelling) => spelling.wanted.to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::File => "a file's text, or null".to_owned(),
            Self::Anything => "a value".to_owned(),
            Self::Defined(_) | Self::Dictionary(_) => "a mapping".to_owned(),
            Self::Record(record) => format!("a mapping, {}", record.name),
            Self::List { item, .. } => format!("a list, each item {}", item.wanted()),
            Self::OneOrMany(item) => format!("{}, or a list of such", item.wanted()),
        }
    }
}
