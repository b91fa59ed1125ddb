"""Puts the published `rasa-pro` package under the conformance suite, through its library classes.

Only glue: nothing of the package is copied, changed or switched off. The one substitution is the scripted model,
set where the orchestrator looks its client up. Rules: the README beside this file.
"""

from __future__ import annotations

import os

# The import would otherwise wait for a network, and usage would be reported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
os.environ.setdefault("RASA_TELEMETRY_ENABLED", "false")

import functools
import importlib.metadata
import inspect
import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
import yaml

import rasa.dialogue_understanding.commands  # noqa: F401  (first, or the package's imports run in a circle)
import rasa
from mantle_conformance import (
    ActiveFrame,
    Adapter,
    Finding,
    LoadReport,
    LogRecord,
    ReadResult,
    ScriptExhausted,
    SkillReport,
    Stage,
    ToolCall,
    ToolReport,
    Turn,
    TurnRecorder,
    TurnTrace,
    Wait,
    WaitReport,
    current_run,
    serve,
)
from mantle_conformance.outside import as_json
from rasa.agents.core.cancellation import CancellationToken
from rasa.core.channels.channel import CollectingOutputChannel
from rasa.core.information_retrieval.information_retrieval import (
    InformationRetrieval,
    SearchResult,
    SearchResultList,
)
from rasa.mantle import processor, validation
from rasa.mantle.config.agent_spec import agent_spec_from_config
from rasa.mantle.llm import tool_schemas
from rasa.mantle.memory.manager import iter_readable_memory_fields
from rasa.mantle.memory.schema import ProjectMemorySchema
from rasa.mantle.model_archive import bootstrap as archive
from rasa.mantle.orchestration import orchestrator
from rasa.mantle.orchestration.set_memory_button import apply_inbound_set_memory_button_tap
from rasa.mantle.orchestration.skill_executor import SkillExecutor
from rasa.mantle.orchestration.turn_context import MessageTurnContext
from rasa.mantle.prompts.constructor import PromptConstructor
from rasa.mantle.skills import catalog as catalogs
from rasa.mantle.state.tracker_handle import make_tracker_handle
from rasa.mantle.state.turn import IncomingTurn
from rasa.mantle.tools import loader
from rasa.mantle.tools.mcp_import_spec import parse_mcp_imports
from rasa.shared.core.events import BotUttered, Event, SessionStarted, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.providers.llm.llm_response import LLMResponse, LLMToolCall

BUNDLED_SKILLS = Path(rasa.__file__).parent / "mantle" / "default_skills"
HOOK_PREFIX = "run_after_setting_"
USER = "user"
AGENT_NAMES_MODEL_GROUP = "agent" in inspect.signature(archive.resolve_integration_llm_config).parameters
"""Whether `agent.yml` says which model group is used, as since 3.21, and not `integrations.yml`."""

FRAME_ID = re.compile(r'frame_id\\*": \\*"([^"\\]+)')
"""Where an event holds the id of a stack frame, also in a JSON text within."""

COLLECTED = re.compile(r"^[\s-]*collect:\s*(\w+)", re.MULTILINE)
"""Which entry a step collects."""

SENDERS = {"llm": "llm", "filler": "filler"}


# --- what the package logs ----------------------------------------------------------------------------


class Logs:
    """Everything the package logs at level info or above goes to whoever listens."""

    LEVELS = {"warning": "warning", "error": "error", "critical": "error", "exception": "error"}

    def __init__(self) -> None:
        self.listener: Callable[[LogRecord], object] | None = None

    def __call__(self, _logger: object, method: str, event: dict[str, Any]) -> None:
        level = self.LEVELS.get(method)
        name = str(event.pop("event", ""))
        # The scripted model's name is ours, and unknown to the package's token counter.
        if level is not None and self.listener is not None and not name.startswith("tiktoken_utils."):
            data = {key: as_json(value) for key, value in event.items() if key not in ("exc_info", "stack_info")}
            self.listener({"level": level, "event": name, "data": data})
        raise structlog.DropEvent

    @contextmanager
    def to(self, listener: Callable[[LogRecord], object]) -> Iterator[None]:
        """Sends what is logged meanwhile to a listener."""
        self.listener = listener
        try:
            yield
        finally:
            self.listener = None


LOGS = Logs()
structlog.configure(processors=[LOGS], cache_logger_on_first_use=False)
logging.disable(logging.CRITICAL)


# --- doubles for what lies outside ---------------------------------------------------------------------


