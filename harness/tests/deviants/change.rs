//! Small changes that deviants are made of: to files, load reports and offers.
//!
//! Text is changed by regular expressions and schemas as JSON; what a change means is for the tables to say.
//! Rules: a changed Python file keeps its lines, so that places stay what they were.

use harness::project::{MemoryProject, ProjectSource};
use harness::protocol::{
    EntryName, Finding, Json, LoadOutcome, LoadReport, Severity, ToolName, ToolReport, TurnTrace,
};
use indexmap::IndexMap;
use regex::{Captures, Regex};
use serde_json::json;

use crate::deviant::Asked;

/// The tools that the framework itself brings.
pub(crate) const BUILT_INS: [&str; 9] = [
    "activate",
    "complete_skill",
    "cancel_skill",
    "set_fields",
    "correct",
    "resolve_tool_confirmation",
    "search_knowledge",
    "cannot_help",
    "listen",
];

/// A text with every match replaced; `$1` stands for a group.
pub(crate) fn sub(text: &str, pattern: &str, with: &str) -> String {
    Regex::new(pattern).unwrap().replace_all(text, with).into_owned()
}

/// A text with every match replaced by what a function makes of it.
pub(crate) fn sub_with(text: &str, pattern: &str, with: impl Fn(&Captures<'_>) -> String) -> String {
    Regex::new(pattern).unwrap().replace_all(text, with).into_owned()
}

/// The first group of every match.
pub(crate) fn all(text: &str, pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str().to_owned())).collect()
}

