//! The agent project of a scenario: its files' paths, and that what should parse does.
//!
//! Knows Python and YAML only as far as "is this one": what files mean is the implementation's.
//! Rules: `docs/scenarios.md`, "project".

use std::collections::BTreeMap;

use super::world::entries;
use crate::project::{MemoryProject, ProjectSource};
use crate::protocol::World;
use crate::scenario::path::{self, Collision};
use crate::scenario::render;
use crate::source::shape;
use crate::source::yaml::{self, Node};
use crate::source::{Diagnostics, LineIndex, MAXIMUM_PYTHON_DEPTH, Position, parse_python, python_too_deep};

/// Reads `project` and `control`.
pub(super) fn read(
    root: &Node,
    world: &World,
    problems: &mut Diagnostics<'_>,
) -> (MemoryProject, Option<MemoryProject>) {
    let project = entries(root.get("project"));
    let control = root.get("control");
    check_paths(project, problems);
    check_paths(entries(control), problems);
    check_contents(root, project, entries(control), problems);

    let mut written = files(project);
    let rendered = render::project(&written, world);
    let Some(control) = control else { return (rendered, None) };
    for (key, value) in entries(Some(control)) {
        let path = key.text().unwrap_or_default();
        if value.is_null() && !rendered.contains(path) {
            let message = format!("`{path}` is not in the project");
            problems.report(key.position, message, "a null in `control` removes a file that is");
        }
    }
    written.extend(files(entries(Some(control))));
    let paths: Vec<&str> = written.iter().filter_map(|(path, text)| text.map(|_| *path)).collect();
    if let Some((later, earlier, _)) = path::collisions(&paths).first()
        && let (Some(later), Some(earlier)) = (paths.get(*later), paths.get(*earlier))
        && path::collisions(&own_paths(project)).is_empty()
        && path::collisions(&own_paths(entries(Some(control)))).is_empty()
    {
        let message = format!("merged over the project, `{later}` and `{earlier}` are in each other's way");
        problems.report(control.position, message, "remove one of them with a null");
    }
    let control = render::project(&written, world);
    if control.paths() == rendered.paths() && control == rendered {
        let position = root.get("control").map_or(root.position, |node| node.position);
        problems.report(
            position,
            "the control is the project itself",
            "change what makes the project unsound",
        );
    }
    (rendered, Some(control))
}

fn files(entries: &[(Node, Node)]) -> BTreeMap<&str, Option<&str>> {
    entries.iter().filter_map(|(path, text)| Some((path.text()?, text.string()))).collect()
}

fn own_paths(entries: &[(Node, Node)]) -> Vec<&str> {
    entries.iter().filter(|(_, text)| !text.is_null()).filter_map(|(path, _)| path.text()).collect()
}

fn check_paths(entries: &[(Node, Node)], problems: &mut Diagnostics<'_>) {
    for (key, _) in entries {
        if let Err(error) = path::check(key.text().unwrap_or_default()) {
            let message = format!("the path `{}` {error}", shape::shown(key).escape_debug());
            problems.report(key.position, message, path::SPELLING);
        }
    }
    let kept: Vec<&(Node, Node)> = entries.iter().filter(|(_, text)| !text.is_null()).collect();
    let paths: Vec<&str> = kept.iter().filter_map(|(path, _)| path.text()).collect();
    for (later, earlier, collision) in path::collisions(&paths) {
        let (Some((key, _)), Some(earlier)) = (kept.get(later), paths.get(earlier)) else { continue };
        let path = shape::shown(key);
        let (message, remedy) = match collision {
            Collision::FileAndFolder => (
                format!("`{path}` and `{earlier}` cannot both be: one is a folder of the other"),
                "rename one of them",
            ),
            Collision::CaseOnly => (
                format!("`{path}` and `{earlier}` are one file where case does not count"),
                "use names that differ in more than case",
            ),
        };
        problems.report(key.position, message, remedy);
    }
}

/// A language whose files must parse, unless a key of the scenario says that they need not.
struct Language {
    endings: &'static [&'static str],
    name: &'static str,
    excuse: &'static str,
    check: fn(&Node, &str) -> Option<(Position, String)>,
}

impl Language {
    fn speaks(&self, path: &str) -> bool {
        self.endings.iter().any(|ending| path.ends_with(ending))
    }
}

const LANGUAGES: [Language; 2] = [
    Language { endings: &[".py"], name: "Python", excuse: "broken_python", check: python },
    Language { endings: &[".yml", ".yaml"], name: "YAML", excuse: "broken_yaml", check: yaml },
];

fn check_contents(
    root: &Node,
    project: &[(Node, Node)],
    control: &[(Node, Node)],
    problems: &mut Diagnostics<'_>,
) {
    for language in &LANGUAGES {
        let excuse = root.get(language.excuse);
        let excused = excuse.and_then(shape::boolean) == Some(true);
        // Files that parse may be excused all the same: Python's compiler refuses more than its parser.
        let none = !project.iter().any(|(path, _)| path.text().is_some_and(|path| language.speaks(path)));
        if let (Some(excuse), true, true) = (excuse, excused, none) {
            let message = format!("the project has no {} file to be broken", language.name);
            problems.report(excuse.position, message, format!("remove `{}`", language.excuse));
        }
        // A control must be sound, so nothing excuses it.
        let wrong = if excused { Vec::new() } else { broken(project, language) };
        for (position, path, message) in wrong.into_iter().chain(broken(control, language)) {
            let message = format!("`{path}` is not {}: {message}", language.name);
            let remedy = format!("correct it; if that is the point, say `{}: true`", language.excuse);
            problems.report(position, message, remedy);
        }
    }
}

fn broken<'node>(entries: &'node [(Node, Node)], language: &Language) -> Vec<(Position, &'node str, String)> {
    let mut found = Vec::new();
    for (key, value) in entries {
        let (Some(path), Some(text)) = (key.text(), value.string()) else { continue };
        if language.speaks(path)
            && let Some((position, message)) = (language.check)(value, text)
        {
            found.push((position, path, message));
        }
    }
    found
}

/// The first thing that makes a text no Python, and where it stands in the scenario.
fn python(node: &Node, text: &str) -> Option<(Position, String)> {
    if python_too_deep(text) {
        return Some((node.position, format!("a statement nests deeper than {MAXIMUM_PYTHON_DEPTH} levels")));
    }
    let error = parse_python(text).err()?;
    let position = LineIndex::of(text).position(text, error.location.start().to_usize());
    Some((node.inside(within(text, position)), error.error.to_string()))
}

fn yaml(node: &Node, text: &str) -> Option<(Position, String)> {
    let error = yaml::parse_shared(text).err()?;
    Some((node.inside(within(text, error.position)), error.message))
}

/// An error at the end of a text is shown at the end of its last line, not on what follows.
fn within(text: &str, position: Position) -> Position {
    let text = text.trim_end();
    LineIndex::of(text).position(text, text.len()).min(position)
}
