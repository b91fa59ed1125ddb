//! The process that misbehaves: sound in everything but one thing, and that only when it is told to.
//!
//! Written against the protocol as an adapter in another language would be: JSON values, no types.
//! Rules: docs/adapters.md.

use std::fs::File;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::behaviour::{Behaviour, Greeting};

/// What to do, given on the command line.
pub(crate) enum Part {
    Misbehave(Behaviour),
    Greet(Greeting),
    /// Only to be there, for a while: a grandchild.
    Linger,
}

/// Does nothing for a while.
pub(crate) fn pause(milliseconds: u64) {
    std::thread::park_timeout(Duration::from_millis(milliseconds));
}

/// Plays a part. Who holds a shared lock on `alive` is alive.
pub(crate) fn play(part: &Part, alive: &Path) {
    let file = File::open(alive).unwrap();
    file.lock_shared().unwrap();
    match part {
        // Longer than any test: whoever is to be ended must be ended by somebody.
        Part::Linger => pause(20_000),
        Part::Misbehave(behaviour) => Adapter { behaviour: Some(*behaviour), alive }.serve(),
        Part::Greet(greeting) => greet(*greeting),
    }
}

fn greet(greeting: Greeting) {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    match greeting {
        Greeting::NeverComes => pause(20_000),
        Greeting::IsGarbage => say(b"hello yourself\n"),
        Greeting::IsAFault => {
            say(b"{\"id\": 1, \"reply\": {\"errored\": {\"message\": \"no licence\", \"detail\": \"\"}}}\n");
        }
        Greeting::IsOfAnotherProtocol => {
            let mut greeting = sound("hello");
            greeting["protocol"] = json!(99);
            answer(1, &json!({"result": greeting}));
        }
        Greeting::IsOfAnotherProtocolThroughout => {
            answer(1, &json!({"result": {"protocol": 99, "capabilities": ["time-travel"]}}));
        }
        Greeting::IsADeath => std::process::exit(1),
    }
}

struct Adapter<'adapter> {
    behaviour: Option<Behaviour>,
    alive: &'adapter Path,
}

