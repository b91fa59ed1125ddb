"""The outside as tools reach it, on the virtual clock: services, sleeping, synchronous work, and the cut.

What a tool awaits is seen here, and a turn is cut off here. Rules: docs/scenarios.md, "world" and "interrupt":
an interrupt due at the same instant as a completion loses to it.
"""

from __future__ import annotations

import asyncio
import builtins
import copy
import json
import sys
import time
import types
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from .messages import Interrupt, Json, Raises, ServiceBehaviour, ServiceCall, ToolRun
from .trace import TurnRecorder, current_run, new_await
from .virtual_time import LateCall, VirtualTimeLoop

_sleep = asyncio.sleep
_time_sleep = time.sleep

_THIS_FILE = __file__

Moment = tuple[TurnRecorder, str]
"""Something that happens, by its path in the trace of its turn."""


class Outside:
    """The outside world of one loaded project."""

    def __init__(
        self, root: Path, services: Mapping[str, tuple[ServiceBehaviour, ...]], loop: VirtualTimeLoop
    ) -> None:
        self._root = root
        self._services = services
        self._loop = loop
        self._calls: dict[str, int] = {}
        self._recorder: TurnRecorder | None = None
        self._on_interrupt: Callable[[], object] | None = None
        self._interrupt: Interrupt | None = None
        self._due: float | None = None
        self._late: LateCall | None = None
        self._awaits = 0

    # --- turns ----------------------------------------------------------------------------------------

    def begin_turn(
        self, recorder: TurnRecorder, interrupt: Interrupt | None, on_interrupt: Callable[[], object] | None
    ) -> None:
        """A turn begins, to be cut off by calling `on_interrupt`."""
        self.end_turn()
        self._recorder = recorder
        self._interrupt = interrupt
        self._on_interrupt = on_interrupt
        self._awaits = 0
        if interrupt is not None and interrupt.at_ms is not None:
            self._due = self._loop.time() + interrupt.at_ms / 1000
            self._late = self._loop.call_late(self._due, self._cut)

    def end_turn(self) -> None:
        """The turn is over; an interrupt that did not come never comes."""
        if self._late is not None:
            self._late.cancel()
        self._late = self._due = self._interrupt = self._recorder = None

    def _cut(self) -> None:
        recorder = self._recorder
        if recorder is None or recorder.was_cut:
            return
        recorder.was_cut = True
        if self._late is not None:
            self._late.cancel()
        if self._on_interrupt is not None:
            self._on_interrupt()

    def _cuts_off_here(self) -> bool:
        """A suspension begins: whether the turn is cut off at it."""
        self._awaits += 1
        at_await = self._interrupt.at_await if self._interrupt else None
        is_due = self._due is not None and self._due <= self._loop.time() + 1e-9
        if (at_await == self._awaits or is_due) and self._recorder and not self._recorder.was_cut:
            self._cut()
            return True
        return False

    # --- what tools can do ----------------------------------------------------------------------------

    async def suspend(self, what: str, seconds: float, place: str) -> None:
        """Waits, in a way that is seen and can be cut off."""
        run = current_run.get()
        record = new_await(what, place, self._loop.now_ms)
        moment = self._moment_of_await(run)
        if run is not None:
            run["awaits"].append(record)
        self._happens(moment)
        until = self._loop.time() + max(seconds, 0)
        over: asyncio.Future[None] = self._loop.create_future()

        def end() -> None:
            if not over.done():
                over.set_result(None)

        cut_here = self._cuts_off_here()
        # Where the turn is cut off, the cut comes before the end of a wait of no length.
        handle = self._loop.call_late(until, end) if cut_here else self._loop.call_at(until, end)
        try:
            await over
        except asyncio.CancelledError:
            record["ended"] = "cancelled"
            raise
        finally:
            handle.cancel()
            record["ended_ms"] = self._loop.now_ms
            self._happens(moment, " ends")

    def _moment_of_await(self, run: ToolRun | None) -> Moment | None:
        """The next suspension of a run; `None` where no run of this turn is suspended."""
        number = self._recorder.run_number(run) if self._recorder and run is not None else None
        if self._recorder is None or run is None or number is None:
            return None
        return self._recorder, f"tools[{number}].awaits[{len(run['awaits'])}]"

    def _happens(self, moment: Moment | None, suffix: str = "") -> None:
        """Notes it in its turn; what ends in a later turn than it began has no place there."""
        if moment is not None and moment[0] is self._recorder:
            self._recorder.happens(moment[1] + suffix)

    def busy(self, seconds: float) -> None:
        """Synchronous work: time passes, and nobody else gets the word."""
        self._loop.advance(seconds)
        if self._due is not None and self._due < self._loop.time() - 1e-9:
            self._cut()

    async def call(self, name: str, place: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Json:
        """Calls a service, which does what it is declared to do at this call; the last behaviour repeats."""
        behaviours = self._services.get(name) or (ServiceBehaviour(),)
        made = self._calls.get(name, 0)
        self._calls[name] = made + 1
        behaviour = behaviours[min(made, len(behaviours) - 1)]
        record: ServiceCall = {
            "call": name,
            "arguments": [as_json(argument) for argument in arguments],
            "keywords": {key: as_json(value) for key, value in keywords.items()},
            "started_ms": self._loop.now_ms,
            "ended_ms": None,
            "outcome": "running",
        }
        moment: Moment | None = None
        if self._recorder is not None:
            services = self._recorder.trace["services"]
            moment = self._recorder, f"services[{len(services)}]"
            services.append(record)
        self._happens(moment)
        try:
            await self.suspend(name, behaviour.takes_ms / 1000, place)
        except asyncio.CancelledError:
            record["outcome"] = "cancelled"
            raise
        finally:
            record["ended_ms"] = self._loop.now_ms
            self._happens(moment, " ends")
        if behaviour.raises is not None:
            record["outcome"] = "raised"
            raise exception(behaviour.raises)
        record["outcome"] = "returned"
        return copy.deepcopy(behaviour.returns)

    # --- how they get at it ---------------------------------------------------------------------------

    def declares(self, name: str) -> bool:
        """Whether the world has a service of this name, or services below it: `bank` for `bank.transfer`."""
        return any(service == name or service.startswith(f"{name}.") for service in self._services)

    def fill_world(self, module: types.ModuleType) -> None:
        """Gives `lib.world` its contents: `busy`, and the declared services, `bank` for `bank.transfer`."""
        module.busy = self.busy  # type: ignore[attr-defined]
        for name in self._services:
            first = name.split(".")[0]
            setattr(module, first, Service(self, first))

    def place_of_caller(self) -> str | None:
        """Where in the project the code stands that calls into this package; `None` when it is not the project."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename == _THIS_FILE:
            frame = frame.f_back  # type: ignore[assignment]
        if frame is None:
            return None
        file = Path(frame.f_code.co_filename)
        if not file.is_relative_to(self._root):
            return None
        return f"{file.relative_to(self._root).as_posix()}:{frame.f_lineno}"

    def install(self) -> None:
        """From here on the project's own `asyncio.sleep` and `time.sleep` are seen; everybody else's stay as they are."""

        def sleep(delay: float, result: Any = None) -> Coroutine[Any, Any, Any]:
            place = self.place_of_caller()
            return _sleep(delay, result) if place is None else self._project_sleep(delay, result, place)

        def time_sleep(seconds: float) -> None:
            if self.place_of_caller() is None:
                _time_sleep(seconds)
            else:
                self.busy(seconds)

        asyncio.sleep = sleep  # type: ignore[assignment]
        time.sleep = time_sleep

    @staticmethod
    def remove() -> None:
        """Undoes `install`."""
        asyncio.sleep = _sleep
        time.sleep = _time_sleep

    async def _project_sleep(self, delay: float, result: Any, place: str) -> Any:
        await self.suspend("asyncio.sleep", delay, place)
        return result


class Service:
    """A service of the outside, or a part of one; calling it gives something to await.

    Has the attributes that the world declares and no others: a runtime that looks for marks of its own on whatever a
    module holds must not find them here.
    """

    def __init__(self, outside: Outside, name: str) -> None:
        self._outside = outside
        self._name = name

    def __getattr__(self, name: str) -> Service:
        if name.startswith("_"):
            raise AttributeError(name)
        service = f"{self._name}.{name}"
        if not self._outside.declares(service):
            raise AttributeError(f"the world declares no service `{service}`", name=name, obj=self)
        return Service(self._outside, service)

    def __call__(self, *arguments: Any, **keywords: Any) -> Awaitable[Json]:
        place = self._outside.place_of_caller() or "?"
        return self._outside.call(self._name, place, arguments, keywords)

    def __repr__(self) -> str:
        return f"<service {self._name}>"


def exception(raises: Raises) -> BaseException:
    """An exception of a class given by name: Python's own, asyncio's, or else a new one of that name."""
    found = getattr(builtins, raises.exception, None) or getattr(asyncio, raises.exception, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        found = type(raises.exception, (Exception,), {})
    return found(raises.message)


def as_json(value: Any) -> Json:
    """A value as it can stand on the wire."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return "<object>"
