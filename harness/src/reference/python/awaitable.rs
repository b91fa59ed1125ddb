//! What Python code can await, and how waiting goes on the virtual clock.
//!
//! Cancellation follows asyncio: it is raised once, at the await where the code is suspended, and goes
//! down into whatever that await is waiting for before it comes up (chapter CAN).

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use indexmap::IndexMap;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::cancellation::Cancellation;
use super::coroutine::{Program, run_coroutine};
use super::exception::{Halt, Raised, RaisedClass};
use super::function::Function;
use super::gathering;
use super::importer::raise;
use super::interpreter::Interpreter;
use super::json::{from_json, to_json};
use super::native::Arguments;
use super::primitive::Primitive;
use super::value::Value;
use crate::protocol::{Awaited, Json, ServiceOutcome, ServiceResult, SourcePlace};

/// Something that can be awaited.
#[derive(Debug)]
pub(crate) enum Awaitable {
    /// A call of a coroutine function.
    Call {
        /// The function.
        function: Rc<Function>,
        /// Its arguments.
        arguments: Arguments,
        /// Whether somebody has awaited it: nobody else may.
        begun: Cell<bool>,
    },
    /// A coroutine method of an object of the runtime: done at once when awaited, without suspending.
    HostCall {
        /// The object.
        object: Value,
        /// The method.
        name: Rc<str>,
        /// Its arguments.
        arguments: Arguments,
        /// Whether somebody has awaited it: nobody else may.
        begun: Cell<bool>,
    },
    /// `asyncio.sleep`.
    Sleep {
        /// How long, in virtual milliseconds.
        ms: u64,
        /// What it gives.
        result: Value,
    },
    /// A service of the outside.
    Service {
        /// Its name.
        name: String,
        /// Its arguments.
        arguments: Arguments,
    },
    /// `asyncio.gather`.
    Gather {
        /// What is gathered.
        parts: Vec<Value>,
        /// Whether exceptions become results.
        return_exceptions: bool,
    },
    /// `asyncio.wait_for`.
    WaitFor {
        /// What is waited for.
        inner: Value,
        /// The limit in milliseconds.
        limit_ms: Option<u64>,
    },
    /// `asyncio.shield`.
    Shield(Value),
    /// `asyncio.create_task`, already running.
    Task(Rc<Task>),
    /// `acquire` of a lock or semaphore.
    Acquire(Rc<Primitive>),
    /// `wait` of an event.
    Happen(Rc<Primitive>),
}

impl Awaitable {
    /// A call of a coroutine function.
    pub(crate) fn call(function: Rc<Function>, arguments: Arguments) -> Self {
        Self::Call { function, arguments, begun: Cell::default() }
    }

    /// A call of a coroutine method of the runtime.
    pub(crate) fn host_call(object: Value, name: Rc<str>, arguments: Arguments) -> Self {
        Self::HostCall { object, name, arguments, begun: Cell::default() }
    }

    /// Whether it is a task.
    pub(crate) fn is_task(&self) -> bool {
        matches!(self, Self::Task(_))
    }

    /// Notes that it is awaited: a coroutine can be only once.
    pub(crate) fn begin(&self, place: &SourcePlace) -> Result<(), Halt> {
        match self {
            Self::Call { begun, .. } | Self::HostCall { begun, .. } if begun.replace(true) => {
                Err(raise("RuntimeError", "cannot reuse already awaited coroutine".to_owned(), place))
            }
            _ => Ok(()),
        }
    }
}

/// A task that runs on its own.
#[derive(Debug, Default)]
pub(crate) struct Task {
    outcome: RefCell<Option<Result<Value, Halt>>>,
    done: Notify,
    pub(super) cancellation: Cancellation,
}

impl Task {
    /// How it ended, if it has.
    pub(crate) fn outcome(&self) -> Option<Result<Value, Halt>> {
        self.outcome.borrow().clone()
    }

    /// Asks it to stop.
    pub(crate) fn cancel(&self) {
        self.cancellation.request();
    }
}

/// Waits for an awaitable.
pub(crate) async fn drive(
    program: &Rc<Program>,
    awaitable: &Rc<Awaitable>,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    match awaitable.as_ref() {
        Awaitable::Call { function, arguments, .. } => {
            run_coroutine(program, Rc::clone(function), arguments.clone(), cancellation).await
        }
        Awaitable::HostCall { object, name, arguments, .. } => {
            Interpreter::call_host(object, name, arguments, place)
        }
        Awaitable::Sleep { ms, result } => {
            suspend(program, "asyncio.sleep", *ms, place, cancellation).await.map(|()| result.clone())
        }
        Awaitable::Acquire(primitive) => {
            until_cut(primitive.enter(), place, cancellation).await.map(|()| Value::Bool(true))
        }
        Awaitable::Happen(primitive) => {
            until_cut(primitive.happens(), place, cancellation).await.map(|()| Value::Bool(true))
        }
        Awaitable::Service { name, arguments } => {
            service(program, name, arguments, place, cancellation).await
        }
        Awaitable::Gather { parts, return_exceptions } => {
            gathering::gather(program, parts, *return_exceptions, place, cancellation).await
        }
        Awaitable::WaitFor { inner, limit_ms } => {
            wait_for(program, inner, *limit_ms, place, cancellation).await
        }
        Awaitable::Shield(inner) => {
            let task = start(program, inner, place)?;
            let ended = join(&task, cancellation, false).await;
            ended.unwrap_or_else(|| Err(cancelled(place)))
        }
        Awaitable::Task(task) => {
            let ended = join(task, cancellation, true).await;
            ended.unwrap_or_else(|| Err(cancelled(place)))
        }
    }
}