impl Adapter<'_> {
    fn serve(&self) {
        let mut is_told = false;
        if self.behaviour == Some(Behaviour::StartsSlowly) {
            pause(400);
        }
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut line = String::new();
            if stdin.read_line(&mut line).unwrap() == 0 {
                return;
            }
            let line: Value = serde_json::from_str(&line).unwrap();
            let (id, request) = (line["id"].as_u64().unwrap(), &line["request"]);
            let kind = request["kind"].as_str().unwrap();
            if kind == "load" {
                is_told = request["session"]["metadata"]["misbehave"] == true;
                let left = check_project(Path::new(request["root"].as_str().unwrap()));
                if let Some(left) = left {
                    answer(id, &json!({"errored": {"message": left, "detail": ""}}));
                    continue;
                }
            }
            let misbehaved = match self.behaviour {
                Some(behaviour) if is_told => self.misbehave(behaviour, id, kind, request),
                _ => false,
            };
            if !misbehaved {
                answer(id, &json!({"result": sound(kind)}));
            }
            if kind == "bye" {
                if self.behaviour == Some(Behaviour::StaysAfterItsFarewell) {
                    pause(20_000);
                }
                return;
            }
        }
    }

    /// Misbehaves, or tells that the request is to be answered as it should be.
    #[expect(clippy::too_many_lines, reason = "one arm for each behaviour, read like a table")]
    fn misbehave(&self, behaviour: Behaviour, id: u64, kind: &str, request: &Value) -> bool {
        use Behaviour as B;
        let result = json!({"result": sound(kind)});
        let root = request["root"].as_str().map(Path::new);
        match (behaviour, kind) {
            (B::ExitsWithSuccess, "load") => std::process::exit(0),
            (B::ExitsWithAnError, "turn") => std::process::exit(3),
            (B::EndsBySignal, "load") => end_by_signal(),
            (B::Panics, "load") => panic!("the sky fell"),
            (B::DiesInTheMiddleOfALine, "load") => {
                say(b"{\"id\": 1, \"rep");
                std::process::exit(1);
            }
            (B::DiesBetweenRequests, "load") => {
                answer(id, &result);
                std::process::exit(0);
            }
            (B::DiesAndLeavesAGrandchild, "load") => {
                self.leave_a_grandchild(false);
                std::process::exit(1);
            }
            (B::DiesAndAGrandchildHoldsItsStreams, "load") => {
                self.leave_a_grandchild(true);
                std::process::exit(1);
            }
            (B::Hangs, "load") => pause(20_000),
            (B::HangsInTheMiddleOfALine, "load") => {
                say(b"{\"id\": 1, \"rep");
                pause(20_000);
            }
            (B::HangsAndLeavesAGrandchild, "load") => {
                self.leave_a_grandchild(true);
                pause(20_000);
            }
            (B::FloodsStderrForever, "load") => loop {
                flood_stderr();
            },
            (B::StopsReading, "load") => {
                answer(id, &result);
                pause(20_000);
            }
            (B::PrintsGarbage, "load") => say(b"I would rather not\n"),
            (B::PrintsWhatIsNoText, "load") => say(&[0xff, 0xfe, 0, b'\n']),
            (B::PrintsAnEmptyLine, "load") => say(b"\n"),
            (B::PrintsALogLine, "load") => {
                say(b"just so you know\n");
                answer(id, &result);
            }
            (B::AnswersWithAnotherId, "load") => answer(1000, &result),
            (B::AnswersWithoutId, "load") => say(format!("{}\n", json!({"reply": result})).as_bytes()),
            (B::AnswersTwice, "load") => {
                answer(id, &result);
                answer(id, &result);
            }
            (B::AnswersTwoRequestsAtOnce, "load") => {
                let next = json!({"id": id + 1, "reply": {"result": sound("turn")}});
                say(format!("{}\n{next}\n", json!({"id": id, "reply": result})).as_bytes());
            }
            (B::AnswersInAnotherShape, "load") => answer(id, &json!({"result": {"outcome": "maybe"}})),
            (B::AnswersAnotherRequest, "load") => answer(id, &json!({"result": sound("wait")})),
            (B::AnswersInTwoWays, "load") => {
                answer(id, &json!({"result": sound(kind), "errored": {"message": "", "detail": ""}}));
            }
            (B::WritesALineThatIsTooLong, "load") => {
                answer(id, &json!({"result": {"outcome": "ok", "more": "x".repeat(200_000)}}));
            }
            (B::WritesALineThatNeverEnds, "load") => loop {
                say(&[b'x'; 1000]);
            },
            (B::ClosesItsInput, "load") => {
                rustix::stdio::dup2_stdin(File::open("/dev/null").unwrap()).unwrap();
                answer(id, &result);
                pause(20_000);
            }
            (B::ClosesItsOutput, "load") => {
                let nothing = File::options().write(true).open("/dev/null").unwrap();
                rustix::stdio::dup2_stdout(nothing).unwrap();
                pause(20_000);
            }
            (B::ReportsAFaultOfItsOwn, "load") => {
                answer(id, &json!({"errored": {"message": "not my day", "detail": "at line 1"}}));
            }
            (B::SkipsWhatItDeclared, "load") => {
                answer(id, &json!({"skipped": {"capability": "schema", "message": "not today"}}));
            }
            (B::FloodsStderr, _) => {
                (0..64).for_each(|_| flood_stderr());
                return false;
            }
            (B::SaysMoreThanItMust, _) => {
                let mut more = sound(kind);
                more["mood"] = json!({"today": "good"});
                let line = json!({"took_ms": 3, "id": id, "reply": {"result": more}, "thanks": null});
                say(format!("{line}\n").as_bytes());
            }
            (B::AnswersInPieces, _) => {
                for byte in format!("{}\n", json!({"id": id, "reply": result})).bytes() {
                    say(&[byte]);
                }
            }
            (B::LeavesFilesInTheProject, "load") => {
                let root = root.unwrap();
                std::fs::create_dir_all(root.join("skills/main/__pycache__/deep")).unwrap();
                std::fs::write(root.join("left_behind.txt"), "x").unwrap();
                std::fs::write(root.join("agent.yml"), "changed").unwrap();
                return false;
            }
            (B::RemovesTheProject, "load") => {
                std::fs::remove_dir_all(root.unwrap()).unwrap();
                return false;
            }
            (B::LinksTheProjectElsewhere, "load") => {
                let root = root.unwrap();
                std::fs::remove_dir_all(root).unwrap();
                std::os::unix::fs::symlink("/", root).unwrap();
                return false;
            }
            _ => return false,
        }
        true
    }

    fn leave_a_grandchild(&self, holds_our_streams: bool) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("--linger").arg(self.alive);
        if !holds_our_streams {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        }
        // Nobody waits for it: that is the point.
        _ = command.spawn().unwrap().id();
    }
}

/// What is wrong with the folder of a project that should be as it was written.
fn check_project(root: &Path) -> Option<String> {
    if std::fs::symlink_metadata(root).unwrap().is_symlink() {
        return Some("the project is a link".to_owned());
    }
    let unwanted =
        ["left_behind.txt", "skills/main/__pycache__"].into_iter().find(|path| root.join(path).exists());
    if let Some(unwanted) = unwanted {
        return Some(format!("{unwanted} is still there"));
    }
    let agent = std::fs::read_to_string(root.join("agent.yml")).unwrap();
    (agent == "changed").then(|| "agent.yml is not the project's own".to_owned())
}

fn sound(kind: &str) -> Value {
    match kind {
        "hello" => json!({
            "name": "chaos", "version": "0", "language": "none", "protocol": 1, "edition": "none",
            "capabilities": harness::protocol::Capability::ALL.map(harness::protocol::Capability::name),
        }),
        "load" => json!({"outcome": "ok"}),
        "turn" => json!({"outcome": "completed", "started_ms": 0, "ended_ms": 0}),
        "wait" => json!({"now_ms": 0}),
        _ => json!({}),
    }
}

fn answer(id: u64, reply: &Value) {
    say(format!("{}\n", json!({"id": id, "reply": reply})).as_bytes());
}

fn say(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    // Nobody may be listening any more.
    _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

fn flood_stderr() {
    let flood = "so much to say, so little time\n".repeat(1000);
    _ = std::io::stderr().write_all(flood.as_bytes());
}

fn end_by_signal() {
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
    pause(20_000);
}
