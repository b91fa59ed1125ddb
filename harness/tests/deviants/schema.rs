//! Deviants in chapters SCH and DEF: what a function's signature becomes.
//!
//! Most change the load report; where the source decides, it is looked up in the project's text.
//! Rules: tools-reference, "Defining a tool" and "How the schema is derived".

use harness::protocol::{Json, LoadReport};
use serde_json::json;

use crate::change::{each_property, each_tool, python_of, retype, signature, sub};
use crate::deviant::{Deviant, Seen, deviant};

pub(crate) fn properties(
    report: &mut LoadReport,
    mut change: impl FnMut(&mut serde_json::Map<String, Json>),
) {
    each_tool(report, |_, tool| {
        if let Some(found) = tool.parameters.get_mut("properties").and_then(Json::as_object_mut) {
            change(found);
        }
    });
}

fn required(report: &mut LoadReport, mut change: impl FnMut(&mut Vec<Json>, &[String])) {
    each_tool(report, |_, tool| {
        let object = tool.parameters.get("properties").and_then(Json::as_object);
        let names: Vec<String> = object.map(|all| all.keys().cloned().collect()).unwrap_or_default();
        if let Some(found) = tool.parameters.get_mut("required").and_then(Json::as_array_mut) {
            change(found, &names);
        }
    });
}

/// Types properties anew by the annotation and the default in the source.
fn typed_by(
    name: &'static str,
    breaks: &'static str,
    anew: impl Fn(&str, Option<&str>, &Json) -> Option<Json> + Send + Sync + 'static,
) -> Deviant {
    deviant(name, breaks).report(move |report, seen| {
        each_property(report, |parameter, property| {
            let Some((annotation, default)) = signature(&seen.asked.project, parameter) else { return };
            if let Some(changed) = anew(&annotation, default.as_deref(), property) {
                *property = changed;
            }
        });
    })
}

fn retyped(name: &'static str, breaks: &'static str, from: Json, to: Json) -> Deviant {
    deviant(name, breaks).report(move |report, _| retype(report, &from, &to))
}

pub(crate) fn string() -> Json {
    json!({"type": "string"})
}

fn is_optional(annotation: &str) -> bool {
    annotation.contains("Optional[") || annotation.contains("None")
}

fn has_annotation(seen: &Seen, parameter: &str, is: impl Fn(&str) -> bool) -> bool {
    signature(&seen.asked.project, parameter).is_some_and(|(annotation, _)| is(&annotation))
}

/// An annotation in quotes, or any under postponed evaluation, that names nothing the source defines.
fn is_unresolved(seen: &Seen, annotation: &str) -> bool {
    let source = python_of(&seen.asked.project);
    let bare = annotation.trim_matches(['"', '\'']);
    let postponed = bare != annotation || source.contains("import annotations");
    let known = ["str", "int", "float", "bool", "list", "dict", "Optional", "Any", "ToolContext", "None"];
    let word = sub(bare, r"\W.*", "");
    postponed
        && !known.contains(&word.as_str())
        && !source.contains(&format!("import {word}"))
        && !source.contains(&format!("{word} ="))
        && !source.contains(&format!("class {word}"))
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = required_table();
    table.extend(types());
    table.extend(spellings());
    table
}

