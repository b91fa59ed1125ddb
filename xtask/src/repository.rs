//! Where the repository's parts lie, whatever folder a command is started from.
//!
//! Knows names of folders only; what is in them is read by the commands.
//! Rules: `ARCHITECTURE.md`, "The parts".

use std::path::{Path, PathBuf};

/// The repository's root: the folder above this package.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}
