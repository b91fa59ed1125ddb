//! From the texts of the catalogue to the catalogue, or to everything that is wrong with it.
//!
//! Pure; the folder is read beside it, in `folder`.
//! Rules: `tables` for each key; ids belong to their chapter and count up from 01.

use std::collections::BTreeSet;

use super::tables::CHAPTER;
use super::{CHAPTERS, Catalogue, Chapter, Document, Level, Requirement, RequirementId, Source};
use crate::protocol::Capability;
use crate::source::shape::{self, Shape};
use crate::source::yaml::{self, Node};
use crate::source::{Diagnostic, Diagnostics, Place, Position};

impl Catalogue {
    /// Reads the catalogue from its files, each a name (`specs/schema.yml`) and a text, in any order.
    /// Everything wrong in any of them is reported at once.
    pub fn read(specs: &[(String, String)]) -> Result<Self, Vec<Diagnostic>> {
        let mut found = Vec::new();
        let mut chapters: Vec<(Chapter, Place)> = Vec::new();
        for (file, text) in specs {
            let mut problems = Diagnostics::new(file.clone(), text);
            if let Some(read) = chapter(file, text, &mut problems) {
                if let Some((other, place)) = chapters.iter().find(|(other, _)| other.id == read.0.id) {
                    let message = format!("the chapter `{}` is already in {}", other.id, place.file);
                    problems.report(read.1.position, message, "give this one another id");
                }
                chapters.push(read);
            }
            found.extend(problems.finish());
        }
        if !found.is_empty() {
            found.sort();
            return Err(found);
        }
        let order = |chapter: &Chapter| CHAPTERS.iter().position(|id| *id == chapter.id);
        chapters.sort_by_key(|(chapter, _)| order(chapter));
        Ok(Self { chapters: chapters.into_iter().map(|(chapter, _)| chapter).collect() })
    }
}

