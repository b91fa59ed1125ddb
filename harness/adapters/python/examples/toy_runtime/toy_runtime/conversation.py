"""A conversation: model and tools in one loop."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mantle_conformance import ReadResult, Stage, ToolCall, TurnRecorder
from mantle_conformance.stand_in import ToolResult

from .agent import Agent, Tool
from .api import ToolContext
from .memory import Memory, MemorySlice


class TurnCut(Exception):
    """The turn was cut off."""


class Conversation:
    """Where a conversation stands."""

    def __init__(self, agent: Agent, stage: Stage) -> None:
        self.agent = agent
        self.memory = Memory(agent)
        self.stack: list[str] = [stage.session.active] if stage.session.active else []
        self.memory.values.update(stage.session.memory)
        self.tool_task: asyncio.Task[Any] | None = None
        self.is_cut = False

    def cut(self) -> None:
        """The turn is cut off: whatever a tool awaits raises."""
        self.is_cut = True
        if self.tool_task is not None:
            self.tool_task.cancel()

    def offered(self) -> dict[str, Any]:
        """The tools offered now, with their parameters."""
        active = self.stack[-1] if self.stack else None
        startable = [skill for skill in self.agent.skills if skill != active]
        offer: dict[str, Any] = {}
        if startable:
            offer["activate"] = _object({"flow_id": {"type": "string", "enum": startable}})
        offer["listen"] = _object({})
        if active is not None:
            offer["complete_skill"] = offer["cancel_skill"] = _object({})
            offer |= {name: tool.parameters for name, tool in self.agent.skills[active].tools.items()}
        return offer

    async def turn(self, recorder: TurnRecorder) -> None:
        """One user turn."""
        self.is_cut = False
        read: list[ReadResult] = []
        while True:
            offered = self.offered()
            answer = recorder.ask_model(offered, read)
            read = []
            if not answer.calls:
                if answer.text:
                    recorder.message(answer.text, "llm")
                return
            if answer.text:
                recorder.message(answer.text, "filler")
            for call in answer.calls:
                if self.is_cut:
                    raise TurnCut
                if call.tool == "listen":
                    if len(answer.calls) == 1 and not answer.text:
                        return
                    continue
                result, error = await self._dispatch(recorder, call, offered)
                read.append({"tool": call.tool, "result": result, "error": error})

    async def _dispatch(self, recorder: TurnRecorder, call: ToolCall, offered: dict[str, Any]) -> tuple[Any, bool]:
        if call.tool not in offered:
            result: Any = {"error": f"there is no tool `{call.tool}` now"}
        elif call.tool == "activate":
            target = call.arguments["flow_id"]
            if target not in self.stack:
                self.memory.reset(target)
            self.stack = [skill for skill in self.stack if skill != target] + [target]
            result = f"{target}: done"
        elif call.tool in ("complete_skill", "cancel_skill"):
            self.stack.pop()
            result = f"{call.tool}: done"
        else:
            result = await self._run(recorder, self.agent.skills[self.stack[-1]].tools[call.tool], call.arguments)
        error = isinstance(result, dict) and result.get("error") is not None
        data = {"tool_name": call.tool, "arguments": call.arguments, "result": result, "is_error": error}
        recorder.event("tool_executed", data)
        return result, error

    async def _run(self, recorder: TurnRecorder, tool: Tool, arguments: dict[str, Any]) -> Any:
        parameters = tool.parameters
        missing = [name for name in parameters["required"] if name not in arguments]
        unexpected = [name for name in arguments if name not in parameters["properties"]]
        if missing or unexpected:
            message = f"missing: {missing}, unexpected: {unexpected}"
            return {"error": message, "code": "invalid_arguments", "retryable": True}
        memory = MemorySlice(self.memory, self.stack[-1], recorder.event)
        context = ToolContext(memory, lambda text: recorder.message(text, "tool"), lambda: self.is_cut)
        work = recorder.observe(tool.name, "llm", arguments, _call(tool, arguments, context))
        self.tool_task = asyncio.ensure_future(work)
        try:
            returned = await asyncio.wait_for(self.tool_task, self.agent.tool_timeout)
            if not isinstance(returned, ToolResult):
                return {"error": f"`{tool.name}` returned no ToolResult"}
            return json.loads(json.dumps(returned.llm_response))
        except asyncio.CancelledError:
            raise TurnCut from None
        except TimeoutError:
            return {"error": f"`{tool.name}` took longer than {self.agent.tool_timeout} seconds"}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        finally:
            self.tool_task = None


async def _call(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Any:
    return await tool.function(**arguments, context=context)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}
