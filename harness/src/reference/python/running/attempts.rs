//! Raising and handling: `raise`, `try`, `with`.
//!
//! Knows which exceptions are on their way and being handled; expressions are others' business.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast as ast;

use super::super::exception::{ExceptionValue, Halt, Raised, RaisedClass, instance};
use super::super::interpreter::{Frame, Interpreter};
use super::super::native::Arguments;
use super::super::statements::Flow;
use super::super::value::Value;
use super::site::Site;

impl Interpreter<'_> {
    /// What a `raise` statement raises.
    pub(super) fn raise_value(&mut self, frame: &Frame, statement: &ast::StmtRaise) -> Result<Halt, Halt> {
        let site = frame.at(statement);
        let Some(exception) = &statement.exc else {
            return Ok(match self.handling.last() {
                Some(raised) => Halt::Raised(Rc::clone(raised)),
                None => site.raise("RuntimeError", "No active exception to reraise"),
            });
        };
        let value = self.run_expression(frame, exception)?;
        let value = self.exception_of(site, value, "exceptions must derive from BaseException")?;
        if let Some(cause) = &statement.cause {
            let cause = self.run_expression(frame, cause)?;
            let cause = match cause {
                Value::None => Value::None,
                other => self.exception_of(site, other, "exception causes must derive from BaseException")?,
            };
            match &value {
                Value::Exception(exception) => *exception.cause.borrow_mut() = Some(cause),
                Value::Instance(instance) => {
                    if let Some(fields) = &instance.fields {
                        fields.borrow_mut().insert(Rc::from("__cause__"), cause);
                    }
                }
                _ => {}
            }
        }
        self.raised(site, value)
    }

    /// An exception object on its way.
    pub(in super::super) fn raised(&mut self, site: Site<'_>, value: Value) -> Result<Halt, Halt> {
        let class = match &value {
            Value::Exception(exception) => RaisedClass::Builtin(Rc::clone(&exception.class)),
            Value::Instance(instance) => RaisedClass::Project(Rc::clone(&instance.class)),
            _ => return Ok(site.type_error("exceptions must derive from BaseException")),
        };
        let message = self.show(site, &value)?;
        Ok(Halt::Raised(Rc::new(Raised { class, message, place: site.place(), value: Some(value) })))
    }

    fn exception_of(&mut self, site: Site<'_>, value: Value, refusal: &str) -> Result<Value, Halt> {
        match &value {
            Value::Exception(exception) if exception.message.is_none() => {
                self.run_call(site, &value, Arguments::default())
            }
            Value::Class(class) if class.is_exception("BaseException") == Some(true) => {
                self.run_call(site, &value, Arguments::default())
            }
            Value::Exception(_) => Ok(value),
            Value::Instance(instance) if instance.class.is_exception("BaseException") == Some(true) => {
                Ok(value)
            }
            Value::Opaque(_) | Value::Made(_) => Err(site.not_run()),
            Value::Class(class) if class.is_exception("BaseException").is_none() => Err(site.not_run()),
            Value::Instance(instance) if instance.class.is_exception("BaseException").is_none() => {
                Err(site.not_run())
            }
            _ => Err(site.type_error(refusal)),
        }
    }

    /// Runs a `try` statement.
    pub(super) fn attempt(&mut self, frame: &Frame, statement: &ast::StmtTry) -> Result<Flow, Halt> {
        if statement.is_star {
            return Err(frame.at(statement).outside("`except*` is not run"));
        }
        let ended = match self.run_statements(frame, &statement.body) {
            Err(Halt::Raised(raised)) => self.handle_raised(frame, statement, raised),
            Ok(Flow::Next) => self.run_statements(frame, &statement.orelse),
            ended => ended,
        };
        if let Err(Halt::GaveUp(_)) = ended {
            return ended;
        }
        let on_its_way = if let Err(Halt::Raised(raised)) = &ended { Some(Rc::clone(raised)) } else { None };
        let depth = self.handling.len();
        self.handling.extend(on_its_way);
        let overriding = self.run_statements(frame, &statement.finalbody);
        self.handling.truncate(depth);
        match overriding {
            Ok(Flow::Next) => ended,
            overriding => overriding,
        }
    }

    fn handle_raised(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtTry,
        raised: Rc<Raised>,
    ) -> Result<Flow, Halt> {
        // What is handled is one object, however often it is looked at.
        let raised = match &raised.value {
            Some(_) => raised,
            None => Rc::new(Raised {
                class: raised.class.clone(),
                message: raised.message.clone(),
                place: raised.place.clone(),
                value: Some(instance(&raised)),
            }),
        };
        for handler in &statement.handlers {
            let ast::ExceptHandler::ExceptHandler(handler) = handler;
            let site = frame.at(handler);
            let depth = self.handling.len();
            self.handling.push(Rc::clone(&raised));
            let caught = match &handler.type_ {
                None => Ok(true),
                Some(class) => {
                    self.run_expression(frame, class).and_then(|class| Self::catches(site, &raised, &class))
                }
            };
            let ended = match caught {
                Ok(false) => {
                    self.handling.truncate(depth);
                    continue;
                }
                Ok(true) => {
                    if let (Some(name), Some(value)) = (&handler.name, &raised.value) {
                        Self::bind_name(&frame.scope, name, value.clone());
                    }
                    let ended = self.run_statements(frame, &handler.body);
                    if let Some(name) = &handler.name {
                        // The handler may have deleted it already.
                        let _: Result<(), Halt> = Self::unbind_name(site, name);
                    }
                    ended
                }
                Err(halt) => Err(halt),
            };
            self.handling.truncate(depth);
            return ended;
        }
        Err(Halt::Raised(raised))
    }

    fn catches(site: Site<'_>, raised: &Raised, handler: &Value) -> Result<bool, Halt> {
        let refused = |class: &Value| match class {
            Value::Exception(class) => class.message.is_some(),
            Value::Class(class) => class.is_exception("BaseException") == Some(false),
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => false,
            _ => true,
        };
        let is_refused = match handler {
            Value::Tuple(classes) => classes.iter().any(refused),
            class => refused(class),
        };
        if is_refused {
            let message = "catching classes that do not inherit from BaseException is not allowed";
            return Err(site.type_error(message));
        }
        raised
            .is_caught_by(handler)
            .ok_or_else(|| site.outside("whether this handler catches the exception is not known"))
    }

    /// Runs a `with` statement.
    pub(super) fn manage(&mut self, frame: &Frame, statement: &ast::StmtWith) -> Result<Flow, Halt> {
        self.manage_items(frame, statement, &statement.items)
    }

    fn manage_items(
        &mut self,
        frame: &Frame,
        statement: &ast::StmtWith,
        items: &[ast::WithItem],
    ) -> Result<Flow, Halt> {
        let Some((item, rest)) = items.split_first() else {
            return self.run_statements(frame, &statement.body);
        };
        let site = frame.at(&item.context_expr);
        self.look_at_stack(site)?;
        let manager = self.run_expression(frame, &item.context_expr)?;
        let entered = self.enter(site, &manager, statement.is_async)?;
        let ended = match &item.optional_vars {
            Some(target) => self.assign_target(frame, target, entered),
            None => Ok(()),
        };
        let ended = ended.and_then(|()| self.manage_items(frame, statement, rest));
        match ended {
            Err(Halt::GaveUp(unknown)) => Err(Halt::GaveUp(unknown)),
            Err(Halt::Raised(raised)) => {
                let depth = self.handling.len();
                self.handling.push(Rc::clone(&raised));
                let swallowed = self.leave(site, &manager, statement.is_async, Some(&raised));
                self.handling.truncate(depth);
                if swallowed? { Ok(Flow::Next) } else { Err(Halt::Raised(raised)) }
            }
            Ok(flow) => {
                self.leave(site, &manager, statement.is_async, None)?;
                Ok(flow)
            }
        }
    }

    fn enter(&mut self, site: Site<'_>, manager: &Value, is_async: bool) -> Result<Value, Halt> {
        if let Some(entered) = self.enter_provided(site, manager, is_async)? {
            return Ok(entered);
        }
        let name = if is_async { "__aenter__" } else { "__enter__" };
        let Some(method) = self.special(site, manager, name)? else {
            let protocol = if is_async { "asynchronous context manager" } else { "context manager" };
            let message =
                format!("'{}' object does not support the {protocol} protocol", manager.class_name());
            return Err(site.type_error(message));
        };
        let entered = self.run_call(site, &method, Arguments::default())?;
        if is_async { self.run_await(site, &entered) } else { Ok(entered) }
    }

    /// Leaves a manager; tells whether it swallowed the exception.
    fn leave(
        &mut self,
        site: Site<'_>,
        manager: &Value,
        is_async: bool,
        raised: Option<&Rc<Raised>>,
    ) -> Result<bool, Halt> {
        if let Some(swallowed) = self.leave_provided(site, manager, raised)? {
            return Ok(swallowed);
        }
        let name = if is_async { "__aexit__" } else { "__exit__" };
        let Some(method) = self.special(site, manager, name)? else { return Err(site.not_run()) };
        let positional = match raised {
            None => vec![Value::None, Value::None, Value::None],
            Some(raised) => {
                let value = instance(raised);
                let class = match &raised.class {
                    RaisedClass::Builtin(name) => ExceptionValue::class(name),
                    RaisedClass::Project(class) => Value::Class(Rc::clone(class)),
                    RaisedClass::Unknown => return Err(site.not_run()),
                };
                vec![class, value, Value::Opaque(Rc::from("traceback"))]
            }
        };
        let arguments = Arguments { positional, ..Arguments::default() };
        let mut swallowed = self.run_call(site, &method, arguments)?;
        if is_async {
            swallowed = self.run_await(site, &swallowed)?;
        }
        Ok(raised.is_some() && self.is_true(site, &swallowed)?)
    }
}
