//! `agent.yml` and `integrations.yml`.
//!
//! Reads what is declared; starts and connects nothing.
//! Rules: contract-notes, "7. agent.yml and integrations.yml".

use std::collections::BTreeMap;

use super::imports::is_server_name;
use super::{read_yaml, server_settings};
use crate::project::ProjectSource;
use crate::protocol::{Json, LoadPhase, ServerId, Severity};
use crate::reference::finding::{self, Findings};
use crate::source::yaml::{Node, Resolved, Scalar, Value, resolve_plain};

/// What the two files say, as far as tools are concerned.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// The MCP servers declared, in order.
    pub(crate) servers: Vec<ServerId>,
    /// How long a call to a server may take, where it says so, in milliseconds.
    server_timeouts_ms: BTreeMap<ServerId, u64>,
    /// How long a local tool may take, in milliseconds (TIM-01, TIM-02).
    pub(crate) tool_timeout_ms: u64,
    /// The settings of the model that the orchestrator runs with (CTX-16).
    pub(crate) llm: Json,
}

/// The limit of a tool where nothing is configured (tools-reference, "Defining a tool").
const DEFAULT_TIMEOUT_MS: u64 = 10_000;

impl Configuration {
    /// How long a call to a server may take: as it says, else as the agent says.
    pub(crate) fn server_timeout_ms(&self, server: &ServerId) -> u64 {
        self.server_timeouts_ms.get(server).copied().unwrap_or(self.tool_timeout_ms)
    }
}

/// Reads both files (contract-notes, "7. agent.yml and integrations.yml").
pub(crate) fn read_configuration(project: &dyn ProjectSource, findings: &mut Findings) -> Configuration {
    if project.read("domain.yml").is_some() {
        let message = "a domain.yml belongs to another kind of project; remove it";
        let code = "config.project_structure.mixed_layout";
        findings.note(Severity::Warning, code, finding::file("domain.yml"), message);
    }
    let tool_timeout_ms = read_agent(project, findings).unwrap_or(DEFAULT_TIMEOUT_MS);
    let mut configuration = Configuration { tool_timeout_ms, ..Configuration::default() };
    let path = "integrations.yml";
    if project.read(path).is_none() {
        let message = "the project has no integrations.yml; add one beside agent.yml";
        findings.error(
            LoadPhase::Train,
            "mantle.validation.config.missing_integrations",
            finding::file(path),
            message,
        );
    }
    match read_yaml(project, path) {
        Ok(Some(root)) => {
            if let Some(list) = root.get("mcp_servers").filter(|list| !list.is_null()) {
                read_servers(list, &mut configuration, findings);
            }
            warn_about_llm(&root, findings);
            configuration.llm = model_settings(&root);
        }
        Ok(None) => {}
        Err(broken) => {
            let code = "mantle.validation.config.invalid_integrations";
            findings.error(LoadPhase::Train, code, broken.place, broken.message);
        }
    }
    configuration
}

/// What stands under `llm`, and the settings of the model group that it names.
fn model_settings(root: &Node) -> Json {
    let mut settings = root.get("llm").map_or(Json::Null, Node::to_json);
    let named = settings.get("model_group").and_then(Json::as_str).map(str::to_owned);
    let groups = root.get("model_groups").and_then(Node::items).unwrap_or_default();
    let group = named
        .and_then(|named| groups.iter().find(|group| group.get("id").and_then(Node::string) == Some(&named)));
    if let (Json::Object(settings), Some(Json::Object(group))) = (&mut settings, group.map(Node::to_json)) {
        settings.extend(group);
    }
    settings
}

/// Reads `agent.yml`; the timeout it sets, in milliseconds.
fn read_agent(project: &dyn ProjectSource, findings: &mut Findings) -> Option<u64> {
    let path = "agent.yml";
    let mut report =
        |code: &str, place, message: &str| findings.error(LoadPhase::Train, code, place, message);
    if project.read(path).is_none() {
        let message = "the project has no agent.yml; add one that names the agent's persona";
        report("mantle.validation.config.missing_agent_yml", finding::file(path), message);
        return None;
    }
    let root = match read_yaml(project, path) {
        Ok(root) => root,
        Err(broken) => {
            report("mantle.validation.config.invalid_agent_yml", broken.place, &broken.message);
            return None;
        }
    };
    let Some(agent) =
        root.as_ref().and_then(|root| root.get("agent")).filter(|agent| agent.entries().is_some())
    else {
        let message = "`agent:` must be a mapping with a `persona`";
        report("mantle.validation.config.missing_agent_section", finding::file(path), message);
        return None;
    };
    if agent.get("persona").and_then(Node::string).is_none_or(|persona| persona.trim().is_empty()) {
        let place = finding::at(path, agent.position);
        report("config.agent.missing_persona", place, "`agent.persona` must be a text that is not blank");
    }
    let expiration =
        root.as_ref()?.get("session_config").and_then(|session| session.get("session_expiration_time"));
    if let Some(node) = expiration.filter(|node| node.to_json().as_f64().is_some_and(|minutes| minutes < 0.0))
    {
        let message = "`session_expiration_time` must be zero or more minutes; zero means never";
        report("config.session.invalid_expiration_time", finding::at(path, node.position), message);
    }
    let timeout = root.as_ref()?.get("tool_timeout")?;
    if !is_timeout(timeout) {
        let place = finding::at(path, timeout.position);
        let message = "`tool_timeout` must be a finite number of seconds above zero";
        report("mantle.validation.config.invalid_agent_section", place, message);
    }
    timeout_ms(timeout)
}

