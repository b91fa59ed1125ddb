//! Calls of running code.
//!
//! Knows what can be called; what the library does is beside.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast::{self as ast, Expr};

use super::super::awaitable::Awaitable;
use super::super::exception::{ExceptionValue, Halt};
use super::super::form::Form;
use super::super::function::{Code, Function};
use super::super::interpreter::{Frame, Interpreter, call_scope};
use super::super::native::{Arguments, Native};
use super::super::statements::Flow;
use super::super::value::Value;
use super::iterating::known;
use super::site::Site;

impl Interpreter<'_> {
    pub(super) fn run_call_expression(&mut self, frame: &Frame, call: &ast::ExprCall) -> Result<Value, Halt> {
        let callee = self.run_expression(frame, &call.func)?;
        let mut arguments = Arguments::default();
        for argument in &call.arguments.args {
            if let Expr::Starred(starred) = argument {
                let site = frame.at(starred);
                let iterated = self.run_expression(frame, &starred.value)?;
                arguments.positional.extend(self.collect(site, &iterated)?);
            } else {
                arguments.positional.push(self.run_expression(frame, argument)?);
            }
        }
        for keyword in &call.arguments.keywords {
            let value = self.run_expression(frame, &keyword.value)?;
            match &keyword.arg {
                Some(name) => {
                    Self::add_keyword(frame.at(keyword), &mut arguments, Rc::from(name.as_str()), value)?;
                }
                None => self.add_keywords(frame.at(keyword), &mut arguments, &value)?,
            }
        }
        self.run_call(frame.at(call), &callee, arguments)
    }

    fn add_keyword(
        site: Site<'_>,
        arguments: &mut Arguments,
        name: Rc<str>,
        value: Value,
    ) -> Result<(), Halt> {
        if arguments.keywords.contains_key(&name) {
            return Err(site.type_error(format!("got multiple values for keyword argument '{name}'")));
        }
        arguments.keywords.insert(name, value);
        Ok(())
    }

    fn add_keywords(&mut self, site: Site<'_>, arguments: &mut Arguments, value: &Value) -> Result<(), Halt> {
        let Value::Dict(dict) = value else {
            let message = format!("argument after ** must be a mapping, not {}", value.class_name());
            return Err(site.type_error(message));
        };
        known(site, dict.tainted.get())?;
        self.work(site, dict.entries.borrow().len())?;
        let entries: Vec<(Value, Value)> = dict.entries.borrow().values().cloned().collect();
        for (key, value) in entries {
            let Value::Text(name) = key else { return Err(site.type_error("keywords must be strings")) };
            Self::add_keyword(site, arguments, name, value)?;
        }
        Ok(())
    }

    /// Calls something.
    pub(in super::super) fn run_call(
        &mut self,
        site: Site<'_>,
        callee: &Value,
        mut arguments: Arguments,
    ) -> Result<Value, Halt> {
        self.tick(site)?;
        match callee {
            Value::Function(function) => self.run_function(site, function, arguments),
            Value::Native(native) => match native.as_ref() {
                Native::Bound { function, first } => {
                    arguments.positional.insert(0, first.clone());
                    self.run_function(site, function, arguments)
                }
                Native::Method { object, name } => self.run_method(site, object, name, arguments),
                Native::Function(function) => match function.path() {
                    Some(path) => self.run_library(site, path, arguments),
                    None => self.call_native(site.frame, site.range, native, arguments),
                },
                Native::Dataclass(settings) => {
                    Self::apply_dataclass(*settings, &arguments).ok_or_else(|| site.not_run())
                }
                Native::StaticMethod(function) => self.run_function(site, function, arguments),
                Native::Property { .. }
                | Native::Field { .. }
                | Native::Super { .. }
                | Native::ClassMethod(_) => Err(not_callable(site, callee)),
                _ => self.call_native(site.frame, site.range, native, arguments),
            },
            Value::Class(class) => self.construct(site, class, arguments),
            Value::Type(basic) => self.convert(site, *basic, arguments),
            Value::Exception(exception) if exception.message.is_none() => {
                self.make_exception(site, &exception.class, arguments)
            }
            Value::Opaque(path) => {
                let path = Rc::clone(path);
                self.run_library(site, &path, arguments)
            }
            Value::Form(form) => match form.as_ref() {
                Form::Parametrised { origin, .. } => self.run_call(site, origin, arguments),
                _ => Err(site.not_run()),
            },
            Value::Instance(_) => match self.special(site, callee, "__call__")? {
                Some(method) => self.run_call(site, &method, arguments),
                None => Err(not_callable(site, callee)),
            },
            Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
            _ => Err(not_callable(site, callee)),
        }
    }

    /// Calls a function written in Python: a coroutine function gives its coroutine.
    fn run_function(
        &mut self,
        site: Site<'_>,
        function: &Rc<Function>,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        if let Code::Definition(definition) = &function.code {
            if super::super::bound_names::yields(&definition.body) {
                return Err(site.outside(format!("`{}` is a generator, which is not run", function.name())));
            }
            if definition.is_async {
                // A wrong call is noticed at once, not when the coroutine is awaited.
                Self::enter_function(function, arguments.clone())?;
                return Ok(Value::Awaitable(Rc::new(Awaitable::call(Rc::clone(function), arguments))));
            }
        }
        self.invoke(site, function, arguments)
    }

    fn enter_function(function: &Rc<Function>, arguments: Arguments) -> Result<Frame, Halt> {
        let frame = Frame {
            file: Rc::clone(&function.file),
            module: Rc::clone(&function.module),
            scope: call_scope(&function.scope),
            handling: None,
        };
        let names = function.names.get_or_init(|| super::LocalNames::of(function));
        *frame.scope.locals.borrow_mut() = Some(Rc::clone(names));
        Self::bind(&function.place, &frame, function, arguments)?;
        Ok(frame)
    }

    /// Runs the body of a function, a coroutine function included, to its end.
    pub(in super::super) fn invoke(
        &mut self,
        site: Site<'_>,
        function: &Rc<Function>,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        let frame = Self::enter_function(function, arguments)?;
        self.deeper(site, |own| match &function.code {
            Code::Lambda(lambda) => own.run_expression(&frame, &lambda.body),
            Code::Definition(definition) => Ok(match own.run_statements(&frame, &definition.body)? {
                Flow::Return(value) => value,
                _ => Value::None,
            }),
        })
    }

    /// A built-in exception made by calling its class.
    fn make_exception(&mut self, site: Site<'_>, class: &str, arguments: Arguments) -> Result<Value, Halt> {
        if let Some(name) = arguments.keywords.keys().next() {
            if class == "ImportError"
                || class == "ModuleNotFoundError"
                || class == "AttributeError"
                || class == "NameError"
            {
                return Err(site.outside(format!("the argument `{name}` of `{class}` is not run")));
            }
            return Err(site.type_error(format!("{class}() takes no keyword arguments")));
        }
        if matches!(class, "ExceptionGroup" | "BaseExceptionGroup") || class.starts_with("Unicode") {
            return Err(site.outside(format!("`{class}` is not run")));
        }
        let message = self.exception_text(site, class, &arguments.positional)?;
        Ok(ExceptionValue::instance(class, &message, arguments.positional))
    }

    /// What `str` gives for an exception with these arguments.
    pub(super) fn exception_text(
        &mut self,
        site: Site<'_>,
        class: &str,
        arguments: &[Value],
    ) -> Result<String, Halt> {
        match arguments {
            [] => Ok(String::new()),
            [key] if class == "KeyError" => self.represent(site, key),
            [one] => self.show(site, one),
            [number, text] if super::super::exception::is_subclass(class, "OSError") => {
                Ok(format!("[Errno {}] {}", self.show(site, number)?, self.show(site, text)?))
            }
            several => self.represent(site, &Value::tuple(several.to_vec())),
        }
    }
}

fn not_callable(site: Site<'_>, value: &Value) -> Halt {
    site.type_error(format!("'{}' object is not callable", value.class_name()))
}
