//! The steps of an ordered block.
//!
//! Rules: contract-notes, "10. Ordered block steps"; chapter BLK.

use super::places::Places;
use super::written::WrittenCondition;
use crate::condition::Condition;
use crate::protocol::{EntryName, Json, LoadPhase, SourcePlace, ToolName};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::Node;
use crate::source::{Position, did_you_mean};

/// An ordered block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its id within the skill.
    pub(crate) id: String,
    /// Its steps, in the order of the file.
    pub(crate) steps: Vec<Step>,
    /// The tools it lists, each with its place.
    pub(crate) tools: Vec<(ToolName, SourcePlace)>,
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Its id.
    pub(crate) id: String,
    /// What it does.
    pub(crate) kind: StepKind,
    /// Where the block goes after it.
    pub(crate) next: Next,
    /// Where its keys and values stand.
    pub(crate) places: Places,
    /// The conditions that stand in it.
    pub(crate) conditions: Vec<WrittenCondition>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// Completes the block.
    End,
    /// Only goes on.
    Route,
    /// Sends a response, or listens.
    Action(String),
    /// Leaves the turn to the model until a condition holds.
    Instructions {
        /// The condition; without one the model is never done.
        complete_when: Option<String>,
    },
    /// Asks for an entry.
    Collect {
        /// The entry.
        entry: EntryName,
        /// The response that asks.
        utterance: Option<String>,
        /// Whether to ask although there is a value.
        ask_before_filling: bool,
    },
    /// Runs a tool.
    ExecuteTool {
        /// The tool.
        tool: ToolName,
        /// Its arguments, references not resolved.
        parameters: Vec<(String, Json)>,
    },
    /// Writes literals to memory.
    SetMemory(Vec<(String, Json)>),
    /// Runs another skill or block and comes back.
    Call(String),
    /// Completes the block and goes to another skill or block.
    Link(String),
}

/// Where a block goes after a step.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// To the step written after it.
    Following,
    /// To this step.
    Step(String),
    /// To the first branch whose condition holds; a branch without one always does.
    Branches(Vec<(Option<Condition>, String)>),
}

/// The keys that tell the kind of a step, in the order in which they decide, with the other keys it takes.
const KINDS: [(&str, &[&str]); 9] = [
    ("noop", &[]),
    ("action", &[]),
    ("utter", &[]),
    ("instructions", &["complete_when", "optional"]),
    ("collect", &["utterance", "description", "ask_before_filling"]),
    ("execute_tool", &["parameters"]),
    ("set_memory", &[]),
    ("call", &[]),
    ("link", &[]),
];

const INVALID: &str = "skill.step.invalid";

/// Reads a block whose mapping begins some lines into its file.
pub(crate) fn read_block(
    path: &str,
    id: String,
    node: &Node,
    lines_before: u32,
    findings: &mut Findings,
) -> Block {
    let mut reader = Reader { path, lines_before, findings };
    let mut steps: Vec<Step> = Vec::new();
    match node.get("steps").and_then(Node::items) {
        None => reader.report(node, INVALID, "an ordered block needs a list of `steps:`"),
        Some(items) => {
            for item in items {
                if let Some(step) = reader.step(item) {
                    if steps.iter().any(|known| known.id == step.id) {
                        reader.report(
                            item,
                            INVALID,
                            &format!("two steps have the id `{}`; rename one", step.id),
                        );
                    }
                    steps.push(step);
                }
            }
        }
    }
    if node.get("routable").is_some() {
        let message = "whether a block is routable follows from the skill; remove the key";
        reader.report(node, "skill.markdown.ordered_block_routable_forbidden", message);
    }
    let listed = node.get("tools").and_then(Node::items).unwrap_or_default();
    let tools = listed.iter().filter_map(|item| reader.listed_tool(item)).collect();
    Block { id, steps, tools }
}

struct Reader<'read> {
    path: &'read str,
    lines_before: u32,
    findings: &'read mut Findings,
}

