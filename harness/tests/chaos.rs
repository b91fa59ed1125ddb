//! Processes that misbehave in every way: each has its verdict, the run goes on, and nothing is left behind.
//!
//! This program is suite and adapter in one: it starts itself, with a part to play.
//! Rules: design, "The boundary"; docs/adapters.md, "When something goes wrong".
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

#[path = "chaos/adapter.rs"]
mod adapter;
#[path = "chaos/behaviour.rs"]
mod behaviour;
#[path = "chaos/running.rs"]
mod running;

use std::path::Path;
use std::process::ExitCode;

use adapter::Part;
use behaviour::{Behaviour, GREETINGS, Greeting, TABLE};
use harness::implementation::Fault;
use harness::suite::CampaignError;
use harness::transport::Command;
use harness::verdict::Status;
use libtest_mimic::{Arguments, Trial};
use running::{Ground, Seen};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--misbehave", name, alive] => {
            let behaviour = TABLE.iter().map(|(one, ..)| *one).find(|one| format!("{one:?}") == *name);
            adapter::play(&Part::Misbehave(behaviour.unwrap()), Path::new(alive));
            ExitCode::SUCCESS
        }
        ["--greet", name, alive] => {
            let greeting = GREETINGS.iter().map(|(one, _)| *one).find(|one| format!("{one:?}") == *name);
            adapter::play(&Part::Greet(greeting.unwrap()), Path::new(alive));
            ExitCode::SUCCESS
        }
        ["--linger", alive] => {
            adapter::play(&Part::Linger, Path::new(alive));
            ExitCode::SUCCESS
        }
        ["--suite-at-rest", folder] => {
            Ground::at(Path::new(folder)).rest();
            ExitCode::SUCCESS
        }
        ["--suite", folder] => {
            _ = Ground::at(Path::new(folder)).run_patiently(Behaviour::Hangs);
            ExitCode::SUCCESS
        }
        _ => libtest_mimic::run(&Arguments::from_args(), trials()).exit_code(),
    }
}

fn trials() -> Vec<Trial> {
    let behaviours = TABLE.iter().map(|(behaviour, status, reason)| {
        trial(format!("{behaviour:?}"), move || misbehaves(*behaviour, *status, reason))
    });
    let greetings = GREETINGS
        .iter()
        .map(|(greeting, said)| trial(format!("the greeting {greeting:?}"), move || greets(*greeting, said)));
    let others = [
        trial("a command that does not exist".to_owned(), does_not_exist),
        trial("a command that is written wrongly".to_owned(), is_written_wrongly),
        trial("an implementation that never answers is given up".to_owned(), never_answers),
        trial("an interruption ends everything".to_owned(), is_interrupted),
        trial("what a killed suite leaves behind is swept by the next".to_owned(), is_killed),
    ];
    behaviours.chain(greetings).chain(others).collect()
}

fn trial(name: String, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        run();
        Ok(())
    })
}

fn misbehaves(behaviour: Behaviour, status: Status, reason: &str) {
    let is_silence = status == Status::Timeout
        || matches!(behaviour, Behaviour::StaysAfterItsFarewell | Behaviour::StartsSlowly);
    let ground = Ground::new();
    let seen = ground.run(behaviour, is_silence.then_some(300)).unwrap();
    let [first, second, third] = seen.as_slice() else { panic!("three scenarios, and not {seen:?}") };
    assert_eq!(first.status, status, "{}", first.reason);
    assert!(first.reason.contains(reason), "{reason}\nis not in\n{}", first.reason);
    for next in [second, third] {
        assert_eq!(next, &Seen { status: Status::Pass, reason: String::new() });
    }
    ground.is_deserted();
}

fn greets(greeting: Greeting, said: &str) {
    let ground = Ground::new();
    let error = ground.greet(&["--greet", &format!("{greeting:?}")]);
    assert!(error.to_string().contains(said), "{error}");
    assert!(matches!(error, CampaignError::NotStarted(_)));
    ground.is_deserted();
}

/// What is said of a program that cannot be started.
fn refused(program: &str) -> String {
    let ground = Ground::new();
    let error = ground.run_command(Command::new([program]).unwrap(), 1).unwrap_err();
    let CampaignError::NotStarted(Fault::NotStarted(said)) = error else { panic!("{error}") };
    ground.is_deserted();
    said
}

fn does_not_exist() {
    assert_eq!(refused("/no/such/adapter"), "`/no/such/adapter`: No such file or directory (os error 2)");
}

fn is_written_wrongly() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode: u32| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let (plain, lost) = (file("a.py", "", 0o644), file("b.py", "#!/no/such/python\n", 0o755));
    let unmarked = file("c.py", "print()\n", 0o755);
    for (program, remedy) in [
        // A test runs in the folder of its package.
        ("Cargo.toml", "a file of this folder that is not on the PATH is started as `./Cargo.toml`"),
        ("python3 a.py", "no quotes around the whole command: each word is an argument of its own"),
        (&lost, "the file is there: what its first line (`#!`) names is not"),
        (&plain, "make it executable (`chmod +x`), or write the program that runs it before it"),
        (&unmarked, "begin it with a line `#!` that names what runs it, or write that program before it"),
    ] {
        let said = refused(program);
        assert!(said.starts_with(&format!("`{program}`: ")), "{said}");
        assert!(said.ends_with(&format!("; {remedy}")), "{said}");
    }
}

fn never_answers() {
    let ground = Ground::new();
    let seen = ground.run_always_misbehaving(Behaviour::Hangs, 30);
    assert!(seen.iter().all(|seen| seen.status == Status::Timeout), "{seen:?}");
    let given_up = "given up after 20 silences in a row, nothing was asked";
    let first = seen.iter().position(|seen| seen.reason.contains(given_up));
    assert_eq!(first, Some(20), "{seen:?}");
    ground.is_deserted();
}

fn is_interrupted() {
    let ground = Ground::new();
    let program = std::env::current_exe().unwrap();
    let mut suite = std::process::Command::new(program).arg("--suite").arg(ground.folder()).spawn().unwrap();
    ground.is_populated(1);
    let process = rustix::process::Pid::from_child(&suite);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let status = suite.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2), "{status}");
    ground.is_deserted();
}

fn is_killed() {
    let ground = Ground::new();
    let program = std::env::current_exe().unwrap();
    let start =
        || std::process::Command::new(&program).arg("--suite-at-rest").arg(ground.folder()).spawn().unwrap();
    let mut killed = start();
    ground.is_populated(1);
    let mut alive = start();
    ground.is_populated(2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(ground.folders().len(), 2, "nobody was there to remove it");
    let seen = ground.run(Behaviour::SaysMoreThanItMust, None).unwrap();
    assert!(seen.iter().all(|seen| seen.status == Status::Pass), "{seen:?}");
    let left = ground.folders();
    let [left] = left.as_slice() else { panic!("one of a suite that is alive, and not {left:?}") };
    assert!(left.contains(&format!("-{}-", alive.id())), "{left}");
    alive.kill().unwrap();
    alive.wait().unwrap();
    ground.run(Behaviour::SaysMoreThanItMust, None).unwrap();
    ground.is_deserted();
}
