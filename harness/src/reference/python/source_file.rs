//! A Python file, parsed once, that can say where its nodes stand.
//!
//! Knows nothing of how code runs. Syntax follows Ruff's parser, and the errors that Python's compiler
//! finds after parsing follow its semantic checker (`compile_errors`).

use std::rc::Rc;

use ruff_python_ast::{ModModule, Stmt};
use ruff_text_size::TextSize;

use super::compile_errors::first_compile_error;
use crate::protocol::SourcePlace;
use crate::source::{LineIndex, parse_python};

/// How deep expressions and statements may nest to be read; Python's compiler has a limit of its own.
const MAXIMUM_NESTING: u32 = 1_000;

/// A Python file that Python would compile.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Its path in the project.
    pub(crate) path: String,
    text: String,
    lines: LineIndex,
    module: Rc<ModModule>,
    too_deep: Option<TextSize>,
    /// Whether `from __future__ import annotations` postpones its annotations.
    pub(crate) postponed_annotations: bool,
}

/// Why a file is not Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotPython {
    /// What is wrong.
    pub(crate) message: String,
    /// Where.
    pub(crate) place: SourcePlace,
}

impl SourceFile {
    /// Parses a file's bytes.
    pub(crate) fn parse(path: &str, bytes: &[u8]) -> Result<Rc<Self>, NotPython> {
        let whole = |message: &str| NotPython {
            message: message.to_owned(),
            place: SourcePlace { file: path.to_owned(), line: 1, column: 1 },
        };
        let text = decode(bytes).ok_or_else(|| whole("the file is not UTF-8 text"))?;
        if text.contains('\0') {
            return Err(whole("the file contains a NUL character"));
        }
        let lines = LineIndex::of(&text);
        let module = match parse_python(&text) {
            Ok(module) => module,
            Err(error) => {
                let place = place_in(path, &text, &lines, error.location.start());
                return Err(NotPython { message: error.error.to_string(), place });
            }
        };
        let too_deep = super::nesting::first_beyond(&module, MAXIMUM_NESTING);
        // The walk for compile errors is recursive too.
        let error = if too_deep.is_some() { None } else { first_compile_error(&module, &text) };
        if let Some(error) = error {
            let place = place_in(path, &text, &lines, error.at);
            return Err(NotPython { message: error.message, place });
        }
        let postponed_annotations = module.body.iter().any(is_postponing);
        Ok(Rc::new(Self { path: path.to_owned(), text, lines, module, too_deep, postponed_annotations }))
    }

    /// The statements of the module.
    pub(crate) fn body(&self) -> &[Stmt] {
        &self.module.body
    }

    /// Where the code nests deeper than is read, if it does.
    pub(crate) fn too_deep(&self) -> Option<SourcePlace> {
        self.too_deep.map(|offset| self.place(offset))
    }

    /// Where an offset stands.
    pub(crate) fn place(&self, offset: TextSize) -> SourcePlace {
        place_in(&self.path, &self.text, &self.lines, offset)
    }

    /// The text between two offsets, for messages: at most one line of it.
    pub(crate) fn excerpt(&self, range: ruff_text_size::TextRange) -> &str {
        let text = self.text.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default();
        text.lines().next().unwrap_or_default()
    }
}

/// The string that a body begins with, if it begins with one.
pub(crate) fn docstring(body: &[Stmt]) -> Option<String> {
    let Some(Stmt::Expr(statement)) = body.first() else { return None };
    statement.value.as_string_literal_expr().map(|literal| literal.value.to_str().to_owned())
}

fn place_in(path: &str, text: &str, lines: &LineIndex, offset: TextSize) -> SourcePlace {
    let position = lines.position(text, offset.to_usize());
    SourcePlace { file: path.to_owned(), line: position.line, column: position.column }
}

/// The text of a source file: UTF-8, with or without a byte order mark, or Latin-1 where the file says so.
fn decode(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        Err(_) if declares_latin_1(bytes) => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Err(_) => None,
    }
}

fn declares_latin_1(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').take(2).any(|line| {
        let line = String::from_utf8_lossy(line).to_lowercase();
        line.trim_start().starts_with('#')
            && line.contains("coding")
            && ["latin-1", "latin1", "iso-8859-1", "cp1252"].iter().any(|name| line.contains(name))
    })
}

fn is_postponing(statement: &Stmt) -> bool {
    matches!(statement, Stmt::ImportFrom(import)
        if import.module.as_ref().is_some_and(|module| module.as_str() == "__future__")
            && import.names.iter().any(|name| name.name.as_str() == "annotations"))
}
