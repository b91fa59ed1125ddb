//! From the parser's events to the tree.
//!
//! Knows the events of a YAML parser; what the keys mean is for others to say.
//! Rules: YAML 1.2, less what nobody should write in a scenario.

use std::collections::{BTreeMap, BTreeSet};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

use super::super::position::saturate;
use super::{MAXIMUM_DEPTH, MAXIMUM_NODES, Node, Position, Scalar, Value, YamlError};

/// Reads one YAML document; `None` when there is none.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    let mut builder = Builder { open: Vec::new(), anchors: BTreeMap::new(), nodes: 0, root: None };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| scan_error(text, &error))?;
        builder.take(event, span)?;
    }
    Ok(builder.root)
}

/// A container that is not closed yet.
struct Open {
    position: Position,
    anchor: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping { entries: Vec<(Node, Node)>, key: Option<Node>, seen: BTreeSet<String> },
}

struct Builder {
    open: Vec<Open>,
    anchors: BTreeMap<usize, (Node, usize)>,
    nodes: usize,
    root: Option<Node>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        let position = position(&span.start);
        match event {
            Event::DocumentStart(_) if self.root.is_some() => {
                Err(error(position, "a second document begins here", "keep one document a file"))
            }
            Event::Scalar(text, style, anchor, _) => {
                let block = (style == ScalarStyle::Literal).then(|| block_start(position, &text));
                let scalar = Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain, block };
                self.count(1, position)?;
                self.place(Node { position, value: Value::Scalar(scalar) }, anchor, 1)
            }
            Event::Alias(anchor) => {
                let Some((node, size)) = self.anchors.get(&anchor).cloned() else {
                    return Err(error(
                        position,
                        "this alias names no finished anchor",
                        "write the value out",
                    ));
                };
                self.count(size, position)?;
                self.place(Node { position, ..node }, 0, size)
            }
            Event::SequenceStart(anchor, _) => self.enter(position, anchor, Content::Sequence(Vec::new())),
            Event::MappingStart(anchor, _) => {
                let content = Content::Mapping { entries: Vec::new(), key: None, seen: BTreeSet::new() };
                self.enter(position, anchor, content)
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(),
            _ => Ok(()),
        }
    }

    fn enter(&mut self, position: Position, anchor: usize, content: Content) -> Result<(), YamlError> {
        if self.open.len() >= MAXIMUM_DEPTH {
            let message = format!("nested deeper than {MAXIMUM_DEPTH} levels");
            return Err(error(position, &message, "flatten the document"));
        }
        self.count(1, position)?;
        self.open.push(Open { position, anchor, content });
        Ok(())
    }

    fn leave(&mut self) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let value = match open.content {
            Content::Sequence(items) => Value::Sequence(items),
            Content::Mapping { entries, .. } => Value::Mapping(entries),
        };
        let node = Node { position: open.position, value };
        // Only an anchored node can be used again, so only its size is ever asked for.
        let size = if open.anchor == 0 { 1 } else { size(&node) };
        self.place(node, open.anchor, size)
    }

    fn place(&mut self, node: Node, anchor: usize, size: usize) -> Result<(), YamlError> {
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping { entries, key, seen }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let Some(name) = node.text() else {
                        return Err(error(node.position, "a key must be a scalar", "quote the key"));
                    };
                    if !seen.insert(name.to_owned()) {
                        let message = format!("the key `{name}` stands here twice");
                        return Err(error(node.position, &message, "keep one of them"));
                    }
                    *key = Some(node);
                }
            },
        }
        Ok(())
    }

    fn count(&mut self, nodes: usize, position: Position) -> Result<(), YamlError> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAXIMUM_NODES {
            let message = format!("more than {MAXIMUM_NODES} values");
            return Err(error(position, &message, "split the document"));
        }
        Ok(())
    }
}

/// Where a literal block's text begins: the scanner names the first line that is not blank.
fn block_start(first_content: Position, text: &str) -> Position {
    let blank = text.bytes().take_while(|byte| *byte == b'\n').count();
    Position::new(first_content.line.saturating_sub(saturate(blank)).max(1), first_content.column)
}

