//! `cargo xtask sweep`: one scenario's last turn, cut off everywhere.
//!
//! Runs, judges through the library, prints.
//! Rules: exit code 1 when something does not hold at some point or is not answered, 2 for a scenario that cannot
//! be read, 3 when the implementation did not start.

use clap::Args;
use harness::report::ExitCode;
use harness::runner::Cut;
use harness::scenario::Sweep as Sweeping;
use harness::source::counted;
use harness::spec::Level;
use harness::suite::{Repository, timelines};
use harness::verdict::{Check, judge};

use crate::implementation::ChosenImplementation;
use crate::{Outcome, one};

/// Cut the last turn of a scenario off at every suspension and every instant of it, and repeat it after each.
///
/// With the embedded reference, or the command after `--`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask sweep cancellation/guarded_transfer_is_made_once
  cargo xtask sweep drafts/my_scenario.yml
  cargo xtask sweep cancellation/guarded_transfer_is_made_once --timeout 30s -- python3 -m my_runtime.adapter

A scenario without `sweep: cancellation` is swept all the same, for the rules of cancellation alone. Each
failure names the point and prints the timeline of the cut turn and of its repetition. Exits with 1 when there is one, nothing to
sweep, or a request that was not answered, with 3 when the command does not start.")]
pub(crate) struct Sweep {
    /// A scenario's id, or a file.
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    #[command(flatten)]
    implementation: ChosenImplementation,
}

impl Sweep {
    /// The implementation that it is about.
    pub(crate) fn implementation(&self) -> &ChosenImplementation {
        &self.implementation
    }
}

/// Runs the command.
pub(crate) fn run(command: &Sweep) -> Outcome {
    let repository = Repository::shipped();
    let mut scenario = match one::read(&repository, &command.scenario) {
        Ok(scenario) => scenario,
        Err(not_run) => return not_run.told(),
    };
    let position = scenario.title_position;
    scenario.sweep.get_or_insert_with(|| Sweeping {
        position,
        at_most_once: Vec::new(),
        never_after_cut: Vec::new(),
        interrupted: None,
        repeated: None,
    });
    let run = match one::run(&repository, &scenario, &command.implementation) {
        Ok(run) => run,
        Err(not_run) => return not_run.told(),
    };
    crate::output::println!("{}: {}", scenario.id, scenario.title);
    if run.sweep.is_empty() {
        if let Some(code) = one::fallen(&run) {
            return Ok(code);
        }
        let reason = one::refusal(&run).unwrap_or_else(|| {
            "nothing to sweep: the last step is not a turn that runs to its end".to_owned()
        });
        crate::output::println!("{reason}");
        return Ok(one::unanswered(&run));
    }
    let verdict = judge(&scenario, Level::Must, &run);
    let is_answered = run.sweep.iter().all(Cut::is_answered);
    // Not followed to the end, though all was answered: nothing was found wrong because nothing was looked at.
    if !verdict.reason.is_empty() && is_answered {
        crate::output::println!("{}", verdict.reason);
        return Ok(one::unanswered(&run));
    }
    let mut failed = 0;
    for cut in &run.sweep {
        let of_cut: Vec<_> =
            verdict.findings.iter().filter(|finding| finding.check == Check::Cut(cut.point)).collect();
        if of_cut.is_empty() && cut.is_answered() {
            continue;
        }
        failed += 1;
        // What came to no answer is told at the end.
        if cut.fault().is_some() {
            continue;
        }
        crate::output::println!("\n{}", Check::Cut(cut.point));
        for finding in of_cut {
            let mismatch = &finding.mismatch;
            crate::output::println!("  expected  {}\n  seen      {}", mismatch.expected, mismatch.seen);
            crate::output::println!("  at        {}:{}", scenario.file, mismatch.position);
        }
        for answer in [&cut.interrupted, &cut.repeated].into_iter().flatten() {
            if let Some(reason) = answer.as_ref().ok().and_then(one::without_result) {
                crate::output::println!("  {reason}");
            }
        }
        crate::output::println!("{}", timelines(cut));
    }
    crate::output::println!("{}, {failed} wrong", counted(run.sweep.len(), "point"));
    if let Some(code) = one::fallen(&run) {
        return Ok(code);
    }
    Ok(match failed {
        0 => ExitCode::Conformant,
        _ if is_answered => ExitCode::Failures,
        _ => one::unanswered(&run),
    })
}
