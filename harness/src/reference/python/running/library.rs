//! The built-in functions and the standard library, as far as tools' bodies use them.
//!
//! Finds what a dotted path means; a path that is not found here is not run.
//! Rules: Python's own; what is in is listed in `specs/python-subset.md`.

use std::rc::Rc;

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::iteration::{Iteration, Progress};
use super::super::native::{Arguments, Native, NativeFunction};
use super::super::value::Value;
use super::numbers::{Number, round};
use super::site::Site;

impl NativeFunction {
    /// The dotted path of a function that running code calls; `None` for those that loading alone needs.
    pub(in super::super) fn path(self) -> Option<&'static str> {
        Some(match self {
            Self::IsInstance => "builtins.isinstance",
            Self::Len => "builtins.len",
            Self::Represent => "builtins.repr",
            Self::Format => "builtins.format",
            Self::Max => "builtins.max",
            Self::Min => "builtins.min",
            Self::Sum => "builtins.sum",
            Self::Reversed => "builtins.reversed",
            Self::Sorted => "builtins.sorted",
            Self::Range => "builtins.range",
            Self::Enumerate => "builtins.enumerate",
            Self::Zip => "builtins.zip",
            Self::Print => "builtins.print",
            Self::GetAttribute => "builtins.getattr",
            Self::SetAttribute => "builtins.setattr",
            Self::HasAttribute => "builtins.hasattr",
            Self::Any => "builtins.any",
            Self::All => "builtins.all",
            Self::Dataclass => "dataclasses.dataclass",
            Self::Field => "dataclasses.field",
            Self::Globals => "builtins.globals",
            Self::Cache => "functools.cache",
            _ => return None,
        })
    }
}

