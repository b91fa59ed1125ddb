//! What a run is told as: shares merged, known failures, every form of report.
//!
//! Uses real scenarios with the reference and with doubles that do nothing right; judges neither.
//! Rules: design, "Verdicts": exit codes, known failures; docs/running.md.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

mod doubles;

use std::num::NonZeroUsize;

use doubles::{Double, Habit};
use harness::reference::Reference;
use harness::report::{
    Comparison, Document, Event, ExitCode, Form, FormReporter, Judged, MergeError, ReportError, Reporter,
    Scope, Several, Summary,
};
use harness::runner::{Host, Shard, Starter, Transcript};
use harness::scenario::Scenario;
use harness::spec::Catalogue;
use harness::suite::{Campaign, Repository, in_process, run_campaign};
use harness::verdict::{Baseline, Known, Status};

/// Every n-th scenario, so that there is something of each chapter.
fn scenarios() -> (Catalogue, Vec<Scenario>) {
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap();
    let some = ids.iter().step_by(ids.len() / 40 + 1).map(|id| repository.scenario(id).unwrap());
    (repository.catalogue().unwrap(), some.collect())
}

fn run(campaign: &Campaign<'_>) -> (String, Summary) {
    let mut output = Vec::new();
    let summary = run_campaign(campaign, &mut FormReporter::new(Form::Json, &mut output)).unwrap();
    (String::from_utf8(output).unwrap(), summary)
}

fn document(campaign: &Campaign<'_>) -> Document {
    Document::read(&run(campaign).0).unwrap()
}

fn shares(starter: &Starter, count: usize) -> Vec<(String, Document)> {
    let (catalogue, scenarios) = scenarios();
    (1..=count)
        .map(|index| {
            let shard: Shard = format!("{index}/{count}").parse().unwrap();
            let share = shard.of(scenarios.clone());
            let scope = Scope { shard: Some(shard), ..Scope::default() };
            let campaign = Campaign { scope, ..Campaign::new(starter, &catalogue, &share) };
            (format!("share {index}"), document(&campaign))
        })
        .collect()
}

#[test]
fn merged_shares_equal_the_run_that_was_not_shared() {
    let (catalogue, scenarios) = scenarios();
    let right = in_process(Reference::new);
    let wrong = in_process(|| Double::of(Habit::AcceptsAll));
    let starters: [&Starter; 2] = [&right, &wrong];
    for starter in starters {
        let (whole, summary) = run(&Campaign::new(starter, &catalogue, &scenarios));
        let mut parts = shares(starter, 3);
        parts.reverse();
        let merged = Document::merge(parts).unwrap();
        assert!(Form::Json.text(&merged).unwrap() == whole, "merged shares tell another story");
        assert_eq!(merged.exit_code(), summary.exit_code());
    }
}

#[test]
fn what_is_no_whole_run_is_not_merged() {
    let starter = in_process(Reference::new);
    let refused = |parts: Vec<(String, Document)>| Document::merge(parts).unwrap_err().to_string();
    let whole = shares(&starter, 2);
    assert_eq!(refused(whole[..1].to_vec()), "of 2 shares these are missing: 2");
    assert_eq!(
        refused([whole.clone(), whole[1..].to_vec()].concat()),
        "share 2: share 2 of 2 is there twice"
    );
    let mixed = [whole[..1].to_vec(), shares(&starter, 3)[1..].to_vec()].concat();
    assert_eq!(refused(mixed), "share 2: the number of shares is not the same as in share 1");
    let other = in_process(|| Double::of(Habit::AcceptsAll));
    let mixed = [whole[..1].to_vec(), shares(&other, 2)[1..].to_vec()].concat();
    assert_eq!(refused(mixed), "share 2: the implementation is not the same as in share 1");
    let merged = Document::merge(whole).unwrap();
    assert_eq!(Document::merge(vec![("x".to_owned(), merged)]), Err(MergeError::NoShare("x".to_owned())));
    assert_eq!(Document::merge(Vec::new()), Err(MergeError::Nothing));
}

#[test]
fn the_first_failure_ends_a_run_that_should_fail_fast_at_any_parallelism() {
    let (catalogue, scenarios) = scenarios();
    let starter = in_process(|| Double::of(Habit::RejectsAll));
    let told = |jobs| {
        let jobs = NonZeroUsize::new(jobs).unwrap();
        let campaign = Campaign { fail_fast: true, jobs, ..Campaign::new(&starter, &catalogue, &scenarios) };
        run(&campaign)
    };
    let (text, summary) = told(1);
    assert_eq!(summary.exit_code(), ExitCode::Failures);
    assert_eq!(summary.total + summary.not_run, scenarios.len());
    assert!(summary.not_run > 0);
    let document = Document::read(&text).unwrap();
    let unexpected = document.scenarios.iter().filter(|scenario| scenario.status.is_unexpected()).count();
    assert_eq!(unexpected, 1);
    assert!(!document.is_whole());
    for jobs in [2, 7] {
        assert!(told(jobs).0 == text, "{jobs} jobs tell another story");
    }
}

