"""A loaded project: its folder, its outside world, its clock, and the turn that is being recorded.

The part of an adapter that is the same for every runtime. Knows nothing of any.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from .messages import Load, Session, Turn, World
from .modules import Outfit, purge
from .outside import Outside
from .trace import TurnRecorder
from .virtual_time import VirtualTimeLoop

_Result = TypeVar("_Result")


class Stage:
    """Where one project is played, from `load` to the next `load`."""

    def __init__(self, request: Load, fresh_folder: bool = False) -> None:
        """A stage for a project; in a new copy of its folder each time, if that is asked for."""
        self.root: Path = Path(request.root).resolve()
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if fresh_folder:
            self._copy = tempfile.TemporaryDirectory(prefix="mantle-")
            self.root = Path(self._copy.name).resolve() / "project"
            shutil.copytree(request.root, self.root)
        self.world: World = request.world
        self.session: Session = request.session
        self.loop = VirtualTimeLoop()
        self.outside = Outside(self.root, request.world.services, self.loop)
        self._outfit = Outfit(request.world.packages, self.outside.fill_world)
        self._path = list(sys.path)
        # Folders are rewritten faster than the time stamps of bytecode files can tell.
        sys.dont_write_bytecode = True
        purge(self.root)
        self._outfit.install()
        self.outside.install()

    @property
    def now_ms(self) -> int:
        """Virtual milliseconds since the conversation began."""
        return self.loop.now_ms

    def begin_turn(self, turn: Turn, on_interrupt: Callable[[], object] | None = None) -> TurnRecorder:
        """A turn begins. `on_interrupt` cuts it off; without it the turn's own task is cancelled."""
        recorder = TurnRecorder(turn, lambda: self.now_ms)
        self.outside.begin_turn(recorder, turn.interrupt, on_interrupt or self._cancel_turn)
        return recorder

    def run(self, turn: Coroutine[Any, Any, _Result]) -> _Result:
        """Runs a turn to its end, on the virtual clock."""
        try:
            self._task: asyncio.Task[_Result] = self.loop.create_task(turn)
            return self.loop.run(_join(self._task))
        finally:
            self.outside.end_turn()

    def _cancel_turn(self) -> None:
        self._task.cancel()

    def close(self) -> None:
        """Forgets the project."""
        try:
            self.loop.finish()
        finally:
            self.outside.remove()
            self._outfit.remove()
            purge(self.root)
            sys.path[:] = self._path
            if self._copy is not None:
                self._copy.cleanup()


async def _join(task: asyncio.Task[_Result]) -> _Result:
    return await task
