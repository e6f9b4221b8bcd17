"""``fuzz --against``: of a variant only what the rules beneath it do not show themselves."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
from fuzz_helpers import command
from test_fuzz_findings import CLIMBING, small
from test_fuzz_runs import SCHEMA

from sampling import sample

GAMES = sample(1, 4)

BASE_FAILS = CLIMBING.replace("field height", "invariant low for p in players: height[p] < 2\nfield height")
STUCK = CLIMBING.replace("        option stay\n", "        option stay\n            forbid hurry: style is quick\n")


def test_what_the_base_shows_is_not_told(tmp_path: Path) -> None:
    folder = small(tmp_path, BASE_FAILS)
    arguments = ("fuzz", folder, "--games", GAMES, "--variant", "Higher")
    code, said = command(*arguments, "--against", folder)
    assert code == 1, said
    assert "FOUND  the invariant `not_too_high` does not hold" in said
    assert "FOUND  the invariant `low`" not in said
    assert f"compared with {GAMES} game{'s' * (GAMES > 1)} of Small without what is new" in said
    assert "shown by these, too, and not told here: invariant/low" in said
    assert "declared by Small, and broken now: not_too_high" in said
    assert "FOUND  the invariant `low`" in command(*arguments)[1]


def test_nothing_new(tmp_path: Path) -> None:
    folder = small(tmp_path, BASE_FAILS)
    code, said = command(
        "fuzz", folder, "--games", GAMES, "--variant", "Quick", "--against", folder, "--format", "json"
    )
    assert code == 0
    report = json.loads(said[said.index("{") :])
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert report["against"] == {"title": "Small", "games": GAMES, "shown": ["invariant/low"], "broken": []}
    assert report["accepted"] == {}


def test_a_new_error(tmp_path: Path) -> None:
    folder = small(tmp_path, STUCK)
    code, said = command("fuzz", folder, "--games", GAMES, "--variant", "Quick", "--against", folder)
    assert code == 1
    assert "key error/RUN007/turn.way" in said
    assert "declared by" not in said


def test_a_single_game_cannot_be_compared(tmp_path: Path) -> None:
    folder = small(tmp_path, STUCK)
    code, said = command("fuzz", folder, "--players", 2, "--against", folder, "1,1")
    assert code == 2
    assert "--against" in said
