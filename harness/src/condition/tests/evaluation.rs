use std::cell::RefCell;

use super::{do_not_hold, have_no_value, hold, parsed, value};
use crate::protocol::Json;

#[test]
fn a_reference_stands_for_what_its_entry_holds() {
    hold(&["session.project.authenticated", "session.a.name == 'Ada'", "session.a.five == 5"]);
}

#[test]
fn a_reference_to_nothing_is_none_and_no_error() {
    hold(&["session.a.unset == None", "session.nowhere.entry == None", "session.system.x == None"]);
    do_not_hold(&["session.a.unset", "session.a.unset == 'new'", "session.a.unset == False"]);
}

#[test]
fn falsy_values_do_not_hold() {
    do_not_hold(&[
        "None",
        "False",
        "0",
        "0.0",
        "''",
        "session.a.no",
        "session.a.zero",
        "session.a.zero_float",
        "session.a.empty",
        "session.a.empty_list",
        "session.a.empty_map",
    ]);
}

#[test]
fn all_other_values_hold() {
    hold(&[
        "'false'",
        "' '",
        "0.1",
        "1e999",
        "session.a.text_false",
        "session.a.text_zero",
        "session.a.negative",
        "session.a.list_of_zero",
        "session.a.map",
    ]);
}

#[test]
fn equality_never_fails() {
    hold(&[
        "session.a.unset != 'new'",
        "session.a.list != 1",
        "session.a.map != 'x'",
        "'1' != 1",
        "None != 0",
        "None != False",
        "'' != None",
    ]);
    do_not_hold(&["'a' == 1", "session.a.list == session.a.map", "session.a.name == 'ada'"]);
}

#[test]
fn booleans_equal_integers_and_integers_equal_floats() {
    hold(&["1 == True", "0 == False", "1 == 1.0", "True == 1.0", "session.a.yes == 1", "2 != True"]);
}

#[test]
fn lists_and_mappings_are_equal_by_what_they_hold() {
    let read = |_: &str, entry: &str| match entry {
        "left" => serde_json::json!([1, {"x": true, "y": [2]}]),
        "same" => serde_json::json!([1.0, {"y": [2.0], "x": 1}]),
        "shorter" => serde_json::json!([1]),
        _ => serde_json::json!([1, {"x": true, "z": [2]}]),
    };
    let holds = |text: &str| parsed(text).evaluate(&read).unwrap();
    assert!(holds("session.a.left == session.a.same"));
    assert!(!holds("session.a.left == session.a.shorter"));
    assert!(!holds("session.a.left == session.a.other"));
}

#[test]
fn numbers_have_an_order_with_bounds_as_in_python() {
    hold(&["session.a.five < 6", "session.a.five <= 5", "session.a.five > 4.5", "session.a.five >= 5.0"]);
    do_not_hold(&[
        "session.a.five < 5",
        "session.a.five > 5",
        "session.a.five <= 4.9",
        "session.a.half >= 1",
    ]);
    hold(&["session.a.negative < 0", "session.a.negative < session.a.half", "True < 2", "False < True"]);
}

#[test]
fn large_integers_compare_exactly() {
    hold(&[
        "session.a.large == 9007199254740993",
        "session.a.large != 9007199254740992.0",
        "session.a.large > 9007199254740992.0",
        "session.a.largest < 18446744073709551616",
        "session.a.largest < 18446744073709551615.0",
        "session.a.smallest < 0",
        "18446744073709551616 == 18446744073709551616.0",
        "18446744073709551617 > 18446744073709551616.0",
        "0x1_0000_0000_0000_0000 == 18446744073709551616",
        "1000000000000000000000000000000 < 1000000000000000000000000000001",
        "1e999 > 1000000000000000000000000000000000000000",
    ]);
}

#[test]
fn strings_have_the_order_of_their_code_points() {
    hold(&["'Z' < 'a'", "'a' < 'aa'", "'' < 'a'", "'10' < '9'", "'z' < 'ä'", "'\u{ffff}' < '\u{10000}'"]);
}