class ScriptedIndex(InformationRetrieval):
    """A knowledge index that finds what the scenario says, or the project's reference files as they are."""

    def __init__(self, passages: Iterable[tuple[str, str]]) -> None:
        self._passages = list(passages)

    def connect(self, config: Any) -> None:
        return None

    async def search(self, query: str, tracker_state: dict[str, Any], threshold: float = 0.0) -> SearchResultList:
        results = [SearchResult(text=text, metadata={"source": source}) for text, source in self._passages]
        return SearchResultList(results=results, metadata={})


class ObservedTracker(DialogueStateTracker):
    """A tracker that tells of each event as it is recorded."""

    observer: Callable[[Event], object] | None = None

    def update(self, event: Event, *arguments: Any, **keywords: Any) -> None:
        super().update(event, *arguments, **keywords)
        if self.observer is not None:
            self.observer(event)


class ScriptedModel:
    """The client that the orchestrator gets instead of one that calls a provider."""

    playing: PlayedTurn | None = None

    @classmethod
    def from_bootstrap(cls, _bootstrap: object) -> ScriptedModel:
        return cls()

    async def acompletion(
        self, messages: list[Any], tools: list[dict[str, Any]] | None = None, *_: Any, **__: Any
    ) -> LLMResponse:
        assert ScriptedModel.playing is not None, "the model is called outside a turn"
        return ScriptedModel.playing.answer(messages, tools or [])

    async def acompletion_streaming(self, messages: list[Any], *_: Any, tools: Any = None, **__: Any) -> LLMResponse:
        return await self.acompletion(messages, tools)


orchestrator.LLMClient = ScriptedModel


# --- one turn ------------------------------------------------------------------------------------------


