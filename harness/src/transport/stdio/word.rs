//! A fixed word for the folder of a project, in whatever an implementation says.
//!
//! The folder's name is another one in every process: with it, two runs of the same implementation would differ, and a
//! transcript would not come again. Knows nothing of what is said. Rules: docs/running.md, "Reports".

use std::borrow::Cow;
use std::path::Path;

/// What stands for the folder of the project.
const PROJECT: &str = "<project>";
/// What stands for the folder around it.
const AROUND: &str = "<project>/..";

/// The texts that name the folder of one worker, each with what stands for it.
pub(super) struct FolderWord {
    /// What all of them have in common, and hardly anything else has.
    mark: String,
    replaced: Vec<(String, &'static str)>,
}

impl FolderWord {
    /// For a project's folder, and the one around it.
    pub(super) fn new(around: &Path, project: &Path) -> Self {
        let mark = around.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names = [(project, PROJECT), (around, AROUND)].into_iter().flat_map(|(path, word)| {
            let name = path.to_string_lossy().into_owned();
            // Some write JSON with every slash escaped.
            let escaped = name.replace('/', "\\/");
            [(name, word), (escaped, word)]
        });
        Self { mark, replaced: names.collect() }
    }

    /// The text with the word in it.
    pub(super) fn in_text<'text>(&self, text: &'text str) -> Cow<'text, str> {
        if self.mark.is_empty() || !text.contains(&self.mark) {
            return Cow::Borrowed(text);
        }
        let said = |text: String, (name, word): &(String, &str)| text.replace(name, word);
        Cow::Owned(self.replaced.iter().fold(text.to_owned(), said))
    }

    /// The line with the word in it; one that is no text stays as it is, since it can be no answer.
    pub(super) fn in_line<'line>(&self, line: &'line [u8]) -> Cow<'line, [u8]> {
        match std::str::from_utf8(line).map(|text| self.in_text(text)) {
            Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
            Ok(Cow::Borrowed(_)) | Err(_) => Cow::Borrowed(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_a_word_however_it_is_written_and_all_else_stays() {
        let around = Path::new("/dev/shm/mantle-conformance-7-2vA6iJ");
        let word = FolderWord::new(around, &around.join("project"));
        for (said, expected) in [
            (
                "File \"/dev/shm/mantle-conformance-7-2vA6iJ/project/a.py\", line 3",
                "File \"<project>/a.py\", line 3",
            ),
            (r"\/dev\/shm\/mantle-conformance-7-2vA6iJ\/project\/a.py", r"<project>\/a.py"),
            ("file:///dev/shm/mantle-conformance-7-2vA6iJ/project", "file://<project>"),
            ("/dev/shm/mantle-conformance-7-2vA6iJ/other", "<project>/../other"),
            ("/dev/shm/mantle-conformance-8-2vA6iJ/project", "/dev/shm/mantle-conformance-8-2vA6iJ/project"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(word.in_text(said), expected);
            assert_eq!(word.in_line(said.as_bytes()).as_ref(), expected.as_bytes());
        }
        assert_eq!(word.in_line(b"\xff").as_ref(), b"\xff");
    }
}
