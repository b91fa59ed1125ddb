//! `conformance` and `list`, as a user starts them.
//!
//! Knows only what is printed, and the exit codes; verdicts are tested in the library.
//! Rules: the exit codes of `cargo xtask --help`.
#![allow(clippy::unwrap_used, reason = "helpers of a test")]

use std::process::{Command, Stdio};

const ONE: &str = "schema/type_str";

/// Exit code, stdout, stderr.
fn xtask(arguments: &[&str]) -> (Option<i32>, String, String) {
    ended(Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments))
}

fn ended(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn one_scenario_is_run_by_its_id() {
    let (code, printed, _) = xtask(&["conformance", "--run", ONE]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.starts_with("1 scenario for mantle-reference"), "{printed}");
    assert!(printed.contains(", embedded), edition "), "{printed}");
    let end = "\n1 scenario: 1 pass\nconformant in what was asked: a part of the suite\n";
    assert!(printed.ends_with(end), "{printed}");
    assert!(!printed.contains('\u{1b}'), "no colours where nobody sees them");
}

#[test]
fn the_json_report_is_one_document() {
    let (code, printed, _) = xtask(&["conformance", "--chapter", "SCH", "--format", "json", "--jobs", "3"]);
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["summary"]["exit_code"], code.unwrap());
    assert_eq!(document["implementation"]["name"], "mantle-reference");
    assert_eq!(printed, xtask(&["conformance", "--chapter", "SCH", "--format", "json", "--jobs", "1"]).1);
}

#[test]
fn nothing_selected_and_bad_flags_exit_with_2() {
    for arguments in [
        &["conformance", "no such scenario"][..],
        &["conformance", "--requirement", "sch-1"],
        &["conformance", "--run", "[a"],
        &["conformance", "--jobs", "0"],
        &["list", "--tag", "no such tag"],
    ] {
        let (code, printed, complaint) = xtask(arguments);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(complaint.starts_with("error: "), "{complaint}");
    }
}

#[test]
fn listing_runs_nothing_and_says_what_would_be_run() {
    let listed = xtask(&["list", "--run", ONE]);
    assert_eq!(listed, xtask(&["conformance", "--run", ONE, "--list"]));
    assert!(listed.1.starts_with("schema/type_str  [SCH-"), "{}", listed.1);
    let (_, printed, _) = xtask(&["list", "--run", ONE, "--format", "json"]);
    let entries: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(entries[0]["id"], ONE);
    assert_eq!(entries[0]["file"], "scenarios/schema/type_str.yml");
}

#[test]
fn a_command_that_cannot_be_asked_exits_with_3() {
    for (command, complaint) in [
        (&["/no/such/adapter"][..], "error: the implementation did not start: `/no/such/adapter`: "),
        (&["false"], "error: the implementation crashed: exit status: 1, before it answered `hello`"),
        (&["cat"], "error: the answer breaks the protocol: the answer to `hello` does not have its shape"),
        (&["sleep", "60"], "error: no answer within 300 ms of real time\nto `hello`\n"),
    ] {
        let flags = ["conformance", "--run", ONE, "--start-timeout", "300ms", "--"];
        let (code, printed, said) = xtask(&[&flags, command].concat());
        assert_eq!((code, printed.as_str()), (Some(3), ""), "{command:?}: {said}");
        assert!(said.starts_with(complaint), "{said}");
    }
}

#[test]
fn a_command_that_greets_is_put_through_the_scenarios_and_stays_no_longer_than_they_do() {
    let greeting = "{\"id\":1,\"reply\":{\"result\":{\"name\":\"shell\",\"version\":\"1\",\"language\":\"sh\",\
                    \"protocol\":1,\"edition\":\"3.20\",\"capabilities\":[\"schema\"]}}}";
    let script = format!("read -r hello; echo '{greeting}'; read -r load; echo 'no idea' >&2; exit 7");
    let arguments = ["conformance", "--run", ONE, "--timeout", "10s", "--", "sh", "-c", &script];
    let (code, printed, _) = xtask(&arguments);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.starts_with("1 scenario for shell 1 (sh), edition 3.20\n"), "{printed}");
    assert!(printed.contains("crashed: exit status: 7, before it answered `load`"), "{printed}");
    assert!(printed.contains(&format!("--run {ONE} --timeout 10s -- sh -c 'read -r hello; ")), "{printed}");
    assert!(printed.contains("its stderr:\n              no idea"), "{printed}");
}

