//! JSON written as YAML for readers: a value that fits on a line stays on it.
//!
//! Not `serde_yaml`, whose block style spends a line on every scalar: a trace of forty facts should
//! not fill four screens. What is written reads back as the same value.

use std::fmt::Write;

use crate::protocol::Json;

/// How wide a line may get before its value is broken up.
const WIDTH: usize = 104;

/// The value as YAML, ending in a line break.
pub(super) fn write_yaml(value: &Json) -> String {
    let mut text = String::with_capacity(1024);
    indent(&mut text, 0);
    block(&mut text, value, 0);
    text
}

/// Writes a value whose first line is already indented to this depth.
fn block(text: &mut String, value: &Json, depth: usize) {
    match value {
        Json::Object(entries) if !entries.is_empty() => {
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    indent(text, depth);
                }
                string_text(text, key);
                text.push(':');
                after_key(text, value, depth, depth * 2 + key.len() + 1);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    indent(text, depth);
                }
                text.push_str("- ");
                if !on_line(text, item, WIDTH.saturating_sub(depth * 2 + 2)) {
                    // The first line of the item stands beside its dash.
                    block(text, item, depth + 1);
                }
            }
        }
        scalar => {
            scalar_text(text, scalar);
            text.push('\n');
        }
    }
}

fn indent(text: &mut String, depth: usize) {
    for _ in 0..depth {
        text.push_str("  ");
    }
}

fn after_key(text: &mut String, value: &Json, depth: usize, used: usize) {
    if let Some(lines) = literal(value) {
        text.push_str(" |-\n");
        for line in lines {
            indent(text, depth + 1);
            text.push_str(line);
            text.push('\n');
        }
        return;
    }
    text.push(' ');
    if !on_line(text, value, WIDTH.saturating_sub(used + 1)) {
        text.pop();
        text.push('\n');
        indent(text, depth + 1);
        block(text, value, depth + 1);
    }
}

/// Writes a value on the rest of its line if there is room for it, and nothing otherwise. A scalar cannot
/// be broken up and is always written.
fn on_line(text: &mut String, value: &Json, mut room: usize) -> bool {
    let before = text.len();
    let written = if is_scalar(value) {
        scalar_text(text, value);
        true
    } else {
        flow(text, value, &mut room)
    };
    if written {
        text.push('\n');
    } else {
        text.truncate(before);
    }
    written
}

fn is_scalar(value: &Json) -> bool {
    match value {
        Json::Object(entries) => entries.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// The lines of a text that is best shown as lines.
fn literal(value: &Json) -> Option<std::str::Lines<'_>> {
    let string = value.as_str().filter(|string| string.contains('\n'))?;
    let printable = string.chars().all(|character| character == '\n' || !character.is_control());
    let plain_ends = !string.ends_with('\n') && !string.starts_with([' ', '\n']) && !string.contains("\n\n ");
    (printable && plain_ends).then(|| string.lines())
}

/// Writes a value in one line and takes what it needs from the room; stops as soon as there is none left.
fn flow(text: &mut String, value: &Json, room: &mut usize) -> bool {
    match value {
        Json::Object(entries) => {
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                let before = text.len();
                if index > 0 {
                    text.push_str(", ");
                }
                string_text(text, key);
                text.push_str(": ");
                if !take(room, text, before) || !flow(text, value, room) {
                    return false;
                }
            }
            text.push('}');
            take_columns(room, 2)
        }
        Json::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                    if !take_columns(room, 2) {
                        return false;
                    }
                }
                if !flow(text, item, room) {
                    return false;
                }
            }
            text.push(']');
            take_columns(room, 2)
        }
        // A character has at most four bytes: what is so long cannot fit, and need not be looked at.
        Json::String(string) if string.len() / 4 > *room => false,
        scalar => {
            let before = text.len();
            scalar_text(text, scalar);
            take(room, text, before)
        }
    }
}

/// Takes the columns of what was written since then.
fn take(room: &mut usize, text: &str, before: usize) -> bool {
    take_columns(room, text.get(before..).map_or(0, |written| written.chars().count()))
}

fn take_columns(room: &mut usize, columns: usize) -> bool {
    let left = room.checked_sub(columns);
    *room = left.unwrap_or(0);
    left.is_some()
}

fn scalar_text(text: &mut String, value: &Json) {
    match value {
        Json::String(string) => string_text(text, string),
        // Writing to a string cannot fail.
        other => _ = write!(text, "{other}"),
    }
}

fn string_text(text: &mut String, string: &str) {
    if crate::verdict::is_plain(string) {
        text.push_str(string);
    } else {
        _ = write!(text, "{}", Json::from(string));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn short_values_stay_on_their_line_and_long_ones_are_broken_up() {
        let long = "a sentence that goes on for a while and does not fit beside its key";
        let value = json!({
            "load": {"outcome": "ok"},
            "steps": [
                {"outcome": "completed", "messages": [{"text": long, "sender": "llm"}, {"text": "yes"}]},
                {"now_ms": 1000}
            ],
            "empty": [],
        });
        let expected = r#"load: {outcome: ok}
steps:
  - outcome: completed
    messages:
      - {text: a sentence that goes on for a while and does not fit beside its key, sender: llm}
      - {text: "yes"}
  - {now_ms: 1000}
empty: []
"#;
        assert_eq!(write_yaml(&value), expected);
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_value() {
        let value = json!({
            "text": "one\ntwo: three\n\nfour",
            "odd": ["a:", "a:b", "a.py:8:15", "skill's (x); y", "a :b", "a, b", "1", "1.5", "true", "null", "~", "- a", "a: b", "#c", "é\u{7}", "no", "'", "\"", "a\n", " x", "x "],
            "key: odd": {"nested": {"deep": ["x".repeat(120), {"a": "y".repeat(120), "b": [1, 2.5, null, {}]}]}},
            "": 1,
        });
        let text = write_yaml(&value);
        let read: Json = serde_yaml::from_str(&text).unwrap();
        assert_eq!(read, value, "{text}");
    }

    /// Values whose texts are of the characters that mean something in YAML, and of words that do.
    fn values() -> impl Strategy<Value = Json> {
        let odd = "[a-c :,#'\"{}\\[\\]&*!|>%@`~?/().;$_é\t\n-]{0,12}";
        let words =
            prop_oneof!["null", "true", "False", "yes", "on", "0x1F", "1e3", "-1", "[.]inf", "~", "---"];
        let text = prop_oneof![3 => odd, 1 => words];
        let scalar = prop_oneof![
            3 => text.clone().prop_map(Json::from),
            1 => any::<i64>().prop_map(Json::from),
            1 => any::<bool>().prop_map(Json::from),
            1 => Just(Json::Null),
            1 => "[a-z ]{90,120}".prop_map(Json::from),
        ];
        scalar.prop_recursive(4, 40, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
                prop::collection::vec((text.clone(), inner), 0..5)
                    .prop_map(|entries| entries.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn whatever_is_written_reads_back(value in values()) {
            let text = write_yaml(&value);
            let read: Json = serde_yaml::from_str(&text).unwrap();
            prop_assert_eq!(read, value, "{}", text);
        }
    }
}
