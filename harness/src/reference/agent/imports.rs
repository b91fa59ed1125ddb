//! `import_tools`: which shared and MCP tools a skill takes.
//!
//! Reads the list; whether such tools exist is for discovery to say.
//! Rules: contract-notes, "8. `import_tools`".

use super::frontmatter::Document;
use crate::protocol::{LoadPhase, ServerId, SourcePlace, ToolName};
use crate::reference::finding::Findings;
use crate::source::yaml::Node;

/// One entry of `import_tools`.
#[derive(Clone, Debug)]
pub(crate) struct ImportEntry {
    /// What it names.
    pub(crate) import: Import,
    /// Where it stands.
    pub(crate) place: SourcePlace,
}

/// What an entry names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Import {
    /// A tool of the agent's `tools/` folder.
    Shared(ToolName),
    /// A tool of an MCP server.
    Mcp {
        /// The server.
        server: ServerId,
        /// The tool's bare name.
        tool: ToolName,
    },
}

const CODE: &str = "skill.markdown.invalid_import_tools";

/// Reads `import_tools` (contract-notes, "8. `import_tools`"); repeated entries count once.
pub(crate) fn read(
    node: &Node,
    document: &Document,
    path: &str,
    findings: &mut Findings,
) -> Vec<ImportEntry> {
    let mut entries: Vec<ImportEntry> = Vec::new();
    if node.is_null() {
        return entries;
    }
    let Some(items) = node.items() else {
        let message = format!("`import_tools` must be a list of names, not {}", node.kind());
        findings.error(LoadPhase::Train, CODE, document.place(path, node.position), message);
        return entries;
    };
    for item in items {
        let place = document.place(path, item.position);
        let Some(text) = item.string() else {
            let message =
                format!("an entry of `import_tools` must be a string, not {}; quote it", item.kind());
            findings.error(LoadPhase::Train, CODE, place, message);
            continue;
        };
        match parse(text) {
            Ok(import) if entries.iter().any(|known| known.import == import) => {}
            Ok(import) => entries.push(ImportEntry { import, place }),
            Err(message) => findings.error(LoadPhase::Train, CODE, place, message),
        }
    }
    entries
}

/// Reads one entry: `mcp/<server>:<tool>`, or the name of a shared tool.
fn parse(text: &str) -> Result<Import, String> {
    let Some(reference) = text.strip_prefix("mcp/") else { return Ok(Import::Shared(ToolName::new(text))) };
    let form = format!("`{text}` must have the form `mcp/<server>:<tool>`");
    let (server, tool) = reference.split_once(':').ok_or_else(|| form.clone())?;
    if !is_server_name(server) {
        return Err(format!("{form}: `{server}` is no server name"));
    }
    let begins = tool.starts_with(|first: char| first.is_ascii_alphanumeric());
    let consists = tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !begins || !consists || tool.len() > 64 {
        return Err(format!("{form}: `{tool}` is no tool name"));
    }
    Ok(Import::Mcp { server: ServerId::new(server), tool: ToolName::new(tool) })
}

/// Whether a server may have this name.
pub(crate) fn is_server_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}
