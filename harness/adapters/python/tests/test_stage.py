"""What a project's tools can reach, what is seen of it, and how a turn is cut off."""

import asyncio
import importlib
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any

from mantle_conformance import Load, Stage, Turn
from mantle_conformance.messages import Interrupt, Raises, ServiceBehaviour, World

BANK = World(services={"bank.transfer": (ServiceBehaviour(takes_ms=3000, returns={"ok": True}),)})


class Staged(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def stage(self, source: str, world: World = BANK) -> tuple[Stage, Any]:
        (self.root / "project_tools.py").write_text(textwrap.dedent(source))
        stage = Stage(Load(str(self.root), world))
        self.addCleanup(stage.close)
        sys.path.insert(0, str(self.root))
        return stage, importlib.import_module("project_tools")

    def play(self, stage: Stage, tool: Any, interrupt: Interrupt | None = None) -> tuple[dict[str, Any], object]:
        recorder = stage.begin_turn(Turn(says="go", interrupt=interrupt))

        async def turn() -> object:
            try:
                return await recorder.observe("tool", "llm", {}, tool())
            except asyncio.CancelledError:
                return "cancelled"
            except Exception as error:
                return error

        try:
            ended = stage.run(turn())
        except asyncio.CancelledError:
            ended = "cancelled"
        trace: Any = recorder.finish({}, None)
        return trace, ended


TRANSFER = """
    import asyncio
    from lib.world import bank, busy

    async def transfer():
        await asyncio.sleep(1)
        return await bank.transfer(10, to="Bob")

    async def work():
        busy(2)
        return "done"
"""


class Order(Staged):
    def test_what_happens_is_noted_in_order(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, _ = self.play(stage, tools.transfer)
        self.assertEqual(
            trace["order"],
            [
                "tools[0]",
                "tools[0].awaits[0]",
                "tools[0].awaits[0] ends",
                "services[0]",
                "tools[0].awaits[1]",
                "tools[0].awaits[1] ends",
                "services[0] ends",
                "tools[0] ends",
            ],
        )

    def test_a_run_that_was_none_leaves_nothing(self) -> None:
        stage, _ = self.stage(TRANSFER)
        recorder = stage.begin_turn(Turn(says="go"))

        async def turn() -> None:
            with recorder.tool_run("guess", "llm", {}) as run:
                recorder.event("kept", {})
            recorder.forget(run)
            with recorder.tool_run("tool", "llm", {}):
                pass

        stage.run(turn())
        trace = recorder.finish({}, None)
        self.assertEqual([run["tool"] for run in trace["tools"]], ["tool"])
        self.assertEqual(trace["order"], ["events[0]", "tools[0]", "tools[0] ends"])

    def test_what_goes_on_in_a_later_turn_has_no_place_there(self) -> None:
        stage, tools = self.stage(
            """
            import asyncio

            async def leave():
                asyncio.get_running_loop().create_task(asyncio.sleep(5))
                await asyncio.sleep(0)

            async def stay():
                await asyncio.sleep(9)
            """
        )
        first, _ = self.play(stage, tools.leave)
        second, _ = self.play(stage, tools.stay)
        self.assertEqual(second["order"], ["tools[0]", "tools[0].awaits[0]", "tools[0].awaits[0] ends", "tools[0] ends"])


class Services(Staged):
    def test_a_call_is_recorded_with_its_times(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, ended = self.play(stage, tools.transfer)
        self.assertEqual(ended, {"ok": True})
        self.assertEqual(
            trace["services"],
            [
                {
                    "call": "bank.transfer",
                    "arguments": [10],
                    "keywords": {"to": "Bob"},
                    "started_ms": 1000,
                    "ended_ms": 4000,
                    "outcome": "returned",
                }
            ],
        )
        awaits = [(one["what"], one["place"]) for one in trace["tools"][0]["awaits"]]
        self.assertEqual(awaits, [("asyncio.sleep", "project_tools.py:6"), ("bank.transfer", "project_tools.py:7")])

    def test_behaviours_come_call_by_call_and_the_last_repeats(self) -> None:
        behaviours = (ServiceBehaviour(raises=Raises("KeyError", "gone")), ServiceBehaviour(returns=7))
        source = """
            from lib.world import stock

            async def look():
                try:
                    await stock()
                except KeyError as error:
                    return [str(error), await stock(), await stock()]
        """
        stage, tools = self.stage(source, World(services={"stock": behaviours}))
        self.assertEqual(self.play(stage, tools.look)[1], ["'gone'", 7, 7])

    def test_the_world_has_what_it_declares(self) -> None:
        self.stage("from lib.world import busy", World())
        with self.assertRaises(ImportError):
            self.stage(TRANSFER, World())

    def test_a_service_has_the_declared_attributes_and_no_others(self) -> None:
        world = World(services={"bank.accounts.open": (), "stock": ()})
        _, tools = self.stage("from lib.world import bank, stock", world)
        self.assertTrue(callable(tools.bank.accounts.open))
        for service, name in (
            (tools.bank, "is_tool"),
            (tools.bank, "account"),
            (tools.bank, "__wrapped__"),
            (tools.bank.accounts, "description"),
            (tools.bank.accounts.open, "description"),
            (tools.stock, "name"),
        ):
            self.assertFalse(hasattr(service, name), f"{service!r}.{name}")
        with self.assertRaisesRegex(AttributeError, "the world declares no service `bank.description`"):
            tools.bank.description

    def test_the_suites_own_sleeping_is_left_alone(self) -> None:
        stage, _ = self.stage("")
        trace, _ = self.play(stage, lambda: asyncio.sleep(1))
        self.assertEqual(trace["tools"][0]["awaits"], [])


class Cuts(Staged):
    def test_in_the_middle_of_a_wait(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, ended = self.play(stage, tools.transfer, Interrupt(at_ms=2000))
        self.assertEqual(ended, "cancelled")
        self.assertEqual(trace["tools"][0]["outcome"], "cancelled")
        self.assertEqual((trace["services"][0]["outcome"], trace["services"][0]["ended_ms"]), ("cancelled", 2000))

    def test_a_completion_at_the_same_instant_wins(self) -> None:
        stage, tools = self.stage(TRANSFER)
        self.assertEqual(self.play(stage, tools.transfer, Interrupt(at_ms=4000))[1], {"ok": True})

    def test_at_the_next_wait_of_the_same_instant(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, ended = self.play(stage, tools.transfer, Interrupt(at_ms=1000))
        self.assertEqual(ended, "cancelled")
        self.assertEqual([one["ended"] for one in trace["tools"][0]["awaits"]], ["returned", "cancelled"])

    def test_at_a_numbered_wait(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, ended = self.play(stage, tools.transfer, Interrupt(at_await=2))
        self.assertEqual((ended, trace["services"][0]["ended_ms"]), ("cancelled", 1000))

    def test_synchronous_work_is_never_interrupted(self) -> None:
        stage, tools = self.stage(TRANSFER)
        trace, _ = self.play(stage, tools.work, Interrupt(at_ms=1000))
        self.assertEqual((trace["tools"][0]["outcome"], trace["tools"][0]["ended_ms"]), ("returned", 2000))

    def test_a_swallowed_cancellation_is_one_all_the_same(self) -> None:
        source = """
            import asyncio

            async def stubborn():
                try:
                    await asyncio.sleep(5)
                except asyncio.CancelledError:
                    return "never mind"
        """
        stage, tools = self.stage(source)
        trace, ended = self.play(stage, tools.stubborn, Interrupt(at_ms=1))
        self.assertEqual((ended, trace["tools"][0]["outcome"]), ("never mind", "cancelled"))


class Modules(Staged):
    def test_a_later_project_does_not_see_an_earlier_one(self) -> None:
        for number in range(2):
            stage, tools = self.stage(f"NUMBER = {number}\n")
            self.assertEqual(tools.NUMBER, number)
            stage.close()
            self.assertNotIn("project_tools", sys.modules)

    def test_a_fresh_folder_has_a_new_name_and_does_not_stay(self) -> None:
        (self.root / "agent.yml").write_text("agent: {}")
        stages = [Stage(Load(str(self.root)), fresh_folder=True) for _ in range(2)]
        self.assertEqual([(stage.root / "agent.yml").read_text() for stage in stages], ["agent: {}"] * 2)
        self.assertEqual(len({stage.root for stage in stages} | {self.root}), 3)
        for stage in stages:
            stage.close()
            self.assertFalse(stage.root.exists())

    def test_packages_said_to_be_installed_can_be_imported(self) -> None:
        _, tools = self.stage("import acme.api\nfrom acme import Client\n", World(packages=("acme",)))
        self.assertTrue(callable(tools.Client))


if __name__ == "__main__":
    unittest.main()
