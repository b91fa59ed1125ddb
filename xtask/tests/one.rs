//! `show` and `sweep`, as a user starts them, with an implementation behind a command.
//!
//! Knows only what is printed, and the exit codes; timelines and the rules of a sweep are tested in the library.
//! Rules: the exit codes of `cargo xtask --help`.
#![allow(clippy::unwrap_used, reason = "helpers of a test")]

use std::process::Command;

const SCENARIO: &str = "\
scenario: A turn ends
covers: [CAN-01]
steps:
  - wait: 1s
  - user: Hello
    llm: [{say: Hi}]
    expect: {outcome: completed}
";

/// Answers requests as they come, so many at most; then does something else.
const ADAPTER: &str = r#"
left=$1
awaits='{"started_ms":1000,"ended_ms":1000,"what":"bank.transfer","place":"tools.py:8","ended":"returned"}'
n=0
while read -r line; do
  n=$((n+1))
  case $line in
    *'"kind":"hello"'*) reply='{"result":{"name":"shell","version":"1","language":"sh","protocol":1,"edition":"3.20",
      "capabilities":["schema","discovery","execution","cancellation","virtual_time"]}}';;
    *'"kind":"load"'*) reply='{"result":{"outcome":"ok"}}';;
    *'"kind":"wait"'*) reply='{"result":{"now_ms":1000}}';;
    *'"kind":"turn"'*) reply='{"result":{"outcome":"completed","started_ms":1000,"ended_ms":1000,
      "llm_calls":[{"at_ms":1000,"offered":{},"read":[],"say":"Hi","calls":[]}],"tools":[{
      "tool":"t","trigger":"llm","arguments":{},"started_ms":1000,"ended_ms":1000,"outcome":"returned",
      "awaits":['$awaits']}]}}';;
    *) reply='{"result":{}}';;
  esac
  if [ "$left" -le 0 ]; then echo 'out of paper' >&2; eval "$2"; fi
  left=$((left-1))
  echo '{"id":'$n',"reply":'$reply'}' | tr -d '\n'
  echo
done
"#;

/// Exit code, stdout, stderr of a command about the scenario, with an adapter that answers so many requests.
fn about(command: &str, answers: &str, then: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("draft.yml");
    std::fs::write(&file, SCENARIO).unwrap();
    let flags = [command, file.to_str().unwrap(), "--timeout", "2s", "--"];
    xtask(&[&flags[..], &["sh", "-c", ADAPTER, "adapter", answers, then]].concat())
}

fn xtask(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn show_shows_what_the_command_answers() {
    let (code, printed, complaint) = about("show", "99", "");
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{printed}");
    assert!(printed.starts_with("draft: A turn ends\n\nstep 1\n  it is 1000 ms\n\nstep 2"), "{printed}");
}

#[test]
fn show_shows_what_there_was_before_a_fault_and_exits_with_1() {
    let (code, printed, complaint) = about("show", "3", "exit 7");
    assert_eq!(code, Some(1), "{complaint}");
    assert_eq!(printed, "draft: A turn ends\n\nstep 1\n  it is 1000 ms\n\n");
    let expected = "error: step 2: the implementation crashed: exit status: 7, before it answered `turn`\n\
                    its stderr:\n  out of paper\n";
    assert_eq!(complaint, expected);
    let (code, _, complaint) = about("show", "1", "exec sleep 20");
    assert_eq!(code, Some(1), "{complaint}");
    assert!(
        complaint.starts_with("error: the project: no answer within 2000 ms of real time\n"),
        "{complaint}"
    );
    let (code, _, complaint) = about("show", "2", "reply=2");
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.starts_with("error: step 1: the answer breaks the protocol: "), "{complaint}");
}

#[test]
fn a_reply_without_a_result_is_shown_and_exits_with_1() {
    let then = r#"reply='{"errored":{"message":"not my day","detail":""}}'"#;
    let (code, printed, complaint) = about("show", "3", then);
    assert_eq!((code, complaint.as_str()), (Some(1), "its stderr:\n  out of paper\n"), "{printed}");
    let step = "step 2\n  the implementation reports a fault of its own: not my day\n";
    assert!(printed.contains(step), "{printed}");
    let (code, printed, _) = about("show", "1", then);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.ends_with("\nthe project: the implementation reports a fault of its own: not my day\n"));
}

#[test]
fn sweep_sweeps_what_the_command_answers() {
    let (code, printed, complaint) = about("sweep", "99", "");
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{printed}");
    assert_eq!(printed, "draft: A turn ends\n3 points, 0 wrong\n");
}

#[test]
fn a_turn_in_which_no_tool_is_suspended_is_nothing_to_sweep() {
    let (code, printed, _) = about("sweep", "0", "awaits=");
    assert_eq!(code, Some(1), "{printed}");
    let reason = "no tool was suspended in the last turn, so there is nothing to cut off\n";
    assert!(printed.ends_with(reason), "{printed}");
}

#[test]
fn a_fault_ends_a_sweep_at_its_point_and_exits_with_1() {
    // Greeting, project, wait and turn, then project and wait of the first cut.
    let (code, printed, complaint) = about("sweep", "6", "exit 7");
    assert_eq!(code, Some(1), "{complaint}");
    assert_eq!(printed, "draft: A turn ends\n1 point, 1 wrong\n");
    let expected = "error: cut off at suspension 1: the implementation crashed: exit status: 7, before it answered \
                    `turn`\nits stderr:\n  out of paper\n";
    assert_eq!(complaint, expected);
    let (code, _, complaint) = about("sweep", "3", "exit 7");
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.starts_with("error: step 2: the implementation crashed: "), "{complaint}");
    // Between the cuts, where the answers are only there to come to the cut.
    let (code, _, complaint) = about("sweep", "5", "exit 7");
    assert_eq!(code, Some(1), "{complaint}");
    assert!(complaint.contains("the implementation crashed: exit status: 7, before it answered `wait`"));
}

#[test]
fn a_command_that_does_not_start_exits_with_3_and_one_that_is_none_with_2() {
    for command in ["show", "sweep"] {
        let flags = [command, "memory/false_then_true", "--start-timeout", "2s", "--"];
        let (code, printed, complaint) = xtask(&[&flags[..], &["/no/such/adapter"]].concat());
        assert_eq!((code, printed.as_str()), (Some(3), ""), "{complaint}");
        let expected = "error: the implementation did not start: `/no/such/adapter`: ";
        assert!(complaint.starts_with(expected), "{complaint}");
        let (code, _, complaint) = xtask(&[&flags[..], &[""]].concat());
        assert_eq!(code, Some(2), "{complaint}");
        let (code, _, complaint) = xtask(&[command, "memory/false_then_true", "--timeout", "2s"]);
        assert_eq!(code, Some(2), "{complaint}");
        let (code, _, complaint) = xtask(&[command, "memory/false_then_treu"]);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains("did you mean `memory/false_then_true`?"), "{complaint}");
    }
}

#[test]
fn what_is_errored_in_a_cut_is_shown_at_its_point_and_exits_with_1() {
    let then = r#"reply='{"errored":{"message":"not my day","detail":""}}'"#;
    let (code, printed, complaint) = about("sweep", "6", then);
    assert_eq!(code, Some(1), "{printed}");
    let expected = "draft: A turn ends\n\ncut off at suspension 1\n  the implementation reports a fault of its own: \
                    not my day\n";
    assert!(printed.starts_with(expected), "{printed}");
    assert!(printed.ends_with("\n3 points, 3 wrong\n"), "{printed}");
    assert!(complaint.starts_with("its stderr:\n  out of paper\n"), "{complaint}");
}
