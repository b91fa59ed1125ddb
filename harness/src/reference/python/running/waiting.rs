//! Awaiting, and what `asyncio` and `time` give running code.
//!
//! Makes what is waited for; the waiting itself is `awaitable`'s affair.
//! Rules: asyncio's own, on the virtual clock.

use std::rc::Rc;

use super::super::awaitable::Awaitable;
use super::super::exception::{ExceptionValue, Halt, Raised};
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::primitive::{Primitive, Timeout};
use super::super::value::Value;
use super::numbers::Number;
use super::site::Site;

impl Interpreter<'_> {
    /// `await value`.
    pub(in super::super) fn run_await(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        let Value::Awaitable(awaitable) = value else {
            if self.special(site, value, "__await__")?.is_some() {
                return Err(site.outside("`__await__` is not run"));
            }
            let message = format!("object {} can't be used in 'await' expression", value.class_name());
            return Err(site.type_error(message));
        };
        awaitable.begin(&site.place())?;
        match awaitable.as_ref() {
            // A coroutine that is awaited runs as part of the one that awaits it.
            Awaitable::Call { function, arguments, .. } => {
                match self.invoke(site, function, arguments.clone()) {
                    Err(Halt::Raised(raised)) if is_stop(&raised) => {
                        Err(site.raise("RuntimeError", "coroutine raised StopIteration"))
                    }
                    ended => ended,
                }
            }
            Awaitable::HostCall { object, name, arguments, .. } => {
                let mut arguments = arguments.clone();
                // What is said to the user is text.
                if &**name == "send"
                    && let Some(said) = arguments.positional.first_mut()
                {
                    *said = Value::text(&self.show(site, &said.clone())?);
                }
                Self::call_host(object, name, &arguments, &site.place())
            }
            _ => {
                self.suspension(site)?;
                let Some(running) = self.running else {
                    return Err(site.outside("nothing can be awaited here"));
                };
                // What is being waited for goes on beside this body: its own stack has its own bounds.
                let timeout = self
                    .timeouts
                    .iter()
                    .filter(|timeout| timeout.until().is_some())
                    .min_by_key(|timeout| timeout.until());
                running.suspend.wait(Rc::clone(awaitable), site.place(), timeout.cloned())
            }
        }
    }

    /// A call of `asyncio`, `time` or a lock; `None` when it is none of those.
    pub(super) fn waiting(
        &mut self,
        site: Site<'_>,
        path: &str,
        arguments: &Arguments,
    ) -> Result<Option<Value>, Halt> {
        let first = arguments.positional.first().cloned();
        let primitive = |primitive| Ok(Some(Value::Primitive(Rc::new(primitive))));
        match path {
            "asyncio.Lock" => primitive(Primitive::semaphore("Lock", 1)),
            "asyncio.Semaphore" | "asyncio.BoundedSemaphore" => {
                let value =
                    first.or_else(|| arguments.keywords.get("value").cloned()).unwrap_or(Value::Int(1));
                match value {
                    Value::Int(value) if value >= 0 => {
                        let name =
                            if path.ends_with("BoundedSemaphore") { "BoundedSemaphore" } else { "Semaphore" };
                        primitive(Primitive::semaphore(name, value))
                    }
                    _ => Err(site.value_error("Semaphore initial value must be >= 0")),
                }
            }
            "asyncio.Event" => primitive(Primitive::event()),
            "asyncio.timeout" => match first {
                Some(Value::None) => primitive(Primitive::Timeout(Rc::new(Timeout::new(None)))),
                Some(value) => match Number::of(&value) {
                    Some(number) => {
                        primitive(Primitive::Timeout(Rc::new(Timeout::new(Some(number.as_float())))))
                    }
                    None => Err(site.type_error("a number of seconds is required")),
                },
                None => Err(site.type_error("timeout() missing 1 required positional argument: 'delay'")),
            },
            "asyncio.iscoroutinefunction" | "inspect.iscoroutinefunction" => match first {
                Some(Value::Function(function)) => Ok(Some(Value::Bool(function.is_async()))),
                _ => Err(site.not_run()),
            },
            "asyncio.iscoroutine" | "inspect.iscoroutine" | "inspect.isawaitable" => {
                Ok(Some(Value::Bool(matches!(first, Some(Value::Awaitable(_))))))
            }
            "time.monotonic" | "time.perf_counter" => match self.running {
                Some(running) => Ok(Some(Value::Float(running.program.outside.seconds()))),
                None => Err(site.not_run()),
            },
            _ => Ok(None),
        }
    }

    /// Enters a manager that the reference provides.
    pub(super) fn enter_provided(
        &mut self,
        site: Site<'_>,
        manager: &Value,
        is_async: bool,
    ) -> Result<Option<Value>, Halt> {
        let Value::Primitive(primitive) = manager else {
            return match manager {
                Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
                _ => Ok(None),
            };
        };
        match (primitive.as_ref(), is_async) {
            (Primitive::Semaphore { .. }, true) => {
                let acquire = Value::Awaitable(Rc::new(Awaitable::Acquire(Rc::clone(primitive))));
                self.run_await(site, &acquire)?;
                Ok(Some(Value::None))
            }
            (Primitive::Timeout(timeout), true) => {
                timeout.begin();
                self.timeouts.push(Rc::clone(timeout));
                Ok(Some(manager.clone()))
            }
            (Primitive::Suppress(_), false) => Ok(Some(Value::None)),
            _ => {
                let message = format!(
                    "'{}' object does not support this context manager protocol",
                    manager.class_name()
                );
                Err(site.type_error(message))
            }
        }
    }

    /// Leaves a manager that the reference provides; tells whether it swallowed the exception.
    pub(super) fn leave_provided(
        &mut self,
        site: Site<'_>,
        manager: &Value,
        raised: Option<&Rc<Raised>>,
    ) -> Result<Option<bool>, Halt> {
        let Value::Primitive(primitive) = manager else { return Ok(None) };
        match primitive.as_ref() {
            Primitive::Semaphore { .. } => {
                primitive.release();
                Ok(Some(false))
            }
            Primitive::Timeout(timeout) => {
                self.timeouts.retain(|active| !Rc::ptr_eq(active, timeout));
                let is_cancelled = |raised: &Rc<Raised>| {
                    raised.is_caught_by(&ExceptionValue::class("CancelledError")) == Some(true)
                };
                if timeout.has_expired()
                    && let Some(running) = self.running
                    && running.suspend.forgive()
                    && raised.is_some_and(is_cancelled)
                {
                    return Err(site.raise("TimeoutError", ""));
                }
                Ok(Some(false))
            }
            Primitive::Suppress(classes) => match raised {
                Some(raised) => {
                    let caught = raised.is_caught_by(&Value::tuple(classes.clone()));
                    caught.map(Some).ok_or_else(|| site.not_run())
                }
                None => Ok(Some(false)),
            },
            Primitive::Event { .. } => Err(site.not_run()),
        }
    }

    /// A method of a lock, a semaphore or an event.
    pub(super) fn primitive_method(
        site: Site<'_>,
        primitive: &Rc<Primitive>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        if !arguments.positional.is_empty() || !arguments.keywords.is_empty() {
            return Err(site.not_run());
        }
        match (primitive.as_ref(), name) {
            (Primitive::Semaphore { .. }, "acquire") => {
                Ok(Value::Awaitable(Rc::new(Awaitable::Acquire(Rc::clone(primitive)))))
            }
            (Primitive::Semaphore { .. }, "release") => {
                if primitive.class_name() == "Lock" && !primitive.is_locked() {
                    return Err(site.raise("RuntimeError", "Lock is not acquired."));
                }
                primitive.release();
                Ok(Value::None)
            }
            (Primitive::Semaphore { .. }, "locked") => Ok(Value::Bool(primitive.is_locked())),
            (Primitive::Event { .. }, "wait") => {
                Ok(Value::Awaitable(Rc::new(Awaitable::Happen(Rc::clone(primitive)))))
            }
            (Primitive::Event { .. }, "set" | "clear") => {
                primitive.change(name == "set");
                Ok(Value::None)
            }
            (Primitive::Event { .. }, "is_set") => Ok(Value::Bool(primitive.is_set())),
            (Primitive::Timeout(timeout), "expired") => Ok(Value::Bool(timeout.has_expired())),
            _ => Err(site.outside(format!("`{}.{name}` is not run", primitive.class_name()))),
        }
    }

    /// A method of a task.
    pub(super) fn task_method(
        site: Site<'_>,
        awaitable: &Rc<Awaitable>,
        name: &str,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        let Awaitable::Task(task) = awaitable.as_ref() else {
            return if name == "close" { Ok(Value::None) } else { Err(site.not_run()) };
        };
        if !arguments.positional.is_empty() || !arguments.keywords.is_empty() {
            return Err(site.not_run());
        }
        let outcome = task.outcome();
        let was_cancelled =
            |raised: &Raised| raised.is_caught_by(&ExceptionValue::class("CancelledError")) == Some(true);
        match (name, outcome) {
            ("done", outcome) => Ok(Value::Bool(outcome.is_some())),
            ("cancel", Some(_)) => Ok(Value::Bool(false)),
            ("cancel", None) => {
                task.cancel();
                Ok(Value::Bool(true))
            }
            ("cancelled", outcome) => {
                Ok(Value::Bool(matches!(outcome, Some(Err(Halt::Raised(raised))) if was_cancelled(&raised))))
            }
            ("result" | "exception", None) => Err(site.raise("InvalidStateError", "Result is not set.")),
            ("result", Some(outcome)) => outcome,
            ("exception", Some(Ok(_))) => Ok(Value::None),
            ("exception", Some(Err(Halt::Raised(raised)))) if was_cancelled(&raised) => {
                Err(Halt::Raised(raised))
            }
            ("exception", Some(Err(Halt::Raised(raised)))) => Ok(super::super::exception::instance(&raised)),
            (_, Some(Err(Halt::GaveUp(unknown)))) => Err(Halt::GaveUp(unknown)),
            _ => Err(site.outside(format!("`Task.{name}` is not run"))),
        }
    }
}

/// Whether an exception is the one that may not leave a coroutine or a generator.
pub(super) fn is_stop(raised: &Raised) -> bool {
    raised.is_caught_by(&ExceptionValue::class("StopIteration")) == Some(true)
}
