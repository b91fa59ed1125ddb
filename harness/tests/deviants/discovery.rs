//! Deviants in chapter DSC: where tools are found, and which projects are refused.
//!
//! Change where files lie before the load, or what the load reports.
//! Rules: tools-reference, "Where tools are discovered".

use harness::project::ProjectSource;
use harness::protocol::{
    Finding, LoadOutcome, LoadPhase, LoadReport, Severity, SkillId, SourcePlace, ToolName, ToolReport,
    ToolSource, Visibility,
};

use crate::change::{
    all, detach, each_tool, is_markdown, is_tool_module, no_arguments, overlook, python_of, relocate,
    rewrite, sub, text_of, texts,
};
use crate::deviant::{Deviant, Seen, deviant};

fn file_of(tool: &ToolReport) -> &str {
    tool.place.as_ref().map_or("", |place| place.file.as_str())
}

fn is_single(tool: &ToolReport) -> bool {
    file_of(tool).ends_with("/tools.py")
}

fn is_folder(tool: &ToolReport) -> bool {
    file_of(tool).contains("/tools/")
}

/// The description that a decorator above a function of this name gives in a text.
fn described(text: &str, name: &str) -> Option<String> {
    let pattern = format!(r#"description="([^"]*)"\)\s*async def {name}\("#);
    all(text, &pattern).into_iter().next()
}

fn made_up(source: ToolSource) -> ToolReport {
    ToolReport {
        source,
        place: None,
        description: Some("A tool".to_owned()),
        parameters: no_arguments(),
        requires: None,
        visibility: Visibility::Model,
        unknown: Vec::new(),
    }
}

fn refuse(report: &mut LoadReport) {
    report.outcome = LoadOutcome::Rejected;
    report.phase = Some(LoadPhase::Train);
    report.findings.push(Finding {
        code: "refused".to_owned(),
        severity: Severity::Error,
        phase: LoadPhase::Train,
        place: None,
        message: String::new(),
    });
}

/// Gives every skill the tools of the others that are of a kind.
fn share(report: &mut LoadReport, is: impl Fn(&ToolReport) -> bool) {
    let tools: Vec<(ToolName, ToolReport)> =
        report.skills.values().flat_map(|skill| skill.tools.clone()).filter(|(_, tool)| is(tool)).collect();
    for skill in report.skills.values_mut() {
        for (name, tool) in &tools {
            skill.tools.entry(name.clone()).or_insert_with(|| tool.clone());
        }
    }
}

fn overlooking(name: &'static str, breaks: &'static str, code: &'static str) -> Deviant {
    deviant(name, breaks).report(move |report, _| overlook(report, |finding| finding.code.ends_with(code)))
}

fn lib_missing(name: &'static str, breaks: &'static str, of: fn(&str) -> bool) -> Deviant {
    deviant(name, breaks).refusing().load(move |asked| {
        rewrite(
            asked,
            |path| is_tool_module(path) && of(path),
            |_, text| sub(text, r"(?m)^from lib\b", "from absent_lib"),
        );
    })
}

fn in_file(finding: &Finding, of: fn(&str) -> bool) -> bool {
    finding.place.as_ref().is_some_and(|place| of(&place.file))
}

fn is_root(path: &str) -> bool {
    path.starts_with("tools/")
}

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = places();
    table.extend(attachment());
    table.extend(refusals());
    table.extend(lib());
    table
}

fn places() -> Vec<Deviant> {
    vec![
        deviant("a skill's id is its name in the frontmatter", "DSC-01").report(|report, seen| {
            let renamed = report.skills.drain(..).map(|(id, skill)| {
                let head = text_of(&seen.asked.project, &format!("skills/{id}/skill.md"));
                let name = all(&head, r"(?m)^name:\s*(.+)$").into_iter().next();
                (name.map_or(id, SkillId::new), skill)
            });
            report.skills = renamed.collect();
        }),
        deviant("tools.py is not searched", "DSC-02")
            .report(|report, _| detach(report, |_, tool| is_single(tool))),
        deviant("the tools folder is not searched", "DSC-03")
            .report(|report, _| detach(report, |_, tool| is_folder(tool))),
        deviant("only the first file of the tools folder is searched", "DSC-03").report(|report, _| {
            for skill in report.skills.values_mut() {
                let first = skill
                    .tools
                    .values()
                    .filter(|tool| is_folder(tool))
                    .map(|tool| file_of(tool).to_owned())
                    .min();
                skill.tools.retain(|_, tool| !is_folder(tool) || Some(file_of(tool)) == first.as_deref());
            }
        }),
        deviant("a tools folder makes tools.py unread", "DSC-04").report(|report, _| {
            for skill in report.skills.values_mut() {
                if skill.tools.values().any(is_folder) {
                    skill.tools.retain(|_, tool| !is_single(tool));
                }
            }
        }),
        deviant("tools.py wins over the tools folder", "DSC-05").report(|report, seen| {
            for (id, skill) in &mut report.skills {
                let file = format!("skills/{id}/tools.py");
                let single = text_of(&seen.asked.project, &file);
                for (name, tool) in &mut skill.tools {
                    if let Some(description) = described(&single, name.as_str()) {
                        tool.description = Some(description);
                        tool.place = Some(SourcePlace { file: file.clone(), line: 0, column: 0 });
                    }
                }
            }
        }),
        deviant("a name in tools.py and in the tools folder is refused", "DSC-06").refusing().report(
            |report, _| {
                let logged = report.logs.iter().any(|record| record.event.contains("duplicate"));
                if logged || report.findings.iter().any(|finding| finding.code.contains("duplicate")) {
                    refuse(report);
                }
            },
        ),
        deviant("a shadowed definition is not reported", "DSC-07").report(|report, _| {
            report.logs.retain(|record| !record.event.contains("duplicate"));
            report.findings.retain(|finding| !finding.code.contains("duplicate"));
        }),
        deviant("a subfolder of the tools folder is searched", "DSC-08").load(|asked| {
            relocate(asked, |path| {
                let (folder, rest) = path.split_once("/tools/")?;
                let moved = rest.contains('/') && !rest.contains("__init__");
                moved.then(|| format!("{folder}/tools/{}", rest.replace('/', "_")))
            });
        }),
        deviant("every Python file of a skill is searched", "DSC-09").load(|asked| {
            relocate(asked, |path| {
                let (skill, file) = path.strip_prefix("skills/")?.split_once('/')?;
                let stray = file.ends_with(".py")
                    && !file.contains('/')
                    && file != "tools.py"
                    && file != "__init__.py";
                stray.then(|| format!("skills/{skill}/tools/stray_{file}"))
            });
        }),
        deviant("a skill's own tools are everybody's", "DSC-10")
            .report(|report, _| share(report, |tool| tool.source == ToolSource::Skill)),
    ]
}

