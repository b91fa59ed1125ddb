//! What the gates of a project's tools read, and whether some memory opens them.
//!
//! Looks at a load report only, so it serves any implementation's; the report's findings say what is wrong.
//! Rules: chapters CND and GAT; CND-03, CND-04 on what reads nothing.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;

use crate::condition::Condition;
use crate::protocol::{
    EntryName, Json, LoadReport, MemoryField, SkillId, SkillReport, ToolName, ToolReport, Visibility,
};
use crate::source::{nearest, yaml};

/// The gate of one tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateInspection {
    /// The skill that has the tool.
    pub skill: SkillId,
    /// The tool.
    pub tool: ToolName,
    /// The condition; `None` when the tool is not gated.
    pub requires: Option<String>,
    /// Why the condition is none, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
    /// What the condition reads, each entry once.
    pub reads: Vec<GateRead>,
    /// Whether the memory that was given opens it; `None` when none was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<bool>,
    /// Why the condition could not be evaluated with that memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// An entry that a gate reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GateRead {
    /// `session.<skill>.<entry>` or `session.project.<entry>`.
    pub entry: String,
    /// Its declared type, if it is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it is to the skill.
    pub access: GateAccess,
}

/// What an entry is to the skill whose gate reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GateAccess {
    /// It is read.
    Readable,
    /// It is private to another skill: the condition reads nothing.
    Private,
    /// Nobody declares it: the condition reads nothing.
    Undeclared,
    /// The project has no such skill: the condition reads nothing that the project declares.
    UnknownSkill,
}

/// Memory as a person gives it to try gates with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenMemory {
    values: BTreeMap<String, Json>,
}

/// What is wrong with an assignment like `session.pay.amount=5`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// It has another form.
    #[error("`{0}`: write session.<skill>.<entry>=<value> or session.project.<entry>=<value>")]
    Form(String),
    /// Its value is none.
    #[error("`{name}`: the value must be a YAML scalar, such as 5, true, 'text' or null")]
    Value {
        /// The entry.
        name: String,
    },
    /// The project declares no such entry.
    #[error("the project declares no `{name}`; {remedy}")]
    Unknown {
        /// The entry.
        name: String,
        /// What to do.
        remedy: String,
    },
}

impl GivenMemory {
    /// Reads assignments; a later one of the same entry counts.
    pub fn read(assignments: &[String], report: &LoadReport) -> Result<Self, GivenError> {
        let mut given = Self::default();
        for assignment in assignments {
            let (name, value) = read_assignment(assignment)?;
            let named = name.strip_prefix("session.").and_then(|full| full.split_once('.'));
            let Some((namespace, entry)) = named.filter(|(_, entry)| !entry.is_empty()) else {
                return Err(GivenError::Form(assignment.clone()));
            };
            if declared(report, namespace, entry).is_none() {
                return Err(unknown(report, name, namespace));
            }
            given.values.insert(format!("{namespace}.{entry}"), value);
        }
        Ok(given)
    }
}

fn read_assignment(assignment: &str) -> Result<(&str, Json), GivenError> {
    let Some((name, value)) = assignment.split_once('=') else {
        return Err(GivenError::Form(assignment.to_owned()));
    };
    let name = name.trim();
    let not_a_value = || GivenError::Value { name: name.to_owned() };
    match yaml::parse(value).map_err(|_| not_a_value())? {
        None => Ok((name, Json::Null)),
        Some(node) if node.text().is_some() => Ok((name, node.to_json())),
        Some(_) => Err(not_a_value()),
    }
}

