"""Invariants, properties and witnesses of small rulesets, in games that break them."""

from __future__ import annotations

from pathlib import Path

from language_helpers import load, play

import rulewright as rw

RULES = """
    field gold[Player]: Int = 0
    field round_: Int = 0
    procedure play
        repeat 3 times
            each p in players
                turn(p)
        finish with winner players
    procedure turn(p: Player)
        step take
            p chooses n from [-2, 0, 1]
            gold[p] += n
            if n is 0 then return
        round_ += 1
    invariant not_in_debt for p in players: gold[p] >= -1
    invariant together: sum(gold[p] for p in players) < 3
    property only_more after each turn for p in players: gold[p] >= old(gold[p])
    property by_one after each take: sum(gold[p] for p in players) - old(sum(gold[p] for p in players)) <= 0
    property rounds always: round_ >= old(round_)
    property twice after each turn: round_ is old(round_) + 1
"""


def test_invariants(tmp_path: Path) -> None:
    game = load(tmp_path, RULES)
    state = game.start()
    assert game.broken_invariants(state) == []
    assert game.broken_invariants(play(state, "1", "1")) == []
    assert game.broken_invariants(play(state, "1", "1", "1")) == ["together"]
    assert game.broken_invariants(play(state, "-2", "0")) == ["not_in_debt (player_1)"]


def broken(tmp_path: Path, *answers: str) -> list[tuple[str, str | None]]:
    game = load(tmp_path, RULES)
    watch = game.watch()
    play(game.start(watch=watch), *answers)
    return [(one[0], one[1]) for one in watch.broken]


def test_properties(tmp_path: Path) -> None:
    assert broken(tmp_path, "1") == [("by_one", None)]
    assert broken(tmp_path, "-2") == [("only_more", "player_1")]


def test_a_block_that_is_returned_from_is_over(tmp_path: Path) -> None:
    assert broken(tmp_path, "0") == [("twice", None)]
    assert broken(tmp_path, "0", "1") == [("twice", None), ("by_one", None)]


def test_assertions_in_the_program(tmp_path: Path) -> None:
    program = load(tmp_path, RULES + "    witness rich: some(p in players where gold[p] > 2)\n").program
    words = [(a.name, a.word, a.after) for a in program.assertions]
    assert words == [
        ("not_in_debt", "invariant", None),
        ("together", "invariant", None),
        ("only_more", "property", "turn"),
        ("by_one", "property", "take"),
        ("rounds", "property", None),
        ("twice", "property", "turn"),
        ("rich", "witness", None),
    ]


CHANCE = """
    field laid: Int = 0
    invariant something_is_laid: laid > 0
    property only_more always: laid >= old(laid)
    witness nothing: laid is 0
    procedure play
        chance chooses starter from players
        laid = 3
        repeat 3 times
            each p in clockwise from starter
                p chooses n from {1 .. 3}
                laid = n
                chance chooses m from {4 .. 5}
                laid = 4
        finish with winner players
"""


def test_chance_is_drawn_in_the_middle_of_a_rule(tmp_path: Path) -> None:
    """Nothing is settled there, whether chance is asked for or not: before `laid = 3`, and between `laid = n` and 4."""
    game = load(tmp_path, CHANCE)
    state = game.start(ask_chance=True)
    assert state.decision is not None
    assert state.decision.seat is None
    assert not state.settled
    assert game.broken_invariants(state) == []
    assert rw.fuzzing.fuzz(game.ruleset, rw.fuzzing.FuzzOptions(games=3)).passed
    assert not any(game.playouts(3, check=True).broken)
