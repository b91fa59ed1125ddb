//! Whether a Python text nests so deep that a tree of it would not fit on a stack.
//!
//! Knows tokens only. Ruff's parser grows its stack, but the tree it returns is dropped, and walked, by
//! plain recursion: a text that fails here must not be parsed.
//! Rules: an upper bound, reached by no text that a person writes; never wrong on the safe side.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// How deep the tree of a text may be. A thread's usual two megabytes hold four times that, unoptimised.
pub const MAXIMUM_PYTHON_DEPTH: usize = 4000;

/// The tokens of one bracket, or of a statement outside brackets.
#[derive(Default)]
struct Level {
    /// Those since the last comma that may each deepen the tree by one.
    current: usize,
    /// The most that stood between two commas.
    most: usize,
    /// Whether commas may belong to a parameter list, so that they end nothing.
    has_lambda: bool,
}

/// Whether a statement of this text may nest deeper than [`MAXIMUM_PYTHON_DEPTH`].
pub fn python_too_deep(text: &str) -> bool {
    // Each level takes a byte at least: nearly every file ends here.
    if text.len() <= MAXIMUM_PYTHON_DEPTH {
        return false;
    }
    let mut tokens = lexer::lex(text, Mode::Module);
    let mut levels = vec![Level::default()];
    let mut blocks = 0_usize;
    // The sum of `current` over all levels.
    let mut depth = 0_usize;
    loop {
        let kind = tokens.next_token();
        match kind {
            TokenKind::EndOfFile => return false,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            TokenKind::Newline => {
                levels.clear();
                levels.push(Level::default());
                depth = 0;
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => levels.push(Level::default()),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace if levels.len() > 1 => {
                let closed = levels.pop().unwrap_or_default();
                depth -= closed.current;
                let inner = closed.most.max(closed.current) + 1;
                depth += inner;
                levels.iter_mut().rev().take(1).for_each(|level| level.current += inner);
            }
            TokenKind::Comma => {
                if let Some(level) = levels.last_mut().filter(|level| !level.has_lambda) {
                    depth -= level.current;
                    level.most = level.most.max(level.current);
                    level.current = 0;
                }
            }
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            _ => {
                if let Some(level) = levels.last_mut() {
                    level.has_lambda |= kind == TokenKind::Lambda;
                    level.current += 1;
                    depth += 1;
                }
            }
        }
        if blocks + depth + levels.len() > MAXIMUM_PYTHON_DEPTH {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_is_not_deep() {
        let rows = "    {'name': f'{x}', 'value': [1, 2, 3], 'more': a.b(c)},\n".repeat(5000);
        assert!(!python_too_deep(&format!("rows = [\n{rows}]\n")));
        assert!(!python_too_deep(&"x = f(a)(b).c + 1\n".repeat(5000)));
        assert!(!python_too_deep(&"if x:\n    pass\nelif y:\n    pass\n".repeat(2000)));
    }

    #[test]
    fn deep_is_seen_however_it_is_written() {
        let deep = 5000;
        let cases = [
            "(".repeat(deep),
            format!("x = {}1", "not ".repeat(deep)),
            format!("x = {}1", "await ".repeat(deep)),
            format!("x = a{}", ".b".repeat(deep)),
            format!("x = a{}", "()".repeat(deep)),
            format!("x = 1{}", " + (1)".repeat(deep)),
            format!("x = {}1", "lambda a, b: ".repeat(deep)),
            format!("x = {}1", "1 if 1 else ".repeat(deep)),
            format!("x = {}{}", "[1, ".repeat(deep), "]".repeat(deep)),
            format!("x = {}1{}", "f(1, g(".repeat(deep), "))".repeat(deep)),
        ];
        for text in cases {
            assert!(python_too_deep(&text), "{}", &text[..40]);
        }
    }
}
