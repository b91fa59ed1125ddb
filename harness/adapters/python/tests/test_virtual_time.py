"""The loop's clock moves only when it must, and what is due late comes last."""

import asyncio
import time
import unittest

from mantle_conformance import Deadlock, VirtualTimeLoop


class VirtualTime(unittest.TestCase):
    def setUp(self) -> None:
        self.loop = VirtualTimeLoop()
        self.addCleanup(self.loop.finish)

    def test_a_day_costs_nothing(self) -> None:
        began = time.monotonic()
        self.loop.run(asyncio.sleep(86_400))
        self.assertEqual(self.loop.now_ms, 86_400_000)
        self.assertLess(time.monotonic() - began, 1)

    def test_a_deadline_obeys_the_virtual_clock(self) -> None:
        async def late() -> None:
            await asyncio.wait_for(asyncio.sleep(10), 3)

        with self.assertRaises(TimeoutError):
            self.loop.run(late())
        self.assertEqual(self.loop.now_ms, 3000)

    def test_waiting_for_nothing_is_a_deadlock_that_names_the_task(self) -> None:
        async def forever() -> None:
            asyncio.current_task().set_name("forever")
            await asyncio.get_running_loop().create_future()

        with self.assertRaisesRegex(Deadlock, "forever"):
            self.loop.run(forever())

    def test_a_late_call_comes_after_everything_of_its_instant(self) -> None:
        seen: list[str] = []

        async def steps() -> None:
            await asyncio.sleep(1)
            for number in range(5):
                await asyncio.sleep(0)
                seen.append(f"step {number}")
            await asyncio.sleep(1)

        self.loop.call_late(1.0, lambda: seen.append("late"))
        self.loop.run(steps())
        self.assertEqual(seen, [*(f"step {number}" for number in range(5)), "late"])

    def test_a_late_call_between_two_timers_has_its_own_instant(self) -> None:
        seen: list[int] = []
        self.loop.call_late(0.5, lambda: seen.append(self.loop.now_ms))
        self.loop.run(asyncio.sleep(1))
        self.assertEqual(seen, [500])

    def test_synchronous_work_moves_the_clock(self) -> None:
        async def work() -> None:
            self.loop.advance(2)
            await asyncio.sleep(1)

        self.loop.run(work())
        self.assertEqual(self.loop.now_ms, 3000)

    def test_a_thread_holds_the_clock(self) -> None:
        async def work() -> float:
            return await asyncio.to_thread(lambda: time.monotonic())

        self.loop.run(work())
        self.assertEqual(self.loop.now_ms, 0)


if __name__ == "__main__":
    unittest.main()
