//! What a conversation holds and has seen: memory, history, the trace of the turn, the clock.
//!
//! Shared with running tools, which read and write it while the engine waits for them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use indexmap::IndexMap;
use tokio::time::Instant;

use crate::protocol::{
    Await, EventRecord, InterruptPoint, Json, MessageRecord, Moment, Part, Sender, SkillId, ToolRun,
    TurnTrace, World,
};
use crate::reference::memory::Memory;

/// The part of a conversation that tools share.
pub(crate) struct Shared {
    /// Memory as it is now.
    pub(crate) memory: RefCell<Memory>,
    /// Every event of the conversation.
    pub(crate) history: RefCell<Vec<EventRecord>>,
    /// What was seen in the current turn.
    pub(crate) trace: RefCell<TurnTrace>,
    /// How many events of the history have their place in the order of the turn, or stand before it.
    placed: Cell<usize>,
    /// How many events there were before the turn.
    earlier_events: Cell<usize>,
    /// The outside world.
    pub(crate) world: Rc<World>,
    /// When the conversation began.
    start: Instant,
    /// How often each service was called.
    pub(crate) calls: RefCell<BTreeMap<String, usize>>,
    /// When the turn is to be cut off, in milliseconds of the conversation.
    cut_at: Cell<Option<u64>>,
    /// At which suspension of the turn it is to be cut off.
    cut_at_await: Cell<Option<u32>>,
    /// How many suspensions the turn has had.
    awaits: Cell<u32>,
    /// Whether the turn was cut off.
    cut: Cell<bool>,
    /// The tool run that suspensions belong to.
    pub(crate) run: Cell<usize>,
    /// How many tools ran in earlier turns. Runs and calls are numbered through the conversation: what a tool
    /// leaves running may end in a later turn.
    pub(crate) earlier_runs: Cell<usize>,
    /// How many calls to services were made in earlier turns.
    pub(crate) earlier_calls: Cell<usize>,
}

impl Shared {
    /// A conversation that begins now.
    pub(crate) fn new(memory: Memory, world: Rc<World>) -> Self {
        Self {
            memory: RefCell::new(memory),
            history: RefCell::default(),
            trace: RefCell::default(),
            placed: Cell::default(),
            earlier_events: Cell::default(),
            world,
            start: Instant::now(),
            calls: RefCell::default(),
            cut_at: Cell::default(),
            cut_at_await: Cell::default(),
            awaits: Cell::default(),
            cut: Cell::default(),
            run: Cell::default(),
            earlier_runs: Cell::default(),
            earlier_calls: Cell::default(),
        }
    }

    /// Virtual milliseconds since the conversation began.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// A turn is over: what was seen in it.
    pub(crate) fn end_turn(&self) -> TurnTrace {
        let mut trace = self.trace.take();
        self.place_events(&mut trace);
        trace.events = self.history.borrow().get(self.earlier_events.get()..).unwrap_or_default().to_vec();
        self.earlier_runs.set(self.earlier_runs.get() + trace.tools.len());
        self.earlier_calls.set(self.earlier_calls.get() + trace.services.len());
        trace
    }

    /// A new turn begins, to be cut off at a point if one is given.
    pub(crate) fn begin_turn(&self, point: Option<InterruptPoint>) {
        let now = self.now_ms();
        self.earlier_events.set(self.history.borrow().len());
        self.placed.set(self.earlier_events.get());
        *self.trace.borrow_mut() = TurnTrace { started_ms: now, ..TurnTrace::default() };
        let (at, at_await) = match point {
            Some(InterruptPoint::AtMs(ms)) => (Some(now.saturating_add(ms)), None),
            Some(InterruptPoint::AtAwait(number)) => (None, Some(number)),
            None => (None, None),
        };
        self.cut_at.set(at);
        self.cut_at_await.set(at_await);
        self.awaits.set(0);
        self.cut.set(false);
    }

