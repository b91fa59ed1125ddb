//! Expectations against what can be seen, and the matching words.

use super::*;
use crate::protocol::Json;
use crate::scenario::PatternKind;

fn turn(expect: &str) -> String {
    format!("scenario: A claim\ncovers: [SCH-01]\nsteps:\n  - user: hi\n    expect: {expect}\n")
}

#[track_caller]
fn refused_turn(expect: &str, message: &str, remedy: &str) {
    refused(&turn(expect), &[(message, remedy)]);
}

#[track_caller]
fn refused_load(expect: &str, message: &str, remedy: &str) {
    refused(&format!("scenario: A\ncovers: [SCH-01]\nexpect: {expect}\n"), &[(message, remedy)]);
}

#[test]
fn keys_are_those_of_the_observation() {
    refused_turn("{¶evnts: []}", "`expect` never has the key `evnts`", "did you mean `events`?");
    refused_turn("{active: {¶blok: x}}", "`active` never has the key `blok`", "did you mean `block`?");
    refused_turn(
        "{events: [{¶name: x}]}",
        "`events` never has the key `name`",
        "use one of: at_ms, event, data",
    );
    refused_load(
        "{skills: {pay: {tools: {move: {¶parameter: {}}}}}}",
        "`move` never has the key `parameter`",
        "did you mean `parameters`?",
    );
    refused_load(
        "{skills: {pay: {tools: {move: {exclude: [¶require]}}}}}",
        "`move` never has the key `require`",
        "did you mean `requires`?",
    );
    let wait = "scenario: A\ncovers: [SCH-01]\nsteps:\n  - wait: 1s\n    expect: {¶messages: []}\n";
    refused(wait, &[("`expect` never has the key `messages`", "use one of: now_ms, events")]);
}

#[test]
fn words_and_types_are_those_of_the_observation() {
    refused_turn("{outcome: ¶canceled}", "`outcome` is never `canceled`", "did you mean `cancelled`?");
    refused_load("{outcome: ¶accepted}", "`outcome` is never `accepted`", "use one of: ok, rejected");
    refused_turn(
        "{started_ms: ¶2s}",
        "`started_ms` is a whole number, never a string",
        "write the number; times are virtual milliseconds",
    );
    refused_turn("{messages: [{text: ¶3}]}", "`text` is a string, never an integer", "quote it: \"3\"");
    refused_turn(
        "{events: ¶memory_set}",
        "`events` is a list, never a string",
        "write `[…]` for the whole list, or `{include: […]}` for some of its items",
    );
    refused_turn(
        "{memory: ¶[a]}",
        "`memory` is a mapping, never a list",
        "write a mapping, or `{include: […]}` for some of its keys",
    );
    refused_turn(
        "{outcome: ¶{a: 1}}",
        "`outcome` is one of completed, cancelled, failed, never a mapping",
        "write one of: completed, cancelled, failed",
    );
    refused_turn(
        "{llm_calls: [{read: [{error: ¶no}]}]}",
        "`error` is a boolean, never a string",
        "write `true` or `false`",
    );
}

#[test]
fn matching_words_go_together_and_take_what_they_take() {
    refused_turn(
        "{memory: {a.b: 1, ¶include: [c.d]}}",
        "the matching word `include` stands among keys",
        "a matcher has matching words only; where these really are keys, wrap them: `exactly: {…}`",
    );
    refused_turn(
        "{events: {include: [a], ¶any: []}}",
        "`any` stands alone",
        "only `include` and `exclude` go together in one matcher",
    );
    refused_turn(
        "{events: {include: ¶memory_set}}",
        "`include` takes a list, here stands a string",
        "write `include: […]`",
    );
    refused_turn("{events: {any: ¶x}}", "`any` takes a list, here stands a string", "write `any: […]`");
    refused_turn("{events: {exclude: ¶[]}}", "an empty `exclude` demands nothing", "name at least one");
    refused_turn(
        "{memory: {exactly: ¶[a]}}",
        "`exactly` takes a mapping, here stands a list",
        "a list and a scalar match exactly without it",
    );
    refused_turn(
        "{outcome: {¶include: [failed]}}",
        "`outcome` is one of completed, cancelled, failed, so nothing is in it",
        "write the value itself, or `any: […]` for one of several",
    );
    refused_turn(
        "{messages: [{text: {re: ¶'(x'}}]}",
        "`(x` is no regular expression: unclosed group",
        "correct it; a literal `(`, `[`, `{`, `.` or `*` takes a `\\` before it",
    );
    refused_turn(
        "{messages: [{text: {re: ¶3}}]}",
        "`re` takes a string, here stands an integer",
        "quote the expression",
    );
    refused_turn(
        "{started_ms: {re: ¶x}}",
        "`started_ms` is a whole number, never a string",
        "write the number; times are virtual milliseconds",
    );
}

