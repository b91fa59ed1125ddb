//! The body of a `skill.md`: prose paragraphs and ordered blocks.
//!
//! Rules: contract-notes, "2. skill.md".

use std::collections::BTreeSet;

use super::parse_yaml;
use super::prose::{self, Paragraph};
use super::steps::{self, Block};
use crate::protocol::LoadPhase;
use crate::reference::finding::{self, Findings};
use crate::source::Position;

/// What a skill consists of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// Whether there is prose: then the model works from it, and blocks are entered from there.
    pub(crate) has_prose: bool,
    /// The prose, in paragraphs.
    pub(crate) paragraphs: Vec<Paragraph>,
    /// The words of the prose that may name a response.
    pub(crate) mentioned_responses: BTreeSet<String>,
    /// The ordered blocks, in the order of the file.
    pub(crate) blocks: Vec<Block>,
    /// The blocks that the prose mentions as `@block.<id>`.
    pub(crate) mentioned_blocks: Vec<String>,
    /// The skills that the prose mentions as `@skill.<id>`.
    pub(crate) mentioned_skills: Vec<String>,
}

const INVALID_BLOCK: &str = "skill.markdown.invalid_ordered_block";

/// Reads a body that begins some lines into its file.
pub(crate) fn read(path: &str, text: &str, lines_before: u32, findings: &mut Findings) -> Body {
    let mut body = Body::default();
    let mut prose = String::new();
    let mut prose_lines = Vec::new();
    let mut lines = text.lines().zip(lines_before + 1..);
    while let Some((line, number)) = lines.next() {
        let Some(fence) = line.trim_end().strip_prefix(":::ordered_block") else {
            prose.push_str(line);
            prose.push('\n');
            prose_lines.push((number, line));
            continue;
        };
        let mut content = String::new();
        let mut closed = false;
        for (line, _) in lines.by_ref() {
            if line.trim_end() == ":::" {
                closed = true;
                break;
            }
            content.push_str(line);
            content.push('\n');
        }
        let mut report = |message: &str| {
            let place = finding::at(path, Position::new(number, 1));
            findings.error(LoadPhase::Train, INVALID_BLOCK, place, message);
        };
        let Some(id) = block_id(fence) else {
            report("an ordered block needs an id: `:::ordered_block id=<name>`");
            continue;
        };
        if body.blocks.iter().any(|known| known.id == id) {
            report("another block of this skill has the same id; rename one");
            continue;
        }
        if !closed {
            report("this block is not closed by a `:::` line");
        }
        match parse_yaml(path, &content, number) {
            Ok(Some(node)) if node.entries().is_some() => {
                body.blocks.push(steps::read_block(path, id, &node, number, findings));
            }
            Ok(_) => report("an ordered block must be a mapping with `steps:`"),
            Err(broken) => findings.error(LoadPhase::Train, INVALID_BLOCK, broken.place, broken.message),
        }
    }
    body.has_prose = !prose.trim().is_empty();
    body.paragraphs = prose::paragraphs(path, &prose_lines);
    body.mentioned_responses = prose
        .split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| word.starts_with("utter_"))
        .map(str::to_owned)
        .collect();
    body.mentioned_blocks = mentions(&prose, "@block.");
    body.mentioned_skills = mentions(&prose, "@skill.");
    for id in &body.mentioned_blocks {
        if !body.blocks.iter().any(|block| block.id == *id) {
            let message = format!("`@block.{id}` names no block of this skill");
            let code = "skill.markdown.invalid_block_reference";
            findings.error(LoadPhase::Train, code, finding::file(path), message);
        }
    }
    body
}

fn block_id(fence: &str) -> Option<String> {
    let id = fence.trim().strip_prefix("id=")?;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (!id.is_empty() && id.bytes().all(allowed)).then(|| id.to_owned())
}

fn mentions(prose: &str, prefix: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in prose.match_indices(prefix) {
        let rest = prose.get(at + prefix.len()..).unwrap_or_default();
        let allowed =
            |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
        let end = rest.find(|character| !allowed(character)).unwrap_or(rest.len());
        let id = rest.get(..end).unwrap_or_default().to_owned();
        if !id.is_empty() && !found.contains(&id) {
            found.push(id);
        }
    }
    found
}