    /// Notes that something happens now, after the events recorded so far.
    pub(crate) fn happens(&self, trace: &mut TurnTrace, moment: Moment) {
        self.place_events(trace);
        trace.order.push(moment);
    }

    /// Events are recorded in many places; each has its place before whatever happens next.
    fn place_events(&self, trace: &mut TurnTrace) {
        let earlier = self.earlier_events.get();
        let recorded = self.history.borrow().len();
        let fresh = self.placed.replace(recorded)..recorded;
        trace.order.extend(fresh.map(|position| Part::Event(position - earlier).begins()));
    }

    /// Whether the turn was cut off. An interrupt due at this very instant has not come yet: it loses to
    /// whatever completes now (design, "Time and determinism").
    pub(crate) fn is_cut(&self) -> bool {
        self.cut.get() || self.cut_at.get().is_some_and(|at| at < self.now_ms())
    }

    /// Cuts the turn off.
    pub(crate) fn cut(&self) {
        self.cut.set(true);
    }

    /// When the turn will be cut off by the clock.
    pub(crate) fn cut_instant(&self) -> Option<Instant> {
        self.cut_at.get().map(|at| self.start + Duration::from_millis(at))
    }

    /// A suspension begins: whether the turn is cut off at it.
    pub(crate) fn suspends(&self) -> bool {
        let number = self.awaits.get().saturating_add(1);
        self.awaits.set(number);
        let due = self.cut_at.get().is_some_and(|at| at <= self.now_ms());
        if self.cut_at_await.get() == Some(number) || due {
            self.cut.set(true);
        }
        self.cut.get()
    }

    /// Records an event.
    pub(crate) fn record(&self, event: &str, data: impl IntoIterator<Item = (&'static str, Json)>) {
        let data: IndexMap<String, Json> =
            data.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        self.history.borrow_mut().push(EventRecord { at_ms: self.now_ms(), event: event.to_owned(), data });
    }

    /// Sends a message to the user.
    pub(crate) fn send(&self, message: MessageRecord) {
        self.record("bot", [("text", Json::String(message.text.clone()))]);
        let mut trace = self.trace.borrow_mut();
        let moment = Part::Message(trace.messages.len()).begins();
        self.happens(&mut trace, moment);
        trace.messages.push(message);
    }

    /// Sends plain text to the user.
    pub(crate) fn send_text(&self, text: &str, sender: Sender) {
        let message = MessageRecord {
            at_ms: self.now_ms(),
            text: text.to_owned(),
            buttons: Vec::new(),
            sender,
            response: None,
        };
        self.send(message);
    }

    /// What a condition of a skill reads.
    pub(crate) fn read(&self, skill: Option<&SkillId>, namespace: &str, entry: &str) -> Json {
        self.memory.borrow().read_for_condition(skill, namespace, entry).clone()
    }

    /// Changes the record of a tool run.
    pub(crate) fn with_run(&self, number: usize, change: impl FnOnce(&mut ToolRun)) {
        let position = number.checked_sub(self.earlier_runs.get());
        let mut trace = self.trace.borrow_mut();
        if let Some(run) = position.and_then(|position| trace.tools.get_mut(position)) {
            change(run);
        }
    }

    /// Notes that a tool run, or a suspension of one, begins or ends now.
    pub(crate) fn run_happens(&self, number: usize, moment: impl FnOnce(usize) -> Moment) {
        // What ends in a later turn than it began has no place in that turn's trace.
        if let Some(position) = number.checked_sub(self.earlier_runs.get()) {
            self.happens(&mut self.trace.borrow_mut(), moment(position));
        }
    }

    /// Changes the record of a suspension of a tool run.
    pub(crate) fn with_await(&self, run: usize, number: usize, change: impl FnOnce(&mut Await)) {
        self.with_run(run, |run| {
            if let Some(one) = run.awaits.get_mut(number) {
                change(one);
            }
        });
    }
}
