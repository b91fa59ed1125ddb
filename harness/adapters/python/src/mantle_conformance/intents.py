"""How the scripted model says what it wants, in the words of the tools that it is offered.

A scenario reaches its point by intent: a runtime that names an argument differently fails the one scenario about
that name, not all of them. Knows the roles of the built-in tools; nothing of any runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .messages import Intent, IntentKind, Json


@dataclass(frozen=True)
class ToolCall:
    """A concrete call of a tool."""

    tool: str
    arguments: Json


_NAMES: Mapping[IntentKind, str] = {
    "activate": "activate",
    "complete": "complete_skill",
    "cancel": "cancel_skill",
    "set": "set_fields",
    "correct": "correct",
    "confirm": "resolve_tool_confirmation",
    "search": "search_knowledge",
    "cannot_help": "cannot_help",
    "listen": "listen",
}


def spell(intent: Intent, offered: Mapping[str, Json]) -> ToolCall:
    """The call that says an intent, given the tools offered with their parameters.

    A tool that is not offered is called all the same, by the contract's names: what a runtime makes of that is
    its own affair.
    """
    if intent.kind == "call":
        return ToolCall(intent.value["tool"], intent.value["arguments"])
    tool = _tool(_NAMES[intent.kind], offered)
    parameters = offered.get(tool)
    match intent.kind:
        case "activate":
            name = _property(parameters, _has_enum, "flow_id")
            return ToolCall(tool, {name: _target(parameters, name, intent.value)})
        case "set":
            return ToolCall(tool, dict(intent.value))
        case "correct":
            key = _property(parameters, _has_enum, "memory_key")
            value = _property(parameters, lambda schema: not _has_enum(schema), "value", besides=key)
            return ToolCall(tool, {key: intent.value["entry"], value: intent.value["value"]})
        case "confirm":
            return ToolCall(tool, {_property(parameters, _is("boolean"), "confirmed"): intent.value})
        case "search":
            return ToolCall(tool, {_property(parameters, _is("string"), "query"): intent.value})
        case "cannot_help":
            return ToolCall(tool, {_property(parameters, _is("boolean"), "in_domain"): intent.value})
        case _:
            return ToolCall(tool, {})


def _tool(name: str, offered: Mapping[str, Json]) -> str:
    """The tool that plays a role: by its name, or by the verb in it (`cancel` for `cancel_skill`)."""
    verb = name.split("_")[0]
    return verb if name not in offered and verb in offered else name


def _target(parameters: Json, name: str, skill: str) -> str:
    """The target that starts a skill: itself, or the block that it is entered by where only blocks are offered."""
    schema = ((parameters or {}).get("properties") or {}).get(name) or {}
    targets = [target for target in schema.get("enum") or () if isinstance(target, str)]
    blocks = [target for target in targets if target.startswith(f"{skill}__")]
    if skill in targets or not blocks:
        return skill
    return f"{skill}__main" if f"{skill}__main" in blocks else blocks[0]


def _has_enum(schema: Json) -> bool:
    return isinstance(schema, Mapping) and "enum" in schema


def _is(kind: str) -> Callable[[Json], bool]:
    return lambda schema: isinstance(schema, Mapping) and schema.get("type") == kind


def _property(
    parameters: Json, fits: Callable[[Json], bool], default: str, besides: str | None = None
) -> str:
    """The one property that fits; the contract's own name when none does, or more than one."""
    properties = (parameters or {}).get("properties") or {}
    if default in properties:
        return default
    names = [name for name, schema in properties.items() if name != besides and fits(schema)]
    return names[0] if len(names) == 1 else default
