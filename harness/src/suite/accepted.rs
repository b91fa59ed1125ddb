//! Comparing a trace with its snapshot the way insta does: pending files, environment and all.
//!
//! Knows insta; what a trace looks like is for `report` to say.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::scenario::Scenario;
use crate::transport::quietly;

/// insta writes its diff in several pieces: two trials must not write at once.
static ONE_DIFF_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Compares a trace with the snapshot of a scenario; insta shows the difference and, unless told not to,
/// leaves a pending one for review. What went wrong comes back as text.
pub fn accept_or_explain(snapshots: &Path, scenario: &Scenario, trace: &str) -> Result<(), String> {
    let id = scenario.id.as_str();
    let (folder, name) = id.rsplit_once('/').unwrap_or(("", id));
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(snapshots.join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(&scenario.title);
    settings.set_input_file(&scenario.file);
    let _turn = ONE_DIFF_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    quietly(|| settings.bind(|| insta::assert_snapshot!(name, trace)))
        .map_err(|_| "the trace is not the accepted snapshot; review it with `cargo insta review`".to_owned())
}
