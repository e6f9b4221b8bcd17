"""Baron to its end: with the usual readings, with which random games reach it, and with the others."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import rulewright as rw
from sampling import THOROUGH, sample

TURNS = {2: 72, 3: 72, 4: 72, 5: 70}
READINGS = (
    {"knights_fight": "by_links", "lesser_tiles": "disputed", "own_fallen": "free"},
    {"meadow_fights": "of_knights", "own_tiles": "score_without_fight", "shared_loss": "for_each"},
    {"lesser_knight": "returns", "two_challengers": "strongest_only", "last_tries": "all"},
    {"stack_ends": "alone", "prisoners_knights": "stand_idle", "won_back": "all_rest"},
    {"touch_booked": "after_fights", "taken_kind": "by_lot", "negative_start": "at_bottom"},
    {"noblest": "first_seat", "ruinous_draw": "allowed", "last_player": "plays_on"},
    {"short_display": "stays", "none_fits": "set_aside"},
    {"foundings": "by_choice", "shared_loss": "for_each"},
)


@cache
def loaded(players: int, reading: int = -1) -> rw.Game:
    return rw.load("baron", players, [], READINGS[reading] if reading >= 0 else {})


@pytest.mark.parametrize("players", TURNS)
def test_everyone_has_equally_many_turns_and_every_tile_is_laid(players: int) -> None:
    game = loaded(players)
    whole = 0
    for seed in range(sample(1, 20)):
        state = game.start(seed)
        laid: Counter[str] = Counter()
        pick = seed
        while state.decision is not None:
            pick = (pick * 1664525 + 1013904223) % 2**32
            decision = state.decision
            laid[decision.who] += decision.label == "laid"
            state = state.choose((pick >> 8) % len(decision.options))
        if any(player["out"] for player in state.view(None)["players"]):
            continue
        whole += 1
        assert laid == dict.fromkeys(game.seats, TURNS[players] // players)
        assert len(state.view(None)["zones"]["tile"]["values"]) == TURNS[players] + 1
    assert whole


def test_fights_of_every_kind_come_up() -> None:
    fired: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for players in TURNS:
        game = loaded(players)
        counts = game.new_fired()
        for seed in range(sample(2, 40)):
            played = game.playout(seed, fired=counts, check=True)
            assert not played.broken, f"{played.broken} in game {seed}"
            ends[played.rule] += 1
        fired.update(dict(zip(game.rule_names, counts, strict=True)))
    assert {name for name in game.rule_names if not fired[name]} <= {"one_winner", "one_left", "offer_foundings"}
    assert ends["crown"] > ends.total() * 5 // 8


def test_owners_are_asked_where_a_founding_is_a_choice() -> None:
    game = loaded(4, next(n for n, reading in enumerate(READINGS) if "foundings" in reading))
    fired = game.new_fired()
    for seed in range(sample(2, 8)):
        assert not game.playout(seed, fired=fired, check=True).broken
    assert dict(zip(game.rule_names, fired, strict=True))["offer_foundings"]


@pytest.mark.parametrize(
    ("players", "reading"),
    [(players, n) for n in range(len(READINGS)) for players in ((2, 5) if THOROUGH else (5 if n % 2 else 2,))],
)
def test_other_readings_keep_what_must_hold(players: int, reading: int) -> None:
    game = loaded(players, reading)
    for seed in range(sample(1, 4)):
        played = game.playout(seed, check=True)
        assert not played.broken, f"{played.broken} in game {seed}"


def test_a_land_that_grows_is_saved_and_explained() -> None:
    game = loaded(3)
    state = game.start(5)
    pick = 3
    for _ in range(60):
        assert state.decision is not None
        pick = (pick * 1664525 + 1013904223) % 2**32
        state = state.choose((pick >> 8) % len(state.decision.options))
    while state.decision is not None and state.decision.name != "lay.c":
        state = state.choose(0)
    assert game.load(state.save()) == state
    refusal = state.why_not("(0, 0)")
    assert "site.occupied" in [reason.label for reason in refusal.reasons]
