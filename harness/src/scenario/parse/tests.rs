//! What a wrong scenario is told: the place, the message, the remedy.
//!
//! A `¶` in a fixture marks the place of the next message and is no part of the text.

mod expectations;
mod files;
mod structure;
mod valid;

use super::*;

/// Parses a fixture.
fn scenario(text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    parse(ScenarioId::new("schema/fixture"), "scenarios/schema/fixture.yml", text)
}

/// A fixture around what matters: a title, a clause and something expected.
fn around(body: &str) -> String {
    format!("scenario: A claim\ncovers: [SCH-01]\nexpect: {{outcome: ok}}\n{body}")
}

/// The marked places of a fixture, and its text without the marks.
fn unmarked(marked: &str) -> (String, Vec<Position>) {
    let mut text = String::new();
    let mut places = Vec::new();
    let mut position = Position::START;
    for character in marked.chars() {
        match character {
            '¶' => places.push(position),
            '\n' => position = Position::new(position.line + 1, 1),
            _ => position = Position::new(position.line, position.column + 1),
        }
        if character != '¶' {
            text.push(character);
        }
    }
    (text, places)
}

/// The fixture is refused with exactly these messages, each with its remedy, at the marked places.
#[track_caller]
fn refused(marked: &str, expected: &[(&str, &str)]) {
    let (text, places) = unmarked(marked);
    let found = scenario(&text).expect_err("this was accepted");
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    let seen: Vec<(&str, &str, Position)> = found
        .iter()
        .map(|diagnostic| {
            (diagnostic.message.as_str(), diagnostic.remedy.as_str(), diagnostic.place.position)
        })
        .collect();
    let wanted: Vec<(&str, &str, Position)> =
        expected.iter().zip(&places).map(|((message, remedy), place)| (*message, *remedy, *place)).collect();
    assert_eq!(places.len(), expected.len(), "one mark a message");
    assert_eq!(seen, wanted, "\n{}", shown.join("\n\n"));
}

#[track_caller]
fn refused_body(marked: &str, message: &str, remedy: &str) {
    refused(&around(marked), &[(message, remedy)]);
}
