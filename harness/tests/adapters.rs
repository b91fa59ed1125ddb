//! The examples of docs/adapters.md are messages of the protocol, and no field of theirs is misspelled.
//!
//! Reads the document as its readers do; what the messages mean is not asked.
//! Rules: `specs/protocol.schema.json`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

#[path = "adapters/names.rs"]
mod names;

use std::collections::BTreeSet;

use harness::protocol::{
    Bye, Capability, HelloReport, Json, LoadReport, ReplyLine, RequestLine, TurnTrace, WaitReport,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

const DOCUMENT: &str = include_str!("../../docs/adapters.md");

/// Each example with the type its fence names.
fn examples() -> Vec<(&'static str, &'static str)> {
    let fences = DOCUMENT.split("```json ").skip(1);
    fences.map(|rest| rest.split_once("```").unwrap().0.split_once('\n').unwrap()).collect()
}

/// The message as it is understood.
fn understood<Type: DeserializeOwned + Serialize>(example: &str) -> Json {
    let message: Type = serde_json::from_str(example).unwrap_or_else(|error| panic!("{error}:\n{example}"));
    serde_json::to_value(message).unwrap()
}

/// Everything in `written` is in `understood`; what is not was ignored as unknown.
fn keeps(written: &Json, understood: &Json, path: &str) {
    match (written, understood) {
        (Json::Object(written), Json::Object(understood)) => {
            for (key, value) in written {
                let path = format!("{path}.{key}");
                let is_default = value.is_null() || *value == serde_json::json!([]);
                match understood.get(key) {
                    Some(understood) => keeps(value, understood, &path),
                    None => assert!(is_default, "{path} is no field of the protocol"),
                }
            }
        }
        (Json::Array(written), Json::Array(understood)) => {
            assert_eq!(written.len(), understood.len(), "{path}");
            for (index, (written, understood)) in written.iter().zip(understood).enumerate() {
                keeps(written, understood, &format!("{path}[{index}]"));
            }
        }
        _ => assert!(written == understood || written.as_f64() == understood.as_f64(), "{path}"),
    }
}

#[test]
fn every_example_is_a_message_without_unknown_fields() {
    let mut kinds = BTreeSet::new();
    for (name, example) in examples() {
        let understood = match name {
            "RequestLine" => understood::<RequestLine>(example),
            "HelloReply" => understood::<ReplyLine<HelloReport>>(example),
            "LoadReply" => understood::<ReplyLine<LoadReport>>(example),
            "TurnReply" => understood::<ReplyLine<TurnTrace>>(example),
            "WaitReply" => understood::<ReplyLine<WaitReport>>(example),
            "ByeReply" => understood::<ReplyLine<Bye>>(example),
            _ => panic!("no message is a {name}"),
        };
        keeps(&serde_json::from_str(example).unwrap(), &understood, name);
        match understood["reply"].as_object() {
            Some(reply) => kinds.extend(reply.keys().map(|kind| format!("{name} {kind}"))),
            None => _ = kinds.insert(understood["request"]["kind"].as_str().unwrap().to_owned()),
        }
    }
    for kind in
        ["hello", "load", "turn", "wait", "bye", "HelloReply result", "LoadReply result", "TurnReply result"]
    {
        assert!(kinds.contains(kind), "no example of {kind}");
    }
    for kind in ["WaitReply result", "ByeReply result", "TurnReply skipped", "LoadReply errored"] {
        assert!(kinds.contains(kind), "no example of {kind}");
    }
}

#[test]
fn every_capability_is_named() {
    let words: BTreeSet<&str> = DOCUMENT.split(|c: char| c.is_whitespace() || "`.".contains(c)).collect();
    let missing: Vec<&str> = Capability::ALL
        .iter()
        .map(|capability| capability.name())
        .filter(|name| !words.contains(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_reference_is_named_as_it_is_typed() {
    let built = std::path::Path::new(env!("CARGO_BIN_EXE_mantle-reference")).file_stem().unwrap();
    let typed = format!("`target/debug/{}`", built.to_str().unwrap());
    assert!(DOCUMENT.contains(&typed), "{typed}");
}

/// The rows of a table of the document, by the heading of its first column.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let lines = DOCUMENT.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    lines
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// Names as the document lists them.
fn listed<Name: std::fmt::Display>(names: impl IntoIterator<Item = Name>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}

/// Every object that a schema leads to, by its name.
fn objects<'schema>(at: &'schema Json, definitions: &'schema Json, seen: &mut BTreeSet<&'schema str>) {
    match at {
        Json::Object(map) => {
            if let Some(name) =
                map.get("$ref").and_then(Json::as_str).and_then(|path| path.rsplit('/').next())
                && seen.insert(name)
            {
                objects(&definitions[name], definitions, seen);
            }
            map.values().for_each(|inner| objects(inner, definitions, seen));
        }
        Json::Array(items) => items.iter().for_each(|inner| objects(inner, definitions, seen)),
        _ => {}
    }
}

#[test]
fn the_table_of_replies_is_the_schemas() {
    let schema: Json = serde_json::from_str(include_str!("../../specs/protocol.schema.json")).unwrap();
    let definitions = &schema["$defs"];
    let mut expected = Vec::new();
    for reply in ["HelloReport", "LoadReport", "TurnTrace", "WaitReport", "Bye"] {
        let mut seen = BTreeSet::from([reply]);
        objects(&definitions[format!("{reply}Reply")], definitions, &mut seen);
        objects(&definitions[reply], definitions, &mut seen);
        for name in std::iter::once(reply).chain(seen.into_iter().filter(|name| *name != reply)) {
            // What is asked, and an intent or a schema of the agent's, is no object of a reply.
            let Some(fields) = definitions[name]["properties"].as_object() else { continue };
            let required: Vec<&str> = definitions[name]["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Json::as_str)
                .collect();
            let optional = fields.keys().filter(|field| !required.contains(&field.as_str()));
            let row = vec![listed([name]), listed(&required), listed(optional)];
            if !expected.contains(&row) {
                expected.push(row);
            }
        }
    }
    is_the_table(&rows("In a reply"), &expected);
}

#[test]
fn the_table_of_capabilities_is_the_catalogues() {
    let catalogue = harness::suite::Repository::shipped().catalogue().unwrap();
    let written = rows("Capability");
    let expected: Vec<Vec<String>> = Capability::ALL
        .iter()
        .enumerate()
        .map(|(index, capability)| {
            let whole = catalogue.chapters.iter().filter(|chapter| chapter.needs.contains(capability));
            let partly = catalogue.chapters.iter().filter(|chapter| {
                let clauses = &mut chapter.requirements.iter();
                !chapter.needs.contains(capability) && clauses.any(|clause| clause.needs.contains(capability))
            });
            // What it means is for people to say.
            let meaning = written.get(index).and_then(|row| row.get(1)).copied().unwrap_or_default();
            let folders = |chapters: Vec<&harness::spec::Chapter>| {
                listed(chapters.into_iter().map(|chapter| &chapter.folder))
            };
            vec![
                listed([capability.name()]),
                meaning.to_owned(),
                folders(whole.collect()),
                folders(partly.collect()),
            ]
        })
        .collect();
    is_the_table(&written, &expected);
}

/// Shows the whole table that should stand there.
fn is_the_table(written: &[Vec<&str>], expected: &[Vec<String>]) {
    let table: Vec<String> = expected.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
    assert!(written == expected, "docs/adapters.md should have\n{}", table.join("\n"));
}
