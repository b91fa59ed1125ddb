//! Known failures, shares and reports, as a user asks for them.
//!
//! Knows only what is printed and written, and the exit codes; their content is tested in the library.
//! Rules: docs/running.md; the exit codes of `cargo xtask --help`.
#![allow(clippy::unwrap_used, reason = "helpers of a test")]

use std::path::{Path, PathBuf};
use std::process::Command;

const ONE: &str = "schema/type_str";
/// Of another chapter.
const OTHER: &str = "memory/false_then_true";

/// A shell that greets, and dies of the first project it is to load.
const DYING: &str = "read -r hello; echo '{\"id\":1,\"reply\":{\"result\":{\"name\":\"shell\",\"version\":\"1\",\
    \"language\":\"sh\",\"protocol\":1,\"edition\":\"3.20\",\"capabilities\":[\"schema\"]}}}'; read -r load; exit 7";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.shown(name)
    }

    fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Exit code, stdout, stderr.
fn xtask(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn with_baseline(baseline: &str, more: &[&str], command: &[&str]) -> (Option<i32>, String, String) {
    let flags = ["conformance", "--run", ONE, "--baseline", baseline];
    xtask(&[&flags, more, command].concat())
}

#[test]
fn what_fails_as_known_exits_with_0_and_what_changed_with_1() {
    let folder = Folder::new();
    let entry = |signature: &str| {
        let text = format!("{ONE}:\n  reason: it dies\n  signature: {signature}\n  expires: 2027-01-31\n");
        folder.write("known.yml", &text)
    };
    let dying = ["--", "sh", "-c", DYING];
    let known = entry("crash load");
    let (code, printed, _) = with_baseline(&known, &["--today", "2027-01-31"], &dying);
    assert_eq!(code, Some(0), "{printed}");
    let end = "\n1 scenario: 0 pass, 1 xfail\n\
               conformant but for known failures in what was asked: a part of the suite\n";
    assert!(printed.ends_with(end), "{printed}");
    let (code, printed, _) = with_baseline(&known, &["--today", "2027-02-01"], &dying);
    assert_eq!(code, Some(1), "{printed}");
    let stale = format!("stale {known}:1:1: known failure `{ONE}` was excused until 2027-01-31\n");
    assert!(printed.contains(&stale), "{printed}");
    let (code, printed, _) = with_baseline(&known, &[], &[]);
    assert_eq!(code, Some(1), "{printed}");
    let once = format!("\n\nstale {known}:1:1: known failure `{ONE}` passes; take its entry out\n\n");
    assert!(printed.contains(&once) && printed.matches(ONE).count() == 1, "{printed}");
    let end = "\n1 scenario: 0 pass, 1 xpass, 1 stale in the baseline\nnothing regressed in this part of the suite; \
               1 known failure passes now: rerun the whole suite with --update-baseline\n";
    assert!(printed.ends_with(end), "{printed}");
    let other = entry("'fail load: all map'");
    let (code, printed, _) = with_baseline(&other, &["--today", "2027-01-31"], &dying);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("fails otherwise: `crash load`, not `fail load: all map`"), "{printed}");
    let (block, _) = printed.split_once("\n\nstale ").unwrap();
    assert!(
        block.ends_with(&format!("\n  baseline  known, but fails otherwise than {other}:1")),
        "{printed}"
    );
    assert!(printed.ends_with("\nnot conformant\n"), "{printed}");
}

#[test]
fn a_baseline_with_slips_exits_with_2_and_shows_them() {
    let folder = Folder::new();
    let file = folder.write("known.yml", &format!("{ONE}:\n  raeson: x\n  signature: y\n"));
    let (code, printed, complaint) = with_baseline(&file, &[], &[]);
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    let expected = format!("error: {file}:2:3: unknown key `raeson` in a known failure\n");
    assert!(complaint.starts_with(&expected) && complaint.contains("did you mean `reason`?"), "{complaint}");
    let missing = folder.shown("none.yml");
    assert_eq!(with_baseline(&missing, &[], &[]).0, Some(2));
    assert_eq!(with_baseline(&file, &["--today", "soon"], &[]).0, Some(2));
}

