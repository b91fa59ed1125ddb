//! One user turn: deterministic steps and model calls in turn, until somebody has to wait.
//!
//! Rules: contract-notes, "9. Execution loop"; chapters BLT and CAN.

use std::rc::Rc;

use super::offering::{Offer, offer};
use super::state::{Pending, Standing};
use crate::protocol::{
    Failure, Intent, Json, LlmCall, Outcome, Part, ReadResult, ScriptedReply, Sender, SkillId, ToolName, Turn,
};

/// How many rounds of steps and model calls a turn may take.
const MAXIMUM_ROUNDS: u32 = 20;

/// How a turn ended, with the reason for a failed one.
pub(crate) type TurnEnd = (Outcome, Option<Failure>);

/// A turn in progress.
pub(crate) struct TurnEngine<'turn> {
    pub(super) standing: &'turn mut Standing,
    pub(super) turn: &'turn Turn,
    /// How many answers of the script were used.
    answered: usize,
    /// Whether a search has run in this turn.
    pub(super) searched: bool,
    /// What the model has not read yet.
    pub(super) read: Vec<ReadResult>,
    /// Responses to deliver once the calls of this answer are done, each with the skill that produced it.
    pub(super) queued: Vec<(SkillId, String)>,
    /// The response that asks for a confirmation or tells of a denial, with the skill whose tool it is about;
    /// it ends the turn.
    pub(super) last_word: Option<(SkillId, String)>,
    /// What the model reads as the user's message in a turn that began with a tap.
    pub(super) heard: Option<String>,
    /// Tools whose confirmation was settled in this turn.
    pub(super) settled: Vec<ToolName>,
}

/// Whether a turn goes on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Course {
    /// To the next thing.
    On,
    /// The model has the word.
    Model,
    /// The turn is over.
    Over(Outcome),
    /// The turn is given up.
    GivenUp(Failure),
}

impl<'turn> TurnEngine<'turn> {
    /// A turn that has not begun.
    pub(crate) fn new(standing: &'turn mut Standing, turn: &'turn Turn) -> Self {
        Self {
            standing,
            turn,
            answered: 0,
            searched: false,
            read: Vec::new(),
            queued: Vec::new(),
            last_word: None,
            heard: None,
            settled: Vec::new(),
        }
    }

    /// Runs the turn to its end.
    pub(crate) async fn run(mut self) -> Result<TurnEnd, String> {
        if let Some(pending) = &mut self.standing.pending {
            pending.fresh = false;
        }
        if let Some(end) = self.hear().await? {
            return Ok(end);
        }
        for _ in 0..MAXIMUM_ROUNDS {
            match self.round().await? {
                Course::On | Course::Model => {}
                Course::Over(Outcome::Cancelled) => {
                    self.forget_unasked();
                    return Ok((Outcome::Cancelled, None));
                }
                Course::Over(outcome) => return Ok((outcome, None)),
                Course::GivenUp(failure) => return Ok((Outcome::Failed, Some(failure))),
            }
        }
        Ok((Outcome::Failed, Some(failure("too_many_rounds", "the turn does not come to an end"))))
    }

    /// A pending confirmation whose question the user never got is forgotten with the turn.
    fn forget_unasked(&mut self) {
        if self.standing.pending.as_ref().is_some_and(|pending: &Pending| pending.fresh) {
            self.standing.pending = None;
        }
    }

    async fn round(&mut self) -> Result<Course, String> {
        if self.standing.shared.is_cut() {
            return Ok(Course::Over(Outcome::Cancelled));
        }
        match self.run_steps().await? {
            Course::On | Course::Model => {}
            end => {
                self.deliver_queued().await?;
                return Ok(end);
            }
        }
        match self.have_the_last_word().await? {
            Course::On => {}
            end => return Ok(end),
        }
        let offered = offer(self.standing, self.searched);
        let answer = self.call_model(&offered);
        match answer {
            Some(answer) => self.follow(&answer, &offered).await,
            None => {
                let message = "the model is called once more than the scenario scripts";
                Ok(Course::GivenUp(failure("llm_script_exhausted", message)))
            }
        }
    }

