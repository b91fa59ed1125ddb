//! A document as a conformance statement in Markdown: who was asked, by which suite, and what held.
//!
//! Knows the document; counts clauses as their scenarios say.
//! Rules: docs/running.md, "A conformance statement"; a partial run says first that it is one.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::report::document::{Document, LevelEntry, ScenarioEntry};
use crate::source::counted;
use crate::verdict::Status;

/// How many differences a failure shows.
const MAXIMUM_SHOWN: usize = 3;

/// What became of a clause, best first: the worst of its scenarios decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    NotAsked,
    Held,
    Differs,
    Known,
    Broken,
}

impl Standing {
    fn of(scenario: &ScenarioEntry) -> Self {
        match scenario.status {
            Status::Skip => Self::NotAsked,
            Status::Xfail => Self::Known,
            status if status.is_failure() => Self::Broken,
            _ if scenario.observed.as_ref().is_some_and(|seen| !seen.as_described) => Self::Differs,
            _ => Self::Held,
        }
    }
}

/// The statement.
pub(super) fn text(document: &Document) -> String {
    let mut page = Page(String::from("# Conformance statement\n\n"));
    if !document.is_whole() {
        page.line(format_args!("> **Partial**: {}.\n", partial(document)));
    }
    heading(document, &mut page);
    chapters(document, &mut page);
    failures(document, &mut page);
    known(document, &mut page);
    observed(document, &mut page);
    page.0
}

struct Page(String);

impl Page {
    fn line(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        _ = writeln!(self.0, "{arguments}");
    }

    fn row(&mut self, cells: &[&dyn std::fmt::Display]) {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(&cell.to_string())).collect();
        self.line(format_args!("| {} |", cells.join(" | ")));
    }
}

fn partial(document: &Document) -> String {
    let mut reasons = Vec::new();
    if document.scope.filtered {
        reasons.push("some scenarios were left out".to_owned());
    }
    if let Some(shard) = document.scope.shard {
        reasons.push(format!("this is share {} of {}", shard.index, shard.count));
    }
    if document.summary.not_run > 0 {
        let verb = if document.summary.not_run == 1 { "was" } else { "were" };
        let not_run = counted(document.summary.not_run, "scenario");
        reasons.push(format!("{not_run} {verb} not run after a failure"));
    }
    format!("{}. It says nothing of the rest", reasons.join(", "))
}

fn heading(document: &Document, page: &mut Page) {
    page.line(format_args!("| | |\n| --- | --- |"));
    page.row(&[&"Result", &document.conclusion()]);
    if let Some(hello) = &document.implementation {
        page.row(&[&"Implementation", &hello.name]);
        page.row(&[&"Version", &hello.version]);
        page.row(&[&"Language", &hello.language]);
        page.row(&[&"Edition of the contract", &hello.edition.0]);
        let capabilities: Vec<&str> = hello.capabilities.iter().map(|one| one.name()).collect();
        page.row(&[&"Capabilities", &capabilities.join(", ")]);
    }
    page.row(&[&"Suite", &format!("{}, protocol {}", document.suite.version, document.suite.protocol)]);
    let counted = Status::ALL.into_iter().filter_map(|status| {
        let count = document.summary.counts.get(status.word()).filter(|count| **count > 0)?;
        Some(format!("{count} {status}"))
    });
    let scenarios = format!("{}: {}", document.summary.total, counted.collect::<Vec<_>>().join(", "));
    page.row(&[&"Scenarios", &scenarios]);
}

/// For each chapter and level: its clauses by standing.
fn chapters(document: &Document, page: &mut Page) {
    let mut standings: BTreeMap<(&str, LevelEntry), BTreeMap<&str, Standing>> = BTreeMap::new();
    for scenario in &document.scenarios {
        for clause in &scenario.covers {
            let chapter = clause.id.split('-').next().unwrap_or_default();
            let clauses = standings.entry((chapter, clause.level)).or_default();
            let standing = clauses.entry(&clause.id).or_insert(Standing::NotAsked);
            *standing = (*standing).max(Standing::of(scenario));
        }
    }
    page.line(format_args!(
        "\n## Clauses\n\nA clause is broken when one of its scenarios fails.\n\n\
         | Chapter | | Level | Clauses | Held | Broken | Known failures | Observed otherwise | Not asked | \
         Not run |\n| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: |"
    ));
    for chapter in &document.chapters {
        for (level, word, clauses) in
            [(LevelEntry::Must, "must", chapter.must), (LevelEntry::Observed, "observed", chapter.observed)]
        {
            if clauses == 0 {
                continue;
            }
            let of_level = standings.get(&(chapter.id.as_str(), level));
            let count = |wanted: Standing| {
                of_level.map_or(0, |clauses| clauses.values().filter(|one| **one == wanted).count())
            };
            let seen = of_level.map_or(0, BTreeMap::len);
            page.row(&[
                &chapter.id,
                &chapter.title,
                &word,
                &clauses,
                &count(Standing::Held),
                &count(Standing::Broken),
                &count(Standing::Known),
                &count(Standing::Differs),
                &count(Standing::NotAsked),
                &clauses.saturating_sub(seen),
            ]);
        }
    }
}

