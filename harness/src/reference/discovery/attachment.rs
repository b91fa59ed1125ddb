//! Which tools a skill has, and which of its imports and constraints are refused.
//!
//! Knows names and tiers; how a tool's schema comes about is another module's business.
//! Rules: chapter DSC, above all the resolution order.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::RESERVED;
use super::module_tools::{Found, ModuleTools, duplicate};
use crate::protocol::{LoadPhase, LogRecord, ServerId, SourcePlace, ToolName};
use crate::reference::agent::{Configuration, Import, ImportEntry, Skill};
use crate::reference::finding::Findings;
use crate::source::nearest;

/// A tool of a skill.
#[derive(Clone, Debug)]
pub(crate) struct Attached {
    /// The name the model sees.
    pub(crate) name: ToolName,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

/// Where a skill's tool comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The skill's own modules.
    Skill(Found),
    /// The agent's `tools/` folder.
    Shared(Found),
    /// An MCP server.
    Mcp {
        /// The server.
        server: ServerId,
        /// The import entry.
        place: SourcePlace,
    },
}

const REFUSED: &str = "skill.import_tools.invalid_shared_tool";

/// Resolves a skill's tools: its own, then the shared ones it imports, then MCP (DSC-14 to DSC-29).
pub(crate) fn attach(
    skill: &Skill,
    local: &ModuleTools,
    shared: &ModuleTools,
    elsewhere: &BTreeMap<ToolName, Rc<str>>,
    configuration: &Configuration,
    findings: &mut Findings,
) -> (Vec<Attached>, Vec<LogRecord>) {
    let mut logs = Vec::new();
    let mut attached: Vec<Attached> = local
        .tools
        .values()
        .map(|found| Attached { name: found.name.clone(), origin: Origin::Skill(found.clone()) })
        .collect();
    for entry in &skill.imports {
        let Import::Shared(name) = &entry.import else { continue };
        match (local.tools.get(name), shared.tools.get(name)) {
            // DSC-17: the skill's own definition wins.
            (Some(own), Some(other)) => logs.push(duplicate(own, other)),
            (None, Some(found)) => {
                attached.push(Attached { name: name.clone(), origin: Origin::Shared(found.clone()) });
            }
            (own, None) => {
                if !shared.incomplete {
                    let message = explain_missing(name, own.is_some(), shared, elsewhere);
                    findings.error(LoadPhase::Train, REFUSED, entry.place.clone(), message);
                }
            }
        }
    }
    for entry in &skill.imports {
        if let Import::Mcp { server, tool } = &entry.import {
            match refuse_mcp(server, tool, &attached, configuration) {
                Some(message) => findings.error(LoadPhase::Train, REFUSED, entry.place.clone(), message),
                None => attached.push(mcp_tool(server, tool, entry)),
            }
        }
    }
    let readable = !local.incomplete && !shared.incomplete;
    for constraint in &skill.constraints {
        let provided = attached.iter().any(|tool| tool.name == constraint.tool);
        if !provided && readable {
            let message = explain_unresolved(&constraint.tool, &attached, shared);
            let code = "mantle.validation.tools.unresolved_tool";
            findings.error(LoadPhase::Train, code, constraint.place.clone(), message);
        }
    }
    (attached, logs)
}

fn mcp_tool(server: &ServerId, tool: &ToolName, entry: &ImportEntry) -> Attached {
    let origin = Origin::Mcp { server: server.clone(), place: entry.place.clone() };
    Attached { name: tool.clone(), origin }
}

/// Why an MCP entry is refused at training, if it is (DSC-24 to DSC-29).
fn refuse_mcp(
    server: &ServerId,
    tool: &ToolName,
    attached: &[Attached],
    configuration: &Configuration,
) -> Option<String> {
    if !configuration.servers.contains(server) {
        let known = configuration.servers.iter().map(ServerId::as_str);
        let hint = nearest(server.as_str(), known).map_or_else(
            || "declare it under `mcp_servers` in integrations.yml".to_owned(),
            |name| format!("did you mean `{name}`?"),
        );
        return Some(format!("the MCP server `{server}` is not declared; {hint}"));
    }
    if RESERVED.contains(&tool.as_str()) {
        return Some(format!("the MCP tool `{tool}` has the name of a built-in tool and cannot be imported"));
    }
    let other = attached.iter().find(|known| known.name == *tool)?;
    Some(match &other.origin {
        Origin::Skill(found) => {
            format!(
                "the MCP tool `{tool}` has the name of the skill's own tool in {}; rename that one",
                found.file
            )
        }
        Origin::Shared(found) => {
            format!(
                "the MCP tool `{tool}` has the name of the shared tool in {}; import one of them",
                found.file
            )
        }
        Origin::Mcp { server: other, .. } => {
            format!("`{tool}` is imported from `{other}` already; a skill can have one tool of a name")
        }
    })
}

fn explain_missing(
    name: &ToolName,
    own: bool,
    shared: &ModuleTools,
    elsewhere: &BTreeMap<ToolName, Rc<str>>,
) -> String {
    if own {
        return format!("`{name}` is the skill's own tool and needs no import; remove the entry");
    }
    if let Some(file) = elsewhere.get(name) {
        return format!("`{name}` is a tool of another skill ({file}); move it to tools/ to share it");
    }
    let candidates = shared.tools.keys().map(ToolName::as_str);
    let hint = nearest(name.as_str(), candidates).map_or_else(
        || "define it there, or remove the entry".to_owned(),
        |name| format!("did you mean `{name}`?"),
    );
    format!("no tool `{name}` is defined in tools/; {hint}")
}

fn explain_unresolved(name: &ToolName, attached: &[Attached], shared: &ModuleTools) -> String {
    if shared.tools.contains_key(name) {
        return format!("the shared tool `{name}` is not imported; add it to `import_tools`");
    }
    let candidates = attached.iter().map(|tool| tool.name.as_str());
    let hint = nearest(name.as_str(), candidates)
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default();
    format!("the skill has no tool `{name}` to constrain{hint}")
}
