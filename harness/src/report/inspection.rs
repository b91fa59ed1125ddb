//! What a load report says to the people whose project it is about: tools, schemas, findings.
//!
//! Formats a load report and judges nothing; any implementation's report is shown the same way.
//! Rules: design, "The boundary", `load`.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::gates::{GateAccess, GateInspection, GivenMemory, gate, gates};
use crate::protocol::{
    Finding, Json, LoadOutcome, LoadReport, Severity, SkillId, SkillReport, SourcePlace, ToolName,
    ToolReport, ToolSource, Unknown, Visibility,
};
use crate::source::counted;

/// A load report for programs, and under `gates` what each gate reads and whether memory opens it.
pub fn inspection_json(report: &LoadReport, given: Option<&GivenMemory>) -> Result<Json, serde_json::Error> {
    let mut document = serde_json::to_value(report)?;
    if let Json::Object(members) = &mut document {
        members.insert("gates".to_owned(), serde_json::to_value(gates(report, given))?);
    }
    Ok(document)
}

/// A load report as text: findings last, after the skills they are about, and the verdict at the end.
/// Each gate is tried with the memory that is given.
pub fn inspection_text(report: &LoadReport, given: Option<&GivenMemory>) -> String {
    let mut text = String::new();
    for (id, skill) in &report.skills {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "skill {id}");
        write_skill(&mut text, report, (id, skill), given);
        text.push('\n');
    }
    for record in &report.logs {
        let data: Vec<String> =
            record.data.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
        let _ = writeln!(text, "{} {} {}", severity(record.level), record.event, data.join(" "));
    }
    for finding in &report.findings {
        write_finding(&mut text, finding);
    }
    if !(report.logs.is_empty() && report.findings.is_empty()) {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", verdict(report));
    text
}

/// A load report in short: the skills with the names of their tools, what was found, and the verdict.
pub fn load_text(report: &LoadReport) -> String {
    let mut text = String::new();
    for (id, skill) in &report.skills {
        let names: Vec<&str> = skill.tools.keys().map(ToolName::as_str).collect();
        let tools = if names.is_empty() { "no tools".to_owned() } else { names.join(", ") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "skill {id}: {tools}");
    }
    for finding in &report.findings {
        write_finding(&mut text, finding);
    }
    let _ = writeln!(text, "{}", verdict(report));
    text
}

fn verdict(report: &LoadReport) -> String {
    let count =
        |severity: Severity| report.findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let tools: usize = report.skills.values().map(|skill| skill.tools.len()).sum();
    let unknown: usize = report
        .skills
        .values()
        .map(|skill| skill.unknown.len() + skill.tools.values().map(|tool| tool.unknown.len()).sum::<usize>())
        .sum();
    let mut parts = vec![
        match (report.outcome, report.phase) {
            (LoadOutcome::Ok, _) => "accepted".to_owned(),
            (LoadOutcome::Rejected, Some(phase)) => format!("refused at {}", phase_name(phase)),
            (LoadOutcome::Rejected, None) => "refused".to_owned(),
        },
        counted(report.skills.len(), "skill"),
        counted(tools, "tool"),
    ];
    for (number, name) in [(errors, "error"), (warnings, "warning")] {
        if number > 0 {
            parts.push(counted(number, name));
        }
    }
    if unknown > 0 {
        parts.push(format!("{unknown} unknown"));
    }
    parts.join(", ")
}

fn write_skill(
    text: &mut String,
    report: &LoadReport,
    (id, skill): (&SkillId, &SkillReport),
    given: Option<&GivenMemory>,
) {
    if skill.tools.is_empty() {
        text.push_str("  no tools\n");
    }
    for (name, tool) in &skill.tools {
        let origin = match tool.source {
            ToolSource::Skill => "own",
            ToolSource::Shared => "shared",
            ToolSource::Mcp => "mcp",
        };
        let place = tool.place.as_ref().map(|place| format!(", {}", shown(place))).unwrap_or_default();
        let _ = writeln!(text, "  {name}  ({origin}{place})");
        let gate = gate(report, (id, skill), (name, tool), given);
        write_tool(text, tool, gate.as_ref());
    }
    write_memory(text, skill);
    for unknown in &skill.unknown {
        write_unknown(text, "  ", unknown);
    }
}

/// The memory in a skill's reach, a line for each owner and kind of access.
fn write_memory(text: &mut String, skill: &SkillReport) {
    let mut lines: IndexMap<(&str, &str), Vec<&str>> = IndexMap::new();
    let only_written = skill.writable.iter().filter(|name| !skill.readable.contains(name));
    for name in skill.readable.iter().chain(only_written) {
        let access = match (skill.readable.contains(name), skill.writable.contains(name)) {
            (true, true) => "read, write",
            (true, false) => "read",
            (false, _) => "write",
        };
        let (owner, entry) = name.split_once('.').unwrap_or(("", name));
        lines.entry((owner, access)).or_default().push(entry);
    }
    for ((owner, access), entries) in lines {
        let access = if (owner, access) == ("project", "read, write") { "read, write once" } else { access };
        let _ = writeln!(text, "  memory of {owner}: {}  ({access})", entries.join(", "));
    }
}