/// The tools that a root module of the project defines, by the module's path.
fn root_tools(seen: &Seen) -> Vec<(String, String)> {
    let modules = texts(&seen.asked.project).into_iter().filter(|(path, _)| is_root(path));
    modules
        .flat_map(|(path, text)| {
            all(&text, r"async def (\w+)").into_iter().map(move |name| (path.clone(), name))
        })
        .collect()
}

fn attachment() -> Vec<Deviant> {
    vec![
        deviant("shared tools are never attached", "DSC-14")
            .report(|report, _| detach(report, |_, tool| tool.source == ToolSource::Shared)),
        deviant("undeclared shared tools are attached", "DSC-15 DSC-16").report(|report, seen| {
            for (file, name) in root_tools(seen) {
                for skill in report.skills.values_mut() {
                    let place = Some(SourcePlace { file: file.clone(), line: 1, column: 1 });
                    let tool = ToolReport { place, ..made_up(ToolSource::Shared) };
                    skill.tools.entry(ToolName::new(name.clone())).or_insert(tool);
                }
            }
        }),
        deviant("a shared tool that one skill declares is everybody's", "DSC-15")
            .report(|report, _| share(report, |tool| tool.source == ToolSource::Shared)),
        deviant("importing a tool imports its module", "DSC-16").report(|report, seen| {
            let root = root_tools(seen);
            for skill in report.skills.values_mut() {
                let files: Vec<String> = skill.tools.values().map(|tool| file_of(tool).to_owned()).collect();
                for (file, name) in root.iter().filter(|(file, _)| files.contains(file)) {
                    let place = Some(SourcePlace { file: file.clone(), line: 1, column: 1 });
                    let tool = ToolReport { place, ..made_up(ToolSource::Shared) };
                    skill.tools.entry(ToolName::new(name.clone())).or_insert(tool);
                }
            }
        }),
        deviant("a shared tool wins over the skill's own", "DSC-17").report(|report, seen| {
            let root: Vec<(String, String)> = root_tools(seen);
            each_tool(report, |name, tool| {
                if let Some((file, _)) = root.iter().find(|(_, other)| other == name) {
                    tool.source = ToolSource::Shared;
                    tool.description = described(&text_of(&seen.asked.project, file), name);
                }
            });
        }),
        deviant("MCP entries attach nothing", "DSC-21")
            .report(|report, _| detach(report, |_, tool| tool.source == ToolSource::Mcp)),
        deviant("one MCP entry attaches all of its server", "DSC-22").load(|asked| {
            let servers = asked.world.mcp.clone();
            rewrite(asked, is_markdown, |_, text| {
                let mut text = text.to_owned();
                for (id, server) in &servers {
                    for tool in &server.tools {
                        let entry = format!("mcp/{id}:{}", tool.name);
                        if !text.contains(&entry) {
                            let pattern = format!(r"(?m)^(\s*)- (\S?mcp/{id}:\w+\S?)$");
                            text = sub(&text, &pattern, &format!("$1- $2\n$1- {entry}"));
                            text =
                                sub(&text, &format!(r"\[((?:[^\]]*, )?mcp/{id}:)"), &format!("[{entry}, $1"));
                        }
                    }
                }
                text
            });
        }),
        deviant("a tool of one skill's server is everybody's", "DSC-22")
            .report(|report, _| share(report, |tool| tool.source == ToolSource::Mcp)),
        deviant("MCP tools keep their server's name", "DSC-23").report(|report, _| {
            for skill in report.skills.values_mut() {
                let renamed = skill.tools.drain(..).map(|(name, tool)| match tool.source {
                    ToolSource::Mcp => (ToolName::new(format!("mcp__{name}")), tool),
                    _ => (name, tool),
                });
                skill.tools = renamed.collect();
            }
        }),
        deviant("names of MCP tools are compared across skills", "DSC-27").refusing().report(
            |report, seen| {
                let mut names: Vec<String> = report
                    .skills
                    .values()
                    .flat_map(|skill| skill.tools.keys().map(ToString::to_string))
                    .collect();
                names.extend(root_tools(seen).into_iter().map(|(_, name)| name));
                let twice = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
                let mcp = crate::change::tools_where(report, |tool| tool.source == ToolSource::Mcp);
                if mcp.iter().any(twice) {
                    refuse(report);
                }
            },
        ),
    ]
}

