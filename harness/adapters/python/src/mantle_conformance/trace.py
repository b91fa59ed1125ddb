"""What is seen in one turn, put together as it happens.

Notes what it is told, with the virtual time; judges nothing. Rules: `specs/protocol.schema.json`, `TurnTrace`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from .intents import ToolCall, spell
from .messages import (
    ActiveFrame,
    AwaitRecord,
    Button,
    Failure,
    Json,
    LlmCall,
    LogRecord,
    MessageRecord,
    Outcome,
    ReadResult,
    RunOutcome,
    Sender,
    ToolRun,
    Trigger,
    Turn,
    TurnTrace,
)

_Result = TypeVar("_Result")

current_run: ContextVar[ToolRun | None] = ContextVar("current_run", default=None)
"""The tool run in which the code that asks is running."""


class ScriptExhausted(BaseException):
    """The model was called more often than the scenario scripts.

    No `Exception`: a runtime that catches those when a model fails would go on as if the model had answered.
    """


class Answer:
    """What the scripted model answers: text, and calls in the words of the offered tools."""

    def __init__(self, text: str | None, calls: list[ToolCall]) -> None:
        self.text = text
        self.calls = calls


class TurnRecorder:
    """Records one turn and plays the model in it."""

    def __init__(self, turn: Turn, now_ms: Callable[[], int]) -> None:
        self.turn = turn
        self.was_cut = False
        self.script_exhausted = False
        self._now_ms = now_ms
        self._answered = 0
        self._run_numbers: dict[int, int] = {}
        self._trace: TurnTrace = {
            "outcome": "completed",
            "started_ms": now_ms(),
            "ended_ms": now_ms(),
            "llm_calls": [],
            "messages": [],
            "events": [],
            "tools": [],
            "services": [],
            "memory": {},
            "order": [],
        }

    @property
    def trace(self) -> TurnTrace:
        """What was seen so far."""
        return self._trace

    def happens(self, moment: str) -> None:
        """Something happens now, by its path in the trace: `events[3]`, `tools[0] ends`."""
        self._trace["order"].append(moment)

    def run_number(self, run: ToolRun) -> int | None:
        """Where a run stands among those of this turn; `None` for one that an earlier turn left running."""
        return self._run_numbers.get(id(run))

    def forget(self, run: ToolRun) -> None:
        """The last run that began turns out not to be one."""
        number = self._run_numbers.pop(id(run))
        self._trace["tools"].pop(number)
        own = (f"tools[{number}]", f"tools[{number}] ", f"tools[{number}].")
        self._trace["order"] = [one for one in self._trace["order"] if one != own[0] and not one.startswith(own[1:])]

    def ask_model(
        self, offered: Mapping[str, Json], read: list[ReadResult], heard: str | None = None
    ) -> Answer:
        """The model's next answer, given the tools offered and the results it reads; after a tap also what it reads
        as the user's words."""
        script = self.turn.llm
        call: LlmCall = {"at_ms": self._now_ms(), "offered": dict(offered), "read": read, "calls": []}
        if heard is not None:
            call["heard"] = heard
        self.happens(f"llm_calls[{len(self._trace['llm_calls'])}]")
        self._trace["llm_calls"].append(call)
        if self._answered >= len(script):
            self.script_exhausted = True
            raise ScriptExhausted("the model is called once more than the scenario scripts")
        answer = script[self._answered]
        self._answered += 1
        if answer.say is not None:
            call["say"] = answer.say
        call["calls"] = [intent.wire for intent in answer.calls]
        return Answer(answer.say, [spell(intent, offered) for intent in answer.calls])

    def event(self, name: str, data: Mapping[str, Json]) -> None:
        """A tracker event was recorded."""
        self.happens(f"events[{len(self._trace['events'])}]")
        self._trace["events"].append({"at_ms": self._now_ms(), "event": name, "data": dict(data)})

    def message(
        self, text: str, sender: Sender, buttons: list[Button] | None = None, response: str | None = None
    ) -> None:
        """The user got a message."""
        record: MessageRecord = {"at_ms": self._now_ms(), "text": text, "sender": sender}
        if buttons:
            record["buttons"] = buttons
        if response is not None:
            record["response"] = response
        self.happens(f"messages[{len(self._trace['messages'])}]")
        self._trace["messages"].append(record)

    def log(self, record: LogRecord) -> None:
        """The runtime logged something."""
        self._trace.setdefault("logs", []).append(record)

    @contextmanager
    def tool_run(self, tool: str, trigger: Trigger, arguments: Json) -> Iterator[ToolRun]:
        """Records a run of a tool's function: what is suspended or sent inside belongs to it."""
        now = self._now_ms()
        run: ToolRun = {
            "tool": tool,
            "trigger": trigger,
            "arguments": arguments,
            "started_ms": now,
            "ended_ms": now,
            "outcome": "returned",
            "awaits": [],
        }
        number = len(self._trace["tools"])
        self._run_numbers[id(run)] = number
        self.happens(f"tools[{number}]")
        self._trace["tools"].append(run)
        token = current_run.set(run)
        cut_off: RunOutcome = "returned"
        try:
            yield run
            if _was_cancelled():
                cut_off = "cancelled" if self.was_cut else "timed_out"
        except asyncio.CancelledError:
            cut_off = "cancelled" if self.was_cut else "timed_out"
            raise
        except BaseException:
            cut_off = "raised"
            raise
        finally:
            run["outcome"] = cut_off
            run["ended_ms"] = self._now_ms()
            self.happens(f"tools[{number}] ends")
            current_run.reset(token)

    async def observe(
        self, tool: str, trigger: Trigger, arguments: Json, work: Awaitable[_Result]
    ) -> _Result:
        """Awaits a tool's coroutine and records the run."""
        with self.tool_run(tool, trigger, arguments):
            return await work

    def finish(
        self,
        memory: Mapping[str, Json],
        active: ActiveFrame | None,
        outcome: Outcome = "completed",
        failure: Failure | None = None,
    ) -> TurnTrace:
        """The turn is over: its trace."""
        self._trace["outcome"] = outcome
        self._trace["ended_ms"] = self._now_ms()
        self._trace["memory"] = {name: value for name, value in memory.items() if value is not None}
        if active is not None:
            self._trace["active"] = active
        if failure is not None:
            self._trace["failure"] = failure
        return self._trace

    def exhausted(self, memory: Mapping[str, Json], active: ActiveFrame | None) -> TurnTrace:
        """The turn is over because the script ran out: its trace."""
        message = "the model is called once more than the scenario scripts"
        return self.finish(memory, active, "failed", {"code": "llm_script_exhausted", "message": message})


def _was_cancelled() -> bool:
    """Whether a cancellation was raised in the running task, also when the code went on after it."""
    task = asyncio.current_task()
    if task is None:
        return False
    return task.cancelling() > 0 and not getattr(task, "_must_cancel", False)


def new_await(what: str, place: str, now_ms: int) -> AwaitRecord:
    """A suspension that begins."""
    return {"started_ms": now_ms, "ended_ms": now_ms, "what": what, "place": place, "ended": "returned"}
