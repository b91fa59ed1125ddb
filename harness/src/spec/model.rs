//! The catalogue's data.
//!
//! Types without behaviour; where they come from is the reader's business.
//! Rules: `specs/*.yml` and its schema.

use std::collections::BTreeSet;

use crate::protocol::Capability;
use crate::source::Place;

/// All chapters, in the order of the contract.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The chapters.
    pub chapters: Vec<Chapter>,
}

/// A chapter of the contract.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Its id, three capitals, for example `SCH`.
    pub id: String,
    /// The stem of its file, which is also its folder under `scenarios/`, for example `schema`.
    pub folder: String,
    /// Its title.
    pub title: String,
    /// Whether an uncovered `must` in it fails the coverage gate.
    pub gated: bool,
    /// What an implementation must be capable of to be asked about this chapter.
    pub needs: BTreeSet<Capability>,
    /// Its clauses, in the order of the text.
    pub requirements: Vec<Requirement>,
}

/// One clause.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Its id.
    pub id: RequirementId,
    /// How binding it is.
    pub level: Level,
    /// What a runtime does, in one sentence.
    pub statement: String,
    /// Where it comes from.
    pub source: Source,
    /// What this clause needs beyond its chapter; empty when the chapter's needs say it all.
    pub needs: BTreeSet<Capability>,
    /// Whether its coverage is demanded; follows the chapter unless the clause says otherwise.
    pub gated: bool,
    /// Why no scenario or property tests it, if none does.
    pub excluded: Option<String>,
    /// Why it is `observed`, or how two readings differ.
    pub note: Option<String>,
    /// Where it stands in the catalogue.
    pub place: Place,
}

/// A clause's id: chapter and number, for example `SCH-07`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequirementId {
    chapter: String,
    number: u16,
}

/// How binding a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The text demands it; breaking it fails.
    Must,
    /// The text is silent or can be read two ways; recorded, never failed.
    Observed,
}

/// Where a clause comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The document.
    pub document: Document,
    /// The section's heading as printed there.
    pub section: String,
}

/// The documents clauses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// The normative text.
    ToolsReference,
    /// Facts from the pages it links to.
    ContractNotes,
}

impl RequirementId {
    /// Reads an id: three capitals, a hyphen, two digits or more.
    pub fn parse(text: &str) -> Option<Self> {
        let (chapter, number) = text.split_once('-')?;
        let capitals = chapter.len() == 3 && chapter.bytes().all(|byte| byte.is_ascii_uppercase());
        let digits = number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        (capitals && digits).then_some(())?;
        Some(Self { chapter: chapter.to_owned(), number: number.parse().ok()? })
    }

    /// The chapter's id.
    pub fn chapter(&self) -> &str {
        &self.chapter
    }
}

impl std::fmt::Display for RequirementId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{:02}", self.chapter, self.number)
    }
}
