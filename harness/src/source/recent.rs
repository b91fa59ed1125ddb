//! Texts read a moment ago, and what was made of them.
//!
//! Knows no language. A scenario's files are read when it is checked, again when they are loaded, and once
//! more for each point of a sweep: the same text is parsed once. What is kept never changes an answer.

use std::rc::Rc;

/// How many texts are remembered.
const MAXIMUM_TEXTS: usize = 32;
/// How long a remembered text may be, in bytes.
const MAXIMUM_LENGTH: usize = 16 * 1024;

/// What was made of the last few texts; the one not asked for longest makes room.
pub(super) struct Recent<Parsed> {
    /// The last one asked for first.
    entries: Vec<(Box<str>, Rc<Parsed>)>,
}

impl<Parsed> Recent<Parsed> {
    /// Nothing yet.
    pub(super) const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// What was made of this very text, if it is remembered.
    pub(super) fn find(&mut self, text: &str) -> Option<Rc<Parsed>> {
        let position = self.entries.iter().position(|(known, _)| **known == *text)?;
        self.entries.get_mut(..=position)?.rotate_right(1);
        self.entries.first().map(|(_, parsed)| Rc::clone(parsed))
    }

    /// Remembers what was made of a text.
    pub(super) fn remember(&mut self, text: &str, parsed: &Rc<Parsed>) {
        if text.len() > MAXIMUM_LENGTH {
            return;
        }
        self.entries.truncate(MAXIMUM_TEXTS - 1);
        self.entries.insert(0, (text.into(), Rc::clone(parsed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_texts_are_remembered_and_older_ones_make_room() {
        let mut recent = Recent::new();
        for number in 0..MAXIMUM_TEXTS * 2 {
            recent.remember(&number.to_string(), &Rc::new(number));
            assert_eq!(recent.find("0").as_deref(), Some(&0), "it is asked for again and again");
        }
        assert_eq!(recent.find("1"), None);
        let last = MAXIMUM_TEXTS * 2 - 1;
        assert_eq!(recent.find(&last.to_string()).as_deref(), Some(&last));
        let long = "x".repeat(MAXIMUM_LENGTH + 1);
        recent.remember(&long, &Rc::new(0));
        assert_eq!(recent.find(&long), None);
    }
}
