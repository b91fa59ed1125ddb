//! How an entry of `mcp_servers` says to connect: kind, credentials, extra data.
//!
//! Checks shapes and connects to nothing. Name, address and timeout are read in `configuration`.
//! Rules: contract-notes, "7. agent.yml and integrations.yml".

use crate::source::yaml::Node;

const CREDENTIALS: [&str; 4] = ["token", "api_key", "oauth", "module"];
const REFUSED: [&str; 4] = ["auth", "token_env", "pre_call_hook", "protocol_version"];

/// Checks an entry's other settings.
pub(super) fn check(server: &Node, name: &str, report: &mut dyn FnMut(&Node, String)) {
    let given = |key: &str| server.get(key).filter(|node| !node.is_null());
    if let Some(kind) = given("type").filter(|kind| !matches!(kind.text(), Some("http" | "https"))) {
        report(kind, format!("the `type` of `{name}` must be http or https"));
    }
    let credentials: Vec<&Node> = CREDENTIALS.iter().filter_map(|key| given(key)).collect();
    if let [_, second, ..] = credentials.as_slice() {
        report(second, format!("`{name}` may have one of {}", CREDENTIALS.join(", ")));
    }
    for key in ["token", "api_key"] {
        if let Some(secret) = given(key).filter(|secret| !secret.string().is_some_and(is_variable)) {
            report(secret, format!("the `{key}` of `{name}` must be a variable: `${{NAME}}`"));
        }
    }
    for key in REFUSED {
        if let Some(setting) = server.get(key) {
            report(setting, format!("`{name}` cannot have `{key}`; remove it"));
        }
    }
    if let Some(map) = given("meta_map") {
        check_meta(map, name, report);
    }
}

/// `{static: {<key>: <text>}}` and nothing else.
fn check_meta(map: &Node, name: &str, report: &mut dyn FnMut(&Node, String)) {
    let fits = map.entries().is_some_and(|entries| {
        entries.iter().all(|(key, value)| {
            let pairs = value.entries().unwrap_or_default();
            key.text() == Some("static")
                && value.entries().is_some()
                && pairs.iter().all(|(_, text)| text.string().is_some())
        })
    });
    if !fits {
        report(map, format!("the `meta_map` of `{name}` must be `static:` with texts by name"));
    }
}

fn is_variable(text: &str) -> bool {
    text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).is_some_and(|name| !name.is_empty())
}