fn write_tool(text: &mut String, tool: &ToolReport, gate: Option<&GateInspection>) {
    match tool.visibility {
        Visibility::Model => {}
        Visibility::Hook => text.push_str("    a post-write hook: never offered to the model\n"),
        Visibility::ButtonSource => {
            text.push_str("    a response button source: never offered to the model\n");
        }
    }
    for line in tool.description.iter().flat_map(|description| description.lines()) {
        let _ = writeln!(text, "    \"{}\"", printable(line));
    }
    if let Some(gate) = gate {
        write_gate(text, gate);
    }
    let required: Vec<&str> = tool
        .parameters
        .get("required")
        .and_then(Json::as_array)
        .map(|names| names.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    let properties = tool.parameters.get("properties").and_then(Json::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let necessity = if required.contains(&name.as_str()) { "required" } else { "optional" };
        let _ = writeln!(text, "    {}: {schema} {necessity}", printable(name));
    }
    for unknown in &tool.unknown {
        write_unknown(text, "    ", unknown);
    }
}

/// Without what a terminal would obey: an MCP server writes what it likes.
fn printable(text: &str) -> String {
    text.replace(|character: char| character.is_control() && character != '\t', "\u{fffd}")
}

fn write_gate(text: &mut String, gate: &GateInspection) {
    match &gate.requires {
        Some(condition) => {
            let _ = writeln!(text, "    offered when {}", condition.trim_end());
        }
        None => text.push_str("    no gate\n"),
    }
    if let Some(why) = &gate.malformed {
        let _ = writeln!(text, "      never, because it is no condition: {why}");
    }
    for read in &gate.reads {
        let kind = read.kind.as_deref().map(|kind| format!(", {kind}")).unwrap_or_default();
        let reproach = match read.access {
            GateAccess::Readable => "",
            GateAccess::Private => ", which is private to another skill: it is never read",
            GateAccess::Undeclared => ", which nobody declares: it is never set",
            GateAccess::UnknownSkill => ", which belongs to no skill of this project",
        };
        let _ = writeln!(text, "      reads {}{kind}{reproach}", read.entry);
    }
    if let Some(open) = gate.open {
        let state = if open { "open" } else { "shut" };
        let because = gate.because.as_ref().map(|why| format!(", because {why}")).unwrap_or_default();
        let _ = writeln!(text, "      with the memory given: {state}{because}");
    }
}

fn write_unknown(text: &mut String, indent: &str, unknown: &Unknown) {
    let place = unknown.place.as_ref().map(|place| format!(" ({})", shown(place))).unwrap_or_default();
    let _ = writeln!(text, "{indent}unknown: {}, because {}{place}", unknown.what, unknown.why);
}

fn write_finding(text: &mut String, finding: &Finding) {
    let place = finding.place.as_ref().map(|place| format!("{}: ", shown(place))).unwrap_or_default();
    let phase = phase_name(finding.phase);
    let level = severity(finding.severity);
    let _ = writeln!(text, "{place}{level} at {phase}: {}\n    {}", finding.message, finding.code);
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

fn phase_name(phase: crate::protocol::LoadPhase) -> &'static str {
    match phase {
        crate::protocol::LoadPhase::Train => "train",
        crate::protocol::LoadPhase::Load => "load",
        crate::protocol::LoadPhase::Startup => "start-up",
    }
}

fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shown(place: &SourcePlace) -> String {
    match (place.line, place.column) {
        (0, _) => place.file.clone(),
        (line, 0) => format!("{}:{line}", place.file),
        (line, column) => format!("{}:{line}:{column}", place.file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_cannot_move_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}1A\tc"), "a\u{fffd}[2Jb\u{fffd}1A\tc");
    }

    #[test]
    fn memory_is_told_by_owner_and_access() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let skill = SkillReport {
            readable: names(&["pay.amount", "pay.a.b", "cards.label", "project.token"]),
            writable: names(&["pay.amount", "pay.a.b", "project.token", "pay.secret"]),
            ..SkillReport::default()
        };
        let mut text = String::new();
        write_memory(&mut text, &skill);
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "  memory of pay: amount, a.b  (read, write)",
                "  memory of cards: label  (read)",
                "  memory of project: token  (read, write once)",
                "  memory of pay: secret  (write)",
            ]
        );
    }
}
