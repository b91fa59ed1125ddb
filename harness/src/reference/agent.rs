//! An agent project as declared: its skills, their settings, the servers it names.
//!
//! Reads YAML and Markdown; knows nothing of Python. Rules: contract-notes, "1. Project layout" to
//! "3. memory.yml", "5. `tool_constraints`", "7. agent.yml and integrations.yml", "8. `import_tools`".

mod body;
mod configuration;
mod constraints;
mod frontmatter;
mod imports;
mod memory_schema;
mod places;
mod prose;
mod responses;
mod server_settings;
mod settings;
mod skill;
mod steps;
mod written;

pub(crate) use body::Body;
pub(crate) use configuration::{Configuration, read_configuration};
pub(crate) use constraints::{Constraint, NEVER_HOLDS};
pub(crate) use imports::{Import, ImportEntry};
pub(crate) use memory_schema::{read_project_memory, read_skill_memory};
pub(crate) use prose::Paragraph;
pub(crate) use responses::{Buttons, Responses, Variant, read_responses};
pub(crate) use skill::{Skill, read_skills};
pub(crate) use steps::{Block, Next, Step, StepKind};
pub(crate) use written::WrittenCondition;

use std::rc::Rc;

use crate::project::ProjectSource;
use crate::protocol::SourcePlace;
use crate::source::yaml::{self, Node};

/// A YAML file that cannot be read.
pub(crate) struct BrokenYaml {
    /// Where.
    pub(crate) place: SourcePlace,
    /// What is wrong and what to do.
    pub(crate) message: String,
}

/// Reads a YAML file; `None` when there is no such file or nothing in it.
pub(crate) fn read_yaml(project: &dyn ProjectSource, path: &str) -> Result<Option<Rc<Node>>, BrokenYaml> {
    let Some(bytes) = project.read(path) else { return Ok(None) };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return Err(BrokenYaml {
            place: super::finding::file(path),
            message: "the file is not UTF-8 text".to_owned(),
        });
    };
    parse_yaml(path, text, 0)
}

/// Parses YAML that begins some lines into a file.
fn parse_yaml(path: &str, text: &str, lines_before: u32) -> Result<Option<Rc<Node>>, BrokenYaml> {
    yaml::parse_shared(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|error| {
        let mut position = error.position;
        position.line += lines_before;
        let message = match error.remedy.as_str() {
            "" => error.message,
            remedy => format!("{}; {remedy}", error.message),
        };
        BrokenYaml { place: super::finding::at(path, position), message }
    })
}