#[test]
fn some_value_is_about_maps_with_free_keys() {
    refused_turn(
        "{events: {¶some_value: memory_set}}",
        "`events` is a list; `some_value` is about a map with free keys",
        "write `include: […]` for some item of a list",
    );
    refused_turn(
        "{active: {¶some_value: pay}}",
        "`active` is a mapping; `some_value` is about a map with free keys",
        "name the key",
    );
    refused_turn(
        "{outcome: {¶some_value: failed}}",
        "`outcome` is one of completed, cancelled, failed; `some_value` is about a map with free keys",
        "write the value itself, or `any: […]` for one of several",
    );
    refused_turn(
        "{memory: {include: [pay.note], ¶some_value: ten}}",
        "`some_value` stands alone",
        "only `include` and `exclude` go together in one matcher",
    );
    refused_load(
        "{skills: {some_value: {¶tool: {}}}}",
        "`skills` never has the key `tool`",
        "did you mean `tools`?",
    );
    let PatternKind::SomeValue(inner) =
        entry(&compiled("{memory: {some_value: {include: [ten]}}}"), "memory")
    else {
        panic!("not about some value")
    };
    assert!(matches!(inner.kind, PatternKind::Include(_)));
}

#[test]
fn an_expectation_demands_something() {
    let keys = "name what must be seen, by: outcome, phase, findings, skills, memory, logs";
    refused_load("¶{}", "this expects nothing, so it cannot fail", keys);
    refused_load("¶ok", "`expect` must be a mapping, here stands a string", keys);
}

fn compiled(expect: &str) -> PatternKind {
    let scenario = scenario(&turn(expect)).unwrap_or_else(|found| panic!("{}", found[0]));
    scenario.steps[0].expect.clone().unwrap().pattern.kind
}

fn entry(kind: &PatternKind, key: &str) -> PatternKind {
    let PatternKind::Map(entries) = kind else { panic!("not a map: {kind:?}") };
    entries.iter().find(|(name, _)| name == key).map(|(_, pattern)| pattern.kind.clone()).unwrap()
}

#[test]
fn a_bare_string_stands_for_the_naming_key() {
    let PatternKind::Exclude(events) =
        entry(&compiled("{events: {exclude: [memory_set, {re: ^x}]}}"), "events")
    else {
        panic!("not an exclusion")
    };
    assert!(matches!(entry(&events[0].kind, "event"), PatternKind::Scalar(name) if name == "memory_set"));
    assert!(matches!(entry(&events[1].kind, "event"), PatternKind::Matches(_)));
    let PatternKind::List(buttons) = entry(
        &{
            let PatternKind::List(messages) = entry(&compiled("{messages: [{buttons: [Yes]}]}"), "messages")
            else {
                panic!("not a list")
            };
            messages[0].kind.clone()
        },
        "buttons",
    ) else {
        panic!("not a list")
    };
    assert!(matches!(entry(&buttons[0].kind, "title"), PatternKind::Scalar(_)));
}

#[test]
fn values_that_can_be_anything_are_not_renamed_or_refused() {
    let events = compiled("{events: [{event: x, data: {any_key: [a, {b: 1}]}}], memory: {pay.list: [x]}}");
    let PatternKind::List(memory) = entry(&entry(&events, "memory"), "pay.list") else {
        panic!("not a list")
    };
    assert!(matches!(memory[0].kind, PatternKind::Scalar(_)));
}

#[test]
fn nothing_in_somebodys_data_is_not_null() {
    let memory = entry(&compiled("{memory: {a: [], b: {}, c: {exactly: {}}}, tools: []}"), "memory");
    assert!(matches!(entry(&memory, "a"), PatternKind::Scalar(Json::Array(_))));
    assert!(matches!(entry(&memory, "b"), PatternKind::All(_)));
    assert!(matches!(entry(&memory, "c"), PatternKind::Scalar(Json::Object(_))));
    assert!(matches!(entry(&compiled("{tools: []}"), "tools"), PatternKind::List(_)));
}

#[test]
fn inside_exactly_keys_are_literal_at_that_level() {
    let PatternKind::Exactly(inner) = entry(&compiled("{memory: {exactly: {any: {re: x}}}}"), "memory")
    else {
        panic!("not exact")
    };
    assert!(matches!(entry(&inner.kind, "any"), PatternKind::Matches(_)));
}

#[test]
fn include_and_exclude_stand_together_and_name_keys_of_maps() {
    let PatternKind::All(both) =
        entry(&compiled("{llm_calls: [{offered: {include: [a], exclude: [b]}}]}"), "llm_calls")
            .first_item_entry("offered")
    else {
        panic!("not both")
    };
    assert!(matches!(both[0].kind, PatternKind::Include(_)));
    assert!(
        matches!(&both[1].kind, PatternKind::Exclude(keys) if matches!(keys[0].kind, PatternKind::Scalar(_)))
    );
}

trait FirstItem {
    fn first_item_entry(&self, key: &str) -> PatternKind;
}

impl FirstItem for PatternKind {
    fn first_item_entry(&self, key: &str) -> PatternKind {
        let Self::List(items) = self else { panic!("not a list") };
        entry(&items[0].kind, key)
    }
}

#[test]
fn null_and_whole_floats_are_accepted() {
    compiled("{failure: null, started_ms: 0.0, events: null, active: {block: null}}");
    compiled("{llm_calls: [{calls: [complete, {activate: pay}, {call: {tool: x, arguments: {}}}]}]}");
    compiled("{outcome: {any: [completed, failed]}, messages: {any: []}}");
}