#[test]
fn what_is_known_to_fail_fails_nobody_and_no_other_run_is_excused_by_it() {
    let (catalogue, scenarios) = scenarios();
    let wrong = in_process(|| Double::of(Habit::RejectsAll));
    let seen = document(&Campaign::new(&wrong, &catalogue, &scenarios));
    let entry = |scenario: &harness::report::ScenarioEntry| {
        let signature = serde_json::Value::from(scenario.signature.as_deref()?);
        Some(format!("{}:\n  reason: it rejects everything\n  signature: {signature}\n", scenario.id))
    };
    let text: String = seen.scenarios.iter().filter_map(entry).collect();
    let baseline = Baseline::read("known.yml", &text).unwrap();
    let suite: Vec<_> = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
    let with_baseline = |starter: &Starter| {
        let known = Some(Known::new(&baseline, None, &suite));
        let campaign = Campaign { known, ..Campaign::new(starter, &catalogue, &scenarios) };
        let (text, summary) = run(&campaign);
        (Document::read(&text).unwrap(), summary)
    };
    let (document, summary) = with_baseline(&wrong);
    assert_eq!(summary.exit_code(), ExitCode::Conformant);
    assert_eq!(document.stale, []);
    assert!(Form::Markdown.text(&document).unwrap().contains("conformant but for known failures"));
    let right = in_process(Reference::new);
    let (document, summary) = with_baseline(&right);
    assert_eq!(summary.exit_code(), ExitCode::Failures);
    assert_eq!(document.exit_code(), ExitCode::Failures);
    assert_eq!(document.stale.len(), baseline.entries.len());
    assert_eq!(document.stale[0].message, "passes; take its entry out");
    let [markdown, github] = [Form::Markdown, Form::Github].map(|form| form.text(&document).unwrap());
    let result =
        format!("| Result | nothing regressed; {} known failures pass now |", baseline.entries.len());
    assert!(markdown.contains(&result), "{markdown}");
    assert!(!markdown.contains("## Failures"), "who became better has no failures:\n{markdown}");
    assert!(markdown.contains("## Known failures that no longer hold"), "{markdown}");
    assert_eq!(github.lines().count(), baseline.entries.len(), "each once:\n{github}");
}

#[test]
fn every_form_tells_of_every_failure() {
    let (catalogue, scenarios) = scenarios();
    let starter = in_process(|| Double::of(Habit::Panics));
    let document = document(&Campaign::new(&starter, &catalogue, &scenarios[..5]));
    let forms = [Form::Json, Form::Junit, Form::Markdown, Form::Github].map(|form| {
        let text = form.text(&document).unwrap();
        assert_eq!(text, form.text(&document).unwrap());
        text
    });
    for scenario in &document.scenarios {
        assert!(scenario.status.is_unexpected(), "{}", scenario.id);
        for text in &forms {
            assert!(text.contains(&scenario.id), "{} is missing in\n{text}", scenario.id);
        }
    }
    let [_, junit, markdown, github] = forms;
    assert!(junit.contains("<error message=") && junit.contains("type=\"crash\""), "{junit}");
    assert!(markdown.contains("| Result | not conformant |"), "{markdown}");
    assert_eq!(github.lines().count(), document.scenarios.len());
    let first = &document.scenarios[0];
    let begins = format!("::error file={},line={},col=", first.file, first.line);
    assert!(github.starts_with(&begins), "{github}");
}

#[test]
fn who_reads_no_further_keeps_no_report_from_the_others() {
    struct Gone;
    impl Reporter for Gone {
        fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
            match event {
                Event::Ended(_) => Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into()),
                _ => Ok(()),
            }
        }
    }
    let (catalogue, scenarios) = scenarios();
    let starter = in_process(Reference::new);
    let mut output = Vec::new();
    let mut several = Several::new();
    several.add(Gone);
    several.add(FormReporter::new(Form::Json, &mut output));
    let outcome = run_campaign(&Campaign::new(&starter, &catalogue, &scenarios[..2]), &mut several);
    drop(several);
    assert!(outcome.is_err());
    assert_eq!(Document::read(&String::from_utf8(output).unwrap()).unwrap().scenarios.len(), 2);
}

