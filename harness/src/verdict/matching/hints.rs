//! What to show beside "not there": the nearest key, the item that comes closest, what there is instead.
//!
//! Help for readers only: whether something matches is decided elsewhere.
//! Rules: a failure is understood without running anything again (design, "Verdicts").

use super::{Mismatch, Site, differences, matches};
use crate::protocol::Json;
use crate::scenario::{Pattern, PatternKind};
use crate::source::{counted, nearest};
use crate::verdict::render::{entries_text, names_text, value_text};

/// For a value that is not there: a key that is called similarly, or all there are, with their values where these are
/// few and short. Instead of what a tool returns there is often the one entry that says why it did not.
pub(super) fn absent_among(key: &str, object: &serde_json::Map<String, Json>) -> String {
    without(key, object, entries_text)
}

/// For a key that is not there, whatever its value: a similar one, or all there are.
pub(super) fn no_key_among(key: &str, object: &serde_json::Map<String, Json>) -> String {
    without(key, object, |object| names_text(object.keys().map(String::as_str)))
}

fn without(
    key: &str,
    object: &serde_json::Map<String, Json>,
    told: impl FnOnce(&serde_json::Map<String, Json>) -> String,
) -> String {
    if let Some(similar) = nearest(key, object.keys().map(String::as_str)) {
        return format!("absent; there is `{similar}`");
    }
    if object.is_empty() {
        return "absent; there are no keys".to_owned();
    }
    format!("absent; there are: {}", told(object))
}

/// What a list without items is called.
pub(super) const EMPTY: &str = "an empty list";

/// How the item that comes closest is named.
const NEAREST: &str = "nearest is ";

/// How many differences are told of one item, and of how many items.
const MAXIMUM_DETAILS: usize = 3;

/// For a list of another length: all items, or, where they are too many, those that matter.
pub(super) fn lengths_differ(patterns: &[Pattern], items: &[Json], site: &Site) -> String {
    let first = patterns
        .iter()
        .zip(items)
        .enumerate()
        .position(|(index, (pattern, item))| !matches(pattern, Some(item), &site.item(index)))
        .unwrap_or(patterns.len().min(items.len()));
    if items.is_empty() {
        return EMPTY.to_owned();
    }
    let names = names_of(items, site);
    let all = names_text(names.iter().map(String::as_str));
    let count = counted(items.len(), "item");
    if !is_cut(&all) {
        return format!("{count}: [{all}], first difference at [{first}]");
    }
    let Some(item) = items.get(first) else {
        return format!("{count}, first difference at [{first}], which is not there");
    };
    if items.iter().all(|item| is_named(item, site)) {
        let rest = names_text(names.iter().skip(first).map(String::as_str));
        return format!("{count}, from the first difference at [{first}] on: [{rest}]");
    }
    let seen = match patterns.get(first) {
        Some(pattern) => {
            let inner = site.item(first);
            let mut found = Vec::new();
            differences(pattern, Some(item), &inner, &mut found);
            format!("where {}", details(&found, &inner.path))
        }
        None => format!("one more than there should be: {}", value_text(Some(item))),
    };
    format!("{count}, first difference at [{first}], {seen}")
}

fn is_cut(text: &str) -> bool {
    text.ends_with('…')
}

/// Records by their names where they have one.
fn names_of(items: &[Json], site: &Site) -> Vec<String> {
    let naming = site.item(0).naming;
    items.iter().map(|item| value_text(Some(naming.and_then(|key| item.get(key)).unwrap_or(item)))).collect()
}

fn is_named(item: &Json, site: &Site) -> bool {
    site.item(0).naming.is_some_and(|key| item.get(key).is_some())
}

/// In what something that stands there differs.
fn details(found: &[Mismatch], path: &str) -> String {
    let details = found
        .iter()
        .take(MAXIMUM_DETAILS)
        .map(|Mismatch { path: whole, expected, seen, .. }| detail(&place_in(whole, path), expected, seen));
    details.collect::<Vec<_>>().join("; ")
}

/// Expected comes first and seen last, as in the failure itself: what was seen may hold such a sentence again.
fn detail(place: &str, expected: &str, seen: &str) -> String {
    let colon = if place.is_empty() { "" } else { ": " };
    format!("{place}{colon}expected {expected}, seen {seen}")
}

/// A path as seen from one on its way.
fn place_in(whole: &str, path: &str) -> String {
    whole.strip_prefix(path).unwrap_or(whole).trim_start_matches('.').to_owned()
}

/// For an item that was not found: the one that comes closest, or what there is.
pub(super) fn candidates(pattern: &Pattern, items: &[Json], site: &Site) -> String {
    if items.is_empty() {
        return EMPTY.to_owned();
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
        return format!("{NEAREST}{path}, where {}", details(&found, &path));
    }
    let count = counted(items.len(), "item");
    let names = names_text(names_of(items, site).iter().map(String::as_str));
    if is_cut(&names) && !items.iter().all(|item| is_named(item, site)) {
        return deepest(pattern, items, site);
    }
    format!("{count}: {names}")
}

/// What is wrong with the item in which one has to look deepest for it, or with the first few of several.
fn deepest(pattern: &Pattern, items: &[Json], site: &Site) -> String {
    let mut told: Vec<FirstDifference> = items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| first_difference(pattern, index, item, site))
        .collect();
    let most = told.iter().map(|one| one.depth).max();
    told.retain(|one| Some(one.depth) == most);
    if let [one] = told.as_slice() {
        let FirstDifference { place, expected, seen, .. } = one;
        return format!("{NEAREST}{}, where {}", site.item(one.index).path, detail(place, expected, seen));
    }
    let count = counted(items.len(), "item");
    let Some(first) = told.first() else { return count };
    // What was expected is the same for all where they differ in the same place: told once, it leaves the eye to what differs.
    let is_one_place = told.iter().all(|one| (&one.place, &one.expected) == (&first.place, &first.expected));
    let more = told.len().saturating_sub(MAXIMUM_DETAILS);
    let shown =
        told.iter().take(MAXIMUM_DETAILS).map(|FirstDifference { index, place, expected, seen, .. }| {
            if is_one_place {
                format!("in [{index}] {seen}")
            } else {
                format!("[{index}], where {}", detail(place, expected, seen))
            }
        });
    let rest = (more > 0).then(|| format!("and {more} more"));
    let shown = shown.chain(rest).collect::<Vec<_>>().join("; ");
    if is_one_place {
        format!("{count}, where {}", detail(&first.place, &first.expected, &shown))
    } else {
        format!("{count}: {shown}")
    }
}

/// The first thing in which an item differs.
struct FirstDifference {
    index: usize,
    /// How deep one has to look for it, and whether there even is something near it.
    depth: (usize, bool),
    place: String,
    expected: String,
    seen: String,
}

fn first_difference(pattern: &Pattern, index: usize, item: &Json, site: &Site) -> Option<FirstDifference> {
    let inner = site.item(index);
    let mut found = Vec::new();
    differences(pattern, Some(item), &inner, &mut found);
    let Mismatch { path, expected, seen, .. } = found.into_iter().next()?;
    let depth = (path.matches(['.', '[']).count(), seen.starts_with(NEAREST));
    Some(FirstDifference { index, depth, place: place_in(&path, &inner.path), expected, seen })
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
