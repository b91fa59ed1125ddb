//! Deviants in chapter MEM, continued: what tools write, and how long it lasts.
//!
//! A function of their own stands between the tools and their memory; the rest changes sessions and traces.
//! Rules: tools-reference, "`context.memory`"; contract-notes on memory.yml.

use harness::protocol::{Session, TurnTrace};

use crate::deviant::{Deviant, deviant};
use crate::memory::{going_on, reader, schemas, stand_in, writer, writes};

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = writing();
    table.extend(lasting());
    table
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

fn writing() -> Vec<Deviant> {
    vec![
        writes(
            "a bare name does not write the project",
            "MEM-23",
            "if name in _PROJECT and name not in _OWN:\n    name = _NOWHERE",
        ),
        writes(
            "a bare name writes the skill and the project",
            "MEM-24",
            "if name in _OWN and name in _PROJECT:\n    context.memory.set(\"project.\" + name, value)",
        ),
        writes(
            "project stands for the skill where it has the name",
            "MEM-25",
            "if project and entry in _OWN:\n    name = entry",
        ),
        writes(
            "the own id is a stranger's",
            "MEM-26",
            "if name.startswith(_SKILL + \".\"):\n    name = _NOWHERE",
        ),
        writes(
            "the own id writes the project",
            "MEM-27",
            "if name.startswith(_SKILL + \".\") and entry not in _OWN and entry in _PROJECT:\n    name = \"project.\" + entry",
        ),
        writes(
            "a write that is not allowed is skipped",
            "MEM-27 MEM-28 MEM-29 MEM-30 MEM-31",
            "try:\n    context.memory.set(name, value)\nexcept Exception:\n    pass\nreturn",
        ),
        writes(
            "an undeclared write is skipped",
            "MEM-28",
            "if \".\" not in name and name not in _OWN and name not in _PROJECT:\n    return",
        ),
        writes(
            "a write to another skill is skipped",
            "MEM-29",
            "if \".\" in name and not project and not name.startswith(_SKILL + \".\"):\n    return",
        ),
        writes("a write to the system is skipped", "MEM-30", "if name.startswith(\"system.\"):\n    return"),
        writes(
            "a project entry that is set is left alone in silence",
            "MEM-31 MEM-33 MEM-50",
            "if project and context.memory.get(\"project.\" + entry) is not None:\n    return",
        ),
        writes(
            "a project entry that is set raises another kind of error",
            "MEM-31 MEM-32",
            "if project and context.memory.get(\"project.\" + entry) is not None:\n    raise ValueError(name)",
        ),
        writes(
            "only the full name of a project entry is written once",
            "MEM-33",
            "if name in _PROJECT and name not in _OWN and context.memory.get(name) is not None:\n    return",
        ),
        writes(
            "a falsy project entry is not set",
            "MEM-34",
            "if project and not context.memory.get(\"project.\" + entry):\n    if context.memory.get(\"project.\" + entry) is not None:\n        return",
        ),
        writes(
            "a project entry that holds False is not set",
            "MEM-34",
            "held = context.memory.get(\"project.\" + entry)\nif project and type(held) is type(False) and held == False:\n    return",
        ),
        writes(
            "a project entry that holds 0 is not set",
            "MEM-34",
            "held = context.memory.get(\"project.\" + entry)\nif project and type(held) is type(0) and held == 0:\n    return",
        ),
        writes(
            "a project entry that holds an empty text is not set",
            "MEM-34",
            "held = context.memory.get(\"project.\" + entry)\nif project and type(held) is type(\"\") and held == \"\":\n    return",
        ),
        writes("clearing a project entry is skipped", "MEM-35", "if project and value is None:\n    return"),
        writes(
            "writing None uses the one write up",
            "MEM-36",
            "if project:\n    if entry in _NOTED:\n        name = _NOWHERE\n    if value is None:\n        _NOTED[entry] = True",
        ),
        writes(
            "setting a project entry to its value is no write",
            "MEM-37",
            "if project and value == context.memory.get(\"project.\" + entry):\n    return",
        ),
        deviant("a write is seen in the next turn", "MEM-39 MEM-40").load(|asked| {
            stand_in(
                asked,
                &reader("if name in _NOTED:\n    return default if _NOTED[name] is None else _NOTED[name]"),
                &writer("_NOTED[name] = context.memory.get(name)"),
            );
        }),
        writes(
            "a write that raises takes the earlier ones back",
            "MEM-41",
            "try:\n    context.memory.set(name, value)\nexcept Exception:\n    for earlier in _NOTED:\n        context.memory.set(earlier, None)\n    raise\nif not project:\n    _NOTED[name] = value\nreturn",
        ),
        writes(
            "a write error cannot be caught",
            "MEM-42",
            "try:\n    context.memory.set(name, value)\nexcept Exception:\n    raise BaseException(name)\nreturn",
        ),
        deviant("a write leaves no slot event", "MEM-43")
            .trace(|trace, _| trace.events.retain(|event| event.event != "slot")),
        deviant("a write leaves no event of its own", "MEM-43")
            .trace(|trace, _| trace.events.retain(|event| event.event != "memory_set")),
        deviant("events of a write come at the end of the turn", "MEM-43").trace(|trace, _| {
            let (late, mut now): (Vec<_>, Vec<_>) = trace
                .events
                .drain(..)
                .partition(|event| ["slot", "memory_set"].contains(&event.event.as_str()));
            let at_ms = trace.ended_ms + 1;
            now.extend(late.into_iter().map(|event| harness::protocol::EventRecord { at_ms, ..event }));
            trace.events = now;
        }),
        writes(
            "an entry is written once",
            "MEM-45",
            "if not project and context.memory.get(name) is not None:\n    return",
        ),
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
                let latest = seen
                    .earlier
                    .last()
                    .map_or_else(|| seen.asked.session.memory.clone(), |turn| turn.memory.clone());
                for (name, value) in latest {
                    trace.memory.entry(name).or_insert(value);
                }
            }
        }),
        deviant("an activated skill keeps its private entries", "MEM-54").trace(|trace, seen| {
            let private: Vec<String> = schemas(&seen.asked)
                .into_iter()
                .flat_map(|(id, _, private)| private.into_iter().map(move |name| format!("{id}.{name}")))
                .collect();
            for (name, value) in seen.earlier.last().map_or(&seen.asked.session.memory, |turn| &turn.memory) {
                if private.contains(name) && has_event(trace, &["skill_activated"]) {
                    trace.memory.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
        }),
        deviant("a resumed skill starts anew", "MEM-55").trace(|trace, _| forget(trace, &["skill_resumed"])),
        deviant("a block starts its skill anew", "MEM-56").trace(|trace, seen| {
            if has_event(trace, &["ordered_block_entered"]) {
                let skill = trace
                    .active
                    .as_ref()
                    .map(|frame| frame.skill.to_string())
                    .or_else(|| seen.asked.session.active.as_ref().map(ToString::to_string));
                trace.memory.retain(|name, _| {
                    !name.starts_with(&format!("{}.", skill.as_deref().unwrap_or_default()))
                });
            }
        }),
        deviant("project memory ends with a skill", "MEM-57").trace(|trace, _| {
            if has_event(trace, &["skill_completed", "skill_cancelled", "skill_activated"]) {
                trace.memory.retain(|name, _| !name.starts_with("project."));
            }
        }),
    ]
}
