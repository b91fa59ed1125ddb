//! The tools that one module defines.
//!
//! Knows a module after it ran; which skill takes the tools is decided elsewhere.
//! Rules: chapters DEF and DSC.

use std::rc::Rc;

use indexmap::IndexMap;

use super::RESERVED;
use crate::project::ProjectSource;
use crate::protocol::{self, Json, LoadPhase, LogRecord, Severity, SourcePlace, ToolName};
use crate::reference::finding::Findings;
use crate::reference::python::{Function, Interpreter, Made, Module, Raised, Value};

/// A tool as a module defines it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its name: the function's (SCH-01).
    pub(crate) name: ToolName,
    /// What it is.
    pub(crate) maker: Maker,
    /// Its description, as it was given to `@tool`.
    pub(crate) description: Value,
    /// Where it is defined.
    pub(crate) place: SourcePlace,
    /// The file whose module it was found in.
    pub(crate) file: Rc<str>,
}

/// What a tool is made of.
#[derive(Clone, Debug)]
pub(crate) enum Maker {
    /// A function.
    Function(Rc<Function>),
    /// A function changed by something that cannot be read.
    Made(Rc<Made>),
}

/// The tools of one location, later definitions in place of earlier ones.
#[derive(Debug, Default)]
pub(crate) struct ModuleTools {
    /// The tools, by name, in the order of their first definition.
    pub(crate) tools: IndexMap<ToolName, Found>,
    /// What could not be known about the location.
    pub(crate) unknown: Vec<protocol::Unknown>,
    /// Whether there may be tools that were not found.
    pub(crate) incomplete: bool,
    /// Definitions that another one shadows.
    pub(crate) logs: Vec<LogRecord>,
}

/// Runs the tool modules of one location in order and collects their tools (DSC-02 to DSC-09).
///
/// A module that cannot be imported is a finding (DSC-32 to DSC-36), as is a reserved name (DSC-43).
pub(crate) fn load_modules(
    interpreter: &mut Interpreter<'_>,
    paths: &[&str],
    findings: &mut Findings,
) -> ModuleTools {
    let mut location = ModuleTools::default();
    for path in paths {
        match interpreter.run_tool_module(path) {
            Ok(module) => collect(path, &module, &mut location),
            Err(raised) => {
                report_failed_import(path, &raised, findings);
                location.incomplete = true;
            }
        }
    }
    for found in location.tools.values() {
        check_name(found, findings);
        check_signature(found, findings);
    }
    location
}

/// The tool modules of a skill, `tools.py` before the folder, each in sorted order; or the shared ones.
pub(crate) fn module_paths<'project>(project: &'project dyn ProjectSource, base: &str) -> Vec<&'project str> {
    let single = format!("{base}tools.py");
    let folder = format!("{base}tools/");
    let mut paths: Vec<&str> = Vec::new();
    let all = project.paths();
    if !base.is_empty() {
        paths.extend(all.iter().filter(|path| **path == single));
    }
    paths.extend(all.iter().filter(|path| {
        let file = path.strip_prefix(folder.as_str());
        // DSC-12, observed: `__init__.py` makes a package and defines no tools.
        file.is_some_and(|file| {
            !file.contains('/')
                && file.rsplit_once('.').is_some_and(|(_, ending)| ending == "py")
                && file != "__init__.py"
        })
    }));
    paths
}

