//! The outside world and the session of a scenario.
//!
//! Reads a tree whose shape has been checked; reports what two keys say against each other.
//! Rules: `docs/scenarios.md`, "world".

use std::collections::BTreeMap;

use crate::protocol::{
    Channel, Json, McpFailure, McpServer, McpTool, Passage, ServerId, ServiceBehaviour, ServiceName,
    ServiceResult, Session, SkillId, World,
};
use crate::scenario::duration;
use crate::source::Diagnostics;
use crate::source::yaml::Node;

/// Reads `world`.
pub(super) fn read(node: Option<&Node>, problems: &mut Diagnostics<'_>) -> World {
    let Some(node) = node else { return World::default() };
    let mut services = BTreeMap::new();
    for (key, value) in entries(node.get("services")) {
        service_name(key, problems);
        services.insert(ServiceName::new(text(key)), behaviours(value, problems));
    }
    let mut mcp = BTreeMap::new();
    for (key, value) in entries(node.get("mcp")) {
        server_name(key, problems);
        mcp.insert(ServerId::new(text(key)), server(value, problems));
    }
    let passages = node.get("knowledge").and_then(Node::items);
    World {
        open: false,
        services,
        mcp,
        knowledge: passages.map(|passages| passages.iter().map(passage).collect()),
        packages: items(node.get("packages")).iter().map(text).collect(),
    }
}

/// Reads `session`.
pub(super) fn session(node: Option<&Node>, problems: &mut Diagnostics<'_>) -> Session {
    let Some(node) = node else { return Session::default() };
    for (key, _) in entries(node.get("memory")) {
        let name = text(key);
        let full = name.split_once('.').is_some_and(|(owner, entry)| !owner.is_empty() && !entry.is_empty());
        if !full {
            let remedy = "write the full name: `<skill>.<entry>` or `project.<entry>`";
            problems.report(key.position, format!("`{name}` does not say whose entry it is"), remedy);
        }
    }
    Session {
        active: node.get("active").and_then(Node::string).map(SkillId::from),
        memory: values(node.get("memory")),
        channel: match node.get("channel").and_then(Node::string) {
            Some("voice") => Channel::Voice,
            _ => Channel::Text,
        },
        metadata: values(node.get("metadata")),
    }
}

/// A service is imported by its first name, and its other names are attributes.
fn service_name(key: &Node, problems: &mut Diagnostics<'_>) {
    let name = text(key);
    let identifier = |part: &str| {
        let mut characters = part.chars();
        characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
            && characters.all(|c| c.is_alphanumeric() || c == '_')
    };
    if !name.split('.').all(identifier) {
        let message = format!("`{name}` cannot be imported from lib.world");
        problems.report(key.position, message, "use Python names with dots between them: `bank.transfer`");
    } else if name.split('.').next() == Some("busy") {
        let message = "`busy` is lib.world's own: synchronous work that takes time";
        problems.report(key.position, message, "give the service another name");
    }
}

/// What `integrations.yml` allows as a server's name.
fn server_name(key: &Node, problems: &mut Diagnostics<'_>) {
    let name = text(key);
    let starts = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if !(starts && name.chars().all(known)) {
        let message = format!("`{name}` cannot be the name of an MCP server");
        problems.report(
            key.position,
            message,
            "use letters, digits, `_`, `.` and `-`, a letter or digit first",
        );
    }
}

fn behaviours(node: &Node, problems: &mut Diagnostics<'_>) -> Vec<ServiceBehaviour> {
    match node.items() {
        Some(items) => items.iter().map(|item| behaviour(item, problems)).collect(),
        None => vec![behaviour(node, problems)],
    }
}

fn behaviour(node: &Node, problems: &mut Diagnostics<'_>) -> ServiceBehaviour {
    let takes = node.get("takes").and_then(Node::text).and_then(|text| duration::parse(text).ok());
    let ends = match (node.get("returns"), node.get("raises")) {
        (Some(_), Some(raises)) => {
            let message = "a call cannot both return and raise";
            problems.report(
                raises.position,
                message,
                "keep one; for one after the other, write a list of calls",
            );
            ServiceResult::default()
        }
        (Some(value), None) => ServiceResult::Returns(value.to_json()),
        (None, Some(raises)) => ServiceResult::Raises {
            exception: raises.get("type").map(text).unwrap_or_default(),
            message: raises.get("message").map(text).unwrap_or_default(),
        },
        (None, None) => ServiceResult::default(),
    };
    ServiceBehaviour { takes_ms: takes.unwrap_or(0), ends }
}

fn server(node: &Node, problems: &mut Diagnostics<'_>) -> McpServer {
    let tools = items(node.get("tools")).iter().map(|node| mcp_tool(node, problems)).collect();
    let fails = match node.get("fails").and_then(Node::string) {
        Some("connect") => Some(McpFailure::Connect),
        Some("authenticate") => Some(McpFailure::Authenticate),
        Some("list") => Some(McpFailure::List),
        _ => None,
    };
    McpServer { tools, fails }
}

fn mcp_tool(node: &Node, problems: &mut Diagnostics<'_>) -> McpTool {
    let calls = node.get("calls").map(|calls| behaviours(calls, problems)).unwrap_or_default();
    McpTool {
        name: node.get("name").map(text).unwrap_or_default(),
        description: node.get("description").map(text).unwrap_or_default(),
        parameters: node
            .get("parameters")
            .map_or_else(|| Json::Object(serde_json::Map::new()), Node::to_json),
        calls,
    }
}

fn passage(node: &Node) -> Passage {
    Passage {
        text: node.get("text").map(text).unwrap_or_default(),
        source: node.get("source").map(text).unwrap_or_default(),
    }
}

fn values(node: Option<&Node>) -> BTreeMap<String, Json> {
    entries(node).iter().map(|(key, value)| (text(key), value.to_json())).collect()
}

pub(super) fn entries(node: Option<&Node>) -> &[(Node, Node)] {
    node.and_then(Node::entries).unwrap_or_default()
}

pub(super) fn items(node: Option<&Node>) -> &[Node] {
    node.and_then(Node::items).unwrap_or_default()
}

pub(super) fn text(node: &Node) -> String {
    node.text().unwrap_or_default().to_owned()
}
