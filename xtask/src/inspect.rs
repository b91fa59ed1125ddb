//! `cargo xtask inspect`: what the contract says about somebody's agent project.
//!
//! Reads the folder, asks the reference through the public boundary, prints.
//! Rules: exit code 1 when the project would be refused, 2 when there is no project to read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use harness::implementation::Implementation;
use harness::project::{FolderProject, ProjectSource};
use harness::protocol::{LoadOutcome, Reply, Session, World};
use harness::reference::Reference;
use harness::report::{ExitCode, GivenMemory, inspection_json, inspection_text};

use crate::{Outcome, connect};

/// Show what the contract makes of an agent project: each skill's tools, their schemas and gates, every finding.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask inspect examples/wallet_agent
  cargo xtask inspect ~/agents/bank --format json
  cargo xtask inspect examples/wallet_agent --with session.freeze_card.card_id=c1
  cargo run --package xtask --features mcp -- inspect ~/agents/bank --connect

Nothing of the project is executed outside the reference, and without --connect no server is connected to.
What reading cannot tell is said to be unknown. With --with, each tool says whether that memory opens its
gate; what is not given holds its initial value. With --connect, the servers under `mcp_servers` are asked
for their tools, with the secrets that the environment holds under the names that the project gives, and
none is called. Exits with 1 when the project would be refused, and with 2 when there is no project or no
such memory.")]
pub(crate) struct Inspect {
    /// The folder that holds agent.yml and skills/.
    #[arg(value_name = "AGENT_FOLDER")]
    folder: PathBuf,
    /// Memory to try the gates with, its value a YAML scalar; may be repeated.
    #[arg(long, value_name = "session.SKILL.ENTRY=VALUE")]
    with: Vec<String>,
    /// Ask the MCP servers of the project for their tools; takes the cargo feature `mcp`.
    #[arg(long)]
    connect: bool,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// The load report of specs/protocol.schema.json, and what each gate reads under `gates`.
    Json,
}

/// Runs the command.
pub(crate) fn run(command: &Inspect) -> Outcome {
    let project = match FolderProject::open(&command.folder) {
        Ok(project) => project,
        Err(error) => {
            crate::output::eprintln!("error: {error}");
            return Ok(ExitCode::Usage);
        }
    };
    let is_agent =
        |path: &&str| *path == "agent.yml" || *path == "integrations.yml" || path.starts_with("skills/");
    if !project.paths().iter().any(is_agent) {
        crate::output::eprintln!(
            "error: {}: no agent project here; name the folder that holds agent.yml and skills/",
            command.folder.display()
        );
        return Ok(ExitCode::Usage);
    }
    let mcp = match command.connect.then(|| connect::servers(&project)).transpose() {
        Ok(servers) => servers.unwrap_or_default(),
        Err(error) => {
            crate::output::eprintln!("error: --connect: {error}");
            return Ok(ExitCode::Usage);
        }
    };
    let world = World { open: true, mcp, ..World::default() };
    let report = match Reference::new().load(&project, &world, &Session::default())? {
        Reply::Result(report) => report,
        Reply::Skipped(skipped) => return Err(skipped.message.into()),
        Reply::Errored(errored) => return Err(errored.message.into()),
    };
    let given = match GivenMemory::read(&command.with, &report) {
        Ok(given) => (!command.with.is_empty()).then_some(given),
        Err(error) => {
            crate::output::eprintln!("error: --with: {error}");
            return Ok(ExitCode::Usage);
        }
    };
    match command.format {
        Format::Text => crate::output::print!("{}", inspection_text(&report, given.as_ref())),
        Format::Json => {
            let document = inspection_json(&report, given.as_ref())?;
            crate::output::println!("{}", serde_json::to_string_pretty(&document)?);
        }
    }
    Ok(match report.outcome {
        LoadOutcome::Ok => ExitCode::Conformant,
        LoadOutcome::Rejected => ExitCode::Failures,
    })
}
