//! What an implementation did, as text for reviewers, and how it compares with what was accepted.
//!
//! Shows answers, never verdicts: a snapshot says what happened, an expectation what must.
//! Rules: design, "Scenarios" (snapshots); the file format is insta's.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, json};

use crate::protocol::{Json, LoadReport, Reply};
use crate::report::event::Snapshot;
use crate::report::yaml::write_yaml;
use crate::runner::{Answer, Observed, Run, StepAnswer};
use crate::scenario::ScenarioId;

/// Keys of a load report whose value is somebody's data: an empty list in it means something.
const DATA_OF_LOAD: &[&str] = &["parameters", "data", "initial_value"];
/// The same for a turn or a wait, where memory is values and not declarations.
const DATA_OF_STEP: &[&str] = &["offered", "data", "arguments", "keywords", "result", "memory", "calls"];

/// The trace of a run as readable YAML.
pub fn trace_text(run: &Run) -> Result<String, serde_json::Error> {
    observed_text(run, Observed::of(run)?)
}

/// As [`trace_text`], for a run whose reports are JSON already.
pub fn observed_text(run: &Run, observed: Observed) -> Result<String, serde_json::Error> {
    let mut document = Map::new();
    let mut shown = BTreeMap::new();
    if let Some(answer) = &run.load {
        if let Ok(Reply::Result(report)) = answer {
            shown = declared_schemas(report);
        }
        document.insert("load".to_owned(), answer_value(answer, observed.load, DATA_OF_LOAD)?);
    }
    let mut steps = Vec::with_capacity(run.steps.len());
    for (step, mut seen) in run.steps.iter().zip(observed.steps) {
        // It says once more what the lists say, in more lines.
        if let Some(Json::Object(entries)) = &mut seen {
            entries.shift_remove("order");
        }
        let mut value = match step {
            StepAnswer::Turn(answer) => answer_value(answer, seen, DATA_OF_STEP)?,
            StepAnswer::Wait(answer) => answer_value(answer, seen, DATA_OF_STEP)?,
        };
        shorten_offers(&mut value, &mut shown);
        steps.push(value);
    }
    if !steps.is_empty() {
        document.insert("steps".to_owned(), steps.into());
    }
    Ok(write_yaml(&document.into()))
}

/// Where the snapshot of a scenario lies.
pub fn snapshot_path(root: &Path, id: &ScenarioId) -> PathBuf {
    root.join(format!("{id}.snap"))
}

/// What a snapshot file holds after its header.
pub fn snapshot_content(file: &str) -> &str {
    let Some(rest) = file.strip_prefix("---\n") else { return file };
    rest.split_once("\n---\n").map_or(file, |(_, content)| content)
}

/// Compares a trace with a snapshot file's text, if there is such a file.
pub fn compare_snapshot(file: Option<&str>, trace: &str) -> Snapshot {
    let Some(file) = file else { return Snapshot::Missing };
    let file = if file.contains('\r') { Cow::Owned(file.replace("\r\n", "\n")) } else { Cow::Borrowed(file) };
    let accepted = snapshot_content(&file).trim_end();
    let trace = trace.trim_end();
    if accepted == trace {
        return Snapshot::Same;
    }
    let (accepted, trace) = (format!("{accepted}\n"), format!("{trace}\n"));
    let diff = similar::TextDiff::from_lines(accepted.as_str(), trace.as_str());
    Snapshot::Differs { diff: diff.unified_diff().context_radius(2).to_string() }
}

/// Schemas that a reader has seen, by tool.
type Shown<'report> = BTreeMap<Cow<'report, str>, Cow<'report, Json>>;

/// The schemas that the load report already shows, by tool.
fn declared_schemas(report: &LoadReport) -> Shown<'_> {
    report
        .skills
        .values()
        .flat_map(|skill| &skill.tools)
        .map(|(name, tool)| (Cow::Borrowed(name.as_str()), Cow::Borrowed(&tool.parameters)))
        .collect()
}

fn answer_value<Report>(
    answer: &Answer<Report>,
    seen: Option<Json>,
    data: &[&str],
) -> Result<Json, serde_json::Error> {
    let mut value = match answer {
        Ok(Reply::Result(_)) => seen.unwrap_or_default(),
        Ok(Reply::Skipped(skipped)) => json!({ "skipped": serde_json::to_value(skipped)? }),
        Ok(Reply::Errored(errored)) => json!({ "errored": serde_json::to_value(errored)? }),
        Err(fault) => return Ok(json!({ "fault": fault.to_string() })),
    };
    prune(&mut value, data);
    Ok(value)
}

