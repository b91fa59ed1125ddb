//! Deviants in chapter DEF: which functions are tools, and how they are called.
//!
//! Most rewrite the project's Python on the way in.
//! Rules: tools-reference, "Defining a tool".

use crate::change::{detach, each_tool, is_tool_module, patch, rewrite, sub, sub_with};
use crate::deviant::{Deviant, deviant};
use crate::schema::{properties, string};

pub(crate) fn table() -> Vec<Deviant> {
    defining()
}

fn defining() -> Vec<Deviant> {
    vec![
        deviant("a tool has to be named in a file", "DEF-01").report(|report, seen| {
            let files = crate::change::texts(&seen.asked.project).into_iter();
            let others: String =
                files.filter(|(path, _)| !path.ends_with(".py")).map(|(_, text)| text).collect();
            detach(report, |name, _| !others.contains(name));
        }),
        deviant("every coroutine function is a tool", "DEF-02").load(|asked| {
            rewrite(asked, is_tool_module, |_, text| {
                sub(text, r"(?m)^(\n\n?)async def ", "$1@tool(description=\"A tool\")\nasync def ")
            });
        }),
        deviant("the decorator's module has another name", "DEF-03")
            .refusing()
            .load(|asked| patch(asked, r"rasa\.mantle\.tools\.decorator", "rasa.mantle.decorator", "")),
        deviant("the result's module has another name", "DEF-04")
            .refusing()
            .load(|asked| patch(asked, r"rasa\.mantle\.tools\.result", "rasa.mantle.result", "")),
        deviant("the decorator is recognised by its spelling", "DEF-05").load(|asked| {
            rewrite(asked, is_tool_module, |_, text| {
                sub_with(text, r"(?m)^@(\S+\(description.*)$", |found| {
                    if found[1].starts_with("tool(") { found[0].to_owned() } else { String::new() }
                })
            });
        }),
        deviant("what a body does after its first suspension does not happen", "DEF-06").load(|asked| {
            patch(asked, r"(?m)^(    (?:\w+ = )?await .*\))$", "$1; return ToolResult()", "");
        }),
        deviant("the keyword description is not read", "DEF-08").report(|report, _| {
            each_tool(report, |_, tool| tool.description = Some(String::new()));
        }),
        deviant("a bare decorator does", "DEF-09").load(|asked| {
            rewrite(asked, is_tool_module, |_, text| sub(text, r"(?m)^@(\S*tool)$", "@$1(description=\"\")"));
        }),
        deviant("a return annotation is a property", "DEF-11").report(|report, _| {
            properties(report, |found| _ = found.insert("return".to_owned(), string()));
        }),
        deviant("context keeps its default", "DEF-13 DEF-14")
            .load(|asked| patch(asked, r"\bcontext\.", "(None).", "")),
        deviant("context is injected by its type", "DEF-14").load(|asked| {
            rewrite(asked, is_tool_module, |_, text| {
                if text.contains("context: ToolContext") {
                    text.to_owned()
                } else {
                    sub(text, r"\bcontext\.", "(None).")
                }
            });
        }),
    ]
}
