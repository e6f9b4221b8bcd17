"""``rulewright doctor``, and the choice of an engine on the command line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine.native import instance as native_instance
from rulewright.engine.native import tiering
from rulewright.engine.native.values import Unsupported
from sampling import THOROUGH, sample

from .conftest import Run


def test_doctor_tells_what_is_there(run: Run) -> None:
    told = json.loads(run("doctor", "--format", "json").out)
    assert told["rulewright"] == rw.__version__
    assert told["cores"] == os.cpu_count()
    assert told["engine"].startswith("wasmtime ")
    assert told["missing"] == []
    text = run("doctor").out
    assert f"engine        {told['engine']}" in text
    assert "missing" not in text


def test_doctor_tells_how_to_get_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rulewright.engine.native.module_runners.wasmtime_runner", None)
    monkeypatch.setattr(native_instance, "runner", native_instance.runner.__wrapped__)
    monkeypatch.setattr("rulewright_tools.commands.doctor.EXTRAS", {"no-such-library": ("fuzz", "fuzzing")})
    result = run("doctor", "--format", "json")
    told = json.loads(result.out)
    assert result.code == 0
    assert told["engine"] == "python"
    assert "pip install wasmtime" in told["missing"][0]
    root = Path(__file__).resolve().parents[2]
    assert told["missing"][1] == (
        f"no-such-library is not installed (fuzzing): {sys.executable} -m pip install -e '{root}[fuzz]'"
    )


def test_simulate_prints_the_same_with_every_engine(run: Run) -> None:
    words = ("simulate", "connect-four", "--games", sample(20, 60), "--seed", "4", "--format", "json")
    told = {run(*words, "--engine", engine).out for engine in ("native", "python", "auto")}
    assert len(told) == 1
    if THOROUGH:  # every day test_simulations hands games to processes
        assert run(*words, "--jobs", "2").out in told


def test_play_shows_the_same_with_every_engine(run: Run) -> None:
    words = ("play", "connect-four", "--seats", "random", "--seed", "3")
    told = [run(*words, "--engine", engine) for engine in ("native", "python", "auto")]
    assert {one.code for one in told} == {0}
    assert len({one.out for one in told}) == 1


def test_the_native_engine_by_name_plays_or_says_why_not(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Unsupported("such rules")

    monkeypatch.setattr("rulewright.engine.native.backend.compiled", refuse)
    monkeypatch.setattr(tiering, "_tiers", {})
    result = run("simulate", "tic-tac-toe", "--games", "1", "--engine", "native")
    assert result.code == 2
    assert "RUN018" in result.err
    assert "such rules" in result.err
    assert run("simulate", "tic-tac-toe", "--engine", "fast").code == 2