/// Reads one file; what stands where its id should.
fn chapter(file: &str, text: &str, problems: &mut Diagnostics<'_>) -> Option<(Chapter, Place)> {
    let root = match yaml::parse(text) {
        Ok(Some(root)) => root,
        Ok(None) => {
            problems.report(Position::START, "this file holds no chapter", "begin with `chapter:`");
            return None;
        }
        Err(error) => {
            problems.report(error.position, error.message, error.remedy);
            return None;
        }
    };
    shape::check(&root, &Shape::Record(&CHAPTER), "this file", problems);
    let id = root.get("chapter")?;
    let place = Place::new(file, id.position);
    let name = text_of(Some(id));
    if name.len() == 3 && !CHAPTERS.contains(&name.as_str()) {
        let message = format!("`{name}` is no chapter of the contract");
        let remedy =
            format!("use one of {}; a new one is added to spec::CHAPTERS first", CHAPTERS.join(", "));
        problems.report(id.position, message, remedy);
    }
    let gated = root.get("gated").and_then(shape::boolean).unwrap_or(false);
    let mut requirements = Vec::new();
    for (index, node) in root.get("requirements").and_then(Node::items).unwrap_or_default().iter().enumerate()
    {
        number(node, &name, index, problems);
        requirements.extend(requirement(node, gated, file));
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let chapter = Chapter {
        id: name,
        folder: stem.strip_suffix(".yml").unwrap_or(stem).to_owned(),
        title: text_of(root.get("title")),
        gated,
        needs: needs(&root),
        requirements,
    };
    Some((chapter, place))
}

/// Ids belong to their chapter and count up, so that a hole or a double is seen at once.
fn number(node: &Node, chapter: &str, index: usize, problems: &mut Diagnostics<'_>) {
    let Some(id) = node.get("id") else { return };
    let Some(written) = id.text().and_then(RequirementId::parse) else { return };
    let expected = format!("{chapter}-{:02}", index + 1);
    if written.chapter() != chapter {
        let message = format!("`{written}` belongs to another chapter, this is `{chapter}`");
        problems.report(id.position, message, format!("write `{expected}`"));
    } else if written.to_string() != expected {
        let message = format!("`{written}` is out of order, here comes `{expected}`");
        problems.report(id.position, message, "number clauses as they stand, without holes or doubles");
    }
}

fn requirement(node: &Node, chapter_gated: bool, file: &str) -> Option<Requirement> {
    let id = node.get("id")?;
    let source = node.get("source")?;
    Some(Requirement {
        id: RequirementId::parse(id.text()?)?,
        level: if node.get("level")?.text()? == "must" { Level::Must } else { Level::Observed },
        statement: text_of(node.get("statement")),
        source: Source {
            document: match source.get("document")?.text()? {
                "tools-reference" => Document::ToolsReference,
                _ => Document::ContractNotes,
            },
            section: text_of(source.get("section")),
        },
        needs: needs(node),
        gated: node.get("gated").and_then(shape::boolean).unwrap_or(chapter_gated),
        excluded: node.get("excluded").map(|reason| text_of(Some(reason))),
        note: node.get("note").map(|note| text_of(Some(note))),
        place: Place::new(file, id.position),
    })
}

fn needs(node: &Node) -> BTreeSet<Capability> {
    let words = node.get("needs").and_then(Node::items).unwrap_or_default();
    words.iter().filter_map(Node::string).filter_map(Capability::named).collect()
}

fn text_of(node: Option<&Node>) -> String {
    node.and_then(Node::text).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
chapter: SCH
title: Schema
gated: true
needs: [schema]
requirements:
  - id: SCH-01
    level: must
    statement: A name is kept.
    source: {document: tools-reference, section: One}
  - id: SCH-02
    level: observed
    statement: Something else.
    source: {document: contract-notes, section: Two}
    needs: [execution]
    gated: false
    note: Silent.
";

    fn read(file: &str, text: &str) -> Result<Catalogue, Vec<Diagnostic>> {
        Catalogue::read(&[(format!("specs/{file}.yml"), text.to_owned())])
    }

    #[track_caller]
    fn refused(text: &str, expected: &[(&str, &str, &str)]) {
        let found = read("schema", text).unwrap_err();
        let seen: Vec<(String, &str, &str)> = found
            .iter()
            .map(|one| (one.place.position.to_string(), one.message.as_str(), one.remedy.as_str()))
            .collect();
        let seen: Vec<(&str, &str, &str)> =
            seen.iter().map(|(at, what, remedy)| (at.as_str(), *what, *remedy)).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_chapter_is_read_and_its_clauses_are_found() {
        let catalogue = read("schema", GOOD).unwrap();
        let id = |text: &str| RequirementId::parse(text).unwrap();
        let second = catalogue.requirement(&id("SCH-02")).unwrap();
        assert_eq!(
            (second.level, second.gated, second.place.to_string().as_str()),
            (Level::Observed, false, "specs/schema.yml:10:9")
        );
        let needs = catalogue.needs_of(&id("SCH-02"));
        assert_eq!(needs.into_iter().collect::<Vec<_>>(), [Capability::Schema, Capability::Execution]);
        assert_eq!(catalogue.chapters[0].folder, "schema");
        assert!(catalogue.requirement(&id("SCH-03")).is_none());
        assert_eq!(catalogue.nearest(&id("SCH-03")), Some("SCH-02".to_owned()));
        assert_eq!(catalogue.nearest(&id("SHC-01")), Some("SCH-01".to_owned()));
    }

    #[test]
    fn chapters_stand_in_the_order_of_the_contract() {
        let define = GOOD.replace("SCH", "DEF");
        let specs =
            [("specs/schema.yml".to_owned(), GOOD.to_owned()), ("specs/defining.yml".to_owned(), define)];
        let ids: Vec<String> =
            Catalogue::read(&specs).unwrap().chapters.into_iter().map(|chapter| chapter.id).collect();
        assert_eq!(ids, ["DEF", "SCH"]);
    }

    #[test]
    fn one_chapter_has_one_file() {
        let specs =
            [("specs/a.yml".to_owned(), GOOD.to_owned()), ("specs/b.yml".to_owned(), GOOD.to_owned())];
        let found = Catalogue::read(&specs).unwrap_err();
        assert_eq!(found[0].message, "the chapter `SCH` is already in specs/a.yml");
        assert_eq!(found[0].place.to_string(), "specs/b.yml:1:10");
    }

    #[test]
    fn ids_belong_to_their_chapter_and_count_up() {
        refused(
            &GOOD.replace("SCH-01", "DEF-01"),
            &[("6:9", "`DEF-01` belongs to another chapter, this is `SCH`", "write `SCH-01`")],
        );
        let order = "number clauses as they stand, without holes or doubles";
        refused(
            &GOOD.replace("SCH-02", "SCH-04"),
            &[("10:9", "`SCH-04` is out of order, here comes `SCH-02`", order)],
        );
        refused(
            &GOOD.replace("SCH-02", "SCH-01"),
            &[("10:9", "`SCH-01` is out of order, here comes `SCH-02`", order)],
        );
    }

    #[test]
    fn words_and_keys_are_known_ones() {
        let text = GOOD
            .replace("needs: [schema]", "needs: [shema]")
            .replace("level: must", "level: should")
            .replace("note:", "notes:")
            .replace("contract-notes", "blog")
            .replace("gated: true", "gated: maybe");
        refused(
            &text,
            &[
                ("3:8", "`gated` must be `true` or `false`, here stands a string", ""),
                ("4:9", "`needs` does not know `shema`", "did you mean `schema`?"),
                ("7:12", "`level` does not know `should`", "use one of: must, observed"),
                ("13:24", "`document` does not know `blog`", "use one of: tools-reference, contract-notes"),
                ("16:5", "unknown key `notes` in a clause", "did you mean `note`?"),
            ],
        );
        refused(
            &GOOD.replace("    statement: A name is kept.\n", ""),
            &[(
                "6:5",
                "`statement` is missing in a clause",
                "add `statement:`, what a runtime does, in one sentence",
            )],
        );
        let found = read("x", &GOOD.replace("SCH", "ABC")).unwrap_err();
        assert_eq!(found[0].message, "`ABC` is no chapter of the contract");
        assert_eq!(read("x", "# nothing\n").unwrap_err()[0].message, "this file holds no chapter");
        assert_eq!(read("x", "a: [").unwrap_err().len(), 1);
    }
}
