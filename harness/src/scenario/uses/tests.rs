#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fmt::Write;

use super::uses;
use crate::protocol::Capability;
use crate::scenario::{ScenarioId, parse};
use crate::source::yaml;

/// What a scenario of these keys uses, as `<capability> <line>`, each once; a step is no news.
fn used(keys: &str) -> Vec<String> {
    let text = format!("scenario: A claim\ncovers: [SCH-01]\n{keys}");
    let scenario = parse(ScenarioId::new("schema/a"), "a.yml", &text).unwrap();
    let root = yaml::parse(&text).unwrap().unwrap();
    let mut found: Vec<String> = Vec::new();
    for one in uses(&scenario, &root) {
        let line = format!("{} {}", one.capability, one.position.line);
        if one.capability != Capability::Execution && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// A scenario whose only skill has these tools, and a turn in which the model calls `pay`.
fn with_tools(python: &str) -> String {
    let mut text = "project:\n  skills/main/tools.py: |\n".to_owned();
    for line in python.lines() {
        writeln!(text, "    {line}").unwrap();
    }
    text + "steps:\n  - user: Pay\n    llm: [{call: {pay: {}}}, {say: Done}]\n    expect: {outcome: completed}\n"
}

/// A scenario whose only skill has this document, and a turn.
fn with_skill(document: &str) -> String {
    let mut text = "project:\n  skills/main/skill.md: |\n".to_owned();
    for line in document.lines() {
        writeln!(text, "    {line}").unwrap();
    }
    text + "steps:\n  - user: Pay\n    llm: [{say: Done}]\n    expect: {outcome: completed}\n"
}

#[test]
fn an_accepted_project_uses_nothing() {
    assert_eq!(used("expect: {outcome: ok, skills: {pay: {tools: {include: [transfer]}}}}\n"), [""; 0]);
}

#[test]
fn the_world_the_session_and_the_timeline_are_used() {
    let keys = "\
session: {active: pay, memory: {pay.amount: 3}}
world:
  knowledge: []
  mcp: {crm: {}}
steps:
  - user: Hello
    llm:
      - activate: pay
      - calls: [{set: {pay.amount: 4}}, {call: {search_knowledge: {}}}]
      - confirm: true
    interrupt: {at_await: 1}
    expect: {outcome: any}
  - wait: 1s
  - tap: Yes
    interrupt:
      at: 1s
";
    let keys = keys.replace("{outcome: any}", "{messages: {any: []}}");
    let expected = [
        "memory 3",
        "knowledge 5",
        "mcp 6",
        "builtins 10",
        "memory 11",
        "builtins 11",
        "knowledge 11",
        "confirmation 12",
        "cancellation 13",
        "virtual_time 15",
        "buttons 16",
        "cancellation 17",
        "virtual_time 18",
    ];
    assert_eq!(used(&keys), expected);
}

#[test]
fn a_sweep_cuts_off_at_instants() {
    let keys = "steps: [{user: Hello, expect: {outcome: completed}}]\nsweep: cancellation\n";
    assert_eq!(used(keys), ["cancellation 4", "virtual_time 4"]);
}

#[test]
fn what_is_expected_of_a_turn_is_used() {
    let expect = |what: &str| used(&format!("steps: [{{user: Hello, expect: {{{what}}}}}]\n"));
    let cases = [
        ("memory: {pay.amount: 3}", "memory 3"),
        ("events: {include: [memory_set]}", "memory 3"),
        ("llm_calls: [{offered: {pay: {required: [amount]}}}]", "schema 3"),
        ("llm_calls: [{offered: {include: [pay, listen]}}]", "builtins 3"),
        ("messages: [{buttons: [Yes]}]", "buttons 3"),
        ("active: {block: main}", "ordered_blocks 3"),
        ("tools: [{tool: pay, trigger: hook}]", "hooks 3"),
        ("tools: [{tool: pay, started_ms: 0}]", "virtual_time 3"),
        ("outcome: cancelled", "cancellation 3"),
    ];
    for (what, expected) in cases {
        assert_eq!(expect(what), [expected], "{what}");
    }
    assert_eq!(expect("tools: [{tool: pay, outcome: timed_out}]"), ["timeouts 3", "virtual_time 3"]);
}

#[test]
fn what_may_be_missing_and_what_is_data_is_no_use() {
    let expect = |what: &str| used(&format!("steps: [{{user: Hello, expect: {{{what}}}}}]\n"));
    for what in [
        "memory: {}",
        "active: {skill: pay, block: null}",
        "messages: [{text: Hello, buttons: []}]",
        "events: {exclude: [memory_set]}",
        "llm_calls: [{offered: {include: [pay], exclude: [listen]}}]",
        "events: [{event: custom, data: {at_ms: 3}}]",
    ] {
        assert_eq!(expect(what), [""; 0], "{what}");
    }
}

#[test]
fn what_is_expected_of_a_load_is_used() {
    let expect = |what: &str| used(&format!("expect: {{skills: {{pay: {{{what}}}}}}}\n"));
    assert_eq!(expect("tools: {pay: {parameters: {required: [amount]}}}"), ["schema 3"]);
    assert_eq!(expect("tools: {pay: {requires: session.pay.amount}}"), ["gating 3"]);
    assert_eq!(expect("tools: {pay: {source: mcp}}"), ["mcp 3"]);
    assert_eq!(expect("readable: [pay.amount]"), ["memory 3"]);
}

#[test]
fn a_slow_service_is_used_when_a_call_of_it_is_expected() {
    let with = |expect: &str| {
        used(&format!(
            "world: {{services: {{bank.pay: {{takes: 1s}}, bank.ask: {{}}}}}}\nsteps: [{{user: Hello, expect: {{{expect}}}}}]\n"
        ))
    };
    assert_eq!(with("services: [bank.pay]"), ["virtual_time 4"]);
    assert_eq!(with("services: {exclude: [bank.pay]}"), [""; 0]);
    assert_eq!(with("services: [bank.ask]"), [""; 0]);
}

#[test]
fn python_that_runs_is_used() {
    let tools = "\
@tool(description='Pay')
async def pay(context=None):
    context.memory.set('paid', True)
    await asyncio.sleep(0)
    await asyncio.sleep(2)
    context.set_buttons([])

@tool(description='Check')
async def run_after_setting_amount(context=None):
    pass
";
    assert_eq!(used(&with_tools(tools)), ["memory 7", "virtual_time 9", "buttons 10", "hooks 13"]);
}

#[test]
fn a_tool_that_nothing_names_and_a_project_that_is_only_loaded_run_no_python() {
    let tools = "\
@tool(description='Ask')
async def ask(context=None):
    # context.memory is only spoken of
    context.memory.get('paid')
";
    assert_eq!(used(&with_tools(tools)), [""; 0]);
    let called = with_tools(&tools.replace("def ask", "def pay"));
    assert_eq!(used(&called), ["memory 8"]);
    let loaded = called.split("steps:").next().unwrap().to_owned() + "expect: {outcome: ok}\n";
    assert_eq!(used(&loaded), [""; 0]);
}

#[test]
fn the_keys_of_a_skill_are_used() {
    let document = "\
---
name: main
description: Pay
requires: session.main.known
import_tools:
  - mcp/crm:find
tool_constraints:
  - pay:
      requires: 'true'
      requires_confirmation: true
---

Prose that says if: session.main.known

:::ordered_block id=main
steps:
  - id: explain
    instructions: Explain.
    complete_when: session.main.understood
    next:
      - if: session.main.known
        then: END
:::
";
    let expected = [
        "conditions 8",
        "memory 8",
        "mcp 10",
        "conditions 13",
        "gating 13",
        "confirmation 14",
        "ordered_blocks 19",
        "conditions 23",
        "memory 23",
        "conditions 25",
        "memory 25",
    ];
    assert_eq!(used(&with_skill(document)), expected);
}
