"""Puts a Python runtime of the Mantle tool contract under the conformance suite.

Subclass `Adapter` with `load` and `turn`, and call `serve`. See the README for a worked example.
"""

from . import stand_in
from .intents import ToolCall, spell
from .messages import (
    ActiveFrame,
    Finding,
    Intent,
    Interrupt,
    Json,
    Load,
    LoadReport,
    LogRecord,
    ReadResult,
    ScriptedReply,
    SkillReport,
    ToolReport,
    Turn,
    TurnTrace,
    Wait,
    WaitReport,
    World,
)
from .modules import purge
from .server import Adapter, Server, Skip, serve
from .stage import Stage
from .trace import Answer, ScriptExhausted, TurnRecorder, current_run
from .virtual_time import Deadlock, VirtualTimeLoop

__all__ = [
    "ActiveFrame",
    "Adapter",
    "Answer",
    "Deadlock",
    "Finding",
    "Intent",
    "Interrupt",
    "Json",
    "Load",
    "LoadReport",
    "LogRecord",
    "ReadResult",
    "ScriptExhausted",
    "ScriptedReply",
    "Server",
    "SkillReport",
    "Skip",
    "Stage",
    "ToolCall",
    "ToolReport",
    "Turn",
    "TurnRecorder",
    "TurnTrace",
    "VirtualTimeLoop",
    "Wait",
    "WaitReport",
    "World",
    "current_run",
    "purge",
    "serve",
    "spell",
    "stand_in",
]
