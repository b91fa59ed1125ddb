//! The matching words `include`, `exclude`, `exactly`, `re`, `any` and `some_value`.
//!
//! Knows how words go together and what each takes.
//! Rules: `docs/scenarios.md`, "Expectations".

use super::{Kind, Type, map, pattern, refuse, scalar};
use crate::scenario::{Pattern, PatternKind};
use crate::source::shape::shown;
use crate::source::yaml::Node;
use crate::source::{Diagnostics, did_you_mean};

/// How large a compiled expression may get.
const REGEX_BYTES: usize = 1 << 20;

/// Compiles a map that has matching words only.
pub(super) fn compile(
    entries: &[(Node, Node)],
    seen: &Type,
    name: &str,
    problems: &mut Diagnostics<'_>,
) -> PatternKind {
    alone(entries, problems);
    let mut compiled: Vec<Pattern> = entries
        .iter()
        .map(|(word, value)| Pattern {
            position: word.position,
            kind: one(word, value, seen, name, problems),
        })
        .collect();
    match (compiled.len(), compiled.pop()) {
        (1, Some(only)) => only.kind,
        (_, last) => {
            compiled.extend(last);
            PatternKind::All(compiled)
        }
    }
}

/// Only `include` and `exclude` say something together.
fn alone(entries: &[(Node, Node)], problems: &mut Diagnostics<'_>) {
    for (word, _) in entries.iter().filter(|_| entries.len() > 1) {
        if let Some(text @ ("exactly" | "re" | "any" | "some_value")) = word.text() {
            let message = format!("`{text}` stands alone");
            problems.report(
                word.position,
                message,
                "only `include` and `exclude` go together in one matcher",
            );
        }
    }
}

fn one(word: &Node, value: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> PatternKind {
    match word.text().unwrap_or_default() {
        "include" => PatternKind::Include(members(word, value, seen, name, problems)),
        "exclude" => PatternKind::Exclude(members(word, value, seen, name, problems)),
        "exactly" => exactly(value, seen, name, problems),
        "re" => expression(value, seen, name, problems),
        "some_value" => some_value(word, value, seen, name, problems),
        _ => match value.items() {
            Some(items) => {
                PatternKind::Any(items.iter().map(|item| pattern(item, seen, name, problems)).collect())
            }
            None => wants_list("any", value, problems),
        },
    }
}

fn wants_list(word: &str, value: &Node, problems: &mut Diagnostics<'_>) -> PatternKind {
    let message = format!("`{word}` takes a list, here stands {}", value.kind());
    problems.report(value.position, message, format!("write `{word}: […]`"));
    PatternKind::Any(Vec::new())
}

/// The items, or the keys, that `include` and `exclude` name.
fn members(
    word: &Node,
    value: &Node,
    seen: &Type,
    name: &str,
    problems: &mut Diagnostics<'_>,
) -> Vec<Pattern> {
    let text = word.text().unwrap_or_default();
    let Some(items) = value.items() else {
        wants_list(text, value, problems);
        return Vec::new();
    };
    if items.is_empty() {
        problems.report(value.position, format!("an empty `{text}` demands nothing"), "name at least one");
    }
    match &seen.kind {
        Kind::Anything => items.iter().map(|item| pattern(item, &Type::ANYTHING, name, problems)).collect(),
        Kind::List(member) => items.iter().map(|item| pattern(item, member, name, problems)).collect(),
        Kind::Dictionary(_) | Kind::Record(_) | Kind::OneOf(_) => {
            items.iter().map(|item| key(item, seen, name, problems)).collect()
        }
        Kind::Text | Kind::Flag | Kind::Integer | Kind::Word(_) => {
            let message = format!("`{name}` is {}, so nothing is in it", seen.described());
            problems.report(
                word.position,
                message,
                "write the value itself, or `any: […]` for one of several",
            );
            Vec::new()
        }
    }
}

/// A key that a map must have, or must not.
fn key(node: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> Pattern {
    let text = Type { kind: Kind::Text, naming: None };
    if let (Some(key), Kind::Record(fields)) = (node.string(), &seen.kind) {
        let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
        if !known.contains(&key) {
            let message = format!("`{name}` never has the key `{}`", shown(node));
            problems.report(node.position, message, did_you_mean(key, &known));
        }
    }
    if node.text().is_none() && node.items().is_some() || node.is_null() {
        let message = format!("`{name}` is a mapping, and its keys are named here");
        problems.report(node.position, message, "write strings");
    }
    pattern(node, &text, "a key", problems)
}

fn exactly(value: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> PatternKind {
    let Some(entries) = value.entries() else {
        let message = format!("`exactly` takes a mapping, here stands {}", value.kind());
        problems.report(value.position, message, "a list and a scalar match exactly without it");
        return PatternKind::Any(Vec::new());
    };
    let kind = map(value, entries, seen, name, problems);
    PatternKind::Exactly(Box::new(Pattern { position: value.position, kind }))
}

/// A value of a map whose keys are free, under whatever key.
fn some_value(
    word: &Node,
    value: &Node,
    seen: &Type,
    name: &str,
    problems: &mut Diagnostics<'_>,
) -> PatternKind {
    let inner = match &seen.kind {
        Kind::Dictionary(inner) => inner,
        Kind::Anything => &Type::ANYTHING,
        kind => {
            let message =
                format!("`{name}` is {}; `some_value` is about a map with free keys", seen.described());
            let remedy = match kind {
                Kind::List(_) => "write `include: […]` for some item of a list",
                Kind::Record(_) | Kind::OneOf(_) => "name the key",
                _ => "write the value itself, or `any: […]` for one of several",
            };
            problems.report(word.position, message, remedy);
            &Type::ANYTHING
        }
    };
    PatternKind::SomeValue(Box::new(pattern(value, inner, name, problems)))
}

fn expression(value: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> PatternKind {
    let Some(text) = value.string() else {
        let message = format!("`re` takes a string, here stands {}", value.kind());
        problems.report(value.position, message, "quote the expression");
        return PatternKind::Any(Vec::new());
    };
    let may_be_string = matches!(seen.kind, Kind::Anything | Kind::Text | Kind::Word(_) | Kind::OneOf(_));
    if !may_be_string && seen.naming.is_none() {
        refuse(value, seen, name, problems);
    }
    let kind = match regex::RegexBuilder::new(text).size_limit(REGEX_BYTES).build() {
        Ok(expression) => PatternKind::Matches(expression),
        Err(error) => {
            // The last line of the error says what, the lines before draw a picture of where.
            let error = error.to_string();
            let what = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let message = format!("`{}` is no regular expression: {what}", shown(value));
            problems.report(
                value.position,
                message,
                "correct it; a literal `(`, `[`, `{`, `.` or `*` takes a `\\` before it",
            );
            PatternKind::Any(Vec::new())
        }
    };
    match seen.naming {
        Some(key) => scalar::named(key, value, kind),
        None => kind,
    }
}
