//! What real servers on the loopback address answer, and what becomes of one that does not.
//!
//! Goes over HTTP; knows the servers' settings and the answers, and nothing in between.
//! Rules: the protocol's `McpServer`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of a test")]
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener};
use std::time::Duration;

use harness::project::MemoryProject;
use harness::protocol::{McpFailure, McpServer, McpTool, ServerId};
use mcp_client::{Answers, ask_servers};
use mcp_server::{Access, Nobody, Server, Settings};
use serde_json::json;

const LONG: Duration = Duration::from_secs(4);
/// For servers that never answer, so that waiting for them takes no time.
const SHORT: Duration = Duration::from_millis(30);

fn tools() -> Vec<McpTool> {
    let count = json!({"type": "object", "properties": {"isbn": {"type": "string"}}, "required": ["isbn"]});
    let tool = |name: &str, description: &str, parameters| McpTool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        calls: Vec::new(),
    };
    vec![tool("count_stock", "How many there are.", count), tool("close", "", json!({"type": "object"}))]
}

fn ask(entry: &str, limit: Duration) -> Answers {
    let mut project = MemoryProject::new();
    project.insert("integrations.yml", format!("mcp_servers:\n  - {{name: warehouse, {entry}}}\n"));
    let variable = |name: &str| match name {
        "RIGHT" => Some("s3cret".to_owned()),
        "WRONG" => Some("gu3ss".to_owned()),
        _ => None,
    };
    ask_servers(&project, &variable, limit).unwrap()
}

fn answer(entry: &str, limit: Duration) -> McpServer {
    ask(entry, limit).servers[&ServerId::new("warehouse")].clone()
}

fn failure(entry: &str, limit: Duration) -> Option<McpFailure> {
    answer(entry, limit).fails
}

fn guarded(header: &str, value: &str, challenges: bool) -> Server {
    let access = Access { header: header.to_owned(), value: value.to_owned(), challenges };
    Server::start(Settings { tools: tools(), access: Some(access), refuses_to_list: false }).unwrap()
}

#[test]
fn every_page_of_tools_is_listed_as_the_server_says_it() {
    let server = Server::start(Settings { tools: tools(), ..Settings::default() }).unwrap();
    let answers = ask(&format!("url: '{}'", server.url()), LONG);
    assert_eq!(answers.servers[&ServerId::new("warehouse")], McpServer { tools: tools(), fails: None });
    assert_eq!(answers.notes, []);
}

#[test]
fn credentials_go_where_the_project_says() {
    let server = guarded("authorization", "Bearer s3cret", true);
    let url = server.url();
    assert_eq!(answer(&format!("url: '{url}', token: '${{RIGHT}}'"), LONG).tools, tools());
    assert_eq!(answer(&format!("url: '{url}', api_key: '${{RIGHT}}'"), LONG).tools, tools());
    let server = guarded("x-key", "key s3cret", true);
    let entry = "api_key: '${RIGHT}', header_name: X-Key, header_format: 'key {key}'";
    assert_eq!(answer(&format!("url: '{}', {entry}", server.url()), LONG).tools, tools());
}

#[test]
fn refused_credentials_are_told_from_no_connection() {
    for challenges in [true, false] {
        let server = guarded("authorization", "Bearer s3cret", challenges);
        for credentials in ["", "token: '${WRONG}'"] {
            let entry = format!("url: '{}', {credentials}", server.url());
            assert_eq!(failure(&entry, LONG), Some(McpFailure::Authenticate), "{challenges} {credentials}");
        }
    }
}

#[test]
fn a_server_that_refuses_to_list_is_connected_to() {
    let server = Server::start(Settings { refuses_to_list: true, ..Settings::default() }).unwrap();
    let answers = ask(&format!("url: '{}'", server.url()), LONG);
    assert_eq!(answers.servers[&ServerId::new("warehouse")].fails, Some(McpFailure::List));
    assert_eq!(answers.notes[0].1, "it answers with the error -32603");
}

#[test]
fn nobody_listening_is_no_connection() {
    let nobody = Nobody::start().unwrap();
    let answers = ask(&format!("url: '{}'", nobody.url()), LONG);
    assert_eq!(answers.servers[&ServerId::new("warehouse")].fails, Some(McpFailure::Connect));
    assert!(answers.notes[0].1.contains("refused"), "{answers:?}");
}

#[test]
fn something_else_that_answers_is_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("url: 'http://{}/mcp'", listener.local_addr().unwrap());
    // Ends with the test's process.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            let head = BufReader::new(&stream).lines().map_while(Result::ok);
            head.take_while(|line| !line.is_empty()).for_each(drop);
            stream.write_all(answer).unwrap();
            // Closing with something unread would take the answer back.
            stream.shutdown(Shutdown::Write).unwrap();
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
    });
    let answers = ask(&url, LONG);
    assert_eq!(answers.servers[&ServerId::new("warehouse")].fails, Some(McpFailure::Connect));
    assert_eq!(answers.notes[0].1, "it answers with HTTP 404, and not as an MCP server does");
}

#[test]
fn a_silent_server_is_given_up_on() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let answers = ask(&format!("url: 'http://{}/mcp'", silent.local_addr().unwrap()), SHORT);
    assert_eq!(answers.servers[&ServerId::new("warehouse")].fails, Some(McpFailure::Connect));
    assert_eq!(answers.notes[0].1, "no answer within 30 ms");
}

#[test]
fn what_cannot_be_tried_stays_unknown_and_says_why() {
    let url = "url: 'http://127.0.0.1:1/mcp'";
    for (credentials, why) in [
        ("token: '${UNSET}'", "the environment has no UNSET; set it to the server's secret"),
        ("token: hunter2", "its `token` is not a variable: `${NAME}`"),
        ("oauth: {client_id: a}", "it authenticates with `oauth`, which takes the agent's own runtime"),
    ] {
        let answers = ask(&format!("{url}, {credentials}"), LONG);
        assert!(answers.servers.is_empty(), "{answers:?}");
        assert_eq!(answers.notes[0].1, format!("not connected: {why}"));
    }
}
