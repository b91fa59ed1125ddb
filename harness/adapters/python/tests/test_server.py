"""The protocol over real pipes: one line in, one line out, whatever the adapter does."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from mantle_conformance.server import _encode

SOURCE = Path(__file__).resolve().parent.parent / "src"

ADAPTER = """
import os, sys
from mantle_conformance import Adapter, Skip, serve

class Noisy(Adapter):
    name, version, edition, capabilities = "noisy", "1", "3.20", frozenset({"schema"})

    def load(self, stage):
        print("a tool prints")
        os.write(1, b"so does a library below Python\\n")
        raise ValueError("no such project")

    def turn(self, stage, turn):
        raise Skip("execution", "no bodies here")

serve(Noisy())
"""


def exchange(*lines: object) -> tuple[list[dict], str]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-c", ADAPTER],
        input=text,
        capture_output=True,
        text=True,
        timeout=30,
        env={"PYTHONPATH": str(SOURCE)},
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


class Protocol(unittest.TestCase):
    def test_replies_echo_ids_and_stdout_is_clean(self) -> None:
        replies, stderr = exchange(
            {"id": 1, "request": {"kind": "hello", "protocol": 1, "future": True}},
            {"id": 2, "request": {"kind": "load", "root": "/nowhere"}},
            {"id": 3, "request": {"kind": "turn", "input": {"says": "hi"}}},
            {"id": 4, "request": {"kind": "dance"}},
            "not json",
            {"id": 5, "request": {"kind": "bye"}},
        )
        self.assertEqual([reply["id"] for reply in replies], [1, 2, 3, 4, 0, 5])
        self.assertEqual(replies[0]["reply"]["result"]["capabilities"], ["schema"])
        errored = replies[1]["reply"]["errored"]
        self.assertEqual(errored["message"], "ValueError: no such project")
        self.assertIn("Traceback", errored["detail"])
        self.assertEqual(replies[2]["reply"]["skipped"]["capability"], "execution")
        self.assertIn("dance", replies[3]["reply"]["errored"]["message"])
        self.assertIn("errored", replies[4]["reply"])
        self.assertEqual(replies[5]["reply"], {"result": {}})
        self.assertIn("a tool prints", stderr)
        self.assertIn("below Python", stderr)

    def test_what_cannot_be_written_is_named_with_its_place(self) -> None:
        loop: list[object] = []
        loop.append(loop)
        for value, expected in (
            (object, "`skills.pay.tools.bank.description` is <class 'object'>, a type"),
            (float("nan"), "`skills.pay.tools.bank.description` is nan, a float"),
            ([1, {2}], "`skills.pay.tools.bank.description.1` is {2}, a set"),
            ({("a", "b"): 1}, "`skills.pay.tools.bank.description` has the key ('a', 'b'), a tuple"),
            (loop, "nested deeper than 200 levels, or holds itself"),
        ):
            report = {"skills": {"pay": {"tools": {"bank": {"description": value}}}}}
            written = json.loads(_encode({"id": 2, "reply": {"result": report}}))
            self.assertEqual(written["id"], 2)
            self.assertIn(expected, written["reply"]["errored"]["message"])


if __name__ == "__main__":
    unittest.main()
