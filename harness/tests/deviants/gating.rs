//! Deviants in chapters GAT and CND: when a gate is open, and what its condition means.
//!
//! A gate's meaning is changed by rewriting its condition; where that cannot reach, the offer is changed.
//! Rules: tools-reference, "Gating a tool"; contract-notes on conditions.

use harness::protocol::{ToolReport, ToolSource, TurnTrace};

use crate::change::{
    BUILT_INS, all, each_offer, is_markdown, offer_all, offer_always, rewrite, sub, sub_with, texts,
    tools_where, withhold,
};
use crate::deviant::{Asked, Deviant, Seen, deviant};

const CONDITION: &str = r#"(?m)^(\s*(?:- \w+: \{)?requires: )("[^"\n]*"|'(?:[^'\n]|'')*')"#;

/// Rewrites the conditions of gates that stand on one line; `change` gets the skill's id and the condition.
fn conditions(asked: &mut Asked, change: impl Fn(&str, &str) -> String) {
    rewrite(asked, is_markdown, |path, text| {
        let skill = path.split('/').nth(1).unwrap_or_default();
        sub_with(text, CONDITION, |found| {
            let quoted = &found[2];
            let bare = match quoted.strip_prefix('\'') {
                Some(rest) => rest.trim_end_matches('\'').replace("''", "'"),
                None => quoted.trim_matches('"').to_owned(),
            };
            format!("{}'{}'", &found[1], change(skill, &bare).replace('\'', "''"))
        })
    });
}

/// A deviant that reads conditions otherwise: matches of a pattern stand for something else.
fn reading(name: &'static str, breaks: &'static str, pattern: &'static str, with: &'static str) -> Deviant {
    deviant(name, breaks).load(move |asked| {
        rewrite(asked, is_markdown, |_, text| {
            sub_with(text, r"(?ms)^---$.*?^---$", |head| {
                sub_with(&head[0], r"requires: >-\n((?:\s{8,}.*\n)+)", |found| {
                    format!("requires: \"{}\"\n", found[1].split_whitespace().collect::<Vec<_>>().join(" "))
                })
            })
        });
        conditions(asked, |_, condition| sub(condition, pattern, with));
    })
}

fn is_gated(tool: &ToolReport) -> bool {
    tool.requires.is_some()
}

fn names(seen: &Seen, is: impl Fn(&ToolReport) -> bool) -> Vec<String> {
    tools_where(&seen.report, is)
}

/// Offers gated tools whose condition matches, as if their gates were open.
fn open(trace: &mut TurnTrace, seen: &Seen, pattern: &str) {
    let pattern = regex::Regex::new(pattern).unwrap();
    for name in
        names(seen, |tool| tool.requires.as_ref().is_some_and(|condition| pattern.is_match(condition)))
    {
        offer_always(trace, &name);
    }
}

fn opening(name: &'static str, breaks: &'static str, pattern: &'static str) -> Deviant {
    deviant(name, breaks).trace(move |trace, seen| open(trace, seen, pattern))
}

/// The tools that some `tool_constraints` name.
fn constrained(seen: &Seen) -> Vec<String> {
    let heads = texts(&seen.asked.project).into_iter().filter(|(path, _)| is_markdown(path));
    heads.flat_map(|(_, text)| all(&text, r"(?m)^\s+- (\w+):")).collect()
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = gates();
    table.extend(truth());
    table.extend(operators());
    table
}

