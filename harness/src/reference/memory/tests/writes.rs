//! What a write does, what it leaves in the history, and how long a value lasts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::*;

fn slot(name: &str, value: &Json) -> Json {
    json!(["slot", {"name": name, "value": value}])
}

fn memory_set(key: &str, value: &Json) -> Json {
    json!(["memory_set", {"key": key, "value": value}])
}

fn memory_cleared(key: &str) -> Json {
    json!(["memory_cleared", {"key": key}])
}

#[test]
fn mem_14_15_46_an_entry_that_was_cleared_is_as_one_never_written() {
    let mut at = conversation();
    assert_eq!(at.get("amount"), None);
    at.set("amount", json!(1)).unwrap();
    at.set("amount", Json::Null).unwrap();
    assert_eq!(at.get("amount"), None);
}

#[test]
fn mem_18_a_falsy_value_is_a_value() {
    let mut at = conversation();
    for value in [json!(0), json!(false), json!(""), json!([]), json!({})] {
        at.set("amount", value.clone()).unwrap();
        assert_eq!(at.get("amount"), Some(&value));
    }
}

#[test]
fn mem_31_33_34_35_37_a_project_entry_is_written_once_whatever_it_holds() {
    for first in [json!(false), json!(0), json!(""), json!("x")] {
        let mut at = conversation();
        at.set("token", first.clone()).unwrap();
        at.events.clear();
        for second in [json!(true), Json::Null, first.clone()] {
            assert_eq!(at.set("project.token", second.clone()), Err("ProjectMemoryAlreadySetError"));
            assert_eq!(at.set("token", second), Err("ProjectMemoryAlreadySetError"));
        }
        assert_eq!(at.get("token"), Some(&first));
        assert_eq!(at.events, []);
    }
}

#[test]
fn mem_36_null_does_not_use_up_the_one_write() {
    let mut at = conversation();
    at.set("token", Json::Null).unwrap();
    at.set("token", Json::Null).unwrap();
    assert_eq!(at.set("token", json!("T")), Ok(()));
}

#[test]
fn mem_38_an_initial_value_counts_as_set() {
    assert_eq!(conversation().set("language", json!("de")), Err("ProjectMemoryAlreadySetError"));
}

#[test]
fn mem_41_a_refused_write_leaves_the_earlier_ones() {
    let mut at = conversation();
    at.set("amount", json!(10)).unwrap();
    at.set("nothing", json!(1)).unwrap_err();
    assert_eq!(at.get("amount"), Some(&json!(10)));
    assert_eq!(at.new_events().len(), 2);
}

#[test]
fn mem_43_44_a_write_leaves_two_events_and_one_of_null_says_cleared() {
    let mut at = conversation();
    at.set("amount", json!([1])).unwrap();
    at.set("amount", Json::Null).unwrap();
    at.set("project.both", Json::Null).unwrap();
    assert!(at.events.iter().all(|event| event.at_ms == 7));
    assert_eq!(
        at.new_events(),
        [
            slot("pay.amount", &json!([1])),
            memory_set("pay.amount", &json!([1])),
            slot("pay.amount", &json!(null)),
            memory_cleared("pay.amount"),
            slot("project.both", &json!(null)),
            memory_cleared("project.both"),
        ]
    );
}

#[test]
fn mem_48_a_quiet_write_skips_a_set_project_entry_and_nothing_else() {
    let mut at = conversation();
    let mut quiet = |name: &str, value| {
        let active = at.active.as_ref();
        at.memory.set_unless_project_is_set(active, name, value, 0, &mut at.events)
    };
    assert_eq!(quiet("token", json!(1)), Ok(QuietWrite::Written));
    assert_eq!(quiet("token", json!(2)), Ok(QuietWrite::Skipped));
    assert_eq!(quiet("amount", json!(1)), Ok(QuietWrite::Written));
    assert_eq!(quiet("amount", json!(2)), Ok(QuietWrite::Written));
    assert!(matches!(quiet("nothing", json!(1)), Err(MemoryWriteError::Undeclared { .. })));
    assert_eq!(at.events.len(), 6);
    assert_eq!(at.get("token"), Some(&json!(1)));
}

