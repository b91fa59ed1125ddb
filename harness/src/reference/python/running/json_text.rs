//! `json.dumps` and `json.loads`.
//!
//! Knows values and texts; reaches nothing outside the run.
//! Rules: Python's own encoder and decoder.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::json::from_json;
use super::super::native::Arguments;
use super::super::value::Value;
use super::iterating::known;
use super::site::Site;
use crate::protocol::Json;

impl Interpreter<'_> {
    /// `json.dumps`.
    pub(super) fn write_json(
        &mut self,
        site: Site<'_>,
        value: &Value,
        arguments: &Arguments,
    ) -> Result<Value, Halt> {
        let mut style =
            Style { indent: None, ascii: true, sorted: false, item: ", ".into(), key: ": ".into() };
        for (name, setting) in &arguments.keywords {
            match (&**name, setting) {
                ("indent", Value::Int(indent)) => {
                    style.indent = Some(" ".repeat(usize::try_from(*indent).unwrap_or(0).min(100)));
                    style.item = ",".into();
                }
                ("ensure_ascii", Value::Bool(ascii)) => style.ascii = *ascii,
                ("sort_keys", Value::Bool(sorted)) => style.sorted = *sorted,
                ("indent" | "default" | "separators", Value::None) => {}
                ("separators", Value::Tuple(pair)) => match &**pair {
                    [Value::Text(item), Value::Text(key)] => {
                        style.item = item.to_string();
                        style.key = key.to_string();
                    }
                    _ => return Err(site.not_run()),
                },
                _ => return Err(site.outside(format!("`{name}` of `json.dumps` is not run"))),
            }
        }
        let mut text = String::new();
        self.write_value(site, value, &style, 0, &mut text)?;
        self.work(site, text.len())?;
        Ok(Value::text(&text))
    }

    fn write_value(
        &mut self,
        site: Site<'_>,
        value: &Value,
        style: &Style,
        depth: usize,
        text: &mut String,
    ) -> Result<(), Halt> {
        self.tick(site)?;
        self.work(site, text.len() / 64)?;
        match &Self::unmixed(value) {
            Value::None => text.push_str("null"),
            Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
            Value::Int(number) => text.push_str(&number.to_string()),
            Value::Float(number) if number.is_nan() => text.push_str("NaN"),
            Value::Float(number) if number.is_infinite() => {
                text.push_str(if *number > 0.0 { "Infinity" } else { "-Infinity" });
            }
            Value::Float(number) => text.push_str(&super::showing::show_float(*number)),
            Value::Text(string) => write_text(string, style.ascii, text),
            nested @ (Value::List(_) | Value::Tuple(_) | Value::Dict(_)) => {
                if self.showing.iter().any(|outer| outer.is(nested)) {
                    return Err(site.value_error("Circular reference detected"));
                }
                self.showing.push(nested.clone());
                let written = self.deeper(site, |own| own.write_container(site, nested, style, depth, text));
                self.showing.pop();
                written?;
            }
            Value::Opaque(_) | Value::Made(_) | Value::Unknown(_) => return Err(site.not_run()),
            other => {
                let message = format!("Object of type {} is not JSON serializable", other.class_name());
                return Err(site.type_error(message));
            }
        }
        Ok(())
    }

    fn write_container(
        &mut self,
        site: Site<'_>,
        value: &Value,
        style: &Style,
        depth: usize,
        text: &mut String,
    ) -> Result<(), Halt> {
        let line = |text: &mut String, depth: usize| {
            if let Some(indent) = &style.indent {
                text.push('\n');
                text.push_str(&indent.repeat(depth));
            }
        };
        if let Value::Dict(dict) = value {
            known(site, dict.tainted.get())?;
            let mut entries: Vec<(Value, Value)> = dict.entries.borrow().values().cloned().collect();
            if style.sorted {
                let keyed =
                    entries.into_iter().map(|(key, value)| (key.clone(), Value::tuple(vec![key, value])));
                let keys: Vec<Value> = keyed.map(|(_, pair)| pair).collect();
                let sorted = self.sort(site, keys, &Arguments::default())?;
                entries = sorted
                    .into_iter()
                    .filter_map(|pair| match &pair {
                        Value::Tuple(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
                        _ => None,
                    })
                    .collect();
            }
            text.push('{');
            for (position, (key, value)) in entries.iter().enumerate() {
                if position > 0 {
                    text.push_str(&style.item);
                }
                line(text, depth + 1);
                let key = match &Self::unmixed(key) {
                    Value::Text(name) => name.to_string(),
                    Value::None => "null".to_owned(),
                    Value::Bool(flag) => flag.to_string(),
                    Value::Int(number) => number.to_string(),
                    Value::Float(number) => super::showing::show_float(*number),
                    other => {
                        let message =
                            format!("keys must be str, int, float, bool or None, not {}", other.class_name());
                        return Err(site.type_error(message));
                    }
                };
                write_text(&key, style.ascii, text);
                text.push_str(&style.key);
                self.write_value(site, value, style, depth + 1, text)?;
            }
            if !entries.is_empty() {
                line(text, depth);
            }
            text.push('}');
            return Ok(());
        }
        let items = self.collect(site, value)?;
        text.push('[');
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                text.push_str(&style.item);
            }
            line(text, depth + 1);
            self.write_value(site, item, style, depth + 1, text)?;
        }
        if !items.is_empty() {
            line(text, depth);
        }
        text.push(']');
        Ok(())
    }

    /// `json.loads`.
    pub(super) fn read_json(&mut self, site: Site<'_>, text: &str) -> Result<Value, Halt> {
        self.work(site, text.len())?;
        match serde_json::from_str::<Json>(text) {
            Ok(_) if holds_large(text) => Err(super::numbers::too_large(site)),
            Ok(json) => Ok(from_json(&json)),
            Err(error) if error.to_string().contains("recursion limit") => {
                Err(site.outside("JSON that nests this deep is not read"))
            }
            Err(_) if ["NaN", "Infinity"].iter().any(|word| text.contains(word)) => {
                Err(site.outside("`NaN` and `Infinity` in JSON are not read"))
            }
            Err(_) if text.contains("\\ud") || text.contains("\\uD") => Err(site.not_run()),
            Err(error) => Err(site.raise("JSONDecodeError", error.to_string())),
        }
    }
}

struct Style {
    indent: Option<String>,
    ascii: bool,
    sorted: bool,
    item: String,
    key: String,
}

fn write_text(string: &str, ascii: bool, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            control if u32::from(control) < 0x20 => push_escape(text, u32::from(control)),
            other if ascii && (!other.is_ascii() || other == '\u{7f}') => {
                if other == '\u{7f}' {
                    text.push(other);
                } else {
                    let mut units = [0; 2];
                    for unit in other.encode_utf16(&mut units) {
                        push_escape(text, u32::from(*unit));
                    }
                }
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Whether a text holds a number of so many digits that it may not fit into 64 bits.
fn holds_large(text: &str) -> bool {
    text.split(|one: char| !one.is_ascii_digit()).any(|digits| digits.len() > 18)
}

fn push_escape(text: &mut String, code: u32) {
    let escape = format!("\\u{code:04x}");
    text.push_str(&escape);
}
