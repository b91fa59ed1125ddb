use super::{Condition, Position, parsed, refusal, refused};

/// Both texts are the same condition.
#[track_caller]
fn same(left: &str, right: &str) {
    assert_eq!(parsed(left), parsed(right), "{left} | {right}");
}

#[test]
fn references_come_in_the_order_of_the_text_with_their_places() {
    let condition = parsed("not session.a.x and (session.project.y\n or 1 < session.a.x < session.b.z)");
    let found: Vec<_> = condition
        .references()
        .map(|reference| (reference.to_string(), reference.position.line, reference.position.column))
        .collect();
    let expected =
        [("session.a.x", 1, 5), ("session.project.y", 1, 22), ("session.a.x", 2, 9), ("session.b.z", 2, 23)];
    assert_eq!(found, expected.map(|(text, line, column)| (text.to_owned(), line, column)));
    assert_eq!(parsed("1 == 1").references().count(), 0);
}

#[test]
fn literals_are_those_of_the_grammar() {
    same("\"x\"", "'x'");
    same("'a' \"b\"", "'ab'");
    same("'''x'''", "'x'");
    same("r'\\d'", "'\\\\d'");
    same("'\\x41\\u00e4'", "'Aä'");
    same("0x1F", "31");
    same("0b101", "5");
    same("0o17", "15");
    same("1_000", "1000");
    same("00", "0");
    same("1e3", "1000.0");
    same(".5", "0.5");
    assert_ne!(parsed("1"), parsed("1.0"));
    assert_ne!(parsed("1"), parsed("True"));
}

#[test]
fn parentheses_make_one_operand() {
    same("((session.a.x))", "session.a.x");
    same("session.a.x or (session.a.y and session.a.z)", "session.a.x or session.a.y and session.a.z");
    assert_ne!(parsed("(1 < 2) < 3"), parsed("1 < 2 < 3"));
    assert_ne!(parsed("(1 and 2) and 3"), parsed("1 and 2 and 3"));
}

#[test]
fn layout_that_python_leaves_out_is_left_out() {
    same("session . a . x", "session.a.x");
    same("session.a.x  # why", "session.a.x");
    same("session.a.x\n", "session.a.x");
    same("\nsession.a.x", "session.a.x");
    same("(session.a.x\n  and\n  1)", "session.a.x and 1");
    same("1 \\\n < 2", "1 < 2");
}

#[test]
fn soft_keywords_and_letters_of_any_script_are_names() {
    for text in ["session.match.type", "session.größe.名前", "session.a.print", "session.session.session"]
    {
        parsed(text);
    }
}

#[test]
fn blanks_before_and_lines_after_are_refused() {
    refused(" session.a.x", 1, &["blanks begin the condition", "remove them"]);
    refused("\tsession.a.x", 1, &["blanks begin the condition"]);
    let error = refusal("session.a.x\nand session.a.y");
    assert_eq!(error.position(), Position::new(2, 1));
    assert!(error.to_string().contains("line 2, character 1; put parentheses around"), "{error}");
}

#[test]
fn nothing_is_no_condition() {
    for text in ["", "   ", "\n", "# only a comment"] {
        refused(text, 1, &["the condition is empty"]);
    }
}

#[test]
fn bare_names_are_refused() {
    refused("authenticated", 1, &["`session.<skill>.authenticated`", "`session.project.authenticated`"]);
    refused("session.a.x == true", 16, &["the bare name `true` is not allowed at character 16", "`True`"]);
    refused("session.a.x == false", 16, &["write `False`"]);
    refused("session.a.x != null", 16, &["write `None`"]);
    refused("session.a.x == new", 16, &["quote a string: `'new'`"]);
    refused("session", 1, &["`session.<skill>.<entry>`"]);
}

#[test]
fn references_have_three_segments() {
    refused("1 and session.x", 7, &["`session.x` is not allowed at character 7", "`session.<skill>.x`"]);
    refused("session.a.x.y == 1", 1, &["`session.a.x` reads an entry as a whole"]);
    refused("project.x", 1, &["write `session.project.x`"]);
    refused("memory.a.x", 1, &["`memory.a.x`", "`session.<skill>.<entry>`"]);
    refused("'x'.y.z", 1, &["an attribute of a value"]);
    refused("(1 or session.a.b).c", 1, &["an attribute of a value"]);
}

