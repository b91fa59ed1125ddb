//! Generated tools, cut off anywhere: they end, alike each time, and never in a panic.

use proptest::prelude::*;

use super::bodies::{IMPORTS, indented, turn_of};
use crate::protocol::{InterruptPoint, Reply, TurnTrace};

/// A block of statements, indented by the caller.
fn block(depth: u32) -> BoxedStrategy<Vec<String>> {
    let line = |text: &str| Just(vec![text.to_owned()]).boxed();
    let leaf = prop_oneof![
        (0_u32..5).prop_map(|tenths| vec![format!("await asyncio.sleep({})", f64::from(tenths) * 0.5)]),
        (0_i32..9).prop_map(|value| vec![format!("context.memory.set(\"a\", {value})")]),
        (0_i32..9).prop_map(|value| vec![format!("await context.send(\"said {value}\")")]),
        line("await bank.pay(1, to=\"Bob\")"),
        line("await helper(2)"),
        line("context.memory.set(\"b\", context.memory.get(\"a\"))"),
        line("raise ValueError(\"no\")"),
        line("total = sum(x for x in range(4))"),
        line("await asyncio.gather(helper(1), asyncio.sleep(0.3), return_exceptions=True)"),
        line("await asyncio.wait_for(helper(3), 0.4)"),
        line("return ToolResult(llm_response={\"early\": True})"),
        line("busy(0.3)"),
    ];
    leaf.prop_recursive(depth, 24, 3, |inner| {
        let several = prop::collection::vec(inner, 1..4).prop_map(|blocks| blocks.concat());
        let around = prop_oneof![
            several.clone().prop_map(|body| within("try:", &body, "except ValueError as error:\n    pass")),
            several.clone().prop_map(|body| within("try:", &body, "except BaseException:\n    raise")),
            several.clone().prop_map(|body| {
                within(
                    "try:",
                    &body,
                    "except asyncio.CancelledError:\n    await asyncio.sleep(0.1)\n    raise",
                )
            }),
            several.clone().prop_map(|body| {
                within("try:", &body, "finally:\n    await bank.pay(2)\n    context.memory.set(\"b\", 1)")
            }),
            several.clone().prop_map(|body| within("for i in range(2):", &body, "")),
            several.clone().prop_map(|body| within("async with asyncio.timeout(0.6):", &body, "")),
            several.clone().prop_map(|body| within("if context.is_cancelled:", &body, "else:\n    pass")),
        ];
        prop_oneof![around, several]
    })
    .boxed()
}

fn within(head: &str, body: &[String], tail: &str) -> Vec<String> {
    let mut lines = vec![head.to_owned()];
    lines.extend(body.iter().map(|line| format!("    {line}")));
    lines.extend(tail.lines().map(str::to_owned));
    lines
}

fn module(body: &[String]) -> String {
    let body = indented(body.iter().map(String::as_str));
    format!(
        "import asyncio\nfrom lib.world import bank, busy\n{IMPORTS}\n\nasync def helper(n):\n    await asyncio.sleep(n * 0.2)\n    return n\n\n\n@tool(description=\"d\")\nasync def t(context: ToolContext = None) -> ToolResult:\n{body}    return ToolResult(llm_response={{\"ok\": True}})\n"
    )
}

fn point() -> impl Strategy<Value = InterruptPoint> {
    prop_oneof![(0_u64..4000).prop_map(InterruptPoint::AtMs), (1_u32..12).prop_map(InterruptPoint::AtAwait),]
}

fn trace(reply: Reply<TurnTrace>) -> TurnTrace {
    match reply {
        Reply::Result(trace) => trace,
        other => panic!("a valid program must run: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_run_is_the_same_each_time_wherever_it_is_cut_off(body in block(3), point in point()) {
        let module = module(&body);
        let once = trace(turn_of(&module, Some(point)));
        let again = trace(turn_of(&module, Some(point)));
        prop_assert_eq!(serde_json::to_string(&once).ok(), serde_json::to_string(&again).ok());
    }

    #[test]
    fn an_interrupt_after_the_end_changes_nothing(body in block(3)) {
        let module = module(&body);
        let whole = trace(turn_of(&module, None));
        let late = trace(turn_of(&module, Some(InterruptPoint::AtMs(1_000_000))));
        prop_assert_eq!(serde_json::to_string(&whole).ok(), serde_json::to_string(&late).ok());
    }

    #[test]
    fn mutated_programs_end_without_a_panic(
        body in block(3),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let mut text: Vec<char> = module(&body).chars().collect();
        for (from, to) in cuts {
            // A piece of the program comes to stand somewhere else.
            let (from, to) = (from.index(text.len()), to.index(text.len()));
            let piece: Vec<char> = text.iter().skip(from).take(7).copied().collect();
            text.splice(to..to, piece);
        }
        let text: String = text.into_iter().collect();
        let _: Reply<TurnTrace> = turn_of(&text, None);
    }
}
