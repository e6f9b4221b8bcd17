"""Large numbers and sets in the rules: generated code writes them, and Python limits decimal digits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

NUMBERS = (14_284, 14_285, 20_000, 65_535, 65_536, 2_000_000_000)

RULES = """\
game large
players 2 to 32
enum Kind from "kinds.json"
field held: set of Kind = {}
FIELDS
procedure play
    held = Kind except {v0}
    first(players) chooses n from {5 .. 6}
SETTINGS
    finish with winner players
"""


@pytest.mark.parametrize("players", [2, 14, 32])
def test_numbers_and_audiences_of_any_size(players: int, tmp_path: Path) -> None:
    fields = "\n".join(f"field a{number}: Int = 0" for number in NUMBERS)
    settings = "\n".join(f"    a{number} = {number} + n + size(held)" for number in NUMBERS)
    kinds = [{"name": f"v{i}"} for i in range(4000)]
    (tmp_path / "kinds.json").write_text(json.dumps({"rows": kinds}), encoding="utf-8")
    text = RULES.replace("FIELDS", fields).replace("SETTINGS", settings)
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    manifest = {"name": "large", "title": "Large", "rules": ["game.rules"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    state = rw.load(tmp_path, players=players).start(seed=1).choose("5")
    assert state.result is not None
    seen = state.view(players - 1)["fields"]
    assert [seen[f"a{number}"] for number in NUMBERS] == [number + 5 + 3999 for number in NUMBERS]
