//! Project files: their paths, what should parse, and the control.

use super::*;
use crate::scenario::path::SPELLING as PATH;

#[test]
fn paths_stay_in_the_project() {
    for (path, what) in [
        ("../x", "climbs with `..`"),
        ("/x", "is absolute"),
        ("a//b", "has nothing between two slashes, or ends with one"),
        ("./a", "has a `.` between its slashes"),
        ("a\\b", "has a backslash"),
        ("C:/a", "has a colon, as a drive does"),
    ] {
        let shown = path.escape_debug().to_string();
        refused_body(&format!("project:\n  ¶'{path}': x\n"), &format!("the path `{shown}` {what}"), PATH);
    }
    refused_body("project:\n  ¶\"a\\0b\": x\n", "the path `a\\0b` has a control character", PATH);
}

#[test]
fn two_files_do_not_get_in_each_others_way() {
    refused_body(
        "project:\n  lib: x\n  ¶lib/a.txt: x\n",
        "`lib/a.txt` and `lib` cannot both be: one is a folder of the other",
        "rename one of them",
    );
    refused_body(
        "project:\n  a.txt: x\n  ¶A.txt: x\n",
        "`A.txt` and `a.txt` are one file where case does not count",
        "use names that differ in more than case",
    );
    assert!(scenario(&around("project: {lib: null, lib/a.txt: x}")).is_ok());
}

#[test]
fn a_file_is_text() {
    refused_body(
        "project:\n  memory.yml: ¶{schema: {}}\n",
        "`memory.yml` must be a file's text, or null, here stands a mapping",
        "write the text as a block: `memory.yml: |`, and the lines below it, indented",
    );
}

#[test]
fn python_parses_unless_that_is_the_point() {
    let broken = "project:\n  tools/a.py: |\n    import x\n    def f(¶:\n        pass\n";
    let (text, places) = unmarked(&around(broken));
    let diagnostics = scenario(&text).unwrap_err();
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0].place.position.line, places[0].line);
    assert!(diagnostics[0].message.starts_with("`tools/a.py` is not Python: "));
    assert_eq!(diagnostics[0].remedy, "correct it; if that is the point, say `broken_python: true`");
    assert!(scenario(&format!("{text}broken_python: true\n")).is_ok());
    refused_body(
        "broken_python: ¶true\n",
        "the project has no Python file to be broken",
        "remove `broken_python`",
    );
}

#[test]
fn python_at_the_end_of_a_text_is_shown_where_it_ends() {
    refused_body(
        "project:\n  tools/a.py: |\n    x = (1,¶\n\nworld: {}\n",
        "`tools/a.py` is not Python: unexpected EOF while parsing",
        "correct it; if that is the point, say `broken_python: true`",
    );
}

#[test]
fn yaml_parses_unless_that_is_the_point() {
    let broken = "project:\n  memory.yml: |\n    a: 1\n    ¶a: 2\n";
    refused_body(
        broken,
        "`memory.yml` is not YAML: the key `a` stands here twice",
        "correct it; if that is the point, say `broken_yaml: true`",
    );
    let (text, _) = unmarked(&around(broken));
    assert!(scenario(&format!("{text}broken_yaml: true\n")).is_ok());
}

fn rejected(body: &str) -> String {
    format!("scenario: A claim\ncovers: [SCH-01]\n{body}")
}

#[test]
fn a_rejection_is_proved_by_a_control_that_differs() {
    refused(
        &rejected("expect: ¶{outcome: rejected, phase: train}\n"),
        &[(
            "a rejection is expected without a `control`",
            "add `control:` with the files that make this project sound",
        )],
    );
    refused(
        &rejected("project: {a.txt: x}\ncontrol: ¶{a.txt: x}\nexpect: {outcome: rejected, phase: train}\n"),
        &[("the control is the project itself", "change what makes the project unsound")],
    );
    refused(
        &rejected("control: {a.txt: x}\nexpect: ¶{outcome: rejected}\n"),
        &[(
            "a rejection is expected for any reason at all",
            "state the `phase`, and `findings` by their codes where the contract names them",
        )],
    );
    refused(
        &rejected("control: ¶{a.txt: x}\nexpect: {outcome: ok}\n"),
        &[(
            "a control proves a rejection, and none is expected",
            "remove `control`, or expect `outcome: rejected`",
        )],
    );
    refused(
        &rejected("control: {a.txt: x}\nexpect: {outcome: rejected, phase: load}\nsteps: [¶{user: hi}]\n"),
        &[("nothing can happen after a rejected project", "remove `steps`, or expect `outcome: ok`")],
    );
}

#[test]
fn a_control_removes_only_what_is_there_and_is_sound() {
    refused(
        &rejected("control: {b.txt: x, ¶a.txt: null}\nexpect: {outcome: rejected, phase: load}\n"),
        &[("`a.txt` is not in the project", "a null in `control` removes a file that is")],
    );
    refused(
        &rejected("project: {lib: x}\ncontrol: ¶{lib/a.txt: x}\nexpect: {outcome: rejected, phase: load}\n"),
        &[(
            "merged over the project, `lib/a.txt` and `lib` are in each other's way",
            "remove one of them with a null",
        )],
    );
    let both = "project: {a.py: '('}\nbroken_python: true\ncontrol: {a.py: ¶')'}\nexpect: {outcome: rejected, phase: load}\n";
    let (text, places) = unmarked(&rejected(both));
    let found = scenario(&text).unwrap_err();
    assert_eq!((found.len(), found[0].place.position), (1, places[0]));
}
