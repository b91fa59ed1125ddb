//! The answers of a run as JSON, which is what patterns and snapshots look at.
//!
//! Only turns reports into values, once for all who look; what they are worth is for the verdict to say.

use serde::Serialize;

use super::run::{Answer, Run, StepAnswer};
use crate::protocol::{Json, Reply};

/// The reports of a run as JSON; `None` stands for an answer that is no report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// What loading the project reported.
    pub load: Option<Json>,
    /// What the steps reported, in their order.
    pub steps: Vec<Option<Json>>,
}

impl Observed {
    /// The reports of this run.
    ///
    /// # Errors
    ///
    /// When a report cannot be written as JSON, which no report that came from one does.
    pub fn of(run: &Run) -> Result<Self, serde_json::Error> {
        let step = |step: &StepAnswer| match step {
            StepAnswer::Turn(answer) => report(answer),
            StepAnswer::Wait(answer) => report(answer),
        };
        Ok(Self {
            load: run.load.as_ref().map(report).transpose()?.flatten(),
            steps: run.steps.iter().map(step).collect::<Result<_, _>>()?,
        })
    }
}

fn report<Report: Serialize>(answer: &Answer<Report>) -> Result<Option<Json>, serde_json::Error> {
    match answer {
        Ok(Reply::Result(report)) => serde_json::to_value(report).map(Some),
        Ok(Reply::Skipped(_) | Reply::Errored(_)) | Err(_) => Ok(None),
    }
}