fn unknown(report: &LoadReport, name: &str, namespace: &str) -> GivenError {
    let skills = report.skills.iter();
    let mut all: Vec<String> = skills
        .flat_map(|(skill, told)| told.memory.keys().map(move |entry| format!("session.{skill}.{entry}")))
        .collect();
    all.extend(report.memory.keys().map(|entry| format!("session.project.{entry}")));
    let prefix = format!("session.{namespace}.");
    let siblings: Vec<&str> =
        all.iter().map(String::as_str).filter(|known| known.starts_with(&prefix)).collect();
    let namespaces = report.skills.keys().map(SkillId::as_str).chain(["project"]);
    let remedy = match nearest(name, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if !siblings.is_empty() => format!("use one of: {}", siblings.join(", ")),
        None => nearest(namespace, namespaces).map_or_else(
            || "`cargo xtask inspect <folder>` shows the memory of each skill".to_owned(),
            |near| format!("did you mean `session.{near}.…`?"),
        ),
    };
    GivenError::Unknown { name: name.to_owned(), remedy }
}

/// The gates of a project: of every gated tool, or, with memory to try them with, of every tool that the
/// model can be offered.
pub fn gates(report: &LoadReport, given: Option<&GivenMemory>) -> Vec<GateInspection> {
    let mut found = Vec::new();
    for (id, skill) in &report.skills {
        for (name, tool) in &skill.tools {
            found.extend(gate(report, (id, skill), (name, tool), given));
        }
    }
    found
}

/// The gate of a tool, if it has one or memory is given.
pub(super) fn gate(
    report: &LoadReport,
    (id, skill): (&SkillId, &SkillReport),
    (name, tool): (&ToolName, &ToolReport),
    given: Option<&GivenMemory>,
) -> Option<GateInspection> {
    let is_tried = given.is_some() && tool.visibility == Visibility::Model;
    if tool.requires.is_none() && !is_tried {
        return None;
    }
    let mut gate = GateInspection {
        skill: id.clone(),
        tool: name.clone(),
        requires: tool.requires.clone(),
        malformed: None,
        reads: Vec::new(),
        open: given.map(|_| true),
        because: None,
    };
    let Some(text) = &tool.requires else { return Some(gate) };
    let condition = match Condition::parse(text) {
        Ok(condition) => condition,
        Err(error) => {
            gate.malformed = Some(error.to_string());
            gate.open = given.map(|_| false);
            return Some(gate);
        }
    };
    for reference in condition.references() {
        let read = read(report, skill, &reference.namespace, &reference.entry);
        if !gate.reads.contains(&read) {
            gate.reads.push(read);
        }
    }
    if let Some(given) = given {
        match condition.evaluate(&|namespace, entry| value(report, skill, given, namespace, entry)) {
            Ok(open) => gate.open = Some(open),
            Err(error) => (gate.open, gate.because) = (Some(false), Some(error.to_string())),
        }
    }
    Some(gate)
}

fn read(report: &LoadReport, skill: &SkillReport, namespace: &str, entry: &str) -> GateRead {
    let field = declared(report, namespace, entry);
    let access = match field {
        Some(_) if is_readable(skill, namespace, entry) => GateAccess::Readable,
        Some(_) => GateAccess::Private,
        None if namespace == "project" || report.skills.contains_key(namespace) => GateAccess::Undeclared,
        None => GateAccess::UnknownSkill,
    };
    let kind = field.map(|field| field.kind.clone());
    GateRead { entry: format!("session.{namespace}.{entry}"), kind, access }
}

fn is_readable(skill: &SkillReport, namespace: &str, entry: &str) -> bool {
    let full = format!("{namespace}.{entry}");
    skill.readable.contains(&full)
}

/// What an entry holds: what was given, else what it holds before anything writes it.
fn value(
    report: &LoadReport,
    skill: &SkillReport,
    given: &GivenMemory,
    namespace: &str,
    entry: &str,
) -> Json {
    let Some(field) = declared(report, namespace, entry) else { return Json::Null };
    if !is_readable(skill, namespace, entry) {
        return Json::Null;
    }
    given.values.get(&format!("{namespace}.{entry}")).unwrap_or(&field.initial_value).clone()
}

