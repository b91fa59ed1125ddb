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
    rewrite(asked, |path| is_memory(path) && path.starts_with("skills/"), |_, text| {
        let Ok(mut parsed) = serde_yaml::from_str::<Value>(text) else { return text.to_owned() };
        let Some(schema) = parsed.get_mut("schema").and_then(Value::as_mapping_mut) else { return text.to_owned() };
        let Some(Value::Mapping(private)) = schema.remove("private") else { return text.to_owned() };
        if let Some(public) = schema.entry("public".into()).or_insert_with(|| Value::Mapping(Mapping::new())).as_mapping_mut() {
            public.extend(private);
        }
        serde_yaml::to_string(&parsed).unwrap_or_default()
    });
}

fn python_list(names: &[String]) -> String {
    serde_json::to_string(names).unwrap_or_default()
}

/// What a stand-in may need to know, as Python.
fn known(asked: &Asked, path: &str) -> String {
    let skill = path.strip_prefix("skills/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let schemas = schemas(asked);
    let own = schemas.iter().find(|(id, ..)| id == skill);
    let (public, private) = own.map(|(_, public, private)| (public.clone(), private.clone())).unwrap_or_default();
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

fn stand_in(asked: &mut Asked, reads: &str, writes: &str) {
    let unchanged = asked.clone();
    rewrite(asked, is_tool_module, |path, text| {
        let read = if reads.is_empty() { text.to_owned() } else { sub(text, r"\bcontext\.memory\.get\(", "_get(context, ") };
        let written = if writes.is_empty() { read } else { sub(&read, r"\bcontext\.memory\.set\(", "_set(context, ") };
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

fn reader(body: &str) -> String {
    format!("def _get(context, name, default=None):\n    value = context.memory.get(name, default)\n    entry = name.split(\".\")[-1]\n{}\n    return value\n", indented(body))
}

/// A deviant whose `set` is `body`, which sees `name`, `value` and the bare `entry`, and then writes.
fn writes(name: &'static str, breaks: &'static str, body: &'static str) -> Deviant {
    deviant(name, breaks).load(move |asked| stand_in(asked, "", &writer(body)))
}

fn writer(body: &str) -> String {
    format!("def _set(context, name, value):\n    entry = name.split(\".\")[-1]\n    project = name.startswith(\"project.\") or (name in _PROJECT and name not in _OWN)\n{}\n    context.memory.set(name, value)\n", indented(body))
}

fn indented(body: &str) -> String {
    body.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

fn has_event(trace: &TurnTrace, names: &[&str]) -> bool {
    trace.events.iter().any(|event| names.contains(&event.event.as_str()))
}

/// The skills that events of these names are about.
fn skills_of(trace: &TurnTrace, names: &[&str]) -> Vec<String> {
    let events = trace.events.iter().filter(|event| names.contains(&event.event.as_str()));
    events.filter_map(|event| Some(event.data.get("skill_id")?.as_str()?.to_owned())).collect()
}

fn forget(trace: &mut TurnTrace, events: &[&str]) {
    for skill in skills_of(trace, events) {
        trace.memory.retain(|name, _| !name.starts_with(&format!("{skill}.")));
    }
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
    let mut table = reading();
    table.extend(writing());
    table.extend(lasting());
    table
}

fn reading() -> Vec<Deviant> {
    vec![
        writes("a private entry is not declared", "MEM-01 MEM-22", "if entry in _PRIVATE:\n    name = _NOWHERE"),
        writes("project entries are not declared", "MEM-02 MEM-23 MEM-25", "if project:\n    name = _NOWHERE"),
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
            rewrite(asked, is_memory, |_, text| sub(text, r"(?m), initial_value: (?:\[[^\]]*\]|[^,}\n]+)|^\s+initial_value: .*\n", ""));
        }),
        reads("a bare name does not find private entries", "MEM-05", "if name in _PRIVATE:\n    return default"),
        reads("a bare name does not find public entries", "MEM-05", "if name in _PUBLIC:\n    return default"),
        reads("a bare name does not find project entries", "MEM-06", "if name in _PROJECT and name not in _OWN:\n    return default"),
        reads("an unset entry falls through to the project", "MEM-07", "if name in _OWN and name in _PROJECT and value == default:\n    return context.memory.get(\"project.\" + name, default)"),
        reads("the project wins over the skill", "MEM-07", "if name in _OWN and name in _PROJECT:\n    return context.memory.get(\"project.\" + name, default)"),
        reads("a bare name finds any skill's entry", "MEM-08", "if name in _OTHERS and name not in _OWN and name not in _PROJECT:\n    return context.memory.get(_OTHERS[name], default)"),
        reads("the full name of an own private entry is unreadable", "MEM-09", "if name.startswith(_SKILL + \".\") and entry in _PRIVATE:\n    return default"),
        reads("full names are unknown", "MEM-09 MEM-10 MEM-12", "if \".\" in name:\n    return default"),
        reads("other skills are unreadable", "MEM-10", "if \".\" in name and not name.startswith(_SKILL + \".\") and not name.startswith(\"project.\"):\n    return default"),
        reads("project stands for whatever the bare name finds", "MEM-12", "if name.startswith(\"project.\") and entry in _OWN:\n    return context.memory.get(entry, default)"),
        reads("the own id falls through to the project", "MEM-13", "if name.startswith(_SKILL + \".\") and entry not in _OWN and entry in _PROJECT:\n    return context.memory.get(\"project.\" + entry, default)"),
        reads("the second argument is ignored", "MEM-11 MEM-14 MEM-15 MEM-16", "return context.memory.get(name)"),
        deviant("a cleared entry reads as None", "MEM-15 MEM-46").load(|asked| {
            stand_in(asked, &reader("if name in _NOTED and value == default:\n    return None"), &writer("if value is None:\n    _NOTED[name] = True"));
        }),
        reads("get raises for an unknown name", "MEM-16 MEM-19", "if \".\" not in name and name not in _OWN and name not in _PROJECT:\n    raise KeyError(name)"),
        reads("get raises for a full name that is not readable", "MEM-19", "if \".\" in name and value == default:\n    raise KeyError(name)"),
        reads("get without a default gives an empty text", "MEM-17", "if value is None:\n    return \"\""),
        reads("get returns falsy values as unset", "MEM-18", "return value or default"),
        reads("a stored False is unset", "MEM-18", "if value is False:\n    return default"),
    ]
}

fn writing() -> Vec<Deviant> {
    vec![
        writes("a bare name does not write the project", "MEM-23", "if name in _PROJECT and name not in _OWN:\n    name = _NOWHERE"),
        writes("a bare name writes the skill and the project", "MEM-24", "if name in _OWN and name in _PROJECT:\n    context.memory.set(\"project.\" + name, value)"),
        writes("project stands for the skill where it has the name", "MEM-25", "if project and entry in _OWN:\n    name = entry"),
        writes("the own id is a stranger's", "MEM-26", "if name.startswith(_SKILL + \".\"):\n    name = _NOWHERE"),
        writes("the own id writes the project", "MEM-27", "if name.startswith(_SKILL + \".\") and entry not in _OWN and entry in _PROJECT:\n    name = \"project.\" + entry"),
        writes("a write that is not allowed is skipped", "MEM-27 MEM-28 MEM-29 MEM-30 MEM-31", "try:\n    context.memory.set(name, value)\nexcept Exception:\n    pass\nreturn"),
        writes("an undeclared write is skipped", "MEM-28", "if \".\" not in name and name not in _OWN and name not in _PROJECT:\n    return"),
        writes("a write to another skill is skipped", "MEM-29", "if \".\" in name and not project and not name.startswith(_SKILL + \".\"):\n    return"),
        writes("a write to the system is skipped", "MEM-30", "if name.startswith(\"system.\"):\n    return"),
        writes("a project entry that is set is left alone in silence", "MEM-31 MEM-33 MEM-50", "if project and context.memory.get(\"project.\" + entry) is not None:\n    return"),
        writes("a project entry that is set raises another kind of error", "MEM-31 MEM-32", "if project and context.memory.get(\"project.\" + entry) is not None:\n    raise ValueError(name)"),
        writes("only the full name of a project entry is written once", "MEM-33", "if name in _PROJECT and name not in _OWN and context.memory.get(name) is not None:\n    return"),
        writes("a falsy project entry is not set", "MEM-34", "if project and not context.memory.get(\"project.\" + entry):\n    if context.memory.get(\"project.\" + entry) is not None:\n        return"),
        writes("clearing a project entry is skipped", "MEM-35", "if project and value is None:\n    return"),
        writes("writing None uses the one write up", "MEM-36", "if project:\n    if entry in _NOTED:\n        name = _NOWHERE\n    if value is None:\n        _NOTED[entry] = True"),
        writes("setting a project entry to its value is no write", "MEM-37", "if project and value == context.memory.get(\"project.\" + entry):\n    return"),
        deviant("a write is seen in the next turn", "MEM-39 MEM-40").load(|asked| {
            stand_in(asked, &reader("if name in _NOTED:\n    return default if _NOTED[name] is None else _NOTED[name]"), &writer("_NOTED[name] = context.memory.get(name)"));
        }),
        writes("a write that raises takes the earlier ones back", "MEM-41", "try:\n    context.memory.set(name, value)\nexcept Exception:\n    for earlier in _NOTED:\n        context.memory.set(earlier, None)\n    raise\nif not project:\n    _NOTED[name] = value\nreturn"),
        writes("a write error cannot be caught", "MEM-42", "try:\n    context.memory.set(name, value)\nexcept Exception:\n    raise BaseException(name)\nreturn"),
        deviant("a write leaves no slot event", "MEM-43").trace(|trace, _| trace.events.retain(|event| event.event != "slot")),
        deviant("a write leaves no event of its own", "MEM-43").trace(|trace, _| trace.events.retain(|event| event.event != "memory_set")),
        deviant("events of a write come at the end of the turn", "MEM-43").trace(|trace, _| {
            let (late, mut now): (Vec<_>, Vec<_>) = trace.events.drain(..).partition(|event| ["slot", "memory_set"].contains(&event.event.as_str()));
            let at_ms = trace.ended_ms + 1;
            now.extend(late.into_iter().map(|event| harness::protocol::EventRecord { at_ms, ..event }));
            trace.events = now;
        }),
        writes("an entry is written once", "MEM-45", "if not project and context.memory.get(name) is not None:\n    return"),
        writes("a written None changes nothing", "MEM-46", "if value is None and not project:\n    return"),
        deviant("set_memory overwrites a project entry", "MEM-48 BLK-22").trace(|trace, seen| {
            let earlier = seen.asked.session.memory.keys();
            for name in earlier.filter(|name| name.starts_with("project.")) {
                trace.memory.insert(name.clone(), serde_json::json!("overwritten"));
            }
        }),
        deviant("set_memory of a set project entry fails its step", "MEM-48 BLK-22").trace(|trace, seen| {
            if seen.asked.session.memory.keys().any(|name| name.starts_with("project.")) {
                trace.tools.clear();
                trace.messages.clear();
                let earlier = seen.asked.session.memory.clone();
                trace.memory.retain(|name, _| earlier.contains_key(name));
            }
        }),
    ]
}

fn lasting() -> Vec<Deviant> {
    vec![
        deviant("metadata seeds nothing", "MEM-49 MEM-50").load(|asked| asked.session.metadata.clear()),
        deviant("memory ends with the turn", "MEM-52").restart(|latest, seen| {
            Some(Session { memory: seen.asked.session.memory.clone(), ..going_on(latest, seen) })
        }),
        deviant("a completed skill forgets", "MEM-53").trace(|trace, _| forget(trace, &["skill_completed"])),
        deviant("a cancelled skill forgets", "MEM-53").trace(|trace, _| forget(trace, &["skill_cancelled"])),
        deviant("an activated skill goes on with what it held", "MEM-54").trace(|trace, seen| {
            if has_event(trace, &["skill_activated"]) {
                let latest = seen.earlier.last().map_or_else(|| seen.asked.session.memory.clone(), |turn| turn.memory.clone());
                for (name, value) in latest {
                    trace.memory.entry(name).or_insert(value);
                }
            }
        }),
        deviant("an activated skill keeps its private entries", "MEM-54").trace(|trace, seen| {
            let private: Vec<String> = schemas(&seen.asked).into_iter().flat_map(|(id, _, private)| private.into_iter().map(move |name| format!("{id}.{name}"))).collect();
            for (name, value) in seen.earlier.last().map_or(&seen.asked.session.memory, |turn| &turn.memory) {
                if private.contains(name) && has_event(trace, &["skill_activated"]) {
                    trace.memory.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
        }),
        deviant("a resumed skill starts anew", "MEM-55").trace(|trace, _| forget(trace, &["skill_resumed"])),
        deviant("a block starts its skill anew", "MEM-56").trace(|trace, seen| {
            if has_event(trace, &["ordered_block_entered"]) {
                let skill = trace.active.as_ref().map(|frame| frame.skill.to_string()).or_else(|| seen.asked.session.active.as_ref().map(ToString::to_string));
                trace.memory.retain(|name, _| !name.starts_with(&format!("{}.", skill.as_deref().unwrap_or_default())));
            }
        }),
        deviant("project memory ends with a skill", "MEM-57").trace(|trace, _| {
            if has_event(trace, &["skill_completed", "skill_cancelled", "skill_activated"]) {
                trace.memory.retain(|name, _| !name.starts_with("project."));
            }
        }),
    ]
}
