mod model;
mod trees;

use proptest::prelude::*;

use super::Condition;
use crate::protocol::Json;

/// A text either is refused, or has a canonical spelling that reads the same and evaluates without panic.
fn is_handled(text: &str) {
    let Ok(condition) = Condition::parse(text) else { return };
    let shown = condition.to_string();
    if shown.chars().count() <= super::super::MAXIMUM_LENGTH {
        assert_eq!(Condition::parse(&shown).as_ref(), Ok(&condition), "{text:?} is shown as {shown:?}");
    }
    let _ = condition.evaluate(&|namespace, entry| Json::from(namespace.len() + entry.len()));
}

fn token() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "session",
        ".",
        "a",
        "b",
        "session.a.b",
        "session.project.x",
        "and",
        "or",
        "not",
        "in",
        "is",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "=",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        "'x'",
        "\"y\"",
        "'''",
        "\\",
        "\n",
        "\r",
        "\t",
        "#",
        "1",
        "0",
        "0x",
        "1.5",
        "1e",
        "e9",
        "_",
        "True",
        "False",
        "None",
        "true",
        "null",
        "-",
        "+",
        "*",
        "**",
        ",",
        ":",
        ":=",
        "if",
        "else",
        "lambda",
        "f'",
        "{{",
        "&",
        "&&",
        "|",
        "!",
        "$",
        "?",
        ";",
        "@",
        "...",
        "é",
        "\u{feff}",
        "\0",
        "\u{c}",
        "await",
        "yield",
        "for",
        "class",
    ])
}

fn word() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "session.a.b",
        "session.project.x",
        "and",
        "or",
        "not",
        "==",
        "<",
        "!=",
        "(",
        ")",
        "1",
        "'x'",
        "None",
    ])
}

proptest! {
    #[test]
    fn any_text_is_handled(text in any::<String>()) {
        is_handled(&text);
    }

    #[test]
    fn any_printable_text_is_handled(text in "[ -~\\n]{0,80}") {
        is_handled(&text);
    }

    #[test]
    fn any_soup_of_tokens_is_handled(tokens in proptest::collection::vec(token(), 0..40), gap in "[ ]?") {
        is_handled(&tokens.join(&gap));
    }

    #[test]
    fn any_soup_of_words_is_handled(words in proptest::collection::vec(word(), 1..8)) {
        is_handled(&words.join(" "));
    }

    #[test]
    fn any_literal_string_is_handled(text in any::<String>()) {
        is_handled(&format!("{text:?}"));
    }

    #[test]
    fn what_is_shown_reads_back(expression in trees::expression()) {
        let condition = Condition { expression };
        let shown = condition.to_string();
        prop_assert_eq!(Condition::parse(&shown), Ok(condition), "{}", shown);
    }

    #[test]
    fn evaluation_agrees_with_the_model(tree in model::tree(), memory in model::memory()) {
        let text = model::written(&tree);
        let condition = Condition::parse(&text).unwrap();
        let read = |_: &str, entry: &str| {
            let place: usize = entry.trim_start_matches('e').parse().unwrap();
            model::json(&memory[place])
        };
        let expected = model::evaluated(&tree, &memory).map(|value| model::is_true(&value));
        prop_assert_eq!(condition.evaluate(&read).ok(), expected, "{}", text);
        prop_assert_eq!(condition.holds(&read), expected == Some(true));
    }
}