impl Reader<'_> {
    fn report(&mut self, node: &Node, code: &str, message: &str) {
        let position = Position::new(node.position.line + self.lines_before, node.position.column);
        self.findings.error(LoadPhase::Train, code, finding::at(self.path, position), message);
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
        let places = Places::of(self.path, node, self.lines_before);
        let Some(entries) = node.entries() else {
            self.report(node, INVALID, &format!("a step must be a mapping, not {}", node.kind()));
            return None;
        };
        if text("id").as_deref() == Some("END") || node.text() == Some("END") {
            return Some(Step {
                id: "END".to_owned(),
                kind: StepKind::End,
                next: Next::Following,
                places,
                conditions: Vec::new(),
            });
        }
        let Some(id) = text("id") else {
            self.report(node, INVALID, "a step needs an `id`");
            return None;
        };
        let Some((kind, others)) = KINDS.iter().find(|(key, _)| node.get(key).is_some()) else {
            let kinds: Vec<&str> = KINDS.iter().map(|(key, _)| *key).collect();
            self.report(
                node,
                INVALID,
                &format!("the step `{id}` says not what it does; give one of: {}", kinds.join(", ")),
            );
            return None;
        };
        for (key, _) in entries {
            let name = key.text().unwrap_or_default();
            let mut known = vec!["id", "next", *kind];
            known.extend(*others);
            match name {
                "force_collection" => {
                    self.report(
                        key,
                        "skill.step.outdated_force_collection",
                        "`force_collection` is outdated; use `ask_before_filling`",
                    );
                }
                "tool" if *kind == "collect" => {
                    self.report(
                        key,
                        "skill.step.outdated_collect_tool",
                        "`tool` on a collect step is outdated; use a post-write hook",
                    );
                }
                _ if !known.contains(&name) => {
                    let hint = did_you_mean(name, &known);
                    self.report(key, INVALID, &format!("unknown key `{name}` in a `{kind}` step; {hint}"));
                }
                _ => {}
            }
        }
        let pairs = |key: &str| -> Vec<(String, Json)> {
            let entries = node.get(key).and_then(Node::entries).unwrap_or_default();
            entries
                .iter()
                .map(|(name, value)| (name.text().unwrap_or_default().to_owned(), value.to_json()))
                .collect()
        };
        let named = text(kind).unwrap_or_default();
        let kind = match *kind {
            "action" | "utter" => StepKind::Action(named),
            "instructions" => StepKind::Instructions { complete_when: text("complete_when") },
            "collect" => StepKind::Collect {
                entry: EntryName::new(named),
                utterance: text("utterance"),
                ask_before_filling: node
                    .get("ask_before_filling")
                    .is_some_and(|flag| flag.to_json() == Json::Bool(true)),
            },
            "execute_tool" => {
                StepKind::ExecuteTool { tool: ToolName::new(named), parameters: pairs("parameters") }
            }
            "set_memory" => StepKind::SetMemory(pairs("set_memory")),
            "call" => StepKind::Call(named),
            "link" => StepKind::Link(named),
            _ => StepKind::Route,
        };
        let next = node.get("next").map_or(Next::Following, |next| self.next(next));
        Some(Step { id, kind, next, places, conditions: self.conditions(node) })
    }

    /// A tool of the block's `tools:`, a name or a mapping with one.
    fn listed_tool(&self, node: &Node) -> Option<(ToolName, SourcePlace)> {
        let name = node.get("name").unwrap_or(node);
        let position = Position::new(name.position.line + self.lines_before, name.position.column);
        Some((ToolName::new(name.text()?), finding::at(self.path, position)))
    }

    /// The conditions of a step: of its branches, and when its instructions are done.
    fn conditions(&self, node: &Node) -> Vec<WrittenCondition> {
        let branches = node.get("next").and_then(Node::items).unwrap_or_default();
        let conditions =
            branches.iter().filter_map(|branch| branch.get("if")).chain(node.get("complete_when"));
        conditions
            .filter_map(|condition| WrittenCondition::of(self.path, condition, self.lines_before))
            .collect()
    }

    fn next(&mut self, node: &Node) -> Next {
        if let Some(step) = node.text() {
            return Next::Step(step.to_owned());
        }
        let mut branches = Vec::new();
        for branch in node.items().unwrap_or_default() {
            if let Some(step) = branch.get("else").and_then(Node::text) {
                branches.push((None, step.to_owned()));
                continue;
            }
            let (Some(condition), Some(step)) = (branch.get("if"), branch.get("then").and_then(Node::text))
            else {
                self.report(
                    branch,
                    INVALID,
                    "a branch is `if: <condition>` with `then: <step>`, or `else: <step>`",
                );
                continue;
            };
            match Condition::parse(condition.text().unwrap_or_default()) {
                Ok(parsed) => branches.push((Some(parsed), step.to_owned())),
                Err(error) => self.report(condition, INVALID, &error.to_string()),
            }
        }
        Next::Branches(branches)
    }
}
