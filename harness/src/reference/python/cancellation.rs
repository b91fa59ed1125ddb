//! Cutting code off: a request, raised once at a suspension.
//!
//! Knows who asked; what is suspended is `awaitable`'s affair.
//! Rules: asyncio's cancellation (chapter CAN).

use std::cell::Cell;

use tokio::sync::Notify;

/// A request to stop, raised once at the next suspension.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    requested: Cell<bool>,
    by_timeout: Cell<bool>,
    raised: Cell<bool>,
    signal: Notify,
    unwinding: Notify,
}

impl Cancellation {
    /// Asks the code to stop.
    pub(crate) fn request(&self) {
        self.requested.set(true);
        self.signal.notify_one();
    }

    /// Asks the code to stop because a timeout of its own expired.
    pub(crate) fn request_by_timeout(&self) {
        if self.is_untouched() {
            self.by_timeout.set(true);
            self.request();
        }
    }

    /// Takes back a request of a timeout; tells whether there was nothing else.
    pub(crate) fn forgive(&self) -> bool {
        let only = self.by_timeout.replace(false);
        if only {
            self.requested.set(false);
            self.raised.set(false);
        }
        only
    }

    /// Takes the request, if there is one: it is raised once.
    pub(super) fn take(&self) -> bool {
        let requested = self.requested.replace(false);
        if requested {
            self.raised.set(true);
            self.unwinding.notify_one();
        }
        requested
    }

    /// Whether the request was raised at some suspension.
    pub(crate) fn was_raised(&self) -> bool {
        self.raised.get()
    }

    /// Whether nobody has asked the code to stop so far.
    pub(crate) fn is_untouched(&self) -> bool {
        !self.requested.get() && !self.raised.get()
    }

    /// Waits until the request is raised at some suspension.
    pub(crate) async fn raised(&self) {
        while !self.raised.get() {
            self.unwinding.notified().await;
        }
    }

    pub(super) async fn requested(&self) {
        while !self.requested.get() {
            self.signal.notified().await;
        }
    }
}
