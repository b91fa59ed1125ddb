//! From what stands behind `expect:` to a pattern, checked against what an observation can be.
//!
//! Knows which keys and words a report or trace can have; whether they are seen is the verdict's.
//! Rules: `docs/scenarios.md`, "Expectations".

mod matcher;
mod observed;
mod scalar;

use super::{Pattern, PatternKind};
use crate::protocol::Json;
use crate::source::shape::shown;
use crate::source::yaml::{Node, Value};
use crate::source::{Diagnostics, did_you_mean};

pub(crate) use observed::{Field, Kind, Observed, Type, fields};

/// The words that make a map a matcher.
const WORDS: [&str; 6] = ["include", "exclude", "exactly", "re", "any", "some_value"];

/// Compiles an expectation about one of these observations; reports what none of them can be.
pub(super) fn compile(node: &Node, observed: &[Observed], problems: &mut Diagnostics<'_>) -> Pattern {
    if node.entries().is_none_or(<[_]>::is_empty) {
        let message = match node.entries() {
            Some(_) => "this expects nothing, so it cannot fail".to_owned(),
            None => format!("`expect` must be a mapping, here stands {}", node.kind()),
        };
        let keys: Vec<&str> =
            observed.iter().flat_map(|observed| fields(*observed)).map(|field| field.name).collect();
        problems.report(node.position, message, format!("name what must be seen, by: {}", keys.join(", ")));
        return Pattern { position: node.position, kind: PatternKind::Any(Vec::new()) };
    }
    let wanted = match observed {
        [one] => one.seen(),
        // Which of them is not known yet, and that has been reported: nothing more can be said.
        _ => &Type::ANYTHING,
    };
    pattern(node, wanted, "expect", problems)
}

/// Compiles one place; `name` is what messages call it.
fn pattern(node: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> Pattern {
    let kind = match &node.value {
        Value::Scalar(_) => scalar::compile(node, seen, name, problems),
        Value::Sequence(items) => list(node, items, seen, name, problems),
        Value::Mapping(entries) => {
            let word = |(key, _): &&(Node, Node)| key.text().is_some_and(|key| WORDS.contains(&key));
            match entries.iter().filter(word).count() {
                0 => map(node, entries, seen, name, problems),
                words if words == entries.len() => matcher::compile(entries, seen, name, problems),
                _ => {
                    mixture(entries, problems);
                    PatternKind::Any(Vec::new())
                }
            }
        }
    };
    let kind = if matches!(seen.kind, Kind::Anything) { in_data(node, kind) } else { kind };
    Pattern { position: node.position, kind }
}

/// In a report an empty list or map may be left out, so that one demanded also matches null; in somebody's
/// data null is another value.
fn in_data(node: &Node, kind: PatternKind) -> PatternKind {
    let is_empty_map = |kind: &PatternKind| matches!(kind, PatternKind::Map(entries) if entries.is_empty());
    match kind {
        PatternKind::List(items) if items.is_empty() => PatternKind::Scalar(Json::Array(Vec::new())),
        PatternKind::Exactly(inner) if is_empty_map(&inner.kind) => {
            PatternKind::Scalar(Json::Object(serde_json::Map::new()))
        }
        map if is_empty_map(&map) => {
            let part = |kind| Pattern { position: node.position, kind };
            PatternKind::All(vec![part(PatternKind::Any(Vec::new())), part(map)])
        }
        other => other,
    }
}

fn mixture(entries: &[(Node, Node)], problems: &mut Diagnostics<'_>) {
    for (key, _) in entries {
        if let Some(word) = key.text().filter(|key| WORDS.contains(key)) {
            let message = format!("the matching word `{word}` stands among keys");
            let remedy =
                "a matcher has matching words only; where these really are keys, wrap them: `exactly: {…}`";
            problems.report(key.position, message, remedy);
        }
    }
}

fn list(node: &Node, items: &[Node], seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> PatternKind {
    let item = match &seen.kind {
        Kind::Anything => &Type::ANYTHING,
        Kind::List(item) => item,
        _ => {
            refuse(node, seen, name, problems);
            &Type::ANYTHING
        }
    };
    PatternKind::List(items.iter().map(|node| pattern(node, item, name, problems)).collect())
}

/// A map in which every key is a key, whatever word it is.
fn map(
    node: &Node,
    entries: &[(Node, Node)],
    seen: &Type,
    name: &str,
    problems: &mut Diagnostics<'_>,
) -> PatternKind {
    let mut compiled = Vec::new();
    if !seen.may_be_map() {
        refuse(node, seen, name, problems);
    }
    for (key, value) in entries {
        let text = key.text().unwrap_or_default();
        let seen = key_type(key, seen, name, problems);
        compiled.push((text.to_owned(), pattern(value, seen, text, problems)));
    }
    PatternKind::Map(compiled)
}

/// The type behind a key; an unknown key is reported.
fn key_type<'seen>(key: &Node, seen: &'seen Type, name: &str, problems: &mut Diagnostics<'_>) -> &'seen Type {
    let text = key.text().unwrap_or_default();
    match &seen.kind {
        Kind::Dictionary(value) => value,
        Kind::Record(_) | Kind::OneOf(_) => {
            let fields = seen.fields();
            if let Some(field) = fields.iter().find(|field| field.name == text) {
                return &field.seen;
            }
            let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
            let message = format!("`{name}` never has the key `{}`", shown(key));
            problems.report(key.position, message, did_you_mean(text, &known));
            &Type::ANYTHING
        }
        _ => &Type::ANYTHING,
    }
}

/// Says that this place never holds what the pattern demands.
fn refuse(node: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) {
    let message = format!("`{name}` is {}, never {}", seen.described(), node.kind());
    problems.report(node.position, message, scalar::remedy(node, seen));
}

/// Whether a pattern of a load report demands that the project is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rejection {
    /// It does.
    Demanded {
        /// Whether it also says in which phase, or by which findings.
        says_why: bool,
    },
    /// It leaves that open.
    Open,
    /// It demands the opposite, or says nothing, which means the same.
    Excluded,
}

/// What a load report's pattern says about a rejection.
pub(super) fn rejection(pattern: &Pattern) -> Rejection {
    let PatternKind::Map(entries) = (match &pattern.kind {
        PatternKind::Exactly(inner) => &inner.kind,
        kind => kind,
    }) else {
        return Rejection::Open;
    };
    let value = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, pattern)| &pattern.kind);
    match value("outcome") {
        Some(PatternKind::Scalar(Json::String(outcome))) if outcome == "rejected" => {
            let says_why = value("phase").is_some() || value("findings").is_some();
            Rejection::Demanded { says_why }
        }
        Some(PatternKind::Scalar(_)) | None => Rejection::Excluded,
        Some(_) => Rejection::Open,
    }
}
