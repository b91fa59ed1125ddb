"""The glue between the suite and the toy."""

from __future__ import annotations

from typing import Any

from mantle_conformance import (
    ActiveFrame,
    Adapter,
    LoadReport,
    ScriptExhausted,
    Stage,
    Turn,
    TurnTrace,
    stand_in,
)

from .agent import Refused, Skill, load_agent
from .conversation import Conversation, TurnCut


class ToyAdapter(Adapter):
    """The suite's requests, answered by the toy."""

    name = "toy"
    version = "0.1"
    edition = "3.20"
    capabilities = frozenset(
        {"schema", "discovery", "memory", "execution", "cancellation", "timeouts", "train_checks", "virtual_time"}
    )

    def __init__(self) -> None:
        stand_in.install()

    def load(self, stage: Stage) -> LoadReport:
        try:
            agent = load_agent(stage.root)
        except Refused as refused:
            severity = "error"
            finding: Any = {
                "code": refused.code,
                "severity": severity,
                "phase": refused.phase,
                "message": str(refused),
            }
            return {"outcome": "rejected", "phase": finding["phase"], "findings": [finding], "skills": {}}
        self._conversation = Conversation(agent, stage)
        skills: Any = {skill.id: _report(skill) for skill in agent.skills.values()}
        logs: Any = agent.logs
        return {"outcome": "ok", "findings": [], "skills": skills, "memory": agent.project_memory, "logs": logs}

    def turn(self, stage: Stage, turn: Turn) -> TurnTrace:
        conversation = self._conversation
        recorder = stage.begin_turn(turn, conversation.cut)
        outcome: Any = "completed"
        try:
            stage.run(conversation.turn(recorder))
        except ScriptExhausted:
            return recorder.exhausted(conversation.memory.values, self._active())
        except TurnCut:
            outcome = "cancelled"
        return recorder.finish(conversation.memory.values, self._active(), outcome)

    def _active(self) -> ActiveFrame | None:
        stack = self._conversation.stack
        return {"skill": stack[-1], "stack": list(stack)} if stack else None


def _report(skill: Skill) -> dict[str, Any]:
    tools = {
        tool.name: {"source": tool.source, "description": tool.description, "parameters": tool.parameters}
        for tool in skill.tools.values()
    }
    return {"tools": tools, "memory": skill.memory}
