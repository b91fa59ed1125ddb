//! The MCP servers that `integrations.yml` declares, as far as connecting needs to know them.
//!
//! Says nothing about mistakes: whoever loads the project does, and what is wrong is not connected to.
//! Rules: contract-notes, "7. agent.yml and integrations.yml".

use harness::project::ProjectSource;
use harness::protocol::ServerId;
use harness::source::yaml::{self, Node};

/// One entry of `mcp_servers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: ServerId,
    pub(crate) url: String,
    pub(crate) credentials: Credentials,
}

/// How an entry says to authenticate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Credentials {
    None,
    /// A header made of the value of a variable.
    Header {
        name: String,
        /// The header's value, with `{key}` where the secret goes.
        format: String,
        variable: String,
    },
    /// In a way that takes the agent's own runtime.
    OnlyTheAgent(&'static str),
    /// Not as `${VARIABLE}`, which the contract refuses.
    NoVariable(&'static str),
}

/// The header and the format that a key is sent with when the project says no other.
const HEADER: &str = "Authorization";
const FORMAT: &str = "Bearer {key}";

/// The servers that are declared, each name once.
pub(crate) fn servers(project: &dyn ProjectSource) -> Vec<Declared> {
    let bytes = project.read("integrations.yml").unwrap_or_default();
    let root = std::str::from_utf8(&bytes).ok().and_then(|text| yaml::parse(text).ok().flatten());
    let list = root.as_ref().and_then(|root| root.get("mcp_servers")).and_then(Node::items);
    let mut servers: Vec<Declared> = Vec::new();
    for server in list.unwrap_or_default().iter().filter_map(declared) {
        if !servers.iter().any(|other| other.name == server.name) {
            servers.push(server);
        }
    }
    servers
}

fn declared(entry: &Node) -> Option<Declared> {
    let text = |key: &str| entry.get(key).and_then(Node::string);
    let given = |key: &str| entry.get(key).is_some_and(|node| !node.is_null());
    let header = |key: &'static str, name: &str, format: &str| match text(key).and_then(variable) {
        Some(variable) => Credentials::Header {
            name: name.to_owned(),
            format: format.to_owned(),
            variable: variable.to_owned(),
        },
        None => Credentials::NoVariable(key),
    };
    let credentials = if given("oauth") {
        Credentials::OnlyTheAgent("oauth")
    } else if given("module") {
        Credentials::OnlyTheAgent("module")
    } else if given("token") {
        header("token", HEADER, FORMAT)
    } else if given("api_key") {
        let name = text("header_name").unwrap_or(HEADER);
        header("api_key", name, text("header_format").unwrap_or(FORMAT))
    } else {
        Credentials::None
    };
    Some(Declared { name: ServerId::new(text("name")?), url: text("url")?.to_owned(), credentials })
}

/// The name in `${NAME}`.
fn variable(text: &str) -> Option<&str> {
    text.strip_prefix("${")?.strip_suffix('}').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::project::MemoryProject;

    fn read(entry: &str) -> Vec<Credentials> {
        let mut project = MemoryProject::new();
        let text = format!("mcp_servers:\n  - {{name: bank, url: 'http://127.0.0.1/mcp', {entry}}}\n");
        project.insert("integrations.yml", text);
        servers(&project).into_iter().map(|server| server.credentials).collect()
    }

    fn header(name: &str, format: &str) -> Credentials {
        let variable = "BANK".to_owned();
        Credentials::Header { name: name.to_owned(), format: format.to_owned(), variable }
    }

    #[test]
    fn a_secret_is_the_name_of_a_variable() {
        assert_eq!(read(""), [Credentials::None]);
        assert_eq!(read("token: '${BANK}'"), [header("Authorization", "Bearer {key}")]);
        assert_eq!(read("api_key: '${BANK}'"), [header("Authorization", "Bearer {key}")]);
        let other = read("api_key: '${BANK}', header_name: X-Key, header_format: '{key}'");
        assert_eq!(other, [header("X-Key", "{key}")]);
        assert_eq!(read("token: hunter2"), [Credentials::NoVariable("token")]);
        assert_eq!(read("oauth: {client_id: a}"), [Credentials::OnlyTheAgent("oauth")]);
    }

    #[test]
    fn what_cannot_be_read_declares_nothing() {
        for text in ["mcp_servers: 3", "mcp_servers: [a, {name: b}]", "[", ""] {
            let mut project = MemoryProject::new();
            project.insert("integrations.yml", text);
            assert_eq!(servers(&project), [], "{text}");
        }
        assert_eq!(servers(&MemoryProject::new()), []);
    }
}
