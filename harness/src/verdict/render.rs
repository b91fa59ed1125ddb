//! Patterns and values as short text for messages: flow YAML, cut where it gets long.
//!
//! For people to read, never compared and never parsed.

use std::fmt::Write;

use crate::protocol::Json;
use crate::scenario::{Pattern, PatternKind};

/// How long a rendered pattern or value may be, in characters.
const MAXIMUM_LENGTH: usize = 160;
/// How many entries of a map are shown with their values.
const MAXIMUM_ENTRIES: usize = 3;
/// How much is shown of two long values before they differ, in characters.
const BEFORE_A_DIFFERENCE: usize = 40;

/// A pattern as its author would write it.
pub fn pattern_text(pattern: &Pattern) -> String {
    let mut text = String::new();
    write_pattern(&mut text, pattern);
    bounded(&text)
}

/// A value as a scenario would write it; `None` is a value that is not there.
pub fn value_text(value: Option<&Json>) -> String {
    let Some(value) = value else { return "absent".to_owned() };
    let mut text = String::new();
    write_value(&mut text, value);
    bounded(&text)
}

/// Two values that differ: both cut before their first difference where they begin alike for long, so that it is seen.
pub fn texts_apart(one: Option<&Json>, other: Option<&Json>) -> (String, String) {
    let whole = |value: Option<&Json>| {
        let mut text = String::new();
        match value {
            Some(value) => write_value(&mut text, value),
            None => text.push_str("absent"),
        }
        text
    };
    let (one, other) = (whole(one), whole(other));
    let alike = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let is_long = [&one, &other].into_iter().any(|text| text.chars().count() > MAXIMUM_LENGTH);
    if !is_long || alike <= BEFORE_A_DIFFERENCE {
        return (bounded(&one), bounded(&other));
    }
    let from_there = |text: &str| {
        let rest: String = text.chars().skip(alike - BEFORE_A_DIFFERENCE).collect();
        bounded(&format!("…{rest}"))
    };
    (from_there(&one), from_there(&other))
}

/// Names in a row, cut where it gets long.
pub(super) fn names_text<'name>(names: impl IntoIterator<Item = &'name str>) -> String {
    bounded(&names.into_iter().collect::<Vec<_>>().join(", "))
}

/// Whether a map has entries, and few enough to be told with their values.
pub(super) fn is_told_whole(entries: &serde_json::Map<String, Json>) -> bool {
    (1..=MAXIMUM_ENTRIES).contains(&entries.len())
}

/// The entries of a map in a row, without the values where there are many or where one is long.
pub(super) fn entries_text(entries: &serde_json::Map<String, Json>) -> String {
    let names = || names_text(entries.keys().map(String::as_str));
    if entries.len() > MAXIMUM_ENTRIES {
        return names();
    }
    let of_each = MAXIMUM_LENGTH / entries.len().max(1);
    let mut told = Vec::new();
    for (key, value) in entries {
        let text = value_text(Some(value));
        // The beginning of a text says something, that of a structure rather not.
        if !value.is_string() && text.chars().count() > of_each {
            return names();
        }
        told.push(format!("{key}: {}", bounded_to(of_each, &text)));
    }
    told.join(", ")
}

/// A value as JSON on one line, cut where it gets long.
pub(crate) fn json_text(value: &Json) -> String {
    bounded(&value.to_string())
}

fn bounded(text: &str) -> String {
    bounded_to(MAXIMUM_LENGTH, text)
}

fn bounded_to(length: usize, text: &str) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(length - 1).collect();
    cut.push('…');
    cut
}

/// Renders no more than could be shown: a trace can be large and a message is not.
fn is_full(text: &str) -> bool {
    text.len() > MAXIMUM_LENGTH * 4
}

fn write_pattern(text: &mut String, pattern: &Pattern) {
    if is_full(text) {
        return;
    }
    match &pattern.kind {
        PatternKind::Scalar(value) => write_value(text, value),
        PatternKind::Map(entries) => {
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(text, index);
                write_string(text, key);
                text.push_str(": ");
                write_pattern(text, value);
            }
            text.push('}');
        }
        PatternKind::List(items) => write_patterns(text, items),
        PatternKind::Include(items) => write_word(text, "include", items),
        PatternKind::Exclude(items) => write_word(text, "exclude", items),
        PatternKind::Any(items) if items.is_empty() => text.push_str("anything"),
        PatternKind::Any(items) => write_word(text, "any", items),
        PatternKind::All(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(" and ");
                }
                write_pattern(text, item);
            }
        }
        PatternKind::Exactly(inner) => write_inner(text, "exactly", inner),
        PatternKind::SomeValue(inner) => write_inner(text, "some_value", inner),
        PatternKind::Matches(expression) => {
            text.push_str("{re: ");
            write_string(text, expression.as_str());
            text.push('}');
        }
    }
}

fn write_word(text: &mut String, word: &str, items: &[Pattern]) {
    text.push('{');
    text.push_str(word);
    text.push_str(": ");
    write_patterns(text, items);
    text.push('}');
}

fn write_inner(text: &mut String, word: &str, inner: &Pattern) {
    text.push('{');
    text.push_str(word);
    text.push_str(": ");
    write_pattern(text, inner);
    text.push('}');
}

fn write_patterns(text: &mut String, items: &[Pattern]) {
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        separate(text, index);
        write_pattern(text, item);
    }
    text.push(']');
}

fn write_value(text: &mut String, value: &Json) {
    if is_full(text) {
        return;
    }
    match value {
        Json::String(string) => write_string(text, string),
        Json::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(text, index);
                write_value(text, item);
            }
            text.push(']');
        }
        Json::Object(entries) => {
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(text, index);
                write_string(text, key);
                text.push_str(": ");
                write_value(text, value);
            }
            text.push('}');
        }
        // Writing to a string cannot go wrong.
        Json::Null | Json::Bool(_) | Json::Number(_) => _ = write!(text, "{value}"),
    }
}

fn separate(text: &mut String, index: usize) {
    if index > 0 {
        text.push_str(", ");
    }
}

fn write_string(text: &mut String, string: &str) {
    if is_plain(string) {
        text.push_str(string);
    } else {
        _ = write!(text, "{}", Json::from(string));
    }
}

/// Whether a string may stand without quotes and still be the same string.
pub(crate) fn is_plain(string: &str) -> bool {
    use crate::source::yaml::{Resolved, resolve_plain};
    let starts_plain =
        string.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$');
    starts_plain
        && stays_plain(string)
        // No word that means something is longer.
        && (string.len() > LONGEST_WORD || !is_ambiguous(string) && resolve_plain(string) == Resolved::String)
}

/// The longest word that a reader of YAML takes for something else than a string: `false`.
const LONGEST_WORD: usize = 5;

/// Words that older readers of YAML take for booleans.
fn is_ambiguous(string: &str) -> bool {
    ["y", "n", "yes", "no", "on", "off"].iter().any(|word| string.eq_ignore_ascii_case(word))
}

/// A colon before a space would begin a value, and a comma would end one.
fn stays_plain(string: &str) -> bool {
    let mut previous = ' ';
    for character in string.chars() {
        let is_allowed = match character {
            ' ' => previous != ':',
            '_' | '-' | '.' | '/' | '$' | ':' | '\'' | '(' | ')' | ';' => true,
            other => other.is_alphanumeric(),
        };
        if !is_allowed {
            return false;
        }
        previous = character;
    }
    previous != ' ' && previous != ':'
}
