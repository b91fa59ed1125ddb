//! A condition as somebody wrote it: its text, and where each character of it stands.
//!
//! Knows places; what the condition means is for `condition` to say.
//! Rules: contract-notes, "4. Conditions".

use crate::protocol::SourcePlace;
use crate::reference::finding;
use crate::source::Position;
use crate::source::yaml::{Node, Scalar, Value};

/// A condition's text in its file.
#[derive(Clone, Debug)]
pub(crate) struct WrittenCondition {
    /// The text.
    pub(crate) text: String,
    path: String,
    node: Node,
    lines_before: u32,
}

impl WrittenCondition {
    /// The condition that a YAML value is, in a document that begins some lines into its file.
    pub(crate) fn of(path: &str, node: &Node, lines_before: u32) -> Option<Self> {
        let text = node.string()?.to_owned();
        Some(Self { text, path: path.to_owned(), node: node.clone(), lines_before })
    }

    /// A condition that stands as it is from a position on.
    pub(crate) fn standing_at(path: &str, text: &str, position: Position) -> Self {
        let scalar = Scalar { text: text.to_owned(), plain: false, block: Some(position) };
        let node = Node { position, value: Value::Scalar(scalar) };
        Self { text: text.to_owned(), path: path.to_owned(), node, lines_before: 0 }
    }

    /// Where a position in the condition's text stands.
    pub(crate) fn place(&self, position: Position) -> SourcePlace {
        let inside = self.node.inside(position);
        finding::at(&self.path, Position::new(inside.line + self.lines_before, inside.column))
    }
}