/// Lets time pass; without any, lets the others have their turn.
async fn pass(program: &Program, ms: u64, until: Instant) {
    if ms == 0 {
        program.turns.give_way().await;
    } else {
        sleep_until(until).await;
    }
}

/// Waits for something that no clock brings about.
async fn until_cut(
    work: impl Future<Output = ()>,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<(), Halt> {
    tokio::select! {
        biased;
        () = work => Ok(()),
        () = cancellation.requested() => {
            cancellation.take();
            Err(cancelled(place))
        }
    }
}

/// A suspension of a certain length. A completion at the same instant wins over a cancellation (design,
/// "Time and determinism").
async fn suspend(
    program: &Rc<Program>,
    what: &str,
    ms: u64,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<(), Halt> {
    let number = program.outside.begin_await(what, place);
    let until = Instant::now() + Duration::from_millis(ms);
    if program.outside.cuts_off_here() {
        program.cut_off();
    }
    let ended = if cancellation.take() {
        Err(cancelled(place))
    } else {
        tokio::select! {
            biased;
            () = pass(program, ms, until) => Ok(()),
            () = cancellation.requested() => {
                cancellation.take();
                Err(cancelled(place))
            }
        }
    };
    program.outside.end_await(number, if ended.is_ok() { Awaited::Returned } else { Awaited::Cancelled });
    ended
}

async fn service(
    program: &Rc<Program>,
    name: &str,
    arguments: &Arguments,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    let shown = |value: &Value| to_json(value).unwrap_or_else(|_| Json::String("<object>".to_owned()));
    let positional = arguments.positional.iter().map(shown).collect();
    let keywords: IndexMap<String, Json> =
        arguments.keywords.iter().map(|(name, value)| (name.to_string(), shown(value))).collect();
    let start = program.outside.begin_service(name, positional, keywords);
    if let Err(halt) = suspend(program, name, start.takes_ms, place, cancellation).await {
        program.outside.end_service(start.number, ServiceOutcome::Cancelled);
        return Err(halt);
    }
    match start.ends {
        ServiceResult::Returns(value) => {
            program.outside.end_service(start.number, ServiceOutcome::Returned);
            Ok(from_json(&value))
        }
        ServiceResult::Raises { exception, message } => {
            program.outside.end_service(start.number, ServiceOutcome::Raised);
            let class = RaisedClass::Builtin(Rc::from(exception.as_str()));
            Err(Halt::Raised(Rc::new(Raised { class, message, place: place.clone(), value: None })))
        }
    }
}

/// Starts something as a task of its own.
pub(crate) fn start(program: &Rc<Program>, value: &Value, place: &SourcePlace) -> Result<Rc<Task>, Halt> {
    let Value::Awaitable(awaitable) = value else {
        return Err(raise("TypeError", "an awaitable is required".to_owned(), place));
    };
    if let Awaitable::Task(task) = awaitable.as_ref() {
        return Ok(Rc::clone(task));
    }
    awaitable.begin(place)?;
    let task = Rc::new(Task::default());
    let (running, program, awaitable, place) =
        (Rc::clone(&task), Rc::clone(program), Rc::clone(awaitable), place.clone());
    tokio::task::spawn_local(async move {
        let cancellation = Rc::new(Cancellation::default());
        let ended = {
            let work = drive(&program, &awaitable, &place, &cancellation);
            tokio::pin!(work);
            loop {
                tokio::select! {
                    biased;
                    ended = &mut work => break ended,
                    () = running.cancellation.requested() => {
                        running.cancellation.take();
                        cancellation.request();
                    }
                }
            }
        };
        *running.outcome.borrow_mut() = Some(ended);
        running.done.notify_waiters();
    });
    Ok(task)
}

/// Waits for a task. A cancellation meanwhile goes on into it, when it may, and is then `None`.
async fn join(
    task: &Rc<Task>,
    cancellation: &Rc<Cancellation>,
    passes_on: bool,
) -> Option<Result<Value, Halt>> {
    tokio::select! {
        biased;
        ended = finished(task) => return Some(ended),
        () = cancellation.requested() => {}
    }
    cancellation.take();
    if passes_on {
        task.cancellation.request();
        let ended = finished(task).await;
        if let Err(Halt::GaveUp(_)) = ended {
            return Some(ended);
        }
    }
    None
}

pub(super) async fn finished(task: &Rc<Task>) -> Result<Value, Halt> {
    loop {
        let done = task.done.notified();
        if let Some(outcome) = task.outcome.borrow().clone() {
            return outcome;
        }
        done.await;
    }
}

async fn wait_for(
    program: &Rc<Program>,
    inner: &Value,
    limit_ms: Option<u64>,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    let until = limit_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
    let task = start(program, inner, place)?;
    let limit = async {
        match until {
            Some(until) => sleep_until(until).await,
            None => std::future::pending().await,
        }
    };
    let expired = tokio::select! {
        biased;
        ended = finished(&task) => return ended,
        () = cancellation.requested() => false,
        () = limit => true,
    };
    task.cancellation.request();
    let ended = finished(&task).await;
    if let Err(Halt::GaveUp(_)) = ended {
        return ended;
    }
    if expired {
        return Err(raise("TimeoutError", String::new(), place));
    }
    cancellation.take();
    Err(cancelled(place))
}

/// `asyncio.CancelledError` on its way.
pub(crate) fn cancelled(place: &SourcePlace) -> Halt {
    raise("CancelledError", String::new(), place)
}