fn refusals() -> Vec<Deviant> {
    vec![
        overlooking(
            "an import that nothing answers to is overlooked",
            "DSC-18 DSC-19 DSC-24",
            "invalid_shared_tool",
        ),
        deviant("an import that nothing answers to has another code", "DSC-18 DSC-19 DSC-24").report(
            |report, _| {
                report.findings.iter_mut().for_each(|finding| {
                    finding.code = finding.code.replace("invalid_shared_tool", "unknown");
                });
            },
        ),
        deviant("a clash of an MCP tool is overlooked", "DSC-25 DSC-26 DSC-28").report(|report, _| {
            overlook(report, |finding| {
                finding.severity == Severity::Error && !finding.code.ends_with("import_failed")
            });
        }),
        overlooking("an MCP tool may have a reserved name", "DSC-29", "invalid_shared_tool"),
        overlooking("an entry that is no server and tool is overlooked", "DSC-30", "invalid_import_tools"),
        deviant("an entry that is no server and tool is taken for a shared tool", "DSC-30").report(
            |report, _| {
                report.findings.iter_mut().for_each(|finding| {
                    finding.code = finding
                        .code
                        .replace("markdown.invalid_import_tools", "import_tools.invalid_shared_tool");
                });
            },
        ),
        overlooking(
            "a module that cannot be imported is skipped",
            "DSC-32 DSC-33 DSC-34 DSC-35 DSC-36",
            "import_failed",
        ),
        deviant("a failing module in the root tools folder is skipped", "DSC-35 DSC-36").report(
            |report, _| {
                overlook(report, |finding| {
                    finding.code.ends_with("import_failed") && in_file(finding, is_root)
                });
            },
        ),
        deviant("a failing module in a skill's tools folder is skipped", "DSC-35").report(|report, _| {
            overlook(report, |finding| {
                in_file(finding, |file| file.starts_with("skills/") && file.contains("/tools/"))
            });
        }),
        deviant("a failing tools.py is skipped", "DSC-35").report(|report, _| {
            overlook(report, |finding| in_file(finding, |file| file.ends_with("/tools.py")));
        }),
        deviant("a failing module that nobody imports from is skipped", "DSC-36").report(|report, seen| {
            let files: String = texts(&seen.asked.project)
                .into_iter()
                .filter(|(path, _)| is_markdown(path))
                .map(|(_, text)| text)
                .collect();
            if !files.contains("import_tools") && !files.contains("tool_constraints") {
                overlook(report, |finding| finding.code.ends_with("import_failed"));
            }
        }),
        deviant("a skill's own tool may have a reserved name", "DSC-43").report(|report, _| {
            overlook(report, |finding| finding.code.ends_with("reserved_name") && !in_file(finding, is_root));
        }),
        deviant("listen is not reserved", "DSC-43").report(|report, seen| {
            if python_of(&seen.asked.project).contains("async def listen") {
                overlook(report, |finding| finding.code.ends_with("reserved_name"));
            }
        }),
        overlooking("a shared tool may have a reserved name", "DSC-44", "reserved_name"),
    ]
}

fn lib() -> Vec<Deviant> {
    vec![
        lib_missing("lib cannot be imported in tools.py", "DSC-37", |path| path.ends_with("/tools.py")),
        lib_missing("lib cannot be imported in a tools folder", "DSC-38", |path| {
            path.starts_with("skills/") && path.contains("/tools/")
        }),
        lib_missing("lib cannot be imported in the root tools folder", "DSC-39", is_root),
        deviant("lib can be imported at any time", "DSC-40").load(|asked| {
            rewrite(asked, is_tool_module, |_, text| {
                let late = all(text, r"(?m)^ +(?:from|import) (lib[\w.]*)");
                let early: String = late.iter().flat_map(|module| ["import ", module, "\n"]).collect();
                format!("{text}\n{early}")
            });
        }),
        deviant("lib of the first project stays imported", "DSC-42").load(|asked| {
            let Some(former) = asked.former.clone() else { return };
            for (path, text) in texts(&former) {
                if path.starts_with("lib/") && asked.project.read(&path).is_some() {
                    asked.project.insert(path, text);
                }
            }
        }),
    ]
}
