//! Deviants in chapter MEM: what tools read and write, and how long it lasts.
//!
//! Most put a function of their own between the tools and their memory; the rest change schemas, sessions, traces.
//! Rules: tools-reference, "`context.memory`"; contract-notes on memory.yml.

use harness::protocol::{Session, TurnTrace};
use serde_yaml::{Mapping, Value};

use crate::change::{is_memory, is_tool_module, rewrite, sub, text_of, texts};
use crate::deviant::{Asked, Deviant, Seen, deviant};

fn keys(value: Option<&Value>) -> Vec<String> {
    let entries = value.and_then(Value::as_mapping).into_iter().flatten();
    entries.filter_map(|(name, _)| Some(name.as_str()?.to_owned())).collect()
}

/// The entries of every skill: its id, its public entries, its private ones.
pub(crate) fn schemas(asked: &Asked) -> Vec<(String, Vec<String>, Vec<String>)> {
    let files = texts(&asked.project).into_iter();
    let skills = files.filter_map(|(path, text)| {
        let skill = path.strip_prefix("skills/")?.strip_suffix("/memory.yml")?.to_owned();
        let parsed: Value = serde_yaml::from_str(&text).ok()?;
        let schema = parsed.get("schema")?;
        Some((skill, keys(schema.get("public")), keys(schema.get("private"))))
    });
    skills.collect()
}

/// Declares every private entry public.
pub(crate) fn publish(asked: &mut Asked) {
    rewrite(
        asked,
        |path| is_memory(path) && path.starts_with("skills/"),
        |_, text| {
            let Ok(mut parsed) = serde_yaml::from_str::<Value>(text) else { return text.to_owned() };
            let Some(schema) = parsed.get_mut("schema").and_then(Value::as_mapping_mut) else {
                return text.to_owned();
            };
            let Some(Value::Mapping(private)) = schema.remove("private") else { return text.to_owned() };
            if let Some(public) = schema
                .entry("public".into())
                .or_insert_with(|| Value::Mapping(Mapping::new()))
                .as_mapping_mut()
            {
                public.extend(private);
            }
            serde_yaml::to_string(&parsed).unwrap_or_default()
        },
    );
}

fn python_list(names: &[String]) -> String {
    serde_json::to_string(names).unwrap_or_default()
}

