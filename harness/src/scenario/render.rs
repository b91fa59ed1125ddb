//! The files that a scenario leaves out and an agent needs, as small as they can be and still valid.
//!
//! Adds files only; never changes one that is written, never adds one that is kept out.
//! Rules: `docs/scenarios.md`, "project".

use std::collections::{BTreeMap, BTreeSet};

use crate::project::MemoryProject;
use crate::protocol::World;

/// The skill of a scenario that has none.
pub const DEFAULT_SKILL: &str = "main";

/// A project from the files that are written, by path; a `None` keeps that file out.
pub(super) fn project(written: &BTreeMap<&str, Option<&str>>, world: &World) -> MemoryProject {
    let mut project: MemoryProject =
        written.iter().filter_map(|(path, text)| text.map(|text| (*path, text))).collect();
    let mut add = |path: String, text: String| {
        if !written.contains_key(path.as_str()) {
            project.insert(path, text);
        }
    };
    add("agent.yml".to_owned(), agent());
    add("integrations.yml".to_owned(), integrations(world));
    for skill in skills(written) {
        add(format!("skills/{skill}/skill.md"), skill_document(skill));
    }
    project
}

/// The folders under `skills/` that have a file, or else the default skill.
fn skills<'path>(written: &BTreeMap<&'path str, Option<&str>>) -> BTreeSet<&'path str> {
    let skills: BTreeSet<&str> = written
        .iter()
        .filter(|(_, text)| text.is_some())
        .filter_map(|(path, _)| Some(path.strip_prefix("skills/")?.split_once('/')?.0))
        .collect();
    if skills.is_empty() { BTreeSet::from([DEFAULT_SKILL]) } else { skills }
}

fn agent() -> String {
    "agent:\n  id: conformance\n  language: en\n  persona: A helpful assistant.\n".to_owned()
}

fn integrations(world: &World) -> String {
    let mut text = String::from(
        "llm:\n  model_group: main\nmodel_groups:\n  - id: main\n    models:\n      - provider: openai\n        model: scripted\n",
    );
    if !world.mcp.is_empty() {
        text.push_str("mcp_servers:\n");
    }
    for server in world.mcp.keys() {
        // A server's name has no character that could end the quotes: `parse` checks that.
        text.push_str("  - name: \"");
        text.push_str(server.as_str());
        text.push_str("\"\n    url: \"https://mcp.test/");
        text.push_str(server.as_str());
        text.push_str("\"\n");
    }
    text
}

fn skill_document(skill: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\n---\nHelp the user with what they ask for.\n",
        name = quoted(skill),
        description = quoted(&format!("Everything about {skill}")),
    )
}

/// A YAML scalar: plain where that is safe, else in single quotes.
fn quoted(text: &str) -> String {
    let safe = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_'))
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&text.to_lowercase().as_str());
    if safe { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::ProjectSource;
    use crate::protocol::{McpServer, ServerId};
    use crate::source::yaml;

    fn paths(written: &[(&'static str, Option<&'static str>)], world: &World) -> Vec<String> {
        let written = written.iter().copied().collect();
        project(&written, world).paths().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn nothing_becomes_an_agent_with_one_skill() {
        let expected = ["agent.yml", "integrations.yml", "skills/main/skill.md"];
        assert_eq!(paths(&[], &World::default()), expected);
    }

    #[test]
    fn each_skill_folder_gets_its_document_and_a_null_keeps_a_file_out() {
        let written = [
            ("agent.yml", None),
            ("skills/a/tools.py", Some("")),
            ("skills/b/skill.md", Some("")),
            ("skills/c/tools.py", Some("")),
            ("skills/c/skill.md", None),
        ];
        let expected = [
            "integrations.yml",
            "skills/a/skill.md",
            "skills/a/tools.py",
            "skills/b/skill.md",
            "skills/c/tools.py",
        ];
        assert_eq!(paths(&written, &World::default()), expected);
    }

    #[test]
    fn the_servers_of_the_world_are_declared_and_every_file_is_yaml() {
        let mut world = World::default();
        world.mcp.insert(ServerId::from("crm.v2"), McpServer::default());
        let text = integrations(&world);
        let tree = yaml::parse(&text).unwrap().unwrap();
        let servers = tree.get("mcp_servers").unwrap().items().unwrap();
        assert_eq!(servers[0].get("name").unwrap().string(), Some("crm.v2"));
        assert!(yaml::parse(&agent()).unwrap().is_some());
        let document = skill_document("it's: 1");
        let header = document.trim_start_matches("---\n").split("---\n").next().unwrap();
        assert_eq!(yaml::parse(header).unwrap().unwrap().get("name").unwrap().string(), Some("it's: 1"));
    }
}