#[test]
fn what_is_said_on_stderr_in_a_scenario_that_fails_stands_beside_it_and_in_no_document() {
    let greeting = "{\"id\":1,\"reply\":{\"result\":{\"name\":\"shell\",\"version\":\"1\",\"language\":\"sh\",\
                    \"protocol\":1,\"edition\":\"3.20\",\"capabilities\":[\"schema\"]}}}";
    // It knows no tools, has much to say about each project, and first something that is about none.
    let script = format!(
        "echo \"process $$\" >&2; read -r hello; echo '{greeting}'; n=1; while read -r line; do n=$((n+1)); \
         case $line in *'\"kind\":\"bye\"'*) exit;; esac; seq 1 90 | sed 's/^/complaint /' >&2; \
         echo '{{\"id\":'$n',\"reply\":{{\"result\":{{\"outcome\":\"ok\"}}}}}}'; done"
    );
    let run = |jobs: &str, format: &str| {
        let flags = ["conformance", "--run", "schema/type_*", "--jobs", jobs, "--format", format, "--"];
        xtask(&[&flags[..], &["sh", "-c", &script]].concat())
    };
    let (code, printed, _) = run("1", "text");
    assert_eq!(code, Some(1), "{printed}");
    let failures: Vec<&str> = printed.split("\nfail schema/").skip(1).collect();
    assert!(failures.len() > 1, "{printed}");
    let last: Vec<String> = (81..=90).map(|number| format!("    complaint {number}\n")).collect();
    let last = last.concat();
    let expected = format!("\n  the end of its stderr:\n{last}  rerun     cargo xtask conformance ");
    for failure in failures {
        assert_eq!(failure.matches(&expected).count(), 1, "{failure}");
        assert_eq!(failure.matches("stderr:").count(), 1, "{failure}");
        assert!(!failure.contains("    process "), "{failure}");
    }
    assert!(run("3", "text").1 == printed, "3 jobs tell another story");
    assert!(!run("1", "json").1.contains("complaint 90"));
}

