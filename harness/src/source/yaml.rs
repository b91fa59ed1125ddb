//! YAML as a tree that remembers where everything stands.
//!
//! Knows nothing of what the keys mean. Scalars keep their text: what a plain `yes` or `on` means is
//! for the reader of the file to say. Duplicate keys, unknown aliases, several documents and trees
//! beyond [`MAXIMUM_DEPTH`] or [`MAXIMUM_NODES`] are errors.

mod build;
mod resolve;

use std::cell::RefCell;
use std::rc::Rc;

use super::Position;
use super::recent::Recent;

pub use build::parse;
pub use resolve::{Resolved, resolve_plain};

thread_local! {
    static RECENT: RefCell<Recent<Node>> = const { RefCell::new(Recent::new()) };
}

/// As [`parse`], for texts that are read more than once: those read last are parsed once.
pub fn parse_shared(text: &str) -> Result<Option<Rc<Node>>, YamlError> {
    if let Some(root) = RECENT.with_borrow_mut(|recent| recent.find(text)) {
        return Ok(Some(root));
    }
    let root = parse(text)?.map(Rc::new);
    if let Some(root) = &root {
        RECENT.with_borrow_mut(|recent| recent.remember(text, root));
    }
    Ok(root)
}

/// How deep a document may nest.
pub const MAXIMUM_DEPTH: usize = 96;
/// How many nodes a document may have, aliases counted as often as they are used.
pub const MAXIMUM_NODES: usize = 200_000;

/// A node of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the node begins.
    pub position: Position,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar, with its text.
    Scalar(Scalar),
    /// A sequence.
    Sequence(Vec<Node>),
    /// A mapping, in the order of the text; keys are unique.
    Mapping(Vec<(Node, Node)>),
}

/// A scalar's text and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text, unquoted and unfolded.
    pub text: String,
    /// Whether it was written plain, so that `3` means a number.
    pub plain: bool,
    /// For a literal block (`|`): where its first character stands in the file.
    pub block: Option<Position>,
}

/// A text that is not YAML, or more of it than is read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// Where.
    pub position: Position,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl Node {
    /// The scalar's text, if this is a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The text, if this is a scalar that means a string.
    pub fn string(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) if !scalar.plain => Some(&scalar.text),
            Value::Scalar(scalar) => match resolve_plain(&scalar.text) {
                Resolved::String => Some(&scalar.text),
                _ => None,
            },
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// Whether this is a plain null.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.plain && resolve_plain(&scalar.text) == Resolved::Null)
    }

    /// The items, if this is a sequence.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            Value::Scalar(_) | Value::Mapping(_) => None,
        }
    }

    /// The entries, if this is a mapping.
    pub fn entries(&self) -> Option<&[(Node, Node)]> {
        match &self.value {
            Value::Mapping(entries) => Some(entries),
            Value::Scalar(_) | Value::Sequence(_) => None,
        }
    }

    /// The value of a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()?.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// The value as JSON, by YAML's core schema; a key that is not a string becomes its text.
    pub fn to_json(&self) -> serde_json::Value {
        resolve::to_json(self)
    }

    /// What kind of value this is, for messages: "a string", "a mapping", …
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) if !scalar.plain => "a string",
            Value::Scalar(scalar) => match resolve_plain(&scalar.text) {
                Resolved::Null => "null",
                Resolved::Bool(_) => "a boolean",
                Resolved::Integer(_) => "an integer",
                Resolved::Float(_) => "a number",
                Resolved::String => "a string",
            },
        }
    }

    /// Where a position inside this literal block's text stands in the file. For a scalar written
    /// another way: where the scalar begins, since folding and escapes have moved its characters.
    pub fn inside(&self, position: Position) -> Position {
        match &self.value {
            Value::Scalar(Scalar { block: Some(start), .. }) => {
                Position::new(start.line + position.line - 1, start.column + position.column - 1)
            }
            _ => self.position,
        }
    }
}
