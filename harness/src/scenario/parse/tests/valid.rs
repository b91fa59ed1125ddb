//! Scenarios that are right, and texts of every kind, none of which may break the parser.

use proptest::prelude::*;

use super::*;
use crate::project::ProjectSource;
use crate::protocol::{Intent, InterruptCause, InterruptPoint, ServiceName, ServiceResult, UserInput};
use crate::scenario::StepAction;

const FULL: &str = r#"
scenario: A tool cancelled mid-await leaves no record
covers: [CAN-04, CAN-05]
needs: [schema]
tags: [await]
project:
  skills/pay/tools.py: |
    @tool(description="Move money")
    async def transfer(amount: float, context: ToolContext = None) -> ToolResult:
        await bank.transfer(amount)
  skills/pay/memory.yml: |
    schema: {public: {ref: {type: text}}}
  agent.yml: null
world:
  packages: [httpx]
  services:
    bank.transfer: {takes: 3s, returns: {ok: true}}
    bank.balance:
      - {takes: 250ms, raises: {type: RuntimeError, message: down}}
      - {returns: 12.5}
  mcp:
    crm: {tools: [{name: find, parameters: {type: object}, calls: [{takes: 1s, returns: {id: 7}}]}], fails: list}
  knowledge: [{text: Cards arrive, source: cards.md}]
session: {active: pay, memory: {pay.ref: x}, channel: voice, metadata: {name: Ann}}
expect: {outcome: ok}
steps:
  - user: Pay Bob ten
    llm:
      - {say: Sure, activate: pay, set: {b: 1, a: 2}}
      - call: {transfer: {amount: 10}, other: }
      - calls: [{confirm: false}, {confirm: true, correct: {entry: pay.ref, value: null}}, {complete: true}]
    interrupt: {at_await: 2, cause: disconnect}
    expect: {outcome: cancelled, events: {exclude: [tool_executed]}}
  - tap: "Yes"
    interrupt: {at: 2s}
  - wait: 30m
    expect: {events: []}
"#;

#[test]
fn everything_that_is_written_arrives() {
    let scenario = scenario(FULL).unwrap_or_else(|found| panic!("{}", found[0]));
    assert_eq!(scenario.covers.len(), 2);
    assert_eq!(scenario.title_position, Position::new(2, 11));
    let paths = ["integrations.yml", "skills/pay/memory.yml", "skills/pay/skill.md", "skills/pay/tools.py"];
    assert_eq!(scenario.project.paths(), paths);
    let balance = &scenario.world.services[&ServiceName::from("bank.balance")];
    assert_eq!((balance.len(), balance[0].takes_ms), (2, 250));
    assert!(
        matches!(&balance[0].ends, ServiceResult::Raises { exception, .. } if exception == "RuntimeError")
    );
    assert_eq!(scenario.session.memory["pay.ref"], "x");

    let StepAction::Turn(turn) = &scenario.steps[0].action else { panic!("not a turn") };
    assert_eq!(turn.input, UserInput::Says("Pay Bob ten".to_owned()));
    assert_eq!(turn.llm[0].say.as_deref(), Some("Sure"));
    let Intent::Set(values) = &turn.llm[0].calls[1] else { panic!("not a set") };
    assert_eq!(values.keys().collect::<Vec<_>>(), ["b", "a"]);
    let nothing = serde_json::json!({});
    assert_eq!(turn.llm[1].calls[1], Intent::Call { tool: "other".to_owned(), arguments: nothing });
    let [Intent::Confirm(false), Intent::Confirm(true), Intent::Correct { .. }, Intent::Complete] =
        &turn.llm[2].calls[..]
    else {
        panic!("{:?}", turn.llm[2].calls)
    };
    let interrupt = turn.interrupt.as_ref().unwrap();
    assert_eq!((interrupt.when, interrupt.cause), (InterruptPoint::AtAwait(2), InterruptCause::Disconnect));

    let StepAction::Turn(tap) = &scenario.steps[1].action else { panic!("not a turn") };
    assert_eq!(tap.input, UserInput::Taps { title: "Yes".to_owned() });
    assert_eq!(tap.interrupt.as_ref().unwrap().when, InterruptPoint::AtMs(2000));
    assert!(matches!(&scenario.steps[2].action, StepAction::Wait(wait) if wait.for_ms == 1_800_000));
}

