//! What every module looks like: a header, and no more lines than one reason to change needs.
//!
//! Looks at the first lines and at the number of lines; whether a header is true is for readers.
//! Rules: style, "Habits" 1; a module has fewer than 400 lines.

use crate::tree::Violation;

const MAXIMUM_LINES: usize = 400;
const HEADER_LINES: usize = 3;

/// What is wrong with the shape of a Rust file.
pub(crate) fn violations(file: &str, text: &str) -> Vec<Violation> {
    let violation = |line, what, instead: &str| Violation {
        file: file.to_owned(),
        line,
        what,
        instead: instead.to_owned(),
    };
    let mut found = Vec::new();
    let header = text.lines().take_while(|line| line.starts_with("//!")).count();
    // Unit tests belong to the module they test, whose header says everything.
    let is_unit_test = file.ends_with("/tests.rs") || file.contains("src/") && file.contains("/tests/");
    if header < HEADER_LINES && !is_unit_test {
        let what = format!("the module's header has {header} lines");
        let instead = "say what it is, what it may not know and where its rules come from, in three";
        found.push(violation(1, what, instead));
    }
    let lines = text.lines().count();
    if lines > MAXIMUM_LINES {
        let what = format!("{lines} lines");
        found.push(violation(MAXIMUM_LINES + 1, what, "split it by reason to change, at most 400"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_without_header_is_refused() {
        let found = violations("a.rs", "//! One line.\nfn f() {}\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("a.rs:1: the module's header has 1 lines, say what"));
    }

    #[test]
    fn a_module_that_grew_too_long_is_refused() {
        let text = format!("//! What.\n//! Not.\n//! Rules.\n{}", "\n".repeat(400));
        assert_eq!(violations("a.rs", &text).len(), 1);
        assert_eq!(violations("a.rs", "//! What.\n//! Not.\n//! Rules.\n"), []);
    }
}