#[test]
fn limits_and_commands_that_mean_nothing_exit_with_2() {
    for arguments in [
        &["conformance", "--timeout", "3", "--", "true"][..],
        &["conformance", "--timeout", "0s", "--", "true"],
        &["conformance", "--timeout", "3s"],
        &["conformance", "--", ""],
    ] {
        let (code, _, complaint) = xtask(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(complaint.starts_with("error: "), "{complaint}");
    }
}

#[test]
fn dashes_without_a_command_are_no_question_to_the_embedded_reference() {
    let transcript = "no such file.jsonl";
    for arguments in [
        &["conformance", "--run", ONE, "--"][..],
        &["conformance", "--run", ONE, "--list", "--"],
        &["show", ONE, "--"],
        &["sweep", ONE, "--"],
        &["replay", transcript, "--"],
    ] {
        let (code, printed, complaint) = xtask(arguments);
        let expected = "error: nothing stands after `--`; leave it out to run the embedded reference\n";
        assert_eq!((code, printed.as_str(), complaint.as_str()), (Some(2), "", expected), "{arguments:?}");
    }
    for commands in [&["--"][..], &["--", "--", "true"], &["--", "true", "--"]] {
        let (code, printed, complaint) = xtask(&[&["compare", "a.json", "b.json"], commands].concat());
        let expected = "error: nothing stands after `--`; a command goes there\n";
        assert_eq!((code, printed.as_str(), complaint.as_str()), (Some(2), "", expected), "{commands:?}");
    }
}

#[test]
fn a_command_where_only_cargo_test_looks_is_warned_of() {
    let with_variable = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        ended(command.args(arguments).env("CONFORMANCE_IMPL", "./my-adapter"))
    };
    let (code, printed, complaint) = with_variable(&["conformance", "--run", ONE]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(printed.contains(", embedded), edition "), "{printed}");
    assert!(complaint.starts_with("warning: only `cargo test` reads CONFORMANCE_IMPL; "), "{complaint}");
    let (_, _, complaint) = with_variable(&["conformance", "--run", ONE, "--", "false"]);
    assert!(!complaint.contains("CONFORMANCE_IMPL"), "{complaint}");
}

#[test]
fn a_value_that_selects_nothing_is_an_error_whatever_the_others_select() {
    let all = "`cargo xtask list` shows what there is";
    for (values, expected) in [
        (&["type_str", "nonsense"][..], format!("no scenario's id contains `nonsense`; {all}")),
        (
            &["--run", ONE, "--run", "schema/type_srt"],
            format!("no scenario's id matches `schema/type_srt`; did you mean `{ONE}`?"),
        ),
        (&["--run", "shcema/*"], "no scenario's id matches `shcema/*`; did you mean `schema/*`?".to_owned()),
        (
            &["--chapter", "schema", "--chapter", "discvery"],
            "there is no chapter `discvery` with scenarios; did you mean `discovery`?".to_owned(),
        ),
        (
            &["--tag", "sweep", "--tag", "sweeep"],
            "no scenario has the tag `sweeep`; did you mean `sweep`?".to_owned(),
        ),
        (
            &["--requirement", "SCH-01", "--requirement", "SHC-01"],
            "no scenario covers `SHC-01`; did you mean `SCH-01`?".to_owned(),
        ),
        (
            &["--run", "no/one", "--run", ONE, "zzz"],
            format!(
                "no scenario's id contains `zzz`; {all}\n       no scenario's id matches `no/one`; {all}"
            ),
        ),
    ] {
        let (code, printed, complaint) = xtask(&[&["list"], values].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{values:?}");
        assert_eq!(complaint, format!("error: {expected}\n"), "{values:?}");
    }
    for more in [&["--list"][..], &["--shard", "1/2"]] {
        let (code, printed, complaint) = xtask(&[&["conformance", "type_str", "nonsense"], more].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{more:?}");
        assert!(complaint.starts_with("error: no scenario's id contains `nonsense`; "), "{complaint}");
    }
    let (_, _, complaint) = xtask(&["list", "--requirement", "SCH-99"]);
    assert!(complaint.starts_with("error: no scenario covers `SCH-99`; did you mean `SCH-"), "{complaint}");
    let (_, _, complaint) = xtask(&["list", "--chapter", "nonsense"]);
    assert!(
        complaint.contains("with scenarios; use one of: ") && complaint.contains(", discovery, "),
        "{complaint}"
    );
}

#[test]
fn values_of_several_kinds_may_each_select_what_the_others_leave_out() {
    let (code, _, complaint) = xtask(&["list", "--run", ONE, "--chapter", "memory"]);
    assert_eq!(code, Some(2), "{complaint}");
    let expected =
        "error: no scenario is selected: each of these values has some, but together they leave none\n";
    assert_eq!(complaint, expected);
    let (code, _, complaint) = xtask(&["list", "--run", ONE, "--run", "memory/*", "--chapter", "schema"]);
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
}

#[test]
fn leaving_out_what_is_not_there_is_warned_of() {
    let (code, printed, complaint) =
        xtask(&["list", "--run", ONE, "--skip", "schema/none", "--skip", "memory/*"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(printed.starts_with(ONE), "{printed}");
    assert_eq!(complaint, "warning: --skip schema/none: no scenario's id matches, nothing is left out\n");
}

#[test]
fn who_reads_no_further_ends_the_program_quietly() {
    for arguments in [
        &["conformance", "--run", ONE][..],
        &["conformance", "--run", ONE, "--format", "json"],
        &["list", "--chapter", "schema"],
        &["show", ONE],
        &["coverage"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.as_str()), (Some(141), ""), "{arguments:?}");
    }
}

#[test]
fn a_complaint_that_nobody_reads_is_no_fault_of_the_suite() {
    for (arguments, code) in [(&["list", "no such scenario"][..], 2), (&["show", ONE, "--", "false"], 3)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let mut child = command.args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn no_jobs_are_a_slip_and_the_number_that_is_wanted_is_told() {
    let (code, _, complaint) = xtask(&["conformance", "--run", ONE, "--jobs", "0"]);
    assert_eq!(code, Some(2), "{complaint}");
    let expected = "error: invalid value '0' for '--jobs <N>': write a number from 1 on\n";
    assert!(complaint.starts_with(expected), "{complaint}");
}

#[cfg(unix)]
#[test]
fn who_interrupts_a_run_is_told_that_there_is_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let (started, report) = (folder.path().join("started"), folder.path().join("report.json"));
    let script = format!("touch {}; exec sleep 60", started.display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["conformance", "--run", ONE, "--report", &format!("json={}", report.display())])
        .args(["--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !started.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "interrupted: no report written\n");
    assert!(!report.exists());
}
