//! The HTTP client that one server is reached with: its address, its secret, its certificates.
//!
//! Sends nothing itself. A secret goes into a header that is marked as sensitive and nowhere else.
//! Rules: contract-notes, "7. agent.yml and integrations.yml".

use std::net::IpAddr;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url, redirect};

use crate::declared::{Credentials, Declared};

/// Where a server is and what to reach it with.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) url: Url,
    /// Sends the credentials with every request.
    pub(crate) client: Client,
}

/// Gets ready to reach a server; otherwise why not, in words that hold no secret.
pub(crate) fn open(server: &Declared, variable: &dyn Fn(&str) -> Option<String>) -> Result<Door, String> {
    let url = Url::parse(&server.url).map_err(|error| format!("its `url` is none: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("its `url` is neither http nor https".to_owned());
    }
    let mut headers = HeaderMap::new();
    if let Some((name, value)) = credentials(&server.credentials, variable)? {
        headers.insert(name, value);
    }
    // A second call finds it installed, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut client =
        Client::builder().default_headers(headers).redirect(same_origin()).pool_max_idle_per_host(0);
    if url.scheme() == "http" {
        // The machine's certificates are not needed, and a machine may have none.
        client = client.tls_certs_only([]);
    }
    if is_loopback(&url) {
        client = client.no_proxy();
    }
    let client = client.build().map_err(|error| format!("no HTTP client for it: {}", deepest(&error)))?;
    Ok(Door { url, client })
}

/// The header that carries the secret, if there is one.
fn credentials(
    credentials: &Credentials,
    value_of: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<(HeaderName, HeaderValue)>, String> {
    let (name, format, variable) = match credentials {
        Credentials::None => return Ok(None),
        Credentials::OnlyTheAgent(key) => {
            return Err(format!("it authenticates with `{key}`, which takes the agent's own runtime"));
        }
        Credentials::NoVariable(key) => return Err(format!("its `{key}` is not a variable: `${{NAME}}`")),
        Credentials::Header { name, format, variable } => (name, format, variable),
    };
    let secret = value_of(variable)
        .filter(|secret| !secret.is_empty())
        .ok_or_else(|| format!("the environment has no {variable}; set it to the server's secret"))?;
    let name = HeaderName::try_from(name).map_err(|_| format!("`{name}` is no name of a header"))?;
    let mut value = HeaderValue::try_from(format.replace("{key}", &secret))
        .map_err(|_| format!("the value of {variable} cannot stand in a header"))?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

/// Follows what keeps the request as it is and the secret where it belongs.
fn same_origin() -> redirect::Policy {
    const MAXIMUM: usize = 5;
    redirect::Policy::custom(|attempt| {
        let keeps_the_body = matches!(attempt.status().as_u16(), 307 | 308);
        let origin = attempt.previous().first().map(Url::origin);
        let goes_on = keeps_the_body && origin == Some(attempt.url().origin());
        if goes_on && attempt.previous().len() <= MAXIMUM { attempt.follow() } else { attempt.stop() }
    })
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let bare = host.trim_matches(['[', ']']);
        host == "localhost" || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    })
}

/// What an error comes down to.
pub(crate) fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::protocol::ServerId;

    fn server(name: &str) -> Declared {
        Declared {
            name: ServerId::new("bank"),
            url: "http://127.0.0.1:1/mcp".to_owned(),
            credentials: Credentials::Header {
                name: name.to_owned(),
                format: "Bearer {key}".to_owned(),
                variable: "BANK".to_owned(),
            },
        }
    }

    #[test]
    fn a_secret_is_never_shown() {
        let door = open(&server("X-Key"), &|_| Some("hunter2".to_owned())).unwrap();
        assert!(!format!("{door:?}").contains("hunter2"), "{door:?}");
        let why = open(&server("X-Key"), &|_| Some("hunter2\n".to_owned())).unwrap_err();
        assert_eq!(why, "the value of BANK cannot stand in a header");
    }

    #[test]
    fn what_is_missing_is_named() {
        let why = open(&server("X-Key"), &|_| None).unwrap_err();
        assert_eq!(why, "the environment has no BANK; set it to the server's secret");
        let why = open(&server("a b"), &|_| Some("s".to_owned())).unwrap_err();
        assert_eq!(why, "`a b` is no name of a header");
    }
}
