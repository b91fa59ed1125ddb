//! What the tree of all scenarios must be, beyond each file by itself.
//!
//! Pure: the tree and the catalogue come in, scenarios and diagnostics go out.
//! Rules: `docs/scenarios.md`; ids and chapters are those of `specs/*.yml`.

use std::collections::BTreeMap;

use super::folder::{Content, TreeFile};
use super::uses::{needs, uses};
use super::{Scenario, ScenarioId, parse};
use crate::source::yaml;
use crate::source::{Diagnostic, Diagnostics, Place, Position, did_you_mean};
use crate::spec::{Catalogue, Chapter};

/// The scenarios of a tree that could be read, and everything that is wrong in it.
#[derive(Clone, Debug, Default)]
pub struct Linted {
    /// The scenarios, sorted by id.
    pub scenarios: Vec<Scenario>,
    /// What is wrong, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and checks all files of a tree.
pub fn lint(files: &[TreeFile], catalogue: &Catalogue) -> Linted {
    let mut linted = Linted::default();
    let mut titles = BTreeMap::new();
    for file in files {
        let name = format!("scenarios/{}", file.path);
        let text = match &file.content {
            Content::Text(text) => text.as_str(),
            Content::NotText | Content::NotOpened => "",
        };
        let mut problems = Diagnostics::new(name.clone(), text);
        let chapter = place_in_tree(file, catalogue, &mut problems);
        if matches!(file.content, Content::Text(_)) {
            let id = ScenarioId::new(file.path.strip_suffix(".yml").unwrap_or(&file.path));
            match parse(id, &name, text) {
                Ok(scenario) => {
                    covered_clauses(&scenario, chapter, catalogue, &mut problems);
                    undeclared_needs(&scenario, text, catalogue, &mut problems);
                    title(&scenario, &mut titles, &mut problems);
                    linted.scenarios.push(scenario);
                }
                Err(found) => linted.diagnostics.extend(found),
            }
        }
        linted.diagnostics.extend(problems.finish());
    }
    linted.diagnostics.sort();
    linted
}

/// Checks a file's path; the chapter whose folder it is in.
fn place_in_tree<'catalogue>(
    file: &TreeFile,
    catalogue: &'catalogue Catalogue,
    problems: &mut Diagnostics<'_>,
) -> Option<&'catalogue Chapter> {
    let mut report = |message: String, remedy: String| problems.report(Position::START, message, remedy);
    match (&file.content, file.path.strip_suffix(".yaml")) {
        (Content::Text(_), _) => {}
        (Content::NotText, _) => report("this file is not UTF-8".to_owned(), "save it as UTF-8".to_owned()),
        (Content::NotOpened, Some(stem)) => {
            report("a scenario's file ends in `.yml`".to_owned(), format!("rename it to `{stem}.yml`"));
        }
        (Content::NotOpened, None) => {
            report("this file is no scenario".to_owned(), "only *.yml files belong here".to_owned());
        }
    }
    let id = file.path.rsplit_once('.').map_or(file.path.as_str(), |(id, _)| id);
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '/';
    if let (Content::Text(_), Some(unknown)) = (&file.content, id.chars().find(|c| !known(*c))) {
        let message = format!("the id `{id}` has the character `{unknown}`");
        report(message, "use a-z, 0-9 and `_` in the names of files and folders".to_owned());
    }
    let folders: Vec<&str> = catalogue.chapters.iter().map(|chapter| chapter.folder.as_str()).collect();
    match file.path.split_once('/') {
        None if file.content == Content::NotOpened => None,
        None => {
            let remedy = format!("move it into one of: {}", folders.join(", "));
            report("this file is in no chapter's folder".to_owned(), remedy);
            None
        }
        Some((folder, _)) => {
            let chapter = catalogue.chapters.iter().find(|chapter| chapter.folder == folder);
            if chapter.is_none() {
                report(format!("`{folder}` is no chapter's folder"), did_you_mean(folder, &folders));
            }
            chapter
        }
    }
}