#[test]
fn mem_54_57_58_a_new_run_resets_the_skills_entries_and_tells_of_what_differs() {
    let mut at = conversation();
    for (name, value) in [("amount", 1), ("attempts", 0), ("token", 1)] {
        at.set(name, json!(value)).unwrap();
    }
    at.set("plan", json!("basic")).unwrap();
    at.activate("cards");
    at.set("limit", json!(5)).unwrap();
    at.events.clear();
    at.memory.start_skill(&SkillId::new("pay"), 9, &mut at.events);
    assert_eq!(
        at.new_events(),
        [
            slot("pay.amount", &json!(null)),
            memory_cleared("pay.amount"),
            slot("pay.attempts", &json!(3)),
            memory_set("pay.attempts", &json!(3)),
        ]
    );
    assert_eq!(at.get("limit"), Some(&json!(5)));
    assert_eq!(at.get("token"), Some(&json!(1)));
    at.memory.start_skill(&SkillId::new("nobody"), 9, &mut at.events);
    assert_eq!(at.events, []);
}

#[test]
fn mem_49_50_51_metadata_seeds_the_project_entries_that_ask_for_it() {
    let project = "
customer: {type: text, seed: true}
age: {type: int, seed: true}
tier: {type: categorical, enum_values: [gold, silver], seed: true}
late: {type: bool, seed: true}
other: {type: text}
";
    let mut at = with_schema(declared(&[], project));
    let metadata = json!({
        "customer": "C-1", "age": true, "tier": "bronze", "late": null, "other": "x",
        "extra": {"customer": "C-2", "age": 4, "late": false},
    });
    let metadata: BTreeMap<String, Json> = serde_json::from_value(metadata).unwrap();
    at.memory.seed(&metadata, 0, &mut at.events);
    assert_eq!(
        at.memory.dump().into_iter().collect::<Vec<_>>(),
        [("project.customer".to_owned(), json!("C-1")), ("project.late".to_owned(), json!(false))]
    );
    assert_eq!(at.new_events().len(), 4);
    assert_eq!(at.set("customer", json!("C-3")), Err("ProjectMemoryAlreadySetError"));
    assert_eq!(at.set("age", json!(40)), Ok(()));
}

#[test]
fn a_preset_value_is_there_without_an_event_and_counts_as_set() {
    let mut at = conversation();
    at.memory.preset("cards.number", json!("1")).unwrap();
    at.memory.preset("project.token", json!("T")).unwrap();
    for name in ["number", "token", "system.x", "nobody.x", "pay.nothing"] {
        let refused = at.memory.preset(name, json!(1)).unwrap_err();
        assert_eq!(refused, MemoryWriteError::Undeclared { name: name.to_owned() });
    }
    assert_eq!(at.events, []);
    assert_eq!(at.set("token", json!(1)), Err("ProjectMemoryAlreadySetError"));
    assert_eq!(at.memory.dump()["cards.number"], "1");
}

#[test]
fn a_restored_snapshot_undoes_project_writes_too_and_adds_to_the_history() {
    let mut at = conversation();
    at.set("amount", json!(1)).unwrap();
    let before = at.memory.snapshot();
    at.set("amount", json!(2)).unwrap();
    at.set("token", json!("T")).unwrap();
    at.events.clear();
    at.memory.restore(&before, 0, &mut at.events);
    assert_eq!(
        at.new_events(),
        [
            slot("pay.amount", &json!(1)),
            memory_set("pay.amount", &json!(1)),
            slot("project.token", &json!(null)),
            memory_cleared("project.token"),
        ]
    );
    assert_eq!(at.set("token", json!("T2")), Ok(()));
}

#[test]
fn blt_26_27_28_30_35_settable_are_the_flagged_and_collected_entries_that_are_unset() {
    let pay = "
schema:
  public: {to: {llm_settable: true}, note: {}, amount: {}, day: {llm_settable: true, initial_value: today}}
  private: {pin: {llm_settable: true}}
";
    let mut at = with_schema(declared(&[("pay", pay), ("cards", CARDS)], "both: {llm_settable: true}"));
    let settable = |at: &Conversation, collected: &[&str], again: Option<&str>| {
        let collected: BTreeSet<EntryName> = collected.iter().map(|name| EntryName::new(*name)).collect();
        let fields =
            at.memory.settable(at.active.as_ref().unwrap(), &collected, again.map(EntryName::new).as_ref());
        fields.iter().map(|field| field.entry.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(settable(&at, &[], None), ["pin", "to"]);
    assert_eq!(settable(&at, &["amount", "both"], None), ["amount", "pin", "to"]);
    at.set("to", json!("Bob")).unwrap();
    at.set("amount", json!(0)).unwrap();
    assert_eq!(settable(&at, &["amount"], None), ["pin"]);
    assert_eq!(settable(&at, &["amount"], Some("amount")), ["amount", "pin"]);
    at.activate("cards");
    assert_eq!(settable(&at, &[], None), [""; 0]);
}