#[test]
fn a_control_is_the_project_with_its_own_files_over_it() {
    let text = "scenario: A\ncovers: [SCH-01]\nproject: {a.txt: x, b.txt: x, c.txt: x}\ncontrol: {a.txt: null, b.txt: z}\nexpect: {outcome: rejected, phase: load}\n";
    let scenario = scenario(text).unwrap();
    let control = scenario.control.unwrap();
    assert_eq!(control.paths(), ["agent.yml", "b.txt", "c.txt", "integrations.yml", "skills/main/skill.md"]);
    assert_eq!(control.read("b.txt").as_deref(), Some(b"z".as_slice()));
}

#[test]
fn the_examples_in_the_documentation_are_scenarios() {
    let pages =
        [include_str!("../../../../../docs/scenarios.md"), include_str!("../../../../../CONTRIBUTING.md")];
    for page in pages {
        let example = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        if let Err(found) = scenario(example) {
            panic!("{}", found[0]);
        }
    }
}

#[test]
fn a_key_with_a_deep_or_huge_value_does_not_break_the_parser() {
    let deep = format!("project: {{a.py: '{}'}}\n", "(".repeat(100_000));
    assert!(scenario(&around(&deep)).is_err());
    let deep = format!("project: {{a.py: 'x = {}1'}}\n", "not ".repeat(50_000));
    let _ = scenario(&around(&deep));
    let nested = format!("world: {}1{}\n", "[".repeat(90), "]".repeat(90));
    assert!(scenario(&around(&nested)).is_err());
    let bomb = "expect: {messages: [{text: {re: '(((a{500}){500}){500}){500}'}}]}\n";
    assert!(
        scenario(&format!("scenario: A\ncovers: [SCH-01]\nsteps: [{{user: x, {}}}]\n", bomb.trim())).is_err()
    );
}

/// Pieces that scenarios are made of, so that nonsense gets past the first check.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "scenario: A",
        "covers: [SCH-01]",
        "covers:",
        "project:",
        "  a.py: |",
        "    def f(:",
        "  ../x: 1",
        "world:",
        "  services:",
        "    a: {takes: 3}",
        "  mcp: {x: {}}",
        "steps:",
        "  - user: hi",
        "    llm: [{}]",
        "    expect:",
        "      re: '('",
        "  - wait: 1s",
        "expect: {outcome: rejected}",
        "expect: {include: [a], re: x}",
        "control: {}",
        "session: {memory: {a: *x}}",
        "? [",
        "&x",
        "\t",
        "- ",
        "{",
        "]",
        "é: ü",
        "broken_python: true",
        "null: ~",
        "!!tag x",
        "%YAML 1.2",
        "---",
        "...",
        "\"\\0\": x",
        "|",
        ">-",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn no_text_breaks_the_parser(text in "\\PC{0,200}|[ -~\n\t\r\u{0}é:{}\\[\\]|>&*!?-]{0,200}") {
        let _ = scenario(&text);
    }

    #[test]
    fn no_heap_of_pieces_breaks_the_parser(text in pieces()) {
        let _ = scenario(&text);
    }

    #[test]
    fn no_change_of_a_sound_scenario_breaks_the_parser(
        at in 0..FULL.len(), length in 0..40_usize, with in "[ -~\n\t\u{0}é:{}\\[\\]]{0,12}",
    ) {
        let end = (at + length).min(FULL.len());
        let mutated = format!("{}{with}{}", &FULL[..at], &FULL[end..]);
        if let Err(found) = scenario(&mutated) {
            let lines = u32::try_from(mutated.lines().count()).unwrap();
            prop_assert!(!found.is_empty());
            for one in found {
                let line = one.place.position.line;
                prop_assert!(line >= 1 && line <= lines + 1, "{one}");
            }
        }
    }
}
