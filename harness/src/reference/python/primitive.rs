//! Locks, semaphores, events and timeouts.
//!
//! Holds their state; who waits for them is `awaitable`'s affair.
//! Rules: asyncio's own; who came first is served first.

use std::cell::Cell;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::value::Value;

/// The longest timeout that is simulated, in seconds: a century.
const MAXIMUM_SECONDS: f64 = 3.2e9;

/// Something to wait with, or a manager that the reference provides.
#[derive(Debug)]
pub(crate) enum Primitive {
    /// A lock or a semaphore.
    Semaphore {
        /// The name of its class.
        name: &'static str,
        /// How many may still enter.
        free: Cell<i64>,
        /// Those who wait.
        waiting: Notify,
    },
    /// An event.
    Event {
        /// Whether it is set.
        set: Cell<bool>,
        /// Those who wait.
        waiting: Notify,
    },
    /// `asyncio.timeout`.
    Timeout(std::rc::Rc<Timeout>),
    /// `contextlib.suppress`.
    Suppress(Vec<Value>),
}

/// A limit on a block of code.
#[derive(Debug)]
pub(crate) struct Timeout {
    seconds: Option<f64>,
    until: Cell<Option<Instant>>,
    expired: Cell<bool>,
}

impl Timeout {
    /// A limit that has not begun.
    pub(crate) fn new(seconds: Option<f64>) -> Self {
        Self { seconds, until: Cell::default(), expired: Cell::default() }
    }

    /// Begins to count.
    pub(crate) fn begin(&self) {
        let seconds = self.seconds.filter(|seconds| !seconds.is_nan());
        self.until.set(seconds.map(|seconds| {
            Instant::now()
                + Duration::from_millis(
                    Duration::from_secs_f64(seconds.clamp(0.0, MAXIMUM_SECONDS))
                        .as_millis()
                        .try_into()
                        .unwrap_or(u64::MAX),
                )
        }));
    }

    /// When it expires, unless it has.
    pub(crate) fn until(&self) -> Option<Instant> {
        self.until.get().filter(|_| !self.expired.get())
    }

    /// Notes that it has expired.
    pub(crate) fn expire(&self) {
        self.expired.set(true);
    }

    /// Whether it has expired.
    pub(crate) fn has_expired(&self) -> bool {
        self.expired.get()
    }
}

impl Primitive {
    /// A lock or semaphore.
    pub(crate) fn semaphore(name: &'static str, free: i64) -> Self {
        Self::Semaphore { name, free: Cell::new(free), waiting: Notify::new() }
    }

    /// An event that is not set.
    pub(crate) fn event() -> Self {
        Self::Event { set: Cell::default(), waiting: Notify::new() }
    }

    /// The name of its class.
    pub(crate) fn class_name(&self) -> &'static str {
        match self {
            Self::Semaphore { name, .. } => name,
            Self::Event { .. } => "Event",
            Self::Timeout(_) => "Timeout",
            Self::Suppress(_) => "suppress",
        }
    }

    /// The names of its methods.
    pub(crate) fn methods(&self) -> &'static [&'static str] {
        match self {
            Self::Semaphore { .. } => &["acquire", "release", "locked"],
            Self::Event { .. } => &["wait", "set", "clear", "is_set"],
            Self::Timeout(_) => &["expired", "when", "reschedule"],
            Self::Suppress(_) => &[],
        }
    }

    /// Waits until it may be entered, and enters.
    pub(crate) async fn enter(&self) {
        let Self::Semaphore { free, waiting, .. } = self else { return };
        while free.get() <= 0 {
            waiting.notified().await;
        }
        free.set(free.get() - 1);
    }

    /// Lets the next one enter.
    pub(crate) fn release(&self) {
        let Self::Semaphore { free, waiting, .. } = self else { return };
        free.set(free.get().saturating_add(1));
        waiting.notify_one();
    }

    /// Whether nobody may enter.
    pub(crate) fn is_locked(&self) -> bool {
        matches!(self, Self::Semaphore { free, .. } if free.get() <= 0)
    }

    /// Waits until an event is set.
    pub(crate) async fn happens(&self) {
        let Self::Event { set, waiting } = self else { return };
        while !set.get() {
            waiting.notified().await;
        }
    }

    /// Sets or clears an event.
    pub(crate) fn change(&self, to: bool) {
        let Self::Event { set, waiting } = self else { return };
        set.set(to);
        if to {
            waiting.notify_waiters();
        }
    }

    /// Whether an event is set.
    pub(crate) fn is_set(&self) -> bool {
        matches!(self, Self::Event { set, .. } if set.get())
    }
}
