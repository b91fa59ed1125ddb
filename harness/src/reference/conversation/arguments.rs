//! Whether a call's arguments are those the tool was offered with.
//!
//! Rules: RES-08 to RES-12; contract-notes, "9. Execution loop", argument validation.

use serde_json::json;

use crate::protocol::Json;

/// The JSON Schema dialects that calls are checked by (MCP-13, observed).
const DIALECTS: [&str; 2] = ["json-schema.org/draft/2020-12/schema", "json-schema.org/draft-07/schema"];

/// Why a call with these arguments is refused, as the model reads it; `None` when it is not.
pub(crate) fn refusal(parameters: &Json, arguments: &Json) -> Option<Json> {
    if !is_usable(parameters) {
        return Some(json!({"error": "the tool cannot be called: its schema describes no arguments"}));
    }
    let mut problems = Vec::new();
    match arguments.as_object() {
        Some(given) => check_object(parameters, given, "", &mut problems),
        None => problems.push("they must be an object".to_owned()),
    }
    (!problems.is_empty()).then(|| {
        let error = format!("the arguments do not fit: {}", problems.join("; "));
        json!({"error": error, "retryable": true, "code": "invalid_arguments"})
    })
}

/// Whether a schema describes an object in a known dialect: only then is its tool called (MCP-12).
fn is_usable(parameters: &Json) -> bool {
    let is_known = |dialect: &str| {
        let (_, name) = dialect.split_once("://").unwrap_or(("", dialect));
        DIALECTS.contains(&name.trim_end_matches('#'))
    };
    let dialect = parameters.get("$schema");
    parameters.get("type").and_then(Json::as_str) == Some("object")
        && dialect.is_none_or(|dialect| dialect.as_str().is_some_and(is_known))
}

fn check_object(
    schema: &Json,
    given: &serde_json::Map<String, Json>,
    path: &str,
    problems: &mut Vec<String>,
) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let properties = schema.get("properties").and_then(Json::as_object);
    let known = |name: &str| properties.and_then(|properties| properties.get(name));
    let required = schema.get("required").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let mut missing: Vec<&str> =
        required.iter().filter_map(Json::as_str).filter(|name| !given.contains_key(*name)).collect();
    missing.sort_unstable();
    problems.extend(missing.iter().map(|name| format!("'{}' is missing", below(name))));
    let others = schema.get("additionalProperties");
    let mut names: Vec<&String> = given.keys().collect();
    names.sort_unstable();
    problems.extend(
        names
            .iter()
            .filter(|name| others == Some(&Json::Bool(false)) && known(name).is_none())
            .map(|name| format!("'{}' is not expected", below(name))),
    );
    for name in names {
        if let (Some(schema), Some(value)) = (known(name).or(others), given.get(name)) {
            check(schema, value, &below(name), problems);
        }
    }
}

fn check(schema: &Json, value: &Json, path: &str, problems: &mut Vec<String>) {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).collect(),
        Some(kind) => kind.as_str().into_iter().collect(),
        None => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_of(kind, value)) {
        problems.push(format!("'{path}' must be of type {}", kinds.join(" or ")));
        return;
    }
    if let Some(allowed) = schema.get("enum").and_then(Json::as_array)
        && !allowed.contains(value)
    {
        problems.push(format!("'{path}' must be one of the listed values"));
    }
    check_bounds(schema, value, path, problems);
    if let Some(branches) = schema.get("anyOf").and_then(Json::as_array) {
        let fits = |branch: &Json| {
            let mut found = Vec::new();
            check(branch, value, path, &mut found);
            found.is_empty()
        };
        if !branches.iter().any(fits) {
            problems.push(format!("'{path}' fits none of the alternatives"));
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for (index, item) in values.iter().enumerate() {
            check(items, item, &format!("{path}.{index}"), problems);
        }
    }
    if let Some(given) = value.as_object() {
        check_object(schema, given, path, problems);
    }
}

/// The limits that a schema sets to numbers and to the length of texts and lists.
fn check_bounds(schema: &Json, value: &Json, path: &str, problems: &mut Vec<String>) {
    let limit = |key: &str| schema.get(key).and_then(Json::as_f64);
    let mut require = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("'{path}' is {what}"));
        }
    };
    if let Some(number) = value.as_f64() {
        require(limit("minimum").is_none_or(|limit| number >= limit), "too small");
        require(limit("exclusiveMinimum").is_none_or(|limit| number > limit), "too small");
        require(limit("maximum").is_none_or(|limit| number <= limit), "too great");
        require(limit("exclusiveMaximum").is_none_or(|limit| number < limit), "too great");
    }
    let length = |key: &str| schema.get(key).and_then(Json::as_u64);
    let (count, least, most) = match value {
        Json::String(text) => (text.chars().count() as u64, length("minLength"), length("maxLength")),
        Json::Array(items) => (items.len() as u64, length("minItems"), length("maxItems")),
        _ => return,
    };
    require(least.is_none_or(|least| count >= least), "too short");
    require(most.is_none_or(|most| count <= most), "too long");
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
