//! Lines and columns, as people count them.
//!
//! Knows text only, nothing of what it means.
//! Rules: both count from 1, columns in characters, and tabs are one character.

/// A position in a text: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// A position from a line and a column, both from 1.
    pub const fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }

    /// The first character of a text.
    pub const START: Self = Self::new(1, 1);
}

impl std::fmt::Display for Position {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin, to turn byte offsets into positions.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the line starts of a text. `\n`, `\r\n` and a lone `\r` each end a line.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (offset, byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(offset + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(offset + 1);
            }
        }
        Self { starts }
    }

    /// The position of a byte offset in the text this index was made of.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        Position::new(saturate(line), saturate(column))
    }
}

/// A count as it stands in a position; texts this long are refused before they get here.
pub(super) fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns_in_characters() {
        let text = "a\r\nßb\rc\n";
        let index = LineIndex::of(text);
        let at = |needle: char| index.position(text, text.find(needle).unwrap());
        assert_eq!(at('a'), Position::new(1, 1));
        assert_eq!(at('b'), Position::new(2, 2));
        assert_eq!(at('c'), Position::new(3, 1));
        assert_eq!(index.position(text, text.len()), Position::new(4, 1));
    }
}
