//! Which clauses are covered by a test, chapter by chapter, and whether that is enough.
//!
//! Pure; counts what scenarios claim to cover, not whether they catch a breach.
//! Rules: a gated `must` is covered, or excluded with a reason; `observed` is counted only.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Scenario;
use crate::spec::{Catalogue, Chapter, Level, Requirement, RequirementId};

/// The coverage of all chapters, in the order of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The chapters.
    pub chapters: Vec<ChapterCoverage>,
}

/// The coverage of one chapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChapterCoverage {
    /// Its id.
    pub chapter: String,
    /// Its title.
    pub title: String,
    /// Whether its `must` clauses have to be covered.
    pub gated: bool,
    /// Its `must` clauses, those that are excluded apart.
    pub must: Count,
    /// Its `observed` clauses, those that are excluded apart.
    pub observed: Count,
    /// The clauses that nothing covers.
    pub uncovered: Vec<Uncovered>,
    /// The clauses that are excluded.
    pub excluded: Vec<Excluded>,
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// So many are covered.
    pub covered: usize,
    /// Of so many.
    pub total: usize,
}

/// A clause that nothing covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Uncovered {
    /// Its id.
    pub id: String,
    /// `must` or `observed`.
    pub level: &'static str,
    /// Whether that fails the gate.
    pub fails: bool,
    /// What it says.
    pub statement: String,
    /// Where it stands, as `file:line:column`.
    pub place: String,
}

/// A clause that no test is demanded for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: String,
}

impl Coverage {
    /// The clauses whose lack of a test fails the gate.
    pub fn failures(&self) -> impl Iterator<Item = &Uncovered> {
        self.chapters.iter().flat_map(|chapter| &chapter.uncovered).filter(|clause| clause.fails)
    }
}

/// The clauses that scenarios claim to cover.
pub fn covered_by(scenarios: &[Scenario]) -> BTreeSet<RequirementId> {
    scenarios.iter().flat_map(|scenario| &scenario.covers).map(|(id, _)| id.clone()).collect()
}

/// The coverage of a catalogue, given the clauses that are covered.
pub fn coverage(catalogue: &Catalogue, covered: &BTreeSet<RequirementId>) -> Coverage {
    Coverage {
        chapters: catalogue.chapters.iter().map(|chapter| chapter_coverage(chapter, covered)).collect(),
    }
}

fn chapter_coverage(chapter: &Chapter, covered: &BTreeSet<RequirementId>) -> ChapterCoverage {
    let mut coverage = ChapterCoverage {
        chapter: chapter.id.clone(),
        title: chapter.title.clone(),
        gated: chapter.gated,
        must: Count::default(),
        observed: Count::default(),
        uncovered: Vec::new(),
        excluded: Vec::new(),
    };
    for requirement in &chapter.requirements {
        if let Some(reason) = &requirement.excluded {
            coverage.excluded.push(Excluded { id: requirement.id.to_string(), reason: reason.clone() });
            continue;
        }
        let count = match requirement.level {
            Level::Must => &mut coverage.must,
            Level::Observed => &mut coverage.observed,
        };
        count.total += 1;
        if covered.contains(&requirement.id) {
            count.covered += 1;
        } else {
            coverage.uncovered.push(uncovered(requirement));
        }
    }
    coverage
}

fn uncovered(requirement: &Requirement) -> Uncovered {
    let (level, binding) = match requirement.level {
        Level::Must => ("must", true),
        Level::Observed => ("observed", false),
    };
    Uncovered {
        id: requirement.id.to_string(),
        level,
        fails: binding && requirement.gated,
        statement: requirement.statement.clone(),
        place: requirement.place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "\
chapter: SCH
title: Schema
gated: true
needs: [schema]
requirements:
  - {id: SCH-01, level: must, statement: One, source: {document: tools-reference, section: S}}
  - {id: SCH-02, level: must, statement: Two, excluded: Unseen, source: {document: tools-reference, section: S}}
  - {id: SCH-03, level: must, statement: Three, gated: false, source: {document: tools-reference, section: S}}
  - {id: SCH-04, level: observed, statement: Four, source: {document: tools-reference, section: S}}
  - {id: SCH-05, level: must, statement: Five, source: {document: tools-reference, section: S}}
";

    fn covering(spec: &str, ids: &[&str]) -> Coverage {
        let catalogue = Catalogue::read(&[("specs/schema.yml".to_owned(), spec.to_owned())]).unwrap();
        coverage(&catalogue, &ids.iter().filter_map(|id| RequirementId::parse(id)).collect())
    }

    fn failures(coverage: &Coverage) -> Vec<&str> {
        coverage.failures().map(|clause| clause.id.as_str()).collect()
    }

    #[test]
    fn a_gated_must_is_covered_or_excluded() {
        let coverage = covering(SPEC, &["SCH-05"]);
        assert_eq!(failures(&coverage), ["SCH-01"]);
        let chapter = &coverage.chapters[0];
        assert_eq!(
            (chapter.must, chapter.observed),
            (Count { covered: 1, total: 3 }, Count { covered: 0, total: 1 })
        );
        assert_eq!(chapter.excluded, [Excluded { id: "SCH-02".to_owned(), reason: "Unseen".to_owned() }]);
        let uncovered: Vec<&str> = chapter.uncovered.iter().map(|clause| clause.id.as_str()).collect();
        assert_eq!(uncovered, ["SCH-01", "SCH-03", "SCH-04"]);
        assert_eq!(failures(&covering(SPEC, &["SCH-01", "SCH-05"])), <[&str; 0]>::default());
    }

    #[test]
    fn a_clause_can_be_gated_in_a_chapter_that_is_not() {
        let spec = SPEC
            .replace("gated: true", "gated: false")
            .replace("gated: false, source", "gated: true, source");
        assert_eq!(failures(&covering(&spec, &[])), ["SCH-03"]);
    }
}
