//! Work spread over threads, results in the order of the work.
//!
//! Knows nothing of scenarios. However many workers there are, the caller sees the same sequence.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// The stack of a worker, in bytes: what an implementation may want, and some for who calls it. Only what is
/// touched is ever backed by memory, and that is kept from scenario to scenario.
pub const WORKER_STACK_BYTES: usize = crate::implementation::STACK_BYTES + (8 << 20);

/// As [`in_order_until`], to the end.
pub fn in_order<Item, State, Output>(
    items: &[Item],
    jobs: NonZeroUsize,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Item) -> Output + Sync,
    mut take: impl FnMut(&Item, Output),
) where
    Item: Sync,
    Output: Send,
{
    in_order_until(items, jobs, state, work, |item, output| {
        take(item, output);
        ControlFlow::Continue(())
    });
}

/// Does `work` on every item with `jobs` workers, each with a state of its own, and hands the results to
/// `take` in the order of the items, each as soon as all before it are there. Once `take` breaks off, it is
/// handed nothing more and no further item is begun.
pub fn in_order_until<Item, State, Output>(
    items: &[Item],
    jobs: NonZeroUsize,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Item) -> Output + Sync,
    mut take: impl FnMut(&Item, Output) -> ControlFlow<()>,
) where
    Item: Sync,
    Output: Send,
{
    let next = AtomicUsize::new(0);
    let over = AtomicBool::new(false);
    let workers = jobs.get().min(items.len());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers {
            let sender = sender.clone();
            let (next, over, state, work) = (&next, &over, &state, &work);
            let worker = move || {
                let mut own = state();
                while !over.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if sender.send((index, work(&mut own, item))).is_err() {
                        break;
                    }
                }
            };
            let roomy = std::thread::Builder::new().stack_size(WORKER_STACK_BYTES);
            // Where so much address space cannot be had, a worker is slower and not wrong.
            if roomy.spawn_scoped(scope, worker.clone()).is_err() {
                scope.spawn(worker);
            }
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Output> = BTreeMap::new();
        let mut due = 0;
        for (index, output) in receiver {
            waiting.insert(index, output);
            while let Some(output) = waiting.remove(&due) {
                let Some(item) = items.get(due) else { continue };
                due += 1;
                if take(item, output).is_break() {
                    over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(jobs: usize, last: usize) -> Vec<(u64, u64)> {
        let items: Vec<u64> = (0..500).collect();
        let mut seen = Vec::new();
        in_order_until(
            &items,
            NonZeroUsize::new(jobs).unwrap(),
            || 0_u64,
            |done, item| {
                *done += 1;
                // Uneven work, so that later items overtake earlier ones.
                (0..(500 - item) * 20).for_each(|part| _ = std::hint::black_box(part));
                item * item
            },
            |item, output| {
                seen.push((*item, output));
                if seen.len() == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        seen
    }

    #[test]
    fn results_come_in_the_order_of_the_items_at_any_parallelism() {
        let expected: Vec<(u64, u64)> = (0..500).map(|item| (item, item * item)).collect();
        for jobs in [1, 2, 7] {
            assert_eq!(squares(jobs, 500), expected, "{jobs} jobs");
            assert_eq!(squares(jobs, 70), expected[..70], "{jobs} jobs, broken off");
        }
    }

    #[test]
    fn no_items_are_no_work() {
        let nothing: [u8; 0] = [];
        in_order(&nothing, NonZeroUsize::MIN, || (), |(), _| (), |_, ()| panic!("nothing to take"));
    }
}
