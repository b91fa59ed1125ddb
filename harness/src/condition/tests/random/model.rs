//! A second evaluation, written from the notes, that shares nothing with the first: its numbers are small
//! enough for floats to be exact, and its texts have all parentheses.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::json;

/// How many entries the memory has.
const ENTRIES: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Thing {
    Nothing,
    Truth(bool),
    Whole(i32),
    Quarters(i32),
    Word(String),
    Row(Vec<Thing>),
}

#[derive(Clone, Debug)]
pub(super) enum Tree {
    Leaf(Thing),
    Entry(usize),
    Inverse(Box<Tree>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Links(Box<Tree>, Vec<(&'static str, Tree)>),
}

fn leaf(lowest: i32) -> impl Strategy<Value = Thing> {
    prop_oneof![
        Just(Thing::Nothing),
        any::<bool>().prop_map(Thing::Truth),
        (lowest..4).prop_map(Thing::Whole),
        (4 * lowest..16).prop_map(Thing::Quarters),
        "[ab]{0,2}".prop_map(Thing::Word),
    ]
}

/// What the entries hold.
pub(super) fn memory() -> impl Strategy<Value = Vec<Thing>> {
    let rows = proptest::collection::vec(leaf(-2), 0..3).prop_map(Thing::Row);
    proptest::collection::vec(prop_oneof![4 => leaf(-2), 1 => rows], ENTRIES)
}

/// A condition over those entries.
pub(super) fn tree() -> impl Strategy<Value = Tree> {
    let atom = prop_oneof![leaf(0).prop_map(Tree::Leaf), (0..ENTRIES).prop_map(Tree::Entry)];
    atom.prop_recursive(4, 24, 3, |inner| {
        let several = proptest::collection::vec(inner.clone(), 2..4);
        let sign = proptest::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
        let links = proptest::collection::vec((sign, inner.clone()), 1..3);
        prop_oneof![
            1 => inner.clone().prop_map(|operand| Tree::Inverse(Box::new(operand))),
            2 => several.clone().prop_map(Tree::All),
            2 => several.prop_map(Tree::Any),
            4 => (inner, links).prop_map(|(first, links)| Tree::Links(Box::new(first), links)),
        ]
    })
}

/// The tree as text, each part in parentheses.
pub(super) fn written(tree: &Tree) -> String {
    let joined =
        |trees: &[Tree], word: &str| trees.iter().map(written).collect::<Vec<_>>().join(&format!(" {word} "));
    let inside = match tree {
        Tree::Leaf(Thing::Nothing | Thing::Row(_)) => "None".to_owned(),
        Tree::Leaf(Thing::Truth(true)) => "True".to_owned(),
        Tree::Leaf(Thing::Truth(false)) => "False".to_owned(),
        Tree::Leaf(Thing::Whole(number)) => number.to_string(),
        Tree::Leaf(Thing::Quarters(quarters)) => format!("{:.2}", f64::from(*quarters) / 4.0),
        Tree::Leaf(Thing::Word(word)) => format!("\"{word}\""),
        Tree::Entry(place) => format!("session.skill.e{place}"),
        Tree::Inverse(operand) => format!("not {}", written(operand)),
        Tree::All(trees) => joined(trees, "and"),
        Tree::Any(trees) => joined(trees, "or"),
        Tree::Links(first, links) => {
            let links = links.iter().map(|(sign, tree)| format!("{sign}{}", written(tree)));
            written(first) + &links.collect::<Vec<_>>().concat()
        }
    };
    format!("({inside})")
}

/// A held thing as JSON.
pub(super) fn json(thing: &Thing) -> serde_json::Value {
    match thing {
        Thing::Nothing => json!(null),
        Thing::Truth(truth) => json!(truth),
        Thing::Whole(number) => json!(number),
        Thing::Quarters(quarters) => json!(f64::from(*quarters) / 4.0),
        Thing::Word(word) => json!(word),
        Thing::Row(things) => things.iter().map(json).collect(),
    }
}

fn quarters(thing: &Thing) -> Option<i32> {
    match thing {
        Thing::Truth(truth) => Some(4 * i32::from(*truth)),
        Thing::Whole(number) => Some(4 * number),
        Thing::Quarters(quarters) => Some(*quarters),
        _ => None,
    }
}

/// Whether `if thing:` would run.
pub(super) fn is_true(thing: &Thing) -> bool {
    let empty = Thing::Word(String::new());
    !(*thing == Thing::Nothing
        || quarters(thing) == Some(0)
        || *thing == empty
        || *thing == Thing::Row(vec![]))
}

fn alike(left: &Thing, right: &Thing) -> bool {
    match (left, right) {
        (Thing::Row(left), Thing::Row(right)) if left.len() != right.len() => false,
        (Thing::Row(left), Thing::Row(right)) => {
            (0..left.len()).all(|place| alike(&left[place], &right[place]))
        }
        _ if quarters(left).is_some() => quarters(left) == quarters(right),
        _ => left == right,
    }
}

fn ranked(left: &Thing, right: &Thing) -> Option<Ordering> {
    if let (Thing::Word(left), Thing::Word(right)) = (left, right) {
        return Some(left.chars().cmp(right.chars()));
    }
    if let (Thing::Row(left), Thing::Row(right)) = (left, right) {
        let common = left.len().min(right.len());
        return match (0..common).find(|place| !alike(&left[*place], &right[*place])) {
            Some(place) => ranked(&left[place], &right[place]),
            None => Some(left.len().cmp(&right.len())),
        };
    }
    Some(quarters(left)?.cmp(&quarters(right)?))
}

/// The value; `None` when ordering failed somewhere on the way.
pub(super) fn evaluated(tree: &Tree, memory: &[Thing]) -> Option<Thing> {
    let truth = match tree {
        Tree::Leaf(thing) => return Some(thing.clone()),
        Tree::Entry(place) => return Some(memory[*place].clone()),
        Tree::Inverse(operand) => !is_true(&evaluated(operand, memory)?),
        Tree::All(trees) => {
            let mut truth = true;
            for tree in trees {
                truth = truth && is_true(&evaluated(tree, memory)?);
                if !truth {
                    break;
                }
            }
            truth
        }
        Tree::Any(trees) => {
            let mut truth = false;
            for tree in trees {
                truth = truth || is_true(&evaluated(tree, memory)?);
                if truth {
                    break;
                }
            }
            truth
        }
        Tree::Links(first, links) => {
            let mut left = evaluated(first, memory)?;
            let mut truth = true;
            for (sign, tree) in links {
                let right = evaluated(tree, memory)?;
                truth = match *sign {
                    "==" => alike(&left, &right),
                    "!=" => !alike(&left, &right),
                    "<" => ranked(&left, &right)? == Ordering::Less,
                    "<=" => ranked(&left, &right)? != Ordering::Greater,
                    ">" => ranked(&left, &right)? == Ordering::Greater,
                    _ => ranked(&left, &right)? != Ordering::Less,
                };
                if !truth {
                    break;
                }
                left = right;
            }
            truth
        }
    };
    Some(Thing::Truth(truth))
}
