//! The outside as a running tool reaches it: services, and suspensions that are seen and may be cut off.
//!
//! Rules: design, "Scenarios" (`world.services`, `interrupt`).

use std::rc::Rc;

use indexmap::IndexMap;

use super::shared::Shared;
use crate::protocol::{
    Await, Awaited, Json, Part, ServiceBehaviour, ServiceCall, ServiceName, ServiceOutcome, SourcePlace,
};
use crate::reference::python::{Outside, ServiceStart};

/// When a suspension ended that is still going on. Where its tool ends first, it was told to stop.
pub(crate) const UNENDED: u64 = u64::MAX;

/// The outside of one tool run.
pub(crate) struct RunOutside {
    /// The conversation.
    pub(crate) shared: Rc<Shared>,
    /// The number of the run in the turn's trace.
    pub(crate) run: usize,
}

/// What the next call of something does: the behaviours in order, the last one again and again.
pub(crate) fn next_behaviour<'behaviours>(
    shared: &Shared,
    name: &str,
    behaviours: &'behaviours [ServiceBehaviour],
) -> Option<&'behaviours ServiceBehaviour> {
    let mut calls = shared.calls.borrow_mut();
    let made = calls.entry(name.to_owned()).or_default();
    let behaviour = behaviours.get(*made).or_else(|| behaviours.last());
    *made += 1;
    behaviour
}

impl Outside for RunOutside {
    fn begin_service(
        &self,
        name: &str,
        arguments: Vec<Json>,
        keywords: IndexMap<String, Json>,
    ) -> ServiceStart {
        let declared = self.shared.world.services.get(name).map_or(&[][..], Vec::as_slice);
        let behaviour = next_behaviour(&self.shared, name, declared).cloned().unwrap_or_default();
        let mut trace = self.shared.trace.borrow_mut();
        let moment = Part::Service(trace.services.len()).begins();
        self.shared.happens(&mut trace, moment);
        trace.services.push(ServiceCall {
            call: ServiceName::new(name),
            arguments,
            keywords,
            started_ms: self.shared.now_ms(),
            ended_ms: None,
            outcome: ServiceOutcome::Running,
        });
        let number = self.shared.earlier_calls.get() + trace.services.len() - 1;
        ServiceStart { number, takes_ms: behaviour.takes_ms, ends: behaviour.ends }
    }

    fn end_service(&self, number: usize, outcome: ServiceOutcome) {
        let position = number.checked_sub(self.shared.earlier_calls.get());
        let mut trace = self.shared.trace.borrow_mut();
        if let Some(call) = position.and_then(|position| trace.services.get_mut(position)) {
            call.ended_ms = Some(self.shared.now_ms());
            call.outcome = outcome;
        }
        if let Some(position) = position {
            self.shared.happens(&mut trace, Part::Service(position).ends());
        }
    }

    fn begin_await(&self, what: &str, place: &SourcePlace) -> usize {
        let now = self.shared.now_ms();
        let mut number = 0;
        self.shared.with_run(self.run, |run| {
            number = run.awaits.len();
            run.awaits.push(Await {
                started_ms: now,
                ended_ms: UNENDED,
                what: what.to_owned(),
                place: format!("{}:{}", place.file, place.line),
                ended: Awaited::Cancelled,
            });
        });
        self.shared.run_happens(self.run, |tool| Part::Await { tool, number }.begins());
        number
    }

    fn end_await(&self, number: usize, ended: Awaited) {
        let now = self.shared.now_ms();
        self.shared.with_await(self.run, number, |one| {
            one.ended_ms = now;
            one.ended = ended;
        });
        self.shared.run_happens(self.run, |tool| Part::Await { tool, number }.ends());
    }

    #[expect(clippy::cast_precision_loss, reason = "53 bits of milliseconds are enough for any conversation")]
    fn seconds(&self) -> f64 {
        self.shared.now_ms() as f64 / 1000.0
    }

    fn cuts_off_here(&self) -> bool {
        self.shared.suspends()
    }
}
