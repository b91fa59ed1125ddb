//! The report on a terminal: quiet while it goes well, failures last and together.
//!
//! Always writes colours; the output it is given strips them where nobody would see them.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use crate::report::conclusion::{conclusion, remedy, summary_line};
use crate::report::event::{Event, Judged, ReportError, Reporter, Scope, Snapshot, Summary};
use crate::report::failure::{Rerun, failure_text, given_up_text, snapshot_text};
use crate::report::skipped::Skipped;
use crate::source::counted;
use crate::verdict::{Observation, Stale, Staleness, Status};

/// Writes a run for a person.
pub struct TerminalReporter<Output> {
    output: Output,
    command: Option<String>,
    counts_snapshots: bool,
    writes_baseline: bool,
    scope: Scope,
    observed: Vec<Judged>,
    changed: Vec<Judged>,
    failed: Vec<Judged>,
    skipped: Skipped,
    given_up: Vec<Judged>,
    progress: Option<Progress>,
}

/// How far a run is, told in one line that is overwritten.
struct Progress {
    selected: usize,
    done: usize,
    failed: usize,
}

/// Runs that are over before anybody has read a line need none.
const LONG_RUN: usize = 50;
/// Back to the beginning of the line, and nothing on it.
const CLEAR_LINE: &str = "\r\u{1b}[2K";
const BAD: Style = AnsiColor::Red.on_default().bold();

impl<Output: Write> TerminalReporter<Output> {
    /// A reporter that writes to this output.
    pub fn new(output: Output) -> Self {
        Self {
            output,
            command: None,
            counts_snapshots: false,
            writes_baseline: false,
            scope: Scope::default(),
            observed: Vec::new(),
            changed: Vec::new(),
            failed: Vec::new(),
            skipped: Skipped::default(),
            given_up: Vec::new(),
            progress: None,
        }
    }

    /// Tells how far a long run is. Only for an output that is a terminal: elsewhere each step would be a
    /// line of its own.
    #[must_use]
    pub fn with_progress(mut self, is_terminal: bool) -> Self {
        self.progress = is_terminal.then_some(Progress { selected: 0, done: 0, failed: 0 });
        self
    }

    fn progressed(&mut self, judged: &Judged) -> Result<(), ReportError> {
        let Some(progress) = self.progress.as_mut().filter(|progress| progress.selected >= LONG_RUN) else {
            return Ok(());
        };
        progress.done += 1;
        progress.failed += usize::from(judged.verdict.status.is_failure());
        let failed =
            if progress.failed > 0 { format!(", {} failed", progress.failed) } else { String::new() };
        write!(self.output, "{CLEAR_LINE}{} of {}{failed}", progress.done, progress.selected)?;
        self.output.flush()?;
        Ok(())
    }

    /// Of traces that differ from their snapshots only how many do is told, and not where.
    #[must_use]
    pub fn counting_snapshots(mut self, only_counts: bool) -> Self {
        self.counts_snapshots = only_counts;
        self
    }

    /// The baseline is written after the run: nobody need be told to do so.
    #[must_use]
    pub fn writing_baseline(mut self, is_written: bool) -> Self {
        self.writes_baseline = is_written;
        self
    }

    /// Failures are shown with the command that reruns them with the implementation
    /// that these arguments choose, as in `--timeout 2s -- ./my-adapter`.
    #[must_use]
    pub fn of_command(mut self, arguments: Option<String>) -> Self {
        self.command = arguments;
        self
    }

    fn keep(&mut self, judged: &Judged) {
        if judged.snapshot.is_changed() {
            self.changed.push(judged.clone());
        }
        if matches!(judged.verdict.observation, Some(Observation::Differs { .. })) {
            self.observed.push(judged.clone());
        }
        if judged.verdict.status == Status::Skip {
            self.skipped.count(judged);
        }
        // What passes unexpectedly has its line among the stale entries.
        if judged.verdict.status.is_failure() {
            let list = if judged.given_up { &mut self.given_up } else { &mut self.failed };
            list.push(judged.clone());
        }
    }

