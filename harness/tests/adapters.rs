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