#[test]
fn lists_have_the_order_of_their_first_difference() {
    let read = |_: &str, entry: &str| match entry {
        "short" => serde_json::json!([1, "b"]),
        "long" => serde_json::json!([1, "b", null]),
        "other" => serde_json::json!([1, "c"]),
        _ => serde_json::json!([1, 2]),
    };
    let evaluate = |text: &str| parsed(text).evaluate(&read);
    assert_eq!(evaluate("session.a.short < session.a.long"), Ok(true));
    assert_eq!(evaluate("session.a.long < session.a.other"), Ok(true));
    assert_eq!(evaluate("session.a.short <= session.a.short"), Ok(true));
    assert!(evaluate("session.a.short < session.a.mixed").is_err());
}

#[test]
fn ordering_against_nothing_or_another_kind_is_an_error() {
    have_no_value(&[
        "session.a.count < 50",
        "50 > session.a.count",
        "None < None",
        "session.a.name < 3",
        "'1' >= 1",
        "session.a.list < 1",
        "session.a.map < session.a.map",
        "session.a.unset <= session.a.unset",
    ]);
    assert_eq!(
        value("session.a.count < 50 or True"),
        Err("`session.a.count < 50` compares None with an integer, which have no order; \
             compare values of one kind, and give an entry that may be unset an `initial_value`"
            .to_owned())
    );
}

#[test]
fn not_over_an_error_is_an_error() {
    have_no_value(&["not session.a.count < 50", "not (session.a.name < 3)", "not not session.a.count > 1"]);
    hold(&["not session.a.count", "not session.a.empty"]);
}

#[test]
fn one_unmet_conjunct_among_ten_shuts_the_gate() {
    let met = ["session.a.five == 5"; 9].join(" and ");
    hold(&[&met]);
    do_not_hold(&[&format!("{met} and session.a.state == 'new'")]);
}

#[test]
fn or_needs_one_operand() {
    hold(&["session.a.no or session.a.empty or session.a.yes"]);
    do_not_hold(&["session.a.no or session.a.empty or session.a.unset"]);
}

#[test]
fn not_binds_tighter_than_and_and_and_tighter_than_or() {
    hold(&["session.a.yes or session.a.yes and session.a.no", "not session.a.no and session.a.yes"]);
    do_not_hold(&[
        "(session.a.yes or session.a.yes) and session.a.no",
        "not (session.a.no or session.a.yes)",
    ]);
    hold(&["not session.a.one == 2"]);
    do_not_hold(&["(not session.a.one) == 2"]);
}

#[test]
fn what_is_decided_leaves_the_rest_unevaluated() {
    hold(&["session.a.count == None or session.a.count < 5"]);
    do_not_hold(&["session.a.count != None and session.a.count < 5"]);
    have_no_value(&["session.a.count < 5 or True"]);
}

#[test]
fn and_and_or_yield_booleans_not_operands() {
    do_not_hold(&["(session.a.unset or session.a.name) == 'Ada'"]);
    hold(&["(session.a.unset or session.a.name) == True", "(session.a.yes and session.a.empty) == False"]);
}

#[test]
fn a_chain_holds_when_each_neighbouring_comparison_does() {
    hold(&["1 < session.a.five <= 5", "1 < 2 > 1 != 3", "session.a.one == 1 == True"]);
    do_not_hold(&["1 < session.a.five < 5", "5 < session.a.five < 9", "1 < 3 < 2"]);
    // Parentheses make the first comparison's value the operand.
    hold(&["3 > 2 > 1"]);
    do_not_hold(&["(3 > 2) > 1"]);
}

#[test]
fn a_chain_stops_at_the_first_comparison_that_does_not_hold() {
    do_not_hold(&["2 < 1 < session.a.count"]);
    have_no_value(&["1 < 2 < session.a.count"]);
    let asked = RefCell::new(Vec::new());
    let read = |_: &str, entry: &str| {
        asked.borrow_mut().push(entry.to_owned());
        Json::from(3)
    };
    let chain = parsed("1 < session.a.middle < 3 < session.a.never");
    assert_eq!(chain.evaluate(&read), Ok(false));
    assert_eq!(asked.into_inner(), ["middle"]);
}
