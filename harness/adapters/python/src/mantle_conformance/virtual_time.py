"""An asyncio event loop on a virtual clock: sleeping costs nothing, and the same program takes the same course.

Knows nothing of the protocol. Rules: docs/scenarios.md, "interrupt": what is due late at an instant comes after
everything that completes at that instant.
"""

from __future__ import annotations

import asyncio
import itertools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")

RESOLUTION = 1e-7
"""Timers closer to each other than this, in seconds, are due at the same instant."""

THREAD_PATIENCE = 30.0
"""How many real seconds a thread of the runtime may keep virtual time waiting."""


class Deadlock(RuntimeError):
    """Everything waits, and nothing will ever happen."""


class LateCall:
    """A call that is made at an instant after everything else that happens then."""

    def __init__(self, when: float, number: int, callback: Callable[[], object]) -> None:
        self.when = when
        self.number = number
        self.callback = callback
        self.cancelled = False

    def cancel(self) -> None:
        """Takes it back."""
        self.cancelled = True


class _VirtualSelector(selectors.BaseSelector):
    """Asks the loop to move its clock where an ordinary selector would wait."""

    def __init__(self) -> None:
        self._inner = selectors.DefaultSelector()
        self.loop: VirtualTimeLoop | None = None

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._inner.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.modify(fileobj, events, data)

    def get_map(self) -> Any:
        return self._inner.get_map()

    def close(self) -> None:
        self._inner.close()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._inner.select(0)
        if ready or timeout == 0 or self.loop is None:
            return ready
        if self.loop.threads > 0:
            ready = self._inner.select(THREAD_PATIENCE)
            if not ready:
                raise Deadlock(f"a thread has been running for {THREAD_PATIENCE} real seconds")
            return ready
        self.loop.move_on()
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock starts at zero and moves only when nothing is left to do at an instant."""

    def __init__(self) -> None:
        self._now = 0.0
        self._late: list[LateCall] = []
        self._numbers = itertools.count()
        self.threads = 0
        selector = _VirtualSelector()
        super().__init__(selector)
        selector.loop = self
        self._clock_resolution = RESOLUTION

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._now

    @property
    def now_ms(self) -> int:
        """The virtual time in whole milliseconds."""
        return round(self._now * 1000)

    def advance(self, seconds: float) -> None:
        """Lets time pass without giving anyone the word, as synchronous work does."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._now += seconds

    def call_late(self, when: float, callback: Callable[[], object]) -> LateCall:
        """Calls back at an instant, after everything that happens at that instant."""
        call = LateCall(when, next(self._numbers), callback)
        self._late.append(call)
        return call

    def move_on(self) -> None:
        """Nothing is left to do now: makes the due late calls, or moves the clock to the next timer."""
        self._late = [call for call in self._late if not call.cancelled]
        late = min(self._late, key=lambda call: (call.when, call.number), default=None)
        timers = [handle.when() for handle in self._scheduled if not handle.cancelled()]  # type: ignore[attr-defined]
        timer = min(timers, default=None)
        if late is not None and (timer is None or late.when < timer - RESOLUTION):
            self._late.remove(late)
            self._now = max(self._now, late.when)
            late.callback()
        elif timer is not None:
            self._now = max(self._now, timer)
        else:
            waiting = sorted(task.get_name() for task in asyncio.all_tasks(self) if not task.done())
            raise Deadlock(f"everything waits and nothing is scheduled at {self.now_ms} ms: {', '.join(waiting)}")

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        """Runs something in a thread; virtual time stands still meanwhile."""
        future = super().run_in_executor(executor, func, *args)
        self.threads += 1
        future.add_done_callback(self._thread_ended)
        return future

    def _thread_ended(self, _future: object) -> None:
        self.threads -= 1

    def run(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        """Runs a coroutine to its end."""
        asyncio.set_event_loop(self)
        return self.run_until_complete(coroutine)

    def pass_time(self, milliseconds: int) -> None:
        """Lets time pass while whatever is scheduled goes on."""
        self.run(asyncio.sleep(milliseconds / 1000))

    def finish(self) -> None:
        """Cancels what is left and closes."""
        if self.is_closed():
            return
        left = [task for task in asyncio.all_tasks(self) if not task.done()]
        for task in left:
            task.cancel()
        if left:
            try:
                self.run(_all_of(left))
            except Deadlock:
                pass
        self.close()


async def _all_of(tasks: list[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
