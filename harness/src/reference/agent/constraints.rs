//! `tool_constraints`: the gates of a skill's tools.
//!
//! Reads them and finds the gates that can never open; whether a gate is open is decided in a turn.
//! Rules: contract-notes, "5. `tool_constraints`"; chapter CND.

use super::frontmatter::Document;
use super::written::WrittenCondition;
use crate::condition::Condition;
use crate::protocol::{Json, LoadPhase, Severity, SourcePlace, ToolName};
use crate::reference::finding::Findings;
use crate::source::yaml::Node;
use crate::source::{Position, did_you_mean};

/// A tool's entry in `tool_constraints`.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    /// The tool.
    pub(crate) tool: ToolName,
    /// The condition under which it is offered.
    pub(crate) requires: Option<String>,
    /// The same condition, with its place.
    pub(crate) written: Option<WrittenCondition>,
    /// What the user is asked before it runs, if anything.
    pub(crate) confirmation: Option<Confirmation>,
    /// The response to send after a run that succeeded.
    pub(crate) on_success: Option<String>,
    /// The response to send after a run that failed.
    pub(crate) on_failure: Option<String>,
    /// Where the entry stands.
    pub(crate) place: SourcePlace,
}

/// That a tool waits for the user's approval, and what is said meanwhile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confirmation {
    /// The response that asks; without one the model asks.
    pub(crate) ask: Option<String>,
    /// The response to a denial.
    pub(crate) denial: Option<String>,
}

const CODE: &str = "skill.markdown.invalid_tool_constraints";
/// The code of a gate that can never open.
pub(crate) const NEVER_HOLDS: &str = "conformance.condition_never_holds";
const OPTIONS: [&str; 4] = ["requires", "requires_confirmation", "on_success", "on_failure"];
const CONFIRMATION: [&str; 3] = ["enabled", "utter_for_confirmation", "utter_on_user_denial"];

/// Reads `tool_constraints` (contract-notes, "5. `tool_constraints`"). A tool listed twice keeps its last entry.
pub(crate) fn read(node: &Node, document: &Document, path: &str, findings: &mut Findings) -> Vec<Constraint> {
    let error = |findings: &mut Findings, node: &Node, message: String| {
        findings.error(LoadPhase::Train, CODE, document.place(path, node.position), message);
    };
    let mut constraints: Vec<Constraint> = Vec::new();
    let mut shut: Vec<(ToolName, SourcePlace, String)> = Vec::new();
    if node.is_null() {
        return constraints;
    }
    let Some(items) = node.items() else {
        error(findings, node, format!("`tool_constraints` must be a list, not {}", node.kind()));
        return constraints;
    };
    for item in items {
        let Some([(name, options)]) = item.entries() else {
            error(
                findings,
                item,
                "an entry of `tool_constraints` must be a mapping from one tool's name to its options"
                    .to_owned(),
            );
            continue;
        };
        let tool = ToolName::new(name.text().unwrap_or_default());
        let requires = options.get("requires");
        check_options(options, &mut |node, message| error(findings, node, message));
        shut.retain(|(known, ..)| *known != tool);
        if let Some((position, message)) = requires.and_then(|node| never_holds(node, &tool)) {
            shut.push((tool.clone(), document.place(path, position), message));
        }
        let place = document.place(path, name.position);
        constraints.retain(|known| known.tool != tool);
        let text = |key: &str| options.get(key).and_then(Node::string).map(str::to_owned);
        constraints.push(Constraint {
            tool,
            requires: text("requires"),
            written: requires.and_then(|node| document.condition(path, node)),
            confirmation: options.get("requires_confirmation").and_then(read_confirmation),
            on_success: text("on_success"),
            on_failure: text("on_failure"),
            place,
        });
    }
    for (_, place, message) in shut {
        findings.note(Severity::Warning, NEVER_HOLDS, place, message);
    }
    constraints
}

/// Why a gate can never open (CND-22 to CND-25), and where in the file the reason stands. The contract
/// does not refuse the project for it: the tool is just never offered.
fn never_holds(requires: &Node, tool: &ToolName) -> Option<(Position, String)> {
    let (position, why) = match Condition::parse(requires.string()?) {
        Err(error) => (error.position(), error.to_string()),
        Ok(condition) => {
            // Nothing is readable in `system` (CND-30), so all that can change the value is elsewhere.
            let mut references = condition.references();
            let first = references.next();
            let is_constant = first.into_iter().chain(references).all(|read| read.namespace == "system");
            if !is_constant || condition.holds(&|_, _| Json::Null) {
                return None;
            }
            let position = first.map_or(Position::START, |reference| reference.position);
            (position, format!("`{condition}` reads no entry that a tool or the model can set"))
        }
    };
    let message = format!("`{tool}` is never offered, because its condition never holds: {why}");
    Some((requires.inside(position), message))
}

