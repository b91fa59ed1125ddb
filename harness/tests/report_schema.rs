//! What is published about the JSON report holds for real ones, with a scenario of every status in them.
//!
//! Knows no rule of the schema: a validator reads the published file. Rules: `specs/report.schema.json`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use boon::{Compiler, SchemaIndex, Schemas};
use harness::implementation::{Fault, Implementation};
use harness::project::ProjectSource;
use harness::protocol::{
    Capability, Errored, HelloReport, Json, LoadOutcome, LoadPhase, LoadReport, Reply, Session, Turn,
    TurnTrace, Wait, WaitReport, World,
};
use harness::reference::Reference;
use harness::report::{Document, Form, FormReporter, Scope};
use harness::runner::Shard;
use harness::scenario::Scenario;
use harness::spec::Catalogue;
use harness::suite::{Campaign, Repository, in_process, run_campaign};
use harness::verdict::{Baseline, Known};

/// The reference, but that it lacks a capability and does one thing after the other to its projects.
#[derive(Default)]
struct Moody {
    reference: Reference,
}

/// What becomes of a project, told from how much text there is in it: the same in every run.
fn mood(project: &dyn ProjectSource) -> usize {
    let texts = project.paths().into_iter().filter_map(|path| project.read(path));
    texts.map(|text| text.len()).sum::<usize>() % 9
}

impl Implementation for Moody {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        let mut reply = self.reference.hello()?;
        if let Reply::Result(hello) = &mut reply {
            hello.capabilities.remove(&Capability::Buttons);
        }
        Ok(reply)
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        let said = || "exit status: 7\nits stderr:\n  no \u{fffd}\"luck\"".to_owned();
        match mood(project) {
            0 => Err(Fault::Crash(said())),
            1 => Err(Fault::Silence { limit_ms: 300, detail: said() }),
            2 => Err(Fault::Protocol(said())),
            3 => Err(Fault::Harness(said())),
            4 => Ok(Reply::Errored(Errored { message: "not my day".to_owned(), detail: said() })),
            5 => Ok(Reply::Result(LoadReport {
                outcome: LoadOutcome::Rejected,
                phase: Some(LoadPhase::Train),
                ..LoadReport::default()
            })),
            6 => Ok(Reply::Result(LoadReport::default())),
            _ => self.reference.load(project, world, session),
        }
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.reference.turn(turn)
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.reference.wait(wait)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.reference.bye()
    }
}

struct Published {
    schemas: Schemas,
    report: SchemaIndex,
}

impl Published {
    fn read() -> Self {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../specs/report.schema.json");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let report = compiler.compile(file.to_str().unwrap(), &mut schemas).unwrap();
        Self { schemas, report }
    }

    fn refusal(&self, report: &Json) -> Option<String> {
        self.schemas.validate(report, self.report).err().map(|error| format!("{error:#}"))
    }
}

fn scenarios() -> (Repository, Catalogue, Vec<Scenario>) {
    let repository = Repository::shipped();
    let ids = repository.scenario_ids().unwrap();
    let some = ids.iter().step_by(5).map(|id| repository.scenario(id).unwrap()).collect();
    let catalogue = repository.catalogue().unwrap();
    (repository, catalogue, some)
}

fn report(campaign: &Campaign<'_>) -> Json {
    let mut output = Vec::new();
    let reporter = FormReporter::new(Form::Json, &mut output);
    run_campaign(campaign, &mut reporter.of_command(Some("-- ./my-adapter -v".to_owned()))).unwrap();
    serde_json::from_slice(&output).unwrap()
}

/// A baseline that excuses every third failure, and what passes or is no scenario.
fn baseline(seen: &Json) -> Baseline {
    let seen = Document::read(&seen.to_string()).unwrap();
    let failed = seen.scenarios.iter().filter_map(|one| Some((&one.id, one.signature.as_deref()?)));
    let passed = seen.scenarios.iter().filter(|one| one.signature.is_none()).map(|one| (&one.id, "fail x"));
    let none = "schema/none_such".to_owned();
    let excused = failed.step_by(3).chain(passed.step_by(9)).chain([(&none, "fail y")]);
    let entry = |(id, signature): (&String, &str)| {
        let signature = Json::from(signature);
        format!("{id}:\n  reason: ours\n  issue: https://example.org/7\n  signature: {signature}\n")
    };
    Baseline::read("known.yml", &excused.map(entry).collect::<String>()).unwrap()
}

#[test]
fn real_reports_are_as_published() {
    let published = Published::read();
    let (repository, catalogue, scenarios) = scenarios();
    let moody = in_process(Moody::default);
    let plain = Campaign {
        snapshots: Some(&repository),
        strict: true,
        ..Campaign::new(&moody, &catalogue, &scenarios)
    };
    let alone = report(&plain);
    assert_eq!(published.refusal(&alone), None);
    let baseline = baseline(&alone);
    let suite: Vec<_> = scenarios.iter().map(|scenario| scenario.id.clone()).collect();
    let shard: Shard = "1/2".parse().unwrap();
    let share = report(&Campaign {
        known: Some(Known::new(&baseline, None, &suite)),
        scope: Scope { filtered: true, shard: Some(shard) },
        ..plain
    });
    assert_eq!(published.refusal(&share), None);
    let statuses = share["scenarios"].as_array().unwrap().iter().map(|one| one["status"].as_str().unwrap());
    let seen: BTreeSet<&str> = statuses.collect();
    let all = ["pass", "fail", "xfail", "xpass", "skip", "untestable", "crash", "timeout", "protocol-error"];
    assert_eq!(seen, all.into_iter().chain(["harness-error"]).collect(), "every status was there");
    for (place, what) in [("stale", "/stale/0/kind"), ("a share", "/scope/shard/index")] {
        assert!(share.pointer(what).is_some(), "{place} was there");
    }
    let has = |key: &str| share["scenarios"].as_array().unwrap().iter().any(|one| one.get(key).is_some());
    for key in ["differences", "expected", "observed", "reason", "signature", "snapshot"] {
        assert!(has(key), "{key} was there");
    }
}

#[test]
fn what_is_no_report_is_refused() {
    let published = Published::read();
    let (_, catalogue, scenarios) = scenarios();
    let reference = in_process(Reference::new);
    let sound = report(&Campaign::new(&reference, &catalogue, &scenarios[..3]));
    assert_eq!(published.refusal(&sound), None);
    for (place, wrong) in [
        ("/format", Json::from("1")),
        ("/scenarios/0/status", Json::from("passed")),
        ("/scenarios/0/covers/0/level", Json::Null),
        ("/implementation/capabilities/0", Json::from("flying")),
        ("/summary/counts", Json::from(3)),
        ("/chapters/0", Json::Object(serde_json::Map::new())),
    ] {
        let mut report = sound.clone();
        *report.pointer_mut(place).unwrap() = wrong;
        assert!(published.refusal(&report).is_some(), "{place} can be anything");
    }
}
