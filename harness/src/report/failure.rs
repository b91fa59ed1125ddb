//! A scenario that did not pass, as text: what it claims, the clause, expected, seen, where, and how to
//! run it again.
//!
//! The same text in every suite and on the terminal; colours are for the writer to strip.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::report::event::{Judged, Snapshot};
use crate::scenario::ScenarioId;
use crate::source::{Position, counted};
use crate::spec::Level;
use crate::verdict::{Finding, Observation};

/// How many differences one scenario shows: a screen has room for no more.
const MAXIMUM_SHOWN: usize = 5;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const SEEN: Style = AnsiColor::Red.on_default();
const QUIET: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();

/// The command that runs one scenario again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rerun<'command> {
    /// The command line, with the embedded reference.
    Xtask,
    /// The command line, with the implementation that these arguments choose: limits, and the command after `--`.
    Command(&'command str),
    /// The test suite, with these variables typed before it.
    CargoTest(&'command str),
}

impl<'command> Rerun<'command> {
    /// The command line, with the implementation that arguments choose, if there are any.
    pub fn of(arguments: Option<&'command str>) -> Self {
        arguments.map_or(Self::Xtask, Self::Command)
    }

    /// The command for this scenario.
    pub fn command(self, id: &ScenarioId) -> String {
        match self {
            Self::Xtask => format!("cargo xtask conformance --run {id}"),
            Self::Command(arguments) => format!("cargo xtask conformance --run {id} {arguments}"),
            Self::CargoTest(variables) => format!("{variables}cargo test -- --exact {id}"),
        }
    }
}

/// Everything a reader needs about a scenario that did not pass, or whose observation differs.
pub fn failure_text(judged: &Judged, rerun: Rerun<'_>) -> String {
    let verdict = &judged.verdict;
    let (reason, findings) = match &verdict.observation {
        Some(Observation::Differs { reason, findings }) => (reason, findings),
        _ => (&verdict.reason, &verdict.findings),
    };
    let word = match verdict.observation {
        Some(_) => "observed: differs",
        None => verdict.status.word(),
    };
    let mut text = String::new();
    heading(&mut text, word, judged);
    clauses(&mut text, judged);
    if !reason.is_empty() {
        line(&mut text, "because", reason, Style::new());
    }
    for finding in findings.iter().take(MAXIMUM_SHOWN) {
        difference(&mut text, judged, finding);
    }
    if findings.len() > MAXIMUM_SHOWN {
        let more = counted(findings.len() - MAXIMUM_SHOWN, "more difference");
        let more = format!("{more}, all of them with --format json");
        line(&mut text, "and", &more, QUIET);
    }
    if findings.is_empty() {
        line(&mut text, "at", &place(judged, verdict.position), Style::new());
    }
    for moment in judged.timeline.lines() {
        push(&mut text, format_args!("  {QUIET}{moment}{QUIET:#}\n"));
    }
    // Who does otherwise where the text is silent does nothing wrong, and has nothing to look for.
    let said = if verdict.observation.is_none() { judged.said.as_str() } else { "" };
    for said in said.lines() {
        push(&mut text, format_args!("  {QUIET}{said}{QUIET:#}\n"));
    }
    line(&mut text, "rerun", &rerun.command(&judged.id), STRONG);
    text
}

/// Scenarios that nobody was asked about because the implementation had been given up: the same reason for all, so
/// they are counted and not shown.
pub(super) fn given_up_text(judged: &[Judged]) -> String {
    let Some(first) = judged.first() else { return String::new() };
    let scenarios = if judged.len() == 1 { "scenario" } else { "scenarios" };
    let reason = first.verdict.reason.replace('\n', "; ");
    let word = first.verdict.status.word();
    format!("\n{BAD}{word}{BAD:#} {STRONG}{} more {scenarios}{STRONG:#}: {reason}\n", judged.len())
}

/// A trace that is not what its snapshot says; nothing for one that is, or that has none. Only the reference's own
/// traces can be accepted.
pub fn snapshot_text(judged: &Judged, rerun: Rerun<'_>) -> String {
    let mut text = String::new();
    match &judged.snapshot {
        Snapshot::NotCompared | Snapshot::Same | Snapshot::Missing => {}
        Snapshot::Differs { diff } => {
            heading(&mut text, "snapshot differs", judged);
            for changed in diff.lines() {
                let style = match changed.chars().next() {
                    Some('+') => GOOD,
                    Some('-') => SEEN,
                    _ => QUIET,
                };
                push(&mut text, format_args!("    {style}{changed}{style:#}\n"));
            }
            if !matches!(rerun, Rerun::Command(_)) {
                line(&mut text, "accept", "cargo test, then cargo insta review", STRONG);
            }
        }
    }
    text
}

fn heading(text: &mut String, word: &str, judged: &Judged) {
    push(text, format_args!("{BAD}{word}{BAD:#} {STRONG}{}{STRONG:#}: {}\n", judged.id, judged.title));
}

fn clauses(text: &mut String, judged: &Judged) {
    for clause in &judged.covers {
        let level = if clause.level == Level::Observed { " (observed)" } else { "" };
        let statement =
            if clause.statement.is_empty() { "not in the catalogue" } else { clause.statement.trim_end() };
        line(text, "clause", &format!("{}{level}: {statement}", clause.id), Style::new());
    }
}

fn difference(text: &mut String, judged: &Judged, finding: &Finding) {
    let mismatch = &finding.mismatch;
    let path = if mismatch.path.is_empty() { "the whole report" } else { &mismatch.path };
    push(text, format_args!("\n"));
    line(text, "in", &format!("{}, {path}", finding.check), Style::new());
    line(text, "expected", &mismatch.expected, GOOD);
    line(text, "seen", &mismatch.seen, SEEN);
    line(text, "at", &place(judged, mismatch.position), Style::new());
}

fn place(judged: &Judged, position: Position) -> String {
    format!("{}:{position}", judged.file)
}

fn line(text: &mut String, name: &str, value: &str, style: Style) {
    // What an implementation says may have lines of its own: keep them under their name.
    let value = value.replace('\n', "\n            ");
    push(text, format_args!("  {QUIET}{name:<9}{QUIET:#} {style}{value}{style:#}\n"));
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot go wrong.
    _ = text.write_fmt(arguments);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::event::Snapshot;
    use crate::source::Place;
    use crate::spec::{Catalogue, Chapter, Document, Requirement, RequirementId, Source};
    use crate::verdict::{Verdict, compare, judge};

    fn catalogue() -> Catalogue {
        let requirement = Requirement {
            id: RequirementId::parse("SCH-06").unwrap(),
            level: Level::Must,
            statement: "An optional annotation does not make a parameter optional.".to_owned(),
            source: Source { document: Document::ToolsReference, section: String::new() },
            needs: std::collections::BTreeSet::new(),
            gated: true,
            excluded: None,
            note: None,
            place: Place::new("specs/schema.yml", Position::START),
        };
        let chapter = Chapter {
            id: "SCH".to_owned(),
            folder: "schema".to_owned(),
            title: "How the schema is derived".to_owned(),
            gated: true,
            needs: std::collections::BTreeSet::new(),
            requirements: vec![requirement],
        };
        Catalogue { chapters: vec![chapter] }
    }

    fn judged(load: &serde_json::Value, report: serde_json::Value) -> Judged {
        let scenario = crate::verdict::fixture::scenario(Some(load), Vec::new());
        let report = serde_json::from_value(report).unwrap();
        let run = crate::runner::Run {
            load: Some(Ok(crate::protocol::Reply::Result(report))),
            ..crate::runner::Run::default()
        };
        let verdict: Verdict = judge(&scenario, Level::Must, &run);
        Judged::new(&scenario, &catalogue(), verdict, Snapshot::NotCompared)
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn a_failure_shows_clause_expected_seen_place_and_rerun() {
        let tool = |required| {
            serde_json::json!({
                "source": "skill", "description": null, "parameters": {"required": required}
            })
        };
        let report = |required| serde_json::json!({"outcome": "ok", "skills": {"pay": {"tools": {"transfer": tool(required)}}}});
        let demanded = serde_json::json!({"skills": {"pay": {"tools": {"transfer": {
            "parameters": {"required": ["amount", "note"]}}}}}});
        let judged = judged(&demanded, report(serde_json::json!(["amount"])));
        let expected = "\
fail schema/optional_union: An optional annotation does not make a parameter optional
  clause    SCH-06: An optional annotation does not make a parameter optional.

  in        load, skills.pay.tools.transfer.parameters.required
  expected  2 items: [amount, note]
  seen      1 item: [amount], first difference at [1]
  at        scenarios/schema/optional_union.yml:20:5
  rerun     cargo xtask conformance --run schema/optional_union
";
        assert_eq!(plain(&failure_text(&judged, Rerun::Xtask)), expected);
    }

    #[test]
    fn a_scenario_that_could_not_be_tested_says_why() {
        let judged = judged(&serde_json::json!({"skills": {}}), serde_json::json!({"outcome": "rejected"}));
        let expected = "\
untestable schema/optional_union: An optional annotation does not make a parameter optional
  clause    SCH-06: An optional annotation does not make a parameter optional.
  because   the project was rejected while loading: it gave no findings
  at        scenarios/schema/optional_union.yml:19:1
  rerun     cargo test -- --exact schema/optional_union
";
        assert_eq!(plain(&failure_text(&judged, Rerun::CargoTest(""))), expected);
    }

    #[test]
    fn many_differences_fit_on_one_screen() {
        let many: serde_json::Map<String, serde_json::Value> =
            (0..40).map(|number| (format!("key{number}"), 1.into())).collect();
        let differences =
            compare(&crate::verdict::fixture::pattern(&many.clone().into()), &serde_json::json!({}));
        assert_eq!(differences.len(), 40);
        let judged = judged(&many.into(), serde_json::json!({"outcome": "ok"}));
        let text = plain(&failure_text(&judged, Rerun::Command("--timeout 2s -- ./my 'odd adapter'")));
        assert!(text.contains("/optional_union --timeout 2s -- ./my 'odd adapter'\n"), "{text}");
        assert!(text.lines().count() <= 40, "{text}");
        assert!(text.contains("35 more differences, all of them with --format json"), "{text}");
    }
}
