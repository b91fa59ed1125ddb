//! What is offered at each model call, against a second model of the offering rules.
//!
//! The model is written from the text alone and shares nothing with the reference; agents, memory and searches are
//! generated. Rules: tools-reference, "Gating a tool" and "Built-in framework tools"; chapters GAT and BLT.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::struct_excessive_bools,
    reason = "a panic is how a test fails, and a generated agent is a handful of switches"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use harness::implementation::Implementation;
use harness::project::MemoryProject;
use harness::protocol::{
    Intent, Json, Passage, Reply, ScriptedReply, Session, SkillId, Turn, TurnTrace, UserInput, World,
};
use harness::reference::Reference;
use proptest::prelude::*;

/// A skill of a generated agent.
#[derive(Clone, Debug)]
struct Skill {
    disabled: bool,
    /// Whether it can only be started once `project.open` is set.
    guarded: bool,
    /// For each of its tools: `None` for no gate, else whether the gate wants `level` set or unset.
    tools: Vec<Option<bool>>,
    settable: bool,
    blocks_only: bool,
    hook: bool,
}

/// A generated agent and where its conversation starts.
#[derive(Clone, Debug)]
struct Agent {
    skills: Vec<Skill>,
    knowledge: bool,
    open: bool,
    level: bool,
    active: Option<usize>,
    searches: bool,
}

fn skill() -> impl Strategy<Value = Skill> {
    let gate = prop_oneof![Just(None), any::<bool>().prop_map(Some)];
    (any::<[bool; 5]>(), prop::collection::vec(gate, 0..4)).prop_map(|(flags, tools)| {
        let [disabled, guarded, settable, blocks_only, hook] = flags;
        Skill { disabled, guarded, tools, settable, blocks_only, hook: hook && settable }
    })
}

fn agent() -> impl Strategy<Value = Agent> {
    let skills = prop::collection::vec(skill(), 1..4);
    (skills, any::<[bool; 4]>(), prop::option::of(0usize..3)).prop_map(|(skills, flags, active)| {
        let [knowledge, open, level, searches] = flags;
        let active = active.filter(|active| *active < skills.len());
        Agent { skills, knowledge, open, level, active, searches }
    })
}

fn project(agent: &Agent) -> MemoryProject {
    let mut project = MemoryProject::new();
    project.insert("agent.yml", "agent: {persona: A clerk}\n");
    project.insert("integrations.yml", "llm: {model_group: main}\n");
    project.insert("memory.yml", "open: {type: bool}\n");
    for (number, skill) in agent.skills.iter().enumerate() {
        let mut head = format!("---\nname: Skill {number}\ndescription: Does its part\n");
        if skill.disabled {
            head.push_str("disabled: true\n");
        }
        if skill.guarded {
            head.push_str("requires: session.project.open\n");
        }
        let gated: Vec<(usize, bool)> =
            skill.tools.iter().enumerate().filter_map(|(tool, gate)| Some((tool, (*gate)?))).collect();
        if !gated.is_empty() {
            head.push_str("tool_constraints:\n");
        }
        for (tool, wants_level) in gated {
            let not = if wants_level { "" } else { "not " };
            let _ = writeln!(head, "  - t{tool}: {{requires: \"{not}session.s{number}.level\"}}");
        }
        let body = if skill.blocks_only {
            ":::ordered_block id=main\nsteps:\n  - id: talk\n    instructions: Talk\n:::\n"
        } else {
            "Help the customer.\n"
        };
        project.insert(format!("skills/s{number}/skill.md"), format!("{head}---\n{body}"));
        let name = if skill.settable { "    wish: {type: text, llm_settable: true}\n" } else { "" };
        let memory = format!("schema:\n  public:\n    level: {{type: bool}}\n{name}");
        project.insert(format!("skills/s{number}/memory.yml"), memory);
        let mut tools = String::from(
            "from rasa.mantle.tools.decorator import ToolContext, tool\nfrom rasa.mantle.tools.result import ToolResult\n",
        );
        let names = (0..skill.tools.len()).map(|tool| format!("t{tool}"));
        let hook = skill.hook.then(|| "run_after_setting_wish".to_owned());
        for name in names.chain(hook) {
            let _ = write!(
                tools,
                "\n\n@tool(description=\"Works\")\nasync def {name}(context: ToolContext = None) -> ToolResult:\n    return ToolResult()\n"
            );
        }
        project.insert(format!("skills/s{number}/tools.py"), tools);
    }
    project
}

fn turn(agent: &Agent) -> TurnTrace {
    let mut memory: BTreeMap<String, Json> = BTreeMap::new();
    if agent.open {
        memory.insert("project.open".to_owned(), true.into());
    }
    for number in 0..agent.skills.len() {
        if agent.level {
            memory.insert(format!("s{number}.level"), true.into());
        }
    }
    let knowledge = agent.knowledge.then(|| vec![Passage { text: "Yes".to_owned(), source: String::new() }]);
    let world = World { knowledge, ..World::default() };
    let active = agent.active.map(|active| SkillId::new(format!("s{active}")));
    let session = Session { active, memory, ..Session::default() };
    let mut reference = Reference::new();
    let loaded = reference.load(&project(agent), &world, &session).unwrap();
    assert!(
        matches!(&loaded, Reply::Result(report) if report.findings.iter().all(|finding| finding.severity != harness::protocol::Severity::Error)),
        "{loaded:?}"
    );
    let search = ScriptedReply { calls: vec![Intent::Search("what".to_owned())], say: None };
    let say = ScriptedReply { say: Some("done".to_owned()), calls: Vec::new() };
    let llm = if agent.searches && agent.knowledge { vec![search, say] } else { vec![say] };
    let turn = Turn { input: UserInput::Says("hello".to_owned()), llm, interrupt: None };
    match reference.turn(&turn).unwrap() {
        Reply::Result(trace) => trace,
        other => panic!("{other:?}"),
    }
}

/// The names that the text says are offered.
fn model(agent: &Agent, searched: bool) -> BTreeSet<String> {
    let mut offered = BTreeSet::new();
    let mut offer = |name: &str, when: bool| {
        if when {
            offered.insert(name.to_owned());
        }
    };
    let startable = agent.skills.iter().enumerate().any(|(number, skill)| {
        Some(number) != agent.active && !skill.disabled && (!skill.guarded || agent.open)
    });
    offer("activate", startable);
    offer("search_knowledge", agent.knowledge);
    offer("cannot_help", searched || !agent.knowledge);
    offer("listen", !searched);
    if let Some(skill) = agent.active.and_then(|active| agent.skills.get(active)).filter(|_| !searched) {
        offer("complete_skill", !skill.blocks_only);
        offer("cancel_skill", true);
        offer("set_fields", skill.settable);
        for (tool, gate) in skill.tools.iter().enumerate() {
            offer(&format!("t{tool}"), gate.is_none_or(|wants_level| wants_level == agent.level));
        }
    }
    offered
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_offer_is_what_the_text_says(agent in agent()) {
        let trace = turn(&agent);
        for (number, call) in trace.llm_calls.iter().enumerate() {
            let seen: BTreeSet<String> = call.offered.keys().map(ToString::to_string).collect();
            prop_assert_eq!(&seen, &model(&agent, number > 0), "call {}", number + 1);
        }
    }
}
