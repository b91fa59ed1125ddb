"""The protocol: one JSON object a line in, one out, ids echoed, whatever happens.

Knows adapters through `Adapter` only. Rules: `specs/protocol.schema.json`; stdout carries the protocol and nothing
else, so what tools and runtimes print goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TextIO

from .messages import (
    PROTOCOL_VERSION,
    Bye,
    Hello,
    HelloReport,
    Json,
    Load,
    LoadReport,
    Turn,
    TurnTrace,
    Wait,
    WaitReport,
    read_request,
)
from .stage import Stage

MAXIMUM_DEPTH = 200
"""How deep a reply is searched for what cannot be written."""


class Skip(Exception):
    """Raised by an adapter for something that its runtime does not offer."""

    def __init__(self, capability: str, message: str, issue_url: str | None = None) -> None:
        super().__init__(message)
        self.capability = capability
        self.issue_url = issue_url


class Adapter(ABC):
    """The glue between the suite and one runtime: who it is, and how to load, take a turn and wait."""

    name: ClassVar[str]
    version: str
    edition: ClassVar[str]
    capabilities: ClassVar[frozenset[str]]
    fresh_folder: ClassVar[bool] = False
    """Whether each project comes in a folder of a new name: for runtimes that remember files by their path, or
    write to them. The suite rewrites one folder for all of its projects."""

    def hello(self) -> HelloReport:
        """Who answers."""
        return {
            "name": self.name,
            "version": self.version,
            "language": "python",
            "protocol": PROTOCOL_VERSION,
            "edition": self.edition,
            "capabilities": sorted(self.capabilities),
        }

    @abstractmethod
    def load(self, stage: Stage) -> LoadReport:
        """Loads the project of the stage and starts a conversation."""

    @abstractmethod
    def turn(self, stage: Stage, turn: Turn) -> TurnTrace:
        """Runs one user turn."""

    def wait(self, stage: Stage, wait: Wait) -> WaitReport:
        """Lets virtual time pass."""
        stage.loop.pass_time(wait.for_ms)
        return {"now_ms": stage.now_ms, "events": []}

    def close(self, stage: Stage) -> None:
        """The project of this stage is done with."""


class Server:
    """Answers requests with an adapter."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._stage: Stage | None = None
        self.is_over = False

    def answer(self, line: str) -> dict[str, Json]:
        """The reply line to a request line."""
        request_id = 0
        try:
            message = json.loads(line)
            request_id = message.get("id", 0)
            return {"id": request_id, "reply": {"result": self._result(message["request"])}}
        except Skip as skip:
            skipped = {"capability": skip.capability, "message": str(skip)}
            if skip.issue_url is not None:
                skipped["issue_url"] = skip.issue_url
            return {"id": request_id, "reply": {"skipped": skipped}}
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            errored = {"message": f"{type(error).__name__}: {error}", "detail": traceback.format_exc()}
            return {"id": request_id, "reply": {"errored": errored}}

    def _result(self, wire: Mapping[str, Json]) -> Any:
        match read_request(wire):
            case Hello():
                return self._adapter.hello()
            case Load() as load:
                self._close()
                self._stage = Stage(load, self._adapter.fresh_folder)
                return self._adapter.load(self._stage)
            case Turn() as turn:
                return self._adapter.turn(self._loaded(), turn)
            case Wait() as wait:
                return self._adapter.wait(self._loaded(), wait)
            case Bye():
                self.is_over = True
                self._close()
                return {}

    def _loaded(self) -> Stage:
        if self._stage is None:
            raise RuntimeError("nothing is loaded")
        return self._stage

    def _close(self) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            try:
                self._adapter.close(stage)
            finally:
                stage.close()


def serve(adapter: Adapter, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Serves on stdin and stdout until `bye` or the end of input."""
    if out is None:
        # The protocol keeps the real stdout to itself: what anyone else writes there, in Python or below, is
        # shown on stderr.
        out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
    if lines is None:
        lines = open(0, encoding="utf-8", closefd=False)
    server = Server(adapter)
    for line in lines:
        if not line.strip():
            continue
        out.write(_encode(server.answer(line)) + "\n")
        out.flush()
        if server.is_over:
            break


def _encode(reply: dict[str, Json]) -> str:
    try:
        return json.dumps(reply, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        result = reply["reply"].get("result")
        message = f"the reply cannot be written: {_unwritable(result, ()) or error}"
        errored = {"message": message, "detail": traceback.format_exc()}
        return json.dumps({"id": reply["id"], "reply": {"errored": errored}})


def _unwritable(value: Any, path: tuple[str, ...]) -> str | None:
    """The first value inside another that is no JSON: where it stands, and what it is."""
    inner: Iterable[tuple[object, Any]]
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, (list, tuple)):
        inner = enumerate(value)
    else:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            return f"`{'.'.join(path)}` is {value!r}, a {type(value).__name__}"
        return None
    if len(path) == MAXIMUM_DEPTH:
        return f"`{'.'.join(path[:6])}…` is nested deeper than {MAXIMUM_DEPTH} levels, or holds itself"
    for key, one in inner:
        if isinstance(value, dict) and not isinstance(key, (str, int, float, bool, type(None))):
            return f"`{'.'.join(path)}` has the key {key!r}, a {type(key).__name__}"
        found = _unwritable(one, (*path, str(key)))
        if found is not None:
            return found
    return None
