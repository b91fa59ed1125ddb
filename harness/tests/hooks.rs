//! Whatever hooks write, they never run hooks: generated projects against a second model of `set_fields`.
//!
//! Goes through the boundary only. Rules: tools-reference, "Post-write hooks"; HOK-03, HOK-09, HOK-12 to HOK-16,
//! HOK-19, HOK-21, HOK-22, HOK-25; where they leave it open, as the reference does it (HOK-20, HOK-23, HOK-26).
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harness::implementation::Implementation;
use harness::project::MemoryProject;
use harness::protocol::{
    Intent, Json, Reply, ScriptedReply, Session, SkillId, Trigger, Turn, TurnTrace, UserInput, World,
};
use harness::reference::Reference;
use proptest::prelude::*;
use serde_json::json;

/// The entries of the skill, and the one of the project that hooks may write.
const ENTRIES: [&str; 4] = ["amber", "birch", "cedar", "dune"];
const PROJECT: &str = "project.ember";

const INTEGRATIONS: &str =
    "llm: {model_group: main}\nmodel_groups: [{id: main, models: [{provider: openai, model: scripted}]}]\n";

type Memory = BTreeMap<String, i64>;

/// How a hook ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Bare,
    Payload,
    NullError,
    Error,
    EmptyError,
    FalseError,
    Raise,
}

impl End {
    const ALL: [Self; 7] = [
        Self::Bare,
        Self::Payload,
        Self::NullError,
        Self::Error,
        Self::EmptyError,
        Self::FalseError,
        Self::Raise,
    ];

    fn accepts(self) -> bool {
        matches!(self, Self::Bare | Self::Payload | Self::NullError)
    }

    fn code(self) -> &'static str {
        match self {
            Self::Bare => "return ToolResult()",
            Self::Payload => "return ToolResult(llm_response={\"errors\": 1})",
            Self::NullError => "return ToolResult(llm_response={\"error\": None})",
            Self::Error => "return ToolResult(llm_response={\"error\": \"no\"})",
            Self::EmptyError => "return ToolResult(llm_response={\"error\": \"\"})",
            Self::FalseError => "return ToolResult(llm_response={\"error\": False})",
            Self::Raise => "raise ValueError(\"no\")",
        }
    }
}

/// A hook: what it writes, null included, and how it ends.
#[derive(Clone, Debug)]
struct Hook {
    writes: Vec<(String, Option<i64>)>,
    end: End,
}

type Hooks = BTreeMap<&'static str, Hook>;
type Batch = Vec<(&'static str, i64)>;

fn hook() -> impl Strategy<Value = Hook> {
    let own = prop::sample::select(&ENTRIES[..]).prop_map(|entry| format!("forest.{entry}"));
    let name = prop_oneof![4 => own, 1 => Just(PROJECT.to_owned())];
    let value = prop::option::weighted(0.8, 0..4_i64);
    let end = prop::sample::select(&End::ALL[..]);
    (prop::collection::vec((name, value), 0..4), end).prop_map(|(writes, end)| Hook { writes, end })
}

fn batch() -> impl Strategy<Value = Batch> {
    let entries = prop::sample::subsequence(&ENTRIES[..], 1..=ENTRIES.len()).prop_shuffle();
    entries.prop_flat_map(|entries| {
        let count = entries.len();
        (Just(entries), prop::collection::vec(0..4_i64, count))
            .prop_map(|(entries, values)| entries.into_iter().zip(values).collect())
    })
}

/// The model: one `set_fields` call on memory, giving the hooks that ran.
fn record(memory: &mut Memory, hooks: &Hooks, batch: &Batch) -> Vec<String> {
    let mut ran = Vec::new();
    for (entry, value) in batch {
        let name = format!("forest.{entry}");
        if memory.contains_key(&name) {
            continue;
        }
        let before = memory.clone();
        memory.insert(name, *value);
        let Some(hook) = hooks.get(entry) else { continue };
        ran.push(format!("run_after_setting_{entry}"));
        for (written, value) in &hook.writes {
            match value {
                _ if written == PROJECT && memory.contains_key(PROJECT) => {}
                Some(value) => drop(memory.insert(written.clone(), *value)),
                None => drop(memory.remove(written)),
            }
        }
        if !hook.end.accepts() {
            *memory = before;
        }
    }
    ran
}

fn project(hooks: &Hooks) -> MemoryProject {
    let mut code = "from rasa.mantle.tools.decorator import ToolContext, tool\n\
                    from rasa.mantle.tools.result import ToolResult\n"
        .to_owned();
    for (entry, hook) in hooks {
        writeln!(code, "\n\n@tool(description=\"Check\")").unwrap();
        writeln!(code, "async def run_after_setting_{entry}(context: ToolContext = None) -> ToolResult:")
            .unwrap();
        for (name, value) in &hook.writes {
            let value = value.map_or_else(|| "None".to_owned(), |value| value.to_string());
            writeln!(code, "    context.memory.set(\"{name}\", {value})").unwrap();
        }
        writeln!(code, "    {}", hook.end.code()).unwrap();
    }
    let mut memory = "schema:\n  public:\n".to_owned();
    for entry in ENTRIES {
        writeln!(memory, "    {entry}: {{type: int, llm_settable: true}}").unwrap();
    }
    MemoryProject::from_iter([
        ("agent.yml", "agent:\n  persona: A forester\n".to_owned()),
        ("integrations.yml", INTEGRATIONS.to_owned()),
        ("memory.yml", "ember: {type: int}\n".to_owned()),
        ("skills/forest/skill.md", "---\nname: forest\ndescription: Trees\n---\n\nTrees.\n".to_owned()),
        ("skills/forest/memory.yml", memory),
        ("skills/forest/tools.py", code),
    ])
}

/// A turn in which the model records a batch.
fn turn(reference: &mut Reference, batch: &Batch) -> TurnTrace {
    let fields = batch.iter().map(|(entry, value)| ((*entry).to_owned(), json!(value))).collect();
    let records = ScriptedReply { say: None, calls: vec![Intent::Set(fields)] };
    let ends = ScriptedReply { say: Some("Noted".to_owned()), calls: Vec::new() };
    let turn = Turn { input: UserInput::Says("Trees".to_owned()), llm: vec![records, ends], interrupt: None };
    match reference.turn(&turn) {
        Ok(Reply::Result(trace)) => trace,
        other => panic!("a turn must give a trace: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(192) })]

    #[test]
    fn hooks_never_nest(
        hooks in prop::collection::btree_map(prop::sample::select(&ENTRIES[..]), hook(), 0..=4),
        batches in prop::collection::vec(batch(), 1..4),
    ) {
        let mut reference = Reference::new();
        let session = Session { active: Some(SkillId::new("forest")), ..Session::default() };
        let Ok(Reply::Result(loaded)) = reference.load(&project(&hooks), &World::default(), &session) else {
            panic!("a load must give a report")
        };
        prop_assert_eq!(loaded.findings, []);
        let mut memory = Memory::new();
        for batch in &batches {
            let expected = record(&mut memory, &hooks, batch);
            let trace = turn(&mut reference, batch);
            prop_assert!(trace.tools.iter().all(|run| run.trigger == Trigger::Hook));
            let ran: Vec<String> = trace.tools.iter().map(|run| run.tool.to_string()).collect();
            prop_assert_eq!(ran, expected);
            let held: BTreeMap<String, Json> =
                memory.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            prop_assert_eq!(trace.memory, held);
        }
    }
}
