"""Rounds of `for` in a scenario are counted before they are made."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.play.scenarios import setup

RULES = """\
game small
players 2
field many[0..1000]: Int = 0
procedure play
    each p in players
        p chooses n from {1 .. 3}
    finish with winner players
scenario "large"
    players anna, bert
    %s
    start play
"""


def failures(folder: Path, line: str) -> list[str]:
    (folder / "game.rules").write_text(RULES % line, "utf-8")
    manifest = {"name": "small", "title": "Small", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    results = rw.scenarios.run_scenarios(rw.scenarios.plans(rw.open_ruleset(folder)))
    return [str(result) for result in results if not result.passed]


@pytest.mark.parametrize(
    "line",
    [
        "given many[i] = 1 for i in {0 .. 1000}, j in {0 .. 1000}",
        "given many[i] = 1 for i in {0 .. 1000}, j in {0 .. 1000}, k in {0 .. 1000} where i + j + k is 1",
    ],
)
def test_a_line_with_a_million_rounds(tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "ROUNDS", 2000)
    tracemalloc.start()
    try:
        found = failures(tmp_path, line)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "more than 2000 rounds" in found[0]
    assert most < 200 << 20


def test_a_line_for_every_key(tmp_path: Path) -> None:
    assert setup.ROUNDS == 20_000
    assert not failures(tmp_path, "given many[i] = 1 for i in {0 .. 1000}")
