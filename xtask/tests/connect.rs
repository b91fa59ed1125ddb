//! `inspect --connect` as a user starts it, with a real MCP server on the loopback address.
//!
//! Knows what is printed and the exit codes; what servers can answer is tested in `mcp/client`.
//! Rules: clauses MCP-01 to MCP-09; `cargo xtask inspect --help`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of a test")]
use std::fs;
use std::process::Command;

use harness::protocol::{Json, McpTool};
use mcp_server::{Access, Nobody, Server, Settings};
use serde_json::json;

const SECRET: &str = "s3cret-of-the-warehouse";

fn warehouse() -> Server {
    let count_stock = McpTool {
        name: "count_stock".to_owned(),
        description: "How many of a book there are.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"isbn": {"type": "string", "description": "the book"}},
            "required": ["isbn"],
        }),
        calls: Vec::new(),
    };
    let value = format!("Bearer {SECRET}");
    let access = Access { header: "authorization".to_owned(), value, challenges: true };
    Server::start(Settings { tools: vec![count_stock], access: Some(access), refuses_to_list: false })
        .unwrap()
}

/// Inspects a project with one skill that imports `tool` from the server at `url`: the exit code, the load
/// report and what stands beside it.
fn inspect(url: &str, tool: &str, secret: Option<&str>) -> (Option<i32>, Json, String) {
    let folder = tempfile::tempdir().unwrap();
    let integrations = format!(
        "llm: {{model_group: clerk}}\nmodel_groups: [{{id: clerk}}]\n\
         mcp_servers:\n  - {{name: warehouse, url: '{url}', token: '${{WAREHOUSE}}'}}\n"
    );
    let skill = format!(
        "---\nname: Order\ndescription: Order a book\nimport_tools: [mcp/warehouse:{tool}]\n---\n\nOrder it.\n"
    );
    fs::create_dir_all(folder.path().join("skills/order")).unwrap();
    fs::write(folder.path().join("agent.yml"), "agent: {id: shop, persona: A clerk}\n").unwrap();
    fs::write(folder.path().join("integrations.yml"), integrations).unwrap();
    fs::write(folder.path().join("skills/order/skill.md"), skill).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["inspect", "--connect", "--format", "json"]).arg(folder.path());
    command.env_remove("WAREHOUSE").envs(secret.map(|secret| ("WAREHOUSE", secret)));
    let output = command.output().unwrap();
    let (printed, beside) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    for text in [&printed, &beside] {
        assert!(secret.is_none_or(|secret| !text.contains(secret)), "{text}");
    }
    (output.status.code(), serde_json::from_str(&printed).expect(&beside), beside)
}

fn findings(report: &Json) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().filter_map(|finding| finding["code"].as_str()).collect()
}

#[test]
fn a_listed_tool_is_shown_as_the_server_describes_it() {
    let server = warehouse();
    let (code, report, beside) = inspect(&server.url(), "count_stock", Some(SECRET));
    assert_eq!((code, beside.as_str()), (Some(0), ""), "{report:#}");
    let tool = &report["skills"]["order"]["tools"]["count_stock"];
    assert_eq!(tool["description"], "How many of a book there are.");
    let offered = json!({
        "type": "object",
        "properties": {"isbn": {"type": "string", "description": "the book"}},
        "required": ["isbn"],
        "additionalProperties": false,
    });
    assert_eq!(tool["parameters"], offered);
    assert!(tool["unknown"].as_array().is_none_or(Vec::is_empty), "{tool:#}");
}

#[test]
fn what_the_agent_would_not_start_with_is_a_finding() {
    let server = warehouse();
    let nobody = Nobody::start().unwrap();
    for (url, tool, secret, expected) in [
        (&server.url(), "count_shelves", SECRET, "mcp.startup.missing_tool"),
        (&server.url(), "count_stock", "guess-at-it", "mcp.startup.unauthenticated"),
        (&nobody.url(), "count_stock", SECRET, "mcp.startup.unreachable"),
    ] {
        let (code, report, _) = inspect(url, tool, Some(secret));
        assert_eq!((code, findings(&report)), (Some(1), vec![expected]), "{report:#}");
        assert_eq!(report["phase"], "startup");
    }
}

#[test]
fn a_server_without_its_secret_is_not_tried_and_stays_unknown() {
    let server = warehouse();
    let (code, report, beside) = inspect(&server.url(), "count_stock", None);
    assert_eq!((code, findings(&report)), (Some(0), vec![]), "{report:#}");
    assert!(beside.contains("`warehouse`: not connected: the environment has no WAREHOUSE"), "{beside}");
    let tool = &report["skills"]["order"]["tools"]["count_stock"];
    assert_eq!(tool["unknown"][0]["what"], "description and parameters");
}
