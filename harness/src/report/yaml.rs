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
    let mut text = String::new();
    block(&mut text, value, 0);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Writes a value that begins at the start of a line of this depth.
fn block(text: &mut String, value: &Json, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Json::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                text.push_str(&indent);
                text.push_str(&scalar_text(key));
                text.push(':');
                after_key(text, value, depth, indent.len() + key.len() + 1);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                text.push_str(&indent);
                text.push('-');
                item_after_dash(text, item, depth);
            }
        }
        _ => {
            text.push_str(&indent);
            text.push_str(&flow(value));
            text.push('\n');
        }
    }
}

fn after_key(text: &mut String, value: &Json, depth: usize, used: usize) {
    if let Some(lines) = literal(value) {
        text.push_str(" |-\n");
        for line in lines {
            _ = writeln!(text, "{}{line}", "  ".repeat(depth + 1));
        }
        return;
    }
    let inline = flow(value);
    if is_scalar(value) || used + 1 + inline.chars().count() <= WIDTH {
        _ = writeln!(text, " {inline}");
    } else {
        text.push('\n');
        block(text, value, depth + 1);
    }
}

fn item_after_dash(text: &mut String, item: &Json, depth: usize) {
    let inline = flow(item);
    if is_scalar(item) || depth * 2 + 2 + inline.chars().count() <= WIDTH {
        _ = writeln!(text, " {inline}");
        return;
    }
    let mut inner = String::new();
    block(&mut inner, item, depth + 1);
    // The first line of the item stands beside its dash.
    text.push(' ');
    text.push_str(inner.trim_start());
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
    let string = value.as_str()?;
    let printable = string.chars().all(|character| character == '\n' || !character.is_control());
    let plain_ends = !string.ends_with('\n') && !string.starts_with([' ', '\n']) && !string.contains("\n\n ");
    (string.contains('\n') && printable && plain_ends).then(|| string.lines())
}

fn flow(value: &Json) -> String {
    match value {
        Json::Object(entries) => {
            let parts: Vec<String> =
                entries.iter().map(|(key, value)| format!("{}: {}", scalar_text(key), flow(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Json::String(string) => scalar_text(string),
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

fn scalar_text(string: &str) -> String {
    let reads_back = crate::verdict::is_plain(string);
    if reads_back { string.to_owned() } else { Json::from(string).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