/// Which model runs the agent: one edition wants it here and another elsewhere, so this is a warning.
fn warn_about_llm(root: &Node, findings: &mut Findings) {
    let mut warn = |code: &str, node: &Node, message: String| {
        let place = finding::at("integrations.yml", node.position);
        findings.note(Severity::Warning, &format!("mantle.validation.config.{code}"), place, message);
    };
    let Some(llm) = root.get("llm").filter(|llm| !llm.is_null()) else {
        warn("missing_llm", root, "`llm:` with a `model_group` is missing".to_owned());
        return;
    };
    let Some(group) = llm.get("model_group").filter(|group| group.string().is_some()) else {
        warn("invalid_llm", llm, "`llm:` must be a mapping with a `model_group`".to_owned());
        return;
    };
    let groups = root.get("model_groups").and_then(Node::items).unwrap_or_default();
    if !groups.iter().any(|known| known.get("id").and_then(Node::text) == group.text()) {
        let message = format!("`model_groups` has no `{}`", group.text().unwrap_or_default());
        warn("unknown_model_group", group, message);
    }
}

/// A valid timeout in milliseconds; `None` for null, which means the default.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of both")]
fn timeout_ms(node: &Node) -> Option<u64> {
    let seconds = match resolve_plain(node.text()?) {
        Resolved::Null | Resolved::String => return None,
        Resolved::Bool(value) => f64::from(u8::from(value)),
        Resolved::Integer(_) | Resolved::Float(_) => node.text()?.parse().ok()?,
    };
    (seconds > 0.0).then(|| (seconds * 1000.0).round().clamp(1.0, 3.2e12) as u64)
}

/// A timeout in seconds: finite and above zero; null means the default. Numeric strings and `true` are
/// taken as one known runtime takes them.
fn is_timeout(node: &Node) -> bool {
    let Value::Scalar(Scalar { text, plain, .. }) = &node.value else { return false };
    let number = match resolve_plain(text) {
        Resolved::Null => return *plain,
        Resolved::Bool(value) => return *plain && value,
        Resolved::Integer(_) | Resolved::Float(_) => text.parse::<f64>().ok(),
        Resolved::String => None,
    };
    number.is_some_and(|seconds| seconds.is_finite() && seconds > 0.0)
}

fn read_servers(list: &Node, configuration: &mut Configuration, findings: &mut Findings) {
    let mut report = |node: &Node, code: &str, message: String| {
        let place = finding::at("integrations.yml", node.position);
        findings.error(LoadPhase::Train, &format!("mantle.validation.config.{code}"), place, message);
    };
    let Some(items) = list.items() else {
        report(list, "invalid_mcp_server", format!("`mcp_servers` must be a list, not {}", list.kind()));
        return;
    };
    for item in items {
        let Some(name) = item.get("name").and_then(Node::string).filter(|name| is_server_name(name)) else {
            let message = "an MCP server needs a `name` of letters, digits, `_`, `.` and `-`".to_owned();
            report(item, "invalid_mcp_server", message);
            continue;
        };
        let url = item.get("url").and_then(Node::string).unwrap_or_default();
        if !(url.starts_with("http://") || url.starts_with("https://")) {
            report(
                item,
                "invalid_mcp_server",
                format!("the server `{name}` needs a `url` with http or https"),
            );
        }
        server_settings::check(item, name, &mut |node, message| report(node, "invalid_mcp_server", message));
        if item.get("tool_timeout").is_some_and(|timeout| !is_timeout(timeout)) {
            let message = format!("the `tool_timeout` of `{name}` must be a finite number above zero");
            report(item, "invalid_mcp_server", message);
        }
        let server = ServerId::new(name);
        if configuration.servers.contains(&server) {
            report(item, "duplicate_mcp_server_name", format!("the server `{name}` is declared twice"));
            continue;
        }
        if let Some(ms) = item.get("tool_timeout").and_then(timeout_ms) {
            configuration.server_timeouts_ms.insert(server.clone(), ms);
        }
        configuration.servers.push(server);
    }
}
