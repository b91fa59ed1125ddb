//! Calls and decorators.
//!
//! Knows what can be called; what native functions do is written beside them.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use ruff_python_ast as ast;
use ruff_text_size::{Ranged, TextRange};

use super::awaitable::Awaitable;
use super::exception::{ExceptionValue, Halt};
use super::form::{BasicType, Form};
use super::function::{Code, Function};
use super::importer::raise;
use super::interpreter::{Frame, Interpreter};
use super::native::{Arguments, Native, NativeFunction};
use super::standard;
use super::value::{Made, Unknown, Value};

impl Interpreter<'_> {
    pub(super) fn call_expression(&mut self, frame: &Frame, call: &ast::ExprCall) -> Result<Value, Halt> {
        let callee = self.evaluate(frame, &call.func)?;
        let mut arguments = Arguments::default();
        for argument in &call.arguments.args {
            let value = self.evaluate(frame, argument)?;
            if argument.is_starred_expr() {
                match self.known_items(Some(&value)) {
                    Some(items) => arguments.positional.extend(items),
                    None => arguments.open = Some(Self::openness(frame, call)),
                }
            } else {
                arguments.positional.push(value);
            }
        }
        for keyword in &call.arguments.keywords {
            let value = self.evaluate(frame, &keyword.value)?;
            match (&keyword.arg, &value) {
                (Some(name), _) => {
                    arguments.keywords.insert(Rc::from(name.as_str()), value);
                }
                (None, Value::Dict(dict)) if !dict.tainted.get() => {
                    for (key, value) in dict.entries.borrow().values() {
                        match key {
                            Value::Text(name) => {
                                arguments.keywords.insert(Rc::clone(name), value.clone());
                            }
                            _ => arguments.open = Some(Self::openness(frame, call)),
                        }
                    }
                }
                (None, _) => arguments.open = Some(Self::openness(frame, call)),
            }
        }
        self.call(frame, call.range(), &callee, arguments)
    }

    fn openness(frame: &Frame, call: &ast::ExprCall) -> Rc<Unknown> {
        let why = "the arguments given here with `*` or `**` are not known".to_owned();
        Unknown::new(why, frame.place(call.range()))
    }

    /// Applies a decorator to what it decorates.
    pub(super) fn decorate(
        &mut self,
        frame: &Frame,
        range: TextRange,
        decorator: &Value,
        decorated: &Value,
    ) -> Result<Value, Halt> {
        let made = self.call(frame, range, decorator, Arguments::one(decorated.clone()))?;
        let (Value::Unknown(by), Value::Function(function)) = (&made, decorated) else { return Ok(made) };
        let tool = function.tool.borrow().clone();
        Ok(Value::Made(Rc::new(Made { function: Rc::clone(function), by: Rc::clone(by), tool: tool.into() })))
    }

    pub(super) fn call(
        &mut self,
        frame: &Frame,
        range: TextRange,
        callee: &Value,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        if self.running.is_some() {
            return self.run_call(super::running::Site { frame, range }, callee, arguments);
        }
        self.step(frame, range)?;
        match callee {
            Value::Native(native) => self.call_native(frame, range, native, arguments),
            Value::Function(function) => self.call_function(frame, range, function, arguments),
            Value::Class(class) => self.instantiate(frame, range, class, arguments),
            Value::Type(basic) => Ok(self.call_type(frame, range, *basic, &arguments)),
            Value::Exception(exception) if exception.message.is_none() => {
                let message =
                    arguments.positional.first().and_then(super::methods::display).unwrap_or_default();
                Ok(ExceptionValue::instance(&exception.class, &message, arguments.positional.clone()))
            }
            Value::Form(form) => Ok(match form.as_ref() {
                Form::Other(name) => Value::Opaque(Rc::clone(name)),
                _ => self.unknown(frame, range, "what this call gives is not read"),
            }),
            Value::Opaque(path) if &**path == "enum.auto" => {
                Ok(Value::Opaque(Rc::from(super::enumeration::AUTO)))
            }
            Value::Opaque(path) if matches!(&**path, "sys.exit" | "builtins.exit" | "builtins.quit") => {
                Err(raise("SystemExit", String::new(), &frame.place(range)))
            }
            Value::Opaque(path) if &**path == "builtins.exec" => Ok(self.anything(frame, range, "exec")),
            Value::Opaque(path) if matches!(&**path, "builtins.staticmethod" | "builtins.classmethod") => {
                let Some(Value::Function(function)) = arguments.positional.first() else {
                    return Ok(self.unknown(frame, range, "what this decorates is not read"));
                };
                let function = Rc::clone(function);
                let is_static = &**path == "builtins.staticmethod";
                let native =
                    if is_static { Native::StaticMethod(function) } else { Native::ClassMethod(function) };
                Ok(Value::Native(Rc::new(native)))
            }
            Value::Opaque(path) if &**path == "builtins.property" => Ok(Self::property(&arguments)),
            Value::Opaque(path) if standard::is_module(path) => {
                Err(raise("TypeError", format!("module '{path}' is not callable"), &frame.place(range)))
            }
            Value::Opaque(path) if standard::makes_a_type(path) => {
                Ok(Value::Form(Rc::new(Form::Other(Rc::clone(path)))))
            }
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Tuple(_)
            | Value::Module(_) => {
                Err(raise("TypeError", "this value is not callable".to_owned(), &frame.place(range)))
            }
            Value::Unknown(unknown) => {
                if unknown.why.starts_with("what `logging.") {
                    self.doubt();
                } else {
                    self.hand_over(&arguments);
                }
                Ok(Value::Unknown(Rc::clone(unknown)))
            }
            Value::Opaque(path) => {
                if let Some(ended) = self.call_outside(path, &arguments, &frame.place(range)) {
                    return ended;
                }
                if standard::only_reads(path) {
                    self.doubt();
                } else {
                    self.hand_over(&arguments);
                }
                let why = format!("what `{path}` gives is not read");
                let place = frame.place(range);
                Ok(Value::Unknown(Rc::new(Unknown { why, place, standard: true })))
            }
            _ => {
                self.hand_over(&arguments);
                Ok(self.unknown(frame, range, "what this call gives is not read"))
            }
        }
    }

    /// Something unreadable got these arguments: it may have changed them, and may have raised.
    pub(super) fn hand_over(&mut self, arguments: &Arguments) {
        self.doubt();
        arguments.values().for_each(Value::taint);
    }

    fn call_type(
        &mut self,
        frame: &Frame,
        range: TextRange,
        basic: BasicType,
        arguments: &Arguments,
    ) -> Value {
        let first = arguments.positional.first();
        let known = match (basic, first) {
            (BasicType::Str, Some(value)) => super::methods::display(value).map(|text| Value::text(&text)),
            (BasicType::Str, None) => Some(Value::text("")),
            (BasicType::Bool, Some(value)) => value.truth().map(Value::Bool),
            (BasicType::Int, Some(Value::Int(value))) => Some(Value::Int(*value)),
            (BasicType::Int, Some(Value::Text(text))) if arguments.values().count() == 1 => {
                text.parse().ok().map(Value::Int)
            }
            (BasicType::Float, Some(value @ (Value::Int(_) | Value::Float(_)))) => {
                super::formatting::as_float(value).map(Value::Float)
            }
            (BasicType::Tuple, None) => Some(Value::tuple(Vec::new())),
            (BasicType::Dict, Some(Value::Dict(given))) => {
                let named = super::value::Dict::default();
                for (name, value) in &arguments.keywords {
                    let key = super::value::Key::Text(Rc::clone(name));
                    super::collections::set_entry(&named, key, Value::Text(Rc::clone(name)), value.clone());
                }
                super::collections::joined(given, &named)
            }
            (BasicType::Set, None) => Value::set(Vec::new()),
            (BasicType::Set, Some(value)) => self.known_items(Some(value)).and_then(Value::set),
            (BasicType::List, None) => Some(Value::list(Vec::new())),
            (BasicType::List, Some(value)) => self.known_items(Some(value)).map(Value::list),
            (BasicType::Tuple, Some(value)) => {
                self.known_items(Some(value)).map(|items| Value::Tuple(items.into()))
            }
            (BasicType::Dict, None) => Some(Value::dict(arguments.keywords.clone())),
            (BasicType::Object, None) => Some(Value::Opaque(Rc::from("object()"))),
            (BasicType::Type, Some(value)) if arguments.positional.len() == 1 => Self::type_of(value),
            _ => None,
        };
        known.unwrap_or_else(|| {
            self.hand_over(arguments);
            self.unknown(frame, range, format!("what `{}` gives here is not read", basic.name()))
        })
    }

    pub(super) fn call_function(
        &mut self,
        frame: &Frame,
        range: TextRange,
        function: &Rc<Function>,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        if let Code::Definition(definition) = &function.code
            && (definition.is_async || super::bound_names::yields(&definition.body))
        {
            self.hand_over(&arguments);
            let why = "what an unawaited coroutine or a generator gives is not read";
            return Ok(self.unknown(frame, range, why));
        }
        match self.run_body(function, arguments) {
            // What a body does beyond what is read costs only its result.
            Err(Halt::GaveUp(unknown)) if self.running.is_none() => {
                self.doubt();
                Ok(Value::Unknown(unknown))
            }
            ended => ended,
        }
    }

    pub(super) fn call_native(
        &mut self,
        frame: &Frame,
        range: TextRange,
        native: &Rc<Native>,
        mut arguments: Arguments,
    ) -> Result<Value, Halt> {
        match native.as_ref() {
            Native::Function(NativeFunction::Tool) => Self::call_tool(frame, range, arguments),
            Native::Function(function) => Ok(self.call_provided(frame, range, *function, &arguments)),
            Native::ToolDecorator { description } => Ok(self.mark(frame, range, description, &arguments)),
            Native::Wraps(wrapped) => {
                let wrapper = arguments.positional.into_iter().next().unwrap_or(Value::None);
                Ok(super::wrapping::wrap(wrapper, wrapped))
            }
            Native::Partial { callee, arguments: first } => {
                let mut all = first.clone();
                all.positional.append(&mut arguments.positional);
                all.keywords.extend(arguments.keywords);
                all.open = all.open.or(arguments.open);
                self.nested(frame, range, |own| own.call(frame, range, callee, all))
            }
            Native::Dataclass(told) => {
                let class = Self::apply_dataclass(*told, &arguments);
                Ok(class.unwrap_or_else(|| self.unknown(frame, range, "what this decorates is not read")))
            }
            Native::Property { .. } | Native::Field { .. } | Native::Super { .. } => {
                self.hand_over(&arguments);
                Ok(self.unknown(frame, range, "what this call gives is not read"))
            }
            Native::Identity => Ok(arguments.positional.into_iter().next().unwrap_or(Value::None)),
            Native::StaticMethod(function) => self.call_function(frame, range, function, arguments),
            Native::ClassMethod(_) => {
                Err(raise("TypeError", "a class method is not callable here".to_owned(), &frame.place(range)))
            }
            Native::Method { object: Value::Native(property), name } if &**name == "setter" => {
                let setter = arguments.positional.into_iter().next();
                Ok(property.with_setter(setter))
            }
            Native::Method { object, name } => {
                let method = super::methods::call(object, name, &arguments, self.speculation > 0);
                Ok(method.unwrap_or_else(|| {
                    self.hand_over(&arguments);
                    if !super::methods::only_reads(name) {
                        object.taint();
                    }
                    self.unknown(frame, range, format!("what `.{name}` gives here is not read"))
                }))
            }
            Native::HostMethod { object, name } => {
                let is_coroutine = matches!(object, Value::Host(host) if host.is_coroutine_method(name));
                if is_coroutine {
                    let call = Awaitable::host_call(object.clone(), Rc::clone(name), arguments);
                    return Ok(Value::Awaitable(Rc::new(call)));
                }
                Self::call_host(object, name, &arguments, &frame.place(range))
            }
            Native::Bound { function, first } => {
                arguments.positional.insert(0, first.clone());
                self.call_function(frame, range, function, arguments)
            }
        }
    }

    /// `tool(...)`: only the keyword `description` is taken (DEF-08 to DEF-10).
    fn call_tool(frame: &Frame, range: TextRange, mut arguments: Arguments) -> Result<Value, Halt> {
        let place = frame.place(range);
        let refuse = |message: &str| Err(raise("TypeError", message.to_owned(), &place));
        if !arguments.positional.is_empty() {
            return refuse("tool() takes no positional argument: write @tool(description=\"…\")");
        }
        let description = match (arguments.keywords.shift_remove("description"), arguments.open) {
            (Some(description), _) => description,
            (None, Some(unknown)) => Value::Unknown(unknown),
            (None, None) => return refuse("tool() misses its keyword argument 'description'"),
        };
        if let Some(name) = arguments.keywords.keys().next() {
            return refuse(&format!("tool() got an unexpected keyword argument '{name}'"));
        }
        Ok(Value::Native(Rc::new(Native::ToolDecorator { description })))
    }

    fn mark(&mut self, frame: &Frame, range: TextRange, description: &Value, arguments: &Arguments) -> Value {
        match arguments.positional.first() {
            Some(Value::Function(function)) => {
                *function.tool.borrow_mut() = Some(description.clone());
                Value::Function(Rc::clone(function))
            }
            Some(Value::Made(made)) => {
                *made.tool.borrow_mut() = Some(description.clone());
                Value::Made(Rc::clone(made))
            }
            _ => self.unknown(frame, range, "what `@tool` makes of this is not read"),
        }
    }
}
