//! Calls of the built-in types: `int("7")`, `list(x)`, `type(x)`.
//!
//! Knows what each type makes of a value.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use std::rc::Rc;

use super::super::exception::{ExceptionValue, Halt};
use super::super::form::BasicType;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::{Dict, Value};
use super::numbers::{Number, whole};
use super::site::Site;

impl Interpreter<'_> {
    /// Calls a built-in type.
    pub(super) fn convert(
        &mut self,
        site: Site<'_>,
        basic: BasicType,
        arguments: Arguments,
    ) -> Result<Value, Halt> {
        let first = arguments.positional.first().cloned();
        if basic == BasicType::Dict {
            let dict = Rc::new(Dict::default());
            if let Some(other) = first {
                self.update_dict(site, &dict, &other)?;
            }
            for (name, value) in arguments.keywords {
                self.insert(site, &dict, Value::Text(name), value)?;
            }
            return Ok(Value::Dict(dict));
        }
        if let Some(name) = arguments.keywords.keys().next() {
            return Err(site.outside(format!("the argument `{name}` of `{}` is not run", basic.name())));
        }
        if arguments.positional.len() > 1
            && !matches!(basic, BasicType::Int | BasicType::Type | BasicType::Str)
        {
            let message =
                format!("{} expected at most 1 argument, got {}", basic.name(), arguments.positional.len());
            return Err(site.type_error(message));
        }
        match (basic, first) {
            (BasicType::Str, None) => Ok(Value::text("")),
            (BasicType::Str, Some(value)) if arguments.positional.len() == 1 => {
                let text = self.show(site, &value)?;
                Ok(Value::text(&text))
            }
            (BasicType::Bool, None) => Ok(Value::Bool(false)),
            (BasicType::Bool, Some(value)) => Ok(Value::Bool(self.is_true(site, &value)?)),
            (BasicType::Int, None) => Ok(Value::Int(0)),
            (BasicType::Int, Some(value)) => match arguments.positional.get(1) {
                None => self.as_integer(site, &value),
                Some(Value::Int(base)) => read_integer(site, &Self::unmixed(&value), *base),
                Some(_) => Err(site.type_error("'base' must be an integer")),
            },
            (BasicType::Float, None) => Ok(Value::Float(0.0)),
            (BasicType::Float, Some(value)) => self.as_number(site, &value),
            (BasicType::List, None) => Ok(Value::list(Vec::new())),
            (BasicType::List, Some(value)) => Ok(Value::list(self.collect(site, &value)?)),
            (BasicType::Tuple, None) => Ok(Value::tuple(Vec::new())),
            (BasicType::Tuple, Some(value @ Value::Tuple(_))) => Ok(value),
            (BasicType::Tuple, Some(value)) => Ok(Value::Tuple(self.collect(site, &value)?.into())),
            (BasicType::Set | BasicType::FrozenSet, value) => {
                let items = match value {
                    Some(value) => self.collect(site, &value)?,
                    None => Vec::new(),
                };
                self.make_set(site, items, basic == BasicType::FrozenSet)
            }
            (BasicType::Type, Some(value)) if arguments.positional.len() == 1 => {
                Ok(Self::type_of_value(&value))
            }
            _ => Err(site.outside(format!("`{}` with these arguments is not run", basic.name()))),
        }
    }

    fn as_integer(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        if let Some(method) = self.special(site, value, "__int__")? {
            return self.run_call(site, &method, Arguments::default());
        }
        let value = Self::unmixed(value);
        match Number::of(&value) {
            Some(Number::Int(number)) => Ok(Value::Int(number)),
            Some(Number::Float(number)) => whole(site, number),
            None => match &value {
                Value::Text(_) => read_integer(site, &value, 10),
                Value::Opaque(_) | Value::Made(_) => Err(site.not_run()),
                other => Err(site.type_error(format!(
                    "int() argument must be a string, a bytes-like object or a real number, not '{}'",
                    other.class_name()
                ))),
            },
        }
    }

    fn as_number(&mut self, site: Site<'_>, value: &Value) -> Result<Value, Halt> {
        if let Some(method) = self.special(site, value, "__float__")? {
            return self.run_call(site, &method, Arguments::default());
        }
        let value = Self::unmixed(value);
        if let Some(number) = Number::of(&value) {
            return Ok(Value::Float(number.as_float()));
        }
        match &value {
            Value::Text(text) => match read_float(text) {
                Some(number) => Ok(Value::Float(number)),
                None => {
                    let shown = super::showing::quote(text);
                    Err(site.value_error(format!("could not convert string to float: {shown}")))
                }
            },
            Value::Opaque(_) | Value::Made(_) => Err(site.not_run()),
            other => Err(site.type_error(format!(
                "float() argument must be a string or a real number, not '{}'",
                other.class_name()
            ))),
        }
    }

    /// `type(value)`.
    pub(super) fn type_of_value(value: &Value) -> Value {
        match value {
            Value::Instance(instance) => Value::Class(Rc::clone(&instance.class)),
            Value::Member(member) => Value::Class(Rc::clone(&member.class)),
            Value::Exception(exception) if exception.message.is_some() => {
                ExceptionValue::class(&exception.class)
            }
            Value::Class(_) | Value::Type(_) | Value::Exception(_) => Value::Type(BasicType::Type),
            Value::None => Value::Type(BasicType::NoneType),
            Value::Record(record) => match &*record.class {
                "ToolResult" => Value::Opaque(Rc::from("rasa.mantle.tools.result.ToolResult")),
                "Button" => Value::Opaque(Rc::from("rasa.mantle.tools.buttons.Button")),
                _ => Value::Opaque(Rc::clone(&record.class)),
            },
            Value::Host(_) => Value::Opaque(value.class_name()),
            other => match BasicType::named(&other.class_name()) {
                Some(basic) => Value::Type(basic),
                None => Value::Opaque(Rc::from(format!("builtins.{}", other.class_name()))),
            },
        }
    }

    /// `isinstance(value, class)`.
    pub(super) fn instance_of(site: Site<'_>, value: &Value, class: &Value) -> Result<bool, Halt> {
        use super::super::form::Form;
        match class {
            Value::Tuple(classes) => {
                for class in classes.iter() {
                    if Self::instance_of(site, value, class)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Form(form) => match form.as_ref() {
                Form::Union { members, .. } => {
                    for class in members {
                        let class =
                            if let Value::None = class { &Value::Type(BasicType::NoneType) } else { class };
                        if Self::instance_of(site, value, class)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                Form::Parametrised { .. } => {
                    Err(site.type_error("isinstance() argument 2 cannot be a parameterized generic"))
                }
                _ => Err(site.not_run()),
            },
            Value::Type(basic) => {
                if basic.name() == "object" {
                    return Ok(true);
                }
                if matches!(
                    value,
                    Value::Record(_)
                        | Value::Host(_)
                        | Value::Module(_)
                        | Value::Function(_)
                        | Value::Iterator(_)
                        | Value::View(_)
                        | Value::Range(_)
                        | Value::Awaitable(_)
                        | Value::Native(_)
                ) {
                    return Ok(false);
                }
                let own = Self::type_of_value(value);
                Self::derives(site, &own, class)
            }
            Value::Class(_) => match value {
                Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
                Value::Instance(_) | Value::Member(_) => {
                    let own = Self::type_of_value(value);
                    Self::derives(site, &own, class)
                }
                _ => Ok(false),
            },
            Value::Exception(exception) if exception.message.is_none() => match value {
                Value::Exception(_) | Value::Instance(_) => {
                    let own = Self::type_of_value(value);
                    Self::derives(site, &own, class)
                }
                Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => Err(site.not_run()),
                _ => Ok(false),
            },
            Value::Opaque(path) => match value {
                Value::Record(record) => Ok(path.rsplit('.').next() == Some(&*record.class)),
                _ => Err(site.not_run()),
            },
            Value::Made(_) | Value::Unknown(_) | Value::Native(_) => Err(site.not_run()),
            _ => Err(site.type_error("isinstance() arg 2 must be a type, a tuple of types, or a union")),
        }
    }

    /// `issubclass(class, base)`.
    pub(super) fn derives(site: Site<'_>, class: &Value, base: &Value) -> Result<bool, Halt> {
        if let Value::Tuple(bases) = base {
            for base in bases.iter() {
                if Self::derives(site, class, base)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if matches!(class, Value::Exception(exception) if exception.message.is_some()) {
            return Err(site.type_error("issubclass() arg 1 must be a class"));
        }
        match (class, base) {
            (Value::Type(BasicType::Bool), Value::Type(BasicType::Int))
            | (_, Value::Type(BasicType::Object)) => Ok(true),
            (Value::Type(class), Value::Type(base)) => Ok(class == base),
            (Value::Class(class), Value::Class(base)) => {
                Ok(class.linear().iter().any(|one| Rc::ptr_eq(one, base)))
            }
            (Value::Class(class), Value::Type(_) | Value::Exception(_)) => {
                for one in class.linear() {
                    for own in &one.bases {
                        if !matches!(own, Value::Class(_)) && Self::derives(site, own, base)? {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            (Value::Exception(class), Value::Exception(base))
                if class.message.is_none() && base.message.is_none() =>
            {
                Ok(super::super::exception::is_subclass(&class.class, &base.class))
            }
            (Value::Type(_) | Value::Exception(_), Value::Class(_))
            | (Value::Type(_), Value::Exception(_))
            | (Value::Exception(_), Value::Type(_)) => Ok(false),
            (Value::Opaque(path), Value::Type(base)) => match (&**path, base.name()) {
                ("enum.StrEnum", "str") | ("enum.IntEnum", "int") => Ok(true),
                ("enum.Enum" | "enum.StrEnum" | "enum.IntEnum" | "abc.ABC", _) => Ok(false),
                _ => Err(site.not_run()),
            },
            (Value::Opaque(_) | Value::Form(_) | Value::Made(_) | Value::Unknown(_), _)
            | (_, Value::Opaque(_) | Value::Form(_) | Value::Made(_) | Value::Unknown(_)) => {
                Err(site.not_run())
            }
            _ => Err(site.type_error("issubclass() arg 1 must be a class")),
        }
    }
}

fn read_integer(site: Site<'_>, value: &Value, base: i64) -> Result<Value, Halt> {
    let Value::Text(text) = value else {
        return Err(site.type_error("int() can't convert non-string with explicit base"));
    };
    let invalid = || {
        let shown = super::showing::quote(text);
        site.value_error(format!("invalid literal for int() with base {base}: {shown}"))
    };
    if base != 0 && !(2..=36).contains(&base) {
        return Err(site.value_error("int() base must be >= 2 and <= 36, or 0"));
    }
    if !text.is_ascii() {
        return if text.chars().any(char::is_numeric) { Err(site.not_run()) } else { Err(invalid()) };
    }
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixed = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(|(prefix, of)| {
        lower.strip_prefix(prefix).filter(|_| base == of || base == 0).map(|rest| (rest.to_owned(), of))
    });
    let has_prefix = prefixed.is_some();
    let (digits, base) = prefixed.unwrap_or((lower, if base == 0 { 10 } else { base }));
    let digits = if has_prefix { digits.strip_prefix('_').unwrap_or(&digits).to_owned() } else { digits };
    let misplaced = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    let plain = digits.replace('_', "");
    let radix = u32::try_from(base).unwrap_or(10);
    if plain.is_empty() || misplaced || !plain.chars().all(|digit| digit.is_digit(radix)) {
        return Err(invalid());
    }
    let signed = if negative { format!("-{plain}") } else { plain };
    i64::from_str_radix(&signed, radix).map(Value::Int).map_err(|_| super::numbers::too_large(site))
}

fn read_float(text: &str) -> Option<f64> {
    let trimmed = text.trim();
    let lower = trimmed.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    if matches!(unsigned, "inf" | "infinity" | "nan") && lower.len() - unsigned.len() <= 1 {
        return lower.parse().ok();
    }
    let misplaced = trimmed.starts_with('_') || trimmed.ends_with('_') || trimmed.contains("__");
    let around = |one: char| one.is_ascii_digit();
    let bytes: Vec<char> = trimmed.chars().collect();
    let alone = bytes
        .windows(3)
        .any(|three| matches!(three, [before, '_', after] if !around(*before) || !around(*after)));
    if misplaced || alone || !trimmed.chars().all(|one| one.is_ascii_digit() || "+-.eE_".contains(one)) {
        return None;
    }
    trimmed.replace('_', "").parse().ok()
}
