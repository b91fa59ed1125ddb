//! Patterns: what an observation is compared with.
//!
//! A map matches when every key given matches; a list matches whole; the words `include`, `exclude`,
//! `exactly`, `re`, `any` and `some_value` loosen or tighten that.

use crate::protocol::Json;
use crate::source::Position;

/// A pattern and where it stands in its file.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Where it stands.
    pub position: Position,
    /// What it demands.
    pub kind: PatternKind,
}

/// What a pattern demands.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// This scalar. Numbers compare by value, `null` also matches what is absent.
    Scalar(Json),
    /// A map in which each of these keys matches; other keys are free.
    Map(Vec<(String, Pattern)>),
    /// A list that matches item by item, whole.
    List(Vec<Pattern>),
    /// A list in which each of these is matched by some item, or a map that has these keys.
    Include(Vec<Pattern>),
    /// A list in which no item matches any of these, or a map without these keys.
    Exclude(Vec<Pattern>),
    /// As the inner pattern, but a map has no keys beyond those given, at this level.
    Exactly(Box<Pattern>),
    /// A string in which the expression finds a match.
    Matches(regex::Regex),
    /// One of these, or, when empty, anything that is present.
    Any(Vec<Pattern>),
    /// A map some value of which matches, whatever its key.
    SomeValue(Box<Pattern>),
    /// All of these: several words in one map.
    All(Vec<Pattern>),
}