fn size(node: &Node) -> usize {
    match &node.value {
        Value::Scalar(_) => 1,
        Value::Sequence(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Mapping(entries) => 1 + entries.iter().map(|(_, value)| 1 + size(value)).sum::<usize>(),
    }
}

fn position(marker: &Marker) -> Position {
    Position::new(saturate(marker.line()).max(1), saturate(marker.col()) + 1)
}

fn error(position: Position, message: &str, remedy: &str) -> YamlError {
    YamlError { position, message: message.to_owned(), remedy: remedy.to_owned() }
}

fn scan_error(text: &str, scan: &saphyr_parser::ScanError) -> YamlError {
    let position = position(scan.marker());
    let line = usize::try_from(position.line).unwrap_or(1);
    // The scanner reports a tab where it trips over it, often a line later than where it stands.
    for candidate in [line, line.saturating_sub(1)] {
        let found = text.lines().nth(candidate.wrapping_sub(1)).unwrap_or_default();
        let indentation = found.len() - found.trim_start().len();
        if let Some(tab) = found.get(..indentation).and_then(|indent| indent.find('\t')) {
            let position = Position::new(saturate(candidate), saturate(tab) + 1);
            return error(
                position,
                "a tab indents this line",
                "indent with spaces; YAML allows no tabs there",
            );
        }
    }
    error(position, scan.info(), scan_remedy(scan.info()))
}

/// What people most often meant when the scanner says this; its words are its own and may change, so the
/// last remedy fits any.
fn scan_remedy(message: &str) -> &'static str {
    let slips = [
        (
            "mapping values are not allowed",
            "quote the text: `: ` in it begins a value; or check the indentation",
        ),
        ("unknown anchor", "quote the text: a `*` at its beginning refers to an anchor"),
        ("quoted scalar", "close the quote"),
        ("illegal placement of ':'", "close the bracket or quote that is open here"),
        ("simple key expect", "put a `:` behind the key; a block's lines are indented deeper than its key"),
        ("flow mapping", "close the `{`, or put a `,` between its entries"),
        ("flow sequence", "close the `[`, or put a `,` between its items"),
        ("block scalar", "indent the block's lines with spaces, deeper than its key"),
    ];
    let known = slips.iter().find(|(words, _)| message.contains(words));
    known.map_or("check quotes, brackets and indentation up to here", |(_, remedy)| remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Node {
        parse(text).unwrap().unwrap()
    }

    #[test]
    fn nodes_know_their_places() {
        let node = tree("a: 1\nb:\n  - x\n  - {c: y}\n");
        let items = node.get("b").unwrap().items().unwrap();
        assert_eq!(items[0].position, Position::new(3, 5));
        assert_eq!(items[1].get("c").unwrap().position, Position::new(4, 9));
    }

    #[test]
    fn a_literal_block_maps_its_lines_to_the_file() {
        let node = tree("files:\n  tools.py: |\n    import x\n\n    y = 1\n");
        let block = node.get("files").unwrap().get("tools.py").unwrap();
        assert_eq!(block.text(), Some("import x\n\ny = 1\n"));
        assert_eq!(block.inside(Position::new(3, 5)), Position::new(5, 9));
    }

    #[test]
    fn duplicate_keys_tabs_and_second_documents_are_errors() {
        assert_eq!(parse("a: 1\na: 2\n").unwrap_err().position, Position::new(2, 1));
        let tab = parse("a:\n\tb: 1\n").unwrap_err();
        assert_eq!((tab.position, tab.message.as_str()), (Position::new(2, 1), "a tab indents this line"));
        assert_eq!(parse("a: 1\n---\nb: 2\n").unwrap_err().position.line, 2);
    }

    #[test]
    fn what_is_not_yaml_has_a_remedy() {
        for (text, remedy) in [
            ("a: b: c\n", "quote the text"),
            ("a: *x\n", "a `*`"),
            ("a: \"x\n", "close the quote"),
            ("a: |\nb\nc: 1\n", "deeper than its key"),
            ("a: {b: 1\nc: 2\n", "close the `{`"),
            ("a: [b\n", "close the `[`"),
            ("a: [b\nc: 2\n", "close the bracket"),
            ("a: @x\n", "check quotes"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.remedy.contains(remedy), "{text}: {error}: {}", error.remedy);
        }
    }

    #[test]
    fn aliases_are_written_out_within_a_bound() {
        let node = tree("a: &x [1, 2]\nb: *x\n");
        assert_eq!(node.get("b").unwrap().items().unwrap().len(), 2);
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..9 {
            let previous = format!("*a{}", level - 1);
            let list = vec![previous; 10].join(", ");
            bomb = format!("{bomb}a{level}: &a{level} [{list}]\n");
        }
        assert!(parse(&bomb).unwrap_err().message.contains("more than"));
        let deep = "[".repeat(5000);
        assert!(parse(&deep).is_err());
    }

    #[test]
    fn nothing_is_no_document() {
        assert_eq!(parse("# only a comment\n").unwrap(), None);
    }
}
