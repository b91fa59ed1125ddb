//! Which layer may name which.
//!
//! Finds `crate::layer` and `super::layer` in code, not in comments; a macro could hide from it.
//! Rules: the list below is the order of `harness/src/lib.rs`, lowest first.

use crate::tree::Violation;

const LAYERS: [&str; 14] = [
    "source",
    "protocol",
    "condition",
    "project",
    "implementation",
    "reference",
    "transport",
    "spec",
    "scenario",
    "runner",
    "verdict",
    "report",
    "suite",
    // Puts together what several layers publish.
    "schemas",
];

/// Every place in a file of `harness/src` that names a layer it may not know.
pub(crate) fn violations(file: &str, text: &str) -> Vec<Violation> {
    let Some(module) = file.strip_prefix("harness/src/").and_then(|path| path.strip_suffix(".rs")) else {
        return Vec::new();
    };
    let own = module.split('/').next().unwrap_or_default();
    if own == "lib" || own == "bin" || own == "main" {
        return Vec::new();
    }
    let violation = |line, what, instead: &str| Violation {
        file: file.to_owned(),
        line,
        what,
        instead: instead.to_owned(),
    };
    let Some(own_rank) = rank(own) else {
        let what = format!("`{own}` is not a layer");
        return vec![violation(0, what, "put it into one, or add it to the list in tests/tidy/layers.rs")];
    };
    let mut found = Vec::new();
    for (line, named) in named_layers(text, module.split('/').count()) {
        let Some(named_rank) = rank(&named) else { continue };
        if named == "reference" && own != "reference" {
            let what = format!("`{own}` names `reference`");
            found.push(violation(line, what, "take an `Implementation` or a `Starter` from the caller"));
        } else if named_rank > own_rank {
            let what = format!("`{own}` names `{named}`, a later layer");
            found.push(violation(line, what, "move the code up, or pass in what it needs as data"));
        }
    }
    found
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == layer)
}

/// The names right below the crate's root that a text mentions, each with its line.
fn named_layers(text: &str, depth: usize) -> Vec<(usize, String)> {
    let code = without_comments(text);
    let mut found = Vec::new();
    let mut inline = 0;
    let mut offset = 0;
    for line in code.split_inclusive('\n') {
        if line.starts_with('}') {
            inline = 0;
        } else if line.starts_with("mod ") && line.trim_end().ends_with('{') {
            inline = 1;
        }
        let roots = ["crate::".to_owned(), "super::".repeat(depth + inline)];
        for root in &roots {
            for (start, _) in line.match_indices(root.as_str()) {
                let before = line[..start].chars().next_back();
                // `$crate::` and a longer chain of `super::` are other paths.
                if before.is_some_and(|before| before.is_alphanumeric() || "_:".contains(before)) {
                    continue;
                }
                let number = code[..offset + start].matches('\n').count() + 1;
                let rest = &code[offset + start + root.len()..];
                found.extend(first_names(rest).into_iter().map(|name| (number, name)));
            }
        }
        offset += line.len();
    }
    found
}

/// The name a path goes on with, or those of its braces.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![identifier(rest)] };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut expects_name = true;
    for (index, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expects_name = true,
            _ if depth == 0 && expects_name && !character.is_whitespace() => {
                names.push(identifier(&group[index..]));
                expects_name = false;
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Line comments become empty, so that lines keep their numbers.
fn without_comments(text: &str) -> String {
    let code = |line: &str| match line.find("//") {
        Some(start) if line[..start].trim().is_empty() => "\n".to_owned(),
        _ => format!("{line}\n"),
    };
    text.lines().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(file: &str, text: &str) -> Vec<String> {
        violations(file, text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_lower_layer_that_names_a_later_one_is_refused() {
        let text = "//! crate::suite is fine here\nuse crate::{\n    protocol::{Json, suite},\n    verdict::judge,\n};\n\nfn f() { crate::report::x() }\n";
        assert_eq!(
            refused("harness/src/runner/drive.rs", text),
            [
                "harness/src/runner/drive.rs:2: `runner` names `verdict`, a later layer, \
             move the code up, or pass in what it needs as data",
                "harness/src/runner/drive.rs:7: `runner` names `report`, a later layer, \
             move the code up, or pass in what it needs as data",
            ]
        );
    }

    #[test]
    fn a_path_over_the_parent_is_followed_to_the_root() {
        let text = "use super::super::verdict::judge;\nuse super::run::Run;\n";
        assert_eq!(refused("harness/src/runner/drive.rs", text).len(), 1);
        let inline =
            "mod tests {\n    use super::super::super::verdict::judge;\n    use super::super::suite;\n}\n";
        assert_eq!(refused("harness/src/runner/drive.rs", inline).len(), 1);
    }

    #[test]
    fn only_roots_name_the_reference() {
        let text = "use crate::reference::Reference;\n";
        assert_eq!(
            refused("harness/src/suite.rs", text),
            ["harness/src/suite.rs:1: `suite` names `reference`, \
             take an `Implementation` or a `Starter` from the caller",]
        );
        assert_eq!(refused("harness/src/reference/turn.rs", text), [""; 0]);
    }

    #[test]
    fn a_module_outside_the_layers_is_refused() {
        assert_eq!(refused("harness/src/helpers.rs", "").len(), 1);
    }
}
