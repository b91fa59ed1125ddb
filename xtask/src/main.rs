//! The command line of the suite.
//!
//! Only dispatches: one module a command, each parses its flags, calls the library and prints.
//! Rules: `ARCHITECTURE.md`, "The command line".

mod exit_code;
mod repository;
mod schemas;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tool-runtime conformance suite.
#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", version, after_help = EXIT_CODES)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 failures or something stale, 2 wrong usage or a bad file,
            3 the implementation did not start, 4 a fault of the suite itself.";

#[derive(Subcommand)]
enum Command {
    Schemas(schemas::Schemas),
}

fn main() -> ExitCode {
    let outcome = match CommandLine::parse().command {
        Command::Schemas(command) => schemas::run(&command),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            anstream::eprintln!("error: {error}");
            ExitCode::from(exit_code::HARNESS_FAULT)
        }
    }
}
