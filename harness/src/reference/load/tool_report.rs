//! What a tool looks like from outside: its description and parameters as the model sees them.
//!
//! Derives and formats; attaches and refuses nothing.
//! Rules: chapters DEF and SCH; contract-notes, "8. `import_tools`" for remote schemas.

use crate::protocol::{Json, McpTool, ServerId, ToolReport, ToolSource, Unknown, Visibility, World};
use crate::reference::agent::Skill;
use crate::reference::discovery::{self, Attached, Found, HOOK, Maker, Origin};
use crate::reference::python::{Interpreter, Value};
use crate::reference::schema;

/// Reports a tool of a skill.
pub(super) fn report(
    interpreter: &mut Interpreter<'_>,
    skill: &Skill,
    tool: &Attached,
    world: &World,
) -> ToolReport {
    let constraint = skill.constraints.iter().find(|constraint| constraint.tool == tool.name);
    let requires = constraint.and_then(|constraint| constraint.requires.clone());
    let mut report = match &tool.origin {
        Origin::Skill(found) => report_found(interpreter, found, ToolSource::Skill),
        Origin::Shared(found) => report_found(interpreter, found, ToolSource::Shared),
        Origin::Mcp { server, place } => {
            let mut report = report_mcp(discovery::listed(world, server, tool.name.as_str()), server);
            report.place = Some(place.clone());
            report
        }
    };
    report.requires = requires;
    if tool.name.as_str().starts_with(HOOK) && report.source != ToolSource::Mcp {
        report.visibility = Visibility::Hook;
    }
    report
}

fn report_found(interpreter: &mut Interpreter<'_>, found: &Found, source: ToolSource) -> ToolReport {
    let derived = match &found.maker {
        Maker::Function(function) => schema::derive(interpreter, function),
        Maker::Made(made) => schema::unreadable(&made.by),
    };
    let mut unknown = derived.unknown;
    let description = match &found.description {
        Value::Text(text) => Some(text.to_string()),
        Value::Unknown(reason) => {
            unknown.push(schema::told("description".to_owned(), reason, reason.place.clone()));
            None
        }
        _ => {
            let why = "it is not a string".to_owned();
            unknown.push(Unknown { what: "description".to_owned(), why, place: Some(found.place.clone()) });
            None
        }
    };
    ToolReport {
        source,
        place: Some(found.place.clone()),
        description,
        parameters: derived.parameters,
        requires: None,
        visibility: Visibility::Model,
        unknown,
    }
}

fn report_mcp(listed: Option<&McpTool>, server: &ServerId) -> ToolReport {
    let unknown = match listed {
        Some(_) => Vec::new(),
        None => vec![Unknown {
            what: "description and parameters".to_owned(),
            why: format!("the MCP server `{server}` tells them when the agent starts"),
            place: None,
        }],
    };
    ToolReport {
        source: ToolSource::Mcp,
        place: None,
        description: listed.map(|tool| tool.description.clone()),
        parameters: listed.map_or(Json::Null, |tool| discovery::offered_parameters(&tool.parameters)),
        requires: None,
        visibility: Visibility::Model,
        unknown,
    }
}
