//! Whether a call's arguments are those the tool was offered with.
//!
//! Rules: RES-08 to RES-12; contract-notes, "9. Execution loop", argument validation.

use serde_json::json;

use crate::protocol::Json;

/// What is wrong with the arguments of a call, as the model reads it; `None` when nothing is.
pub(crate) fn refusal(parameters: &Json, arguments: &Json) -> Option<Json> {
    let problems = problems(parameters, arguments);
    (!problems.is_empty()).then(|| {
        let error = format!("the arguments do not fit: {}", problems.join("; "));
        json!({"error": error, "retryable": true, "code": "invalid_arguments"})
    })
}

fn problems(parameters: &Json, arguments: &Json) -> Vec<String> {
    let Some(given) = arguments.as_object() else { return vec!["they must be an object".to_owned()] };
    let mut problems = Vec::new();
    let properties = parameters.get("properties").and_then(Json::as_object);
    let known = |name: &str| properties.and_then(|properties| properties.get(name));
    let required = parameters.get("required").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let mut missing: Vec<&str> =
        required.iter().filter_map(Json::as_str).filter(|name| !given.contains_key(*name)).collect();
    missing.sort_unstable();
    problems.extend(missing.iter().map(|name| format!("'{name}' is missing")));
    let is_closed = parameters.get("additionalProperties") == Some(&Json::Bool(false));
    let mut names: Vec<&String> = given.keys().collect();
    names.sort_unstable();
    problems.extend(
        names
            .iter()
            .filter(|name| is_closed && known(name).is_none())
            .map(|name| format!("'{name}' is not expected")),
    );
    for name in names {
        if let (Some(schema), Some(value)) = (known(name), given.get(name)) {
            check(schema, value, name, &mut problems);
        }
    }
    problems
}

fn check(schema: &Json, value: &Json, path: &str, problems: &mut Vec<String>) {
    if let Some(kind) = schema.get("type").and_then(Json::as_str)
        && !is_of(kind, value)
    {
        problems.push(format!("'{path}' must be of type {kind}"));
        return;
    }
    if let Some(allowed) = schema.get("enum").and_then(Json::as_array)
        && !allowed.contains(value)
    {
        problems.push(format!("'{path}' must be one of the listed values"));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for (index, item) in values.iter().enumerate() {
            check(items, item, &format!("{path}.{index}"), problems);
        }
    }
}

fn is_of(kind: &str, value: &Json) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        // RES-14, observed: JSON Schema counts 1.0 as an integer.
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => true,
    }
}
