//! What is wrong in a text that a person wrote, where, and what to do.
//!
//! Knows no file format and prints nothing.
//! Rules: what happened, where, what to do; lower case, no full stop.

use super::Position;

/// A place in a named file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the reader of the message would open it.
    pub file: String,
    /// Where in the file.
    pub position: Position,
}

impl Place {
    /// A place from a file and a position.
    pub fn new(file: impl Into<String>, position: Position) -> Self {
        Self { file: file.into(), position }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.file, self.position)
    }
}

/// One thing wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// The line of text it stands in.
    pub excerpt: String,
    /// What to do about it: a lower-case fragment; may be empty when the message says it.
    pub remedy: String,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)?;
        if !self.excerpt.is_empty() {
            let gutter = self.place.position.line.to_string();
            let margin = " ".repeat(gutter.len());
            let column = usize::try_from(self.place.position.column).unwrap_or(1).saturating_sub(1);
            let indent: String =
                self.excerpt.chars().take(column).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(formatter, "\n {gutter} | {}\n {margin} | {indent}^", self.excerpt)?;
        }
        if !self.remedy.is_empty() {
            let margin = " ".repeat(self.place.position.line.to_string().len());
            write!(formatter, "\n {margin} = {}", self.remedy)?;
        }
        Ok(())
    }
}

/// Collects the diagnostics of one file.
#[derive(Clone, Debug)]
pub struct Diagnostics<'text> {
    file: String,
    text: &'text str,
    found: Vec<Diagnostic>,
}

impl<'text> Diagnostics<'text> {
    /// A collector for a file with this name and text.
    pub fn new(file: impl Into<String>, text: &'text str) -> Self {
        Self { file: file.into(), text, found: Vec::new() }
    }

    /// The file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Notes that something is wrong at a position.
    pub fn report(&mut self, position: Position, message: impl Into<String>, remedy: impl Into<String>) {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX).saturating_sub(1);
        let excerpt = self.text.lines().nth(line).unwrap_or_default();
        // A line of a megabyte is no help to a reader.
        let excerpt = excerpt.chars().take(160).collect();
        self.found.push(Diagnostic {
            place: Place::new(self.file.clone(), position),
            message: message.into(),
            excerpt,
            remedy: remedy.into(),
        });
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// What was found, in the order of the text.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort();
        self.found.dedup();
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_place_text_and_remedy() {
        let mut found = Diagnostics::new("a.yml", "one: 1\ntow: 2\n");
        found.report(Position::new(2, 1), "unknown key `tow`", "did you mean `two`?");
        let shown = found.finish().remove(0).to_string();
        assert_eq!(shown, "a.yml:2:1: unknown key `tow`\n 2 | tow: 2\n   | ^\n   = did you mean `two`?");
    }
}
