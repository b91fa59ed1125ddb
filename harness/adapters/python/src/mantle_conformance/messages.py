"""What crosses the boundary: requests as dataclasses, replies as typed dictionaries.

Knows nothing of any runtime. Rules: `specs/protocol.schema.json`; unknown fields are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

PROTOCOL_VERSION = 1
"""The version of the boundary that this package speaks."""

Json: TypeAlias = Any
"""A JSON value as it stands on the wire."""


# --- requests -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """Who are you, what can you do?"""

    protocol: int


@dataclass(frozen=True)
class Raises:
    """How a service fails: an exception of this class, with this message."""

    exception: str
    message: str = ""


@dataclass(frozen=True)
class ServiceBehaviour:
    """What one call to a service does: it takes its time, then returns or raises."""

    takes_ms: int = 0
    returns: Json = None
    raises: Raises | None = None

    @staticmethod
    def read(wire: Mapping[str, Json]) -> ServiceBehaviour:
        """Reads it from the wire."""
        ends = wire.get("ends") or {}
        raises = ends.get("raises")
        return ServiceBehaviour(
            takes_ms=wire.get("takes_ms", 0),
            returns=ends.get("returns"),
            raises=Raises(raises["exception"], raises.get("message", "")) if raises else None,
        )


@dataclass(frozen=True)
class McpTool:
    """A tool on an MCP server."""

    name: str
    description: str = ""
    parameters: Json = None
    calls: tuple[ServiceBehaviour, ...] = ()


@dataclass(frozen=True)
class McpServer:
    """An MCP server: what it lists, and how it fails at start-up (`connect`, `authenticate`, `list`)."""

    tools: tuple[McpTool, ...] = ()
    fails: str | None = None

    @staticmethod
    def read(wire: Mapping[str, Json]) -> McpServer:
        """Reads it from the wire."""
        tools = tuple(
            McpTool(
                tool["name"],
                tool.get("description", ""),
                tool.get("parameters"),
                tuple(ServiceBehaviour.read(call) for call in tool.get("calls", ())),
            )
            for tool in wire.get("tools", ())
        )
        return McpServer(tools, wire.get("fails"))


@dataclass(frozen=True)
class Passage:
    """A passage that a knowledge search finds."""

    text: str
    source: str = ""


@dataclass(frozen=True)
class World:
    """What lies outside the agent project."""

    services: Mapping[str, tuple[ServiceBehaviour, ...]] = field(default_factory=dict)
    mcp: Mapping[str, McpServer] = field(default_factory=dict)
    knowledge: tuple[Passage, ...] | None = None
    packages: tuple[str, ...] = ()

    @staticmethod
    def read(wire: Mapping[str, Json]) -> World:
        """Reads it from the wire."""
        knowledge = wire.get("knowledge")
        return World(
            services={
                name: tuple(ServiceBehaviour.read(one) for one in behaviours)
                for name, behaviours in wire.get("services", {}).items()
            },
            mcp={name: McpServer.read(server) for name, server in wire.get("mcp", {}).items()},
            knowledge=None
            if knowledge is None
            else tuple(Passage(one["text"], one.get("source", "")) for one in knowledge),
            packages=tuple(wire.get("packages", ())),
        )


@dataclass(frozen=True)
class Session:
    """Where a conversation begins."""

    active: str | None = None
    memory: Mapping[str, Json] = field(default_factory=dict)
    channel: str = "text"
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @staticmethod
    def read(wire: Mapping[str, Json]) -> Session:
        """Reads it from the wire."""
        return Session(
            active=wire.get("active"),
            memory=dict(wire.get("memory", {})),
            channel=wire.get("channel", "text"),
            metadata=dict(wire.get("metadata", {})),
        )


@dataclass(frozen=True)
class Load:
    """Start over with the agent project in this folder, and with a fresh conversation."""

    root: str
    world: World = field(default_factory=World)
    session: Session = field(default_factory=Session)


IntentKind: TypeAlias = Literal[
    "activate", "complete", "cancel", "set", "correct", "confirm", "search", "cannot_help", "listen", "call"
]


@dataclass(frozen=True)
class Intent:
    """What the scripted model wants to do; see `intents.spell` for how it is said."""

    kind: IntentKind
    value: Json = None
    wire: Json = None

    @staticmethod
    def read(wire: Json) -> Intent:
        """Reads it from the wire."""
        if isinstance(wire, str):
            return Intent(wire, None, wire)  # type: ignore[arg-type]
        ((kind, value),) = wire.items()
        return Intent(kind, value, wire)


@dataclass(frozen=True)
class ScriptedReply:
    """One answer of the scripted model: text, calls, or both."""

    say: str | None = None
    calls: tuple[Intent, ...] = ()

    @staticmethod
    def read(wire: Mapping[str, Json]) -> ScriptedReply:
        """Reads it from the wire."""
        return ScriptedReply(wire.get("say"), tuple(Intent.read(one) for one in wire.get("calls", ())))


@dataclass(frozen=True)
class Interrupt:
    """What cuts a turn off: after so many milliseconds, or at the n-th suspension in tool code."""

    at_ms: int | None = None
    at_await: int | None = None
    cause: str = "barge_in"

    @staticmethod
    def read(wire: Mapping[str, Json]) -> Interrupt:
        """Reads it from the wire."""
        when = wire["when"]
        return Interrupt(when.get("at_ms"), when.get("at_await"), wire.get("cause", "barge_in"))


@dataclass(frozen=True)
class Turn:
    """A user turn: the user says something, or taps the button of that title."""

    says: str | None = None
    taps: str | None = None
    llm: tuple[ScriptedReply, ...] = ()
    interrupt: Interrupt | None = None

    @staticmethod
    def read(wire: Mapping[str, Json]) -> Turn:
        """Reads it from the wire."""
        given = wire["input"]
        interrupt = wire.get("interrupt")
        return Turn(
            says=given.get("says"),
            taps=(given.get("taps") or {}).get("title"),
            llm=tuple(ScriptedReply.read(one) for one in wire.get("llm", ())),
            interrupt=Interrupt.read(interrupt) if interrupt else None,
        )


@dataclass(frozen=True)
class Wait:
    """Let virtual time pass while nothing is said."""

    for_ms: int


@dataclass(frozen=True)
class Bye:
    """End."""


Request: TypeAlias = Hello | Load | Turn | Wait | Bye


class UnknownRequest(Exception):
    """A request of a kind that this package does not know."""


def read_request(wire: Mapping[str, Json]) -> Request:
    """Reads a request from the wire."""
    match wire.get("kind"):
        case "hello":
            return Hello(wire["protocol"])
        case "load":
            return Load(
                wire["root"], World.read(wire.get("world", {})), Session.read(wire.get("session", {}))
            )
        case "turn":
            return Turn.read(wire)
        case "wait":
            return Wait(wire["for_ms"])
        case "bye":
            return Bye()
        case kind:
            raise UnknownRequest(f"unknown request: {kind!r}")


# --- replies ------------------------------------------------------------------------------------------

Severity: TypeAlias = Literal["error", "warning", "info"]
Phase: TypeAlias = Literal["train", "load", "startup"]


class HelloReport(TypedDict):
    """Who answers, and what it can do."""

    name: str
    version: str
    language: str
    protocol: int
    edition: str
    capabilities: list[str]


class Place(TypedDict):
    """A place in the project."""

    file: str
    line: NotRequired[int]
    column: NotRequired[int]


class Finding(TypedDict):
    """Something found in a project."""

    code: str
    severity: Severity
    phase: Phase
    message: str
    place: NotRequired[Place]


class LogRecord(TypedDict):
    """A structured log record."""

    level: Severity
    event: str
    data: NotRequired[dict[str, Json]]


class ToolReport(TypedDict):
    """A tool attached to a skill."""

    source: Literal["skill", "shared", "mcp"]
    parameters: Json
    description: NotRequired[str | None]
    requires: NotRequired[str]
    visibility: NotRequired[Literal["model", "hook", "button_source"]]


class SkillReport(TypedDict, total=False):
    """What a skill consists of."""

    tools: dict[str, ToolReport]
    memory: dict[str, dict[str, Json]]
    readable: list[str]
    writable: list[str]


class LoadReport(TypedDict):
    """What the runtime makes of a project."""

    outcome: Literal["ok", "rejected"]
    findings: NotRequired[list[Finding]]
    skills: NotRequired[dict[str, SkillReport]]
    phase: NotRequired[Phase]
    memory: NotRequired[dict[str, dict[str, Json]]]
    logs: NotRequired[list[LogRecord]]
    order: list[str]


class ReadResult(TypedDict):
    """A tool result as the model read it."""

    tool: str
    result: Json
    error: bool


class LlmCall(TypedDict):
    """One call to the model."""

    at_ms: int
    offered: dict[str, Json]
    read: list[ReadResult]
    heard: NotRequired[str]
    say: NotRequired[str]
    calls: list[Json]


class Button(TypedDict):
    """A button below a message."""

    title: str
    payload: str


Sender: TypeAlias = Literal["llm", "filler", "response", "tool"]


class MessageRecord(TypedDict):
    """A message to the user."""

    at_ms: int
    text: str
    sender: Sender
    buttons: NotRequired[list[Button]]
    response: NotRequired[str]


class EventRecord(TypedDict):
    """A tracker event."""

    at_ms: int
    event: str
    data: dict[str, Json]


class AwaitRecord(TypedDict):
    """A suspension point that a tool reached."""

    started_ms: int
    ended_ms: int
    what: str
    place: str
    ended: Literal["returned", "raised", "cancelled"]


Trigger: TypeAlias = Literal["llm", "step", "hook", "button_source", "confirmation", "correction"]
RunOutcome: TypeAlias = Literal["returned", "raised", "timed_out", "cancelled"]


class ToolRun(TypedDict):
    """One run of a tool's function."""

    tool: str
    trigger: Trigger
    arguments: Json
    started_ms: int
    ended_ms: int
    outcome: RunOutcome
    awaits: list[AwaitRecord]


class ServiceCall(TypedDict):
    """A call to an outside service."""

    call: str
    arguments: list[Json]
    keywords: dict[str, Json]
    started_ms: int
    ended_ms: int | None
    outcome: Literal["returned", "raised", "cancelled", "running"]


class ActiveFrame(TypedDict):
    """What is active after a turn."""

    skill: str
    stack: list[str]
    block: NotRequired[str]
    pending_step: NotRequired[str]


class Failure(TypedDict):
    """Why the runtime gave a turn up."""

    code: str
    message: NotRequired[str]


Outcome: TypeAlias = Literal["completed", "cancelled", "failed"]


class TurnTrace(TypedDict):
    """Everything observed in one turn."""

    outcome: Outcome
    started_ms: int
    ended_ms: int
    llm_calls: list[LlmCall]
    messages: list[MessageRecord]
    events: list[EventRecord]
    tools: list[ToolRun]
    services: list[ServiceCall]
    memory: dict[str, Json]
    failure: NotRequired[Failure]
    active: NotRequired[ActiveFrame]
    logs: NotRequired[list[LogRecord]]


class WaitReport(TypedDict):
    """What happened while waiting."""

    now_ms: int
    events: list[EventRecord]
