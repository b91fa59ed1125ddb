//! What the benchmarks share: the shipped scenarios, read once, and scenarios of a given size.
//!
//! Measures nothing itself. Not a default member, so that `cargo test` does not build it.
//! Rules: run with `cargo xtask bench`.
#![allow(
    clippy::panic,
    clippy::manual_assert,
    clippy::missing_panics_doc,
    reason = "a benchmark without its input is no benchmark"
)]

use std::fmt::Write as _;

use harness::implementation::Implementation;
use harness::protocol::{LoadReport, Reply, TurnTrace};
use harness::reference::Reference;
use harness::scenario::{Scenario, ScenarioId, StepAction, parse};
use harness::suite::Repository;

/// Runs the benchmarks on a thread like those that run the suite.
pub fn as_a_worker(benchmarks: fn()) {
    let worker =
        std::thread::Builder::new().stack_size(harness::runner::WORKER_STACK_BYTES).spawn(benchmarks);
    let ended = worker.map(std::thread::JoinHandle::join);
    assert!(matches!(ended, Ok(Ok(()))), "the benchmarks did not end well: {ended:?}");
}

/// The text of every shipped scenario, by id.
pub fn texts() -> Vec<(ScenarioId, String)> {
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap_or_default();
    ids.into_iter()
        .map(|id| {
            let path = repository.scenarios().join(format!("{id}.yml"));
            let text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (id, text)
        })
        .collect()
}

/// Reads one scenario.
pub fn read(id: &ScenarioId, text: &str) -> Scenario {
    match parse(id.clone(), id.as_str(), text) {
        Ok(scenario) => scenario,
        Err(found) => panic!("{}", found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// Loads a scenario's project.
pub fn load(reference: &mut Reference, scenario: &Scenario) -> LoadReport {
    match reference.load(&scenario.project, &scenario.world, &scenario.session) {
        Ok(Reply::Result(report)) => report,
        other => panic!("{}: {other:?}", scenario.id),
    }
}

/// Runs the turns and waits of a loaded scenario.
pub fn run(reference: &mut Reference, scenario: &Scenario) -> Vec<TurnTrace> {
    let mut traces = Vec::new();
    for step in &scenario.steps {
        match &step.action {
            StepAction::Turn(turn) => {
                if let Ok(Reply::Result(trace)) = reference.turn(turn) {
                    traces.push(trace);
                }
            }
            StepAction::Wait(wait) => {
                if reference.wait(wait.clone()).is_err() {
                    panic!("{}: a wait failed", scenario.id);
                }
            }
        }
    }
    traces
}

/// A scenario whose tool awaits so often, each time for so many virtual seconds, and writes memory each time.
pub fn with_awaits(awaits: usize, seconds: u64) -> Scenario {
    let mut text = String::from(
        "scenario: A tool that awaits again and again\ncovers: [TIM-05]\nproject:\n  agent.yml: |\n    agent: {persona: A clerk}\n    tool_timeout: 10000000000\n  skills/main/memory.yml: |\n    schema: {public: {count: {type: int}}}\n  skills/main/tools.py: |\n    import asyncio\n    from rasa.mantle.tools.decorator import ToolContext, tool\n    from rasa.mantle.tools.result import ToolResult\n\n    @tool(description=\"Work\")\n    async def work(context: ToolContext = None) -> ToolResult:\n",
    );
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "        for index in range({awaits}):\n            await asyncio.sleep({seconds})\n            context.memory.set(\"count\", index)\n        return ToolResult()\nsession: {{active: main}}\nsteps:\n  - user: Work\n    llm: [{{call: {{work: {{}}}}}}, {{say: done}}]\n    expect: {{outcome: completed}}\n"
    );
    read(&ScenarioId::new("timeouts/generated"), &text)
}
