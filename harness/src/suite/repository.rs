//! Where the suite's parts lie, and reading one scenario from there.
//!
//! Names folders; what is in them is for `spec`, `scenario` and `report` to say.

use std::path::{Path, PathBuf};

use crate::report::snapshot_path;
use crate::runner::{FilesError, scenario_ids, scenario_path};
use crate::scenario::{self, Scenario, ScenarioId};
use crate::source::Diagnostic;
use crate::spec::{Catalogue, CatalogueError};

/// The folder that holds `specs/`, `scenarios/` and `snapshots/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
}

/// Something in the repository that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file cannot be opened.
    #[error("{file}: {error}")]
    File {
        /// The file, from the root.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}", diagnostics_text(.0))]
    Malformed(Vec<Diagnostic>),
    /// The catalogue is not what it should be.
    #[error("{}", catalogue_text(.0))]
    Catalogue(#[from] CatalogueError),
    /// Scenarios cannot be listed.
    #[error(transparent)]
    Files(#[from] FilesError),
}

impl Repository {
    /// The one this library was built from.
    pub fn shipped() -> Self {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self::at(package.parent().unwrap_or(package))
    }

    /// The one with this root.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The folder of the snapshots.
    pub fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    /// The folder of the scenarios.
    pub fn scenarios(&self) -> PathBuf {
        self.root.join("scenarios")
    }

    /// The ids of all scenarios, sorted; no file is opened.
    pub fn scenario_ids(&self) -> Result<Vec<ScenarioId>, ReadError> {
        Ok(scenario_ids(&self.scenarios())?)
    }

    /// Reads a scenario.
    pub fn scenario(&self, id: &ScenarioId) -> Result<Scenario, ReadError> {
        let file = format!("scenarios/{id}.yml");
        let text = std::fs::read_to_string(scenario_path(&self.scenarios(), id))
            .map_err(|error| ReadError::File { file: file.clone(), error })?;
        scenario::parse(id.clone(), &file, &text).map_err(ReadError::Malformed)
    }

    /// Reads the requirement catalogue.
    pub fn catalogue(&self) -> Result<Catalogue, ReadError> {
        Ok(Catalogue::open(&self.root.join("specs"))?)
    }

    /// The text of a scenario's snapshot file, if there is one.
    pub fn snapshot(&self, id: &ScenarioId) -> Result<Option<String>, ReadError> {
        match std::fs::read_to_string(snapshot_path(&self.snapshots(), id)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ReadError::File { file: format!("snapshots/{id}.snap"), error }),
        }
    }
}

fn catalogue_text(error: &CatalogueError) -> String {
    match error {
        CatalogueError::Wrong(found) => diagnostics_text(found),
        CatalogueError::Unreadable { .. } | CatalogueError::Empty(_) => error.to_string(),
    }
}

fn diagnostics_text(found: &[Diagnostic]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}
