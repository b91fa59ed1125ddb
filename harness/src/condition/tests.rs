mod bounds;
mod evaluation;
mod parsing;
mod random;
mod rendering;

use serde_json::json;

use super::{Condition, ConditionError};
use crate::protocol::Json;
use crate::source::Position;

/// What `read` answers in the tests of rules: an entry's name says what it holds.
fn held(namespace: &str, entry: &str) -> Json {
    match (namespace, entry) {
        ("a", "one") => json!(1),
        ("a", "five") => json!(5),
        ("a", "half") => json!(0.5),
        ("a", "zero") => json!(0),
        ("a", "zero_float") => json!(0.0),
        ("a", "negative") => json!(-3),
        ("a", "yes") | ("project", "authenticated") => json!(true),
        ("a", "no") => json!(false),
        ("a", "name") => json!("Ada"),
        ("a", "empty") => json!(""),
        ("a", "text_false") => json!("false"),
        ("a", "text_zero") => json!("0"),
        ("a", "list") => json!([1, 2.0, true]),
        ("a", "list_of_zero") => json!([0]),
        ("a", "empty_list") => json!([]),
        ("a", "map") => json!({"x": 1, "y": [null]}),
        ("a", "empty_map") => json!({}),
        ("a", "large") => json!(9_007_199_254_740_993_u64),
        ("a", "largest") => json!(u64::MAX),
        ("a", "smallest") => json!(i64::MIN),
        _ => Json::Null,
    }
}

#[track_caller]
fn parsed(text: &str) -> Condition {
    Condition::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The value, or the error's text.
#[track_caller]
fn value(text: &str) -> Result<bool, String> {
    parsed(text).evaluate(&held).map_err(|error| error.to_string())
}

#[track_caller]
fn hold(texts: &[&str]) {
    for text in texts {
        assert_eq!(value(text), Ok(true), "{text}");
        assert!(parsed(text).holds(&held), "{text}");
    }
}

#[track_caller]
fn do_not_hold(texts: &[&str]) {
    for text in texts {
        assert_eq!(value(text), Ok(false), "{text}");
        assert!(!parsed(text).holds(&held), "{text}");
    }
}

/// They have no value, and the gate stays shut.
#[track_caller]
fn have_no_value(texts: &[&str]) {
    for text in texts {
        assert!(value(text).is_err(), "{text}");
        assert!(!parsed(text).holds(&held), "{text}");
    }
}

#[track_caller]
fn refusal(text: &str) -> ConditionError {
    match Condition::parse(text) {
        Ok(condition) => panic!("`{text}` is read as `{condition}`"),
        Err(error) => error,
    }
}

/// The text is refused there, for a reason and with a remedy that hold these words.
#[track_caller]
fn refused(text: &str, column: u32, words: &[&str]) {
    let error = refusal(text);
    let shown = error.to_string();
    assert_eq!(error.position(), Position::new(1, column), "{text}: {shown}");
    for word in words {
        assert!(shown.contains(word), "{text}: `{word}` is not in: {shown}");
    }
}
