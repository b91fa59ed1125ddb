"""A stand-in for `rasa.mantle.tools`, the package that tools import, for a runtime that brings none of its own.

For toys and first steps; nothing of it is there before `install` is called. It marks tools and names types, and does
nothing that the contract speaks of. Rules: tools-reference, "Defining a tool", "ToolResult", "context.set_buttons".
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_MARK = "__stand_in_description__"


def tool(*, description: str) -> Callable[[_Function], _Function]:
    """Marks a function as a tool."""

    def mark(function: _Function) -> _Function:
        setattr(function, _MARK, description)
        return function

    return mark


def description_of(value: object) -> str | None:
    """The description of a tool; `None` for whatever is no tool."""
    return getattr(value, _MARK, None)


class ToolContext:
    """The type that tools name for what they get as `context`. What it can do is the runtime's: derive from it."""


@dataclass
class ToolResult:
    """What a tool returns."""

    llm_response: Any = None


@dataclass
class Button:
    """A button that a tool attaches to a response."""

    title: str
    value: Any = None
    ref: str | None = None


MODULES: dict[str, dict[str, Any]] = {
    "rasa.mantle.tools.decorator": {"tool": tool, "ToolContext": ToolContext},
    "rasa.mantle.tools.result": {"ToolResult": ToolResult},
    "rasa.mantle.tools.buttons": {"Button": Button},
}
"""The modules, each with the names in it that the contract has."""


def install() -> None:
    """Makes the modules importable, for as long as the process lives. Refuses to hide a real `rasa`."""
    if _real() is not None:
        raise RuntimeError(f"a real `rasa` is installed, {_real()}: the stand-in is for runtimes without one")
    for dotted, members in MODULES.items():
        parent: types.ModuleType | None = None
        name = ""
        for part in dotted.split("."):
            name = f"{name}.{part}" if name else part
            module = sys.modules.setdefault(name, types.ModuleType(name))
            module.__path__ = []
            if parent is not None:
                setattr(parent, part, module)
            parent = module
        vars(sys.modules[dotted]).update(members)


def _real() -> str | None:
    """The file of a package `rasa` that is none of ours."""
    if "rasa" in sys.modules:
        return getattr(sys.modules["rasa"], "__file__", None)
    found = importlib.util.find_spec("rasa")
    return None if found is None else found.origin
