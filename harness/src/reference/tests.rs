//! What the reference makes of Python that is written in ordinary and in hostile ways.

mod annotations;
mod bodies;
mod descriptions;
mod hostile;
mod random_bodies;
mod running;
mod scopes;
mod subset;

use crate::implementation::Implementation;
use crate::project::MemoryProject;
use crate::protocol::{LoadReport, Reply, Session, ToolReport, World};
use crate::reference::Reference;

/// What precedes the code of a case.
const IMPORTS: &str = "from rasa.mantle.tools.decorator import ToolContext, tool\n";

/// Loads a project whose only skill has these files; paths starting with `lib/` are the agent root's.
fn load_files(files: &[(&str, &str)]) -> LoadReport {
    let mut project = MemoryProject::new();
    project.insert("agent.yml", "agent:\n  persona: p\n");
    project.insert("skills/s/skill.md", "---\nname: s\ndescription: d\n---\nBody\n");
    for (path, text) in files {
        project.insert(*path, *text);
    }
    let Ok(Reply::Result(report)) = Reference::new().load(&project, &World::default(), &Session::default())
    else {
        panic!("a load must give a report")
    };
    report
}

fn load(text: &str) -> LoadReport {
    load_files(&[("skills/s/tools.py", text)])
}

/// Why the tool module was refused, if it was.
fn refusal(report: &LoadReport) -> Option<&str> {
    let failed = |code: &str| code == "mantle.validation.tools.import_failed";
    report.findings.iter().find(|finding| failed(&finding.code)).map(|finding| finding.message.as_str())
}

/// The only tool of the report, which must have been loaded.
#[track_caller]
fn only_tool(report: &LoadReport) -> &ToolReport {
    assert_eq!(refusal(report), None);
    let mut tools = report.skills.values().flat_map(|skill| skill.tools.values());
    let (Some(tool), None) = (tools.next(), tools.next()) else { panic!("one tool is expected: {report:?}") };
    tool
}
