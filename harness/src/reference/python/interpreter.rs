//! Runs the top level of modules, as far as they can be read, and says where reading ends.
//!
//! Knows nothing of tools' schemas or skills. Statements and expressions live in `statements` and
//! `expressions`; here are the state they share, its bounds, and the entry for a whole file.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use ruff_text_size::TextRange;

use super::awaitable::Awaitable;
use super::coroutine::Program;
use super::exception::{Halt, Raised};
use super::function::Code;
use super::importer::Importer;
use super::module::Module;
use super::primitive::Timeout;
use super::scope::{Scope, ScopeKind};
use super::source_file::SourceFile;
use super::value::{Unknown, Value};
use crate::project::ProjectSource;
use crate::protocol::{SourcePlace, World};

/// How many statements and calls one load may run before the rest is called unknown.
const MAXIMUM_STEPS: u32 = 400_000;
/// How deep calls, imports and expressions may nest.
const MAXIMUM_DEPTH: u32 = 400;
/// How long a text may be to be read when the code makes it; descriptions are shorter.
pub(super) const MAXIMUM_TEXT: usize = 1 << 16;
/// How many bytes of text, or items of a list, cost as much as a step.
const SIZE_OF_A_STEP: usize = 32;

/// Runs modules, and the bodies of their functions.
pub(crate) struct Interpreter<'project> {
    pub(super) importer: Importer<'project>,
    /// Set while a body runs: then nothing may be unknown, and awaiting suspends.
    pub(super) running: Option<Running<'project>>,
    steps: Cell<u32>,
    depth: u32,
    /// How deep the calls of a running body nest.
    pub(super) calls: u32,
    /// Where the stack of a running body begins.
    pub(super) stack_top: usize,
    /// The exceptions that a running body is handling, the innermost last.
    pub(super) handling: Vec<Rc<Raised>>,
    /// The values that are being shown, so that one that holds itself is noticed.
    pub(super) showing: Vec<Value>,
    /// The limits that a running body is under.
    pub(super) timeouts: Vec<Rc<Timeout>>,
    /// How many operations could not be read, and so may also have raised.
    doubts: u32,
    /// Above zero while code runs of which it is not known whether it runs.
    pub(super) speculation: u32,
}

/// How a running body is suspended, and what it shares with the bodies it awaits.
#[derive(Clone, Copy)]
pub(crate) struct Running<'program> {
    /// Leaves the body until something has happened.
    pub(super) suspend: &'program dyn Suspend,
    /// What the bodies of one tool run share.
    pub(super) program: &'program Rc<Program>,
}

/// Suspends a running body.
pub(crate) trait Suspend {
    /// Waits for an awaitable.
    fn wait(
        &self,
        awaitable: Rc<Awaitable>,
        place: SourcePlace,
        timeout: Option<Rc<Timeout>>,
    ) -> Result<Value, Halt>;

    /// Takes back that the body was cut off, when a timeout of its own did it and nobody else.
    fn forgive(&self) -> bool;

    /// Lets virtual milliseconds pass, as in synchronous work.
    fn busy(&self, ms: u64);
}

/// The code that is running: where its names live and how to say where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The file it was written in.
    pub(crate) file: Rc<SourceFile>,
    /// The module it belongs to.
    pub(crate) module: Rc<Module>,
    /// The scope its names are bound in.
    pub(crate) scope: Rc<Scope>,
    /// The exception being handled, for a bare `raise`.
    pub(crate) handling: Option<Rc<Raised>>,
}

impl<'project> Interpreter<'project> {
    /// An interpreter for one load.
    pub(crate) fn new(project: &'project dyn ProjectSource, world: &'project World) -> Self {
        Self::with(Importer::new(project, world), None)
    }

    /// An interpreter for the body of a function: nothing is imported that is not loaded already (DSC-40).
    pub(super) fn running(program: &'project Rc<Program>, suspend: &'project dyn Suspend) -> Self {
        let importer = Importer::loaded(&program.modules, &program.world);
        Self::with(importer, Some(Running { suspend, program }))
    }

    fn with(importer: Importer<'project>, running: Option<Running<'project>>) -> Self {
        Self {
            importer,
            running,
            steps: Cell::new(0),
            depth: 0,
            calls: 0,
            stack_top: super::running::stack_address(),
            handling: Vec::new(),
            showing: Vec::new(),
            timeouts: Vec::new(),
            doubts: 0,
            speculation: 0,
        }
    }

    /// The modules imported so far, for the bodies that run later.
    pub(crate) fn modules(&self) -> Rc<RefCell<BTreeMap<String, Value>>> {
        Rc::clone(&self.importer.loaded)
    }

