//! What matches and what is said when it does not.
//!
//! Data only: a pattern, a value, the differences. Rules: `docs/scenarios.md`, "Expectations".

use serde_json::json;

use super::*;
use crate::verdict::fixture::pattern;

#[track_caller]
fn accepts(expected: &Json, seen: &Json) {
    assert_eq!(compare(&pattern(expected), seen), []);
}

#[track_caller]
fn refuses(expected: &Json, seen: &Json, differences: &[&str]) {
    let found: Vec<String> = compare(&pattern(expected), seen)
        .iter()
        .map(|mismatch| format!("{}: {} | {}", mismatch.path, mismatch.expected, mismatch.seen))
        .collect();
    assert_eq!(found, differences);
}

#[test]
fn scalars_compare_by_value_and_kind() {
    accepts(&json!({"a": 1}), &json!({"a": 1.0}));
    accepts(&json!({"a": 9_007_199_254_740_993_u64}), &json!({"a": 9_007_199_254_740_993_u64}));
    refuses(
        &json!({"a": 9_007_199_254_740_993_u64}),
        &json!({"a": 9_007_199_254_740_992_u64}),
        &["a: 9007199254740993 | 9007199254740992"],
    );
    refuses(&json!({"a": true}), &json!({"a": 1}), &["a: true | 1"]);
    refuses(&json!({"a": "1"}), &json!({"a": 1}), &["a: \"1\" | 1"]);
}

#[test]
fn null_is_what_is_absent_and_any_is_what_is_not() {
    accepts(&json!({"a": null}), &json!({}));
    accepts(&json!({"a": null}), &json!({"a": null}));
    refuses(&json!({"a": null}), &json!({"a": 0}), &["a: null | 0"]);
    accepts(&json!({"a": {"any": []}}), &json!({"a": 0}));
    refuses(&json!({"a": {"any": []}}), &json!({"a": null}), &["a: anything | null"]);
    accepts(&json!({"a": {"any": [1, 2]}}), &json!({"a": 2}));
    refuses(&json!({"a": {"any": [1, 2]}}), &json!({"a": 3}), &["a: {any: [1, 2]} | 3"]);
}

#[test]
fn every_difference_is_told_with_its_path() {
    let expected = json!({"skills": {"pay": {"tools": {"transfer": {
        "description": "Move money",
        "parameters": {"required": ["amount"], "type": "object"}
    }}}}});
    let seen = json!({"skills": {"pay": {"tools": {"transfer": {
        "description": "Moves money",
        "parameters": {"required": ["note"], "type": "object"}
    }}}}});
    refuses(
        &expected,
        &seen,
        &[
            "skills.pay.tools.transfer.description: Move money | Moves money",
            "skills.pay.tools.transfer.parameters.required[0]: amount | note",
        ],
    );
}

#[test]
fn an_absent_key_names_the_keys_there_are() {
    refuses(
        &json!({"transfer": {"source": "skill"}}),
        &json!({"trasfer": {}}),
        &["transfer: {source: skill} | absent; there is `trasfer`"],
    );
    refuses(&json!({"a": 1}), &json!({"one": 1, "two": 2}), &["a: 1 | absent; there are: one: 1, two: 2"]);
}

#[test]
fn instead_of_an_absent_value_the_few_short_ones_there_are_shown() {
    let expected = json!({"result": {"some": true}});
    let told = |result: &Json| compare(&pattern(&expected), &json!({"result": result}))[0].seen.clone();
    assert_eq!(
        told(&json!({"error": "TypeError: tear_out() takes no argument"})),
        "absent; there are: error: \"TypeError: tear_out() takes no argument\""
    );
    assert_eq!(told(&json!({"a": 1, "b": 2, "c": 3, "d": 4})), "absent; there are: a, b, c, d");
    assert_eq!(told(&json!({"a": 1, "b": vec![1; 90]})), "absent; there are: a, b");
    let list = pattern(&json!({"result": {"some": [1]}}));
    let seen = compare(&list, &json!({"result": {"error": "TypeError"}}))[0].seen.clone();
    assert_eq!(seen, "an empty list; there are: error: TypeError");
    let long = told(&json!({"error": "x".repeat(5000), "code": 7}));
    assert!(long.starts_with("absent; there are: error: xxx") && long.ends_with("x…, code: 7"), "{long}");
    assert!(long.chars().count() <= 200, "{long}");
}

#[test]
fn a_list_matches_whole() {
    accepts(&json!({"required": ["a", "b"]}), &json!({"required": ["a", "b"]}));
    refuses(
        &json!({"required": ["a", "b"]}),
        &json!({"required": ["b", "a"]}),
        &["required[0]: a | b", "required[1]: b | a"],
    );
    refuses(
        &json!({"events": [{"event": "a"}, {"event": "b"}]}),
        &json!({"events": [{"event": "a"}, {"event": "x"}, {"event": "b"}]}),
        &["events: 2 items: [{event: a}, {event: b}] | 3 items: [a, x, b], first difference at [1]"],
    );
    refuses(&json!({"events": ["a"]}), &json!({"events": []}), &["events: 1 item: [a] | an empty list"]);
    accepts(&json!({"logs": []}), &json!({}));
}

