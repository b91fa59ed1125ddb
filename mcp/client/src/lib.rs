//! Asks the MCP servers that an agent project declares what tools they have.
//!
//! Knows what is declared and what is answered, nothing of skills; calls no tool and prints nothing.
//! Rules: contract-notes, "7. agent.yml and integrations.yml"; the protocol's `McpServer`.

mod ask;
mod declared;
mod door;

use std::collections::BTreeMap;
use std::time::Duration;

use harness::project::ProjectSource;
use harness::protocol::{McpServer, ServerId};

/// What the declared servers answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// Each server that was connected to, or that did not let us.
    pub servers: BTreeMap<ServerId, McpServer>,
    /// What there is to say beside that, by server: why one was not tried, or what went wrong.
    /// Never a secret, and nothing that a server wrote.
    pub notes: Vec<(ServerId, String)>,
}

/// Connecting is not possible on this machine.
#[derive(Debug, thiserror::Error)]
#[error("no connections can be made here: {0}")]
pub struct CannotConnect(#[from] std::io::Error);

/// Connects to every server that the project declares, all at once, and lists its tools. Secrets are the
/// values of the variables that the project names. A server has `limit` to let us in and as much to list.
pub fn ask_servers(
    project: &dyn ProjectSource,
    variable: &dyn Fn(&str) -> Option<String>,
    limit: Duration,
) -> Result<Answers, CannotConnect> {
    let mut answers = Answers::default();
    let mut doors = Vec::new();
    for server in declared::servers(project) {
        match door::open(&server, variable) {
            Ok(door) => doors.push((server.name, door)),
            Err(reason) => answers.notes.push((server.name, format!("not connected: {reason}"))),
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for (name, answer) in runtime.block_on(ask::all(doors, limit)) {
        answers.notes.extend(answer.note.map(|note| (name.clone(), note)));
        answers.servers.insert(name, answer.server);
    }
    answers.notes.sort();
    Ok(answers)
}
