"""Libraries and packages that take long to import are not imported by what does without them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sampling import thorough

ROOT = Path(__file__).parents[2]
PLAY = {"rulewright.engine", "rulewright.play.game", "rulewright.findings.fuzzing", "hypothesis"}
CHECK = PLAY | {"networkx", "jsonschema", "attrs", "rich.console", "pydantic"}
TEST = {"networkx", "hypothesis", "jsonschema"}
ROOMS = {f"rulewright.{room}" for room in ("syntax", "data", "compiler", "findings")}
HELP = CHECK | ROOMS | {"lark", "watchfiles"}

RUN = """
import sys
sys.argv = ["rulewright", *{words!r}]
from rulewright_tools.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(*sorted(set(sys.modules) & {without!r}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words, without",
    [
        (("--help",), HELP),
        (("--version",), HELP),
        (("explain", "REF001"), HELP),
        (("check", "tic-tac-toe"), CHECK),
        (("check", "connect-four", "--format", "json"), CHECK),
        (("check", "carolus-magnus"), CHECK),
        pytest.param(("check", "domaine"), CHECK, marks=thorough),
        (("test", "carolus-magnus", "-k", "neighbours around the end of the ring"), TEST),
        pytest.param(("test", "domaine", "-k", "one marker between the two is turned"), TEST, marks=thorough),
        (("simulate", "tic-tac-toe", "--games", "3", "--seed", "7", "--jobs", "1"), {"pydantic", "_multiprocessing"}),
        (("fmt", "--diff", "rulesets/tic-tac-toe"), CHECK | {"rulewright.compiler", "rulewright.findings"}),
    ],
)
def test_what_a_command_does_without(words: tuple[str, ...], without: set[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(words=words, without=without)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == ""
