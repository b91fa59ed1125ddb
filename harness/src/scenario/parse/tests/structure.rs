//! Keys, types, words, and what two keys say against each other.

use super::*;
use crate::scenario::duration::SPELLING as DURATION;

#[test]
fn everything_wrong_is_said_at_once() {
    refused(
        "scenario: ¶A claim\n¶cover: [SCH-01]\n¶porject: {}\nneeds: [¶schemas]\n",
        &[
            (
                "nothing is expected, so nothing can fail",
                "add `expect:` for what loading must report, or to a step for what its trace must show",
            ),
            ("unknown key `cover` in a scenario", "did you mean `covers`?"),
            ("unknown key `porject` in a scenario", "did you mean `project`?"),
            ("`needs` does not know `schemas`", "did you mean `schema`?"),
        ],
    );
}

#[test]
fn a_text_that_is_no_document_is_refused_whole() {
    refused(
        "¶",
        &[(
            "this file holds no scenario",
            "begin with `scenario:`; docs/scenarios.md has an example to copy",
        )],
    );
    refused("scenario: A\n¶scenario: B\n", &[("the key `scenario` stands here twice", "keep one of them")]);
    refused(
        "world:\n¶\tmcp: {}\n",
        &[("a tab indents this line", "indent with spaces; YAML allows no tabs there")],
    );
    refused(
        "scenario: a¶\0b\n",
        &[("a NUL character stands here", "remove it; inside double quotes it is written `\\0`")],
    );
    let large = format!("# {}", "x".repeat(MAXIMUM_BYTES));
    let found = scenario(&large).unwrap_err();
    assert_eq!(found[0].message, "larger than 1024 KiB");
    assert_eq!(scenario("a: 1\n---\nb: 2\n").unwrap_err()[0].message, "a second document begins here");
    assert!(
        scenario("- a list\n").unwrap_err()[0]
            .message
            .contains("must be a mapping, a scenario, here stands a list")
    );
}

#[test]
fn required_keys_are_asked_for() {
    refused(
        "¶covers: [SCH-01]\nexpect: {outcome: ok}\n",
        &[(
            "`scenario` is missing in a scenario",
            "add `scenario:`, the title: one sentence that claims something, unique in the suite",
        )],
    );
    refused(
        "scenario: A\ncovers: ¶[]\nexpect: {outcome: ok}\n",
        &[("`covers` is empty", "name at least one")],
    );
    refused_body(
        "world: {services: {a: {raises: ¶{message: x}}}}",
        "`type` is missing in an exception",
        "add `type:`, the exception's class, for example RuntimeError",
    );
}

#[test]
fn values_have_the_type_of_their_key() {
    refused(
        "scenario: ¶3\ncovers: [SCH-01]\nexpect: {outcome: ok}\n",
        &[("`scenario` must be a string, here stands an integer", "quote it: \"3\"")],
    );
    refused(
        "scenario: ¶\"\"\ncovers: [SCH-01]\nexpect: {outcome: ok}\n",
        &[("`scenario` is blank", "write something")],
    );
    refused_body(
        "tags: ¶one",
        "`tags` must be a list, each item a string, here stands a string",
        "write it as a list: `[…]`, or lines that begin with `- `",
    );
    refused_body(
        "session: ¶main",
        "`session` must be a mapping, a session, here stands a string",
        "its keys are: active, memory, channel, metadata",
    );
    refused_body(
        "steps: [{user: hi, llm: [{confirm: ¶yes}]}]",
        "`confirm` must be `true` or `false`, here stands a string",
        "",
    );
    refused_body(
        "steps: [{user: hi, llm: [{complete: ¶false}]}]",
        "`complete: false` says nothing",
        "leave the key out",
    );
    refused_body(
        "world¶:\n",
        "`world` must be a mapping, the outside world, here stands null",
        "its keys are: services, mcp, knowledge, packages",
    );
}

#[test]
fn clauses_are_named_by_well_formed_ids_once() {
    let spelling = "write an id from specs/*.yml: three capitals, a hyphen, two digits, as in `SCH-07`";
    refused(
        "scenario: A\ncovers: [¶sch-01, ¶SCH-1, SCH-02, ¶SCH-02]\nexpect: {outcome: ok}\n",
        &[
            ("`sch-01` is not the id of a clause", spelling),
            ("`SCH-1` is not the id of a clause", spelling),
            ("`SCH-02` stands here twice", "name each clause once"),
        ],
    );
}

