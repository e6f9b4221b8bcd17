"""Rules that no game comes to are shown in a position that a solver has laid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.opening import opened
from rulewright.findings.fuzzing import FuzzOptions, fuzz_at
from rulewright.play.scenarios import run_scenario
from rulewright.syntax import ast, parse_file

pytest.importorskip("z3")

TOWER = """\
game tower
players 2

field height[Player]: 0..60 = 0
field keys: 0..3 = 0

procedure play
    repeat 26 times
        each p in players
            turn(p)
    finish ranking p in players by height[p]

procedure turn(p: Player)
    p chooses either as way
        option fall
            height[p] = 0
        option up
            height[p] += 1
        option find
            keys = min({3, keys + 1})
        option open
            forbid locked: keys < 3
            forbid too_low: height[p] < 25
            treasure(p)
    if height[p] > 28
        fly(p)

procedure treasure(p: Player)
    keys = 0

procedure fly(p: Player)
    height[p] = 0
"""
"""A game in which nobody comes high enough for the treasure, or to fly."""


def written(folder: Path, **files: str) -> Path:
    folder.mkdir()
    manifest = {"name": "tower", "title": "Tower", "rules": ["tower.rules"], "move": "turn"}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    for name, text in files.items():
        (folder / f"{name}.rules").write_text(text, "utf-8")
    return folder


def holds(folder: Path, text: str) -> bool:
    """True if a scenario that was told holds when it is read and run."""
    declared = parse_file(text).decls[0]
    assert isinstance(declared, ast.Scenario)
    plan, wrong = plan_scenario(sources(opened(folder, ())[0]), declared)
    assert plan is not None, wrong
    return run_scenario(plan).failure is None


def test_what_is_missed_is_laid(tmp_path: Path) -> None:
    folder = written(tmp_path / "tower", tower=TOWER)
    report = fuzz_at(folder, ["rules"], FuzzOptions(games=6))
    missed = {one.target.label: one for one in report.missed}
    assert set(missed) == {"turn.open", "treasure", "fly"}
    assert missed["turn.open"].laid == ("given height[player_1] = 25", "given keys = 3")
    assert "= 29" in missed["fly"].laid[0]
    for one in missed.values():
        assert one.scenario.startswith(f'scenario "a laid position in which {one.target.label} is used"')
        assert holds(folder, one.scenario)


def test_what_an_invariant_forbids_is_not_laid(tmp_path: Path) -> None:
    low = TOWER.replace("procedure play", "invariant low for p in players: height[p] < 25\n\nprocedure play", 1)
    report = fuzz_at(written(tmp_path / "low", tower=low), ["turn.open"], FuzzOptions(games=6))
    assert [one.scenario for one in report.missed] == [""]
