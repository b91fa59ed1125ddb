"""Memory: who may read and write what. On purpose a project entry can be written again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .agent import Agent
from .api import MemoryWriteError


class Memory:
    """The memory of a conversation."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.values = {f"project.{name}": entry["initial_value"] for name, entry in agent.project_memory.items()}
        for skill in agent.skills.values():
            self.reset(skill.id)

    def reset(self, skill: str) -> None:
        """A skill starts anew."""
        for name, entry in self._agent.skills[skill].memory.items():
            self.values[f"{skill}.{name}"] = entry["initial_value"]

    def is_declared(self, owner: str, name: str) -> bool:
        """Whether there is such an entry."""
        if owner == "project":
            return name in self._agent.project_memory
        return owner in self._agent.skills and name in self._agent.skills[owner].memory

    def owner_of_bare(self, skill: str, name: str) -> str | None:
        """Whose entry a bare name means."""
        return next((owner for owner in (skill, "project") if self.is_declared(owner, name)), None)

    def is_readable(self, skill: str, owner: str, name: str) -> bool:
        """Whether a skill may read an entry."""
        if not self.is_declared(owner, name):
            return False
        return owner in ("project", skill) or not self._agent.skills[owner].memory[name]["private"]


class MemorySlice:
    """`context.memory`."""

    def __init__(self, memory: Memory, skill: str, record: Callable[[str, dict[str, Any]], None]) -> None:
        self._memory = memory
        self._skill = skill
        self._record = record

    def get(self, name: str, default: Any = None) -> Any:
        """Reads an entry; never raises."""
        owner, _, entry = str(name).partition(".")
        if not entry:
            owner, entry = self._memory.owner_of_bare(self._skill, owner) or "", owner
        if not self._memory.is_readable(self._skill, owner, entry):
            return default
        value = self._memory.values.get(f"{owner}.{entry}")
        return default if value is None else value

    def set(self, name: str, value: Any) -> None:
        """Writes an entry, at once."""
        owner, _, entry = str(name).partition(".")
        if not entry:
            owner, entry = self._memory.owner_of_bare(self._skill, owner) or "", owner
        if owner not in ("project", self._skill) or not self._memory.is_declared(owner, entry):
            raise MemoryWriteError(f"the skill `{self._skill}` may not write `{name}`")
        key = f"{owner}.{entry}"
        self._memory.values[key] = value
        self._record("slot", {"name": key, "value": value})
        if value is None:
            self._record("memory_cleared", {"key": key})
        else:
            self._record("memory_set", {"key": key, "value": value})