class PlayedTurn:
    """A turn in progress: what the model reads and answers, which call a tool run belongs to, what is seen."""

    def __init__(self, recorder: TurnRecorder, conversation: Conversation) -> None:
        self.recorder = recorder
        self._conversation = conversation
        self._calls = 0
        self._unread: dict[str, str] = {}
        self._errors: dict[str, bool] = {}
        self._outstanding: list[ToolCall] = []
        self._approved: str | None = None

    def answer(self, messages: list[Any], tools: list[dict[str, Any]]) -> LLMResponse:
        """The scripted model's answer to a prompt."""
        functions = [tool.get("function", tool) for tool in tools]
        offered = {function["name"]: function.get("parameters", {}) for function in functions}
        answer = self.recorder.ask_model(offered, self._read(messages), self._heard(messages))
        calls = []
        self._outstanding = list(answer.calls)
        pending = self._conversation.handle.pending_tool_confirmation
        self._approved = pending.tool_name if pending is not None else None
        for call in answer.calls:
            self._calls += 1
            call_id = f"call_{self._conversation.turns}_{self._calls}"
            self._unread[call_id] = call.tool
            arguments = call.arguments if isinstance(call.arguments, dict) else {}
            calls.append(LLMToolCall(id=call_id, tool_name=call.tool, tool_args=arguments))
        return LLMResponse(
            id=f"answer_{self._calls}", choices=[answer.text or ""], created=0, model="scripted", tool_calls=calls or None
        )

    def _read(self, messages: list[Any]) -> list[ReadResult]:
        read: list[ReadResult] = []
        for message in messages:
            fields = message if isinstance(message, Mapping) else vars(message)
            tool = self._unread.pop(fields.get("tool_call_id") or "", None)
            if fields.get("role") == "tool" and tool is not None:
                result = parsed(fields.get("content"))
                error = self._errors.get(fields["tool_call_id"])
                if error is None:
                    error = isinstance(result, dict) and bool(result.get("error"))
                read.append({"tool": tool, "result": result, "error": error})
        return read

    def _heard(self, messages: list[Any]) -> str | None:
        """After a tap: what the model reads as the user's words, if it reads any."""
        title = self.recorder.turn.taps
        if title is None:
            return None
        fields = [message if isinstance(message, Mapping) else vars(message) for message in messages]
        said = [str(one.get("content")) for one in fields if one.get("role") == "user"]
        latest = said[-1] if said else ""
        return next((text for text in (self._conversation.tapped, title) if text and text in latest), None)

    def observe(self, event: Event) -> None:
        """An event was recorded."""
        wire = event.as_dict()
        name = wire.pop("event")
        metadata = wire.pop("metadata", None) or {}
        wire.pop("timestamp", None)
        if "is_error" in wire and metadata.get("tool_call_id"):
            self._errors[metadata["tool_call_id"]] = bool(wire["is_error"])
        self.recorder.event(name, self._conversation.without_chance({key: as_json(value) for key, value in wire.items()}))
        if isinstance(event, BotUttered):
            source = metadata.get("mantle_response_source")
            in_tool = current_run.get() is not None
            sender = "tool" if in_tool else SENDERS.get(str(source), "response")
            buttons = [
                {"title": str(button.get("title", "")), "payload": str(button.get("payload", ""))}
                for button in (event.data or {}).get("buttons") or ()
            ]
            response = metadata.get("utter_action")
            self.recorder.message(event.text or "", sender, buttons, response)
            self._conversation.buttons = buttons

    def trigger(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What started a run of a tool."""
        if tool.startswith(HOOK_PREFIX):
            return "hook"
        for number, call in enumerate(self._outstanding):
            if call.tool == tool:
                del self._outstanding[number]
                return "llm"
        if tool in self._conversation.button_sources and not arguments:
            return "button_source"
        if tool == self._approved and any(call.tool == "resolve_tool_confirmation" for call in self._outstanding):
            self._approved = None
            return "confirmation"
        return "correction" if any(call.tool == "correct" for call in self._outstanding) else "step"


def parsed(content: object) -> Any:
    """What the model reads: parsed when it is JSON, else the text."""
    if not isinstance(content, str):
        return as_json(content)
    try:
        return json.loads(content)
    except ValueError:
        return content


# --- a loaded project ----------------------------------------------------------------------------------


class Refused(Exception):
    """The project is refused in some phase."""

    def __init__(self, phase: str, findings: list[Finding]) -> None:
        super().__init__(phase)
        self.phase = phase
        self.findings = findings


def finding_of(error: BaseException, phase: str) -> Finding:
    """What an exception stands for. Its class is the kind; the package has a code of its own for some."""
    code = getattr(error, "code", None)
    if code is None and isinstance(error, loader.ToolLoadingError):
        code = "mantle.validation.tools.import_failed"
    if code is None:
        code = f"python.{type(error).__name__}"
    return {"code": str(code), "severity": "error", "phase": phase, "message": str(error) or type(error).__name__}


class Conversation:
    """A project that was loaded, and where its conversation stands."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.buttons: list[Any] = []
        self.tapped = ""
        self.button_sources: frozenset[str] = frozenset()
        self.turns = 0
        self._frames: dict[str, str] = {}
        self.findings: list[Finding] = []
        if AGENT_NAMES_MODEL_GROUP:
            move_model_group(stage.root)
            describe_settable_entries(stage.root)
        self._train()
        self._load()

    def _train(self) -> None:
        try:
            found = validation.collect_project_findings(self.stage.root)
        except (Exception, SystemExit) as error:
            raise Refused("train", [finding_of(error, "train")]) from error
        for one in found:
            severity = str(getattr(one.severity, "value", one.severity)).lower()
            severity = severity if severity in ("error", "warning") else "info"
            self.findings.append(
                {"code": str(one.code), "severity": severity, "phase": "train", "message": str(one.message)}
            )
        if any(finding["severity"] == "error" for finding in self.findings):
            raise Refused("train", self.findings)

    def _load(self) -> None:
        root = self.stage.root
        try:
            self.catalog = catalogs.load_skill_catalog(root, defaults=catalogs.load_default_skill_catalog())
            self.functions = loader.load_tools_for_skill_catalog(
                self.catalog, root / "skills", defaults_skills_root=BUNDLED_SKILLS
            )
            allowlist = parse_mcp_imports(self.catalog, self.functions)
            memory = root / "memory.yml"
            self.project_memory = ProjectMemorySchema.from_yaml(memory) if memory.exists() else ProjectMemorySchema()
            responses = archive.load_response_registry(root / "skills", root / "responses.yml")
            agent = agent_spec_from_config(yaml.safe_load((root / "agent.yml").read_text(encoding="utf-8")))
            self.own_skills = [name for name in self.catalog.skills if (root / "skills" / name).is_dir()]
            self.button_sources = frozenset(button_sources(root))
            self.bootstrap = archive.ModelBootstrap(
                llm=self._llm(agent),
                tool_funcs={
                    skill: {name: self._observed(name, function) for name, function in tools.items()}
                    for skill, tools in self.functions.items()
                },
                mcp_tool_allowlist=allowlist,
                skill_catalog=self.catalog,
                response_registry=responses,
                project_memory=self.project_memory,
                agent=agent,
                references_index=self._index(),
            )
        except (Exception, SystemExit) as error:
            raise Refused("load", [*self.findings, finding_of(error, "load")]) from error

    def _llm(self, agent: Any) -> dict[str, Any]:
        resolve = archive.resolve_integration_llm_config
        return dict(resolve(agent, self.stage.root) if AGENT_NAMES_MODEL_GROUP else resolve(self.stage.root))

    def _index(self) -> ScriptedIndex | None:
        root = self.stage.root
        if self.stage.world.knowledge is not None:
            return ScriptedIndex((passage.text, passage.source) for passage in self.stage.world.knowledge)
        folders = [root / "references", *sorted(root.glob("skills/*/references"))]
        files = [file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()]
        if not files:
            return None
        return ScriptedIndex((file.read_text(encoding="utf-8"), file.name) for file in files)

    def _observed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The project's function, whose runs are seen. Whatever it returns or raises passes unchanged."""

        @functools.wraps(function)
        def wrapper(*arguments: Any, **keywords: Any) -> Any:
            playing = ScriptedModel.playing
            if playing is None:
                return function(*arguments, **keywords)
            given = {key: as_json(value) for key, value in keywords.items() if key != "context"}
            trigger = playing.trigger(name, given)
            with playing.recorder.tool_run(name, trigger, given) as run:
                made = function(*arguments, **keywords)
                if not inspect.isawaitable(made):
                    return made
            playing.recorder.forget(run)
            return playing.recorder.observe(name, trigger, given, made)

        return wrapper

    def without_chance(self, data: dict[str, Any]) -> dict[str, Any]:
        """The same, with the random ids of stack frames numbered in the order in which they appear."""
        text = json.dumps(data)
        for found in FRAME_ID.findall(text):
            self._frames.setdefault(found, f"frame_{len(self._frames) + 1}")
        for found, name in self._frames.items():
            text = text.replace(found, name)
        numbered: dict[str, Any] = json.loads(text)
        return numbered

    # --- where the conversation begins ----------------------------------------------------------------

    def start(self) -> None:
        """Starts the conversation as the session says."""
        session = self.stage.session
        self.tracker = ObservedTracker(USER, None)
        self.tracker.update(SessionStarted())
        self.handle = make_tracker_handle(self.tracker, self.bootstrap)
        if session.metadata:
            processor._seed_project_memory_from_session_metadata(self.handle, dict(session.metadata))
        if session.active is not None:
            self.stage.run(self._activate(session.active))
        for name, value in session.memory.items():
            owner = name.split(".")[0]
            skill = owner if owner in self.catalog.skills else next(iter(self.own_skills))
            self.handle.memory.set(skill, skill, name, value)

    async def _activate(self, skill: str) -> None:
        turn = IncomingTurn(text="", sender_id=USER)
        async with MessageTurnContext(self.handle, turn, CollectingOutputChannel(), USER):
            target = catalogs.entry_target_id_for_skill(self.catalog.skill_by_id(skill))
            started = self._executor().activate(target, self.handle)
            if inspect.isawaitable(started):
                await started

    def _executor(self) -> SkillExecutor:
        return SkillExecutor(
            self.catalog,
            self.bootstrap.tool_funcs,
            self.bootstrap.response_registry,
            None,
            tool_timeout=self.bootstrap.agent.tool_timeout,
        )

    # --- a turn ---------------------------------------------------------------------------------------

    def turn(self, asked: Turn) -> TurnTrace:
        """Runs one user turn."""
        token = CancellationToken()
        recorder = self.stage.begin_turn(asked, token.cancel)
        text = asked.says
        if asked.taps is not None:
            tapped = next((button for button in self.buttons if button["title"] == asked.taps), None)
            if tapped is None:
                failure = {"code": "no_such_button", "message": f"the latest message has no button `{asked.taps}`"}
                return recorder.finish(self.memory(), self.active(), "failed", failure)
            text = self.tapped = tapped["payload"]
        self.turns += 1
        playing = PlayedTurn(recorder, self)
        self.tracker.observer = playing.observe
        ScriptedModel.playing = playing
        try:
            with LOGS.to(recorder.log):
                result = self.stage.run(self._run(text or "", token))
        except ScriptExhausted:
            return recorder.exhausted(self.memory(), self.active())
        except Exception as error:
            failure = {"code": type(error).__name__, "message": str(error)}
            return recorder.finish(self.memory(), self.active(), "failed", failure)
        finally:
            self.tracker.observer = None
            ScriptedModel.playing = None
        if recorder.script_exhausted:
            return recorder.exhausted(self.memory(), self.active())
        if result.cancelled:
            return recorder.finish(self.memory(), self.active(), "cancelled")
        if result.error:
            failure = {"code": "turn_error", "message": str(result.error)}
            return recorder.finish(self.memory(), self.active(), "failed", failure)
        return recorder.finish(self.memory(), self.active())

    async def _run(self, text: str, token: CancellationToken) -> Any:
        turn = IncomingTurn(text=text, sender_id=USER, is_voice=self.stage.session.channel == "voice")
        self.tracker.update(UserUttered(text))
        executor = self._executor()
        orchestrating = orchestrator.Orchestrator(executor, PromptConstructor(), self.bootstrap)
        channel = CollectingOutputChannel()
        async with MessageTurnContext(self.handle, turn, channel, USER, cancellation=token):
            if text.startswith("set:"):
                tapped = apply_inbound_set_memory_button_tap(
                    tracker_handle=self.handle,
                    turn=turn,
                    skill_catalog=self.catalog,
                    project_memory=self.project_memory,
                    tool_funcs=self.bootstrap.tool_funcs,
                    call_tool_func=executor.call_tool_func,
                )
                turn = await tapped if inspect.isawaitable(tapped) else tapped
            return await orchestrating.run_turn(self.handle, turn)

    # --- what is seen ---------------------------------------------------------------------------------

    def memory(self) -> dict[str, Any]:
        """Memory by full name."""
        names = [f"project.{entry}" for entry in self.project_memory.fields]
        for name, skill in self.catalog.skills.items():
            schema = skill.memory.definition
            names += [f"{name}.{entry}" for entry in (*schema.public, *schema.private)]
        return {name: as_json(self.handle.get_slot(name)) for name in names}

    def active(self) -> ActiveFrame | None:
        """The project's own frames; the skills that the package brings along are its own affair."""
        frames = [frame for frame in self.handle.skill_and_block_frames() if frame.skill_id in self.own_skills]
        if not frames:
            return None
        top = frames[-1]
        active: ActiveFrame = {"skill": top.skill_id, "stack": [catalogs.target_id_for_frame(one) for one in frames]}
        block = getattr(top, "block_id", None)
        if block:
            active["block"] = block
            if top.step_id:
                active["pending_step"] = top.step_id
        return active

    def report(self) -> dict[str, SkillReport]:
        """The project's skills and their tools, as offered to the model."""
        return {name: self._skill(name) for name in self.own_skills}

    def _skill(self, name: str) -> SkillReport:
        skill = self.catalog.skill_by_id(name)
        gates = {gated.name: gated.requires for gated in skill.tools}
        tools: dict[str, ToolReport] = {}
        for tool, function in self.functions.get(name, {}).items():
            schema = tool_schemas.agent_tool_schema_from_custom_tool(tool, function)
            report: ToolReport = {
                "source": self._source(name, tool, function),
                "description": schema.description,
                "parameters": as_json(schema.parameters),
                "visibility": "model",
            }
            if gates.get(tool):
                report["requires"] = gates[tool]
            if tool.startswith(HOOK_PREFIX):
                report["visibility"] = "hook"
            elif tool in self.button_sources:
                report["visibility"] = "button_source"
            tools[tool] = report
        schema = skill.memory.definition
        fields = {entry: field_report(field, private=False) for entry, field in schema.public.items()}
        fields |= {entry: field_report(field, private=True) for entry, field in schema.private.items()}
        return {"tools": tools, "memory": fields}


    def _source(self, skill: str, tool: str, function: Callable[..., Any]) -> str:
        """Which folder a tool comes from; one that was defined elsewhere is shared when the skill imports it."""
        code = getattr(inspect.unwrap(function), "__code__", None)
        file = Path(code.co_filename) if code else Path()
        if file.is_relative_to(self.stage.root / "skills" / skill):
            return "skill"
        if file.is_relative_to(self.stage.root / "tools"):
            return "shared"
        return "shared" if tool in self.catalog.import_tool_names(skill) else "skill"


def field_report(field: Any, private: bool) -> dict[str, Any]:
    """A memory entry as declared."""
    report = {
        "type": field.type,
        "private": private,
        "llm_settable": field.llm_settable,
        "seed": field.seed,
        "pii": field.pii,
        "initial_value": as_json(field.initial_value),
        "enum_values": [str(value) for value in field.enum_values],
    }
    if field.description is not None:
        report["description"] = field.description
    return report


def move_model_group(root: Path) -> None:
    """Says in `agent.yml` which model group is used, where 3.20 says it in `integrations.yml`."""
    integrations_file, agent_file = root / "integrations.yml", root / "agent.yml"
    try:
        integrations = yaml.safe_load(integrations_file.read_text(encoding="utf-8"))
        agent = yaml.safe_load(agent_file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return
    if not isinstance(integrations, dict) or not isinstance(agent, dict):
        return
    chosen = integrations.pop("llm", None)
    if isinstance(chosen, dict) and "model_group" in chosen:
        agent.setdefault("orchestrator", {"model_group": chosen["model_group"]})
        integrations_file.write_text(yaml.safe_dump(integrations, sort_keys=False), encoding="utf-8")
        agent_file.write_text(yaml.safe_dump(agent, sort_keys=False), encoding="utf-8")


def describe_settable_entries(root: Path) -> None:
    """Describes the entries that the model can set, or a step collects, which 3.21 demands and 3.20 does not."""
    for file in sorted(root.glob("skills/*/memory.yml")):
        try:
            content = yaml.safe_load(file.read_text(encoding="utf-8"))
            steps = (file.parent / "skill.md").read_text(encoding="utf-8")
        except (OSError, ValueError, yaml.YAMLError):
            continue
        schema = content.get("schema") if isinstance(content, dict) else None
        collected = set(COLLECTED.findall(steps))
        undescribed = False
        for entries in (schema.get("public"), schema.get("private")) if isinstance(schema, dict) else ():
            for name, entry in entries.items() if isinstance(entries, dict) else ():
                if not isinstance(entry, dict) or "description" in entry:
                    continue
                if entry.get("llm_settable") is True or name in collected:
                    entry["description"] = str(name)
                    undescribed = True
        if undescribed:
            file.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), encoding="utf-8")


