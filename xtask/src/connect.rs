//! What `inspect --connect` adds: the tools of the MCP servers that a project declares.
//!
//! Alone knows that there may be no client in this build; says what went wrong and judges nothing.
//! Rules: `mcp/client`; a secret is read from the environment and goes nowhere but there.

use std::collections::BTreeMap;

use harness::project::ProjectSource;
use harness::protocol::{McpServer, ServerId};

/// How long a server may take to let us in, and again to list its tools.
#[cfg(feature = "mcp")]
const LIMIT: std::time::Duration = std::time::Duration::from_secs(10);

/// What the servers of the project answer. What there is to say about one that did not is printed.
#[cfg(feature = "mcp")]
pub(crate) fn servers(project: &dyn ProjectSource) -> Result<BTreeMap<ServerId, McpServer>, String> {
    let variable = |name: &str| std::env::var(name).ok();
    let answers = mcp_client::ask_servers(project, &variable, LIMIT).map_err(|error| error.to_string())?;
    for (server, note) in &answers.notes {
        crate::output::eprintln!("note: the MCP server `{server}`: {note}");
    }
    Ok(answers.servers)
}

/// Says how to get a build that can.
#[cfg(not(feature = "mcp"))]
pub(crate) fn servers(_: &dyn ProjectSource) -> Result<BTreeMap<ServerId, McpServer>, String> {
    let command = "cargo run --package xtask --features mcp -- inspect <AGENT_FOLDER> --connect";
    Err(format!("this build cannot connect; run `{command}`"))
}
