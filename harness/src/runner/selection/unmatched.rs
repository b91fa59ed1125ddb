//! Values of a selection that no scenario of the suite answers to, each with the one that was probably meant.
//!
//! Knows ids, scenarios and the catalogue; where a value came from is its caller's business.
//! Rules: judged by itself: what other values select, or narrow down to nothing, makes no slip right or wrong.

use std::collections::BTreeSet;

use super::{Selection, covers, has_tag, is_of_chapter};
use crate::scenario::{Scenario, ScenarioId};
use crate::source::{did_you_mean, nearest};
use crate::spec::{CHAPTERS, Catalogue, RequirementId};

/// A value that selects nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {remedy}")]
pub struct Unmatched {
    what: String,
    remedy: String,
}

impl Selection {
    /// Whether each value that asks for something is answered by one of these; those of them that only a scenario
    /// itself can answer by these scenarios.
    pub fn is_answered(&self, ids: &[ScenarioId], scenarios: &[Scenario]) -> bool {
        self.unmatched_names(ids).is_empty()
            && self.tags.iter().all(|tag| is_tag_of(scenarios, tag))
            && self.requirements.iter().all(|clause| is_covered_by(scenarios, clause))
            && self.chapters.iter().all(|chapter| is_chapter_of(scenarios, chapter))
    }

    /// The values that ask for something and that no scenario of this suite answers to.
    pub fn unmatched(
        &self,
        ids: &[ScenarioId],
        scenarios: &[Scenario],
        catalogue: &Catalogue,
    ) -> Vec<Unmatched> {
        let mut found = self.unmatched_names(ids);
        for tag in self.tags.iter().filter(|tag| !is_tag_of(scenarios, tag)) {
            let known: BTreeSet<&str> =
                scenarios.iter().flat_map(|scenario| &scenario.tags).map(String::as_str).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let what = format!("no scenario has the tag `{tag}`");
            found.push(Unmatched { what, remedy: did_you_mean(tag, &known) });
        }
        for clause in self.requirements.iter().filter(|clause| !is_covered_by(scenarios, clause)) {
            let what = format!("no scenario covers `{clause}`");
            // A clause that there is was meant, and has no scenario.
            let meant = catalogue.requirement(clause).is_none().then(|| catalogue.nearest(clause)).flatten();
            found.push(Unmatched { what, remedy: hint(meant.as_deref()) });
        }
        for chapter in self.chapters.iter().filter(|chapter| !is_chapter_of(scenarios, chapter)) {
            let folders: BTreeSet<&str> = ids.iter().map(ScenarioId::chapter_folder).collect();
            let what = format!("there is no chapter `{chapter}` with scenarios");
            let remedy = match nearest(chapter, folders.iter().copied().chain(CHAPTERS)) {
                Some(meant) => hint(Some(meant)),
                None => format!("use one of: {}", folders.into_iter().collect::<Vec<_>>().join(", ")),
            };
            found.push(Unmatched { what, remedy });
        }
        found
    }

    /// The globs of what is left out that leave nothing out.
    pub fn idle_skips(&self, ids: &[ScenarioId]) -> Vec<&str> {
        let is_idle = |glob: &&globset::GlobMatcher| !ids.iter().any(|id| glob.is_match(id.as_str()));
        self.skip.iter().filter(is_idle).map(|glob| glob.glob().glob()).collect()
    }

    /// The values that ids alone can answer, and none does.
    fn unmatched_names(&self, ids: &[ScenarioId]) -> Vec<Unmatched> {
        let mut found = Vec::new();
        for part in &self.substrings {
            if !ids.iter().any(|id| id.as_str().contains(part.as_str())) {
                let what = format!("no scenario's id contains `{part}`");
                let parts = ids.iter().flat_map(|id| {
                    let id = id.as_str();
                    let (folder, name) = id.split_once('/').unwrap_or((id, id));
                    [id, folder, name]
                });
                found.push(Unmatched { what, remedy: hint(nearest(part, parts)) });
            }
        }
        for glob in &self.run {
            if !ids.iter().any(|id| glob.is_match(id.as_str())) {
                let glob = glob.glob().glob();
                let what = format!("no scenario's id matches `{glob}`");
                let folders: BTreeSet<&str> = ids.iter().map(ScenarioId::chapter_folder).collect();
                let folders: Vec<String> = folders.iter().map(|folder| format!("{folder}/*")).collect();
                let candidates = ids.iter().map(ScenarioId::as_str).chain(folders.iter().map(String::as_str));
                found.push(Unmatched { what, remedy: hint(nearest(glob, candidates)) });
            }
        }
        found
    }
}

fn is_tag_of(scenarios: &[Scenario], tag: &String) -> bool {
    scenarios.iter().any(|scenario| has_tag(scenario, tag))
}

fn is_covered_by(scenarios: &[Scenario], clause: &RequirementId) -> bool {
    scenarios.iter().any(|scenario| covers(scenario, clause))
}

fn is_chapter_of(scenarios: &[Scenario], chapter: &str) -> bool {
    scenarios.iter().any(|scenario| is_of_chapter(scenario, chapter))
}

fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(
        || "`cargo xtask list` shows what there is".to_owned(),
        |meant| format!("did you mean `{meant}`?"),
    )
}
