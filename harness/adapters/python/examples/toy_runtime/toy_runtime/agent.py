"""From a project's folder to skills with tools and memory: discovery and schemas."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mantle_conformance.stand_in import description_of

from . import yaml_subset

RESERVED = (
    "activate cancel_skill cannot_help complete_skill correct listen resolve_tool_confirmation search_knowledge "
    "set_fields"
).split()
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


class Refused(Exception):
    """The project is refused."""

    def __init__(self, phase: str, code: str, message: str) -> None:
        super().__init__(message)
        self.phase = phase
        self.code = code


@dataclass
class Tool:
    """A tool attached to a skill."""

    name: str
    function: Callable[..., Any]
    source: str

    @property
    def description(self) -> str | None:
        """What the model reads about it."""
        return description_of(self.function)

    @property
    def parameters(self) -> dict[str, Any]:
        """The schema of its arguments. On purpose nothing is said of additional properties."""
        function = inspect.unwrap(self.function)
        hints = _hints(function)
        properties, required = {}, []
        for name, parameter in inspect.signature(function).parameters.items():
            if name == "context":
                continue
            properties[name] = schema_of(hints.get(name, str))
            if parameter.default is inspect.Parameter.empty:
                required.append(name)
        return {"type": "object", "properties": properties, "required": required}


@dataclass
class Skill:
    """A skill."""

    id: str
    tools: dict[str, Tool] = field(default_factory=dict)
    memory: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class Agent:
    """A project that was accepted."""

    skills: dict[str, Skill]
    project_memory: dict[str, dict[str, Any]]
    logs: list[dict[str, Any]]
    tool_timeout: float


def schema_of(annotation: Any) -> dict[str, Any]:
    """The property for an annotation. On purpose only `Optional` is unwrapped, and `int | None` is text."""
    if isinstance(annotation, str):
        return {"type": "string"}
    if typing.get_origin(annotation) is typing.Union:
        members = [one for one in typing.get_args(annotation) if one is not type(None)]
        return schema_of(members[0]) if len(members) == 1 else {"type": "string"}
    if typing.get_origin(annotation) is list:
        (item,) = typing.get_args(annotation)
        return {"type": "array", "items": schema_of(item)}
    if annotation in (list, typing.List):
        return {"type": "array"}
    try:
        return {"type": TYPES.get(annotation, "string")}
    except TypeError:
        return {"type": "string"}


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Each annotation resolved on its own, so that one that cannot be spares the others."""
    hints = {}
    for name, annotation in inspect.get_annotations(function).items():
        single = type("_Single", (), {"__annotations__": {name: annotation}})
        try:
            hints[name] = typing.get_type_hints(single, getattr(function, "__globals__", {}))[name]
        except Exception:
            hints[name] = "unresolved"
    return hints


def load_agent(root: Path) -> Agent:
    """Loads a project."""
    logs: list[dict[str, Any]] = []
    sys.path.insert(0, str(root))
    try:
        shared = _tools_in(sorted((root / "tools").glob("*.py")), "shared", logs)
        skills = {}
        for folder in sorted(path for path in (root / "skills").iterdir() if path.is_dir()):
            frontmatter = _frontmatter(folder / "skill.md")
            files = [*folder.glob("tools.py"), *sorted((folder / "tools").glob("*.py"))]
            local = _tools_in(files, "skill", logs)
            imports = frontmatter.get("import_tools") or []
            for name in imports:
                if name not in shared and name not in local:
                    code = "skill.import_tools.invalid_shared_tool"
                    raise Refused("train", code, f"there is no shared tool `{name}`")
            tools = {name: shared[name] for name in imports if name in shared} | local
            schema = _yaml(folder / "memory.yml").get("schema") or {}
            public = {name: _entry(one, False) for name, one in (schema.get("public") or {}).items()}
            private = {name: _entry(one, True) for name, one in (schema.get("private") or {}).items()}
            skills[folder.name] = Skill(folder.name, tools, public | private)
    finally:
        sys.path.remove(str(root))
    memory = {name: _entry(one, False) for name, one in _yaml(root / "memory.yml").items()}
    return Agent(skills, memory, logs, _timeout(_yaml(root / "agent.yml").get("tool_timeout")))


def _timeout(declared: Any) -> float:
    """How long a tool may take, in seconds."""
    try:
        limit = 10.0 if declared is None else float(declared)
    except ValueError:
        limit = 0
    if not 0 < limit < float("inf"):
        raise Refused("train", "mantle.validation.config.invalid_agent_section", f"no time limit: {declared!r}")
    return limit


def _tools_in(files: list[Path], source: str, logs: list[dict[str, Any]]) -> dict[str, Tool]:
    tools: dict[str, Tool] = {}
    for file in files:
        if file.name == "__init__.py":
            continue
        spec = importlib.util.spec_from_file_location(f"toy_{file.stem}_{abs(hash(file))}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            code = "mantle.validation.tools.import_failed"
            raise Refused("train", code, f"{file.name}: {type(error).__name__}: {error}") from error
        for name, value in vars(module).items():
            if description_of(value) is None:
                continue
            if name in RESERVED:
                raise Refused("train", "mantle.validation.tools.reserved_name", f"`{name}` is the name of a built-in tool")
            if name in tools:
                event = "mantle.tool_loader.duplicate_tool_name"
                logs.append({"level": "warning", "event": event, "data": {"tool_name": name}})
                continue  # On purpose: the first keeps the name.
            tools[name] = Tool(name, value, source)
    return tools


def _yaml(file: Path) -> dict[str, Any]:
    found = yaml_subset.load(file.read_text(encoding="utf-8")) if file.exists() else None
    return found if isinstance(found, dict) else {}


def _frontmatter(file: Path) -> dict[str, Any]:
    text = file.read_text(encoding="utf-8").strip() if file.exists() else ""
    if not text.startswith("---"):
        raise Refused("train", "skill.markdown.invalid_frontmatter_delimiter", f"{file}: no frontmatter")
    found = yaml_subset.load(text.split("---")[1])
    return found if isinstance(found, dict) else {}


def _entry(declared: Any, private: bool) -> dict[str, Any]:
    declared = declared if isinstance(declared, dict) else {}
    entry = {"type": declared.get("type", "any"), "private": private, "initial_value": declared.get("initial_value")}
    for name in ("llm_settable", "seed", "pii"):
        entry[name] = bool(declared.get(name, False))
    for name in ("description", "enum_values"):
        if declared.get(name):
            entry[name] = declared[name]
    return entry
