//! The last of what a process says on stderr, however much it says.
//!
//! Keeps bytes, shows lines; what they mean is for a reader.
//! Rules: bounded, and harmless on any terminal.

use std::collections::VecDeque;

use super::word::FolderWord;

/// How many bytes are kept.
const KEPT_BYTES: usize = 16 * 1024;
/// How many characters of a line are shown.
const SHOWN_CHARACTERS: usize = 200;

/// The end of a stream.
#[derive(Default)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    is_cut: bool,
}

impl Tail {
    /// Adds what was read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let fresh = bytes.get(bytes.len().saturating_sub(KEPT_BYTES)..).unwrap_or_default();
        let surplus = (self.kept.len() + fresh.len()).saturating_sub(KEPT_BYTES);
        self.is_cut |= surplus > 0 || fresh.len() < bytes.len();
        self.kept.drain(..surplus.min(self.kept.len()));
        self.kept.extend(fresh);
    }

    /// The last lines, so many at most, under a heading; empty if nothing was said. In them `word` stands for the folder.
    pub(super) fn text(&self, shown_lines: usize, word: &FolderWord) -> String {
        let (front, back) = self.kept.as_slices();
        let bytes = [front, back].concat();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return String::new();
        }
        let left_out = self.is_cut || lines.len() > shown_lines;
        let shown = lines.iter().skip(lines.len().saturating_sub(shown_lines)).map(|line| {
            let harmless = |character: char| if character.is_control() { '\u{fffd}' } else { character };
            let line = word.in_text(line);
            let shown: String = line.chars().take(SHOWN_CHARACTERS).map(harmless).collect();
            let more = if line.chars().nth(SHOWN_CHARACTERS).is_some() { "…" } else { "" };
            format!("\n  {shown}{more}")
        });
        let heading = if left_out { "the end of its stderr:" } else { "its stderr:" };
        format!("{heading}{}", shown.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn text(tail: &Tail) -> String {
        let around = Path::new("/shm/q7xk2m");
        tail.text(20, &FolderWord::new(around, &around.join("project")))
    }

    #[test]
    fn nothing_said_is_nothing_shown() {
        assert_eq!(text(&Tail::default()), "");
    }

    #[test]
    fn a_long_line_says_that_it_goes_on_and_the_folder_does_not_make_it_long() {
        let said = |line: &str| {
            let mut tail = Tail::default();
            tail.push(line.as_bytes());
            text(&tail)
        };
        let whole = "x".repeat(SHOWN_CHARACTERS);
        assert_eq!(said(&whole), format!("its stderr:\n  {whole}"));
        assert_eq!(said(&format!("{whole}y")), format!("its stderr:\n  {whole}…"));
        let rest = "x".repeat(SHOWN_CHARACTERS - "<project>".len());
        assert_eq!(said(&format!("/shm/q7xk2m/project{rest}")), format!("its stderr:\n  <project>{rest}"));
    }

    #[test]
    fn the_end_is_kept_and_control_characters_are_not() {
        let mut tail = Tail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        tail.push(b"\x1b[31mred");
        let text = text(&tail);
        assert!(text.starts_with("the end of its stderr:\n  line 9981\n"), "{text}");
        assert!(text.ends_with("line 9999\n  \u{fffd}[31mred"), "{text}");
    }

    #[test]
    fn one_piece_larger_than_what_is_kept_is_cut() {
        let mut tail = Tail::default();
        tail.push(&vec![b'x'; 10 * KEPT_BYTES]);
        assert_eq!(tail.kept.len(), KEPT_BYTES);
        assert!(text(&tail).len() < 300);
    }
}
