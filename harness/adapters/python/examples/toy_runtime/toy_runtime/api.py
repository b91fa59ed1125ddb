"""What tools get as `context`. What they import is the kit's stand-in: the toy brings no `rasa.mantle.tools`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mantle_conformance import stand_in


class MemoryWriteError(Exception):
    """A write that the skill may not make."""


class ToolContext(stand_in.ToolContext):
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
