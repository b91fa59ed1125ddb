//! Letting the others have their turn: `asyncio.sleep(0)`.
//!
//! Knows who waits for a turn, and in which order; nothing of what they do.
//! Rules: asyncio's: who gave way first goes on first. Tokio's own `yield_now` turns that order around.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Those who gave way, in their order.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    next: Cell<u64>,
    waiting: RefCell<VecDeque<(u64, Option<Waker>)>>,
}

/// One who gave way.
pub(crate) struct Turn<'turns> {
    turns: &'turns Turns,
    number: Option<u64>,
    others: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Turns {
    /// Gives way to everybody who is ready.
    pub(crate) fn give_way(&self) -> Turn<'_> {
        Turn { turns: self, number: None, others: Some(Box::pin(tokio::task::yield_now())) }
    }

    fn leave(&self, number: u64) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.retain(|(one, _)| *one != number);
        let next = waiting.front_mut().and_then(|(_, waker)| waker.take());
        drop(waiting);
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

impl Future for Turn<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let number = match self.number {
            Some(number) => number,
            None => {
                let number = self.turns.next.get();
                self.turns.next.set(number + 1);
                self.turns.waiting.borrow_mut().push_back((number, None));
                self.number = Some(number);
                number
            }
        };
        if let Some(others) = &mut self.others {
            match others.as_mut().poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(()) => self.others = None,
            }
        }
        let mut waiting = self.turns.waiting.borrow_mut();
        if waiting.front().is_some_and(|(first, _)| *first != number) {
            if let Some((_, waker)) = waiting.iter_mut().find(|(one, _)| *one == number) {
                *waker = Some(context.waker().clone());
            }
            return Poll::Pending;
        }
        drop(waiting);
        self.turns.leave(number);
        self.number = None;
        Poll::Ready(())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.turns.leave(number);
        }
    }
}
