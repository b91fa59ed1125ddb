//! A line of an implementation as the answer to a request.
//!
//! Tells what is wrong with one that is none: not JSON, not the id, not the type. Reads only.
//! Rules: `specs/protocol.schema.json`; unknown fields are ignored.

use serde::de::DeserializeOwned;

use crate::protocol::{Json, Reply, ReplyLine, Request};

/// How many characters of a line a message quotes.
const QUOTED_CHARACTERS: usize = 120;

/// The request's name on the wire.
pub(super) fn named(request: &Request) -> &'static str {
    match request {
        Request::Hello(_) => "hello",
        Request::Load(_) => "load",
        Request::Turn(_) => "turn",
        Request::Wait(_) => "wait",
        Request::Bye(_) => "bye",
    }
}

/// The answer in a line, or what is wrong with it.
pub(super) fn read<Report: DeserializeOwned>(
    line: &[u8],
    id: u64,
    name: &str,
) -> Result<Reply<Report>, String> {
    match serde_json::from_slice::<ReplyLine<Report>>(line) {
        Ok(answer) if answer.id == id => Ok(answer.reply),
        Ok(answer) => Err(wrong_id(answer.id, id, name)),
        Err(error) => Err(violation(line, id, name, &error)),
    }
}

fn violation(line: &[u8], id: u64, name: &str, error: &serde_json::Error) -> String {
    let Ok(json) = serde_json::from_slice::<Json>(line) else {
        return format!("the answer to `{name}` is not JSON: {error}: {}", quoted(line));
    };
    match json.get("id").map(Json::as_u64) {
        Some(Some(answered)) if answered != id => wrong_id(answered, id, name),
        Some(Some(_)) => {
            let near = error.column().saturating_sub(QUOTED_CHARACTERS / 2);
            let excerpt = quoted(line.get(near..).unwrap_or_default());
            format!("the answer to `{name}` does not have its shape: {error}, near {excerpt}")
        }
        _ => format!("the answer to `{name}` has no id: {}", quoted(line)),
    }
}

fn wrong_id(answered: u64, asked: u64, name: &str) -> String {
    format!("`{name}` was request {asked}, the answer is to request {answered}")
}

/// The beginning of a line, readable on any terminal.
pub(super) fn quoted(line: &[u8]) -> String {
    let beginning = line.get(..QUOTED_CHARACTERS * 4).unwrap_or(line);
    let text = String::from_utf8_lossy(beginning);
    let text = text.trim_end();
    let mut shown = String::new();
    for character in text.chars().take(QUOTED_CHARACTERS) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    let more =
        if line.len() > beginning.len() || text.chars().count() > QUOTED_CHARACTERS { "…" } else { "" };
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::WaitReport;

    fn answer(line: &str) -> Result<Reply<WaitReport>, String> {
        read(line.as_bytes(), 7, "wait")
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let line = r#"{"id": 7, "took": 3, "reply": {"result": {"now_ms": 5, "mood": "good"}}}"#;
        assert_eq!(answer(line), Ok(Reply::Result(WaitReport { now_ms: 5, events: Vec::new() })));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, expected) in [
            ("no luck", "the answer to `wait` is not JSON: "),
            (r#"{"reply": {}}"#, "the answer to `wait` has no id: `{\"reply\": {}}`"),
            (r#"{"id": "7"}"#, "the answer to `wait` has no id: "),
            (r#"{"id": 6, "reply": 1}"#, "`wait` was request 7, the answer is to request 6"),
            (
                r#"{"id": 6, "reply": {"result": {"now_ms": 1}}}"#,
                "`wait` was request 7, the answer is to request 6",
            ),
            (
                r#"{"id": 7, "reply": {"result": {}}}"#,
                "the answer to `wait` does not have its shape: missing field `now_ms`",
            ),
            (
                r#"{"id": 7, "reply": {"result": {"now_ms": 1}, "errored": {"message": ""}}}"#,
                "the answer to `wait` does not have its shape: ",
            ),
        ] {
            let error = answer(line).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn quotes_are_short_and_harmless() {
        let quote = quoted(&[b"\x1b[2J\x07".as_slice(), &vec![b'x'; 1_000_000]].concat());
        assert!(quote.starts_with("`\\u{1b}[2J\\u{7}xxx") && quote.ends_with("…`"), "{quote}");
        assert!(quote.len() < 200);
        assert_eq!(quoted(&[0xff, b'a', b'\n']), "`\u{fffd}a`");
    }
}
