"""Measures: known when a game is over, to both engines, and named to agents before other queries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_rules import written

import rulewright as rw
from rulewright.ir.codec import from_json, to_json

RULES = """\
game savings
players 2 to 3
field coins[p: Player]: Int = 0, seen by p
query alpha(p: Player) -> Int = coins[p]
measure saved(p: Player) = 2 * coins[p]
measure round_about() = 5

procedure play
    each p in players
        p chooses n from {0 .. 3}
        coins[p] += n
    finish ranking p in players by saved(p)
"""


def test_measures_at_the_end(tmp_path: Path) -> None:
    written(tmp_path, RULES)
    python, native = (rw.load(tmp_path, 3, engine=engine) for engine in ("python", "native"))
    assert python.measures == ("saved", "round_about")
    told = [game.playout(seed).measures for game in (python, native) for seed in range(5)]
    assert told[:5] == told[5:]
    assert len({str(one) for one in told}) > 2
    for seed in range(5):
        played = native.playout(seed)
        asked = tuple(played.state.ask("saved", seat) for seat in python.seats)
        assert played.measures == {"saved": asked, "round_about": 5}
    assert python.playout(0, most=1).measures == {}


def test_agents_are_told_of_measures_first(tmp_path: Path) -> None:
    written(tmp_path, RULES)
    game = rw.load(tmp_path)
    with pytest.raises(rw.RulesetError) as caught:
        game.policy("greedy:nosuch")
    assert (caught.value.diagnostics[0].hint or "").startswith("there are `saved` and `alpha`")
    assert game.playout(3, policies=[game.policy("greedy:saved", noise=0)]).measures["saved"] == (6, 6)


def test_who_may_know_them(tmp_path: Path) -> None:
    """They are as public as what they read."""
    written(tmp_path, RULES)
    assert rw.load(tmp_path).public_queries == {"round_about"}


def test_programs_keep_them(tmp_path: Path) -> None:
    written(tmp_path, RULES)
    program = rw.load(tmp_path).program
    assert from_json(json.loads(json.dumps(to_json(program)))) == program