    /// Runs a file as a module's top level.
    pub(super) fn run_file(&mut self, module: &Rc<Module>, file: &Rc<SourceFile>) -> Result<(), Rc<Raised>> {
        let scope = Rc::clone(&module.scope);
        scope.assign("__name__", Value::text(&module.name));
        let documentation = match super::source_file::docstring(file.body()) {
            Some(text) if text.contains('\n') => {
                self.unknown_at(file.place(0.into()), "how Python keeps the lines of a docstring is not read")
            }
            Some(text) => Value::text(&text),
            None => Value::None,
        };
        scope.assign("__doc__", documentation);
        let file_value = self.unknown_at(file.place(0.into()), "where the project lies is not known");
        scope.assign("__file__", file_value);
        for name in ["__package__", "__spec__", "__loader__", "__builtins__", "__path__", "__annotations__"] {
            scope.assign(name, Value::Opaque(Rc::from(name)));
        }
        let frame = Frame { file: Rc::clone(file), module: Rc::clone(module), scope, handling: None };
        // What one file does not know of itself must not colour another.
        let speculation = std::mem::take(&mut self.speculation);
        let ended = match file.too_deep() {
            Some(place) => Err(Halt::GaveUp(Unknown::new("the code nests deeper than is read", place))),
            None => self.nested(&frame, TextRange::default(), |interpreter| {
                interpreter.run_block(&frame, file.body())
            }),
        };
        self.speculation = speculation;
        match ended {
            Ok(_) => Ok(()),
            Err(Halt::Raised(raised)) => Err(raised),
            Err(Halt::GaveUp(unknown)) => {
                module.scope.complete.set(false);
                *module.scope.anything.borrow_mut() = Some(unknown);
                Ok(())
            }
        }
    }

    /// Counts a step; beyond the bound the rest is unknown.
    pub(super) fn step(&mut self, frame: &Frame, range: TextRange) -> Result<(), Halt> {
        self.steps.set(self.steps.get().saturating_add(1));
        if self.steps.get() > MAXIMUM_STEPS {
            let why = "the module does more at import than is read";
            return Err(Halt::GaveUp(Unknown::new(why, frame.place(range))));
        }
        Ok(())
    }

    /// Counts the steps that something of this size costs; the next step notices when it was too much.
    pub(super) fn charge(&self, size: usize) {
        let cost = u32::try_from(size / SIZE_OF_A_STEP).unwrap_or(u32::MAX);
        self.steps.set(self.steps.get().saturating_add(cost));
    }

    /// A value that code made, unless it is larger than is read.
    pub(super) fn bounded(&self, frame: &Frame, range: TextRange, value: Value) -> Value {
        match &value {
            Value::Text(text) => {
                self.charge(text.len());
                if text.len() > MAXIMUM_TEXT {
                    return self.unknown(frame, range, "a text this long is not read");
                }
            }
            Value::Tuple(items) => self.charge(items.len()),
            Value::List(list) => self.charge(list.items.borrow().len()),
            _ => {}
        }
        value
    }

    /// Runs something one level deeper; beyond the bound it is unknown.
    pub(super) fn nested<Outcome>(
        &mut self,
        frame: &Frame,
        range: TextRange,
        run: impl FnOnce(&mut Self) -> Result<Outcome, Halt>,
    ) -> Result<Outcome, Halt> {
        if self.depth >= MAXIMUM_DEPTH {
            let why = "the code nests deeper than is read";
            return Err(Halt::GaveUp(Unknown::new(why, frame.place(range))));
        }
        self.depth += 1;
        let outcome = run(self);
        self.depth -= 1;
        outcome
    }

    /// An unknown value.
    pub(super) fn unknown(&self, frame: &Frame, range: TextRange, why: impl Into<String>) -> Value {
        self.unknown_at(frame.place(range), why)
    }

    /// An unknown value at a place.
    #[expect(clippy::unused_self, reason = "reads as the sibling of `unknown`")]
    pub(super) fn unknown_at(&self, place: SourcePlace, why: impl Into<String>) -> Value {
        Value::Unknown(Unknown::new(why.into(), place))
    }

    /// Notes that something cannot be read, and so may also have raised.
    pub(super) fn doubt(&mut self) {
        self.doubts += 1;
    }

    /// How much could not be read so far.
    pub(super) fn doubts(&self) -> u32 {
        self.doubts
    }
}

impl Frame {
    /// Where a node stands.
    pub(crate) fn place(&self, range: TextRange) -> SourcePlace {
        self.file.place(range.start())
    }

    /// The same code with another scope.
    pub(crate) fn inside(&self, scope: Rc<Scope>) -> Self {
        Self { scope, ..self.clone() }
    }
}

/// The name a function's code gives it.
pub(super) fn code_name(code: &Code) -> Rc<str> {
    match code {
        Code::Definition(definition) => Rc::from(definition.name.as_str()),
        Code::Lambda(_) => Rc::from("<lambda>"),
    }
}

/// The scope of a call of a function defined in `scope`.
pub(super) fn call_scope(scope: &Rc<Scope>) -> Rc<Scope> {
    Scope::new(ScopeKind::Function, Some(Rc::clone(scope)))
}