/// Leaves out what is empty, and writes places on one line.
fn prune(value: &mut Json, data: &[&str]) {
    match value {
        Json::Object(entries) => entries.retain(|key, value| {
            match key.as_str() {
                "place" => {
                    if let Some(text) = place_text(value) {
                        *value = text.into();
                    }
                }
                own if data.contains(&own) => {}
                _ => prune(value, data),
            }
            !is_empty(value) && !is_usual(key, value)
        }),
        Json::Array(items) => items.iter_mut().for_each(|item| prune(item, data)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(entries) => entries.is_empty(),
        Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// What nearly every record says, so that a reader looks for those that do not.
fn is_usual(key: &str, value: &Json) -> bool {
    match key {
        "visibility" => value == "model",
        "private" | "llm_settable" | "seed" | "pii" | "error" => value == false,
        _ => false,
    }
}

fn place_text(place: &Json) -> Option<String> {
    let file = place.get("file")?.as_str()?;
    let line = place.get("line")?.as_u64()?;
    let column = place.get("column")?.as_u64()?;
    Some(match (line, column) {
        (0, _) => file.to_owned(),
        (_, 0) => format!("{file}:{line}"),
        _ => format!("{file}:{line}:{column}"),
    })
}

/// Names the tools offered; a schema is written out where it is new or not what it was.
fn shorten_offers(step: &mut Json, shown: &mut Shown<'_>) {
    let Some(Json::Array(calls)) = step.get_mut("llm_calls") else { return };
    for call in calls {
        let Some(offered) = call.get_mut("offered") else { continue };
        let Json::Object(schemas) = offered.take() else { continue };
        let names = schemas.into_iter().map(|(name, schema)| {
            if shown.get(name.as_str()).is_some_and(|known| **known == schema) {
                return Json::from(name);
            }
            shown.insert(Cow::Owned(name.clone()), Cow::Owned(schema.clone()));
            Json::Object(Map::from_iter([(name, schema)]))
        });
        *offered = names.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{LlmCall, ToolName, TurnTrace, WaitReport};

    #[test]
    fn a_trace_leaves_out_what_is_empty_and_shows_each_schema_once() {
        let schema = json!({"type": "object", "properties": {}, "required": []});
        let other = json!({"type": "object", "properties": {"a": {"default": null}}});
        let call = |schema: &Json| LlmCall {
            at_ms: 0,
            offered: [(ToolName::new("pay"), schema.clone())].into_iter().collect(),
            read: Vec::new(),
            heard: None,
            say: Some("hi".to_owned()),
            calls: Vec::new(),
        };
        let turn =
            TurnTrace { llm_calls: vec![call(&schema), call(&schema), call(&other)], ..TurnTrace::default() };
        let run = Run {
            load: Some(Ok(Reply::Result(LoadReport::default()))),
            steps: vec![
                StepAnswer::Turn(Ok(Reply::Result(turn))),
                StepAnswer::Wait(Ok(Reply::Result(WaitReport { now_ms: 5, events: Vec::new() }))),
            ],
            ..Run::default()
        };
        let expected = "\
load: {outcome: ok}
steps:
  - outcome: completed
    started_ms: 0
    ended_ms: 0
    llm_calls:
      - {at_ms: 0, offered: [{pay: {type: object, properties: {}, required: []}}], say: hi}
      - {at_ms: 0, offered: [pay], say: hi}
      - {at_ms: 0, offered: [{pay: {type: object, properties: {a: {default: null}}}}], say: hi}
  - {now_ms: 5}
";
        assert_eq!(trace_text(&run).unwrap(), expected);
    }

    #[test]
    fn a_snapshot_is_compared_after_its_header() {
        let file = "---\nsource: x.rs\ndescription: \"A --- title\"\n---\nload: {outcome: ok}\n";
        assert_eq!(compare_snapshot(Some(file), "load: {outcome: ok}\n"), Snapshot::Same);
        assert_eq!(compare_snapshot(None, "load: {outcome: ok}\n"), Snapshot::Missing);
        let Snapshot::Differs { diff } = compare_snapshot(Some(file), "load: {outcome: rejected}\n") else {
            panic!("must differ");
        };
        assert_eq!(diff, "@@ -1 +1 @@\n-load: {outcome: ok}\n+load: {outcome: rejected}\n");
    }
}
