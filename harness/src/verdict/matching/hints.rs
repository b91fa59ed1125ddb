//! What to show beside "not there": the nearest key, the item that comes closest, what there is instead.
//!
//! Help for readers only: whether something matches is decided elsewhere.
//! Rules: a failure is understood without running anything again (design, "Verdicts").

use super::{Mismatch, Site, differences, matches};
use crate::protocol::Json;
use crate::scenario::{Pattern, PatternKind};
use crate::source::nearest;
use crate::verdict::render::{names_text, value_text};

/// For a key that is not there: a similar one, or all there are.
pub(super) fn absent_among(key: &str, object: &serde_json::Map<String, Json>) -> String {
    if let Some(similar) = nearest(key, object.keys().map(String::as_str)) {
        return format!("absent; there is `{similar}`");
    }
    if object.is_empty() {
        return "absent; there are no keys".to_owned();
    }
    format!("absent; there are: {}", names_text(object.keys().map(String::as_str)))
}

pub(super) fn counted(count: usize) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

pub(super) fn lengths_differ(patterns: &[Pattern], items: &[Json], site: &Site) -> String {
    let first = patterns
        .iter()
        .zip(items)
        .enumerate()
        .position(|(index, (pattern, item))| !matches(pattern, Some(item), &site.item(index)))
        .unwrap_or(patterns.len().min(items.len()));
    if items.is_empty() {
        return "an empty list".to_owned();
    }
    let names = items.iter().enumerate().map(|(index, item)| name_of(item, &site.item(index)));
    format!(
        "{}: [{}], first difference at [{first}]",
        counted(items.len()),
        names_text(names.collect::<Vec<_>>().iter().map(String::as_str))
    )
}

/// A record by its name where it has one.
fn name_of(item: &Json, site: &Site) -> String {
    let name = site.naming.and_then(|key| item.get(key));
    value_text(Some(name.unwrap_or(item)))
}

/// For an item that was not found: the one that comes closest, or what there is.
pub(super) fn candidates(pattern: &Pattern, items: &[Json], site: &Site) -> String {
    if items.is_empty() {
        return "an empty list".to_owned();
    }
    let mut closest: Option<(String, Vec<Mismatch>)> = None;
    for (index, item) in items.iter().enumerate() {
        let inner = site.item(index);
        let mut found = Vec::new();
        differences(pattern, Some(item), &inner, &mut found);
        let closer = closest.as_ref().is_none_or(|(_, known)| found.len() < known.len());
        if is_near(pattern, &inner, &found) && closer {
            closest = Some((inner.path, found));
        }
    }
    if let Some((path, found)) = closest {
        let details = found.iter().take(3).map(|mismatch| {
            let place = mismatch.path.strip_prefix(&path).unwrap_or(&mismatch.path).trim_start_matches('.');
            format!("{place} {} is {}", mismatch.expected, mismatch.seen)
        });
        format!("nearest is {path}, where {}", details.collect::<Vec<_>>().join("; "))
    } else {
        let names: Vec<String> =
            items.iter().enumerate().map(|(index, item)| name_of(item, &site.item(index))).collect();
        format!("{}: {}", counted(items.len()), names_text(names.iter().map(String::as_str)))
    }
}

/// Whether an item differs from a record only in part: it has the right name, or something else right.
fn is_near(pattern: &Pattern, site: &Site, found: &[Mismatch]) -> bool {
    let PatternKind::Map(entries) = &pattern.kind else { return false };
    match site.naming {
        Some(key) if entries.iter().any(|(name, _)| name == key) => {
            let name = site.key(key).path;
            entries.len() > 1 && found.iter().all(|mismatch| mismatch.path != name)
        }
        _ => found.len() < entries.len(),
    }
}
