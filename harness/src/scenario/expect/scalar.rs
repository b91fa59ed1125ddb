//! Scalars in patterns, and the bare string that stands for a record's naming key.
//!
//! Knows one place at a time.
//! Rules: `docs/scenarios.md`, "Expectations".

use super::{Kind, Type, refuse};
use crate::protocol::Json;
use crate::scenario::{Pattern, PatternKind};
use crate::source::yaml::Node;
use crate::source::{Diagnostics, did_you_mean};

/// Compiles a scalar; reports one that can never be seen here.
pub(super) fn compile(node: &Node, seen: &Type, name: &str, problems: &mut Diagnostics<'_>) -> PatternKind {
    let json = node.to_json();
    if let (Json::String(_), Some(key)) = (&json, seen.naming) {
        return named(key, node, PatternKind::Scalar(json));
    }
    let words = seen.words();
    match (&seen.kind, &json) {
        // Null also means absent, and anything can be that.
        (_, Json::Null)
        | (Kind::Anything, _)
        | (Kind::Text, Json::String(_))
        | (Kind::Flag, Json::Bool(_)) => {}
        (Kind::Integer, Json::Number(number)) if number.as_u64().is_some() || whole(number) => {}
        (Kind::Word(_) | Kind::OneOf(_), Json::String(word)) => {
            if !words.contains(&word.as_str()) {
                let message = format!("`{name}` is never `{word}`");
                problems.report(node.position, message, did_you_mean(word, &words));
            }
        }
        _ => refuse(node, seen, name, problems),
    }
    PatternKind::Scalar(json)
}

/// A pattern for a record whose naming key matches this.
pub(super) fn named(key: &str, node: &Node, kind: PatternKind) -> PatternKind {
    PatternKind::Map(vec![(key.to_owned(), Pattern { position: node.position, kind })])
}

/// What to write instead of a pattern of the wrong kind.
pub(super) fn remedy(node: &Node, seen: &Type) -> String {
    match &seen.kind {
        Kind::Text if node.text().is_some() => format!("quote it: \"{}\"", node.text().unwrap_or_default()),
        Kind::Text => "write a string, or `{re: …}`".to_owned(),
        Kind::Flag => "write `true` or `false`".to_owned(),
        Kind::Integer => "write the number; times are virtual milliseconds".to_owned(),
        Kind::Word(words) => format!("write one of: {}", words.join(", ")),
        Kind::List(_) => {
            "write `[…]` for the whole list, or `{include: […]}` for some of its items".to_owned()
        }
        Kind::Dictionary(_) => "write a mapping, or `{include: […]}` for some of its keys".to_owned(),
        Kind::Record(_) | Kind::OneOf(_) => {
            let known: Vec<&str> = seen.fields().iter().map(|field| field.name).collect();
            format!("write a mapping with some of: {}", known.join(", "))
        }
        Kind::Anything => String::new(),
    }
}

/// Whether a number written with a fraction is a whole one, as `3.0` is.
fn whole(number: &serde_json::Number) -> bool {
    number.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0)
}