fn failures(document: &Document, page: &mut Page) {
    // What passes unexpectedly is no failure: it is among what no longer holds.
    let failed: Vec<&ScenarioEntry> =
        document.scenarios.iter().filter(|scenario| scenario.status.is_failure()).collect();
    if !failed.is_empty() {
        page.line(format_args!("\n## Failures\n"));
    }
    for scenario in failed {
        page.line(format_args!("- **{}** `{}`: {}", scenario.status, scenario.id, inline(&scenario.title)));
        for clause in &scenario.covers {
            page.line(format_args!("  - {}: {}", clause.id, inline(&clause.statement)));
        }
        if !scenario.reason.is_empty() {
            page.line(format_args!("  - because {}", code(&scenario.reason)));
        }
        for one in scenario.differences.iter().take(MAXIMUM_SHOWN) {
            let path = if one.path.is_empty() { "the whole report" } else { &one.path };
            let (expected, seen) = (code(&one.expected), code(&one.seen));
            let place = format!("{}, {path}", one.check);
            page.line(format_args!("  - in {}: expected {expected}, seen {seen}", code(&place)));
        }
        if scenario.differences.len() > MAXIMUM_SHOWN {
            page.line(format_args!(
                "  - {}",
                counted(scenario.differences.len() - MAXIMUM_SHOWN, "more difference")
            ));
        }
    }
    if !document.stale.is_empty() {
        page.line(format_args!("\n## Known failures that no longer hold\n"));
    }
    for entry in &document.stale {
        page.line(format_args!("- {} {}", code(&entry.key), inline(&entry.message)));
    }
}

fn known(document: &Document, page: &mut Page) {
    let known: Vec<&ScenarioEntry> =
        document.scenarios.iter().filter(|scenario| scenario.status == Status::Xfail).collect();
    if !known.is_empty() {
        page.line(format_args!("\n## Known failures\n\n| Scenario | Clauses | Why |\n| --- | --- | --- |"));
    }
    for scenario in known {
        let clauses: Vec<&str> = scenario.covers.iter().map(|clause| clause.id.as_str()).collect();
        let why = scenario.expected.as_ref().map_or_else(String::new, |known| {
            let issue = known.issue.as_ref().map(|issue| format!(" ({issue})")).unwrap_or_default();
            format!("{}{issue}", known.reason)
        });
        page.row(&[&scenario.id, &clauses.join(", "), &why]);
    }
}

fn observed(document: &Document, page: &mut Page) {
    let differs =
        |scenario: &&ScenarioEntry| scenario.observed.as_ref().is_some_and(|seen| !seen.as_described);
    let seen: Vec<&ScenarioEntry> = document.scenarios.iter().filter(differs).collect();
    if !seen.is_empty() {
        page.line(format_args!(
            "\n## Where the text is silent\n\nNever a failure: what this implementation does otherwise than the \
             scenario describes.\n\n| Scenario | Clauses | Described |\n| --- | --- | --- |"
        ));
    }
    for scenario in seen {
        let clauses: Vec<&str> = scenario.covers.iter().map(|clause| clause.id.as_str()).collect();
        page.row(&[&scenario.id, &clauses.join(", "), &scenario.title]);
    }
}

/// Text in a table's cell, where a bar ends the cell even between backticks.
fn escaped(text: &str) -> String {
    inline(text).replace('|', "\\|")
}

/// Text on one line that means nothing to HTML. What stands between backticks is shown as it is: an escape would be
/// read there.
fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut told = String::new();
    let mut rest = line.as_str();
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        told.push_str(&without_html(before));
        let length = fence_length(from);
        let (fence, inner) = from.split_at(length);
        told.push_str(fence);
        rest = inner;
        // A fence that nothing closes begins no code.
        if let Some(end) = closing(inner, length) {
            let (code, after) = inner.split_at(end + length);
            told.push_str(code);
            rest = after;
        }
    }
    told.push_str(&without_html(rest));
    told
}

fn without_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// How many backticks a text begins with.
fn fence_length(text: &str) -> usize {
    text.chars().take_while(|character| *character == '`').count()
}

/// Where the next row of exactly so many backticks stands.
fn closing(text: &str, length: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(start) = text.get(from..)?.find('`') {
        let start = from + start;
        let found = fence_length(text.get(start..)?);
        if found == length {
            return Some(start);
        }
        from = start + found;
    }
    None
}

/// Text as code, on one line and not too long of it.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(160).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    // The fence must be longer than any row of backticks inside.
    let longest = shown.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("{fence}{shown}{fence}") } else { format!("{fence} {shown} {fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_shown_as_it_is_and_nothing_else_can_be_html() {
        for (text, expected) in [
            ("tools of `skills/<id>/tools.py`", "tools of `skills/<id>/tools.py`"),
            ("a <b> & `a && b` </b>", "a &lt;b> &amp; `a && b` &lt;/b>"),
            ("``a ` <b>`` <i>", "``a ` <b>`` &lt;i>"),
            ("no end ` <b> ``", "no end ` &lt;b> ``"),
            ("`` <b> ` <i> `", "`` &lt;b> ` <i> `"),
            ("one\n  line `<b>\n<i>`", "one line `<b> <i>`"),
        ] {
            assert_eq!(inline(text), expected);
        }
        assert_eq!(escaped("`a | <b>` | c"), "`a \\| <b>` \\| c");
    }
}
