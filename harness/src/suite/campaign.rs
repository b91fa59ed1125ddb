//! Many scenarios with one implementation, told to a reporter.
//!
//! Events come in the order of the scenarios at any parallelism.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::implementation::Fault;
use crate::report::{Event, Judged, ReportError, Reporter, Scope, Snapshot, Summary, compare_snapshot};
use crate::runner::{Host, Starter, Transcript, in_order_until};
use crate::scenario::Scenario;
use crate::spec::Catalogue;
use crate::suite::patience::{Heard, Patience};
use crate::suite::perform::{Performance, perform, perform_recorded, unasked};
use crate::suite::repository::Repository;
use crate::verdict::Known;

/// What to run.
pub struct Campaign<'campaign> {
    /// Starts the implementation, once a worker.
    pub starter: &'campaign Starter,
    /// The clauses.
    pub catalogue: &'campaign Catalogue,
    /// The scenarios, in the order of the report.
    pub scenarios: &'campaign [Scenario],
    /// Which part of the suite they are.
    pub scope: Scope,
    /// Where snapshots to compare with are.
    pub snapshots: Option<&'campaign Repository>,
    /// Whether a changed snapshot is a failure.
    pub strict: bool,
    /// The known failures.
    pub known: Option<Known<'campaign>>,
    /// Whether to stop at the first unexpected verdict.
    pub fail_fast: bool,
    /// Whether to keep what was asked and answered where something failed.
    pub record: bool,
    /// How many workers.
    pub jobs: NonZeroUsize,
}

/// A campaign that did not come to an end.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Nobody to ask.
    #[error(transparent)]
    NotStarted(#[from] Fault),
    /// Nobody to tell.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl<'campaign> Campaign<'campaign> {
    /// The whole suite with one worker, and nothing but it.
    pub fn new(
        starter: &'campaign Starter,
        catalogue: &'campaign Catalogue,
        scenarios: &'campaign [Scenario],
    ) -> Self {
        Self {
            starter,
            catalogue,
            scenarios,
            scope: Scope::default(),
            snapshots: None,
            strict: false,
            known: None,
            fail_fast: false,
            record: false,
            jobs: NonZeroUsize::MIN,
        }
    }
}

/// Runs a campaign.
pub fn run_campaign(campaign: &Campaign<'_>, reporter: &mut dyn Reporter) -> Result<Summary, CampaignError> {
    let mut first = Host::new(campaign.starter);
    let hello = first.greet()?;
    // Greeted once to know who it is; whether it leaves in good order is asked of the workers.
    _ = first.close();
    let (selected, scope, catalogue) = (campaign.scenarios.len(), campaign.scope, campaign.catalogue);
    reporter.take(Event::Started { hello: &hello, selected, scope, catalogue })?;
    let mut summary = Summary { strict: campaign.strict, ..Summary::default() };
    let mut known = campaign.known.clone();
    let mut told = Ok(());
    let given_up = OnceLock::new();
    let mut patience = Patience::new(&given_up);
    let unasked = |scenario: &Scenario, fault: &Fault| {
        let performance = unasked(&hello, catalogue, scenario, fault.clone());
        let given_up = performance.run.missing.is_empty();
        Judged { given_up, ..judged(campaign, scenario, performance, None) }
    };
    in_order_until(
        campaign.scenarios,
        campaign.jobs,
        || Host::new(campaign.starter),
        |host, scenario| match given_up.get() {
            Some(fault) => (unasked(scenario, fault), Heard::NotAsked),
            None => asked(campaign, host, scenario),
        },
        |scenario, (mut judged, heard)| {
            match given_up.get() {
                // A worker that was ahead has asked, which it would not have done alone.
                Some(fault) => judged = unasked(scenario, fault),
                None => patience.note(heard),
            }
            if let Some(known) = &mut known {
                judged.expected = known.apply(&judged.id, &mut judged.verdict);
            }
            summary.count(&judged);
            told = reporter.take(Event::Finished(&judged));
            let is_over = campaign.fail_fast && judged.verdict.status.is_unexpected();
            if told.is_err() || is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    told?;
    summary.not_run = selected - summary.total;
    summary.stale = known.map(Known::stale).unwrap_or_default();
    reporter.take(Event::Ended(&summary))?;
    Ok(summary)
}

fn asked(campaign: &Campaign<'_>, host: &mut Host<'_>, scenario: &Scenario) -> (Judged, Heard) {
    let (performance, transcript) = if campaign.record {
        let (performance, transcript) = perform_recorded(host, campaign.catalogue, scenario);
        (performance, Some(transcript))
    } else {
        (perform(host, campaign.catalogue, scenario), None)
    };
    let heard = Heard::in_run(&performance.run);
    (judged(campaign, scenario, performance, transcript), heard)
}

fn judged(
    campaign: &Campaign<'_>,
    scenario: &Scenario,
    performance: Performance,
    transcript: Option<Transcript>,
) -> Judged {
    let snapshot = match (campaign.snapshots, &performance.trace) {
        (Some(repository), Some(trace)) => {
            // A snapshot that cannot be read is as good as none: it says so where it is recorded.
            let accepted = repository.snapshot(&scenario.id).ok().flatten();
            compare_snapshot(accepted.as_deref(), trace)
        }
        _ => Snapshot::NotCompared,
    };
    let mut judged = Judged::new(scenario, campaign.catalogue, performance.verdict, snapshot);
    judged.timeline = performance.timeline;
    judged.said = performance.run.said;
    judged.missing = performance.run.missing;
    judged.transcript = transcript.filter(|_| judged.failures.status.is_unexpected());
    judged
}
