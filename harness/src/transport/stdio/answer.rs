//! A line of an implementation as the answer to a request.
//!
//! Tells what is wrong with one that is none: not JSON, not the id, not the type. Reads only.
//! Rules: `specs/protocol.schema.json`; unknown fields are ignored.

use serde::de::DeserializeOwned;

use super::child::Failure;
use crate::protocol::{Json, PROTOCOL_VERSION, Reply, ReplyLine, Request};

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
) -> Result<Reply<Report>, Failure> {
    match serde_json::from_slice::<ReplyLine<Report>>(line) {
        Ok(answer) if answer.id == id => Ok(answer.reply),
        Ok(answer) => Err(Failure::Protocol(wrong_id(answer.id, id, name))),
        Err(error) => Err(violation(line, id, name, &error)),
    }
}

fn violation(line: &[u8], id: u64, name: &str, error: &serde_json::Error) -> Failure {
    let Ok(json) = serde_json::from_slice::<Json>(line) else {
        let (quote, remedy) = (quoted(line), remedy_for_print(line));
        return Failure::Protocol(format!("the answer to `{name}` is not JSON: {error}: {quote}{remedy}"));
    };
    Failure::Protocol(match json.get("id").map(Json::as_u64) {
        Some(Some(answered)) if answered != id => wrong_id(answered, id, name),
        Some(Some(_)) => {
            if let Some(spoken) = other_protocol(&json, name) {
                return Failure::OtherProtocol(spoken);
            }
            let near = error.column().saturating_sub(QUOTED_CHARACTERS / 2);
            let excerpt = quoted(line.get(near..).unwrap_or_default());
            format!("the answer to `{name}` does not have its shape: {error}, near {excerpt}")
        }
        _ => format!("the answer to `{name}` has no id: {}", quoted(line)),
    })
}

/// The version that a greeting names, when it is not ours: what else such a greeting holds may well be unknown here.
fn other_protocol(json: &Json, name: &str) -> Option<serde_json::Number> {
    let Some(Json::Number(spoken)) = json.pointer("/reply/result/protocol") else { return None };
    (name == "hello" && spoken.as_u64() != Some(PROTOCOL_VERSION.into())).then(|| spoken.clone())
}

/// What to do where a line of `written` is no message, but was printed. A last line without its end is not yet known.
pub(super) fn remedy_for_print(written: &[u8]) -> &'static str {
    let end = written.iter().rposition(|byte| *byte == b'\n').unwrap_or(written.len());
    let is_message = |line: &[u8]| serde_json::from_slice::<Json>(line).is_ok_and(|json| json.is_object());
    if written.get(..end).unwrap_or_default().split(|byte| *byte == b'\n').all(is_message) {
        return "";
    }
    "; standard output is for the protocol only: print to standard error"
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
    use crate::protocol::{HelloReport, WaitReport};

    fn answer(line: &str) -> Result<Reply<WaitReport>, String> {
        read(line.as_bytes(), 7, "wait").map_err(told)
    }

    fn told(failure: Failure) -> String {
        match failure {
            Failure::Protocol(what) => what,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_version_of_a_greeting_comes_before_everything_else_in_it() {
        let greeting = |result: &str| {
            let line = format!(r#"{{"id": 7, "reply": {{"result": {result}}}}}"#);
            read::<HelloReport>(line.as_bytes(), 7, "hello").unwrap_err()
        };
        for other in [
            r#"{"protocol": 2, "capabilities": ["time-travel"]}"#,
            r#"{"protocol": 2, "who": "me"}"#,
            r#"{"protocol": 2, "name": 7}"#,
        ] {
            let failure = greeting(other);
            assert!(
                matches!(&failure, Failure::OtherProtocol(spoken) if spoken.as_u64() == Some(2)),
                "{failure:?}"
            );
        }
        let own = r#"{"name": "", "version": "", "language": "", "protocol": 1, "edition": "",
            "capabilities": ["time-travel"]}"#;
        assert!(told(greeting(own)).contains("unknown variant `time-travel`"));
        assert!(told(greeting("{}")).contains("missing field"));
    }

    #[test]
    fn what_was_printed_is_told_where_to_go_and_a_message_is_not() {
        let remedy = "; standard output is for the protocol only: print to standard error";
        assert!(answer("loading took 3 ms").unwrap_err().ends_with(remedy));
        assert!(answer("7").is_err());
        for (written, expected) in [
            ("hello\n{}\n", remedy),
            ("7\n", remedy),
            ("\n", remedy),
            ("{}\nhello\n", remedy),
            ("{}\n{}\n{", ""),
            ("{}", ""),
        ] {
            assert_eq!(remedy_for_print(written.as_bytes()), expected, "{written}");
        }
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
