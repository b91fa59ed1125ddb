//! Which scenarios a command is about: the flags, and the scenarios they choose.
//!
//! Knows flags and files; what is done with the scenarios is the commands' business.
//! Rules: several values of one flag widen, several flags narrow; a value that selects nothing by itself is an error.

use std::path::Path;

use clap::Args;
use harness::runner::{Selection, SelectionError, Unmatched};
use harness::scenario::Scenario;
use harness::suite::{ReadError, Repository};

/// Choosing scenarios.
#[derive(Args)]
#[command(next_help_heading = "Choosing scenarios")]
pub(crate) struct Chosen {
    /// Only ids that contain one of these. A value that selects nothing by itself, here or above, is an error.
    filters: Vec<String>,
    /// Only ids that match this glob, for example `schema/*`; may be repeated.
    #[arg(long, value_name = "GLOB")]
    run: Vec<String>,
    /// No ids that match this glob; may be repeated.
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Only scenarios with this tag; may be repeated.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only scenarios that cover this clause, for example `SCH-07`; may be repeated.
    #[arg(long, value_name = "ID")]
    requirement: Vec<String>,
    /// Only scenarios of this chapter, by folder or id: `schema` or `SCH`; may be repeated.
    #[arg(long, value_name = "CHAPTER")]
    chapter: Vec<String>,
}

/// Why no scenarios could be chosen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChosenError {
    #[error(transparent)]
    Selection(#[from] SelectionError),
    #[error(transparent)]
    Listing(#[from] ReadError),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"))]
    Scenarios(Vec<ReadError>),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n       "))]
    Unmatched(Vec<Unmatched>),
    #[error("no scenario is selected: each of these values has some, but together they leave none")]
    Nothing,
}

impl Chosen {
    /// Choosing by globs and chapters alone, for commands whose words mean something else.
    pub(crate) fn by(run: &[String], chapter: &[String]) -> Self {
        let none = Vec::new;
        Self {
            filters: none(),
            run: run.to_vec(),
            skip: none(),
            tag: none(),
            requirement: none(),
            chapter: chapter.to_vec(),
        }
    }

    /// Whether this may leave scenarios out.
    pub(crate) fn is_filtered(&self) -> bool {
        let Self { filters, run, skip, tag, requirement, chapter } = self;
        [filters, run, skip, tag, requirement, chapter].into_iter().any(|values| !values.is_empty())
    }

    /// The command that somebody wrote without the `--` before it: from the first filter on that no scenario's id
    /// contains and that is a program or another file.
    pub(crate) fn forgotten_command(&self, repository: &Repository) -> Result<Option<&[String]>, ReadError> {
        if self.filters.is_empty() {
            return Ok(None);
        }
        let ids = repository.scenario_ids()?;
        let is_none = |filter: &String| !ids.iter().any(|id| id.as_str().contains(filter.as_str()));
        let first = self.filters.iter().position(|filter| is_none(filter) && is_program(filter));
        Ok(first.and_then(|first| self.filters.get(first..)))
    }

    /// Reads the chosen scenarios, in the order of their ids; never none.
    pub(crate) fn scenarios(&self, repository: &Repository) -> Result<Vec<Scenario>, ChosenError> {
        let selection = Selection::default()
            .containing(self.filters.clone())
            .running(&self.run)?
            .skipping(&self.skip)?
            .tagged(self.tag.clone())
            .covering(&self.requirement)?
            .in_chapters(self.chapter.clone());
        let ids = repository.scenario_ids()?;
        let mut chosen = Vec::new();
        let mut wrong = Vec::new();
        for id in ids.iter().filter(|id| !selection.excludes(id)) {
            match repository.scenario(id) {
                Ok(scenario) => chosen.push(scenario),
                Err(error) => wrong.push(error),
            }
        }
        if !selection.is_answered(&ids, &chosen) {
            // Only now are the others of interest: one of them may answer what these do not.
            let all: Vec<Scenario> = ids.iter().filter_map(|id| repository.scenario(id).ok()).collect();
            let unmatched = selection.unmatched(&ids, &all, &repository.catalogue()?);
            if !unmatched.is_empty() {
                return Err(ChosenError::Unmatched(unmatched));
            }
        }
        if !wrong.is_empty() {
            return Err(ChosenError::Scenarios(wrong));
        }
        for glob in selection.idle_skips(&ids) {
            crate::output::eprintln!("warning: --skip {glob}: no scenario's id matches, nothing is left out");
        }
        chosen.retain(|scenario| selection.includes(scenario));
        if chosen.is_empty() { Err(ChosenError::Nothing) } else { Ok(chosen) }
    }
}

/// Whether a word is what one starts or what one gives to an interpreter; a scenario's file is neither.
fn is_program(word: &str) -> bool {
    let path = Path::new(word);
    if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") {
        return false;
    }
    let is_bare = path.components().count() == 1;
    let searched = std::env::var_os("PATH").filter(|_| is_bare).unwrap_or_default();
    path.is_file() || std::env::split_paths(&searched).any(|folder| folder.join(path).is_file())
}
