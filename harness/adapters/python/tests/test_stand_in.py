"""The stand-in for what tools import: there when asked for, and marks tools and nothing else."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"

TOOLS = """
from mantle_conformance import stand_in
stand_in.install()
stand_in.install()
import functools
from rasa.mantle.tools.buttons import Button
from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

@tool(description="Move money")
async def transfer(): ...

@functools.wraps(transfer)
async def wrapped(): ...

assert stand_in.description_of(transfer) == stand_in.description_of(wrapped) == "Move money"
assert stand_in.description_of(len) is stand_in.description_of(ToolResult) is None
assert ToolResult().llm_response is None
assert Button(title="Yes", value="y").ref is None
try:
    tool(transfer)
except TypeError:
    print("as it should be")
"""


def run(code: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str(folder) for folder in (*folders, SOURCE))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path})


class StandIn(unittest.TestCase):
    def test_tools_find_what_they_import(self) -> None:
        done = run(TOOLS)
        self.assertEqual((done.stdout, done.stderr), ("as it should be\n", ""))

    def test_it_is_off_unless_asked_for(self) -> None:
        done = run("import mantle_conformance, rasa")
        self.assertIn("No module named 'rasa'", done.stderr)

    def test_a_real_package_is_not_hidden(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "rasa"
            package.mkdir()
            (package / "__init__.py").write_text("")
            for before in ("", "import rasa; "):
                done = run(f"{before}from mantle_conformance import stand_in; stand_in.install()", Path(folder))
                self.assertIn("a real `rasa` is installed", done.stderr)


if __name__ == "__main__":
    unittest.main()
