//! Which tools a module defines, and which of them a skill has.
//!
//! Knows what modules hold and what skills declare. Rules: chapter DSC; the resolution order is
//! skill-local, shared, MCP, first match wins (tools-reference, "Where tools are discovered").

mod attachment;
mod hooks;
mod mcp;
mod module_tools;

pub(crate) use attachment::{Attached, Origin, attach};
pub(crate) use hooks::{HOOK, attach_hooks, check_hooks};
pub(crate) use mcp::{check_startup, listed, offered_parameters};
pub(crate) use module_tools::{Found, Maker, ModuleTools, load_modules, module_paths};

/// The names of the built-in framework tools: no builder tool may have one (DSC-43).
pub(crate) const RESERVED: [&str; 9] = [
    "activate",
    "complete_skill",
    "cancel_skill",
    "set_fields",
    "correct",
    "resolve_tool_confirmation",
    "search_knowledge",
    "cannot_help",
    "listen",
];
