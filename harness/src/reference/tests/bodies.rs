//! Running one tool: what its body comes to.

use serde_json::json;

use crate::implementation::Implementation;
use crate::project::MemoryProject;
use crate::protocol::{
    Interrupt, InterruptCause, InterruptPoint, Json, Reply, Session, Turn, TurnTrace, World,
};
use crate::reference::Reference;

/// What precedes the code of a case.
pub(super) const IMPORTS: &str = "from rasa.mantle.tools.decorator import ToolContext, tool\nfrom rasa.mantle.tools.result import ToolResult\n";

/// Lines as the body of a function.
pub(super) fn indented<'line>(lines: impl Iterator<Item = &'line str>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A tool with this body, which may be told a result with `return`.
pub(super) fn tool_of(body: &str) -> String {
    let indented = indented(body.lines());
    format!(
        "{IMPORTS}\n\n@tool(description=\"d\")\nasync def t(context: ToolContext = None) -> ToolResult:\n{indented}"
    )
}

/// What a turn does that calls the tool `t` of this module, and perhaps is cut off.
pub(super) fn turn_of(module: &str, point: Option<InterruptPoint>) -> Reply<TurnTrace> {
    let mut project = MemoryProject::new();
    project.insert("agent.yml", "agent:\n  persona: p\n");
    project.insert("integrations.yml", "{}\n");
    project.insert("skills/s/skill.md", "---\nname: s\ndescription: d\n---\nBody\n");
    project.insert("skills/s/memory.yml", "schema: {public: {a: {type: any}, b: {type: any}}}\n");
    project.insert("skills/s/tools.py", module);
    let parsed = |value: Json| serde_json::from_value(value).expect("a message of the protocol");
    let session: Session = serde_json::from_value(json!({"active": "s"})).expect("a session");
    let world: World = parsed(json!({"services": {"bank.pay": [
        {"takes_ms": 700, "ends": {"returns": {"ok": true}}},
        {"takes_ms": 300, "ends": {"raises": {"exception": "RuntimeError", "message": "down"}}},
    ]}}));
    let mut turn: Turn = serde_json::from_value(json!({
        "input": {"says": "x"},
        "llm": [{"calls": [{"call": {"tool": "t", "arguments": {}}}]}, {"say": "done"}],
    }))
    .expect("a turn");
    turn.interrupt = point.map(|when| Interrupt { when, cause: InterruptCause::default() });
    let mut reference = Reference::new();
    let loaded = reference.load(&project, &world, &session);
    assert!(matches!(loaded, Ok(Reply::Result(_))), "{loaded:?}");
    reference.turn(&turn).expect("a reply")
}

/// What the model reads of the tool's result, or the error of the run.
pub(super) fn outcome(module: &str) -> Result<Json, String> {
    match turn_of(module, None) {
        Reply::Result(trace) => {
            let read = trace.llm_calls.iter().flat_map(|call| &call.read).next();
            Ok(read.unwrap_or_else(|| panic!("the tool did not run:\n{module}")).result.clone())
        }
        Reply::Errored(errored) => Err(errored.message),
        Reply::Skipped(skipped) => panic!("{skipped:?}"),
    }
}

/// What a body returns as `llm_response`.
#[track_caller]
fn gives(body: &str, expected: Json) {
    assert_eq!(outcome(&tool_of(body)), Ok(expected), "{body}");
}

/// Which exception a body ends with.
#[track_caller]
fn raises(body: &str, class: &str) {
    let ended = outcome(&tool_of(body));
    let shown =
        ended.as_ref().ok().and_then(|json| json.get("error")).and_then(Json::as_str).unwrap_or_default();
    assert!(shown.split(':').next() == Some(class), "{body}\n{ended:?}");
}

#[test]
fn errors_have_pythons_classes() {
    raises("[1][5]", "IndexError");
    raises("{}['a']", "KeyError");
    raises("'a' + 1", "TypeError");
    raises("1 / 0", "ZeroDivisionError");
    raises("None.x", "AttributeError");
    raises("missing", "NameError");
    raises("x += 1", "UnboundLocalError");
    raises("int('x')", "ValueError");
    raises("a, b = [1]", "ValueError");
    raises("a, b = 5", "TypeError");
    raises("sorted([1, 'a'])", "TypeError");
    raises("{[]: 1}", "TypeError");
    raises("raise 5", "TypeError");
    raises("raise", "RuntimeError");
    raises("await 5", "TypeError");
    raises("d = {'a': 1}\nfor k in d:\n    d['b'] = 2", "RuntimeError");
    raises("import json\njson.dumps({1, 2})", "TypeError");
    raises("import json\njson.loads('{')", "JSONDecodeError");
    raises("assert 1 == 2, 'no'", "AssertionError");
    raises("next(iter([]))", "RuntimeError");
}

