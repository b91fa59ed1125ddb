//! `cargo xtask sweep`: one scenario's last turn, cut off everywhere.
//!
//! Runs, judges through the library, prints.
//! Rules: exit code 1 when something does not hold at some point, 2 for a scenario that cannot be read.

use clap::Args;
use harness::report::ExitCode;
use harness::runner::Host;
use harness::scenario::Sweep as Sweeping;
use harness::spec::Level;
use harness::suite::{Repository, timelines};
use harness::verdict::{Check, judge, needs};

use crate::{Outcome, implementation, one};

/// Cut the last turn of a scenario off at every suspension and every instant of it, and repeat it after each.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask sweep cancellation/guarded_transfer
  cargo xtask sweep drafts/my_scenario.yml

A scenario without `sweep: cancellation` is swept all the same, for the rules of cancellation alone. Each
failure names the point and prints the timeline of the cut turn and of its repetition.")]
pub(crate) struct Sweep {
    /// A scenario's id, or a file.
    #[arg(value_name = "SCENARIO")]
    scenario: String,
}

/// Runs the command.
pub(crate) fn run(command: &Sweep) -> Outcome {
    let repository = Repository::shipped();
    let mut scenario = match one::read(&repository, &command.scenario) {
        Ok(scenario) => scenario,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            return Ok(ExitCode::Usage);
        }
    };
    let position = scenario.title_position;
    scenario.sweep.get_or_insert_with(|| Sweeping {
        position,
        at_most_once: Vec::new(),
        never_after_cut: Vec::new(),
        interrupted: None,
        repeated: None,
    });
    let catalogue = repository.catalogue()?;
    let starter = implementation::starter();
    let mut host = Host::new(&starter);
    let run = host.run(&scenario, &needs(&scenario, &catalogue));
    anstream::println!("{}: {}", scenario.id, scenario.title);
    if let Some(reason) = one::refusal(&run) {
        anstream::println!("{reason}");
        return Ok(ExitCode::Failures);
    }
    if run.sweep.is_empty() {
        anstream::println!("nothing to sweep: the last step is not a turn that runs to its end");
        return Ok(ExitCode::Failures);
    }
    let verdict = judge(&scenario, Level::Must, &run);
    let mut failed = 0;
    for cut in &run.sweep {
        let of_cut: Vec<_> =
            verdict.findings.iter().filter(|finding| finding.check == Check::Cut(cut.point)).collect();
        if of_cut.is_empty() {
            continue;
        }
        failed += 1;
        anstream::println!("\n{}", Check::Cut(cut.point));
        for finding in of_cut {
            let mismatch = &finding.mismatch;
            anstream::println!("  expected  {}\n  seen      {}", mismatch.expected, mismatch.seen);
            anstream::println!("  at        {}:{}", scenario.file, mismatch.position);
        }
        anstream::println!("{}", timelines(cut));
    }
    anstream::println!("{} points, {failed} of them wrong", run.sweep.len());
    Ok(if failed == 0 { ExitCode::Conformant } else { ExitCode::Failures })
}