fn gates() -> Vec<Deviant> {
    vec![
        deviant("a tool without a constraint is not offered", "GAT-01 GAT-16").trace(|trace, seen| {
            let constrained = constrained(seen);
            withhold(trace, |name| {
                !BUILT_INS.contains(&name) && !constrained.iter().any(|other| other == name)
            });
        }),
        deviant("the tools of every skill are always offered", "GAT-02 GAT-03 BLK-34").trace(
            |trace, seen| {
                offer_all(trace, &names(seen, |_| true));
            },
        ),
        opening("a shut gate does not keep a tool from the offer", "GAT-04 GAT-07 GAT-13 GAT-19 GAT-23", "."),
        deviant("a gated tool is never offered", "GAT-05 GAT-06 GAT-19 GAT-23").trace(|trace, seen| {
            let gated = names(seen, is_gated);
            withhold(trace, |name| gated.iter().any(|other| other == name));
        }),
        deviant("the offer is made once a turn", "GAT-06 GAT-07").trace(|trace, _| {
            if let Some(first) = trace.llm_calls.first().map(|call| call.offered.clone()) {
                each_offer(trace, |offer| offer.clone_from(&first));
            }
        }),
        deviant("there are no gates", "GAT-04 GAT-08 GAT-09 GAT-12 GAT-13 GAT-15 GAT-19 GAT-23").load(
            |asked| {
                rewrite(asked, is_markdown, |_, text| {
                    let open = sub(text, r"(?m)^(\s{4,}requires: ).*$", "$1'True'");
                    sub(&open, r#"\{requires: ("[^"]*"|'[^']*')"#, "{requires: 'True'")
                });
            },
        ),
        deviant("a shut gate shuts out all tools of its skill", "GAT-16").trace(|trace, seen| {
            let (gated, tools) = (names(seen, is_gated), names(seen, |_| true));
            each_offer(trace, |offer| {
                if gated.iter().any(|name| !offer.contains_key(name.as_str())) {
                    offer.retain(|name, _| !tools.iter().any(|tool| tool == name.as_str()));
                }
            });
        }),
        deviant("a block shuts out the tools of its skill", "GAT-14").trace(|trace, _| {
            each_offer(trace, |offer| {
                if offer.contains_key("cancel_skill") && !offer.contains_key("complete_skill") {
                    offer.retain(|name, _| BUILT_INS.contains(&name.as_str()));
                }
            });
        }),
        deviant("a constraint without a condition is a shut gate", "GAT-17").trace(|trace, seen| {
            let (gated, constrained) = (names(seen, is_gated), constrained(seen));
            withhold(trace, |name| {
                constrained.iter().any(|other| other == name) && !gated.iter().any(|other| other == name)
            });
        }),
        deviant("a shared tool needs a constraint", "GAT-18").trace(|trace, seen| {
            let free = names(seen, |tool| tool.source == ToolSource::Shared && tool.requires.is_none());
            withhold(trace, |name| free.iter().any(|other| other == name));
        }),
        deviant("a shared tool has no gate", "GAT-19").trace(|trace, seen| {
            let gated = names(seen, |tool| tool.source == ToolSource::Shared && tool.requires.is_some());
            offer_all(trace, &gated);
        }),
        deviant("a constraint attaches its tool", "GAT-20").load(|asked| {
            rewrite(asked, is_markdown, |_, text| {
                let named = all(text, r"(?m)^\s+- (\w+):");
                let bare = sub(text, r"(?m)^import_tools:.*\n(?:\s+- .*\n)*", "");
                sub(&bare, r"(?m)\A---\n", &format!("---\nimport_tools: [{}]\n", named.join(", ")))
            });
        }),
        deviant("every skill imports every shared tool", "GAT-21").load(|asked| {
            let root = texts(&asked.project).into_iter().filter(|(path, _)| path.starts_with("tools/"));
            let tools: Vec<String> = root.flat_map(|(_, text)| all(&text, r"async def (\w+)")).collect();
            let entry = format!("import_tools: [{}]", tools.join(", "));
            rewrite(asked, is_markdown, |_, text| {
                let bare = sub(text, r"(?m)^import_tools:.*\n(?:\s+- .*\n)*", "");
                sub(&bare, r"(?m)\A---\n", &format!("---\n{entry}\n"))
            });
        }),
        deviant("an MCP tool has no gate", "GAT-23").trace(|trace, seen| {
            let gated = names(seen, |tool| tool.source == ToolSource::Mcp && tool.requires.is_some());
            offer_all(trace, &gated);
        }),
        deviant("one skill's gate is the shared tool's gate in all", "GAT-24").trace(|trace, seen| {
            let gated = names(seen, is_gated);
            withhold(trace, |name| gated.iter().any(|other| other == name));
        }),
    ]
}

fn truth() -> Vec<Deviant> {
    vec![
        deviant("a reference to a project entry finds nothing", "CND-01")
            .load(|asked| conditions(asked, |_, text| text.replace("session.project.", "session.nobody."))),
        deviant("project stands for the skill", "CND-01").load(|asked| {
            conditions(asked, |skill, text| text.replace("session.project.", &format!("session.{skill}.")));
        }),
        deviant("a condition reads the active skill's entries alone", "CND-02").load(|asked| {
            conditions(asked, |skill, text| {
                sub_with(text, r"session\.(\w+)\.", |found| match &found[1] {
                    other if other == skill || other == "project" => found[0].to_owned(),
                    _ => "session.nobody.".to_owned(),
                })
            });
        }),
        deviant("a condition does not read private entries", "CND-02").load(|asked| {
            let private: Vec<String> =
                crate::memory::schemas(asked).into_iter().flat_map(|(_, _, private)| private).collect();
            conditions(asked, |_, text| {
                sub_with(text, r"session\.\w+\.(\w+)", |found| {
                    if private.iter().any(|entry| entry == &found[1]) {
                        "session.nobody.entry".to_owned()
                    } else {
                        found[0].to_owned()
                    }
                })
            });
        }),
        deviant("private entries are everybody's", "CND-03 MEM-11").load(crate::memory::publish),
        reading(
            "an unset entry is an error",
            "CND-04",
            r"not (session\.\w+\.\w+)$|(session\.\w+\.\w+) == None",
            "$1$2 < 0",
        ),
        reading(
            "a reference alone means True itself",
            "CND-05 CND-07",
            r"^(session\.\w+\.\w+)$",
            "$1 == True",
        ),
        reading("whatever is set holds", "CND-06", r"^(session\.\w+\.\w+)$", "$1 != None"),
        reading("zero holds", "CND-06", r"^(session\.\w+\.\w+)$", "$1 or $1 == 0"),
        reading("an empty text holds", "CND-06", r"^(session\.\w+\.\w+)$", "$1 or $1 == ''"),
        reading("False holds", "CND-06", r"^(session\.\w+\.\w+)$", "$1 or $1 == False"),
        reading("the text `0` does not hold", "CND-07", r"^(session\.\w+\.\w+)$", "$1 and $1 != '0'"),
        reading("the text `false` does not hold", "CND-07", r"^(session\.\w+\.\w+)$", "$1 and $1 != 'false'"),
        reading("a negative number does not hold", "CND-07", r"^(session\.\w+\.\w+)$", "$1 and $1 >= 0"),
        reading("== is not there", "CND-08", r" == \S+", ""),
        reading("== is !=", "CND-08", "==", "!="),
        reading(
            "an unset entry is unequal to nothing",
            "CND-09",
            r"(session\.\w+\.\w+) != (.+)$",
            "$1 and $1 != $2",
        ),
        reading("!= is ==", "CND-09", "!=", "=="),
        reading("<= and >= leave their bound out", "CND-10", "([<>])=", "$1"),
        reading("< and > take their bound in", "CND-10", r"([<>]) ", "$1= "),
        reading("and is or", "CND-11", r"\band\b", "or"),
        reading("or is and", "CND-12", r"\bor\b", "and"),
        reading("not is not there", "CND-13", r"\bnot ", ""),
    ]
}

fn operators() -> Vec<Deviant> {
    vec![
        reading("not reaches over what follows", "CND-14", r"not (.*)$", "not ($1)"),
        reading("or binds tighter than and", "CND-14", r"(\S+ or \S+)", "($1)"),
        reading("parentheses group nothing", "CND-15", r"[()]", ""),
        reading("a float is cut to an integer", "CND-16", r"\b(\d+)\.\d+\b", "$1"),
        reading("a string in single quotes is empty", "CND-16", r"'[^']*'", "''"),
        reading("a string in double quotes is empty", "CND-16", r"\x22[^\x22]*\x22", "''"),
        reading("True is a text", "CND-16", r"\bTrue\b", "'True'"),
        reading("an integer is a text", "CND-16", r"(== )(\d+)\b", "$1'$2'"),
        reading("None is a text", "CND-16", r"\bNone\b", "'None'"),
        reading("a reference on the right is a text", "CND-17", r"([<>=!]=?) (session\.\w+\.\w+)", "$1 '$2'"),
        reading("a chain is its first comparison", "CND-18", r"^(\S+ [<>=!]+ \S+) [<>=!]+ \S+$", "$1"),
        reading("a chain is its last comparison", "CND-18", r"^\S+ [<>=!]+ (\S+ [<>=!]+ \S+)$", "$1"),
        reading(
            "an unset entry is less than anything",
            "CND-19",
            r"^(session\.\w+\.\w+) (<=?) (\S+)$",
            "$1 == None or $1 $2 $3",
        ),
        opening("values that cannot be ordered are in order", "CND-19 CND-20", "[<>]"),
        opening("not makes of an error a truth", "CND-21", "not .*[<>]"),
        opening("what is no condition holds", "CND-22 CND-23 CND-24", r"."),
        opening("a bare name is true", "CND-23", r"^\w+$"),
        opening("a call is true", "CND-24", r"\w\("),
        opening("a subscript is true", "CND-24", r"\w\["),
        opening("membership is true", "CND-24", r"\bin\b"),
        opening("identity is true", "CND-24", r"\bis\b"),
        opening("arithmetic is true", "CND-24", r" [+*] |> -1"),
    ]
}
