//! Questions to the catalogue: a clause by its id, what it needs, the id that was probably meant.
//!
//! Knows the catalogue's data only.
//! Rules: a clause needs what its chapter needs, and what it names itself.

use std::collections::BTreeSet;

use super::{Catalogue, Chapter, Requirement, RequirementId};
use crate::protocol::Capability;
use crate::source;

impl Catalogue {
    /// The clause with this id.
    pub fn requirement(&self, id: &RequirementId) -> Option<&Requirement> {
        self.chapter(id)?.requirements.iter().find(|requirement| requirement.id == *id)
    }

    /// The chapter that this id names.
    pub fn chapter(&self, id: &RequirementId) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.id == id.chapter())
    }

    /// What an implementation must be capable of to be asked about this clause.
    pub fn needs_of(&self, id: &RequirementId) -> BTreeSet<Capability> {
        let chapter = self.chapter(id).into_iter().flat_map(|chapter| &chapter.needs);
        let own = self.requirement(id).into_iter().flat_map(|requirement| &requirement.needs);
        chapter.chain(own).copied().collect()
    }

    /// Every clause, in the order of the contract.
    pub fn requirements(&self) -> impl Iterator<Item = &Requirement> {
        self.chapters.iter().flat_map(|chapter| &chapter.requirements)
    }

    /// The known id that an unknown one was probably meant to be: the last of its chapter for a number
    /// beyond it, else the one spelled most alike.
    pub fn nearest(&self, id: &RequirementId) -> Option<String> {
        if let Some(last) = self.chapter(id).and_then(|chapter| chapter.requirements.last()) {
            return Some(last.id.to_string());
        }
        let known: Vec<String> = self.requirements().map(|requirement| requirement.id.to_string()).collect();
        source::nearest(&id.to_string(), known.iter().map(String::as_str)).map(str::to_owned)
    }
}