#[test]
fn control_flow_goes_through_finally() {
    let body = "def f():\n    for i in range(3):\n        try:\n            continue\n        finally:\n            if i == 1:\n                break\n    return i\nreturn ToolResult(llm_response=f())";
    gives(body, json!(1));
    let body = "def f():\n    try:\n        try:\n            raise ValueError('a')\n        finally:\n            raise KeyError('b')\n    except KeyError as e:\n        return str(e)\nreturn ToolResult(llm_response=f())";
    gives(body, json!("'b'"));
    let body = "def again():\n    raise\ntry:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        again()\nexcept ZeroDivisionError as e:\n    return ToolResult(llm_response=str(e))";
    gives(body, json!("division by zero"));
}

#[test]
fn numbers_are_pythons() {
    gives(
        "return ToolResult(llm_response=[7 // -2, -7 % 3, -7.5 // 2, 7.5 % -2, 2 ** -1, round(2.675, 2), round(1250, -2)])",
        json!([-4, 2, -4.0, -0.5, 0.5, 2.67, 1200]),
    );
    gives(
        "return ToolResult(llm_response=[str(1e16), str(1e-5), str(123456789.123), repr(0.1 + 0.2), str(1e22), str(-0.0)])",
        json!(["1e+16", "1e-05", "123456789.123", "0.30000000000000004", "1e+22", "-0.0"]),
    );
    gives(
        "return ToolResult(llm_response=[f'{1234567:012,}', f'{5:<05}', f'{1e6:,}', f'{-5:06d}', f'{1.0:.3}', f'{255:#x}'])",
        json!(["0,001,234,567", "50000", "1,000,000.0", "-00005", "1.0", "0xff"]),
    );
}

#[test]
fn sleeping_for_no_time_lets_the_others_go_first() {
    let body = "import asyncio\nlog = []\nasync def w(n):\n    for i in range(2):\n        log.append(f'{n}{i}')\n        await asyncio.sleep(0)\nawait asyncio.gather(w('a'), w('b'), w('c'))\nreturn ToolResult(llm_response=log)";
    gives(body, json!(["a0", "b0", "c0", "a1", "b1", "c1"]));
}

#[test]
fn values_that_are_not_modelled_end_the_run() {
    for body in [
        "import string\nreturn ToolResult(llm_response=string.digits)",
        "import sys\ncontext.memory.set('a', sys.maxsize)",
        "import random\nrandom.random()",
    ] {
        let ended = outcome(&tool_of(body));
        let message = ended.expect_err(body);
        assert!(message.contains("outside the Python that the reference runs"), "{message}");
        assert!(message.starts_with("skills/s/tools.py:"), "{message}");
    }
}

#[test]
fn what_the_module_holds_is_there_unless_loading_lost_it() {
    let module = |top: &str, body: &str| format!("{top}\n{}", tool_of(body));
    let held =
        module("KINDS = {\"a\", \"b\"}", "return ToolResult(llm_response=[\"a\" in KINDS, len(KINDS)])");
    assert_eq!(outcome(&held), Ok(json!([true, 2])));
    for top in ["KINDS = {\"a\"}\nKINDS.add(\"b\")", "KINDS = OTHER = {\"a\"}\nOTHER |= {\"b\"}"] {
        let lost = outcome(&module(top, "return ToolResult(llm_response=len(KINDS))"));
        assert!(lost.is_err() || lost == Ok(json!(2)), "{top}\n{lost:?}");
    }
}

#[test]
fn depth_never_overflows_the_stack() {
    for body in [
        "x = []\nfor i in range(20000):\n    x = [x]",
        "x = ()\nfor i in range(20000):\n    x = (x,)",
        "x = {}\nfor i in range(20000):\n    x = {'k': x}",
        "class N:\n    def __init__(self, n):\n        self.n = n\nx = None\nfor i in range(20000):\n    x = N(x)",
        "f = lambda: 1\nfor i in range(20000):\n    f = (lambda g: lambda: g)(f)",
        "e = ValueError()\nfor i in range(3000):\n    e = KeyError(None, e) if i < 3 else e",
    ] {
        gives(&format!("{body}\nreturn ToolResult(llm_response=1)"), json!(1));
    }
    let deep = "x = []\ny = []\nfor i in range(3000):\n    x = [x]\n    y = [y]\n";
    raises(&format!("{deep}repr(x)"), "RecursionError");
    raises(&format!("{deep}x == y"), "RecursionError");
    raises(&format!("{deep}import copy\ncopy.deepcopy(x)"), "RecursionError");
    raises(&format!("{deep}import json\njson.dumps(x)"), "RecursionError");
    raises("def f(n):\n    return f(n + 1)\nf(0)", "RecursionError");
    raises("async def f(n):\n    return await f(n + 1)\nawait f(0)", "RecursionError");
    raises("class A:\n    def __getattr__(self, n):\n        return self.other\nA().x", "RecursionError");
    let nested = "it = iter([1])\nfor i in range(60000):\n    it = map(str, it)\nlist(it)";
    assert!(outcome(&tool_of(nested)).is_ok());
}