/// `enabled: false`, or nothing, drops the whole mapping.
fn read_confirmation(node: &Node) -> Option<Confirmation> {
    let enabled = node.get("enabled").is_some_and(|flag| flag.to_json() == Json::Bool(true));
    let text = |key: &str| node.get(key).and_then(Node::string).map(str::to_owned);
    enabled
        .then(|| Confirmation { ask: text("utter_for_confirmation"), denial: text("utter_on_user_denial") })
}

fn check_options(options: &Node, report: &mut dyn FnMut(&Node, String)) {
    if options.is_null() {
        return;
    }
    let Some(entries) = options.entries() else {
        report(options, format!("a tool's options must be a mapping, not {}", options.kind()));
        return;
    };
    for (key, value) in entries {
        let name = key.text().unwrap_or_default();
        match name {
            "requires_confirmation" => check_confirmation(value, report),
            _ if !OPTIONS.contains(&name) => {
                report(key, format!("unknown option `{name}`; {}", did_you_mean(name, &OPTIONS)));
            }
            _ if value.string().is_none() => {
                report(value, format!("`{name}` must be a string, not {}", value.kind()));
            }
            _ => {}
        }
    }
}

fn check_confirmation(confirmation: &Node, report: &mut dyn FnMut(&Node, String)) {
    let Some(entries) = confirmation.entries() else {
        report(
            confirmation,
            format!("`requires_confirmation` must be a mapping, not {}", confirmation.kind()),
        );
        return;
    };
    for (key, value) in entries {
        let name = key.text().unwrap_or_default();
        let fits = match name {
            "enabled" => value.kind() == "a boolean" || value.is_null(),
            _ => value.string().is_some(),
        };
        if !CONFIRMATION.contains(&name) {
            report(key, format!("unknown option `{name}`; {}", did_you_mean(name, &CONFIRMATION)));
        } else if !fits {
            report(value, format!("`{name}` cannot be {}", value.kind()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Findings, NEVER_HOLDS, Severity};
    use crate::project::MemoryProject;
    use crate::protocol::{Finding, LoadOutcome};
    use crate::reference::agent::read_skills;

    /// What is found in a skill whose `tool_constraints` are these.
    fn findings(constraints: &str) -> Vec<Finding> {
        let text = format!("---\nname: s\ntool_constraints:\n{constraints}---\nInstructions.\n");
        let project: MemoryProject = [("skills/s/skill.md", text)].into_iter().collect();
        let mut findings = Findings::default();
        read_skills(&project, &mut findings);
        let (outcome, _, found) = findings.conclude();
        assert_eq!(outcome, LoadOutcome::Ok, "{found:?}");
        found
    }

    /// A gate is found to be shut for ever, at a line and a column of the file.
    #[track_caller]
    fn shut(constraints: &str, line: u32, column: u32, words: &str) {
        let found = findings(constraints);
        let [finding] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((finding.code.as_str(), finding.severity), (NEVER_HOLDS, Severity::Warning));
        let place = finding.place.as_ref().unwrap();
        assert_eq!((place.line, place.column), (line, column), "{}", finding.message);
        let message = &finding.message;
        assert!(
            message.starts_with("`pay` is never offered, because its condition never holds: "),
            "{message}"
        );
        assert!(message.contains(words), "{message}");
    }

    #[test]
    fn a_gate_that_can_open_is_no_finding() {
        for requires in ["session.s.card", "True", "session.system.x == None", "not 0", "session.s.n < 5"] {
            assert_eq!(findings(&format!("  - pay:\n      requires: \"{requires}\"\n")), []);
        }
    }

    #[test]
    fn a_condition_that_is_none_is_found_where_it_stands() {
        shut("  - pay:\n      requires: authenticated\n", 5, 17, "`session.<skill>.authenticated`");
        shut(
            "  - pay:\n      requires: \"session.s.x in ['a']\"\n",
            5,
            17,
            "`in` is not allowed at character 13",
        );
        shut("  - pay:\n      requires: \" session.s.x\"\n", 5, 17, "blanks begin the condition");
        let block = "  - pay:\n      requires: |\n        (session.s.x\n         and session.s.y == true)\n";
        shut(block, 7, 29, "write `True`");
    }

    #[test]
    fn a_condition_that_nothing_can_change_is_found_when_it_does_not_hold() {
        let words = "reads no entry that a tool or the model can set";
        shut("  - pay:\n      requires: \"1 == 2\"\n", 5, 17, words);
        shut("  - pay:\n      requires: |\n        not 1 or session.system.x\n", 6, 18, words);
        shut("  - pay:\n      requires: \"'a' < 1\"\n", 5, 17, words);
    }

    #[test]
    fn the_last_entry_of_a_tool_decides() {
        let shut_first = "  - pay:\n      requires: nonsense\n  - pay:\n      requires: session.s.x\n";
        assert_eq!(findings(shut_first), []);
    }
}