/// What a stand-in may need to know, as Python.
fn known(asked: &Asked, path: &str) -> String {
    let skill = path.strip_prefix("skills/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let schemas = schemas(asked);
    let own = schemas.iter().find(|(id, ..)| id == skill);
    let (public, private) =
        own.map(|(_, public, private)| (public.clone(), private.clone())).unwrap_or_default();
    let root: Value = serde_yaml::from_str(&text_of(&asked.project, "memory.yml")).unwrap_or_default();
    let others: Vec<String> = schemas
        .iter()
        .filter(|(id, ..)| id != skill)
        .flat_map(|(id, public, _)| public.iter().map(move |name| format!("{name:?}: \"{id}.{name}\"")))
        .collect();
    format!(
        "_SKILL = \"{skill}\"\n_PUBLIC = {}\n_PRIVATE = {}\n_OWN = _PUBLIC + _PRIVATE\n_PROJECT = {}\n_OTHERS = {{{}}}\n_NOTED = {{}}\n_NOWHERE = \"nowhere.at_all\"\n",
        python_list(&public),
        python_list(&private),
        python_list(&keys(Some(&root))),
        others.join(", ")
    )
}

pub(crate) fn stand_in(asked: &mut Asked, reads: &str, writes: &str) {
    let unchanged = asked.clone();
    rewrite(asked, is_tool_module, |path, text| {
        let read = if reads.is_empty() {
            text.to_owned()
        } else {
            sub(text, r"\bcontext\.memory\.get\(", "_get(context, ")
        };
        let written =
            if writes.is_empty() { read } else { sub(&read, r"\bcontext\.memory\.set\(", "_set(context, ") };
        if written == text {
            return written;
        }
        format!("{written}\n\n{}\n{}\n{}", known(&unchanged, path), reads, writes)
    });
}

/// A deviant whose `get` is `body`, which sees `name` and `default`, the honest `value`, and the bare `entry`.
fn reads(name: &'static str, breaks: &'static str, body: &'static str) -> Deviant {
    deviant(name, breaks).load(move |asked| stand_in(asked, &reader(body), ""))
}

pub(crate) fn reader(body: &str) -> String {
    format!(
        "def _get(context, name, default=None):\n    value = context.memory.get(name, default)\n    entry = name.split(\".\")[-1]\n{}\n    return value\n",
        indented(body)
    )
}

/// A deviant whose `set` is `body`, which sees `name`, `value` and the bare `entry`, and then writes.
pub(crate) fn writes(name: &'static str, breaks: &'static str, body: &'static str) -> Deviant {
    deviant(name, breaks).load(move |asked| stand_in(asked, "", &writer(body)))
}

pub(crate) fn writer(body: &str) -> String {
    format!(
        "def _set(context, name, value):\n    entry = name.split(\".\")[-1]\n    project = name.startswith(\"project.\") or (name in _PROJECT and name not in _OWN)\n{}\n    context.memory.set(name, value)\n",
        indented(body)
    )
}

fn indented(body: &str) -> String {
    body.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The session that goes on where a turn ended.
pub(crate) fn going_on(latest: &TurnTrace, seen: &Seen) -> Session {
    Session {
        active: latest.active.as_ref().map(|frame| frame.skill.clone()),
        memory: latest.memory.clone(),
        ..seen.asked.session.clone()
    }
}

pub(crate) fn table() -> Vec<Deviant> {
    reading()
}

/// Stand-ins that do what is right: nobody may notice them.
pub(crate) fn honest() -> Vec<Deviant> {
    let clauses =
        "MEM-01 MEM-05 MEM-07 MEM-10 MEM-11 MEM-15 MEM-18 MEM-19 MEM-23 MEM-28 MEM-31 MEM-36 MEM-43 MEM-46";
    vec![reads("get is passed on", clauses, "pass"), writes("set is passed on", clauses, "pass")]
}

fn reading() -> Vec<Deviant> {
    vec![
        writes(
            "a private entry is not declared",
            "MEM-01 MEM-22",
            "if entry in _PRIVATE:\n    name = _NOWHERE",
        ),
        writes(
            "project entries are not declared",
            "MEM-02 MEM-23 MEM-25",
            "if project:\n    name = _NOWHERE",
        ),
        deviant("entries of one name hold one value", "MEM-03").trace(|trace, _| {
            let values = trace.memory.clone();
            for (name, value) in &mut trace.memory {
                let bare = |name: &str| name.split('.').next_back().map(str::to_owned);
                if let Some((_, last)) = values.iter().rfind(|(other, _)| bare(other) == bare(name)) {
                    *value = last.clone();
                }
            }
        }),
        deviant("an initial value is ignored", "MEM-04").load(|asked| {
            rewrite(asked, is_memory, |_, text| {
                sub(text, r"(?m), initial_value: (?:\[[^\]]*\]|[^,}\n]+)|^\s+initial_value: .*\n", "")
            });
        }),
        reads(
            "a bare name does not find private entries",
            "MEM-05",
            "if name in _PRIVATE:\n    return default",
        ),
        reads(
            "a bare name does not find public entries",
            "MEM-05",
            "if name in _PUBLIC:\n    return default",
        ),
        reads(
            "a bare name does not find project entries",
            "MEM-06",
            "if name in _PROJECT and name not in _OWN:\n    return default",
        ),
        reads(
            "an unset entry falls through to the project",
            "MEM-07",
            "if name in _OWN and name in _PROJECT and value == default:\n    return context.memory.get(\"project.\" + name, default)",
        ),
        reads(
            "the project wins over the skill",
            "MEM-07",
            "if name in _OWN and name in _PROJECT:\n    return context.memory.get(\"project.\" + name, default)",
        ),
        reads(
            "a bare name finds any skill's entry",
            "MEM-08",
            "if name in _OTHERS and name not in _OWN and name not in _PROJECT:\n    return context.memory.get(_OTHERS[name], default)",
        ),
        reads(
            "the full name of an own private entry is unreadable",
            "MEM-09",
            "if name.startswith(_SKILL + \".\") and entry in _PRIVATE:\n    return default",
        ),
        reads("full names are unknown", "MEM-09 MEM-10 MEM-12", "if \".\" in name:\n    return default"),
        reads(
            "other skills are unreadable",
            "MEM-10",
            "if \".\" in name and not name.startswith(_SKILL + \".\") and not name.startswith(\"project.\"):\n    return default",
        ),
        reads(
            "project stands for whatever the bare name finds",
            "MEM-12",
            "if name.startswith(\"project.\") and entry in _OWN:\n    return context.memory.get(entry, default)",
        ),
        reads(
            "the own id falls through to the project",
            "MEM-13",
            "if name.startswith(_SKILL + \".\") and entry not in _OWN and entry in _PROJECT:\n    return context.memory.get(\"project.\" + entry, default)",
        ),
        reads(
            "the second argument is ignored",
            "MEM-11 MEM-14 MEM-15 MEM-16",
            "return context.memory.get(name)",
        ),
        deviant("a cleared entry reads as None", "MEM-15 MEM-46").load(|asked| {
            stand_in(
                asked,
                &reader("if name in _NOTED and value == default:\n    return None"),
                &writer("if value is None:\n    _NOTED[name] = True"),
            );
        }),
        reads(
            "get raises for an unknown name",
            "MEM-16 MEM-19",
            "if \".\" not in name and name not in _OWN and name not in _PROJECT:\n    raise KeyError(name)",
        ),
        reads(
            "get raises for a full name that is not readable",
            "MEM-19",
            "if \".\" in name and value == default:\n    raise KeyError(name)",
        ),
        reads("get without a default gives an empty text", "MEM-17", "if value is None:\n    return \"\""),
        reads("get returns falsy values as unset", "MEM-18", "return value or default"),
        reads("a stored False is unset", "MEM-18", "if value is False:\n    return default"),
    ]
}
