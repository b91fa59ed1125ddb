//! Iterators: what is iterated and how far it has come.
//!
//! Holds the state; taking the next item is the running evaluator's business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::RefCell;
use std::rc::Rc;

use ruff_python_ast as ast;

use super::containers::{Range, Set, View, release};
use super::interpreter::Frame;
use super::value::{List, Value};

/// An iterator.
#[derive(Debug)]
pub(crate) struct Iteration {
    /// How far it has come.
    pub(crate) state: RefCell<Progress>,
    /// The name of its class.
    name: &'static str,
}

/// What an iterator goes through, and how far it has come.
#[derive(Debug, Default)]
pub(crate) enum Progress {
    /// Nothing is left.
    #[default]
    Ended,
    /// It is taking an item just now.
    Busy,
    /// Items that are known already, the next one last.
    Items(Vec<Value>),
    /// A list, which may change meanwhile, from a position on.
    List(Rc<List>, usize),
    /// A set of so many items, which may not change, from a position on.
    Set(Rc<Set>, usize, usize),
    /// A range, from a position on.
    Range(Range, i64),
    /// A view of a dict of so many entries, which may not change, from a position on.
    View(View, usize, usize),
    /// `enumerate`: an iterator, and the next number.
    Enumerate(Value, i64),
    /// `zip`: iterators, and whether they must be of one length.
    Zip(Vec<Value>, bool),
    /// `map`: a function and the iterators of its arguments.
    Map(Value, Vec<Value>),
    /// `filter`: a function, or `None`, and an iterator.
    Filter(Value, Value),
    /// A generator expression.
    Generator(Box<Generator>),
}

/// A generator expression that is suspended between two items.
#[derive(Debug)]
pub(crate) struct Generator {
    /// Where its names live.
    pub(crate) frame: Frame,
    /// The expression.
    pub(crate) code: Rc<ast::ExprGenerator>,
    /// The iterators of its `for` parts, as many as are open.
    pub(crate) open: Vec<Value>,
}

impl Iteration {
    /// An iterator of that class.
    pub(crate) fn value(name: &'static str, progress: Progress) -> Value {
        Value::Iterator(Rc::new(Self { state: RefCell::new(progress), name }))
    }

    /// An iterator over items that are known.
    pub(crate) fn over(name: &'static str, mut items: Vec<Value>) -> Value {
        items.reverse();
        Self::value(name, Progress::Items(items))
    }

    /// The name of its class.
    pub(crate) fn class_name(&self) -> &'static str {
        self.name
    }
}

impl Drop for Iteration {
    fn drop(&mut self) {
        match self.state.take() {
            Progress::Items(items) | Progress::Zip(items, _) => release(items),
            Progress::Enumerate(inner, _) => release(vec![inner]),
            Progress::Map(function, mut items) => {
                items.push(function);
                release(items);
            }
            Progress::Filter(function, inner) => release(vec![function, inner]),
            Progress::Generator(generator) => release(generator.open),
            Progress::Ended
            | Progress::Busy
            | Progress::List(..)
            | Progress::Set(..)
            | Progress::Range(..)
            | Progress::View(..) => {}
        }
    }
}
