//! Between Python values and JSON.
//!
//! Knows values alone; what is sent where is the caller's affair.
//! Rules: Python's own encoder, as far as keys are concerned; RES-18 for what JSON cannot express.

use std::rc::Rc;

use super::value::Value;
use crate::protocol::Json;

/// How deep a value may nest to be written as JSON; deeper ones are taken for circular.
const MAXIMUM_DEPTH: u32 = 64;

/// A value from JSON.
pub(crate) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Int(integer),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => Value::list(items.iter().map(from_json).collect()),
        Json::Object(entries) => {
            Value::dict(entries.iter().map(|(name, value)| (Rc::from(name.as_str()), from_json(value))))
        }
    }
}

/// A value as JSON; the error names the class that JSON cannot express.
pub(crate) fn to_json(value: &Value) -> Result<Json, String> {
    convert(value, 0)
}

fn convert(value: &Value, depth: u32) -> Result<Json, String> {
    if depth > MAXIMUM_DEPTH {
        return Err("a circular or very deep value".to_owned());
    }
    Ok(match value {
        Value::None => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::Float(value) => {
            serde_json::Number::from_f64(*value).map(Json::Number).ok_or_else(|| value.to_string())?
        }
        Value::Text(text) => text.to_string().into(),
        Value::Tuple(items) => items.iter().map(|item| convert(item, depth + 1)).collect::<Result<_, _>>()?,
        Value::List(list) => {
            list.items.borrow().iter().map(|item| convert(item, depth + 1)).collect::<Result<_, _>>()?
        }
        Value::Dict(dict) => {
            let mut object = serde_json::Map::new();
            for (key, value) in dict.entries.borrow().values() {
                let name = match key {
                    Value::Text(text) => text.to_string(),
                    // Python's own encoder writes these keys as JSON spells them.
                    Value::None => "null".to_owned(),
                    Value::Bool(flag) => flag.to_string(),
                    Value::Int(_) | Value::Float(_) => super::methods::display(key).unwrap_or_default(),
                    other => return Err(format!("a key of class {}", other.class_name())),
                };
                object.insert(name, convert(value, depth + 1)?);
            }
            Json::Object(object)
        }
        Value::Member(member) if member.is_mixed() => convert(&member.value, depth + 1)?,
        other => return Err(format!("an object of class {}", other.class_name())),
    })
}
