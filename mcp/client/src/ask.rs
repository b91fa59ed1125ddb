//! The conversation with a server: let in, list, leave.
//!
//! Knows nothing of projects. Every wait has a limit, and so has every list.
//! Rules: the Model Context Protocol, "Lifecycle", "Transports" and "Tools"; the protocol's `McpServer`.

use std::time::Duration;

use harness::protocol::{Json, McpFailure, McpServer, McpTool, ServerId};
use reqwest::StatusCode;
use reqwest::header::ACCEPT;
use rmcp::ServiceExt;
use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::{ClientInitializeError, Peer, RoleClient, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::door::{Door, deepest};

/// How many pages of tools are read; a server with more does not list them.
const MAXIMUM_PAGES: usize = 100;

/// What came of asking one server.
pub(crate) struct Answer {
    pub(crate) server: McpServer,
    /// What went wrong, where it is known.
    pub(crate) note: Option<String>,
}

/// Asks all servers at once.
pub(crate) async fn all(doors: Vec<(ServerId, Door)>, limit: Duration) -> Vec<(ServerId, Answer)> {
    let mut asking = JoinSet::new();
    for (name, door) in doors {
        asking.spawn(async move { (name, ask(&door, limit).await) });
    }
    asking.join_all().await
}

async fn ask(door: &Door, limit: Duration) -> Answer {
    let silent = || Some(format!("no answer within {} ms", limit.as_millis()));
    let configuration = StreamableHttpClientTransportConfig::with_uri(door.url.as_str());
    let transport = StreamableHttpClientTransport::with_client(door.client.clone(), configuration);
    let connected = match timeout(limit, ().serve(transport)).await {
        Err(_) => return failed(McpFailure::Connect, silent()),
        Ok(Ok(connected)) => connected,
        Ok(Err(error)) if error.auth_challenge().is_some() => return failed(McpFailure::Authenticate, None),
        Ok(Err(error)) => {
            return timeout(limit, knock(door, &error))
                .await
                .unwrap_or_else(|_| failed(McpFailure::Connect, silent()));
        }
    };
    let answer = match timeout(limit, list(&connected)).await {
        Err(_) => failed(McpFailure::List, silent()),
        Ok(Ok(tools)) => Answer { server: McpServer { tools, fails: None }, note: None },
        Ok(Err(Unlisted::Endless)) => {
            failed(McpFailure::List, Some(format!("its list has more than {MAXIMUM_PAGES} pages")))
        }
        Ok(Err(Unlisted::Service(error))) if error.auth_challenge().is_some() => {
            failed(McpFailure::Authenticate, None)
        }
        Ok(Err(Unlisted::Service(error))) => failed(McpFailure::List, why_not_listed(&error)),
    };
    // It is told that we leave; if it does not care, neither do we.
    let _ = timeout(limit, connected.cancel()).await;
    answer
}

fn failed(how: McpFailure, note: Option<String>) -> Answer {
    Answer { server: McpServer { tools: Vec::new(), fails: Some(how) }, note }
}

/// Why a server's tools are not known.
enum Unlisted {
    Service(ServiceError),
    Endless,
}

async fn list(peer: &Peer<RoleClient>) -> Result<Vec<McpTool>, Unlisted> {
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..MAXIMUM_PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let page = peer.list_tools(Some(page)).await.map_err(Unlisted::Service)?;
        tools.extend(page.tools.into_iter().map(listed));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(Unlisted::Endless)
}

fn listed(tool: Tool) -> McpTool {
    McpTool {
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        parameters: Json::Object(tool.input_schema.as_ref().clone()),
        calls: Vec::new(),
    }
}

/// Why a server did not let us in, told by one plain request: the SDK knows refused credentials only from a
/// server that adds a challenge, as the HTTP standard wants and many do not, and not what the network said.
async fn knock(door: &Door, error: &ClientInitializeError) -> Answer {
    let ping = serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "ping"});
    let request = door.client.post(door.url.clone()).header(ACCEPT, "application/json, text/event-stream");
    let status = match request.json(&ping).send().await {
        Ok(answer) => answer.status(),
        Err(error) => return failed(McpFailure::Connect, Some(deepest(&error))),
    };
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return failed(McpFailure::Authenticate, None);
    }
    let note = match error {
        ClientInitializeError::JsonRpcError(error) => format!("it answers with the error {}", error.code.0),
        _ => format!("it answers with HTTP {}, and not as an MCP server does", status.as_u16()),
    };
    failed(McpFailure::Connect, Some(note))
}

/// What is known without quoting the server, which may quote a secret.
fn why_not_listed(error: &ServiceError) -> Option<String> {
    match error {
        ServiceError::McpError(error) => Some(format!("it answers with the error {}", error.code.0)),
        _ => None,
    }
}
