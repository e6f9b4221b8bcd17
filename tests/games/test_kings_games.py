"""Kings & Things to its end: every number of players, and variants with other readings of unclear sentences."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

import rulewright as rw
from rulewright.foundation.resources import share
from sampling import sample, thorough

RULESET = "kings-and-things"
VARIANTS = ("Quick victory", "One citadel", "Two citadels", "Fixed rounds", "Land conquest")
READINGS = (
    {"flight": "unlimited", "full_hexes": "bar_all", "bluffs_leave": "at_once", "town_bribes": "single"},
    {"screen_rule": "challenge", "recruiting": "voluntary", "trade_limit": "handed_in", "exchange": "before_placing"},
    {"survivor_explores": "at_once", "two_besiegers": "one_hit", "caught_heroes": "as_they_are"},
)
LONGEST = {"most_rounds": str(sample(10, 20))}


@cache
def loaded(players: int, variant: str = "", reading: int = -1) -> rw.Game:
    options = LONGEST | (READINGS[reading] if reading >= 0 else {})
    return rw.load(RULESET, players, [variant] if variant else [], options)


def played(game: rw.Game, seed: int, fired: list[int] | None = None) -> rw.playing.Played:
    found = game.playout(seed, check=True, fired=fired)
    assert not found.broken, f"{found.broken} in game {seed}"
    assert found.finished
    return found


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=thorough), 4])
def test_games_end_and_keep_what_must_hold(players: int) -> None:
    game = loaded(players)
    counts = game.new_fired()
    for seed in range(sample(1, 8)):
        played(game, seed, counts)
    fired = Counter(dict(zip(game.rule_names, counts, strict=True)))
    wanted = ("explore", "battle", "combat_step", "bribe", "retreat", "march", "court", "raise", "bring")
    assert [name for name in wanted if name in fired and not fired[name]] == []


def test_every_counter_stands_in_a_scenario() -> None:
    scenarios = [path.read_text("utf-8") for path in (share("rulesets") / RULESET / "scenarios").glob("*.rules")]
    named = {name for text in scenarios for name in re.findall(r'"([^"\n]*)"', text)}
    assert sorted(set(loaded(4).model.universes["Piece"].keys) - named) == []


@thorough
@pytest.mark.parametrize(("number", "variant"), list(enumerate(VARIANTS)))
def test_variants_are_played_with_other_readings(number: int, variant: str) -> None:
    """Each by itself: `test_every_option`."""
    assert played(loaded(3, variant, number % len(READINGS)), 1).rule
