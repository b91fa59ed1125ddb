//! Runs the body of a function so that it can be suspended at any await, however deep.
//!
//! The evaluator is ordinary recursive code; a body runs on a stack of its own that is left at an await
//! and entered again when what was awaited is there.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::awaitable::{Awaitable, drive};
use super::cancellation::Cancellation;
use super::exception::Halt;
use super::function::Function;
use super::host::Outside;
use super::interpreter::{Interpreter, Suspend};
use super::native::Arguments;
use super::primitive::Timeout;
use super::turns::Turns;
use super::value::Value;
use crate::protocol::{SourcePlace, World};

/// The stack of a body, in bytes; only what is touched is ever backed by memory.
pub(super) const STACK_BYTES: usize = 64 * 1024 * 1024;
/// How many unused stacks are kept.
const MAXIMUM_SPARE: usize = 8;

/// What all bodies of one tool run share.
pub(crate) struct Program {
    /// Where services and suspensions are seen.
    pub(crate) outside: Rc<dyn Outside>,
    /// The modules loaded with the agent.
    pub(crate) modules: Rc<RefCell<BTreeMap<String, Value>>>,
    /// What may be imported.
    pub(crate) world: Rc<World>,
    /// Cuts the whole run off.
    pub(crate) root: Rc<Cancellation>,
    /// Those of the bodies that gave way.
    pub(crate) turns: Turns,
    /// How much work the bodies have done.
    pub(crate) spent: Cell<u64>,
    /// How often they were suspended.
    pub(crate) suspensions: Cell<u32>,
    /// How many bodies are in synchronous work right now.
    pub(crate) busy: Cell<u32>,
}

impl Program {
    /// Cuts the run off at its next suspension. Once is enough: what handlers await is carried out (CAN-30).
    pub(crate) fn cut_off(&self) {
        if self.root.is_untouched() {
            self.root.request();
        }
    }
}

/// What a suspended body asks for.
enum Request {
    /// To wait for something.
    Await(Rc<Awaitable>, SourcePlace, Option<Rc<Timeout>>),
    /// That time passes, in virtual milliseconds, as in synchronous work.
    Busy(u64),
}

/// What a body goes on with.
enum Resume {
    Start,
    With(Result<Value, Halt>),
}

struct Suspender<'yielder>(&'yielder Yielder<Resume, Request>, Rc<Cancellation>);

impl Suspend for Suspender<'_> {
    fn wait(
        &self,
        awaitable: Rc<Awaitable>,
        place: SourcePlace,
        timeout: Option<Rc<Timeout>>,
    ) -> Result<Value, Halt> {
        match self.0.suspend(Request::Await(awaitable, place, timeout)) {
            Resume::With(result) => result,
            Resume::Start => Ok(Value::None),
        }
    }

    fn forgive(&self) -> bool {
        self.1.forgive()
    }

    fn busy(&self, ms: u64) {
        self.0.suspend(Request::Busy(ms));
    }
}

thread_local! {
    /// Stacks that are free again: mapping one costs more than running a short body on it.
    static SPARE: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// Runs a function's body to its end.
pub(crate) async fn run_coroutine(
    program: &Rc<Program>,
    function: Rc<Function>,
    arguments: Arguments,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    let spare = SPARE.with_borrow_mut(Vec::pop);
    let stack = match spare.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok) {
        Ok(stack) => stack,
        Err(error) => {
            let why = format!("no stack for a tool's body: {error}");
            return Err(Halt::GaveUp(super::value::Unknown::new(why, function.place.clone())));
        }
    };
    let (own, shared) = (Rc::clone(program), Rc::clone(cancellation));
    let mut coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<Resume, Request>, _: Resume| {
        let suspender = Suspender(yielder, shared);
        Interpreter::running(&own, &suspender).run_body(&function, arguments)
    });
    let mut resume = Resume::Start;
    let ended = loop {
        match coroutine.resume(resume) {
            CoroutineResult::Return(ended) => break ended,
            CoroutineResult::Yield(Request::Busy(ms)) => {
                program.busy.set(program.busy.get().saturating_add(1));
                tokio::time::advance(Duration::from_millis(ms)).await;
                program.busy.set(program.busy.get().saturating_sub(1));
                resume = Resume::With(Ok(Value::None));
            }
            CoroutineResult::Yield(Request::Await(awaitable, place, timeout)) => {
                // A body may await another body: the future's size must not depend on itself.
                let work = Box::pin(drive(program, &awaitable, &place, cancellation));
                resume = Resume::With(within(work, timeout, cancellation).await);
            }
        }
    };
    let stack = coroutine.into_stack();
    SPARE.with_borrow_mut(|spare| {
        if spare.len() < MAXIMUM_SPARE {
            spare.push(stack);
        }
    });
    ended
}

/// Waits for something, and asks the body to stop when a timeout of its own expires meanwhile.
async fn within(
    mut work: std::pin::Pin<Box<impl Future<Output = Result<Value, Halt>>>>,
    timeout: Option<Rc<Timeout>>,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    let Some((timeout, until)) = timeout.and_then(|timeout| timeout.until().map(|until| (timeout, until)))
    else {
        return work.await;
    };
    tokio::select! {
        biased;
        ended = &mut work => return ended,
        () = tokio::time::sleep_until(until) => {}
    }
    timeout.expire();
    cancellation.request_by_timeout();
    work.await
}
