"""``make check`` finds nothing: each of its lines is run, beside the other tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "Makefile").read_text("utf-8").partition("\ncheck: $(READY)\n")[2].partition("\n\n")[0]
LINES = re.findall(r"^\t@\$\(BIN\)/(.+)$", RECIPE, re.MULTILINE)


def test_the_recipe_is_found() -> None:
    assert [line.split()[0] for line in LINES] == ["mypy", "ruff", "ruff"]
    assert len(LINES) == len(RECIPE.splitlines())


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("line", LINES)
def test_a_line_of_make_check(line: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # mypy looks there, too
    done = subprocess.run(
        [sys.executable, "-m", *line.split()], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
