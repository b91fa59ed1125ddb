//! Python texts as Ruff's trees, each parsed once.
//!
//! Knows syntax only; what code means is the reference's.
//! Rules: the grammar is Ruff's; [`python_too_deep`](super::python_too_deep) says what must not be parsed
//! where the stack is small.

use std::cell::RefCell;
use std::rc::Rc;

use ruff_python_ast::ModModule;
use ruff_python_parser::ParseError;

use super::python_depth::MAXIMUM_PYTHON_DEPTH;
use super::recent::Recent;

thread_local! {
    static RECENT: RefCell<Recent<ModModule>> = const { RefCell::new(Recent::new()) };
}

/// Parses a module.
///
/// # Errors
///
/// The first thing that makes the text no Python.
pub fn parse_python(text: &str) -> Result<Rc<ModModule>, ParseError> {
    if let Some(module) = RECENT.with_borrow_mut(|recent| recent.find(text)) {
        return Ok(module);
    }
    let module = Rc::new(ruff_python_parser::parse_module(text)?.into_syntax());
    // What is kept is dropped when its thread ends, on whatever stack there is: it must not be deep.
    if text.len() <= MAXIMUM_PYTHON_DEPTH {
        RECENT.with_borrow_mut(|recent| recent.remember(text, &module));
    }
    Ok(module)
}
