//! The names that scenarios look for: the tables of docs/adapters.md have them all, and no others.
//!
//! Reads the expectations of every scenario; what a name means is for people to say.
//! Rules: docs/adapters.md, "Names that scenarios look for".

use std::collections::{BTreeMap, BTreeSet};

use harness::project::ProjectSource;
use harness::protocol::Json;
use harness::scenario::{Expectation, Pattern, PatternKind, Scenario};
use harness::spec::Level;
use harness::suite::Repository;
use harness::verdict::binding_level;

use super::{DOCUMENT, is_the_table, listed, objects, rows};

/// For each name what expectations say beside it.
type Names = BTreeMap<String, BTreeSet<String>>;

/// What the expectations of some scenarios look for.
#[derive(Default)]
struct Sought {
    /// Events, with the keys of their data.
    events: Names,
    /// Names of events written as an expression, or left open, with the keys of their data.
    loose_events: Vec<(Option<regex::Regex>, BTreeSet<String>)>,
    /// Logs, with their levels.
    logs: Names,
    /// Codes of findings, with the phases that report them.
    findings: Names,
    /// Codes and states in what the model reads, with the keys beside them.
    results: Names,
}

/// Every pattern that some part of an observation has to match, or must not: matching words are looked through.
fn alternatives<'pattern>(pattern: &'pattern Pattern, found: &mut Vec<&'pattern Pattern>) {
    match &pattern.kind {
        PatternKind::Include(inner)
        | PatternKind::Exclude(inner)
        | PatternKind::Any(inner)
        | PatternKind::List(inner)
        | PatternKind::All(inner) => inner.iter().for_each(|inner| alternatives(inner, found)),
        PatternKind::Exactly(inner) | PatternKind::SomeValue(inner) => alternatives(inner, found),
        PatternKind::Scalar(_) | PatternKind::Map(_) | PatternKind::Matches(_) => found.push(pattern),
    }
}

/// What a pattern says about a key.
fn at<'pattern>(pattern: &'pattern Pattern, key: &str) -> Vec<&'pattern Pattern> {
    let mut places = Vec::new();
    alternatives(pattern, &mut places);
    let mut found = Vec::new();
    for place in places {
        if let PatternKind::Map(entries) = &place.kind {
            let values = entries.iter().filter(|(name, _)| name == key);
            values.for_each(|(_, value)| alternatives(value, &mut found));
        }
    }
    found
}

/// The strings that a pattern names behind a key.
fn words(pattern: &Pattern, key: &str) -> BTreeSet<String> {
    let word = |pattern: &&Pattern| match &pattern.kind {
        PatternKind::Scalar(Json::String(word)) => Some(word.clone()),
        _ => None,
    };
    at(pattern, key).iter().filter_map(word).collect()
}

/// The keys that a pattern names.
fn own_keys(pattern: &Pattern) -> BTreeSet<String> {
    match &pattern.kind {
        PatternKind::Map(entries) => entries.iter().map(|(name, _)| name.clone()).collect(),
        _ => BTreeSet::new(),
    }
}

/// The keys that a pattern names behind a key.
fn keys(pattern: &Pattern, key: &str) -> BTreeSet<String> {
    at(pattern, key).into_iter().flat_map(own_keys).collect()
}

/// Everything that a scenario's tools, services and servers may say.
fn said(scenario: &Scenario) -> String {
    let project = &scenario.project;
    let mut said = serde_json::to_string(&scenario.world).unwrap();
    for file in project.paths().into_iter().filter_map(|path| project.read(path)) {
        said.push_str(&String::from_utf8_lossy(&file));
    }
    said
}

fn enter(names: &mut Names, entered: BTreeSet<String>, beside: &BTreeSet<String>) {
    for name in entered {
        names.entry(name).or_default().extend(beside.iter().cloned());
    }
}

impl Sought {
    fn read(&mut self, pattern: &Pattern) {
        for event in at(pattern, "events") {
            let keys = keys(event, "data");
            let named = at(event, "event");
            for name in &named {
                if let PatternKind::Matches(expression) = &name.kind {
                    self.loose_events.push((Some(expression.clone()), keys.clone()));
                }
            }
            if named.is_empty() {
                self.loose_events.push((None, keys.clone()));
            }
            enter(&mut self.events, words(event, "event"), &keys);
        }
        for log in at(pattern, "logs") {
            enter(&mut self.logs, words(log, "event"), &words(log, "level"));
        }
        for finding in at(pattern, "findings") {
            let own = words(finding, "phase");
            let phases = if own.is_empty() { words(pattern, "phase") } else { own };
            enter(&mut self.findings, words(finding, "code"), &phases);
        }
    }

    /// Of what the model reads only what is the runtime's own: `said` is everything that tools may have said.
    fn read_results(&mut self, pattern: &Pattern, said: &str) {
        let calls = at(pattern, "llm_calls").into_iter();
        for read in calls.flat_map(|call| at(call, "read")) {
            for result in at(read, "result") {
                let mut named = words(result, "code");
                named.extend(words(result, "status"));
                named.retain(|word| !said.contains(word.as_str()));
                enter(&mut self.results, named, &own_keys(result));
            }
        }
    }