/// Every covered clause is in the catalogue, and one of them is of the folder's chapter.
fn covered_clauses(
    scenario: &Scenario,
    chapter: Option<&Chapter>,
    catalogue: &Catalogue,
    problems: &mut Diagnostics<'_>,
) {
    for (id, position) in &scenario.covers {
        match catalogue.requirement(id) {
            None => {
                let remedy = match (catalogue.chapter(id), catalogue.nearest(id)) {
                    (Some(chapter), Some(last)) => {
                        format!("the last clause of specs/{}.yml is `{last}`", chapter.folder)
                    }
                    (None, Some(similar)) => format!("did you mean `{similar}`?"),
                    (_, None) => "the ids are in specs/*.yml".to_owned(),
                };
                problems.report(*position, format!("`{id}` is not in the catalogue"), remedy);
            }
            Some(requirement) if requirement.excluded.is_some() => {
                let message = format!("`{id}` is covered here, and excluded in {}", requirement.place);
                problems.report(*position, message, "remove `excluded` there, or the id here");
            }
            Some(_) => {}
        }
    }
    let Some(chapter) = chapter else { return };
    let (Some((_, first)), true) =
        (scenario.covers.first(), scenario.covers.iter().all(|(id, _)| id.chapter() != chapter.id))
    else {
        return;
    };
    let message = format!("no clause of `{}`, the chapter of this folder, is covered", chapter.id);
    let home = scenario.covers.iter().find_map(|(id, _)| catalogue.chapter(id));
    let remedy = match home {
        Some(home) => {
            format!("move the file to scenarios/{}/, or cover a clause of {}", home.folder, chapter.id)
        }
        None => format!("cover a clause of {}", chapter.id),
    };
    problems.report(*first, message, remedy);
}

/// Whoever is asked the scenario has declared all that it uses: one report a capability, where it is used first.
fn undeclared_needs(scenario: &Scenario, text: &str, catalogue: &Catalogue, problems: &mut Diagnostics<'_>) {
    let Ok(Some(root)) = yaml::parse(text) else { return };
    let mut declared = needs(scenario, catalogue);
    for one in uses(scenario, &root) {
        if declared.insert(one.capability) {
            let name = one.capability.name();
            let message = format!("{} asks for `{name}`, which this scenario does not need", one.what);
            let remedy = format!("add `{name}` to `needs`, or leave this out where it is not the point");
            problems.report(one.position, message, remedy);
        }
    }
}