def button_sources(root: Path) -> Iterator[str]:
    """The tools that a response variant of the project names as the source of its buttons."""
    for file in [root / "responses.yml", *sorted(root.glob("skills/*/responses.yml"))]:
        if not file.exists():
            continue
        content = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
        for variants in (content.get("responses") or {}).values():
            for variant in variants if isinstance(variants, list) else ():
                buttons = variant.get("buttons") if isinstance(variant, dict) else None
                if isinstance(buttons, dict) and isinstance(buttons.get("source"), str):
                    yield buttons["source"]


# --- the adapter ---------------------------------------------------------------------------------------


class RasaPro(Adapter):
    """The suite's five requests, answered by rasa-pro."""

    name = "rasa-pro"
    version = importlib.metadata.version("rasa-pro")
    edition = ".".join(version.split(".")[:2])
    capabilities = frozenset(
        {
            "schema",
            "discovery",
            "conditions",
            "memory",
            "gating",
            "builtins",
            "execution",
            "cancellation",
            "timeouts",
            "hooks",
            "buttons",
            "confirmation",
            "ordered_blocks",
            "knowledge",
            "train_checks",
            "virtual_time",
        }
    )
    # The package remembers YAML files by their path, and writes an id into an agent.yml that has none.
    fresh_folder = True
    _conversation: Conversation | None = None

    def load(self, stage: Stage) -> LoadReport:
        logs: list[LogRecord] = []
        self._conversation = None
        with LOGS.to(logs.append):
            try:
                conversation = Conversation(stage)
                conversation.start()
            except Refused as refused:
                return {
                    "outcome": "rejected",
                    "phase": refused.phase,
                    "findings": refused.findings,
                    "skills": {},
                    "logs": unique(logs),
                }
            skills = conversation.report()
        self._conversation = conversation
        memory = {
            entry: field_report(field, private=False) for entry, field in conversation.project_memory.fields.items()
        }
        return {
            "outcome": "ok",
            "findings": conversation.findings,
            "skills": skills,
            "memory": memory,
            "logs": unique(logs),
        }

    def turn(self, stage: Stage, turn: Turn) -> TurnTrace:
        assert self._conversation is not None, "the project was refused"
        return self._conversation.turn(turn)

    def wait(self, stage: Stage, wait: Wait) -> WaitReport:
        stage.loop.pass_time(wait.for_ms)
        return {"now_ms": stage.now_ms, "events": []}


def unique(logs: list[LogRecord]) -> list[LogRecord]:
    """Each record once: training and loading read the same files."""
    seen: list[LogRecord] = []
    for record in logs:
        if record not in seen:
            seen.append(record)
    return seen


if __name__ == "__main__":
    serve(RasaPro())
