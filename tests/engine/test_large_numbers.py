"""Large numbers and sets in the rules: Python limits decimal digits where they are written."""

from __future__ import annotations

import json
import tracemalloc
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


FORMS = (
    "{n in {1 .. 9} where n is HUGE}",
    "{n in {1 .. 9} where n is not HUGE}",
    "{n in {1 .. 9} where n is HUGE or n is 3}",
    "{n in {1 .. 9} where n < HUGE and n is not HUGE - 1}",
    "{n in {1 .. 9} where HUGE in {1 .. 9} or n > 3}",
    "{n in {1 .. 9} where not (n is HUGE)}",
    "{n in {1 .. 9} where HUGE - n is HUGE}",
    "{n in {1 .. 9} where n in {HUGE mod 7, 3}}",
    "({1 .. 9} except {HUGE mod 7})",
)
"""Sets in whose conditions a number stands that is member of none."""
MEMBERS = (0, 9, 1, 9, 6, 9, 0, 2, 8)
"""Numbers of their members."""


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("huge", ["2147483647", "huge", "field_of_it"])
def test_numbers_that_are_in_no_set_take_no_room(huge: str, engine: str, tmp_path: Path) -> None:
    """A set of numbers is a row of bits: one for a number of ten digits would take a quarter of a gigabyte."""
    asked = "\n".join(f"    first(players) chooses n{i} from {form}" for i, form in enumerate(FORMS) if MEMBERS[i])
    counted = "\n".join(f"    total += size({form})" for form in FORMS)
    rules = f"""game large
players 2
param huge = 2147483647
field field_of_it: Int = 2147483647
field total: Int = 0
procedure play
{counted}
{asked}
    field_of_it = 1
    finish with winner players
""".replace("HUGE", huge)
    (tmp_path / "game.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "ruleset.json").write_text('{"name": "large", "title": "Large", "rules": ["game.rules"]}', "utf-8")
    game = rw.load(tmp_path, engine=engine)  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        stepper = game.stepper()
        sizes = []
        while stepper.options:
            sizes.append(stepper.options)
            stepper.apply(0)
        state = stepper.state()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sizes == [size for size in MEMBERS if size]
    assert state.view(None)["fields"]["total"] == sum(MEMBERS)
    assert peak < 100_000_000
