//! `str.format` and `%`: texts with places for values.
//!
//! Knows the fields; how a value fills one is `specifying`'s affair.
//! Rules: Python's own, as far as `specs/python-subset.md` goes.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::super::native::Arguments;
use super::super::value::{Key, Value};
use super::numbers::Number;
use super::site::Site;

impl Interpreter<'_> {
    /// `text.format(...)`.
    pub(super) fn format_fields(
        &mut self,
        site: Site<'_>,
        text: &str,
        arguments: &Arguments,
    ) -> Result<String, Halt> {
        let mut automatic = 0;
        self.format_within(site, text, arguments, &mut automatic, 2)
    }

    fn format_within(
        &mut self,
        site: Site<'_>,
        text: &str,
        arguments: &Arguments,
        automatic: &mut usize,
        depth: u32,
    ) -> Result<String, Halt> {
        if depth == 0 {
            return Err(site.value_error("Max string recursion exceeded"));
        }
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            result.push_str(before);
            if let Some(after) = after.strip_prefix("{{") {
                result.push('{');
                rest = after;
                continue;
            }
            if let Some(after) = after.strip_prefix("}}") {
                result.push('}');
                rest = after;
                continue;
            }
            let Some(after) = after.strip_prefix('{') else {
                return Err(site.value_error("Single '}' encountered in format string"));
            };
            let Some(end) = closing(after) else {
                return Err(site.value_error("expected '}' before end of string"));
            };
            let (field, after) = after.split_at_checked(end).unwrap_or((after, ""));
            rest = after.strip_prefix('}').unwrap_or(after);
            let shown = self.fill(site, field, arguments, automatic, depth)?;
            result.push_str(&shown);
            self.work(site, result.len() / 16)?;
        }
        result.push_str(rest);
        self.work(site, result.len())?;
        Ok(result)
    }

    fn fill(
        &mut self,
        site: Site<'_>,
        field: &str,
        arguments: &Arguments,
        automatic: &mut usize,
        depth: u32,
    ) -> Result<String, Halt> {
        let (named, specification) = field.split_once(':').unwrap_or((field, ""));
        let (name, conversion) = named.split_once('!').unwrap_or((named, ""));
        let end = name.find(['.', '[']).unwrap_or(name.len());
        let (first, mut path) = name.split_at_checked(end).unwrap_or((name, ""));
        let mut value = if first.is_empty() {
            *automatic += 1;
            arguments.positional.get(*automatic - 1).cloned().ok_or_else(|| {
                let message =
                    format!("Replacement index {} out of range for positional args tuple", *automatic - 1);
                site.raise("IndexError", message)
            })?
        } else if let Ok(index) = first.parse::<usize>() {
            arguments.positional.get(index).cloned().ok_or_else(|| {
                site.raise(
                    "IndexError",
                    format!("Replacement index {index} out of range for positional args tuple"),
                )
            })?
        } else {
            match arguments.keywords.get(first) {
                Some(value) => value.clone(),
                None => return Err(self.key_error(site, &Value::text(first))?),
            }
        };
        while !path.is_empty() {
            if let Some(after) = path.strip_prefix('.') {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                let (attribute, after) = after.split_at_checked(end).unwrap_or((after, ""));
                value = self.load_attribute(site, &value, attribute)?;
                path = after;
            } else {
                let Some((index, after)) = path.strip_prefix('[').and_then(|after| after.split_once(']'))
                else {
                    return Err(site.value_error("Missing ']' in format string"));
                };
                let index = index.parse::<i64>().map_or_else(|_| Value::text(index), Value::Int);
                value = self.load_item(site, &value, &index)?;
                path = after;
            }
        }
        let value = match conversion {
            "" => value,
            "s" => Value::text(&self.show(site, &value)?),
            "r" => Value::text(&self.represent(site, &value)?),
            _ => return Err(site.outside(format!("the conversion `!{conversion}` is not run"))),
        };
        let specification = self.format_within(site, specification, arguments, automatic, depth - 1)?;
        self.format_value(site, &value, &specification)
    }

    /// `text % arguments`.
    pub(super) fn percent(&mut self, site: Site<'_>, text: &str, arguments: &Value) -> Result<String, Halt> {
        let given: Vec<Value> = match arguments {
            Value::Tuple(items) => items.to_vec(),
            other => vec![other.clone()],
        };
        let mut next = given.into_iter();
        let mut by_name = false;
        let mut result = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            result.push_str(before);
            rest = after;
            if let Some(after) = rest.strip_prefix('%') {
                result.push('%');
                rest = after;
                continue;
            }
            let mut named = None;
            if let Some(after) = rest.strip_prefix('(') {
                let Value::Dict(dict) = arguments else {
                    return Err(site.type_error("format requires a mapping"));
                };
                let Some((name, after)) = after.split_once(')') else {
                    return Err(site.value_error("incomplete format key"));
                };
                let found =
                    dict.entries.borrow().get(&Key::Text(name.into())).map(|(_, value)| value.clone());
                match found {
                    Some(value) => named = Some(value),
                    None => return Err(self.key_error(site, &Value::text(name))?),
                }
                by_name = true;
                rest = after;
            }
            let end = rest.find(|one: char| !matches!(one, '-' | '+' | ' ' | '0'..='9' | '.' | '#'));
            let Some(end) = end else { return Err(site.value_error("incomplete format")) };
            let (modifiers, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let kind = after.chars().next().unwrap_or(' ');
            rest = after.get(kind.len_utf8()..).unwrap_or_default();
            let value = match named {
                Some(value) => value,
                None => {
                    next.next().ok_or_else(|| site.type_error("not enough arguments for format string"))?
                }
            };
            result.push_str(&self.percent_one(site, modifiers, kind, &value)?);
            self.work(site, result.len() / 16)?;
        }
        result.push_str(rest);
        let may_have_more =
            matches!(arguments, Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Instance(_));
        if !by_name && next.next().is_some() && !may_have_more {
            return Err(site.type_error("not all arguments converted during string formatting"));
        }
        Ok(result)
    }

    fn percent_one(
        &mut self,
        site: Site<'_>,
        modifiers: &str,
        kind: char,
        value: &Value,
    ) -> Result<String, Halt> {
        if modifiers.contains('#') {
            return Err(site.outside("`#` in a `%` format is not run"));
        }
        let left = modifiers.contains('-');
        let sign = if modifiers.contains('+') {
            "+"
        } else if modifiers.contains(' ') {
            " "
        } else {
            ""
        };
        let size = modifiers.trim_start_matches(['-', '+', ' ']);
        let zero = size.starts_with('0') && !left;
        let size = size.trim_start_matches('0');
        let align = if left { "<" } else { ">" };
        match kind {
            's' | 'r' => {
                let shown = if kind == 's' { self.show(site, value)? } else { self.represent(site, value)? };
                self.format_value(site, &Value::text(&shown), &format!("{align}{size}"))
            }
            'd' | 'i' | 'x' | 'X' | 'o' => {
                let number = match (Number::of(value), kind) {
                    (Some(Number::Int(number)), _) => Value::Int(number),
                    (Some(Number::Float(number)), 'd' | 'i') => super::numbers::whole(site, number)?,
                    _ => {
                        let message =
                            format!("%{kind} format: a real number is required, not {}", value.class_name());
                        return Err(site.type_error(message));
                    }
                };
                if size.contains('.') {
                    return Err(site.outside("a precision of an integer is not run"));
                }
                let kind = if kind == 'i' { 'd' } else { kind };
                let fill = if zero { "0=" } else { align };
                self.format_value(site, &number, &format!("{fill}{sign}{size}{kind}"))
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => {
                let Some(number) = Number::of(value) else {
                    return Err(site.type_error(format!("must be real number, not {}", value.class_name())));
                };
                let fill = if zero { "0=" } else { align };
                self.format_value(
                    site,
                    &Value::Float(number.as_float()),
                    &format!("{fill}{sign}{size}{kind}"),
                )
            }
            'c' | 'a' | 'u' => Err(site.outside(format!("`%{kind}` is not run"))),
            _ => Err(site.value_error(format!("unsupported format character '{kind}'"))),
        }
    }
}

/// Where the brace closes that was opened just before.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}
