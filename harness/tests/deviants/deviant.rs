//! A deviant: the reference, wrong in exactly one way.
//!
//! Wraps the reference and changes what goes in or what comes out; knows nothing of scenarios or verdicts.
//! Rules: design, "Proof that the suite is good", 2.

use harness::implementation::{Fault, Implementation};
use harness::project::{MemoryProject, ProjectSource};
use harness::protocol::{HelloReport, LoadReport, Reply, Session, Turn, TurnTrace, Wait, WaitReport, World};
use harness::reference::Reference;

/// What is asked when a project is loaded.
#[derive(Clone, Default)]
pub(crate) struct Asked {
    pub(crate) project: MemoryProject,
    pub(crate) world: World,
    pub(crate) session: Session,
    /// The project that was loaded before this one.
    pub(crate) former: Option<MemoryProject>,
}

/// What a deviant knows of the conversation so far, as it was asked and as the reference answered.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) asked: Asked,
    pub(crate) report: LoadReport,
    pub(crate) turn: Option<Turn>,
    pub(crate) earlier: Vec<TurnTrace>,
}

type OnLoad = Box<dyn Fn(&mut Asked) + Send + Sync>;
type OnReport = Box<dyn Fn(&mut LoadReport, &Seen) + Send + Sync>;
type OnTurn = Box<dyn Fn(&mut Turn, &Seen) + Send + Sync>;
type OnTrace = Box<dyn Fn(&mut TurnTrace, &Seen) + Send + Sync>;
type OnRestart = Box<dyn Fn(&TurnTrace, &Seen) -> Option<Session> + Send + Sync>;

/// One way to be wrong.
pub(crate) struct Deviant {
    /// What it does, as a sentence.
    pub(crate) name: &'static str,
    /// The clauses that it breaks.
    pub(crate) breaks: Vec<&'static str>,
    /// Whether being wrong means to refuse a sound project.
    pub(crate) refuses: bool,
    load: Option<OnLoad>,
    report: Option<OnReport>,
    turn: Option<OnTurn>,
    trace: Option<OnTrace>,
    restart: Option<OnRestart>,
}

/// A deviant that does not deviate yet; `breaks` lists clauses, apart by spaces.
pub(crate) fn deviant(name: &'static str, breaks: &'static str) -> Deviant {
    let breaks = breaks.split_whitespace().collect();
    Deviant { name, breaks, refuses: false, load: None, report: None, turn: None, trace: None, restart: None }
}

impl Deviant {
    /// Says that being wrong means to refuse a sound project.
    pub(crate) fn refusing(mut self) -> Self {
        self.refuses = true;
        self
    }

    /// Changes the project, the world or the session before they are loaded.
    pub(crate) fn load(mut self, change: impl Fn(&mut Asked) + Send + Sync + 'static) -> Self {
        self.load = Some(Box::new(change));
        self
    }

    /// Changes the load report.
    pub(crate) fn report(mut self, change: impl Fn(&mut LoadReport, &Seen) + Send + Sync + 'static) -> Self {
        self.report = Some(Box::new(change));
        self
    }

    /// Changes what a turn asks for.
    pub(crate) fn turn(mut self, change: impl Fn(&mut Turn, &Seen) + Send + Sync + 'static) -> Self {
        self.turn = Some(Box::new(change));
        self
    }

    /// Changes a turn's trace.
    pub(crate) fn trace(mut self, change: impl Fn(&mut TurnTrace, &Seen) + Send + Sync + 'static) -> Self {
        self.trace = Some(Box::new(change));
        self
    }

    /// Starts over between turns, with the session made from the latest trace, if one is made.
    pub(crate) fn restart(
        mut self,
        session: impl Fn(&TurnTrace, &Seen) -> Option<Session> + Send + Sync + 'static,
    ) -> Self {
        self.restart = Some(Box::new(session));
        self
    }
}

/// The reference as a deviant runs it.
pub(crate) struct Deviating {
    deviant: &'static Deviant,
    reference: Reference,
    seen: Seen,
}

impl Deviating {
    pub(crate) fn new(deviant: &'static Deviant) -> Self {
        Self { deviant, reference: Reference::new(), seen: Seen::default() }
    }

    fn start_over(&mut self) -> Result<(), Fault> {
        let (Some(restart), Some(latest)) = (&self.deviant.restart, self.seen.earlier.last()) else {
            return Ok(());
        };
        if let Some(session) = restart(latest, &self.seen) {
            let Asked { project, world, .. } = &self.seen.asked;
            self.reference.load(project, world, &session)?;
        }
        Ok(())
    }
}

impl Implementation for Deviating {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        self.reference.hello()
    }

    fn load(
        &mut self,
        project: &dyn ProjectSource,
        world: &World,
        session: &Session,
    ) -> Result<Reply<LoadReport>, Fault> {
        let files = project.paths().into_iter().filter_map(|path| Some((path, project.read(path)?.to_vec())));
        let former = (!self.seen.asked.project.paths().is_empty()).then(|| self.seen.asked.project.clone());
        let mut asked =
            Asked { project: files.collect(), world: world.clone(), session: session.clone(), former };
        if let Some(change) = &self.deviant.load {
            change(&mut asked);
        }
        let mut reply = self.reference.load(&asked.project, &asked.world, &asked.session)?;
        self.seen = Seen { asked, ..Seen::default() };
        if let Reply::Result(report) = &mut reply {
            self.seen.report = report.clone();
            if let Some(change) = &self.deviant.report {
                change(report, &self.seen);
            }
        }
        Ok(reply)
    }

    fn turn(&mut self, turn: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        self.start_over()?;
        let mut turn = turn.clone();
        self.seen.turn = Some(turn.clone());
        if let Some(change) = &self.deviant.turn {
            change(&mut turn, &self.seen);
        }
        let mut reply = self.reference.turn(&turn)?;
        if let Reply::Result(trace) = &mut reply {
            let honest = trace.clone();
            if let Some(change) = &self.deviant.trace {
                change(trace, &self.seen);
            }
            self.seen.earlier.push(honest);
        }
        Ok(reply)
    }

    fn wait(&mut self, wait: Wait) -> Result<Reply<WaitReport>, Fault> {
        self.reference.wait(wait)
    }

    fn bye(&mut self) -> Result<(), Fault> {
        self.reference.bye()
    }
}
