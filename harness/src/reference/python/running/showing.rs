//! How running code sees values as text: `str` and `repr`.
//!
//! Knows values and their special methods; widths and precisions are `specifying`'s affair.
//! Rules: Python's own. What shows an address is not run: no address may reach a trace.

use std::rc::Rc;

use super::super::class::Instance;
use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::Value;
use super::iterating::known;
use super::site::Site;

impl Interpreter<'_> {
    /// `str(value)`.
    pub(in super::super) fn show(&mut self, site: Site<'_>, value: &Value) -> Result<String, Halt> {
        match value {
            Value::Text(text) => Ok(text.to_string()),
            Value::Exception(exception) => match &exception.message {
                Some(message) => Ok(message.to_string()),
                None => self.represent(site, value),
            },
            Value::Instance(instance) => {
                if let Some(method) = self.special(site, value, "__str__")? {
                    return self.text_of(site, &method, "__str__");
                }
                match instance.exception_base() {
                    Some(base) => {
                        let arguments = instance.arguments.borrow().clone();
                        self.exception_text(site, &base, &arguments)
                    }
                    None => self.represent(site, value),
                }
            }
            Value::Member(member) => {
                if let Some(method) = self.special(site, value, "__str__")? {
                    return self.text_of(site, &method, "__str__");
                }
                if Self::shows_its_value(member) {
                    return self.show(site, &member.value.clone());
                }
                Ok(format!("{}.{}", member.class.name, member.name))
            }
            other => self.represent(site, other),
        }
    }

    fn text_of(&mut self, site: Site<'_>, method: &Value, name: &str) -> Result<String, Halt> {
        match self.run_call(site, method, Arguments::default())? {
            Value::Text(text) => Ok(text.to_string()),
            other => {
                let message = format!("{name} returned non-string (type {})", other.class_name());
                Err(site.type_error(message))
            }
        }
    }

    /// `repr(value)`.
    pub(super) fn represent(&mut self, site: Site<'_>, value: &Value) -> Result<String, Halt> {
        let shown = match value {
            Value::None => "None".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => show_float(*value),
            Value::Text(text) => {
                self.work(site, text.len())?;
                quote(text)
            }
            Value::List(_)
            | Value::Tuple(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::View(_)
            | Value::Instance(_) => {
                return self.represent_nested(site, value);
            }
            Value::Range(range) if range.step == 1 => format!("range({}, {})", range.start, range.stop),
            Value::Range(range) => format!("range({}, {}, {})", range.start, range.stop, range.step),
            Value::Exception(exception) if exception.message.is_some() => {
                let arguments = exception.arguments.clone();
                self.represent_call(site, &exception.class, &arguments)?
            }
            Value::Type(basic) => format!("<class '{}'>", basic.name()),
            Value::Exception(exception) if &*exception.class != "CancelledError" => {
                format!("<class '{}'>", exception.class)
            }
            Value::Member(member) => {
                if let Some(method) = self.special(site, value, "__repr__")? {
                    return self.text_of(site, &method, "__repr__");
                }
                format!(
                    "<{}.{}: {}>",
                    member.class.name,
                    member.name,
                    self.represent(site, &member.value.clone())?
                )
            }
            other => {
                let why = format!("how a value of class `{}` is shown is not run", other.class_name());
                return Err(site.outside(why));
            }
        };
        Ok(shown)
    }

    fn represent_nested(&mut self, site: Site<'_>, value: &Value) -> Result<String, Halt> {
        let shows_itself =
            matches!(value, Value::Instance(instance) if instance.class.find("__repr__").is_some());
        let is_inside = !shows_itself && self.showing.iter().any(|outer| outer.is(value));
        if is_inside {
            return match value {
                Value::List(_) => Ok("[...]".to_owned()),
                Value::Dict(_) => Ok("{...}".to_owned()),
                _ => Err(site.outside("how a value that holds itself is shown is not run")),
            };
        }
        self.showing.push(value.clone());
        let shown = self.deeper(site, |own| own.represent_inside(site, value));
        self.showing.pop();
        let shown = shown?;
        self.work(site, shown.len())?;
        Ok(shown)
    }

    fn represent_inside(&mut self, site: Site<'_>, value: &Value) -> Result<String, Halt> {
        match value {
            Value::List(list) => {
                known(site, list.tainted.get())?;
                let items = list.items.borrow().clone();
                Ok(format!("[{}]", self.represent_all(site, &items)?))
            }
            Value::Tuple(items) if items.len() == 1 => Ok(format!("({},)", self.represent_all(site, items)?)),
            Value::Tuple(items) => Ok(format!("({})", self.represent_all(site, items)?)),
            Value::Dict(dict) => {
                known(site, dict.tainted.get())?;
                let entries: Vec<(Value, Value)> = dict.entries.borrow().values().cloned().collect();
                let mut parts = Vec::new();
                for (key, value) in entries {
                    self.tick(site)?;
                    parts.push(format!("{}: {}", self.represent(site, &key)?, self.represent(site, &value)?));
                }
                Ok(format!("{{{}}}", parts.join(", ")))
            }
            Value::Set(set) => {
                known(site, set.tainted.get())?;
                let items: Vec<Value> = set.items.borrow().values().cloned().collect();
                let name = if set.frozen { "frozenset" } else { "set" };
                if items.is_empty() {
                    return Ok(format!("{name}()"));
                }
                let shown = self.represent_all(site, &items)?;
                Ok(if set.frozen { format!("frozenset({{{shown}}})") } else { format!("{{{shown}}}") })
            }
            Value::View(_) => {
                let items = self.collect(site, value)?;
                Ok(format!("{}([{}])", value.class_name(), self.represent_all(site, &items)?))
            }
            Value::Instance(instance) => self.represent_instance(site, value, instance),
            other => self.represent(site, other),
        }
    }

    fn represent_instance(
        &mut self,
        site: Site<'_>,
        value: &Value,
        instance: &Rc<Instance>,
    ) -> Result<String, Halt> {
        if let Some(method) = self.special(site, value, "__repr__")? {
            return self.text_of(site, &method, "__repr__");
        }
        if let Some(names) = Self::shown_fields(instance) {
            let values = Self::field_values(site, instance, &names)?;
            let mut parts = Vec::new();
            for (name, value) in names.iter().zip(&values) {
                parts.push(format!("{name}={}", self.represent(site, value)?));
            }
            return Ok(format!("{}({})", instance.class.name, parts.join(", ")));
        }
        if instance.exception_base().is_some() {
            let arguments = instance.arguments.borrow().clone();
            return self.represent_call(site, &instance.class.name, &arguments);
        }
        Err(site.outside(format!("how an object of class `{}` is shown is not run", instance.class.name)))
    }

    fn represent_call(&mut self, site: Site<'_>, name: &str, arguments: &[Value]) -> Result<String, Halt> {
        let shown = self.deeper(site, |own| own.represent_all(site, arguments))?;
        Ok(format!("{name}({shown})"))
    }

    fn represent_all(&mut self, site: Site<'_>, items: &[Value]) -> Result<String, Halt> {
        let mut parts = Vec::with_capacity(items.len());
        let mut length = 0;
        for item in items {
            self.tick(site)?;
            let part = self.represent(site, item)?;
            length += part.len();
            self.work(site, length / 16)?;
            parts.push(part);
        }
        Ok(parts.join(", "))
    }
}

impl Instance {
    /// The built-in exception that its class derives from, nearest first.
    pub(in super::super) fn exception_base(&self) -> Option<Rc<str>> {
        self.class.linear().iter().flat_map(|class| class.bases.clone()).find_map(|base| match base {
            Value::Exception(exception) => Some(Rc::clone(&exception.class)),
            _ => None,
        })
    }
}

/// A float as Python shows it: the shortest text that reads back as the same number.
pub(super) fn show_float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// A text as Python quotes it.
pub(super) fn quote(text: &str) -> String {
    let delimiter = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(delimiter);
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            _ if character == delimiter => quoted.extend(['\\', character]),
            _ if is_printable(character) => quoted.push(character),
            _ => {
                let code = u32::from(character);
                let escape = match code {
                    0..0x100 => format!("\\x{code:02x}"),
                    0x100..0x1_0000 => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                };
                quoted.push_str(&escape);
            }
        }
    }
    quoted.push(delimiter);
    quoted
}

/// Whether Python shows a character as itself: no control, no format character, no space but the plain one.
fn is_printable(character: char) -> bool {
    let is_format = matches!(character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{10ffff}');
    character == ' ' || !(character.is_control() || character.is_whitespace() || is_format)
}
