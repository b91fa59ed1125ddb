//! The order that the reference gives to what it saw is whole: each thing has one place, and time never goes back.
//!
//! Over every turn of every scenario. Rules: docs/adapters.md, "turn"; `protocol::Moment`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;

use harness::protocol::{Moment, Part, Reply, TurnTrace};
use harness::reference::Reference;
use harness::runner::{Host, StepAnswer, in_order};
use harness::scenario::{Scenario, needs};
use harness::suite::{Repository, in_process};

#[test]
fn every_moment_of_a_turn_has_one_place_in_its_order() {
    let repository = Repository::shipped();
    let catalogue = repository.catalogue().unwrap();
    let ids = repository.scenario_ids().unwrap();
    let scenarios: Vec<Scenario> = ids.iter().filter_map(|id| repository.scenario(id).ok()).collect();
    let jobs = std::thread::available_parallelism().unwrap();
    let starter = in_process(Reference::new);
    let mut turns = 0;
    in_order(
        &scenarios,
        jobs,
        || Host::new(&starter),
        |host, scenario| host.run(scenario, &needs(scenario, &catalogue)).steps,
        |scenario, steps| {
            for step in &steps {
                if let StepAnswer::Turn(Ok(Reply::Result(trace))) = step {
                    turns += 1;
                    if let Err(what) = check(trace) {
                        panic!("{}: {what}\n{:#?}", scenario.id, trace.order);
                    }
                }
            }
        },
    );
    assert!(turns > 1000, "{turns}");
}

fn check(trace: &TurnTrace) -> Result<(), String> {
    let known = times(trace);
    let mut last = 0;
    let mut seen = std::collections::BTreeSet::new();
    for moment in &trace.order {
        let at_ms = known.get(moment).ok_or_else(|| format!("{moment} is not in the trace"))?;
        if *at_ms < last {
            return Err(format!("{moment} is at {at_ms} ms, after something at {last} ms"));
        }
        last = *at_ms;
        if !seen.insert(*moment) {
            return Err(format!("{moment} stands there twice"));
        }
    }
    // A suspension may end with its tool, and a call that nobody waits for may end after the turn.
    let may_be_left_out =
        |moment: &Moment| moment.ends && matches!(moment.part, Part::Await { .. } | Part::Service(_));
    match known.keys().find(|moment| !seen.contains(moment) && !may_be_left_out(moment)) {
        Some(missing) => Err(format!("{missing} has no place")),
        None => Ok(()),
    }
}

/// When everything in a trace happened.
fn times(trace: &TurnTrace) -> BTreeMap<Moment, u64> {
    let mut times = BTreeMap::new();
    for (number, call) in trace.llm_calls.iter().enumerate() {
        times.insert(Part::LlmCall(number).begins(), call.at_ms);
    }
    for (number, message) in trace.messages.iter().enumerate() {
        times.insert(Part::Message(number).begins(), message.at_ms);
    }
    for (number, event) in trace.events.iter().enumerate() {
        times.insert(Part::Event(number).begins(), event.at_ms);
    }
    for (tool, run) in trace.tools.iter().enumerate() {
        times.insert(Part::Tool(tool).begins(), run.started_ms);
        times.insert(Part::Tool(tool).ends(), run.ended_ms);
        for (number, one) in run.awaits.iter().enumerate() {
            times.insert(Part::Await { tool, number }.begins(), one.started_ms);
            times.insert(Part::Await { tool, number }.ends(), one.ended_ms);
        }
    }
    for (number, call) in trace.services.iter().enumerate() {
        times.insert(Part::Service(number).begins(), call.started_ms);
        if let Some(ended_ms) = call.ended_ms {
            times.insert(Part::Service(number).ends(), ended_ms);
        }
    }
    times
}
