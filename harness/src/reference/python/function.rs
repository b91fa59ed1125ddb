//! Functions written in Python.
//!
//! Holds code and where it was defined; calling it is another module's business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::cell::RefCell;
use std::rc::Rc;

use ruff_python_ast as ast;

use super::module::Module;
use super::scope::Scope;
use super::source_file::SourceFile;
use super::value::Value;
use crate::protocol::SourcePlace;

/// A function, a coroutine function or a lambda.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its `__name__`, which `functools.wraps` may replace.
    pub(crate) name: RefCell<Rc<str>>,
    /// Its code.
    pub(crate) code: Code,
    /// The default of each parameter, in the order of [`ast::Parameters::iter_non_variadic_params`].
    pub(crate) defaults: Vec<Option<Value>>,
    /// The annotation of each parameter, in the order of the signature.
    pub(crate) annotations: Vec<(Rc<str>, Annotation)>,
    /// The scope it was defined in.
    pub(crate) scope: Rc<Scope>,
    /// The module it was defined in.
    pub(crate) module: Rc<Module>,
    /// The file it was written in.
    pub(crate) file: Rc<SourceFile>,
    /// Where it is defined.
    pub(crate) place: SourcePlace,
    /// Which names belong to a call of it, once somebody asked.
    pub(crate) names: std::cell::OnceCell<Rc<super::running::LocalNames>>,
    /// Where its definition lies in its file.
    pub(crate) range: ruff_text_size::TextRange,
    /// What `functools.wraps` made it stand for.
    pub(crate) wrapped: RefCell<Option<Value>>,
    /// Its description, when `@tool` marked it.
    pub(crate) tool: RefCell<Option<Value>>,
}

/// What a function runs.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    /// A `def` or `async def`.
    Definition(Rc<ast::StmtFunctionDef>),
    /// A lambda.
    Lambda(Rc<ast::ExprLambda>),
}

/// A parameter's annotation.
#[derive(Clone, Debug)]
pub(crate) enum Annotation {
    /// None was written.
    Missing,
    /// It was evaluated when the function was defined.
    Evaluated(Value),
    /// It is evaluated when somebody asks.
    Postponed(Rc<ast::Expr>),
}

impl Function {
    /// The parameters as written.
    pub(crate) fn parameters(&self) -> Option<&ast::Parameters> {
        match &self.code {
            Code::Definition(definition) => Some(&definition.parameters),
            Code::Lambda(lambda) => lambda.parameters.as_deref(),
        }
    }

    /// The name as it is now.
    pub(crate) fn name(&self) -> Rc<str> {
        Rc::clone(&self.name.borrow())
    }

    /// Its docstring, as written; `None` in Python where there is none.
    pub(crate) fn documentation(&self) -> Option<Value> {
        let Code::Definition(definition) = &self.code else { return Some(Value::None) };
        if self.wrapped.borrow().is_some() {
            return None;
        }
        // Python 3.13 strips the margin that earlier versions keep.
        match super::source_file::docstring(&definition.body) {
            Some(text) if text.contains('\n') => None,
            Some(text) => Some(Value::text(&text)),
            None => Some(Value::None),
        }
    }

    /// Whether calling it gives a coroutine.
    pub(crate) fn is_async(&self) -> bool {
        matches!(&self.code, Code::Definition(definition) if definition.is_async)
    }
}
