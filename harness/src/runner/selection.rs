//! Which scenarios are asked for.
//!
//! Two questions, since a path is free and a parse is not: what an id alone can tell, and what only the
//! scenario itself can. Several values of one kind widen, several kinds narrow.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::scenario::{Scenario, ScenarioId};
use crate::spec::RequirementId;

/// What was asked for; the default asks for everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    substrings: Vec<String>,
    run: Option<GlobSet>,
    skip: Option<GlobSet>,
    tags: Vec<String>,
    requirements: Vec<RequirementId>,
    chapters: Vec<String>,
}

/// A selection that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Not a glob.
    #[error("`{glob}` is not a glob: {why}")]
    Glob {
        /// What was given.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// Not a requirement's id.
    #[error("`{0}` is not a requirement id, write it as `SCH-07`")]
    Requirement(String),
}

impl Selection {
    /// Asks for ids that contain one of these.
    #[must_use]
    pub fn containing(mut self, substrings: Vec<String>) -> Self {
        self.substrings = substrings;
        self
    }

    /// Asks for ids that match one of these globs; `*` also crosses `/`.
    pub fn running(mut self, globs: &[String]) -> Result<Self, SelectionError> {
        self.run = set_of(globs)?;
        Ok(self)
    }

    /// Leaves out ids that match one of these globs.
    pub fn skipping(mut self, globs: &[String]) -> Result<Self, SelectionError> {
        self.skip = set_of(globs)?;
        Ok(self)
    }

    /// Asks for scenarios with one of these tags.
    #[must_use]
    pub fn tagged(mut self, tags: Vec<String>) -> Self {
        self.tags = tags;
        self
    }

    /// Asks for scenarios that cover one of these clauses.
    pub fn covering(mut self, requirements: &[String]) -> Result<Self, SelectionError> {
        let parse = |text: &String| {
            RequirementId::parse(text).ok_or_else(|| SelectionError::Requirement(text.clone()))
        };
        self.requirements = requirements.iter().map(parse).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Asks for scenarios of one of these chapters, by folder (`schema`) or id (`SCH`).
    #[must_use]
    pub fn in_chapters(mut self, chapters: Vec<String>) -> Self {
        self.chapters = chapters;
        self
    }

    /// Whether the id alone rules a scenario out.
    pub fn excludes(&self, id: &ScenarioId) -> bool {
        let id = id.as_str();
        let named = self.substrings.is_empty() || self.substrings.iter().any(|part| id.contains(part));
        let run = self.run.as_ref().is_none_or(|globs| globs.is_match(id));
        let skipped = self.skip.as_ref().is_some_and(|globs| globs.is_match(id));
        !named || !run || skipped
    }

    /// Whether a scenario is asked for.
    pub fn includes(&self, scenario: &Scenario) -> bool {
        let tagged = self.tags.is_empty() || self.tags.iter().any(|tag| scenario.tags.contains(tag));
        let covers = |wanted: &RequirementId| scenario.covers.iter().any(|(id, _)| id == wanted);
        let covering = self.requirements.is_empty() || self.requirements.iter().any(covers);
        let of_chapter = |chapter: &String| {
            scenario.id.chapter_folder() == chapter
                || scenario.covers.iter().any(|(id, _)| id.chapter().eq_ignore_ascii_case(chapter))
        };
        let in_chapter = self.chapters.is_empty() || self.chapters.iter().any(of_chapter);
        !self.excludes(&scenario.id) && tagged && covering && in_chapter
    }
}

fn set_of(globs: &[String]) -> Result<Option<GlobSet>, SelectionError> {
    if globs.is_empty() {
        return Ok(None);
    }
    let refuse = |glob: &str, error: &globset::Error| SelectionError::Glob {
        glob: glob.to_owned(),
        why: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(Glob::new(glob).map_err(|error| refuse(glob, &error))?);
    }
    set.build().map(Some).map_err(|error| refuse(&globs.join(", "), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(selection: &Selection) -> Vec<&'static str> {
        let ids = ["memory/read", "schema/literal", "schema/optional_union"];
        ids.into_iter().filter(|id| !selection.excludes(&ScenarioId::new(*id))).collect()
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_asked_is_everything() {
        assert_eq!(selected(&Selection::default()).len(), 3);
    }

    #[test]
    fn several_values_widen_and_several_kinds_narrow() {
        let either = Selection::default().containing(texts(&["read", "literal"]));
        assert_eq!(selected(&either), ["memory/read", "schema/literal"]);
        let narrowed = either.running(&texts(&["schema/*"])).unwrap();
        assert_eq!(selected(&narrowed), ["schema/literal"]);
        let skipped = Selection::default().skipping(&texts(&["schema/*"])).unwrap();
        assert_eq!(selected(&skipped), ["memory/read"]);
    }

    #[test]
    fn a_glob_without_wildcards_is_the_id_itself() {
        let one = Selection::default().running(&texts(&["schema/literal"])).unwrap();
        assert_eq!(selected(&one), ["schema/literal"]);
    }

    #[test]
    fn slips_are_refused() {
        assert!(Selection::default().running(&texts(&["schema/[a"])).is_err());
        let error = Selection::default().covering(&texts(&["sch-7"])).unwrap_err();
        assert_eq!(error.to_string(), "`sch-7` is not a requirement id, write it as `SCH-07`");
    }
}