    /// Those that nobody has recorded yet, in one line: there is nothing to compare in them.
    fn without_snapshot(&mut self) -> Result<(), ReportError> {
        let missing = self.changed.iter().filter(|judged| judged.snapshot == Snapshot::Missing);
        let ids: Vec<&str> = missing.map(|judged| judged.id.as_str()).collect();
        if let Some((first, rest)) = ids.split_first() {
            let others = match rest.len() {
                0 => String::new(),
                count => format!(" and {}", counted(count, "other")),
            };
            let record = match self.command {
                Some(_) => "",
                None => "; record with cargo test, then cargo insta review",
            };
            writeln!(self.output, "no snapshot: {first}{others}{record}")?;
        }
        Ok(())
    }

    fn snapshots(&mut self) -> Result<(), ReportError> {
        if self.counts_snapshots {
            let said = match self.changed.len() {
                0 => return Ok(()),
                1 => "1 trace differs from the reference's".to_owned(),
                count => format!("{count} traces differ from the reference's"),
            };
            writeln!(self.output, "{said}, which is no failure; --snapshots shows where")?;
            return Ok(());
        }
        self.without_snapshot()?;
        for judged in self.changed.iter().filter(|judged| judged.snapshot != Snapshot::Missing) {
            write!(self.output, "\n{}", snapshot_text(judged, Rerun::of(self.command.as_deref())))?;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary) -> Result<(), ReportError> {
        write!(self.output, "{}", self.skipped.text())?;
        for judged in &self.observed {
            write!(self.output, "\n{}", failure_text(judged, Rerun::of(self.command.as_deref())))?;
        }
        self.snapshots()?;
        for judged in &self.failed {
            write!(self.output, "\n{}", failure_text(judged, Rerun::of(self.command.as_deref())))?;
            for stale in summary.stale.iter().filter(|stale| fails_otherwise(stale, judged)) {
                let (file, line) = (&stale.place.file, stale.place.position.line);
                writeln!(self.output, "  baseline  known, but fails otherwise than {file}:{line}")?;
            }
        }
        write!(self.output, "{}", given_up_text(&self.given_up))?;
        for (place, stale) in summary.stale.iter().enumerate() {
            let gap = if place == 0 { "\n" } else { "" };
            writeln!(self.output, "{gap}{BAD}stale{BAD:#} {stale}")?;
        }
        writeln!(self.output, "\n{}", summary_line(summary, self.counts_snapshots))?;
        let is_part = !self.scope.is_whole();
        let remedy = remedy(summary, is_part).filter(|_| !self.writes_baseline).unwrap_or_default();
        writeln!(self.output, "{}{remedy}", conclusion(summary, is_part))?;
        self.output.flush()?;
        Ok(())
    }
}

impl<Output: Write> Reporter for TerminalReporter<Output> {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        match event {
            Event::Started { hello, selected, scope, .. } => {
                self.scope = scope;
                if let Some(progress) = &mut self.progress {
                    progress.selected = selected;
                }
                let embedded = if self.command.is_none() { ", embedded" } else { "" };
                let share = scope.shard.map(|shard| format!(", share {shard}")).unwrap_or_default();
                writeln!(
                    self.output,
                    "{} for {} {} ({}{embedded}), edition {}{share}",
                    counted(selected, "scenario"),
                    hello.name,
                    hello.version,
                    hello.language,
                    hello.edition.0
                )?;
            }
            Event::Finished(judged) => {
                self.keep(judged);
                self.progressed(judged)?;
            }
            Event::Ended(summary) => {
                if self.progress.as_ref().is_some_and(|progress| progress.selected >= LONG_RUN) {
                    write!(self.output, "{CLEAR_LINE}")?;
                }
                self.end(summary)?;
            }
        }
        Ok(())
    }
}

/// Whether this entry of the baseline is about the scenario, which fails in another way.
fn fails_otherwise(stale: &Stale, judged: &Judged) -> bool {
    let rest = stale.key.strip_prefix(judged.id.as_str());
    // The scenario as a whole, or a part of it.
    stale.kind == Staleness::ChangedSignature
        && rest.is_some_and(|part| part.is_empty() || part.starts_with('/'))
}