fn required_table() -> Vec<Deviant> {
    vec![
        deviant("a tool's name is shown with hyphens", "SCH-01").report(|report, _| {
            for skill in report.skills.values_mut() {
                let renamed =
                    skill.tools.drain(..).map(|(name, tool)| (name.as_str().replace('_', "-").into(), tool));
                skill.tools = renamed.collect();
            }
        }),
        deviant("a docstring is appended to the description", "SCH-02").report(|report, seen| {
            let source = python_of(&seen.asked.project);
            each_tool(report, |_, tool| {
                if source.contains("    \"\"\"") {
                    tool.description = tool.description.as_ref().map(|text| format!("{text}\nDocstring"));
                }
            });
        }),
        deviant("the description is taken without its outer blanks and in one line", "SCH-02").report(
            |report, _| {
                each_tool(report, |_, tool| {
                    tool.description = tool
                        .description
                        .as_ref()
                        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
                });
            },
        ),
        deviant("a parameter with a default is no property", "SCH-03").report(|report, _| {
            each_tool(report, |_, tool| {
                let kept =
                    tool.parameters.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
                if let Some(found) = tool.parameters.get_mut("properties").and_then(Json::as_object_mut) {
                    found.retain(|name, _| kept.iter().any(|kept| kept == name));
                }
            });
        }),
        deviant("no parameter is required", "SCH-04 SCH-06")
            .report(|report, _| required(report, |list, _| list.clear())),
        deviant("a default does not make a parameter optional", "SCH-05").report(|report, _| {
            required(report, |list, names| *list = names.iter().map(|name| json!(name)).collect());
        }),
        deviant("a default of None, and no other, makes a parameter optional", "SCH-05").report(
            |report, seen| {
                required(report, |list, names| {
                    let none = |name: &String| {
                        let found = signature(&seen.asked.project, name);
                        found.is_some_and(|(_, default)| default.as_deref() == Some("None"))
                    };
                    *list = names.iter().filter(|name| !none(name)).map(|name| json!(name)).collect();
                });
            },
        ),
        deviant("an optional annotation makes a parameter optional", "SCH-06").report(|report, seen| {
            required(report, |list, _| {
                list.retain(|name| !has_annotation(seen, name.as_str().unwrap_or_default(), is_optional));
            });
        }),
        deviant("context is a property", "SCH-08 SCH-25").report(|report, _| {
            properties(report, |found| _ = found.insert("context".to_owned(), string()));
        }),
        deviant("context is required", "SCH-09")
            .report(|report, _| required(report, |list, _| list.push(json!("context")))),
        deviant("context is left out only when it is annotated ToolContext", "SCH-10").report(
            |report, seen| {
                let typed = has_annotation(seen, "context", |annotation| annotation.contains("ToolContext"));
                if !typed {
                    properties(report, |found| _ = found.insert("context".to_owned(), string()));
                }
            },
        ),
        deviant("whatever is annotated ToolContext is left out", "SCH-11").report(|report, seen| {
            let is_context =
                |name: &str| has_annotation(seen, name, |annotation| annotation.contains("ToolContext"));
            properties(report, |found| found.retain(|name, _| !is_context(name)));
            required(report, |list, _| list.retain(|name| !is_context(name.as_str().unwrap_or_default())));
        }),
        deviant("the parameters have no type of their own", "SCH-22").report(|report, _| {
            each_tool(report, |_, tool| {
                _ = tool.parameters.as_object_mut().and_then(|object| object.remove("type"));
            });
        }),
        deviant("other properties are allowed", "SCH-23").report(|report, _| {
            each_tool(report, |_, tool| {
                if let Some(object) = tool.parameters.as_object_mut() {
                    object.remove("additionalProperties");
                }
            });
        }),
        deviant("a property has a title", "SCH-24").report(|report, _| {
            each_property(report, |name, property| {
                if let Some(object) = property.as_object_mut() {
                    object.insert("title".to_owned(), json!(name));
                }
            });
        }),
        deviant("a property tells its default", "SCH-24").report(|report, seen| {
            each_property(report, |name, property| {
                let found = signature(&seen.asked.project, name);
                if let (Some((_, Some(default))), Some(object)) = (found, property.as_object_mut()) {
                    object.insert("default".to_owned(), json!(default));
                }
            });
        }),
        deviant("a tool without arguments has an empty schema", "SCH-25").report(|report, _| {
            each_tool(report, |_, tool| {
                let none = tool
                    .parameters
                    .get("properties")
                    .and_then(Json::as_object)
                    .is_some_and(serde_json::Map::is_empty);
                if none {
                    tool.parameters = json!({});
                }
            });
        }),
        deviant("a wrapped function shows the wrapper's arguments", "SCH-34").report(|report, seen| {
            if python_of(&seen.asked.project).contains("wraps") {
                properties(report, |found| {
                    found.clear();
                    found.insert("args".to_owned(), string());
                    found.insert("kwargs".to_owned(), string());
                });
            }
        }),
    ]
}

