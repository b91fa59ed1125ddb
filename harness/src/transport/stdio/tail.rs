//! The last of what a process says on stderr, however much it says.
//!
//! Keeps bytes, shows lines; what they mean is for a reader.
//! Rules: bounded, and harmless on any terminal.

use std::collections::VecDeque;

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

    /// The last lines, so many at most, under a heading; empty if nothing was said.
    pub(super) fn text(&self, shown_lines: usize) -> String {
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
            let line: String = line.chars().take(SHOWN_CHARACTERS).map(harmless).collect();
            format!("\n  {line}")
        });
        let heading = if left_out { "the end of its stderr:" } else { "its stderr:" };
        format!("{heading}{}", shown.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_is_nothing_shown() {
        assert_eq!(Tail::default().text(20), "");
    }

    #[test]
    fn the_end_is_kept_and_control_characters_are_not() {
        let mut tail = Tail::default();
        for number in 0..10_000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        tail.push(b"\x1b[31mred");
        let text = tail.text(20);
        assert!(text.starts_with("the end of its stderr:\n  line 9981\n"), "{text}");
        assert!(text.ends_with("line 9999\n  \u{fffd}[31mred"), "{text}");
    }

    #[test]
    fn one_piece_larger_than_what_is_kept_is_cut() {
        let mut tail = Tail::default();
        tail.push(&vec![b'x'; 10 * KEPT_BYTES]);
        assert_eq!(tail.kept.len(), KEPT_BYTES);
        assert!(tail.text(20).len() < 300);
    }
}
