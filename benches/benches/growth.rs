//! Ten times the scenarios, the awaits or the virtual time cost ten times as much and not more; virtual time
//! that passes costs nothing.
#![allow(missing_docs, reason = "benchmarks are named by what they measure")]

use benches::{load, read, run, texts, with_awaits};
use divan::Bencher;
use divan::counter::ItemsCount;
use harness::reference::Reference;

fn main() {
    benches::as_a_worker(divan::main);
}

#[divan::bench(args = [10, 100])]
fn scenarios(bencher: Bencher<'_, '_>, count: usize) {
    let some: Vec<_> = texts().iter().take(count).map(|(id, text)| read(id, text)).collect();
    let mut reference = Reference::new();
    bencher.counter(ItemsCount::new(some.len())).bench_local(|| {
        some.iter()
            .map(|scenario| {
                load(&mut reference, scenario);
                run(&mut reference, scenario).len()
            })
            .sum::<usize>()
    });
}

/// Each await also writes memory: ten times the awaits are ten times the events.
#[divan::bench(args = [10, 100, 1000])]
fn awaits_and_events(bencher: Bencher<'_, '_>, count: usize) {
    let scenario = with_awaits(count, 1);
    let mut reference = Reference::new();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        load(&mut reference, &scenario);
        run(&mut reference, &scenario)
    });
}

/// Counted in virtual seconds: what is printed is how many of them pass in a real one.
#[divan::bench(args = [1, 86_400, 31_536_000])]
fn virtual_seconds(bencher: Bencher<'_, '_>, seconds: u64) {
    let scenario = with_awaits(1, seconds);
    let mut reference = Reference::new();
    bencher.counter(ItemsCount::new(seconds)).bench_local(|| {
        load(&mut reference, &scenario);
        run(&mut reference, &scenario)
    });
}