impl Interpreter<'_> {
    /// Calls something of the built-in functions or the standard library.
    pub(super) fn run_library(
        &mut self,
        site: Site<'_>,
        path: &str,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        if let Some(name) = path.strip_prefix("builtins.") {
            return self.built_in(site, name, &arguments);
        }
        if let Some(name) = path.strip_prefix("math.") {
            return self.mathematics(site, name, &arguments);
        }
        if let Some(value) = self.waiting(site, path, &arguments)? {
            return Ok(value);
        }
        let first = arguments.positional.first().cloned();
        match (path, first) {
            ("json.dumps", Some(value)) => self.write_json(site, &value, &arguments),
            ("json.loads", Some(Value::Text(text))) => self.read_json(site, &text),
            ("json.loads", Some(Value::None | Value::Int(_) | Value::Dict(_) | Value::List(_))) => {
                Err(site.type_error("the JSON object must be str, bytes or bytearray"))
            }
            ("copy.copy", Some(value)) => self.copy_shallow(site, &value),
            ("copy.deepcopy", Some(value)) => self.copy_deep(site, &value),
            ("dataclasses.dataclass", _) => Ok(Self::dataclass(&arguments)),
            ("dataclasses.field", _) => Self::dataclass_field(&arguments)
                .ok_or_else(|| site.outside("this use of `field` is not run")),
            ("dataclasses.asdict", Some(value)) => self.as_dict(site, &value),
            ("dataclasses.replace", Some(value)) => self.replace_fields(site, &value, arguments),
            ("enum.auto", None) => Ok(Value::Opaque(Rc::from(super::super::enumeration::AUTO))),
            ("enum.unique", Some(class)) => Ok(class),
            ("contextlib.suppress", _) => Ok(Value::Primitive(Rc::new(
                super::super::primitive::Primitive::Suppress(arguments.positional.clone()),
            ))),
            ("operator.itemgetter" | "operator.attrgetter", Some(key)) if arguments.positional.len() == 1 => {
                let name = if path.ends_with("itemgetter") { "itemgetter" } else { "attrgetter" };
                Ok(Value::Native(Rc::new(Native::Partial {
                    callee: Value::Opaque(Rc::from(format!("operator.{name}()"))),
                    arguments: Arguments::one(key),
                })))
            }
            ("operator.itemgetter()", Some(key)) => {
                let object = arguments.positional.get(1).cloned().unwrap_or(Value::None);
                self.load_item(site, &object, &key)
            }
            ("operator.attrgetter()", Some(Value::Text(name))) if !name.contains('.') => {
                let object = arguments.positional.get(1).cloned().unwrap_or(Value::None);
                self.load_attribute(site, &object, &name)
            }
            ("functools.reduce", Some(function)) => self.reduce(site, &function, &arguments),
            _ => match self.call_outside(path, &arguments, &site.place()) {
                Some(ended) => ended,
                None => Err(site.outside(format!("`{path}` is not run"))),
            },
        }
    }

    fn reduce(&mut self, site: Site<'_>, function: &Value, arguments: &Arguments) -> Result<Value, Halt> {
        let items = arguments.positional.get(1).cloned().unwrap_or(Value::None);
        let mut items = self.collect(site, &items)?.into_iter();
        let Some(mut total) = arguments.positional.get(2).cloned().or_else(|| items.next()) else {
            return Err(site.type_error("reduce() of empty iterable with no initial value"));
        };
        for item in items {
            let mut pair = Arguments::one(total);
            pair.positional.push(item);
            total = self.run_call(site, function, pair)?;
        }
        Ok(total)
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each function, each of a few lines")]
    fn built_in(&mut self, site: Site<'_>, name: &str, arguments: &Arguments) -> Result<Value, Halt> {
        let given = arguments.positional.clone();
        let keyword = |name: &str| arguments.keywords.get(name).cloned();
        let allowed: &[&str] = match name {
            "sorted" => &["key", "reverse"],
            "max" | "min" => &["key", "default"],
            "enumerate" | "sum" => &["start"],
            "zip" => &["strict"],
            "print" => &["sep", "end", "file", "flush"],
            "round" => &["ndigits"],
            "property" => &["fget", "fset", "doc"],
            _ => &[],
        };
        if let Some(name_given) = arguments.keywords.keys().find(|key| !allowed.contains(&&***key)) {
            return Err(
                site.type_error(format!("{name}() got an unexpected keyword argument '{name_given}'"))
            );
        }
        match (name, given.as_slice()) {
            ("len", [value]) => self.length(site, value).map(Value::Int),
            ("repr", [value]) => self.represent(site, value).map(|text| Value::text(&text)),
            ("format", [value]) => self.format_value(site, value, "").map(|text| Value::text(&text)),
            ("format", [value, Value::Text(wanted)]) => {
                self.format_value(site, value, wanted).map(|text| Value::text(&text))
            }
            ("print", values) => {
                for value in values {
                    self.show(site, value)?;
                }
                Ok(Value::None)
            }
            ("sorted", [items]) => {
                let items = self.collect(site, items)?;
                self.sort(site, items, arguments).map(Value::list)
            }
            ("reversed", [value]) => self.reversed(site, value),
            ("range", bounds) => make_range(site, bounds),
            ("enumerate", [items] | [items, _]) => {
                let start = given.get(1).cloned().or_else(|| keyword("start")).unwrap_or(Value::Int(0));
                let Some(Number::Int(start)) = Number::of(&start) else {
                    let message =
                        format!("'{}' object cannot be interpreted as an integer", start.class_name());
                    return Err(site.type_error(message));
                };
                let inner = self.iterator_of(site, items)?;
                Ok(Iteration::value("enumerate", Progress::Enumerate(inner, start)))
            }
            ("zip", parts) => {
                let strict = match keyword("strict") {
                    Some(strict) => self.is_true(site, &strict)?,
                    None => false,
                };
                let inners: Result<Vec<Value>, Halt> =
                    parts.iter().map(|part| self.iterator_of(site, part)).collect();
                Ok(Iteration::value("zip", Progress::Zip(inners?, strict)))
            }
            ("map", [function, parts @ ..]) if !parts.is_empty() => {
                let inners: Result<Vec<Value>, Halt> =
                    parts.iter().map(|part| self.iterator_of(site, part)).collect();
                Ok(Iteration::value("map", Progress::Map(function.clone(), inners?)))
            }
            ("filter", [function, items]) => {
                let inner = self.iterator_of(site, items)?;
                Ok(Iteration::value("filter", Progress::Filter(function.clone(), inner)))
            }
            ("iter", [value]) => self.iterator_of(site, value),
            ("next", [iterator] | [iterator, _]) => match (self.next_item(site, iterator)?, given.get(1)) {
                (Some(item), _) => Ok(item),
                (None, Some(default)) => Ok(default.clone()),
                (None, None) => Err(site.raise("StopIteration", "")),
            },
            ("any" | "all", [items]) => {
                let iterator = self.iterator_of(site, items)?;
                while let Some(item) = self.next_item(site, &iterator)? {
                    self.tick(site)?;
                    if self.is_true(site, &item)? == (name == "any") {
                        return Ok(Value::Bool(name == "any"));
                    }
                }
                Ok(Value::Bool(name == "all"))
            }
            ("sum", [items] | [items, _]) => {
                let start = given.get(1).cloned().or_else(|| keyword("start")).unwrap_or(Value::Int(0));
                self.sum(site, items, start)
            }
            ("max" | "min", [_, ..]) => self.extreme(site, name, arguments),
            ("abs", [value]) => match Number::of(&Self::unmixed(value)) {
                Some(Number::Int(number)) => {
                    number.checked_abs().map(Value::Int).ok_or_else(|| super::numbers::too_large(site))
                }
                Some(Number::Float(number)) => Ok(Value::Float(number.abs())),
                None => match self.special(site, value, "__abs__")? {
                    Some(method) => self.run_call(site, &method, Arguments::default()),
                    None => {
                        Err(site.type_error(format!("bad operand type for abs(): '{}'", value.class_name())))
                    }
                },
            },
            ("round", [value] | [value, _]) => {
                let Some(number) = Number::of(value) else {
                    let message = format!("type {} doesn't define __round__ method", value.class_name());
                    return Err(site.type_error(message));
                };
                match given.get(1).cloned().or_else(|| keyword("ndigits")) {
                    None | Some(Value::None) => round(site, number, None),
                    Some(Value::Int(digits)) => round(site, number, Some(digits)),
                    Some(other) => {
                        let message =
                            format!("'{}' object cannot be interpreted as an integer", other.class_name());
                        Err(site.type_error(message))
                    }
                }
            }
            ("divmod", [left, right]) => Ok(Value::tuple(vec![
                self.operate(site, ruff_python_ast::Operator::FloorDiv, left, right)?,
                self.operate(site, ruff_python_ast::Operator::Mod, left, right)?,
            ])),
            ("pow", [left, right]) => self.operate(site, ruff_python_ast::Operator::Pow, left, right),
            ("isinstance", [value, class]) => Self::instance_of(site, value, class).map(Value::Bool),
            ("issubclass", [class, base]) => Self::derives(site, class, base).map(Value::Bool),
            ("callable", [value]) => Ok(Value::Bool(match value {
                Value::Function(_) | Value::Class(_) | Value::Native(_) | Value::Type(_) => true,
                Value::Exception(exception) => exception.message.is_none(),
                Value::Instance(_) => self.special(site, value, "__call__")?.is_some(),
                Value::Opaque(_) | Value::Made(_) | Value::Form(_) => return Err(site.not_run()),
                _ => false,
            })),
            ("getattr", [object, Value::Text(name)] | [object, Value::Text(name), _]) => {
                let found = self.find_attribute(site, object, name);
                let default = given.get(2);
                match (found, default) {
                    (Ok(Some(value)), _) => Ok(value),
                    (Ok(None), Some(default)) => Ok(default.clone()),
                    (Ok(None), None) => Err(super::attributes::missing(site, object, name)),
                    (Err(Halt::Raised(raised)), Some(default)) if is_attribute_error(&raised) => {
                        Ok(default.clone())
                    }
                    (Err(halt), _) => Err(halt),
                }
            }
            ("hasattr", [object, Value::Text(name)]) => match self.find_attribute(site, object, name) {
                Ok(found) => Ok(Value::Bool(found.is_some())),
                Err(Halt::Raised(raised)) if is_attribute_error(&raised) => Ok(Value::Bool(false)),
                Err(halt) => Err(halt),
            },
            ("setattr", [object, Value::Text(name), value]) => {
                self.store_attribute(site, object, name, value.clone()).map(|()| Value::None)
            }
            ("delattr", [object, Value::Text(name)]) => {
                Self::delete_attribute(site, object, name).map(|()| Value::None)
            }
            ("property", _) => Ok(Self::property(arguments)),
            ("staticmethod", [Value::Function(function)]) => {
                Ok(Value::Native(Rc::new(Native::StaticMethod(Rc::clone(function)))))
            }
            ("classmethod", [Value::Function(function)]) => {
                Ok(Value::Native(Rc::new(Native::ClassMethod(Rc::clone(function)))))
            }
            ("super", given) => Self::super_of(site, given),
            ("ord", [Value::Text(text)]) if text.chars().count() == 1 => {
                Ok(Value::Int(text.chars().next().map_or(0, |one| i64::from(u32::from(one)))))
            }
            ("chr", [Value::Bool(code)]) => Ok(Value::text(if *code { "\u{1}" } else { "\u{0}" })),
            ("chr", [Value::Int(code)]) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(character) => Ok(Value::text(&character.to_string())),
                None if (0xd800..0xe000).contains(code) => Err(site.not_run()),
                None => Err(site.value_error("chr() arg not in range(0x110000)")),
            },
            ("hex" | "oct" | "bin", [Value::Int(number)]) => {
                let magnitude = number.unsigned_abs();
                let digits = match name {
                    "hex" => format!("0x{magnitude:x}"),
                    "oct" => format!("0o{magnitude:o}"),
                    _ => format!("0b{magnitude:b}"),
                };
                Ok(Value::text(&if *number < 0 { format!("-{digits}") } else { digits }))
            }
            (
                "len" | "repr" | "any" | "all" | "abs" | "isinstance" | "issubclass" | "sorted" | "reversed"
                | "round" | "divmod" | "iter" | "next" | "sum" | "min" | "max" | "enumerate" | "callable"
                | "getattr" | "hasattr" | "setattr" | "filter" | "map" | "ord" | "chr" | "hex" | "bin"
                | "oct",
                _,
            ) => Err(site.type_error(format!("{name}() does not take these arguments"))),
            _ => Err(site.outside(format!("`{name}` is not run"))),
        }
    }

    /// `property(...)`.
    pub(in super::super) fn property(arguments: &Arguments) -> Value {
        let given = |position: usize, name: &str| {
            arguments.positional.get(position).or_else(|| arguments.keywords.get(name)).cloned()
        };
        let getter = given(0, "fget").unwrap_or(Value::None);
        Value::Native(Rc::new(Native::Property { getter, setter: given(1, "fset") }))
    }

    fn sum(&mut self, site: Site<'_>, items: &Value, start: Value) -> Result<Value, Halt> {
        if let Value::Text(_) = start {
            return Err(site.type_error("sum() can't sum strings [use ''.join(seq) instead]"));
        }
        let iterator = self.iterator_of(site, items)?;
        let mut total = start;
        while let Some(item) = self.next_item(site, &iterator)? {
            self.tick(site)?;
            total = self.operate(site, ruff_python_ast::Operator::Add, &total, &item)?;
        }
        Ok(total)
    }

    fn extreme(&mut self, site: Site<'_>, name: &str, arguments: &Arguments) -> Result<Value, Halt> {
        let items = match arguments.positional.as_slice() {
            [items] => self.collect(site, items)?,
            several => several.to_vec(),
        };
        let key = arguments.keywords.get("key").cloned().filter(|key| !matches!(key, Value::None));
        let mut best: Option<(Value, Value)> = None;
        for item in items {
            self.tick(site)?;
            let rank = match &key {
                Some(key) => self.run_call(site, key, Arguments::one(item.clone()))?,
                None => item.clone(),
            };
            let better = match &best {
                None => true,
                Some((known, _)) if name == "max" => self.less(site, known, &rank)?,
                Some((known, _)) => self.less(site, &rank, known)?,
            };
            if better {
                best = Some((rank, item));
            }
        }
        match (best, arguments.keywords.get("default")) {
            (Some((_, item)), _) => Ok(item),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(site.value_error(format!("{name}() arg is an empty sequence"))),
        }
    }
}

fn is_attribute_error(raised: &super::super::exception::Raised) -> bool {
    raised.is_caught_by(&super::super::exception::ExceptionValue::class("AttributeError")) == Some(true)
}

fn make_range(site: Site<'_>, bounds: &[Value]) -> Result<Value, Halt> {
    let mut numbers = Vec::new();
    for bound in bounds {
        match Number::of(bound) {
            Some(Number::Int(number)) => numbers.push(number),
            _ => {
                let message = format!("'{}' object cannot be interpreted as an integer", bound.class_name());
                return Err(site.type_error(message));
            }
        }
    }
    let (start, stop, step) = match numbers.as_slice() {
        [stop] => (0, *stop, 1),
        [start, stop] => (*start, *stop, 1),
        [start, stop, step] => (*start, *stop, *step),
        _ => return Err(site.type_error("range expected 1 to 3 arguments")),
    };
    if step == 0 {
        return Err(site.value_error("range() arg 3 must not be zero"));
    }
    Ok(Value::Range(super::super::containers::Range { start, stop, step }))
}
