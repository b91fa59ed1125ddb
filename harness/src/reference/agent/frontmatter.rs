//! `skill.md`: the frontmatter between two `---` lines, and the body after it.
//!
//! Splits the file; what its keys mean is for the readers of each.
//! Rules: contract-notes, "2. skill.md".

use std::rc::Rc;

use super::written::WrittenCondition;
use super::{BrokenYaml, parse_yaml};
use crate::protocol::SourcePlace;
use crate::reference::finding;
use crate::source::Position;
use crate::source::yaml::Node;

/// A `skill.md`, taken apart.
pub(crate) struct Document {
    /// The frontmatter, a mapping; `None` when it is empty.
    pub(crate) settings: Option<Rc<Node>>,
    /// The line that the settings' line 1 is, minus one.
    lines_before: u32,
    /// The body.
    pub(crate) body: String,
    /// How many lines of the file stand before the body.
    pub(crate) body_line: u32,
}

/// A `skill.md` that cannot be taken apart.
pub(crate) struct Malformed {
    pub(crate) code: &'static str,
    pub(crate) place: SourcePlace,
    pub(crate) message: String,
}

impl Document {
    /// Where a node of the settings stands in the file.
    pub(crate) fn place(&self, path: &str, position: Position) -> SourcePlace {
        finding::at(path, Position::new(position.line + self.lines_before, position.column))
    }

    /// The condition that a node of the settings is, if it is a text.
    pub(crate) fn condition(&self, path: &str, node: &Node) -> Option<WrittenCondition> {
        WrittenCondition::of(path, node, self.lines_before)
    }
}

/// Takes a `skill.md` apart.
pub(crate) fn read(path: &str, text: &str) -> Result<Document, Malformed> {
    let delimiter = |line: u32, message: &str| Malformed {
        code: "skill.markdown.invalid_frontmatter_delimiter",
        place: finding::at(path, Position::new(line, 1)),
        message: message.to_owned(),
    };
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .zip(1u32..)
        .skip_while(|(line, _)| line.trim().is_empty());
    let opening = match lines.next() {
        Some((line, number)) if line.trim() == "---" => number,
        Some((_, number)) => return Err(delimiter(number, "the first line must be `---`")),
        None => {
            return Err(delimiter(1, "the file is empty; begin it with settings between two `---` lines"));
        }
    };
    let mut settings = String::new();
    let mut closed = false;
    let mut body_line = opening;
    for (line, number) in lines.by_ref() {
        body_line = number;
        if line.trim_end() == "---" {
            closed = true;
            break;
        }
        settings.push_str(line);
        settings.push('\n');
    }
    if !closed {
        return Err(delimiter(opening, "the settings that begin here are not closed by a second `---` line"));
    }
    let invalid = |BrokenYaml { place, message }| Malformed {
        code: "skill.markdown.invalid_frontmatter",
        place,
        message,
    };
    let settings = parse_yaml(path, &settings, opening).map_err(invalid)?;
    if let Some(node) = settings.as_ref().filter(|node| node.entries().is_none() && !node.is_null()) {
        let position = Position::new(node.position.line + opening, node.position.column);
        let place = finding::at(path, position);
        let message = format!("the settings must be a mapping, not {}", node.kind());
        return Err(invalid(BrokenYaml { place, message }));
    }
    let settings = settings.filter(|node| node.entries().is_some());
    let body = lines.map(|(line, _)| line).collect::<Vec<_>>().join("\n");
    Ok(Document { settings, lines_before: opening, body, body_line })
}
