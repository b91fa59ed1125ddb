//! Which entry a name means, and to whom.

use serde_json::json;

use super::*;

#[test]
fn mem_05_06_a_bare_name_is_the_active_skills_entry_then_the_projects() {
    let mut at = conversation();
    for name in ["amount", "pin", "token"] {
        at.set(name, json!(name)).unwrap();
        assert_eq!(at.get(name), Some(&json!(name)));
    }
    let held = at.memory.dump();
    assert_eq!(held["pay.amount"], "amount");
    assert_eq!(held["pay.pin"], "pin");
    assert_eq!(held["project.token"], "token");
}

#[test]
fn mem_07_12_24_25_a_name_that_both_declare_is_the_skills_unless_it_says_project() {
    let mut at = conversation();
    at.set("project.both", json!("project's")).unwrap();
    assert_eq!(at.get("both"), None);
    at.set("both", json!("skill's")).unwrap();
    assert_eq!(at.get("both"), Some(&json!("skill's")));
    assert_eq!(at.get("project.both"), Some(&json!("project's")));
}

#[test]
fn mem_08_a_bare_name_never_finds_another_skills_entry() {
    let at = conversation();
    assert_eq!(at.get("limit"), None);
    assert_eq!(at.get("cards.limit"), Some(&json!(100)));
}

#[test]
fn mem_09_10_11_a_private_entry_is_read_by_its_own_skill_only() {
    let mut at = conversation();
    assert_eq!(at.get("cards.number"), None);
    assert_eq!(at.get("pay.plan"), Some(&json!("basic")));
    at.activate("cards");
    assert_eq!(at.get("cards.number"), Some(&json!("4711")));
    assert_eq!(at.get("pay.plan"), None);
    assert_eq!(at.get("pay.attempts"), Some(&json!(3)));
}

#[test]
fn mem_13_27_the_active_skills_own_id_does_not_fall_through_to_the_project() {
    let mut at = conversation();
    assert_eq!(at.get("pay.language"), None);
    assert_eq!(at.set("pay.token", json!(1)), Err("MemoryWriteError"));
    assert_eq!(at.get("token"), None);
}

#[test]
fn mem_16_19_any_other_name_yields_the_default() {
    let at = conversation();
    let odd = ["", ".", "..", "pay", "pay.", ".pin", "pay.pin.x", "nobody.pin", "nothing", "system.x"];
    for name in odd.into_iter().chain(["session.pay.plan", "project", "project.", "Pay.plan", "é.ü"]) {
        assert_eq!(at.get(name), None, "{name}");
    }
}

#[test]
fn mem_28_29_30_each_write_outside_the_writable_set_is_refused_for_its_own_reason() {
    let at = conversation();
    let refused = |name: &str| at.memory.resolve_write(at.active.as_ref(), name).err();
    let undeclared = |name: &str| Some(MemoryWriteError::Undeclared { name: name.to_owned() });
    for name in ["limit", "nothing", "project.limit", "pay.limit", "session.pay.pin", "nobody.pin", ""] {
        assert_eq!(refused(name), undeclared(name));
    }
    for name in ["cards.label", "cards.number", "cards.nothing"] {
        let owner = SkillId::new("cards");
        assert_eq!(refused(name), Some(MemoryWriteError::CrossSkill { name: name.to_owned(), owner }));
    }
    for name in ["system.token", "system.", "system.a.b"] {
        assert_eq!(refused(name), Some(MemoryWriteError::SystemNamespace { name: name.to_owned() }));
    }
}

#[test]
fn without_an_active_skill_there_are_public_and_project_entries_only() {
    let mut at = conversation();
    at.active = None;
    assert_eq!(at.get("language"), Some(&json!("en")));
    assert_eq!(at.get("attempts"), None);
    assert_eq!(at.get("pay.attempts"), Some(&json!(3)));
    assert_eq!(at.get("pay.plan"), None);
    assert_eq!(at.set("pay.amount", json!(1)), Err("MemoryWriteError"));
    assert_eq!(at.set("token", json!(1)), Ok(()));
}

#[test]
fn the_sets_of_a_skill_name_its_own_entries_the_others_public_ones_and_the_projects() {
    let at = conversation();
    let skill = SkillId::new("pay");
    let schema = at.memory.schema();
    let names = |fields: Vec<&Field>| fields.iter().map(|field| field.full_name.clone()).collect::<Vec<_>>();
    let own = ["pay.amount", "pay.attempts", "pay.both", "pay.pin", "pay.plan"];
    let others = ["cards.label", "cards.limit", "default_unsupported_request_handler.request_type"];
    let project = ["project.both", "project.token", "project.language"];
    assert_eq!(names(schema.readable_set(&skill).collect()), [&own[..], &others[..], &project[..]].concat());
    assert_eq!(names(schema.writable_set(&skill).collect()), [&own[..], &project[..]].concat());
}

#[test]
fn a_condition_reads_the_readable_set_by_namespace_and_takes_what_is_not_there_as_null() {
    let at = conversation();
    let read = |namespace, entry| at.memory.read_for_condition(at.active.as_ref(), namespace, entry);
    assert_eq!(read("pay", "plan"), &json!("basic"));
    assert_eq!(read("cards", "limit"), &json!(100));
    assert_eq!(read("project", "language"), &json!("en"));
    let null = [("cards", "number"), ("pay", "pin"), ("pay", "language"), ("system", "x"), ("nobody", "x")];
    for (namespace, entry) in null {
        assert_eq!(read(namespace, entry), &Json::Null);
    }
}

#[test]
fn an_agents_own_skill_replaces_the_bundled_one_of_its_id() {
    let id = "default_unsupported_request_handler";
    let schema = declared(&[(id, "schema: {public: {reason: {type: text}}}")], "");
    let names: Vec<&str> = schema.fields().map(|field| field.full_name.as_str()).collect();
    assert_eq!(names, ["default_unsupported_request_handler.reason"]);
}

#[test]
fn a_bundled_skill_is_a_namespace_also_where_nothing_is_known_of_its_entries() {
    let mut at = with_schema(declared(&[("pay", PAY)], "default_completed.x: {}"));
    assert_eq!(at.set("default_completed.x", json!(1)), Err("MemoryWriteError"));
    assert_eq!(
        at.set("default_unsupported_request_handler.request_type", json!("x")),
        Err("MemoryWriteError")
    );
}

#[test]
fn mem_59_private_wins_and_a_root_entry_that_is_no_mapping_is_declared() {
    let skills = [("pay", "schema: {public: {x: {initial_value: 1}}, private: {x: {initial_value: 2}}}")];
    let mut at = with_schema(declared(&skills, "flag: yes please\nempty:\n"));
    assert_eq!(at.get("x"), Some(&json!(2)));
    assert_eq!(at.set("flag", json!(true)), Ok(()));
    assert_eq!(at.set("project.empty", json!(true)), Ok(()));
    at.active = None;
    assert_eq!(at.get("pay.x"), None);
}
