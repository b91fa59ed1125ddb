//! Patterns and scenarios for tests, from JSON.
//!
//! Test code only. The parser has tests of its own; these need data, not files.

use std::collections::BTreeSet;

use crate::project::MemoryProject;
use crate::protocol::{Json, Session, World};
use crate::scenario::{Expectation, Pattern, PatternKind, Scenario, ScenarioId, Step};
use crate::source::Position;
use crate::spec::RequirementId;

/// Where every pattern of a fixture stands.
pub(crate) const HERE: Position = Position::new(20, 5);

/// A pattern from JSON, the matching words meaning what they mean in a scenario.
pub(crate) fn pattern(value: &Json) -> Pattern {
    let all = |value: &Json| value.as_array().unwrap().iter().map(pattern).collect();
    let kind = match value {
        Json::Array(items) => PatternKind::List(items.iter().map(pattern).collect()),
        Json::Object(entries) => {
            let word = |key: &str| entries.get(key);
            if let Some(inner) = word("include") {
                PatternKind::Include(all(inner))
            } else if let Some(inner) = word("exclude") {
                PatternKind::Exclude(all(inner))
            } else if let Some(inner) = word("any") {
                PatternKind::Any(all(inner))
            } else if let Some(inner) = word("all") {
                PatternKind::All(all(inner))
            } else if let Some(inner) = word("exactly") {
                PatternKind::Exactly(Box::new(pattern(inner)))
            } else if let Some(inner) = word("some_value") {
                PatternKind::SomeValue(Box::new(pattern(inner)))
            } else if let Some(inner) = word("re") {
                PatternKind::Matches(regex::Regex::new(inner.as_str().unwrap()).unwrap())
            } else {
                PatternKind::Map(entries.iter().map(|(key, value)| (key.clone(), pattern(value))).collect())
            }
        }
        scalar => PatternKind::Scalar(scalar.clone()),
    };
    Pattern { position: HERE, kind }
}

/// An expectation from JSON.
pub(crate) fn expectation(value: &Json) -> Expectation {
    Expectation { position: Position::new(19, 1), pattern: pattern(value) }
}

/// A scenario about the clause `SCH-06`.
pub(crate) fn scenario(load: Option<&Json>, steps: Vec<Step>) -> Scenario {
    Scenario {
        id: ScenarioId::new("schema/optional_union"),
        file: "scenarios/schema/optional_union.yml".to_owned(),
        title: "An optional annotation does not make a parameter optional".to_owned(),
        title_position: Position::new(1, 11),
        covers: vec![(RequirementId::parse("SCH-06").unwrap(), Position::new(2, 10))],
        needs: BTreeSet::new(),
        tags: BTreeSet::new(),
        project: MemoryProject::new(),
        control: None,
        world: World::default(),
        session: Session::default(),
        load: load.map(expectation),
        steps,
        sweep: None,
    }
}
