//! What an exchange with a child process costs, beside a bare ping-pong of the same bytes over the same kind
//! of pipes: the difference is JSON on both sides, the limits, and watching stderr.
#![allow(missing_docs, reason = "benchmarks are named by what they measure")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot start has nothing to say")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use divan::Bencher;
use harness::implementation::{Fault, Implementation};
use harness::project::{MemoryProject, ProjectSource};
use harness::protocol::{
    EventRecord, HelloReport, LoadReport, Reply, ReplyLine, Request, RequestLine, Session, Turn, TurnTrace,
    UserInput, Wait, WaitReport, World,
};
use harness::reference::Reference;
use harness::transport::{Command, child_process, serve};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--serve") => serve(
            &mut Canned { ready: vec![trace(); READY] },
            std::io::stdin().lock(),
            std::io::stdout().lock(),
        )
        .unwrap(),
        Some("--echo") => echo(&std::env::args().nth(2).unwrap()),
        _ => divan::main(),
    }
}

/// Answers at once, with traces made before they are asked for, so that only the way is measured.
struct Canned {
    ready: Vec<TurnTrace>,
}

/// How many traces are made at once.
const READY: usize = 1_000;

impl Implementation for Canned {
    fn hello(&mut self) -> Result<Reply<HelloReport>, Fault> {
        Reference::new().hello()
    }

    fn load(&mut self, _: &dyn ProjectSource, _: &World, _: &Session) -> Result<Reply<LoadReport>, Fault> {
        Ok(Reply::Result(LoadReport::default()))
    }

    fn turn(&mut self, _: &Turn) -> Result<Reply<TurnTrace>, Fault> {
        if self.ready.is_empty() {
            self.ready = vec![trace(); READY];
        }
        Ok(Reply::Result(self.ready.pop().unwrap()))
    }

    fn wait(&mut self, _: Wait) -> Result<Reply<WaitReport>, Fault> {
        Ok(Reply::Result(WaitReport::default()))
    }

    fn bye(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// About as long as the trace of a turn with a tool is: two kilobytes.
fn trace() -> TurnTrace {
    let data = [("name".to_owned(), "project.account".into()), ("value".to_owned(), 12.5.into())];
    let event = EventRecord { at_ms: 1000, event: "memory_set".to_owned(), data: data.into_iter().collect() };
    TurnTrace { events: vec![event; 20], ..TurnTrace::default() }
}

fn turn() -> Turn {
    Turn { input: UserInput::Says("Pay Bob ten".to_owned()), llm: Vec::new(), interrupt: None }
}

/// Answers every line with the same line.
fn echo(answer: &str) {
    let mut requests = std::io::stdin().lock();
    let mut replies = std::io::stdout().lock();
    let answer = format!("{answer}\n");
    let mut line = Vec::new();
    while requests.read_until(b'\n', &mut line).unwrap() > 0 {
        line.clear();
        replies.write_all(answer.as_bytes()).unwrap();
        replies.flush().unwrap();
    }
}

fn bare_ping_pong(bencher: Bencher<'_, '_>, request: Request, reply: &impl serde::Serialize) {
    let mut request = serde_json::to_string(&RequestLine { id: 1, request }).unwrap();
    request.push('\n');
    let (mut child, mut requests, mut replies) = start_echo(&serde_json::to_string(reply).unwrap());
    let mut line = Vec::new();
    bencher.bench_local(|| {
        line.clear();
        requests.write_all(request.as_bytes()).unwrap();
        replies.read_until(b'\n', &mut line).unwrap()
    });
    drop(requests);
    child.wait().unwrap();
}

fn start_echo(answer: &str) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--echo", answer])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (requests, replies) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, requests, BufReader::new(replies))
}

fn start() -> Box<dyn Implementation> {
    let program = std::env::current_exe().unwrap().into_os_string();
    child_process(Command::new([program, "--serve".into()]).unwrap())().unwrap()
}

#[divan::bench]
fn a_small_bare_ping_pong(bencher: Bencher<'_, '_>) {
    let reply = ReplyLine { id: 1, reply: Reply::Result(WaitReport::default()) };
    bare_ping_pong(bencher, Request::Wait(Wait { for_ms: 5 }), &reply);
}

#[divan::bench]
fn b_small_exchange(bencher: Bencher<'_, '_>) {
    let mut implementation = start();
    bencher.bench_local(|| implementation.wait(Wait { for_ms: 5 }).unwrap());
}

#[divan::bench]
fn c_usual_bare_ping_pong(bencher: Bencher<'_, '_>) {
    let reply = ReplyLine { id: 1, reply: Reply::Result(trace()) };
    bare_ping_pong(bencher, Request::Turn(turn()), &reply);
}

#[divan::bench]
fn d_usual_exchange(bencher: Bencher<'_, '_>) {
    let mut implementation = start();
    let turn = turn();
    bencher.bench_local(|| implementation.turn(&turn).unwrap());
}

#[divan::bench]
fn e_a_project_written_and_loaded(bencher: Bencher<'_, '_>) {
    let files =
        ["agent.yml", "integrations.yml", "skills/pay/skill.md", "skills/pay/tools.py", "lib/bank.py"];
    let project: MemoryProject = files.map(|path| (path, "x".repeat(1000))).into_iter().collect();
    let mut implementation = start();
    bencher.bench_local(|| implementation.load(&project, &World::default(), &Session::default()).unwrap());
}

/// What of a usual exchange is JSON: a trace written by one side,
#[divan::bench]
fn f_of_it_writing_the_trace(bencher: Bencher<'_, '_>) {
    let reply = ReplyLine { id: 1, reply: Reply::Result(trace()) };
    let mut line = Vec::new();
    bencher.bench_local(|| {
        line.clear();
        serde_json::to_writer(&mut line, &reply).unwrap();
    });
}

/// and read by the other.
#[divan::bench]
fn g_of_it_reading_the_trace(bencher: Bencher<'_, '_>) {
    let reply = serde_json::to_vec(&ReplyLine { id: 1, reply: Reply::Result(trace()) }).unwrap();
    bencher.bench_local(|| serde_json::from_slice::<ReplyLine<TurnTrace>>(&reply).unwrap());
}