/// No two scenarios claim the same.
fn title(scenario: &Scenario, titles: &mut BTreeMap<String, Place>, problems: &mut Diagnostics<'_>) {
    let words: Vec<String> =
        scenario.title.trim_end_matches('.').split_whitespace().map(str::to_lowercase).collect();
    let place = Place::new(scenario.file.clone(), scenario.title_position);
    match titles.get(&words.join(" ")) {
        Some(first) => {
            let message = format!("this title is already that of {first}");
            problems.report(
                scenario.title_position,
                message,
                "say in the title what only this scenario claims",
            );
        }
        None => {
            titles.insert(words.join(" "), place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "\
chapter: SCH
title: Schema
gated: true
needs: [schema]
requirements:
  - {id: SCH-01, level: must, statement: One, source: {document: tools-reference, section: S}}
  - {id: SCH-02, level: must, statement: Two, excluded: Unseen, source: {document: tools-reference, section: S}}
";

    fn catalogue() -> Catalogue {
        let memory = "\
chapter: MEM
title: Memory
gated: false
needs: [memory]
requirements:
  - {id: MEM-01, level: must, statement: One, source: {document: tools-reference, section: S}}
";
        Catalogue::read(&[
            ("specs/schema.yml".to_owned(), SPEC.to_owned()),
            ("specs/memory.yml".to_owned(), memory.to_owned()),
        ])
        .unwrap()
    }

    fn scenario(title: &str, covers: &str) -> String {
        format!("scenario: {title}\ncovers: [{covers}]\nexpect: {{outcome: ok}}\n")
    }

    fn file(path: &str, text: &str) -> TreeFile {
        let content = if path.strip_suffix(".yml").is_some() {
            Content::Text(text.to_owned())
        } else {
            Content::NotOpened
        };
        TreeFile { path: path.to_owned(), content }
    }

    #[track_caller]
    fn found(files: &[TreeFile], expected: &[(&str, &str, &str)]) {
        let linted = lint(files, &catalogue());
        let places: Vec<String> = linted.diagnostics.iter().map(|one| one.place.to_string()).collect();
        let seen: Vec<(&str, &str, &str)> = linted
            .diagnostics
            .iter()
            .zip(&places)
            .map(|(one, place)| (place.as_str(), one.message.as_str(), one.remedy.as_str()))
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_sound_tree_has_nothing_wrong() {
        let files = [
            file("schema/a.yml", &scenario("A", "SCH-01")),
            file("memory/b.yml", &scenario("B", "MEM-01, SCH-01")),
        ];
        found(&files, &[]);
        assert_eq!(lint(&files, &catalogue()).scenarios.len(), 2);
    }

    #[test]
    fn unknown_clauses_name_the_nearest() {
        found(
            &[file("schema/a.yml", &scenario("A", "SCH-01, SCH-09, SHC-01, XYZ-99"))],
            &[
                (
                    "scenarios/schema/a.yml:2:18",
                    "`SCH-09` is not in the catalogue",
                    "the last clause of specs/schema.yml is `SCH-02`",
                ),
                ("scenarios/schema/a.yml:2:26", "`SHC-01` is not in the catalogue", "did you mean `SCH-01`?"),
                (
                    "scenarios/schema/a.yml:2:34",
                    "`XYZ-99` is not in the catalogue",
                    "the ids are in specs/*.yml",
                ),
            ],
        );
    }

    #[test]
    fn an_excluded_clause_is_not_covered() {
        found(
            &[file("schema/a.yml", &scenario("A", "SCH-02"))],
            &[(
                "scenarios/schema/a.yml:2:10",
                "`SCH-02` is covered here, and excluded in specs/schema.yml:7:10",
                "remove `excluded` there, or the id here",
            )],
        );
    }

    #[test]
    fn what_is_used_must_be_needed() {
        let session = |needs: &str| {
            format!("{}needs: [{needs}]\nsession: {{memory: {{a.b: 1}}}}\n", scenario("A", "SCH-01"))
        };
        found(&[file("schema/a.yml", &session("memory"))], &[]);
        found(
            &[file("schema/a.yml", &session("schema"))],
            &[(
                "scenarios/schema/a.yml:5:11",
                "a session that begins with memory asks for `memory`, which this scenario does not need",
                "add `memory` to `needs`, or leave this out where it is not the point",
            )],
        );
        // The clause's chapter needs it.
        let covered = session("schema").replace("SCH-01", "MEM-01");
        found(&[file("memory/a.yml", &covered)], &[]);
    }

    #[test]
    fn duplicate_titles_name_both_places() {
        let files = [
            file("schema/a.yml", &scenario("A thing  is so", "SCH-01")),
            file("schema/b.yml", &scenario("a thing is so.", "SCH-01")),
        ];
        found(
            &files,
            &[(
                "scenarios/schema/b.yml:1:11",
                "this title is already that of scenarios/schema/a.yml:1:11",
                "say in the title what only this scenario claims",
            )],
        );
    }

    #[test]
    fn every_file_is_a_scenario_in_its_chapter() {
        let files = [
            file("loose.yml", &scenario("A", "SCH-01")),
            file("schema/README.md", ""),
            file("schema/a.yaml", ""),
            file("schema/Is-Odd.yml", &scenario("B", "SCH-01")),
            file("schemas/c.yml", &scenario("C", "SCH-01")),
            file("memory/d.yml", &scenario("D", "SCH-01")),
            TreeFile { path: "memory/e.yml".to_owned(), content: Content::NotText },
            file("memory/f.yml", "scenario: F"),
        ];
        found(
            &files,
            &[
                (
                    "scenarios/loose.yml:1:1",
                    "this file is in no chapter's folder",
                    "move it into one of: schema, memory",
                ),
                (
                    "scenarios/memory/d.yml:2:10",
                    "no clause of `MEM`, the chapter of this folder, is covered",
                    "move the file to scenarios/schema/, or cover a clause of MEM",
                ),
                ("scenarios/memory/e.yml:1:1", "this file is not UTF-8", "save it as UTF-8"),
                (
                    "scenarios/memory/f.yml:1:1",
                    "`covers` is missing in a scenario",
                    "add `covers:`, the clauses whose breach this scenario notices, by their ids in specs/*.yml",
                ),
                (
                    "scenarios/memory/f.yml:1:11",
                    "nothing is expected, so nothing can fail",
                    "add `expect:` for what loading must report, or to a step for what its trace must show",
                ),
                (
                    "scenarios/schema/Is-Odd.yml:1:1",
                    "the id `schema/Is-Odd` has the character `I`",
                    "use a-z, 0-9 and `_` in the names of files and folders",
                ),
                (
                    "scenarios/schema/README.md:1:1",
                    "this file is no scenario",
                    "only *.yml files belong here",
                ),
                (
                    "scenarios/schema/a.yaml:1:1",
                    "a scenario's file ends in `.yml`",
                    "rename it to `schema/a.yml`",
                ),
                ("scenarios/schemas/c.yml:1:1", "`schemas` is no chapter's folder", "did you mean `schema`?"),
            ],
        );
    }
}
