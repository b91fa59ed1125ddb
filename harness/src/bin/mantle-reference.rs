//! The reference implementation behind stdio, as any other implementation is reached.
//!
//! A composition root: names the reference, and hands it to the transport. Knows nothing of scenarios.
//! Rules: docs/adapters.md.

use std::io::Write;
use std::process::ExitCode;

use harness::protocol::PROTOCOL_VERSION;
use harness::reference::Reference;
use harness::runner::WORKER_STACK_BYTES;
use harness::transport::serve;

const HELP: &str = "\
The reference implementation of the tool-runtime contract, as a child process of the suite.

Usage: mantle-reference [--help | --version]

Reads requests from stdin and writes replies to stdout, one JSON object a line, until it is told `bye` or
its input ends. The protocol is described in docs/adapters.md. To run the suite against it:

    cargo xtask conformance -- target/debug/mantle-reference
";

/// Runs on a thread with as much stack as the suite's own workers have, so that no load maps one.
fn on_a_worker(work: fn() -> std::io::Result<()>) -> std::io::Result<()> {
    let worker = std::thread::Builder::new().stack_size(WORKER_STACK_BYTES).spawn(work);
    // Where so much address space cannot be had, it is slower and not wrong.
    let Ok(worker) = worker else { return work() };
    worker.join().unwrap_or_else(|_| Err(std::io::Error::other("it panicked")))
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] => on_a_worker(|| serve(&mut Reference::new(), std::io::stdin().lock(), std::io::stdout().lock())),
        ["--help" | "-h"] => std::io::stdout().write_all(HELP.as_bytes()),
        ["--version" | "-V"] => {
            let version = env!("CARGO_PKG_VERSION");
            writeln!(std::io::stdout(), "mantle-reference {version} (protocol {PROTOCOL_VERSION})")
        }
        _ => {
            anstream::eprintln!("error: unexpected arguments: {}\n\n{HELP}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
