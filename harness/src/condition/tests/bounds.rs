use super::super::{MAXIMUM_LENGTH, MAXIMUM_NESTING};
use super::{Condition, ConditionError, parsed, refusal};

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn a_condition_of_the_maximum_length_is_read() {
    let text = format!("'{}'", "ä".repeat(MAXIMUM_LENGTH - 2));
    parsed(&text);
    assert_eq!(refusal(&format!("{text} ")), ConditionError::TooLong);
}

#[test]
fn a_condition_nests_as_deep_as_the_maximum() {
    parsed(&nested("(", "1", ")", MAXIMUM_NESTING));
    assert!(matches!(refusal(&nested("(", "1", ")", MAXIMUM_NESTING + 1)), ConditionError::TooDeep { .. }));
    parsed(&nested("not ", "1", "", MAXIMUM_NESTING - 1));
    let error = refusal(&nested("not ", "1", "", MAXIMUM_NESTING));
    let shown = error.to_string();
    assert!(shown.starts_with("the condition nests deeper than 64 levels at character 257;"), "{shown}");
}

#[test]
fn a_long_flat_condition_is_not_deep() {
    let text = ["session.a.b == (1)"; 150].join(" and ");
    assert_eq!(parsed(&text).references().count(), 150);
}

#[test]
fn brackets_in_a_string_are_not_nesting() {
    parsed(&format!("'{}' == session.a.b", "([{".repeat(500)));
}

/// One piece of text as often as a condition may hold it, around another.
fn filled(open: &str, inner: &str, close: &str) -> String {
    nested(open, inner, close, (MAXIMUM_LENGTH - inner.len()) / (open.len() + close.len()))
}

/// How many of these texts are conditions, read on a small stack.
fn read_on_a_small_stack(texts: Vec<String>) -> usize {
    let read = move || texts.iter().filter(|text| Condition::parse(text).is_ok()).count();
    std::thread::Builder::new().stack_size(512 * 1024).spawn(read).unwrap().join().unwrap()
}

#[test]
fn whatever_nests_in_python_is_refused_before_the_stack_ends() {
    let texts = vec![
        filled("(", "1", ")"),
        filled("(", "", ""),
        filled("[", "1", "]"),
        filled("{", "1", "}"),
        filled("f(", "1", ")"),
        filled("a[", "1", "]"),
        filled("not ", "1", ""),
        filled("-", "1", ""),
        filled("~", "1", ""),
        filled("", "a", ".b"),
        filled("", "a", "()"),
        filled("", "a", "[0]"),
        filled("1+", "1", ""),
        filled("1**", "1", ""),
        filled("1 if 1 else ", "1", ""),
        filled("lambda:", "1", ""),
        filled("await ", "1", ""),
        filled("*", "a", ""),
        filled("a:=", "1", ""),
        filled("f'{", "1", "}'"),
        filled("f\"{f'{", "1", "}'}\""),
        filled("f'{x:", "1", "}'"),
        filled("yield ", "1", ""),
        filled("'", "", ""),
    ];
    assert_eq!(read_on_a_small_stack(texts), 0);
}

#[test]
fn what_is_only_long_is_read() {
    let texts = vec![
        filled("1<", "1", ""),
        filled("1 and ", "1", ""),
        filled("1 or not 1 and ", "1", ""),
        filled("'a'", "", ""),
        filled("\\\n", "1", ""),
    ];
    assert_eq!(read_on_a_small_stack(texts), 5);
}
