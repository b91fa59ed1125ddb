//! `cargo xtask show`: one scenario's turns as timelines.
//!
//! Runs and prints; judges nothing.
//! Rules: exit code 2 for a scenario that cannot be read, 1 when something was not answered or came to no turn that the
//! scenario has, 3 when the implementation did not start.

use clap::Args;
use harness::protocol::Reply;
use harness::report::{ExitCode, Rerun, load_text, timeline_text};
use harness::runner::{Answer, StepAnswer};
use harness::scenario::{Scenario, Step, StepAction};
use harness::suite::Repository;

use crate::implementation::ChosenImplementation;
use crate::{Outcome, one};

/// Show what happens in a scenario: turns, model calls and what the model reads, tool runs, awaits, sends, writes,
/// services, the cut; of one that ends with loading, what loading reports.
///
/// With the embedded reference, or the command after `--`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask show memory/false_then_true
  cargo xtask show drafts/my_scenario.yml
  cargo xtask show memory/false_then_true --timeout 30s -- python3 -m my_runtime.adapter

Times are virtual milliseconds since the conversation began. Exits with 1 when a request was not
answered or did not come to the turns that the scenario has, with 3 when the command does not start.")]
pub(crate) struct Show {
    /// A scenario's id, or a file.
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    #[command(flatten)]
    implementation: ChosenImplementation,
}

impl Show {
    /// The implementation that it is about.
    pub(crate) fn implementation(&self) -> &ChosenImplementation {
        &self.implementation
    }
}

/// Runs the command.
pub(crate) fn run(command: &Show) -> Outcome {
    let repository = Repository::shipped();
    let scenario = match one::read(&repository, &command.scenario) {
        Ok(scenario) => scenario,
        Err(not_run) => return not_run.told(),
    };
    let run = match one::run(&repository, &scenario, &command.implementation) {
        Ok(run) => run,
        Err(not_run) => return not_run.told(),
    };
    crate::output::println!("{}: {}\n", scenario.id, scenario.title);
    for (number, (step, answer)) in (1..).zip(scenario.steps.iter().zip(&run.steps)) {
        print_step(number, step, answer);
    }
    if let Some(code) = one::fallen(&run) {
        return Ok(code);
    }
    if let (true, Some(Ok(Reply::Result(report)))) = (scenario.steps.is_empty(), &run.load) {
        crate::output::print!("{}", load_text(report));
        crate::output::println!("\nnothing happens after loading{}", judged(command, &scenario));
        return Ok(ExitCode::Conformant);
    }
    if let Some(reason) = one::refusal(&run) {
        crate::output::println!("{reason}");
        return Ok(one::unanswered(&run));
    }
    Ok(if run.steps.iter().all(one::is_result) { ExitCode::Conformant } else { one::unanswered(&run) })
}

/// How a scenario that is part of the suite is judged.
fn judged(command: &Show, scenario: &Scenario) -> String {
    if command.scenario != scenario.id.as_str() {
        return String::new();
    }
    let implementation = command.implementation.command().ok().flatten();
    let arguments = command.implementation.arguments(implementation.as_ref());
    format!("; `{}` judges it", Rerun::of(arguments.as_deref()).command(&scenario.id))
}

fn print_step(number: usize, step: &Step, answer: &StepAnswer) {
    let title = format!("step {number}");
    match answer {
        StepAnswer::Turn(Ok(Reply::Result(trace))) => {
            let point = match &step.action {
                StepAction::Turn(turn) => turn.interrupt.as_ref().map(|cut| cut.when),
                StepAction::Wait(_) => None,
            };
            crate::output::println!("{}", timeline_text(&title, trace, point));
        }
        StepAnswer::Wait(Ok(Reply::Result(report))) => {
            crate::output::println!("{title}\n  it is {} ms\n", report.now_ms);
        }
        StepAnswer::Turn(answer) => print_other(&title, answer),
        StepAnswer::Wait(answer) => print_other(&title, answer),
    }
}

/// A reply that is no result; a fault is told at the end.
fn print_other<Report>(title: &str, answer: &Answer<Report>) {
    if let Some(reason) = answer.as_ref().ok().and_then(one::without_result) {
        crate::output::println!("{title}\n  {reason}\n");
    }
}
