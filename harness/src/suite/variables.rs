//! An implementation chosen by environment variables: its command and its limits.
//!
//! Reads values that it is given; the environment is the caller's. Rules: docs/adapters.md, "Life cycle"; a variable
//! that would do nothing is an error.

use std::ffi::OsString;
use std::fmt::Write;

use crate::scenario::{DURATION_SPELLING, duration_ms};
use crate::transport::{Command, CommandError, Limits, typed};

/// The command.
const COMMAND: &str = "CONFORMANCE_IMPL";
/// How long it may take to answer.
const ANSWER: &str = "CONFORMANCE_TIMEOUT";
/// How long it may take to start.
const START: &str = "CONFORMANCE_START_TIMEOUT";

/// A command, as environment variables say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    pub(super) command: Command,
    /// The variables as one would type them before another command.
    pub(super) typed: String,
}

/// Variables that choose no implementation.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariablesError {
    /// Not text.
    #[error("{0} is not UTF-8")]
    Text(&'static str),
    /// No command.
    #[error("{COMMAND}: {0}")]
    Command(#[from] CommandError),
    /// No duration.
    #[error("{0}: {1}")]
    Limit(&'static str, String),
    /// A limit for nobody.
    #[error("{0} is a limit for the command in {COMMAND}, which is not set; set it, or unset {0}")]
    NoCommand(&'static str),
}

impl Variables {
    /// Reads the variables; none when they choose no command.
    pub fn read(value: impl Fn(&'static str) -> Option<OsString>) -> Result<Option<Self>, VariablesError> {
        let mut typed_out = String::new();
        let mut read = |name: &'static str| -> Result<Option<String>, VariablesError> {
            let Some(value) = value(name) else { return Ok(None) };
            let value = value.into_string().map_err(|_| VariablesError::Text(name))?;
            // Writing to a string cannot go wrong.
            _ = write!(typed_out, "{name}={} ", typed(value.as_ref()));
            Ok(Some(value))
        };
        let (words, answer, start) = (read(COMMAND)?, read(ANSWER)?, read(START)?);
        let Some(words) = words else {
            let limits = [(ANSWER, answer), (START, start)];
            return match limits.into_iter().find(|(_, limit)| limit.is_some()) {
                Some((name, _)) => Err(VariablesError::NoCommand(name)),
                None => Ok(None),
            };
        };
        let limit = |name: &'static str, value: Option<String>, usual: u64| match value {
            Some(value) => limit_ms(&value).map_err(|error| VariablesError::Limit(name, error)),
            None => Ok(usual),
        };
        let usual = Limits::default();
        let limits = Limits {
            answer_ms: limit(ANSWER, answer, usual.answer_ms)?,
            start_ms: limit(START, start, usual.start_ms)?,
            ..usual
        };
        Ok(Some(Self { command: Command::from_text(&words)?.with_limits(limits), typed: typed_out }))
    }
}

/// A limit of real time, as in `30s`, in milliseconds.
pub fn limit_ms(text: &str) -> Result<u64, String> {
    match duration_ms(text) {
        Ok(0) => Err("nothing answers in no time".to_owned()),
        Ok(milliseconds) => Ok(milliseconds),
        Err(error) => Err(format!("{error}; {DURATION_SPELLING}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<Option<Variables>, VariablesError> {
        Variables::read(|name| {
            set.iter().find(|(one, _)| *one == name).map(|(_, value)| OsString::from(*value))
        })
    }

    #[test]
    fn nothing_set_chooses_nothing() {
        assert_eq!(read(&[]), Ok(None));
    }

    #[test]
    fn a_command_and_its_limits_are_read_and_can_be_typed_again() {
        let set = [(COMMAND, r#"["./my adapter", "-v"]"#), (ANSWER, "30s"), (START, "2m")];
        let variables = read(&set).unwrap().unwrap();
        let limits = Limits { answer_ms: 30_000, start_ms: 120_000, ..Limits::default() };
        assert_eq!(variables.command, Command::new(["./my adapter", "-v"]).unwrap().with_limits(limits));
        let typed = r#"CONFORMANCE_IMPL='["./my adapter", "-v"]' CONFORMANCE_TIMEOUT=30s CONFORMANCE_START_TIMEOUT=2m "#;
        assert_eq!(variables.typed, typed);
        assert_eq!(read(&[(COMMAND, "run")]).unwrap().unwrap().typed, "CONFORMANCE_IMPL=run ");
    }

    #[test]
    fn what_chooses_nothing_is_an_error() {
        let refused = |set: &[(&str, &str)]| read(set).unwrap_err().to_string();
        assert!(refused(&[(COMMAND, " ")]).starts_with("CONFORMANCE_IMPL: the command is empty"));
        let error = refused(&[(COMMAND, "run"), (ANSWER, "30")]);
        assert!(error.starts_with("CONFORMANCE_TIMEOUT: "), "{error}");
        let error = refused(&[(COMMAND, "run"), (START, "0s")]);
        assert_eq!(error, "CONFORMANCE_START_TIMEOUT: nothing answers in no time");
        let expected = "CONFORMANCE_TIMEOUT is a limit for the command in CONFORMANCE_IMPL, which is not set; set it, \
                        or unset CONFORMANCE_TIMEOUT";
        assert_eq!(refused(&[(ANSWER, "30s")]), expected);
    }
}
