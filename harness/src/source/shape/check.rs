//! Compares a YAML tree with a shape and reports every difference.
//!
//! Looks at one place at a time: what two keys mean together is for the reader of the tree.
//! Rules: the table it is given.

use super::super::yaml::Node;
use super::super::{Diagnostics, did_you_mean, nearest};
use super::{Key, Record, Shape, Spelling};

/// Reports everything in `node` that does not fit `shape`; `name` is what messages call the place.
pub(crate) fn check(node: &Node, shape: &Shape, name: &str, problems: &mut Diagnostics<'_>) {
    match shape {
        Shape::Anything | Shape::Defined(_) => {}
        Shape::Text | Shape::Name => text(node, matches!(shape, Shape::Name), name, problems),
        Shape::File => file(node, name, problems),
        Shape::Flag if boolean(node).is_some() => {}
        Shape::True if boolean(node) == Some(true) => {}
        Shape::True if boolean(node) == Some(false) => {
            let message = format!("`{name}: false` says nothing");
            problems.report(node.position, message, "leave the key out");
        }
        Shape::Count if count(node).is_some() => {}
        Shape::Count if node.text().is_some() => {
            let message = format!("`{name}` is counted from 1, `{}` is no such number", shown(node));
            problems.report(node.position, message, "write 1 for the first");
        }
        Shape::Flag | Shape::True | Shape::Count => wrong(node, shape, name, "", problems),
        Shape::Spelled(spelling) => spelled(node, spelling, name, problems),
        Shape::Word(words) => match node.string() {
            Some(word) if words.contains(&word) => {}
            Some(word) => {
                let message = format!("`{name}` does not know `{word}`");
                problems.report(node.position, message, did_you_mean(word, words));
            }
            None => wrong(node, shape, name, "", problems),
        },
        Shape::Record(record) => mapping(node, record, name, problems),
        Shape::Dictionary(value) => match node.entries() {
            Some(entries) => {
                for (key, entry) in entries {
                    check(entry, value, key.text().unwrap_or_default(), problems);
                }
            }
            None => wrong(node, shape, name, "", problems),
        },
        Shape::List { item, may_be_empty } => match node.items() {
            Some([]) if !may_be_empty => {
                problems.report(node.position, format!("`{name}` is empty"), "name at least one");
            }
            Some(items) => items.iter().for_each(|node| check(node, item, name, problems)),
            None => {
                let remedy = "write it as a list: `[…]`, or lines that begin with `- `";
                wrong(node, shape, name, remedy, problems);
            }
        },
        Shape::OneOrMany(item) => match node.items() {
            Some([]) => problems.report(node.position, format!("`{name}` is empty"), "give at least one"),
            Some(items) => items.iter().for_each(|node| check(node, item, name, problems)),
            None => check(node, item, name, problems),
        },
    }
}

/// The boolean a node means, if it means one.
pub(crate) fn boolean(node: &Node) -> Option<bool> {
    scalar(node)?.as_bool()
}

/// The number from 1 that a node means, if it means one.
pub(crate) fn count(node: &Node) -> Option<u32> {
    let number = scalar(node)?.as_u64()?;
    u32::try_from(number).ok().filter(|number| *number > 0)
}

fn text(node: &Node, not_blank: bool, name: &str, problems: &mut Diagnostics<'_>) {
    match (node.string(), node.text()) {
        (Some(text), _) if not_blank && text.trim().is_empty() => {
            problems.report(node.position, format!("`{name}` is blank"), "write something");
        }
        (Some(_), _) => {}
        (None, Some(text)) if !node.is_null() => {
            let message = format!("`{name}` must be a string, here stands {}", node.kind());
            problems.report(node.position, message, format!("quote it: \"{text}\""));
        }
        _ => wrong(node, &Shape::Text, name, "write a string", problems),
    }
}

fn file(node: &Node, name: &str, problems: &mut Diagnostics<'_>) {
    if !node.is_null() && node.string().is_none() {
        let remedy = format!("write the text as a block: `{name}: |`, and the lines below it, indented");
        wrong(node, &Shape::File, name, &remedy, problems);
    }
}

fn spelled(node: &Node, spelling: &'static Spelling, name: &str, problems: &mut Diagnostics<'_>) {
    let Some(text) = node.text().filter(|_| !node.is_null()) else {
        return wrong(node, &Shape::Spelled(spelling), name, spelling.remedy, problems);
    };
    if let Some(complaint) = (spelling.complaint)(text) {
        problems.report(node.position, format!("`{}` {complaint}", shown(node)), spelling.remedy);
    }
}

fn mapping(node: &Node, record: &Record, name: &str, problems: &mut Diagnostics<'_>) {
    let Some(entries) = node.entries() else {
        let known: Vec<&str> = record.keys.iter().map(|key| key.name).collect();
        let message = format!("`{name}` must be a mapping, {}, here stands {}", record.name, node.kind());
        return problems.report(node.position, message, format!("its keys are: {}", known.join(", ")));
    };
    let known: Vec<&str> = record.keys.iter().map(|key| key.name).collect();
    let mut misspelled = Vec::new();
    for (key, value) in entries {
        let text = key.text().unwrap_or_default();
        match record.keys.iter().find(|known| known.name == text) {
            Some(known) => check(value, &known.shape, known.name, problems),
            None => {
                misspelled.extend(nearest(text, known.iter().copied()));
                let message = format!("unknown key `{}` in {}", shown(key), record.name);
                problems.report(key.position, message, did_you_mean(text, &known));
            }
        }
    }
    let missing =
        |key: &&Key| key.required && node.get(key.name).is_none() && !misspelled.contains(&key.name);
    for key in record.keys.iter().filter(missing) {
        let message = format!("`{}` is missing in {}", key.name, record.name);
        problems.report(
            node.position,
            message,
            format!("add `{}:`, {}", key.name, uncapitalised(key.meaning)),
        );
    }
}

fn wrong(node: &Node, shape: &Shape, name: &str, remedy: &str, problems: &mut Diagnostics<'_>) {
    let message = format!("`{name}` must be {}, here stands {}", shape.wanted(), node.kind());
    problems.report(node.position, message, remedy);
}

/// A scalar as JSON.
fn scalar(node: &Node) -> Option<serde_json::Value> {
    node.text().map(|_| node.to_json())
}

/// What a reader sees of a scalar: its first line, and not all of that if it is long.
pub(crate) fn shown(node: &Node) -> String {
    let line = node.text().unwrap_or_default().lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(60).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

fn uncapitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
    first + characters.as_str().trim_end_matches('.')
}
