//! Does a pattern match a value? If not: everything that differs, with both places.
//!
//! Knows JSON and patterns; of the contract only which key names a record in a list.
//! Rules: `docs/scenarios.md`, "Expectations".

use crate::protocol::Json;
use crate::scenario::{Pattern, PatternKind};
use crate::source::{Position, counted};
use crate::verdict::render::{
    entries_text, is_told_whole, names_text, pattern_text, texts_apart, value_text,
};
use crate::verdict::signature::Kind;
use hints::{EMPTY, absent_among, candidates, lengths_differ, no_key_among};

mod hints;
#[cfg(test)]
mod tests;

/// One difference between what was demanded and what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where the demand stands in the scenario's file.
    pub position: Position,
    /// Where the value stands in the observation, for example `skills.pay.tools.transfer`.
    pub path: String,
    /// What was demanded.
    pub expected: String,
    /// What was seen.
    pub seen: String,
    /// What kind of thing was seen.
    pub kind: Kind,
}

/// Everything in which a value differs from a pattern; nothing when it matches.
pub fn compare(pattern: &Pattern, value: &Json) -> Vec<Mismatch> {
    let mut found = Vec::new();
    differences(pattern, Some(value), &Site::default(), &mut found);
    found
}

/// Where in an observation we are.
#[derive(Clone, Debug, Default)]
struct Site {
    path: String,
    /// The last key on the way here: the name of the list, when this is a list.
    key: String,
    /// In a list of records: the key that names a record.
    naming: Option<&'static str>,
}

impl Site {
    fn key(&self, key: &str) -> Self {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Self { path, key: key.to_owned(), naming: None }
    }

    fn item(&self, index: usize) -> Self {
        Self { path: format!("{}[{index}]", self.path), key: String::new(), naming: naming_key(&self.key) }
    }
}

/// The key by which a record in a list is named to readers.
fn naming_key(list: &str) -> Option<&'static str> {
    match list {
        "events" | "logs" => Some("event"),
        "services" => Some("call"),
        "tools" | "read" => Some("tool"),
        "messages" => Some("text"),
        "findings" => Some("code"),
        _ => None,
    }
}

fn matches(pattern: &Pattern, value: Option<&Json>, site: &Site) -> bool {
    let mut found = Vec::new();
    differences(pattern, value, site, &mut found);
    found.is_empty()
}

fn differences(pattern: &Pattern, value: Option<&Json>, site: &Site, found: &mut Vec<Mismatch>) {
    let differs = |expected: String, seen: String| Mismatch {
        position: pattern.position,
        path: site.path.clone(),
        expected,
        seen,
        kind: Kind::of(value),
    };
    match &pattern.kind {
        PatternKind::Scalar(scalar) => {
            if !is_same(scalar, value) {
                let (expected, seen) = texts_apart(Some(scalar), value);
                found.push(differs(expected, seen));
            }
        }
        PatternKind::Matches(expression) => {
            let matched = value.and_then(Json::as_str).is_some_and(|text| expression.is_match(text));
            if !matched {
                found.push(differs(pattern_text(pattern), value_text(value)));
            }
        }
        PatternKind::Map(entries) => match value {
            Some(Json::Object(object)) => {
                for (key, inner) in entries {
                    entry(key, inner, object, site, found);
                }
            }
            _ if entries.is_empty() && is_nothing(value) => {}
            _ => found.push(differs(pattern_text(pattern), value_text(value))),
        },
        PatternKind::List(patterns) => match items_of(value) {
            Some(items) if items.len() == patterns.len() => {
                for (index, (inner, item)) in patterns.iter().zip(items).enumerate() {
                    differences(inner, Some(item), &site.item(index), found);
                }
            }
            Some(items) => {
                let expected = format!("{}: {}", counted(patterns.len(), "item"), pattern_text(pattern));
                found.push(differs(expected, lengths_differ(patterns, items, site)));
            }
            None => found.push(differs(pattern_text(pattern), value_text(value))),
        },
        PatternKind::Include(patterns) => include(patterns, value, site, found),
        PatternKind::Exclude(patterns) => exclude(patterns, value, site, found),
        PatternKind::Exactly(inner) => {
            differences(inner, value, site, found);
            surplus(pattern, inner, value, site, found);
        }
        PatternKind::Any(choices) if choices.is_empty() => {
            if is_nothing(value) {
                found.push(differs("anything".to_owned(), value_text(value)));
            }
        }
        PatternKind::Any(choices) => {
            if !choices.iter().any(|choice| matches(choice, value, site)) {
                found.push(differs(pattern_text(pattern), value_text(value)));
            }
        }
        PatternKind::SomeValue(inner) => some_value(pattern, inner, value, site, found),
        PatternKind::All(parts) => {
            for part in parts {
                differences(part, value, site, found);
            }
        }
    }
}

fn entry(
    key: &str,
    pattern: &Pattern,
    object: &serde_json::Map<String, Json>,
    site: &Site,
    found: &mut Vec<Mismatch>,
) {
    let value = object.get(key);
    let before = found.len();
    differences(pattern, value, &site.key(key), found);
    // A key that is not there is often a key of another name: say which there are.
    if let (None, Some(mismatch)) = (value, found.get_mut(before)) {
        if mismatch.seen == value_text(None) {
            mismatch.seen = absent_among(key, object);
        } else if mismatch.seen == EMPTY && is_told_whole(object) {
            // A list that is not there is an empty one, and what stands instead of it says as much.
            mismatch.seen = format!("{EMPTY}; there are: {}", entries_text(object));
        }
    }
}

