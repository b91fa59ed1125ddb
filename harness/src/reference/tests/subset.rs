//! `specs/python-subset.md` says what is run: every block in it is run here.

use serde_json::json;

use super::bodies::{outcome, tool_of};

const DOCUMENT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/python-subset.md"));

/// The blocks of the document that are marked with a word.
fn blocks(mark: &str) -> Vec<&'static str> {
    let start = format!("```python {mark}\n");
    DOCUMENT.split(start.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn what_is_in_works() {
    assert!(blocks("in").len() > 10);
    for block in blocks("in") {
        let body = format!("{block}return ToolResult(llm_response=\"held\")");
        assert_eq!(outcome(&tool_of(&body)), Ok(json!("held")), "{block}");
    }
}

#[test]
fn what_is_out_says_so_and_where() {
    assert!(blocks("out").len() > 10);
    for block in blocks("out") {
        let body = format!("{block}return ToolResult(llm_response=\"held\")");
        let message = outcome(&tool_of(&body)).expect_err(block);
        assert!(message.contains("outside the Python that the reference runs"), "{block}\n{message}");
        assert!(message.starts_with("skills/s/tools.py:"), "{block}\n{message}");
    }
}
