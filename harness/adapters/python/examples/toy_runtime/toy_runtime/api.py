"""What tools import: `rasa.mantle.tools.decorator` and `rasa.mantle.tools.result`, as far as the toy goes."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class ToolResult:
    """What a tool returns."""

    llm_response: Any = None


class MemoryWriteError(Exception):
    """A write that the skill may not make."""


class ToolContext:
    """What a tool gets as `context`."""

    def __init__(self, memory: Any, send: Callable[[str], None], is_cancelled: Callable[[], bool]) -> None:
        self.memory = memory
        self._send = send
        self._is_cancelled = is_cancelled

    async def send(self, text: str) -> None:
        """Sends a message to the user."""
        self._send(text)

    @property
    def is_cancelled(self) -> bool:
        """Whether the turn was cut off."""
        return self._is_cancelled()


def tool(*, description: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks a function as a tool."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function._toy_description = description  # type: ignore[attr-defined]
        return function

    return mark


def install() -> None:
    """Makes it importable under the contract's names."""
    parts = {
        "rasa.mantle.tools.decorator": {"tool": tool, "ToolContext": ToolContext},
        "rasa.mantle.tools.result": {"ToolResult": ToolResult},
    }
    for dotted, members in parts.items():
        names = dotted.split(".")
        for depth in range(1, len(names) + 1):
            name = ".".join(names[:depth])
            module = sys.modules.setdefault(name, types.ModuleType(name))
            module.__path__ = []
            if depth > 1:
                setattr(sys.modules[".".join(names[: depth - 1])], names[depth - 1], module)
        vars(sys.modules[dotted]).update(members)
