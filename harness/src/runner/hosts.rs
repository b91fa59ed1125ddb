//! Hosts kept running for whoever asks next, from whichever thread.
//!
//! An implementation stays on the thread on which it was started, since it need not be able to move to another; work
//! goes there. Rules: never more hosts than are asked at once, and all have left in the end.

use std::panic::resume_unwind;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use crate::runner::host::{Host, Starter};
use crate::runner::pool::WORKER_STACK_BYTES;

/// Hosts, each on a thread of its own.
pub struct Hosts {
    starter: Arc<Starter>,
    idle: Mutex<Vec<Kept>>,
}

type Work = Box<dyn FnOnce(&mut Host<'_>) + Send>;

/// A host that waits for work, and leaves when nobody can send it any more.
struct Kept {
    work: Sender<Work>,
    thread: JoinHandle<()>,
}

impl Hosts {
    /// No host yet; those that are needed start their implementation with this.
    pub fn new(starter: Arc<Starter>) -> Self {
        Self { starter, idle: Mutex::new(Vec::new()) }
    }

    /// Does some work with a host that nobody else has, and waits for it. A panic of the work goes on here, and its
    /// host is given up. The only error is that the system has no thread left.
    pub fn with<Output: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Host<'_>) -> Output + Send + 'static,
    ) -> std::io::Result<Output> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let kept = match idle {
            Some(kept) => kept,
            None => self.start()?,
        };
        let (sender, receiver) = channel();
        let work = move |host: &mut Host<'_>| _ = sender.send(work(host));
        let output = kept.work.send(Box::new(work)).ok().and_then(|()| receiver.recv().ok());
        let Some(output) = output else {
            drop(kept.work);
            return match kept.thread.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => Err(std::io::Error::other("the thread of an implementation is gone")),
            };
        };
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
        Ok(output)
    }

    /// Says goodbye to all that are not at work, and waits until they have left.
    pub fn close(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        // All are told before the first is waited for.
        let threads: Vec<JoinHandle<()>> = idle.into_iter().map(|kept| kept.thread).collect();
        for thread in threads {
            // A panic in a farewell: its work was done before.
            _ = thread.join();
        }
    }

    fn start(&self) -> std::io::Result<Kept> {
        // Where so much address space cannot be had, a host is slower and not wrong.
        self.start_on(Builder::new().stack_size(WORKER_STACK_BYTES))
            .or_else(|_| self.start_on(Builder::new()))
    }

    fn start_on(&self, thread: Builder) -> std::io::Result<Kept> {
        let (sender, receiver) = channel::<Work>();
        let starter = Arc::clone(&self.starter);
        let thread = thread.spawn(move || {
            let mut host = Host::new(starter.as_ref());
            for work in receiver {
                work(&mut host);
            }
        })?;
        Ok(Kept { work: sender, thread })
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::Fault;
    use std::sync::Barrier;
    use std::thread::ThreadId;

    fn hosts() -> Hosts {
        Hosts::new(Arc::new(|| Err(Fault::NotStarted("nobody".to_owned()))))
    }

    fn thread_of(hosts: &Hosts) -> ThreadId {
        hosts.with(|_| std::thread::current().id()).unwrap()
    }

    #[test]
    fn a_host_that_is_free_is_asked_again() {
        let hosts = hosts();
        let first = thread_of(&hosts);
        assert_ne!(first, std::thread::current().id());
        assert_eq!(thread_of(&hosts), first);
        hosts.close();
        assert_ne!(thread_of(&hosts), first);
    }

    #[test]
    fn there_are_as_many_as_are_asked_at_once() {
        let hosts = hosts();
        let together = Arc::new(Barrier::new(3));
        for _ in 0..2 {
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    let together = Arc::clone(&together);
                    scope.spawn(|| hosts.with(move |_| _ = together.wait()).unwrap());
                }
            });
            assert_eq!(hosts.idle.lock().unwrap().len(), 3);
        }
    }

    #[test]
    fn a_panic_goes_on_where_the_work_was_asked_for() {
        let hosts = hosts();
        let work = std::panic::AssertUnwindSafe(|| hosts.with(|_| panic!("no luck")));
        let panic = std::panic::catch_unwind(work).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no luck"));
        assert_eq!(hosts.with(|_| 7).unwrap(), 7);
    }
}