fn types() -> Vec<Deviant> {
    vec![
        typed_by("a default decides the type", "SCH-07", |_, default, _| {
            let default = default?;
            let number = default.parse::<i64>().is_ok();
            (number || default == "None" || default.starts_with('"'))
                .then(|| if number { json!({"type": "integer"}) } else { json!({"type": "null"}) })
        }),
        retyped("str is typed text", "SCH-12", string(), json!({"type": "text"})),
        retyped("int is typed number", "SCH-13", json!({"type": "integer"}), json!({"type": "number"})),
        retyped("float is typed integer", "SCH-14", json!({"type": "number"}), json!({"type": "integer"})),
        retyped("bool is typed integer", "SCH-15", json!({"type": "boolean"}), json!({"type": "integer"})),
        retyped(
            "list[str] says nothing of its items",
            "SCH-16 SCH-27",
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": "array"}),
        ),
        retyped(
            "a bare list holds strings",
            "SCH-17",
            json!({"type": "array"}),
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        typed_by("an optional type may be null", "SCH-18 SCH-19", |annotation, _, property| {
            is_optional(annotation).then(|| json!({"type": [property.get("type"), "null"]}))
        }),
        typed_by("Optional[T] is typed string", "SCH-18", |annotation, _, _| {
            annotation.contains("Optional[").then(string)
        }),
        typed_by("T | None is typed string", "SCH-19", |annotation, _, _| {
            (annotation.contains('|') && annotation.contains("None")).then(string)
        }),
        typed_by("an optional list loses its items", "SCH-18 SCH-19", |annotation, _, _| {
            (is_optional(annotation) && annotation.contains("list[")).then(|| json!({"type": "array"}))
        }),
        typed_by("None | T is typed string", "SCH-19", |annotation, _, _| {
            annotation.starts_with("None |").then(string)
        }),
        typed_by("Union[T, None] is typed string", "SCH-19", |annotation, _, _| {
            (annotation.contains("Union[") && annotation.contains("None")).then(string)
        }),
        typed_by("dict is typed object", "SCH-20", |annotation, _, _| {
            annotation.contains("dict").then(|| json!({"type": "object"}))
        }),
        typed_by("a Literal is an enum", "SCH-20", |annotation, _, _| {
            annotation.contains("Literal[").then(|| json!({"type": "string", "enum": ["a"]}))
        }),
        typed_by("Any has no type", "SCH-20", |annotation, _, _| {
            annotation.ends_with("Any").then(|| json!({}))
        }),
        typed_by("tuple is typed array", "SCH-20", |annotation, _, _| {
            annotation.contains("tuple").then(|| json!({"type": "array"}))
        }),
        typed_by("a union has the type of its first member", "SCH-21", |annotation, _, _| {
            let first = sub(annotation, r"^\w*(?:Union|Optional)\[", "");
            let several = annotation.contains('|') || annotation.contains("Union[");
            (several && !annotation.contains("None") && first.starts_with("int"))
                .then(|| json!({"type": "integer"}))
        }),
        typed_by(
            "a union of several types and None has the type of its first",
            "SCH-21",
            |annotation, _, _| {
                let members = annotation.matches('|').count() + annotation.matches(',').count();
                (members > 1 && annotation.contains("None") && annotation.contains("int"))
                    .then(|| json!({"type": "integer"}))
            },
        ),
    ]
}

fn spellings() -> Vec<Deviant> {
    vec![
        typed_by("a dotted spelling is not resolved", "SCH-26", |annotation, _, _| {
            annotation.contains('.').then(string)
        }),
        deviant("a renamed import is not resolved", "SCH-26").report(|report, seen| {
            let renamed = crate::change::all(&python_of(&seen.asked.project), r"import \w+ as (\w+)");
            each_property(report, |parameter, property| {
                let is_renamed =
                    |annotation: &str| renamed.iter().any(|name| annotation.starts_with(name.as_str()));
                if has_annotation(seen, parameter, is_renamed) {
                    *property = string();
                }
            });
        }),
        typed_by("List[str] is outside the table", "SCH-27", |annotation, _, _| {
            annotation.contains("List[").then(string)
        }),
        typed_by("an annotation in quotes is not read", "SCH-28", |annotation, _, _| {
            annotation.starts_with(['"', '\'']).then(string)
        }),
        deviant("postponed annotations are not read", "SCH-29").report(|report, seen| {
            if python_of(&seen.asked.project).contains("import annotations") {
                each_property(report, |_, property| *property = string());
            }
        }),
        deviant("an alias is not followed", "SCH-30").report(|report, seen| {
            let aliases = crate::change::all(&python_of(&seen.asked.project), r"(?m)^(\w+)(?:: \w+)? = ");
            each_property(report, |parameter, property| {
                if has_annotation(seen, parameter, |annotation| {
                    aliases.iter().any(|alias| annotation.contains(alias))
                }) {
                    *property = string();
                }
            });
        }),
        deviant("an alias from lib is not followed", "SCH-31").report(|report, seen| {
            let source = python_of(&seen.asked.project);
            let aliases = crate::change::all(&source, r"(?m)^from lib\.?\S* import (\w+)");
            each_property(report, |parameter, property| {
                if has_annotation(seen, parameter, |annotation| {
                    aliases.iter().any(|alias| annotation.contains(alias))
                }) {
                    *property = string();
                }
            });
        }),
        deviant("one annotation that cannot be resolved spoils those beside it", "SCH-32").report(
            |report, seen| {
                properties(report, |found| {
                    if found
                        .keys()
                        .any(|name| has_annotation(seen, name, |annotation| is_unresolved(seen, annotation)))
                    {
                        found.values_mut().for_each(|property| *property = string());
                    }
                });
            },
        ),
        deviant("a parameter that cannot be resolved is left out", "SCH-33").report(|report, seen| {
            properties(report, |found| {
                found.retain(|name, _| {
                    !has_annotation(seen, name, |annotation| is_unresolved(seen, annotation))
                });
            });
        }),
    ]
}
