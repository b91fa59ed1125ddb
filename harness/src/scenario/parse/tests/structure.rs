//! Keys, types and words.

use super::*;

#[test]
fn everything_wrong_is_said_at_once() {
    refused(
        "scenario: ¶A claim\n¶cover: [SCH-01]\n¶porject: {}\nneeds: [¶schemas]\n",
        &[
            (
                "nothing is expected, so nothing can fail",
                "add `expect:` for what loading must report, or to a step for what its trace must show",
            ),
            ("unknown key `cover` in a scenario", "did you mean `covers`?"),
            ("unknown key `porject` in a scenario", "did you mean `project`?"),
            ("`needs` does not know `schemas`", "did you mean `schema`?"),
        ],
    );
}
