//! MCP servers when the agent starts: each server that a skill refers to must answer and have the tools.
//!
//! Rules: tools-reference, "Where tools are discovered", last paragraph; clauses in chapter MCP.

use super::attachment::{Attached, Origin};
use crate::protocol::{Json, LoadPhase, McpFailure, McpTool, ServerId, World};
use crate::reference::finding::Findings;

/// Connects to each server that a tool comes from. Each server that fails is one finding; in an open world
/// only those that are listed can.
pub(crate) fn check_startup<'skill>(
    tools: impl IntoIterator<Item = &'skill Attached>,
    world: &World,
    findings: &mut Findings,
) {
    let mut failed: Vec<&ServerId> = Vec::new();
    for tool in tools {
        let Origin::Mcp { server, place } = &tool.origin else { continue };
        if failed.contains(&server) {
            continue;
        }
        let problem = match world.mcp.get(server) {
            None if world.open => None,
            None => Some(("unreachable", format!("the MCP server `{server}` does not answer"))),
            Some(known) => match known.fails {
                Some(McpFailure::Connect) => {
                    Some(("unreachable", format!("no connection to the MCP server `{server}`")))
                }
                Some(McpFailure::Authenticate) => {
                    Some(("unauthenticated", format!("the MCP server `{server}` refuses the credentials")))
                }
                Some(McpFailure::List) => {
                    Some(("unlisted", format!("the MCP server `{server}` does not list its tools")))
                }
                None if listed(world, server, tool.name.as_str()).is_none() => {
                    let message = format!("the MCP server `{server}` has no tool `{}`", tool.name);
                    findings.error(LoadPhase::Startup, "mcp.startup.missing_tool", place.clone(), message);
                    None
                }
                None => None,
            },
        };
        if let Some((code, message)) = problem {
            findings.error(LoadPhase::Startup, &format!("mcp.startup.{code}"), place.clone(), message);
            failed.push(server);
        }
    }
}

/// A tool as its server lists it.
pub(crate) fn listed<'world>(world: &'world World, server: &ServerId, tool: &str) -> Option<&'world McpTool> {
    world.mcp.get(server)?.tools.iter().find(|listed| listed.name == tool)
}

/// What says what a property may be, beside `type`.
const STRUCTURE: [&str; 10] =
    ["$ref", "allOf", "anyOf", "const", "enum", "items", "not", "oneOf", "prefixItems", "properties"];

/// A listed schema as the model sees it: no others than the listed properties, unless it says so, none
/// required, and text where a property's type is open (MCP-09, observed). A schema that describes no object
/// stays as it is, since its tool is never called (MCP-12).
pub(crate) fn offered_parameters(listed: &Json) -> Json {
    let mut offered = listed.clone();
    let Some(schema) = offered.as_object_mut() else { return offered };
    if schema.get("type").and_then(Json::as_str) != Some("object") {
        return offered;
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Json::as_object_mut) {
        for property in properties.values_mut().filter_map(Json::as_object_mut) {
            if !property.contains_key("type") && !STRUCTURE.iter().any(|key| property.contains_key(*key)) {
                property.insert("type".to_owned(), Json::String("string".to_owned()));
            }
        }
    }
    schema.entry("required").or_insert_with(|| Json::Array(Vec::new()));
    schema.entry("additionalProperties").or_insert(Json::Bool(false));
    offered
}
