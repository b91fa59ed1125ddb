//! A place of its own for each test: folders, a way to know who is alive, and runs of a few scenarios.
//!
//! Knows no behaviour. Real time passes here, in short limits only.
//! Rules: nothing is left behind, neither a process nor a folder.

use std::fs::File;
use std::path::{Path, PathBuf};

use harness::report::{Event, ReportError, Reporter};
use harness::scenario::{Scenario, ScenarioId, parse};
use harness::suite::{Campaign, CampaignError, Repository, run_campaign};
use harness::transport::{Command, Limits, child_process};
use harness::verdict::Status;

use crate::adapter::pause;
use crate::behaviour::Behaviour;

/// How often, every few milliseconds, something is waited for that will be in a moment.
const PATIENCE: usize = 400;

/// Long, since the machine may be busy; who waits for silence waits less.
const LIMITS: Limits = Limits { start_ms: 10_000, answer_ms: 10_000, line_bytes: 100_000 };

/// Where a test takes place.
pub(crate) struct Ground {
    folder: PathBuf,
    _owned: Option<tempfile::TempDir>,
}

/// A verdict.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) status: Status,
    pub(crate) reason: String,
}

struct Kept(Vec<Seen>);

impl Reporter for Kept {
    fn take(&mut self, event: Event<'_>) -> Result<(), ReportError> {
        if let Event::Finished(judged) = event {
            let verdict = &judged.verdict;
            self.0.push(Seen { status: verdict.status, reason: verdict.reason.clone() });
        }
        Ok(())
    }
}

impl Ground {
    pub(crate) fn new() -> Self {
        let owned = tempfile::tempdir().unwrap();
        let folder = owned.path().to_owned();
        std::fs::create_dir(folder.join("folders")).unwrap();
        File::create(folder.join("alive")).unwrap();
        Self { folder, _owned: Some(owned) }
    }

    /// The place of another process.
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), _owned: None }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs three scenarios; in the first the adapter is told to misbehave.
    pub(crate) fn run(
        &self,
        behaviour: Behaviour,
        answer_ms: Option<u64>,
    ) -> Result<Vec<Seen>, CampaignError> {
        let command = self.command(&["--misbehave", &format!("{behaviour:?}")]);
        let answer_ms = answer_ms.unwrap_or(LIMITS.answer_ms);
        self.run_command(command.with_limits(Limits { answer_ms, ..LIMITS }), 3)
    }

    /// Has itself greeted, impatiently.
    pub(crate) fn greet(&self, part: &[&str]) -> CampaignError {
        let limits = Limits { start_ms: 300, ..LIMITS };
        self.run_command(self.command(part).with_limits(limits), 1).unwrap_err()
    }

    pub(crate) fn run_command(&self, command: Command, count: usize) -> Result<Vec<Seen>, CampaignError> {
        let scenarios: Vec<Scenario> = (0..count).map(|number| scenario(number, number == 0)).collect();
        run(command.with_folders_in(&self.folder.join("folders")), &scenarios)
    }

    /// Runs so many scenarios, and misbehaves in each.
    pub(crate) fn run_always_misbehaving(&self, behaviour: Behaviour, count: usize) -> Vec<Seen> {
        let scenarios: Vec<Scenario> = (0..count).map(|number| scenario(number, true)).collect();
        let command = self
            .command(&["--misbehave", &format!("{behaviour:?}")])
            .with_limits(Limits { answer_ms: 25, ..LIMITS });
        run(command.with_folders_in(&self.folder.join("folders")), &scenarios).unwrap()
    }

    /// Runs with the limits that users have.
    pub(crate) fn run_patiently(&self, behaviour: Behaviour) -> Result<Vec<Seen>, CampaignError> {
        self.run_command(self.command(&["--misbehave", &format!("{behaviour:?}")]), 1)
    }

    /// Has a sound adapter load a project, and lets it be.
    pub(crate) fn rest(&self) {
        let command = self.command(&["--misbehave", "SaysMoreThanItMust"]).with_limits(LIMITS);
        let mut adapter = child_process(command.with_folders_in(&self.folder.join("folders")))().unwrap();
        adapter.hello().unwrap();
        let scenario = scenario(0, false);
        adapter.load(&scenario.project, &scenario.world, &scenario.session).unwrap();
        pause(20_000);
    }

    /// Waits until so many adapters got a project.
    pub(crate) fn is_populated(&self, count: usize) {
        let is_there =
            |folder: &&String| self.folder.join("folders").join(folder).join("project/agent.yml").exists();
        for _ in 0..PATIENCE {
            if self.folders().iter().filter(is_there).count() >= count {
                return;
            }
            pause(5);
        }
        panic!("nobody got a project");
    }

    /// The names of the folders that are there.
    pub(crate) fn folders(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.join("folders")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Nobody is alive, and no folder is there.
    pub(crate) fn is_deserted(&self) {
        let left = self.folders();
        assert!(left.is_empty(), "left behind: {left:?}");
        let alive = File::open(self.folder.join("alive")).unwrap();
        // A process that was told to end without being waited for takes a moment.
        for _ in 0..PATIENCE {
            if alive.try_lock().is_ok() {
                return;
            }
            pause(5);
        }
        panic!("a process is still alive");
    }

    fn command(&self, part: &[&str]) -> Command {
        let program = std::env::current_exe().unwrap();
        let alive = self.folder.join("alive");
        let words = [program.to_str().unwrap()].into_iter().chain(part.iter().copied());
        Command::new(words.chain([alive.to_str().unwrap()])).unwrap()
    }
}

fn run(command: Command, scenarios: &[Scenario]) -> Result<Vec<Seen>, CampaignError> {
    let catalogue = Repository::shipped().catalogue().unwrap();
    let starter = child_process(command);
    let campaign = Campaign::new(&starter, &catalogue, scenarios);
    let mut kept = Kept(Vec::new());
    run_campaign(&campaign, &mut kept)?;
    Ok(kept.0)
}

fn scenario(number: usize, misbehave: bool) -> Scenario {
    let said = "hello ".repeat(if misbehave { 40_000 } else { 1 });
    let text = format!(
        "scenario: Number {number}\ncovers: [SCH-01]\nsession: {{metadata: {{misbehave: {misbehave}}}}}\n\
         expect: {{outcome: ok}}\nsteps:\n  - user: {said}\n    expect: {{outcome: completed}}\n"
    );
    parse(ScenarioId::new(format!("chaos/number_{number}")), "chaos.yml", &text).unwrap()
}
