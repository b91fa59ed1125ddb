//! The prose of a `skill.md`, paragraph by paragraph.
//!
//! Splits; whether a paragraph's condition is one is for the checks to say.
//! Rules: contract-notes, "2. skill.md", on paragraphs that begin with `if:`.

use super::written::WrittenCondition;
use crate::source::Position;

/// A paragraph of prose.
#[derive(Clone, Debug)]
pub(crate) struct Paragraph {
    /// Its first line, and the number of that line in the file.
    pub(crate) first: (u32, String),
    /// The condition of a paragraph whose first line begins with `if:`; its text may be blank.
    pub(crate) condition: Option<WrittenCondition>,
    /// Whether more lines follow.
    pub(crate) has_body: bool,
}

/// The paragraphs of prose lines with their numbers in the file. Blank lines part them, and so does a
/// number that is left out because a block stands there.
pub(super) fn paragraphs(path: &str, lines: &[(u32, &str)]) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut before: Option<u32> = None;
    for (number, line) in lines {
        if line.trim().is_empty() {
            before = None;
            continue;
        }
        match (before, found.last_mut()) {
            (Some(last), Some(paragraph)) if last + 1 == *number => paragraph.has_body = true,
            _ => found.push(begin(path, *number, line)),
        }
        before = Some(*number);
    }
    found
}

fn begin(path: &str, number: u32, line: &str) -> Paragraph {
    let condition = line.trim_start().strip_prefix("if:").map(|rest| {
        let text = rest.trim();
        let before = line.chars().count() - rest.trim_start().chars().count();
        let column = u32::try_from(before + 1).unwrap_or(u32::MAX);
        WrittenCondition::standing_at(path, text, Position::new(number, column))
    });
    Paragraph { first: (number, line.to_owned()), condition, has_body: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_blocks_part_paragraphs() {
        let lines = [(4, "One"), (5, "goes on"), (6, ""), (7, "if: session.a.b"), (8, "text"), (20, "if:")];
        let found = paragraphs("skill.md", &lines);
        let shown: Vec<(u32, Option<&str>, bool)> = found
            .iter()
            .map(|paragraph| {
                let condition = paragraph.condition.as_ref().map(|condition| condition.text.as_str());
                (paragraph.first.0, condition, paragraph.has_body)
            })
            .collect();
        assert_eq!(shown, [(4, None, true), (7, Some("session.a.b"), true), (20, Some(""), false)]);
    }

    #[test]
    fn a_condition_knows_its_column() {
        let found = paragraphs("skill.md", &[(3, "if:  session.a.b")]);
        let place =
            found.first().and_then(|first| first.condition.as_ref()).map(|it| it.place(Position::START));
        assert_eq!(place.map(|place| (place.line, place.column)), Some((3, 6)));
    }
}
