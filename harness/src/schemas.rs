//! The JSON Schemas that are published under `specs/`.
//!
//! Knows which there are; each layer says what its own looks like.
//! Rules: the committed files equal these texts; a test below says when they are stale.

use crate::{protocol, report, scenario, spec, verdict};

/// Every published schema: the file's name under `specs/`, and its text.
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("protocol.schema.json", pretty(&protocol::schema())),
        ("scenario.schema.json", pretty(&scenario::schema())),
        ("chapter.schema.json", pretty(&spec::schema())),
        ("baseline.schema.json", pretty(&verdict::baseline_schema())),
        ("report.schema.json", pretty(&report::report_schema())),
    ]
}

fn pretty(schema: &protocol::Json) -> String {
    format!("{schema:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schemas_are_fresh() {
        let specs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
        for (name, text) in all() {
            let committed = std::fs::read_to_string(specs.join(name)).unwrap_or_default();
            assert!(committed == text, "specs/{name} is stale: run `cargo xtask schemas` and commit it");
        }
    }
}
