"""The command run inside the test's process (quick), and copies of rulesets that may be edited."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app

ROOT = Path(__file__).resolve().parents[2]
RULESETS = ROOT / "rulesets"
SCHEMAS = ROOT / "schemas"


@dataclass(frozen=True)
class Outcome:
    """The output of a command, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def all(self) -> str:
        return self.out + self.err


Run = Callable[..., Outcome]


@pytest.fixture
def run() -> Run:
    """Runs ``rulewright`` with some arguments; nothing that comes out of it may be a traceback."""

    def call(*args: object, stdin: str = "") -> Outcome:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
        outcome = Outcome(result.exit_code, result.stdout, result.stderr)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "Traceback" not in outcome.all
        return outcome

    return call


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a shipped ruleset that a test may change."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(RULESETS / name, tmp_path / name))

    return copy


@pytest.fixture
def pond(tmp_path: Path, run: Run) -> Path:
    """The ruleset that ``rulewright new`` writes."""
    folder = tmp_path / "pond"
    assert run("new", folder).code == 0
    return folder


def edit(file: Path, old: str, new: str) -> None:
    """Change a file as a designer would: find a passage, write another."""
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def start(folder: Path, **more: Any) -> rw.State:
    """The first decision of a ruleset's game."""
    return rw.load(folder, **more).start(seed=1)
