//! When an implementation that answers nothing is given up.
//!
//! Counts in the order of the scenarios and not of the workers, so that verdicts and reasons are the same at any
//! parallelism. Rules: docs/adapters.md, "When something goes wrong".

use std::sync::OnceLock;

use crate::implementation::Fault;
use crate::runner::Run;

/// How many scenarios in a row may end in silence: each costs its whole time limit. Crashes cost a start, of which there
/// is at most one a scenario.
const MAXIMUM_SILENCES: u32 = 20;

/// What was heard in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Nothing, for so many real milliseconds.
    Silence(u64),
    /// Something, if only the noise of an end.
    Something,
    /// Nobody was asked, which says nothing about whether anybody would have answered.
    NotAsked,
}

impl Heard {
    /// What was heard in this run.
    pub(super) fn in_run(run: &Run) -> Self {
        match run.fault() {
            _ if !run.missing.is_empty() || run.not_started.is_some() => Self::NotAsked,
            Some(Fault::Silence { limit_ms, .. }) => Self::Silence(*limit_ms),
            _ => Self::Something,
        }
    }
}

/// How much silence there was.
pub(super) struct Patience<'campaign> {
    silences: u32,
    given_up: &'campaign OnceLock<Fault>,
}

impl<'campaign> Patience<'campaign> {
    /// Patience that ends by setting what the workers look at.
    pub(super) fn new(given_up: &'campaign OnceLock<Fault>) -> Self {
        Self { silences: 0, given_up }
    }

    /// Notes what was heard in the next scenario, told in their order.
    pub(super) fn note(&mut self, heard: Heard) {
        match heard {
            Heard::NotAsked => {}
            Heard::Something => self.silences = 0,
            Heard::Silence(limit_ms) => {
                self.silences += 1;
                if self.silences == MAXIMUM_SILENCES {
                    let detail =
                        format!("given up after {MAXIMUM_SILENCES} silences in a row, nothing was asked");
                    // From here on nobody is asked, so it is set once.
                    _ = self.given_up.set(Fault::Silence { limit_ms, detail });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Capability, LoadReport, Reply};

    fn silent() -> Run {
        let silence = Fault::Silence { limit_ms: 7, detail: String::new() };
        Run { load: Some(Err(silence)), ..Run::default() }
    }

    fn given_up(runs: impl IntoIterator<Item = Run>) -> bool {
        let given_up = OnceLock::new();
        let mut patience = Patience::new(&given_up);
        runs.into_iter().for_each(|run| patience.note(Heard::in_run(&run)));
        given_up.get().is_some()
    }

    #[test]
    fn twenty_silences_in_a_row_are_enough() {
        assert!(!given_up(vec![silent(); 19]));
        assert!(given_up(vec![silent(); 20]));
    }

    #[test]
    fn an_answer_between_them_starts_the_count_again_and_what_nobody_was_asked_does_not() {
        let answered = Run { load: Some(Ok(Reply::Result(LoadReport::default()))), ..Run::default() };
        let around = |run: Run| [vec![silent(); 19], vec![run], vec![silent(); 1]].concat();
        assert!(!given_up(around(answered)));
        assert!(given_up(around(Run::lacking([Capability::ALL[0]].into()))));
        assert!(given_up(around(Run::unanswered(Fault::NotStarted("busy".to_owned())))));
    }
}