#[test]
fn a_string_is_no_record_whatever_the_list_is_called() {
    let seen = json!({"result": {"events": [{"event": "paid"}], "tools": ["pay"]}});
    refuses(
        &json!({"result": {"events": ["paid"], "tools": ["pay"]}}),
        &seen,
        &["result.events[0]: paid | {event: paid}"],
    );
}

#[test]
fn include_shows_the_item_that_comes_closest() {
    let seen = json!({"events": [
        {"at_ms": 0, "event": "memory_set", "data": {"entry": "a", "value": 1}},
        {"at_ms": 0, "event": "memory_set", "data": {"entry": "b", "value": 2}},
        {"at_ms": 0, "event": "tool_executed", "data": {}},
    ]});
    accepts(
        &json!({"events": {"include": [{"event": "tool_executed"}, {"event": "memory_set", "data": {"entry": "b"}}]}}),
        &seen,
    );
    refuses(
        &json!({"events": {"include": [{"event": "memory_set", "data": {"entry": "b", "value": 3}}]}}),
        &seen,
        &["events: an item {event: memory_set, data: {entry: b, value: 3}} \
           | nearest is events[1], where data.value: expected 3, seen 2"],
    );
    refuses(
        &json!({"events": {"include": [{"event": "slot_set"}]}}),
        &seen,
        &["events: an item {event: slot_set} | 3 items: memory_set, memory_set, tool_executed"],
    );
    refuses(
        &json!({"events": {"include": [{"event": "slot_set"}]}}),
        &json!({}),
        &["events: an item {event: slot_set} | an empty list"],
    );
}

#[test]
fn include_and_exclude_on_a_map_speak_of_its_keys() {
    let seen = json!({"offered": {"transfer": {}, "complete": null}});
    accepts(&json!({"offered": {"include": ["transfer", "complete"]}}), &seen);
    accepts(&json!({"offered": {"exclude": ["cancel", {"re": "^x"}]}}), &seen);
    refuses(
        &json!({"offered": {"include": ["cancel"]}}),
        &seen,
        &["offered: a key cancel | absent; there are: transfer, complete"],
    );
    refuses(
        &json!({"offered": {"exclude": [{"re": "^t"}]}}),
        &seen,
        &["offered.transfer: no key {re: \"^t\"} | {}"],
    );
}

#[test]
fn exclude_names_every_item_that_should_not_be() {
    let seen = json!({"events": [{"event": "a"}, {"event": "b"}, {"event": "a"}]});
    accepts(&json!({"events": {"exclude": [{"event": "c"}]}}), &seen);
    accepts(&json!({"logs": {"exclude": ["c"]}}), &seen);
    refuses(
        &json!({"events": {"exclude": [{"event": "a"}]}}),
        &seen,
        &["events[0]: no item {event: a} | {event: a}", "events[2]: no item {event: a} | {event: a}"],
    );
}

#[test]
fn exactly_allows_no_other_keys_at_its_level() {
    accepts(&json!({"a": {"exactly": {"x": {"y": 1}}}}), &json!({"a": {"x": {"y": 1, "z": 2}}}));
    refuses(
        &json!({"a": {"exactly": {"type": "string"}}}),
        &json!({"a": {"type": "string", "title": "A"}}),
        &["a.title: no keys but type | A"],
    );
}

#[test]
fn some_value_of_a_map_matches_whatever_its_key() {
    let expected = json!({"properties": {"some_value": {"enum": {"include": ["pay"]}}}});
    accepts(&expected, &json!({"properties": {"flow_id": {"enum": ["lend", "pay"]}}}));
    accepts(&expected, &json!({"properties": {"why": {"type": "string"}, "target": {"enum": ["pay"]}}}));
    refuses(
        &expected,
        &json!({"properties": {"target": {"enum": ["lend"]}}}),
        &["properties.target.enum: an item pay | 1 item: lend"],
    );
    refuses(
        &expected,
        &json!({"properties": {"a": {"enum": []}, "b": 1}}),
        &["properties: {some_value: {enum: {include: [pay]}}} | {a: {enum: []}, b: 1}"],
    );
    refuses(
        &expected,
        &json!({"properties": {}}),
        &["properties: {some_value: {enum: {include: [pay]}}} | {}"],
    );
    refuses(
        &expected,
        &json!({}),
        &["properties: {some_value: {enum: {include: [pay]}}} | absent; there are no keys"],
    );
}

#[test]
fn an_expression_finds_its_match_in_strings_only() {
    accepts(&json!({"a": {"re": "^pay"}}), &json!({"a": "payment"}));
    refuses(&json!({"a": {"re": "^pay"}}), &json!({"a": 5}), &["a: {re: \"^pay\"} | 5"]);
}

#[test]
fn long_values_are_cut() {
    let found = compare(&pattern(&json!({"a": 1})), &json!({"a": "x".repeat(5000)}));
    let seen = &found.first().unwrap().seen;
    assert!(seen.chars().count() <= 160 && seen.ends_with('…'), "{seen}");
}

