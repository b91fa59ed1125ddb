//! `cargo xtask show`: one scenario's turns as timelines.
//!
//! Runs and prints; judges nothing.
//! Rules: exit code 2 for a scenario that cannot be read, 1 when there is no turn to show.

use clap::Args;
use harness::protocol::Reply;
use harness::report::{ExitCode, timeline_text};
use harness::runner::{Host, StepAnswer};
use harness::suite::Repository;
use harness::verdict::needs;

use crate::{Outcome, implementation, one};

/// Show what happens in a scenario: turns, model calls, tool runs, awaits, sends, writes, services, the cut.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask show memory/false_then_true
  cargo xtask show drafts/my_scenario.yml

Times are virtual milliseconds since the conversation began.")]
pub(crate) struct Show {
    /// A scenario's id, or a file.
    #[arg(value_name = "SCENARIO")]
    scenario: String,
}

/// Runs the command.
pub(crate) fn run(command: &Show) -> Outcome {
    let repository = Repository::shipped();
    let scenario = match one::read(&repository, &command.scenario) {
        Ok(scenario) => scenario,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            return Ok(ExitCode::Usage);
        }
    };
    let catalogue = repository.catalogue()?;
    let starter = implementation::starter();
    let mut host = Host::new(&starter);
    let run = host.run(&scenario, &needs(&scenario, &catalogue));
    anstream::println!("{}: {}\n", scenario.id, scenario.title);
    if let Some(reason) = one::refusal(&run) {
        anstream::println!("{reason}");
        return Ok(ExitCode::Failures);
    }
    if run.steps.is_empty() {
        anstream::println!(
            "nothing happens after loading; `cargo xtask conformance --run {}` judges it",
            scenario.id
        );
        return Ok(ExitCode::Failures);
    }
    for (number, (step, answer)) in (1..).zip(scenario.steps.iter().zip(&run.steps)) {
        match answer {
            StepAnswer::Turn(Ok(Reply::Result(trace))) => {
                let point = match &step.action {
                    harness::scenario::StepAction::Turn(turn) => turn.interrupt.as_ref().map(|cut| cut.when),
                    harness::scenario::StepAction::Wait(_) => None,
                };
                anstream::println!("{}", timeline_text(&format!("step {number}"), trace, point));
            }
            StepAnswer::Wait(Ok(Reply::Result(report))) => {
                anstream::println!("step {number}\n  it is {} ms\n", report.now_ms);
            }
            StepAnswer::Turn(Ok(Reply::Errored(errored))) => {
                anstream::println!("step {number}\n  {}\n", errored.message);
            }
            _ => anstream::println!("step {number}\n  no answer\n"),
        }
    }
    Ok(ExitCode::Conformant)
}
