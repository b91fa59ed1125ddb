//! An agent project as files, read through one small trait with two sources: memory and a folder.
//!
//! Knows nothing of what the files mean. An implementation that needs a real folder writes the files
//! out; the others never touch the disk.

mod files;
mod folder;

pub use files::{MemoryProject, ProjectSource};
pub use folder::{FolderError, FolderProject};