fn include(patterns: &[Pattern], value: Option<&Json>, site: &Site, found: &mut Vec<Mismatch>) {
    for pattern in patterns {
        let missing = |seen: String| Mismatch {
            position: pattern.position,
            path: site.path.clone(),
            expected: format!("an item {}", pattern_text(pattern)),
            seen,
            kind: Kind::of(value),
        };
        match value {
            Some(Json::Object(object)) => {
                if !object.keys().any(|key| is_key(pattern, key)) {
                    let key = pattern_text(pattern);
                    let expected = format!("a key {key}");
                    found.push(Mismatch { expected, ..missing(no_key_among(&key, object)) });
                }
            }
            _ => match items_of(value) {
                Some(items) => {
                    let any = items
                        .iter()
                        .enumerate()
                        .any(|(index, item)| matches(pattern, Some(item), &site.item(index)));
                    if !any {
                        found.push(missing(candidates(pattern, items, site)));
                    }
                }
                None => found.push(missing(value_text(value))),
            },
        }
    }
}

fn exclude(patterns: &[Pattern], value: Option<&Json>, site: &Site, found: &mut Vec<Mismatch>) {
    for pattern in patterns {
        let unwanted = |path: String, expected: String, value: Option<&Json>| Mismatch {
            position: pattern.position,
            path,
            expected,
            seen: value_text(value),
            kind: Kind::of(value),
        };
        match value {
            Some(Json::Object(object)) => {
                for (key, value) in object.iter().filter(|(key, _)| is_key(pattern, key)) {
                    let expected = format!("no key {}", pattern_text(pattern));
                    found.push(unwanted(site.key(key).path, expected, Some(value)));
                }
            }
            _ => {
                if let Some(items) = items_of(value) {
                    for (index, item) in items.iter().enumerate() {
                        let inner = site.item(index);
                        if matches(pattern, Some(item), &inner) {
                            let expected = format!("no item {}", pattern_text(pattern));
                            found.push(unwanted(inner.path, expected, Some(item)));
                        }
                    }
                } else {
                    let expected = format!("a list without {}", pattern_text(pattern));
                    found.push(unwanted(site.path.clone(), expected, value));
                }
            }
        }
    }
}

/// Some value of a map matches; of a map's only value it is told in what it differs.
fn some_value(
    pattern: &Pattern,
    inner: &Pattern,
    value: Option<&Json>,
    site: &Site,
    found: &mut Vec<Mismatch>,
) {
    let object = value.and_then(Json::as_object);
    let entries = || object.into_iter().flatten();
    if entries().any(|(key, value)| matches(inner, Some(value), &site.key(key))) {
        return;
    }
    if let (1, Some((key, value))) = (entries().count(), entries().next()) {
        return differences(inner, Some(value), &site.key(key), found);
    }
    found.push(Mismatch {
        position: pattern.position,
        path: site.path.clone(),
        expected: pattern_text(pattern),
        seen: value_text(value),
        kind: Kind::of(value),
    });
}

/// The keys that `exactly` does not allow.
fn surplus(pattern: &Pattern, inner: &Pattern, value: Option<&Json>, site: &Site, found: &mut Vec<Mismatch>) {
    let (PatternKind::Map(entries), Some(Json::Object(object))) = (&inner.kind, value) else { return };
    for (key, value) in object {
        if !entries.iter().any(|(known, _)| known == key) {
            found.push(Mismatch {
                position: pattern.position,
                path: site.key(key).path,
                expected: format!("no keys but {}", names_text(entries.iter().map(|(key, _)| key.as_str()))),
                seen: value_text(Some(value)),
                kind: Kind::of(Some(value)),
            });
        }
    }
}

fn is_key(pattern: &Pattern, key: &str) -> bool {
    matches(pattern, Some(&Json::from(key)), &Site::default())
}

/// An absent or null list is an empty one: reports leave empty lists out.
fn items_of(value: Option<&Json>) -> Option<&[Json]> {
    match value {
        Some(Json::Array(items)) => Some(items),
        None | Some(Json::Null) => Some(&[]),
        Some(_) => None,
    }
}

fn is_nothing(value: Option<&Json>) -> bool {
    matches!(value, None | Some(Json::Null))
}

fn is_same(scalar: &Json, value: Option<&Json>) -> bool {
    match (scalar, value) {
        (Json::Null, value) => is_nothing(value),
        (Json::Number(expected), Some(Json::Number(seen))) => is_same_number(expected, seen),
        (expected, Some(seen)) => expected == seen,
        (_, None) => false,
    }
}

/// By value: `1` is `1.0`. Whole numbers are compared as such, since a float cannot hold them all.
fn is_same_number(expected: &serde_json::Number, seen: &serde_json::Number) -> bool {
    let whole = |number: &serde_json::Number| {
        number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
    };
    match (whole(expected), whole(seen)) {
        (Some(expected), Some(seen)) => expected == seen,
        _ => expected
            .as_f64()
            .zip(seen.as_f64())
            .is_some_and(|(expected, seen)| expected.partial_cmp(&seen) == Some(std::cmp::Ordering::Equal)),
    }
}