#[test]
fn a_report_of_another_format_is_refused() {
    let error = Document::read("{\"format\": 2}").unwrap_err().to_string();
    assert_eq!(error, "this is a report of format 2, this suite reads format 1");
    assert!(Document::read("{}").unwrap_err().to_string().starts_with("this is no JSON report: "));
}

#[test]
fn a_comparison_says_what_became_better_and_what_became_worse() {
    let (catalogue, scenarios) = scenarios();
    let seen_with = |starter: &Starter| document(&Campaign::new(starter, &catalogue, &scenarios));
    let right = seen_with(&in_process(Reference::new));
    let wrong = seen_with(&in_process(|| Double::of(Habit::RejectsAll)));
    let incapable = seen_with(&in_process(Double::incapable));
    let same = Comparison::of(&right, &right);
    assert_eq!((same.same, same.exit_code()), (right.scenarios.len(), ExitCode::Conformant));
    let worse = Comparison::of(&right, &wrong);
    assert_eq!(worse.exit_code(), ExitCode::Failures);
    assert!(worse.text().contains("\nregressed "), "{}", worse.text());
    let better = Comparison::of(&wrong, &right);
    assert_eq!((better.fixed.len(), better.exit_code()), (worse.regressed.len(), ExitCode::Conformant));
    let otherwise = Comparison::of(&wrong, &seen_with(&in_process(|| Double::of(Habit::Dies))));
    assert!(!otherwise.failing_otherwise.is_empty());
    let lost = Comparison::of(&right, &incapable);
    assert_eq!((lost.regressed.len(), lost.exit_code()), (0, ExitCode::Failures));
    assert!(lost.text().contains("\nno longer asked "), "{}", lost.text());
    let unknown = Comparison::of(&wrong, &incapable);
    assert_eq!((unknown.failing_otherwise.len(), unknown.regressed.len()), (0, 0));
    assert_eq!(unknown.failures_no_longer_asked.len(), worse.regressed.len());
    assert!(unknown.text().contains("\nfailed before, not asked any more "), "{}", unknown.text());
    assert_eq!(Comparison::of(&incapable, &wrong).newly_failing.len(), worse.regressed.len());
}

#[test]
fn what_differs_where_the_text_is_silent_is_told_and_regresses_nothing() {
    let (catalogue, _) = scenarios();
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap();
    let observing = ids.iter().map(|id| repository.scenario(id).unwrap()).filter(|scenario| {
        harness::verdict::binding_level(scenario, &catalogue) == harness::spec::Level::Observed
    });
    let observing: Vec<Scenario> = observing.take(12).collect();
    let seen_with = |starter: &Starter| document(&Campaign::new(starter, &catalogue, &observing));
    let right = seen_with(&in_process(Reference::new));
    let other = seen_with(&in_process(|| Double::of(Habit::AcceptsAll)));
    let comparison = Comparison::of(&right, &other);
    assert!(!comparison.observed_otherwise.is_empty());
    assert_eq!(comparison.exit_code(), ExitCode::Conformant);
    assert!(comparison.text().contains("\n  was       as described\n  is "), "{}", comparison.text());
}

#[test]
fn recording_changes_no_verdict_and_what_was_recorded_comes_again() {
    struct Kept(Vec<Judged>);
    impl Reporter for Kept {
        fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
            if let Event::Finished(judged) = event {
                self.0.push(judged.clone());
            }
            Ok(())
        }
    }
    let (catalogue, scenarios) = scenarios();
    let needs = |scenario: &Scenario| harness::scenario::needs(scenario, &catalogue);
    let right = in_process(Reference::new);
    let mut host = Host::new(&right);
    for scenario in &scenarios {
        let (run, transcript) = host.run_recorded(scenario, &needs(scenario));
        assert!(run == Host::new(&right).run(scenario, &needs(scenario)), "{}", scenario.id);
        let read = Transcript::read(&transcript.text().unwrap()).unwrap();
        assert_eq!(Host::new(&right).replay(&read).unwrap(), None, "{}", scenario.id);
    }
    let wrong = in_process(|| Double::of(Habit::RejectsAll));
    let mut kept = Kept(Vec::new());
    let campaign = Campaign { record: true, ..Campaign::new(&wrong, &catalogue, &scenarios) };
    run_campaign(&campaign, &mut kept).unwrap();
    for judged in kept.0 {
        assert_eq!(judged.transcript.is_some(), judged.verdict.status != Status::Pass, "{}", judged.id);
    }
}