#[test]
fn names_that_python_cannot_read_are_refused_with_what_to_do() {
    refused("session.my-skill.x == 1", 11, &["the operator `-`", "rename a skill or an entry"]);
    refused("session.a.class == 1", 11, &["`class`, a keyword of Python", "rename"]);
    refused("session.a.5x", 10, &[]);
}

#[test]
fn comparisons_beyond_the_six_are_refused() {
    refused("session.a.x in ['a', 'b']", 13, &["`in` is not allowed", "write a disjunction"]);
    refused("(session.a.x) not in ('a',)", 15, &["`not in` is not allowed", "write a conjunction"]);
    refused("session.a.x is None", 13, &["`is` is not allowed", "write `==`"]);
    refused("session.a.x is not None", 13, &["`is not` is not allowed", "write `!=`"]);
}

#[test]
fn operators_of_other_languages_are_refused_with_python_s() {
    refused("session.a.x && session.a.y", 13, &["`&&`", "write `and`"]);
    refused("session.a.x || session.a.y", 13, &["`||`", "write `or`"]);
    refused("session.a.x & session.a.y", 13, &["`&`", "write `and`"]);
    refused("session.a.x | session.a.y", 13, &["`|`", "write `or`"]);
    refused("!session.a.x", 1, &["`!`", "write `not`"]);
    refused("session.a.x = 1", 13, &["`=`", "write `==`"]);
    refused("session.a.x === 1", 13, &["`===`", "write `==`"]);
    refused("session.a.x <> 1", 13, &["`<>`", "write `!=`"]);
    refused("session.a.x => 1", 13, &["`=>`", "write `>=`"]);
    refused("session.a.x AND session.a.y", 13, &["`AND`", "write `and`"]);
    refused("NOT session.a.x", 1, &["`NOT`", "write `not`"]);
    refused("session.a.x := 1", 13, &[]);
    refused("session.a.x; session.a.y", 12, &[]);
}

#[test]
fn every_other_expression_is_refused_where_it_stands() {
    refused("session.a.x > -1", 15, &["a unary minus", "compare with zero"]);
    refused("+1 == 1", 1, &["the operator `+`"]);
    refused("session.a.x + 1 > 2", 13, &["the operator `+`", "let a tool work it out"]);
    refused("len(session.a.x) > 2", 4, &["a call"]);
    refused("session.a.x.lower() == 'a'", 18, &["a call"]);
    refused("session.a.f().x", 12, &["a call"]);
    refused("session.a.x[0]", 12, &["a subscript"]);
    refused("session.a.x[0].y", 12, &["a subscript"]);
    refused("session.a.x == []", 16, &["a list", "joined by `or`"]);
    refused("session.a.x == (1, 2)", 16, &["a tuple"]);
    refused("session.a.x, 1", 1, &["a tuple"]);
    refused("session.a.x == {1}", 16, &["a set"]);
    refused("session.a.x == {}", 16, &["a mapping"]);
    refused("1 if session.a.x else 0", 3, &["a conditional expression"]);
    refused("lambda: 1", 1, &["a lambda"]);
    refused("(x := 1)", 2, &["an assignment"]);
    refused("f'{session.a.x}' == 'a'", 1, &["a string with a prefix"]);
    refused("session.a.x == b'x'", 16, &["a string of bytes"]);
    refused("1j", 1, &["a complex number"]);
    refused("...", 1, &["`...`"]);
    refused("[x for x in session.a.x]", 1, &["a comprehension"]);
    refused("await session.a.x", 1, &["`await`"]);
    refused("(yield)", 2, &["`yield`"]);
    refused("*session.a.x", 1, &[]);
}

#[test]
fn broken_syntax_is_refused() {
    let texts =
        ["session.a.", "session.a.x ==", "== 1", "(session.a.x", "session.a.x)", "'open", "not", "1 2"];
    let more =
        ["session..x", "01", "1__0", "'\\x4'", "a b", "print 1", "\0", "1 == \0", "$x", "session.a.x?"];
    for text in texts.iter().chain(&more) {
        let shown = refusal(text).to_string();
        assert!(shown.contains(" at character "), "{text}: {shown}");
        assert!(shown.starts_with(|first: char| !first.is_uppercase()), "{text}: {shown}");
    }
    refused("session.a.x == 'a\0'", 18, &["a NUL character"]);
    refused("\u{feff}session.a.x", 1, &["a byte order mark"]);
}

#[test]
fn what_is_refused_is_no_condition_at_all() {
    assert!(Condition::parse("True or authenticated").is_err());
    assert!(Condition::parse("True or session.a.x in 'abc'").is_err());
}