fn declared<'report>(
    report: &'report LoadReport,
    namespace: &str,
    entry: &str,
) -> Option<&'report MemoryField> {
    let fields: &IndexMap<EntryName, MemoryField> = match namespace {
        "project" => &report.memory,
        skill => &report.skills.get(skill)?.memory,
    };
    fields.get(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> LoadReport {
        let field =
            |kind: &str, private| MemoryField { kind: kind.to_owned(), private, ..MemoryField::default() };
        let tool = |requires: Option<&str>| ToolReport {
            source: crate::protocol::ToolSource::Skill,
            place: None,
            description: None,
            parameters: Json::Null,
            requires: requires.map(str::to_owned),
            visibility: Visibility::Model,
            unknown: Vec::new(),
        };
        let gated = "session.pay.amount > 5 and not session.cards.pin and session.card.x == None";
        let pay = SkillReport {
            tools: [("send", Some(gated)), ("look", None), ("bad", Some("amount"))]
                .map(|(name, requires)| (ToolName::new(name), tool(requires)))
                .into_iter()
                .collect(),
            memory: [(EntryName::new("amount"), field("int", false))].into_iter().collect(),
            readable: vec!["pay.amount".to_owned(), "project.token".to_owned()],
            ..SkillReport::default()
        };
        let cards = SkillReport {
            memory: [(EntryName::new("pin"), field("text", true))].into_iter().collect(),
            ..SkillReport::default()
        };
        LoadReport {
            skills: [("pay", pay), ("cards", cards)].map(|(id, skill)| (SkillId::new(id), skill)).into(),
            memory: [(EntryName::new("token"), field("text", false))].into_iter().collect(),
            ..LoadReport::default()
        }
    }

    fn given(assignments: &[&str]) -> Result<GivenMemory, GivenError> {
        let assignments: Vec<String> = assignments.iter().map(ToString::to_string).collect();
        GivenMemory::read(&assignments, &report())
    }

    #[test]
    fn a_gate_tells_what_it_reads_and_what_that_is_to_its_skill() {
        let gates = gates(&report(), None);
        assert_eq!(gates.iter().map(|gate| gate.tool.as_str()).collect::<Vec<_>>(), ["send", "bad"]);
        let reads: Vec<(&str, Option<&str>, GateAccess)> = gates[0]
            .reads
            .iter()
            .map(|read| (read.entry.as_str(), read.kind.as_deref(), read.access))
            .collect();
        assert_eq!(
            reads,
            [
                ("session.pay.amount", Some("int"), GateAccess::Readable),
                ("session.cards.pin", Some("text"), GateAccess::Private),
                ("session.card.x", None, GateAccess::UnknownSkill),
            ]
        );
        assert!(gates[1].malformed.is_some());
    }

    #[test]
    fn memory_opens_gates_and_private_memory_is_not_read() {
        let open = |assignments: &[&str]| {
            let given = given(assignments).unwrap();
            let gates = gates(&report(), Some(&given));
            gates.iter().map(|gate| gate.open.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(open(&["session.pay.amount=6", "session.cards.pin='1234'"]), [true, true, false]);
        assert_eq!(open(&["session.pay.amount=5"]), [false, true, false]);
        let unset = gates(&report(), Some(&GivenMemory::default()));
        assert!(unset[0].because.as_ref().unwrap().contains("no order"));
    }

    #[test]
    fn what_cannot_be_given_is_told_with_a_remedy() {
        let message = |assignment: &str| given(&[assignment]).unwrap_err().to_string();
        let missing = "the project declares no `session.pay.amuont`; did you mean `session.pay.amount`?";
        assert_eq!(message("session.pay.amuont=1"), missing);
        assert_eq!(
            message("session.pay.balance=1"),
            "the project declares no `session.pay.balance`; use one of: session.pay.amount"
        );
        assert!(message("session.cash.pin=1").contains("no `session.cash.pin`"));
        for form in ["pay.amount=1", "session.pay.amount", "session.pay=1"] {
            assert!(message(form).contains("write session.<skill>.<entry>=<value>"), "{form}");
        }
        assert!(message("session.pay.amount=[1]").contains("YAML scalar"));
    }
}