#[test]
fn long_values_that_begin_alike_are_shown_from_where_they_differ() {
    let text = |end: &str| format!("{}{end}", "x".repeat(500));
    let before = "x".repeat(40);
    refuses(
        &json!({"a": text("one")}),
        &json!({"a": text("two")}),
        &[&format!("a: …{before}one | …{before}two")],
    );
    let short = "x".repeat(100);
    refuses(
        &json!({"a": format!("{short}1")}),
        &json!({"a": format!("{short}2")}),
        &[&format!("a: {short}1 | {short}2")],
    );
    let (one, other) = crate::verdict::texts_apart(Some(&json!("\u{e9}".repeat(300))), None);
    assert_eq!((one.chars().count(), other.as_str()), (160, "absent"));
}

/// A model call that says much before it says what matters.
fn call(read: &Json) -> Json {
    json!({"at_ms": 0, "calls": [{"call": {"tool": "quote", "arguments": {"note": "x".repeat(200)}}}], "read": read})
}

#[test]
fn of_long_records_none_of_which_is_it_those_are_told_that_come_closest() {
    let read = json!([{"tool": "quote", "error": true}]);
    refuses(
        &json!({"llm_calls": {"include": [{"read": {"include": [{"tool": "quote", "error": false}]}}]}}),
        &json!({"llm_calls": [call(&json!([])), call(&read)]}),
        &["llm_calls: an item {read: {include: [{tool: quote, error: false}]}} | \
           nearest is llm_calls[1], where read: expected an item {tool: quote, error: false}, \
           seen nearest is llm_calls[1].read[0], where error: expected false, seen true"],
    );
    refuses(
        &json!({"llm_calls": {"include": [{"read": [{"error": false}]}]}}),
        &json!({"llm_calls": [call(&json!([])), call(&read)]}),
        &[
            "llm_calls: an item {read: [{error: false}]} | nearest is llm_calls[1], where read[0].error: expected false, seen true",
        ],
    );
    refuses(
        &json!({"llm_calls": {"include": [{"at_ms": 5}]}}),
        &json!({"llm_calls": vec![call(&read); 5]}),
        &["llm_calls: an item {at_ms: 5} | 5 items, where at_ms: expected 5, seen in [0] 0; in [1] 0; \
           in [2] 0; and 2 more"],
    );
    let other = json!([{"tool": "quote", "error": 5}]);
    refuses(
        &json!({"llm_calls": {"include": [{"read": [{"error": false}, {"error": 7}]}]}}),
        &json!({"llm_calls": [call(&json!([])), call(&read), call(&other)]}),
        &["llm_calls: an item {read: [{error: false}, {error: 7}]} | 3 items, where read: \
           expected 2 items: [{error: false}, {error: 7}], seen in [0] an empty list; \
           in [1] 1 item: [quote], first difference at [0]; in [2] 1 item: [quote], first difference at [0]"],
    );
    refuses(
        &json!({"llm_calls": {"include": [{"read": [{"tool": "pay", "error": false}]}]}}),
        &json!({"llm_calls": [call(&json!([{"tool": "pay", "error": 5}])), call(&read)]}),
        &["llm_calls: an item {read: [{tool: pay, error: false}]} | 2 items: \
           [0], where read[0].error: expected false, seen 5; [1], where read[0].tool: expected pay, seen quote"],
    );
}

#[test]
fn a_long_list_of_another_length_shows_the_item_of_the_first_difference() {
    let expected = |read: &Json| json!({"llm_calls": [{"at_ms": 0}, {"read": read}]});
    let calls = json!({"llm_calls": [call(&json!([])), call(&json!([1])), call(&json!([]))]});
    let text = |seen: &str, read: &str| {
        format!("llm_calls: 2 items: [{{at_ms: 0}}, {{read: {read}}}] | 3 items, {seen}")
    };
    refuses(
        &expected(&json!([2])),
        &calls,
        &[&text("first difference at [1], where read[0]: expected 2, seen 1", "[2]")],
    );
    let seen = &compare(&pattern(&expected(&json!([1]))), &calls)[0].seen;
    let begin = "3 items, first difference at [2], one more than there should be: {at_ms: 0, calls: ";
    assert!(seen.starts_with(begin), "{seen}");
    let few = json!({"llm_calls": [call(&json!([]))]});
    let seen = &compare(&pattern(&expected(&json!([1]))), &few)[0].seen;
    assert_eq!(seen, "1 item, first difference at [1], which is not there");
    let events: Vec<Json> = (0..90).map(|number| json!({"event": format!("event_{number}")})).collect();
    let demanded: Vec<Json> = (0..88).map(|number| json!({"event": format!("event_{number}")})).collect();
    let seen = &compare(&pattern(&json!({"events": demanded})), &json!({"events": events}))[0].seen;
    assert_eq!(seen, "90 items, from the first difference at [88] on: [event_88, event_89]");
}
