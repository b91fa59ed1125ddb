//! The command behind which an implementation is, and how long it may take.
//!
//! An argv, never a shell string: nothing is expanded, substituted or joined. Starting it is the
//! business of `stdio`. Rules: design, "The boundary"; docs/adapters.md.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::implementation::{Fault, Implementation};

/// How far an implementation in another process may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take from its start to its greeting, in real milliseconds.
    pub start_ms: u64,
    /// How long it may take for any other answer, in real milliseconds.
    pub answer_ms: u64,
    /// How long a line of its may be.
    pub line_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { start_ms: 60_000, answer_ms: 10_000, line_bytes: 16 * 1024 * 1024 }
    }
}

/// A command that speaks the protocol on its standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) limits: Limits,
    pub(super) folders: PathBuf,
}

/// What is no command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is nothing to start.
    #[error("the command is empty; name a program and its arguments")]
    Empty,
    /// It looks like a list, and is none.
    #[error("the command starts like a JSON array of strings, and is none: {0}")]
    Array(String),
}

impl Command {
    /// A program and its arguments, as they are.
    pub fn new<Word: Into<OsString>>(words: impl IntoIterator<Item = Word>) -> Result<Self, CommandError> {
        let mut words = words.into_iter().map(Into::into);
        let program = words.next().filter(|program| !program.is_empty()).ok_or(CommandError::Empty)?;
        let arguments = words.collect();
        Ok(Self { program, arguments, limits: Limits::default(), folders: memory_backed_folder() })
    }

    /// A program and its arguments from one text: a JSON array of strings, or words between white space.
    /// Neither quotes nor variables mean anything; a word with white space in it needs the array.
    pub fn from_text(text: &str) -> Result<Self, CommandError> {
        if text.trim_start().starts_with('[') {
            let words: Vec<String> =
                serde_json::from_str(text).map_err(|error| CommandError::Array(error.to_string()))?;
            return Self::new(words);
        }
        Self::new(text.split_whitespace())
    }

    /// Other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Another place for the folders that projects are written to.
    #[must_use]
    pub fn with_folders_in(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folders);
        self
    }
}

impl std::fmt::Display for Command {
    /// As one would type it into a shell.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&typed(&self.program))?;
        self.arguments.iter().try_for_each(|word| write!(formatter, " {}", typed(word)))
    }
}

/// A word as one would type it into a shell.
pub(crate) fn typed(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |character: char| character.is_alphanumeric() || "-_./=:,+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A starter of child processes that run this command. Before the first it sweeps away the folders of earlier runs
/// that were killed.
pub fn child_process(
    command: Command,
) -> impl Fn() -> Result<Box<dyn Implementation>, Fault> + Send + Sync + 'static {
    let swept = Once::new();
    move || {
        swept.call_once(|| sweep(&command));
        start(&command)
    }
}

#[cfg(unix)]
fn sweep(command: &Command) {
    super::stdio::ChildProcess::sweep(command);
}

#[cfg(not(unix))]
fn sweep(_: &Command) {}

#[cfg(unix)]
fn start(command: &Command) -> Result<Box<dyn Implementation>, Fault> {
    Ok(Box::new(super::stdio::ChildProcess::start(command)?))
}

#[cfg(not(unix))]
fn start(_: &Command) -> Result<Box<dyn Implementation>, Fault> {
    Err(Fault::NotStarted("a process and what it starts can be ended together on Unix only".to_owned()))
}

/// A folder on a file system that lives in memory, where there is one.
fn memory_backed_folder() -> PathBuf {
    let shared_memory = Path::new("/dev/shm");
    if shared_memory.is_dir() { shared_memory.to_owned() } else { std::env::temp_dir() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn words(text: &str) -> Vec<OsString> {
        let command = Command::from_text(text).unwrap();
        [vec![command.program], command.arguments].concat()
    }

    #[test]
    fn words_are_split_at_white_space_and_at_nothing_else() {
        assert_eq!(words("  python3 -m my.adapter\n"), ["python3", "-m", "my.adapter"]);
        assert_eq!(words("run '$HOME' a;b"), ["run", "'$HOME'", "a;b"]);
    }

    #[test]
    fn an_array_keeps_its_words_whole() {
        assert_eq!(words(r#" ["./my adapter", "", "-v"]"#), ["./my adapter", "", "-v"]);
    }

    #[test]
    fn it_is_shown_as_one_would_type_it() {
        let command = Command::new(["./a b", "--x=1", "", "it's", "$HOME"]).unwrap();
        assert_eq!(command.to_string(), r"'./a b' --x=1 '' 'it'\''s' '$HOME'");
    }

    #[test]
    fn nothing_to_start_is_an_error() {
        for text in ["", "  ", "[]", r#"[""]"#] {
            assert_eq!(Command::from_text(text), Err(CommandError::Empty), "{text}");
        }
        assert!(matches!(Command::from_text("[1]"), Err(CommandError::Array(_))));
    }
}
