use super::parsed;

#[track_caller]
fn canonical(text: &str, expected: &str) {
    let condition = parsed(text);
    let shown = condition.to_string();
    assert_eq!(shown, expected);
    assert_eq!(parsed(&shown), condition, "{shown}");
}

#[test]
fn only_needed_parentheses_are_written() {
    canonical("((session.a.x) == (1)) and (not (session.a.y))", "session.a.x == 1 and not session.a.y");
    canonical("(1 or 2) and 3", "(1 or 2) and 3");
    canonical("1 or (2 and 3)", "1 or 2 and 3");
    canonical("(1 or 2) or 3", "(1 or 2) or 3");
    canonical("1 and (2 and 3)", "1 and (2 and 3)");
    canonical("not (1 and 2)", "not (1 and 2)");
    canonical("not (not 1)", "not not 1");
    canonical("not (1 < 2)", "not 1 < 2");
    canonical("(not 1) < 2", "(not 1) < 2");
    canonical("(1 < 2) < 3", "(1 < 2) < 3");
    canonical("1 < (2 < 3)", "1 < (2 < 3)");
    canonical("1<2!=3", "1 < 2 != 3");
}

#[test]
fn literals_have_one_spelling() {
    canonical("0xff", "255");
    canonical("0x1_0000_0000_0000_0000", "18446744073709551616");
    canonical("1_0.50", "10.5");
    canonical("1e16", "1e16");
    canonical("1e-7", "1e-7");
    canonical("1e400", "1e999");
    canonical("\"it's\"", "'it\\'s'");
    canonical("'a\\nb\\tc\\\\\\x00\\x9f'", "'a\\nb\\tc\\\\\\x00\\x9f'");
    canonical("'ä' '\\U0001f600'", "'ä\u{1f600}'");
}
