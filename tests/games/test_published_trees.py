"""The small games that are shipped to learn with: trees as large as is published, and as OpenSpiel's.

Figures of Othello are the known numbers of ways to play so many discs (`perft`). Liar's dice with a die each has
6 · 2^12 = 24,576 information sets: each of six rolls with each set of the twelve bids that may have been made. All
others are made again by OpenSpiel where it is installed.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.environment import Walk, outcomes
from sampling import sample, thorough

OTHELLO = (4, 12, 56, 244, 1396, 8200, 55092, 390216)


def ways(game: rw.Game, depth: int) -> int:
    """The number of ways to give so many answers."""
    stepper = game.stepper()

    def count(left: int, options: int) -> int:
        if left == 1 or not options:
            return options if left == 1 else 0
        here, found = stepper.snapshot(), 0
        for option in range(options):
            found += count(left - 1, stepper.apply(option))
            stepper.restore(here)
        return found

    return count(depth, stepper.options)


def test_othello() -> None:
    game = rw.load("othello")
    most = sample(5, 8)
    assert tuple(ways(game, depth) for depth in range(1, most + 1)) == OTHELLO[:most]


def test_hex() -> None:
    """On a board of 2 by 2 each way of placing four stones is a game; the first player wins on small boards, as on each
    (by Nash's argument)."""
    game = rw.load("hex", options={"size": 2})
    assert [ways(game, depth) for depth in range(1, 5)] == [4, 12, 24, 12]
    for size in (2, 3):
        solved = lab.solve(rw.load("hex", options={"size": size}))
        assert solved.words == "black wins"


def tree(state: rw.State, most: int) -> tuple[int, int, Fraction]:
    """Histories of so many steps at most, chance included, and of these the ends, with the first player's payoffs."""
    if state.decision is None:
        return 1, 1, state.payoffs[0]
    if not most:
        return 1, 0, Fraction(0)
    if state.seat is None:
        options = [one.option for one in outcomes(state)]
    else:
        options = list(range(len(state.decision.options)))
    found = [tree(state.choose(option), most - 1) for option in options]
    return 1 + sum(n for n, _, _ in found), sum(e for _, e, _ in found), sum((w for _, _, w in found), Fraction(0))


def theirs(state: Any, most: int) -> tuple[int, int, float]:
    """The same in OpenSpiel."""
    if state.is_terminal():
        return 1, 1, state.returns()[0]
    if not most:
        return 1, 0, 0.0
    found = [theirs(state.child(action), most - 1) for action in state.legal_actions()]
    return 1 + sum(n for n, _, _ in found), sum(e for _, e, _ in found), sum(w for _, _, w in found)


SAME = [
    ("hex", {"size": 2}, "hex(board_size=2)", 4),
    ("hex", {"size": 3}, "hex(board_size=3)", 3),
    ("othello", {}, "othello", 3),
    ("pig", {"goal": 4}, "pig(winscore=4)", 6),
    ("liars-dice", {"faces": 3}, "liars_dice(dice_sides=3)", 9),
]


@pytest.mark.parametrize(("name", "options", "spiel", "depth"), SAME, ids=[f"{one[0]}-{one[3]}" for one in SAME])
def test_trees_are_those_of_openspiel(name: str, options: dict[str, int], spiel: str, depth: int) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    game = rw.load(name, 2, options=options)
    assert tree(game.start(ask_chance=True), depth) == theirs(pyspiel.load_game(spiel).new_initial_state(), depth)


def test_goofspiel_ends_as_in_openspiel() -> None:
    """As many ends with each result; the last card, which nobody chooses, is played by the library itself."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    cards = 3
    game = rw.load("goofspiel", options={"cards": cards, "prizes": "descending"})
    other = pyspiel.load_game(f"goofspiel(num_cards={cards},points_order=descending)")
    found, expected = Counter[float](), Counter[float]()

    def play(state: rw.State) -> None:
        if state.decision is None:
            found[float(state.payoffs[0])] += 1
            return
        for option in range(len(state.decision.options)):
            play(state.choose(option))

    def compare(state: Any) -> None:
        if state.is_terminal():
            expected[state.returns()[0]] += 1
        elif state.is_simultaneous_node():
            for one in state.legal_actions(0):
                for two in state.legal_actions(1):
                    child = state.clone()
                    child.apply_actions([one, two])
                    compare(child)
        else:
            for action in state.legal_actions():
                compare(state.child(action))

    play(game.start())
    compare(other.new_initial_state())
    assert found == expected
    assert found.total() == 36


def information_sets(game: rw.Game) -> int:
    """All that players may know when they are asked."""
    seen: set[tuple[int, str]] = set()
    waiting = [Walk(game.start(ask_chance=True))]
    while waiting:
        walk = waiting.pop()
        state = walk.state
        if state.decision is None:
            continue
        if state.seat is not None:
            seen.add((state.seat, walk.information_state(state.seat)))
        options = [one.option for one in outcomes(state)] if state.seat is None else range(len(state.decision.options))
        waiting += (walk.step(state.choose(option)) for option in options)
    return len(seen)


def test_information_sets_of_liars_dice() -> None:
    assert information_sets(rw.load("liars-dice", options={"faces": 2})) == 2 * 2**4
    assert information_sets(rw.load("liars-dice", options={"faces": 3})) == 3 * 2**6


@thorough
def test_information_sets_of_liars_dice_as_it_is_published() -> None:
    assert information_sets(rw.load("liars-dice")) == 24_576