#[test]
fn durations_name_their_unit() {
    refused(
        &around(
            "steps:\n  - wait: ¶3\n  - wait: ¶3 sec\n  - wait: ¶-1s\n  - wait: ¶99999999999d\n  - wait: ¶[]\n",
        ),
        &[
            ("`3` has no unit", DURATION),
            ("`3 sec` has no unit that is known", DURATION),
            ("`-1s` is negative", DURATION),
            ("`99999999999d` is longer than a hundred years", DURATION),
            ("`wait` must be a duration, here stands a list", DURATION),
        ],
    );
}

#[test]
fn a_step_does_one_thing() {
    refused_body("steps: [¶{llm: []}]", "a step without an action", "add `user:`, `tap:` or `wait:`");
    refused_body(
        "steps: [{user: hi, ¶wait: 1s}]",
        "a step does one thing, here stand `user` and `wait`",
        "make two steps of them",
    );
    refused_body(
        "steps: [{wait: 1s, ¶llm: [{say: hi}]}]",
        "`llm` belongs to a user's turn, and this step only waits",
        "move it to a step with `user:` or `tap:`",
    );
    refused_body(
        "steps: [{user: hi, llm: [¶{}]}]",
        "an answer of nothing",
        "say or call something; an empty answer is written `say: \"\"`",
    );
    refused_body(
        "steps: [{user: hi, llm: [{calls: [¶{}]}]}]",
        "an intent of nothing",
        "write one of: activate, complete, cancel, set, correct, confirm, search, cannot_help, listen, call",
    );
    refused_body(
        "steps: [{user: hi, llm: [{¶sya: hi}]}]",
        "unknown key `sya` in an answer of the model",
        "did you mean `say`?",
    );
}

#[test]
fn an_interrupt_comes_once_and_says_when() {
    refused_body(
        "steps: [{user: hi, interrupt: {at: 1s, at_await: ¶1}}]",
        "an interrupt comes once, here stand `at` and `at_await`",
        "keep one of them",
    );
    refused_body(
        "steps: [{user: hi, interrupt: ¶{cause: disconnect}}]",
        "an interrupt that does not say when",
        "add `at: 2s`, or `at_await: 1` for the first suspension in tool code",
    );
    refused_body(
        "steps: [{user: hi, interrupt: {at: 1s, cause: ¶bargein}}]",
        "`cause` does not know `bargein`",
        "did you mean `barge_in`?",
    );
    for nought in ["0", "-1", "1.5", "first"] {
        refused_body(
            &format!("steps: [{{user: hi, interrupt: {{at_await: ¶{nought}}}}}]"),
            &format!("`at_await` is counted from 1, `{nought}` is no such number"),
            "write 1 for the first",
        );
    }
}

#[test]
fn the_world_is_possible() {
    refused_body(
        "world: {services: {a: {returns: 1, raises: ¶{type: E}}}}",
        "a call cannot both return and raise",
        "keep one; for one after the other, write a list of calls",
    );
    refused_body("world: {services: {a: ¶[]}}", "`a` is empty", "give at least one");
    refused_body(
        "world: {services: {¶bank-transfer: {}}}",
        "`bank-transfer` cannot be imported from lib.world",
        "use Python names with dots between them: `bank.transfer`",
    );
    refused_body(
        "world: {services: {¶busy: {}}}",
        "`busy` is lib.world's own: synchronous work that takes time",
        "give the service another name",
    );
    refused_body(
        "world: {mcp: {¶\"a b\": {}}}",
        "`a b` cannot be the name of an MCP server",
        "use letters, digits, `_`, `.` and `-`, a letter or digit first",
    );
    refused_body(
        "world: {mcp: {crm: {fails: ¶conect}}}",
        "`fails` does not know `conect`",
        "did you mean `connect`?",
    );
    refused_body(
        "session: {memory: {¶ref: 1}}",
        "`ref` does not say whose entry it is",
        "write the full name: `<skill>.<entry>` or `project.<entry>`",
    );
}
