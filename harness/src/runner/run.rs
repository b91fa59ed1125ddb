//! What one implementation answered in one scenario.
//!
//! Holds answers only; what they are worth is for the verdict to say.

use std::collections::BTreeSet;

use crate::implementation::Fault;
use crate::protocol::{Capability, InterruptPoint, LoadReport, Reply, TurnTrace, WaitReport};

/// What came back for one request.
pub type Answer<Report> = Result<Reply<Report>, Fault>;

/// The answers of one scenario, as far as it got: nothing is asked after a fault, a skip, an error or
/// a project that was not accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What the scenario needs and the implementation did not declare; nothing was asked then.
    pub missing: BTreeSet<Capability>,
    /// Why the implementation could not even be asked.
    pub not_started: Option<Fault>,
    /// The answer to loading the control project, when the scenario has one.
    pub control: Option<Answer<LoadReport>>,
    /// The answer to loading the project.
    pub load: Option<Answer<LoadReport>>,
    /// The answers to the steps.
    pub steps: Vec<StepAnswer>,
    /// The runs of a sweep, one for each point at which the last turn was cut off.
    pub sweep: Vec<Cut>,
    /// What it said on stderr meanwhile, when no fault ended it: that tells it itself. For people to read; it
    /// is no part of what is judged.
    pub said: String,
}

/// A run of a sweep: the turn cut off at a point, and the same turn once more.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Where it was cut off.
    pub point: InterruptPoint,
    /// The cut turn, or what came instead of an earlier answer; `None` when what comes before it went another way this
    /// time.
    pub interrupted: Option<Answer<TurnTrace>>,
    /// Its repetition.
    pub repeated: Option<Answer<TurnTrace>>,
}

/// The answer to one step.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are a handful in a run, and most are turns")]
pub enum StepAnswer {
    /// To a user turn.
    Turn(Answer<TurnTrace>),
    /// To a wait.
    Wait(Answer<WaitReport>),
}

impl Run {
    /// A run in which nothing was asked, because these capabilities are missing.
    pub fn lacking(missing: BTreeSet<Capability>) -> Self {
        Self { missing, ..Self::default() }
    }

    /// A run in which nothing was asked, because nobody was there.
    pub fn unanswered(fault: Fault) -> Self {
        Self { not_started: Some(fault), ..Self::default() }
    }

    /// The fault that ended it, if one did.
    pub fn fault(&self) -> Option<&Fault> {
        let step = match self.steps.last() {
            Some(StepAnswer::Turn(answer)) => answer.as_ref().err(),
            Some(StepAnswer::Wait(answer)) => answer.as_ref().err(),
            None => None,
        };
        self.not_started
            .as_ref()
            .or_else(|| self.control.as_ref()?.as_ref().err())
            .or_else(|| self.load.as_ref()?.as_ref().err())
            .or(step)
            .or_else(|| self.sweep.iter().find_map(Cut::fault))
    }
}

impl StepAnswer {
    /// What came instead of a report, if something did.
    pub(super) fn instead(self) -> Option<Answer<TurnTrace>> {
        match self {
            Self::Turn(answer) => instead(answer),
            Self::Wait(answer) => instead(answer),
        }
    }
}

/// What came instead of a report, if something did, as an answer to a turn.
pub(super) fn instead<Report>(answer: Answer<Report>) -> Option<Answer<TurnTrace>> {
    match answer {
        Ok(Reply::Result(_)) => None,
        Ok(Reply::Skipped(skipped)) => Some(Ok(Reply::Skipped(skipped))),
        Ok(Reply::Errored(errored)) => Some(Ok(Reply::Errored(errored))),
        Err(fault) => Some(Err(fault)),
    }
}

impl Cut {
    /// Whether every request of it that was made came to a report.
    pub fn is_answered(&self) -> bool {
        let answers = [&self.interrupted, &self.repeated];
        answers.into_iter().flatten().all(|answer| matches!(answer, Ok(Reply::Result(_))))
    }

    /// The fault that ended it, if one did.
    pub fn fault(&self) -> Option<&Fault> {
        self.interrupted
            .as_ref()
            .and_then(|answer| answer.as_ref().err())
            .or_else(|| self.repeated.as_ref().and_then(|answer| answer.as_ref().err()))
    }
}