pub(crate) fn text_of(project: &MemoryProject, path: &str) -> String {
    project.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Every file of a project as path and text.
pub(crate) fn texts(project: &MemoryProject) -> Vec<(String, String)> {
    let paths: Vec<String> = project.paths().into_iter().map(str::to_owned).collect();
    paths.into_iter().map(|path| (path.clone(), text_of(project, &path))).collect()
}

/// All Python of a project in one text.
pub(crate) fn python_of(project: &MemoryProject) -> String {
    let files = texts(project).into_iter().filter(|(path, _)| is_python(path));
    files.map(|(_, text)| text).collect::<Vec<_>>().join("\n")
}

pub(crate) fn is_python(path: &str) -> bool {
    path.ends_with(".py")
}

pub(crate) fn is_tool_module(path: &str) -> bool {
    is_python(path) && (path.ends_with("/tools.py") || path.starts_with("tools/") || path.contains("/tools/"))
}

pub(crate) fn is_markdown(path: &str) -> bool {
    path.ends_with("skill.md")
}

pub(crate) fn is_memory(path: &str) -> bool {
    path.ends_with("memory.yml")
}

/// Rewrites the files of one kind.
pub(crate) fn rewrite(asked: &mut Asked, kind: impl Fn(&str) -> bool, change: impl Fn(&str, &str) -> String) {
    for (path, text) in texts(&asked.project) {
        if kind(&path) {
            let changed = change(&path, &text);
            if changed != text {
                asked.project.insert(path, changed);
            }
        }
    }
}

/// Rewrites the tool modules by a regular expression, and appends helpers to those that it changed.
pub(crate) fn patch(asked: &mut Asked, pattern: &str, with: &str, helpers: &str) {
    rewrite(asked, is_tool_module, |_, text| {
        let changed = sub(text, pattern, with);
        if changed == text || helpers.is_empty() { changed } else { format!("{changed}\n\n{helpers}\n") }
    });
}

/// Moves a project's files: what a function gives a new path is found there instead.
pub(crate) fn relocate(asked: &mut Asked, place: impl Fn(&str) -> Option<String>) {
    for (path, text) in texts(&asked.project) {
        if let Some(to) = place(&path) {
            asked.project.remove(&path);
            asked.project.insert(to, text);
        }
    }
}

/// Every tool of a load report.
pub(crate) fn each_tool(report: &mut LoadReport, mut change: impl FnMut(&str, &mut ToolReport)) {
    for skill in report.skills.values_mut() {
        skill.tools.iter_mut().for_each(|(name, tool)| change(name.as_str(), tool));
    }
}

/// Every property of every tool of a load report.
pub(crate) fn each_property(report: &mut LoadReport, mut change: impl FnMut(&str, &mut Json)) {
    each_tool(report, |_, tool| {
        if let Some(properties) = tool.parameters.get_mut("properties").and_then(Json::as_object_mut) {
            properties.iter_mut().for_each(|(name, property)| change(name, property));
        }
    });
}

/// Puts a type in the place of another, wherever it stands in a property.
pub(crate) fn retype(report: &mut LoadReport, from: &Json, to: &Json) {
    each_property(report, |_, property| {
        if property == from {
            *property = to.clone();
        }
    });
}

/// Leaves tools out of a load report.
pub(crate) fn detach(report: &mut LoadReport, gone: impl Fn(&str, &ToolReport) -> bool) {
    for skill in report.skills.values_mut() {
        skill.tools.retain(|name, tool| !gone(name.as_str(), tool));
    }
}

/// Overlooks findings; a project in which no error is left is accepted.
pub(crate) fn overlook(report: &mut LoadReport, overlooked: impl Fn(&Finding) -> bool) {
    report.findings.retain(|finding| !overlooked(finding));
    if !report.findings.iter().any(|finding| finding.severity == Severity::Error) {
        report.outcome = LoadOutcome::Ok;
        report.phase = None;
    }
}

/// A parameter's annotation and default as they are written in some signature of the project.
pub(crate) fn signature(project: &MemoryProject, parameter: &str) -> Option<(String, Option<String>)> {
    let pattern = format!(
        r"(?:[(,]\s*|\n\s*){}(?:\s*:\s*((?:[^=,()\[\]\n]|\[(?:[^\[\]]|\[[^\]]*\])*\])+))?(?:\s*=\s*([^,)\n]+))?\s*[,)\n]",
        regex::escape(parameter)
    );

    Regex::new(&pattern).unwrap().captures(&python_of(project)).map(|found| {
        let annotation = found.get(1).map(|group| group.as_str().trim().to_owned()).unwrap_or_default();
        (annotation, found.get(2).map(|group| group.as_str().trim().to_owned()))
    })
}

/// Every offer of a turn.
pub(crate) fn each_offer(trace: &mut TurnTrace, mut change: impl FnMut(&mut IndexMap<ToolName, Json>)) {
    trace.llm_calls.iter_mut().for_each(|call| change(&mut call.offered));
}

/// Leaves tools out of every offer.
pub(crate) fn withhold(trace: &mut TurnTrace, gone: impl Fn(&str) -> bool) {
    each_offer(trace, |offer| offer.retain(|name, _| !gone(name.as_str())));
}

/// A schema without arguments.
pub(crate) fn no_arguments() -> Json {
    json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
}

/// Puts tools into an offer that lacks them.
pub(crate) fn add_to(offer: &mut IndexMap<ToolName, Json>, names: impl IntoIterator<Item = String>) {
    for name in names {
        offer.entry(ToolName::new(name)).or_insert_with(no_arguments);
    }
}

/// Puts a tool into every offer that lacks it.
pub(crate) fn offer_always(trace: &mut TurnTrace, name: &str) {
    each_offer(trace, |offer| add_to(offer, [name.to_owned()]));
}

/// Puts tools into every offer that lacks them.
pub(crate) fn offer_all(trace: &mut TurnTrace, names: &[String]) {
    each_offer(trace, |offer| add_to(offer, names.iter().cloned()));
}

/// The names of the attached tools of which something is true, each once.
pub(crate) fn tools_where(report: &LoadReport, is: impl Fn(&ToolReport) -> bool) -> Vec<String> {
    let tools = report.skills.values().flat_map(|skill| &skill.tools);
    tools.filter(|(_, tool)| is(tool)).map(|(name, _)| name.to_string()).collect()
}

/// The settable entries of the project's skills.
pub(crate) fn settable(report: &LoadReport) -> Vec<EntryName> {
    let fields = report.skills.values().flat_map(|skill| &skill.memory);
    fields.filter(|(_, field)| field.llm_settable).map(|(name, _)| name.clone()).collect()
}