#[test]
fn only_a_whole_run_writes_a_baseline() {
    let folder = Folder::new();
    let file = folder.shown("known.yml");
    for part in [&["--run", ONE][..], &["schema"], &["--shard", "1/2"], &["--fail-fast"]] {
        let flags = ["conformance", "--baseline", &file, "--update-baseline"];
        let (code, _, complaint) = xtask(&[&flags, part].concat());
        assert_eq!(code, Some(2), "{part:?}");
        assert!(complaint.contains("needs the whole suite"), "{complaint}");
    }
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_written_baseline_excuses_the_run_that_it_was_written_from() {
    let folder = Folder::new();
    let file = folder.write("known.yml", "# Ours.\nschema/none_such: {reason: old, signature: s}\n");
    let incapable = DYING.replace("\\\"schema\\\"", "");
    let run = |more: &[&str]| {
        let flags = ["conformance", "--baseline", &file];
        xtask(&[&flags, more, &["--", "sh", "-c", &incapable]].concat())
    };
    assert_eq!(run(&[]).0, Some(1));
    let (code, _, said) = run(&["--update-baseline"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("known.yml: taken out: schema/none_such\n"), "{said}");
    assert!(folder.read("known.yml").starts_with("# Ours.\n"));
    assert_eq!(run(&[]).0, Some(0));
}

#[test]
fn who_became_better_is_told_how_to_say_so_in_the_baseline() {
    let folder = Folder::new();
    let text = format!("{ONE}:\n  reason: it dies\n  signature: crash load\n");
    let file = folder.write("known.yml", &text);
    let run = |more: &[&str]| xtask(&[&["conformance", "--baseline", &file], more].concat());
    let better = "\nnothing regressed; 1 known failure passes now";
    let (code, printed, _) = run(&[]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.ends_with(&format!("{better}: rerun with --update-baseline\n")), "{printed}");
    let (code, printed, _) = run(&["--update-baseline"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with(&format!("{better}\n")), "{printed}");
    let (code, printed, _) = run(&[]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with("\nconformant\n"), "{printed}");
}

#[test]
fn merged_shares_are_the_whole_run() {
    let folder = Folder::new();
    let (_, whole, _) = xtask(&["conformance", "--chapter", "GAT", "--format", "json"]);
    let files: Vec<String> = ["1/2", "2/2"]
        .iter()
        .map(|shard| {
            let file = folder.shown(&format!("{}.json", shard.replace('/', "-")));
            let report = format!("json={file}");
            let flags = ["conformance", "--chapter", "GAT", "--shard", shard, "--report", &report];
            let (code, printed, _) = xtask(&flags);
            assert_eq!(code, Some(0), "{printed}");
            assert!(printed.contains(&format!(", share {shard}\n")), "{printed}");
            file
        })
        .collect();
    let (code, merged, _) = xtask(&["merge", &files[1], &files[0]]);
    assert_eq!(code, Some(0));
    assert!(merged == whole, "merged shares tell another story");
    let statement = folder.shown("statement.md");
    let (code, printed, _) =
        xtask(&["merge", &files[0], &files[1], "--report", &format!("markdown={statement}")]);
    assert_eq!(code, Some(0));
    let (_, told, _) = xtask(&["conformance", "--chapter", "GAT"]);
    assert!(told.ends_with(&format!("\n\n{printed}")), "{told}\n{printed}");
    assert!(printed.ends_with("\nconformant in what was asked: a part of the suite\n"), "{printed}");
    assert!(folder.read("statement.md").contains("> **Partial**: some scenarios were left out."));
    let (code, _, complaint) = xtask(&["merge", &files[0]]);
    assert_eq!((code, complaint.as_str()), (Some(2), "error: of 2 shares these are missing: 2\n"));
}

#[test]
fn shares_that_mean_nothing_exit_with_2() {
    for shard in ["0/2", "3/2", "1", "2/2"] {
        let (code, _, complaint) = xtask(&["conformance", "--run", ONE, "--shard", shard]);
        assert_eq!(code, Some(2), "{shard}");
        assert!(complaint.starts_with("error: "), "{complaint}");
    }
}

#[test]
fn reports_stand_beside_what_is_printed_and_change_no_exit_code() {
    let folder = Folder::new();
    let junit = format!("junit={}", folder.shown("junit.xml"));
    let markdown = format!("markdown={}", folder.shown("statement.md"));
    let reports = ["--report", &junit, "--report", &markdown, "--report", "github"];
    let flags = ["conformance", "--run", ONE];
    let dying = ["--", "sh", "-c", DYING];
    let (code, printed, _) = xtask(&[&flags[..], &reports, &dying].concat());
    assert_eq!(code, Some(1), "{printed}");
    let counts = "\n1 scenario: 0 pass, 1 crash\nnot conformant\n::error file=scenarios/";
    assert!(printed.contains(counts), "{printed}");
    assert!(folder.read("junit.xml").contains("errors=\"1\""));
    assert!(folder.read("statement.md").contains("- **crash** `schema/type_str`"));
}

#[test]
fn reports_that_cannot_be_written_exit_with_2_before_anything_is_run() {
    for (report, hint) in [
        ("junti=x", "did you mean `junit`?"),
        ("junit", "name a file: `junit=FILE`"),
        ("json=", "name a file: `json=FILE`"),
        ("json=/no/such/folder/x", "/no/such/folder/x: "),
    ] {
        let (code, printed, complaint) = xtask(&["conformance", "--run", ONE, "--report", report]);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{report}");
        assert!(complaint.contains(hint), "{complaint}");
    }
    let (code, _, complaint) =
        xtask(&["conformance", "--run", ONE, "--format", "json", "--report", "github"]);
    assert_eq!(code, Some(2), "{complaint}");
}

#[test]
fn a_report_is_there_as_a_whole_or_not_at_all() {
    let folder = Folder::new();
    let report = |command: &[&str]| {
        let json = format!("json={}", folder.shown("report.json"));
        let flags = ["conformance", "--run", ONE, "--report", &json, "--report", "markdown=/dev/null"];
        xtask(&[&flags[..], command].concat()).0
    };
    let listed = || -> Vec<_> {
        std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(report(&["--", "false"]), Some(3));
    assert!(listed().is_empty(), "a run that could not begin leaves {:?}", listed());
    assert_eq!(report(&[]), Some(0));
    assert_eq!(listed(), ["report.json"]);
    assert!(folder.read("report.json").ends_with("}\n"));
    assert_eq!(report(&["--report", "json=/no/such/folder/x"]), Some(2));
    assert_eq!(listed(), ["report.json"], "a slip takes nothing away");
    assert_eq!(report(&["--", "false"]), Some(3));
    assert!(listed().is_empty(), "an earlier run is not taken for this one");
}

#[cfg(unix)]
#[test]
fn what_a_link_stands_for_is_written_and_a_folder_is_refused() {
    let folder = Folder::new();
    folder.write("real.json", "old");
    std::os::unix::fs::symlink("real.json", folder.path("link.json")).unwrap();
    let run = |file: &str| {
        xtask(&["conformance", "--run", ONE, "--report", &format!("json={}", folder.shown(file))])
    };
    assert_eq!(run("link.json").0, Some(0));
    assert!(folder.path("link.json").is_symlink());
    assert!(folder.read("real.json").starts_with("{\n"));
    std::fs::create_dir(folder.path("folder")).unwrap();
    let (code, printed, complaint) = run("folder");
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
}

#[test]
fn two_runs_are_compared_from_reports_and_commands() {
    let folder = Folder::new();
    let report = |name: &str, command: &[&str]| {
        let file = folder.shown(name);
        let flags = ["conformance", "--run", ONE, "--report", &format!("json={file}")];
        xtask(&[&flags[..], command].concat());
        file
    };
    let dying = ["--", "sh", "-c", DYING];
    let (right, wrong) = (report("right.json", &[]), report("wrong.json", &dying));
    let (code, printed, _) = xtask(&["compare", &right, &wrong]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains(&format!("\nregressed {ONE}: ")), "{printed}");
    assert!(printed.contains("\n  was       pass\n  is        crash load\n"), "{printed}");
    let (code, printed, _) = xtask(&["compare", &wrong, &right, "--format", "json"]);
    let comparison: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(comparison.pointer("/fixed/0/id"), Some(&ONE.into()));
    let both = [&["compare", "--run", ONE][..], &dying, &dying].concat();
    let (code, printed, _) = xtask(&both);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with(" 1 the same\n"), "{printed}");
    let mixed = [&["compare", "--run", ONE, &right][..], &dying].concat();
    assert_eq!(xtask(&mixed).0, Some(1));
}

#[test]
fn compared_commands_have_limits_and_are_rerun_with_them() {
    let folder = Folder::new();
    let right = folder.shown("right.json");
    xtask(&["conformance", "--run", ONE, "--report", &format!("json={right}")]);
    let limits = ["--timeout", "2s", "--start-timeout", "1500ms"];
    let dying = [&["compare", "--run", ONE, &right][..], &limits, &["--", "sh", "-c", DYING]].concat();
    let (code, printed, _) = xtask(&dying);
    assert_eq!(code, Some(1), "{printed}");
    let rerun = format!("--run {ONE} --timeout 2s --start-timeout 1500ms -- sh -c 'read -r hello; ");
    assert!(printed.contains(&rerun), "{printed}");
    let slow = ["compare", "--run", ONE, "--start-timeout", "300ms", &right, "--", "sleep", "60"];
    let (code, _, complaint) = xtask(&slow);
    assert_eq!(code, Some(3), "{complaint}");
    assert!(complaint.starts_with("error: no answer within 300 ms"), "{complaint}");
    let (code, _, complaint) = xtask(&["compare", "--timeout", "2s", &right, &right]);
    assert_eq!(code, Some(2), "{complaint}");
}

#[test]
fn what_is_no_two_runs_exits_with_2_and_a_command_that_does_not_start_with_3() {
    let folder = Folder::new();
    let file = folder.write("report.json", "{}");
    for arguments in [&["compare"][..], &["compare", &file], &["compare", &file, &file]] {
        let (code, printed, complaint) = xtask(arguments);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(complaint.starts_with("error: "), "{complaint}");
    }
    let dying = ["compare", "--run", ONE, "--", "false", "--", "false"];
    assert_eq!(xtask(&dying).0, Some(3));
}

#[test]
fn a_transcript_is_kept_where_something_failed_and_can_be_asked_again() {
    let folder = Folder::new();
    let kept = folder.shown("transcripts");
    let flags = ["conformance", "--run", ONE, "--transcript", &kept];
    assert_eq!(xtask(&flags).0, Some(0));
    assert!(!Path::new(&kept).exists(), "what passes leaves nothing");
    let dying = ["--", "sh", "-c", DYING];
    assert_eq!(xtask(&[&flags[..], &dying].concat()).0, Some(1));
    let file = folder.shown(&format!("transcripts/{ONE}.jsonl"));
    let lines = folder.read(&format!("transcripts/{ONE}.jsonl"));
    assert!(lines.starts_with("{\"request\":{\"kind\":\"load\",\"files\":{"), "{lines}");
    let (code, printed, _) = xtask(&[&["replay", &file][..], &dying].concat());
    assert_eq!((code, printed.as_str()), (Some(0), "1 request, every answer as recorded\n"));
    let (code, printed, _) = xtask(&["replay", &file]);
    assert_eq!(code, Some(1));
    assert!(printed.starts_with("request 1 of 1, load: the whole answer\n  recorded  "), "{printed}");
    let broken = folder.write("broken.jsonl", "{}\n");
    let (code, _, complaint) = xtask(&["replay", &broken]);
    assert_eq!(code, Some(2));
    assert!(complaint.starts_with(&format!("error: {broken}: line 1: ")), "{complaint}");
    assert_eq!(xtask(&["replay", &file, "--", "false"]).0, Some(3));
}

#[test]
fn the_transcripts_of_an_earlier_run_do_not_linger_and_nothing_else_is_removed() {
    let folder = Folder::new();
    let kept = folder.shown("transcripts");
    let capable =
        DYING.replace("[\"schema\"]", "[\"schema\",\"discovery\",\"execution\",\"memory\",\"virtual_time\"]");
    let dying = ["--", "sh", "-c", &capable];
    let flags = ["conformance", "--run", ONE, "--transcript", &kept];
    assert_eq!(xtask(&[&flags[..], &dying].concat()).0, Some(1));
    let file = folder.shown(&format!("transcripts/{ONE}.jsonl"));
    assert!(Path::new(&file).exists());
    folder.write("transcripts/notes.txt", "ours");
    folder.write("transcripts/schema/mine.jsonl", "ours");
    folder.write("outside.jsonl", "ours");
    let list = folder.read("transcripts/.transcripts");
    assert_eq!(list, format!("{ONE}.jsonl\n"));
    folder.write("transcripts/.transcripts", &format!("{list}../outside.jsonl\nnotes.txt\n"));
    let other = ["conformance", "--run", OTHER, "--transcript", &kept];
    assert_eq!(xtask(&[&other[..], &dying].concat()).0, Some(1));
    assert!(!Path::new(&file).exists(), "of an earlier run");
    assert_eq!(folder.read("transcripts/.transcripts"), format!("{OTHER}.jsonl\n"));
    assert_eq!(xtask(&flags).0, Some(0));
    assert!(!folder.path(&format!("transcripts/{OTHER}.jsonl")).exists(), "of an earlier run");
    assert!(!folder.path("transcripts/memory").exists(), "nothing is in it any more");
    for kept in ["transcripts/notes.txt", "transcripts/schema/mine.jsonl", "outside.jsonl"] {
        assert_eq!(folder.read(kept), "ours", "{kept}");
    }
    folder.write("a file", "");
    let nowhere = ["conformance", "--run", ONE, "--transcript", &folder.shown("a file")];
    let (code, printed, complaint) = xtask(&nowhere);
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
}

#[test]
fn a_folder_for_transcripts_that_cannot_be_written_is_known_before_anything_is_run() {
    let folder = Folder::new();
    let ran = folder.shown("ran");
    folder.write("a file", "");
    folder.write("report.json", "of an earlier run");
    let json = format!("json={}", folder.shown("report.json"));
    for nowhere in [folder.shown("a file"), folder.shown("a file/below"), "/proc/no such/folder".to_owned()] {
        let flags = ["conformance", "--run", ONE, "--report", &json, "--transcript", &nowhere];
        let (code, printed, complaint) = xtask(&[&flags[..], &["--", "touch", &ran]].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
        assert!(complaint.starts_with(&format!("error: --transcript {nowhere}: ")), "{complaint}");
        assert_eq!(folder.read("report.json"), "of an earlier run", "a slip takes nothing away");
    }
    assert!(!Path::new(&ran).exists(), "something was run");
    let (code, _, complaint) =
        xtask(&["conformance", "--run", ONE, "--transcript", &folder.shown("new/folder")]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(!folder.path("new").exists(), "what passes leaves nothing");
}
