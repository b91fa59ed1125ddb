//! Which scenarios are asked for.
//!
//! Two questions, since a path is free and a parse is not: what an id alone can tell, and what only the
//! scenario itself can. Rules: several values of one kind widen, several kinds narrow; a value that no scenario
//! answers to is a slip, whatever the others select.

mod unmatched;

use globset::{Glob, GlobMatcher};

use crate::scenario::{Scenario, ScenarioId};
use crate::spec::RequirementId;
pub use unmatched::Unmatched;

/// What was asked for; the default asks for everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    substrings: Vec<String>,
    run: Vec<GlobMatcher>,
    skip: Vec<GlobMatcher>,
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
        self.run = matchers(globs)?;
        Ok(self)
    }

    /// Leaves out ids that match one of these globs.
    pub fn skipping(mut self, globs: &[String]) -> Result<Self, SelectionError> {
        self.skip = matchers(globs)?;
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
        let matches = |globs: &[GlobMatcher]| globs.iter().any(|glob| glob.is_match(id));
        let named = self.substrings.is_empty() || self.substrings.iter().any(|part| id.contains(part));
        let run = self.run.is_empty() || matches(&self.run);
        let skipped = matches(&self.skip);
        !named || !run || skipped
    }

    /// Whether a scenario is asked for.
    pub fn includes(&self, scenario: &Scenario) -> bool {
        let tagged = self.tags.is_empty() || self.tags.iter().any(|tag| has_tag(scenario, tag));
        let covering =
            self.requirements.is_empty() || self.requirements.iter().any(|id| covers(scenario, id));
        let in_chapter =
            self.chapters.is_empty() || self.chapters.iter().any(|chapter| is_of_chapter(scenario, chapter));
        !self.excludes(&scenario.id) && tagged && covering && in_chapter
    }
}

fn has_tag(scenario: &Scenario, tag: &String) -> bool {
    scenario.tags.contains(tag)
}

fn covers(scenario: &Scenario, clause: &RequirementId) -> bool {
    scenario.covers.iter().any(|(id, _)| id == clause)
}

fn is_of_chapter(scenario: &Scenario, chapter: &str) -> bool {
    scenario.id.chapter_folder() == chapter
        || scenario.covers.iter().any(|(id, _)| id.chapter().eq_ignore_ascii_case(chapter))
}

fn matchers(globs: &[String]) -> Result<Vec<GlobMatcher>, SelectionError> {
    let matcher = |glob: &String| match Glob::new(glob) {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(SelectionError::Glob { glob: glob.clone(), why: error.kind().to_string() }),
    };
    globs.iter().map(matcher).collect()
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