fn collect(path: &str, module: &Rc<Module>, location: &mut ModuleTools) {
    let file: Rc<str> = Rc::from(path);
    let bindings = module.scope.bindings.borrow();
    let mut own: Vec<Found> = Vec::new();
    for value in bindings.values() {
        let (maker, function, tool) = match value {
            Value::Function(function) => {
                (Maker::Function(Rc::clone(function)), function, function.tool.borrow().clone())
            }
            Value::Made(made) => (Maker::Made(Rc::clone(made)), &made.function, made.tool.borrow().clone()),
            _ => continue,
        };
        let Some(description) = tool else {
            if let Maker::Made(made) = &maker {
                doubt_tool(path, made, location);
            }
            continue;
        };
        let name = ToolName::new(&*function.name());
        // One function under two names is one tool: its name is its own (SCH-01).
        let again = own.iter().any(|known| same_function(&known.maker, &maker));
        if !again {
            own.push(Found {
                name,
                maker,
                description,
                place: function.place.clone(),
                file: Rc::clone(&file),
            });
        }
    }
    if let Some(unknown) = &*module.scope.anything.borrow() {
        location.incomplete = true;
        location.unknown.push(protocol::Unknown {
            what: format!("which other tools {path} defines"),
            why: unknown.why.clone(),
            place: Some(unknown.place.clone()),
        });
    }
    for found in own {
        if let Some(shadowed) = location.tools.get(&found.name) {
            location.logs.push(duplicate(&found, shadowed));
        }
        location.tools.insert(found.name.clone(), found);
    }
}

/// DSC-07: the shadowed definition is logged as a duplicate.
pub(crate) fn duplicate(kept: &Found, shadowed: &Found) -> LogRecord {
    let data = [
        ("tool_name", kept.name.to_string()),
        ("kept", kept.file.to_string()),
        ("shadowed", shadowed.file.to_string()),
    ];
    LogRecord {
        level: Severity::Warning,
        event: "mantle.tool_loader.duplicate_tool_name".to_owned(),
        data: data.into_iter().map(|(key, value)| (key.to_owned(), Json::String(value))).collect(),
    }
}

fn same_function(left: &Maker, right: &Maker) -> bool {
    match (left, right) {
        (Maker::Function(left), Maker::Function(right)) => Rc::ptr_eq(left, right),
        (Maker::Made(left), Maker::Made(right)) => Rc::ptr_eq(left, right),
        _ => false,
    }
}

/// A function whose decorator cannot be read may be a tool, unless the standard library made it.
fn doubt_tool(path: &str, made: &Made, location: &mut ModuleTools) {
    let defined_here = made.function.place.file == path;
    if made.by.standard || !defined_here || !made.function.is_async() {
        return;
    }
    location.incomplete = true;
    location.unknown.push(protocol::Unknown {
        what: format!("whether `{}` is a tool", made.function.name()),
        why: made.by.why.clone(),
        place: Some(made.function.place.clone()),
    });
}

fn report_failed_import(path: &str, raised: &Raised, findings: &mut Findings) {
    let message = format!("{path} cannot be imported: {}", raised.describe());
    findings.error(LoadPhase::Train, "mantle.validation.tools.import_failed", raised.place.clone(), message);
}

fn check_name(found: &Found, findings: &mut Findings) {
    if RESERVED.contains(&found.name.as_str()) {
        let message = format!("`{}` is the name of a built-in tool; rename the function", found.name);
        let code = "mantle.validation.tools.reserved_name";
        findings.error(LoadPhase::Load, code, found.place.clone(), message);
    }
}

/// What the contract asks of an author and no phase checks: worth a warning.
fn check_signature(found: &Found, findings: &mut Findings) {
    let Maker::Function(function) = &found.maker else { return };
    if function.wrapped.borrow().is_some() {
        return;
    }
    let mut warn = |code: &str, message: String| {
        findings.note(Severity::Warning, code, found.place.clone(), message);
    };
    if !function.is_async() {
        warn(
            "conformance.tool_not_async",
            format!("the tool `{}` is not `async`; its calls may fail", found.name),
        );
    }
    let takes_context = function.parameters().is_some_and(|parameters| {
        parameters.kwarg.is_some()
            || parameters.iter().any(|parameter| parameter.name().as_str() == "context")
    });
    if !takes_context {
        let message =
            format!("the tool `{}` has no parameter named `context`; its calls may fail", found.name);
        warn("conformance.tool_without_context", message);
    }
}