    fn call_model(&mut self, offered: &Offer) -> Option<ScriptedReply> {
        let answer = self.turn.llm.get(self.answered).cloned();
        self.answered += 1;
        let shared = &self.standing.shared;
        let call = LlmCall {
            at_ms: shared.now_ms(),
            offered: offered.clone(),
            read: std::mem::take(&mut self.read),
            heard: self.heard.clone(),
            say: answer.as_ref().and_then(|answer| answer.say.clone()),
            calls: answer.as_ref().map(|answer| answer.calls.clone()).unwrap_or_default(),
        };
        let mut trace = shared.trace.borrow_mut();
        let moment = Part::LlmCall(trace.llm_calls.len()).begins();
        shared.happens(&mut trace, moment);
        trace.llm_calls.push(call);
        answer
    }

    /// Follows an answer of the model: text, calls, or both.
    async fn follow(&mut self, answer: &ScriptedReply, offered: &Offer) -> Result<Course, String> {
        let text = answer.say.as_deref().filter(|text| !text.is_empty());
        let (listens, calls): (Vec<&Intent>, Vec<&Intent>) =
            answer.calls.iter().partition(|intent| is_listen(intent));
        if calls.is_empty() {
            if let Some(text) = text {
                // BLT-65: `listen` beside text is ignored.
                self.standing.shared.send_text(text, Sender::Llm);
                return Ok(Course::Over(Outcome::Completed));
            }
            if !listens.is_empty() && offered.contains_key("listen") {
                // BLT-63: `listen` alone ends the turn in silence.
                self.standing.shared.record("action", [("name", Json::String("action_listen".to_owned()))]);
                return Ok(Course::Over(Outcome::Completed));
            }
            return Ok(Course::On);
        }
        if let Some(text) = text {
            self.standing.shared.send_text(text, Sender::Filler);
        }
        for intent in calls {
            // CAN-39: what comes after a cut never starts.
            if self.standing.shared.is_cut() {
                return Ok(Course::Over(Outcome::Cancelled));
            }
            if let Some(end) = self.dispatch(intent).await? {
                return Ok(end);
            }
        }
        self.have_the_last_word().await
    }

    /// Delivers what tools have brought, then the question of a confirmation or the answer to a denial, which
    /// end the turn before any further step or model call (CNF-06, CNF-07, CNF-13).
    async fn have_the_last_word(&mut self) -> Result<Course, String> {
        if self.standing.shared.is_cut() {
            return Ok(Course::Over(Outcome::Cancelled));
        }
        self.deliver_queued().await?;
        if self.standing.shared.is_cut() {
            return Ok(Course::Over(Outcome::Cancelled));
        }
        let Some((skill, response)) = self.last_word.take() else { return Ok(Course::On) };
        let sent = self.respond(Some(&skill), &response).await?;
        Ok(Course::Over(if sent { Outcome::Completed } else { Outcome::Cancelled }))
    }

    /// Delivers the responses that tools have brought.
    pub(super) async fn deliver_queued(&mut self) -> Result<(), String> {
        for (skill, response) in std::mem::take(&mut self.queued) {
            if !self.respond(Some(&skill), &response).await? {
                break;
            }
        }
        Ok(())
    }

    /// A handle on what tools share.
    pub(super) fn shared(&self) -> Rc<super::shared::Shared> {
        Rc::clone(&self.standing.shared)
    }
}

fn is_listen(intent: &Intent) -> bool {
    match intent {
        Intent::Listen => true,
        Intent::Call { tool, .. } => tool == "listen",
        _ => false,
    }
}

/// A reason to give a turn up.
pub(super) fn failure(code: &str, message: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.to_owned() }
}