    /// Of the scenarios that bind this much.
    fn by(level: Level) -> Self {
        let repository = Repository::shipped();
        let catalogue = repository.catalogue().unwrap();
        let mut sought = Self::default();
        for id in repository.scenario_ids().unwrap() {
            // One that cannot be read is for lint to complain about.
            let Ok(scenario) = repository.scenario(&id) else { continue };
            if binding_level(&scenario, &catalogue) == level {
                let said = said(&scenario);
                for Expectation { pattern, .. } in expectations(&scenario) {
                    sought.read(pattern);
                    sought.read_results(pattern, &said);
                }
            }
        }
        sought
    }

    fn names(&self) -> BTreeSet<&String> {
        self.events.keys().chain(self.logs.keys()).chain(self.findings.keys()).collect()
    }
}

fn expectations(scenario: &Scenario) -> impl Iterator<Item = &Expectation> {
    let swept = scenario.sweep.iter().flat_map(|sweep| [&sweep.interrupted, &sweep.repeated]);
    let steps = scenario.steps.iter().map(|step| &step.expect);
    std::iter::once(&scenario.load).chain(steps).chain(swept).flatten()
}

/// The names between backticks.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The table whose first heading this is has these names, whatever else it says beside them.
fn has_the_names(heading: &str, sought: &Names) {
    let written: Names =
        rows(heading).iter().map(|row| (row[0].trim_matches('`').to_owned(), quoted(row[1]))).collect();
    let missing = sought
        .iter()
        .filter(|(name, beside)| !written.get(*name).is_some_and(|written| written.is_superset(beside)))
        .map(|(name, beside)| format!("| `{name}` | {} | … |", listed(beside)));
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "docs/adapters.md lacks of its table `{heading}`\n{}", missing.join("\n"));
    let stale: Vec<&String> = written.keys().filter(|name| !sought.contains_key(*name)).collect();
    assert!(stale.is_empty(), "docs/adapters.md: nothing looks for the `{heading}` {}", listed(stale));
}

#[test]
fn the_tables_of_names_are_what_scenarios_look_for() {
    let sought = Sought::by(Level::Must);
    assert!(!sought.events.is_empty() && !sought.findings.is_empty() && !sought.results.is_empty());
    has_the_names("Event", &sought.events);
    has_the_names("Log", &sought.logs);
    has_the_names("Finding", &sought.findings);
    has_the_names("Result", &sought.results);
}

#[test]
fn an_event_that_is_looked_for_loosely_is_one_of_the_table() {
    let written: Vec<(&str, BTreeSet<String>)> =
        rows("Event").iter().map(|row| (row[0].trim_matches('`'), quoted(row[1]))).collect();
    for (expression, keys) in Sought::by(Level::Must).loose_events {
        let meant = |name: &str| expression.as_ref().is_none_or(|expression| expression.is_match(name));
        let is_there = written.iter().any(|(name, written)| meant(name) && written.is_superset(&keys));
        let shown = expression.as_ref().map_or("any name", regex::Regex::as_str);
        assert!(is_there, "docs/adapters.md has no event {shown} with {}", listed(&keys));
    }
}

#[test]
fn the_names_that_fail_nobody_are_listed() {
    let sought = (Sought::by(Level::Observed), Sought::by(Level::Must));
    let only_observed: BTreeSet<String> =
        sought.0.names().difference(&sought.1.names()).copied().cloned().collect();
    let paragraph = DOCUMENT.split("fail nobody: ").nth(1).and_then(|rest| rest.split("\n\n").next());
    let written = quoted(paragraph.unwrap_or_default());
    assert!(written == only_observed, "docs/adapters.md should say\nfail nobody: {}", listed(only_observed));
}

/// The words of a type that has nothing but words, each with what it means.
fn meanings(definition: &Json) -> Option<String> {
    let words = definition["oneOf"].as_array()?.iter().map(|word| {
        let meaning = word["description"].as_str()?.trim_end_matches('.');
        Some(format!("`{}`: {meaning}", word["const"].as_str()?))
    });
    Some(words.collect::<Option<Vec<String>>>()?.join("; "))
}

/// The name of the type that stands behind a field.
fn type_of(field: &Json) -> Option<&str> {
    let behind = field["anyOf"].get(0).unwrap_or(field);
    behind["$ref"].as_str()?.rsplit('/').next()
}

#[test]
fn the_table_of_fixed_words_is_the_schemas() {
    let schema: Json = serde_json::from_str(include_str!("../../../specs/protocol.schema.json")).unwrap();
    let definitions = &schema["$defs"];
    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for reply in ["LoadReport", "TurnTrace"] {
        let mut seen = BTreeSet::from([reply]);
        objects(&definitions[reply], definitions, &mut seen);
        for name in seen {
            for (field, behind) in definitions[name]["properties"].as_object().into_iter().flatten() {
                let Some(meanings) = type_of(behind).and_then(|behind| meanings(&definitions[behind])) else {
                    continue;
                };
                let field = format!("`{name}.{field}`");
                match expected.iter_mut().find(|(known, _)| *known == meanings) {
                    Some((_, fields)) if fields.contains(&field) => {}
                    Some((_, fields)) => fields.push(field),
                    None => expected.push((meanings, vec![field])),
                }
            }
        }
    }
    let expected: Vec<Vec<String>> =
        expected.into_iter().map(|(meanings, fields)| vec![fields.join(" "), meanings]).collect();
    is_the_table(&rows("Fixed words of"), &expected);
}
