"""Games with secrets whose value is known, solved by counterfactual regret minimisation."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from theory_games import game_of

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.theory import RegretMethod

PENNIES = """\
game pennies
players 2
enum Side: heads, tails
field shown[Player]: Side or none = none, seen by everyone
procedure play
    each p in players at once
        p chooses s from Side
        shown[p] = s
    if shown[first(players)] is shown[first(players).left]
        finish paying (WORTH if shown[p] is heads else 1) * (1 if p is first(players) else -1) for p in players
    finish paying -1 if p is first(players) else 1 for p in players
"""
GENERAL = """\
game general
players 2
procedure play
    first(players) chooses n from {0 .. 2}
    finish paying n for p in players
"""


@pytest.mark.parametrize("method", get_args(RegretMethod))
def test_kuhn(method: RegretMethod) -> None:
    """H. W. Kuhn, 1950: the first player loses 1/18, bets with the jack as often as a third of the king's bets, and the
    second one bluffs and calls one time of three."""
    found = lab.equilibrium(rw.load("kuhn-poker"), method, iterations=4_000)
    assert found.least <= -1 / 18 <= found.most
    assert found.exploitability < (0.0001 if method == "cfr+" else 0.001)
    assert (len(found.strategies), found.positions) == (12, 58)
    shares = {(one.seat, card(one.state), one.question): one.shares for one in found.strategies}
    assert shares[0, "king", "open.opening"][1] == pytest.approx(3 * shares[0, "jack", "open.opening"][1], abs=0.05)
    assert shares[1, "jack", "open.opening"][1] == pytest.approx(1 / 3, abs=0.05)
    assert shares[1, "queen", "answer.reply"][1] == pytest.approx(1 / 3, abs=0.05)


def card(state: rw.State) -> str:
    assert state.seat is not None
    seen = str(state.view(state.seat)["zones"])
    return next(name for name in ("king", "queen", "jack") if name in seen)


def test_leduc() -> None:
    found = lab.equilibrium(rw.load("leduc-poker"), iterations=2_000)
    assert found.value == pytest.approx(-0.0856, abs=0.0001)
    assert found.most - found.least < 0.0005
    assert len(found.strategies) == 288


@pytest.mark.parametrize(("worth", "value", "heads"), [("1", 0, 1 / 2), ("3", 1 / 3, 1 / 3)])
def test_what_is_decided_at_once_is_no_secret_of_the_tree(
    tmp_path: Path, worth: str, value: float, heads: float
) -> None:
    found = lab.equilibrium(game_of(tmp_path, PENNIES.replace("WORTH", worth)))
    assert found.solved
    assert found.value == pytest.approx(value, abs=1e-4)
    assert [one.shares[0] for one in found.strategies] == pytest.approx([heads, heads], abs=0.01)


def test_bounds_hold_after_any_number_of_iterations() -> None:
    for iterations in (1, 2, 5, 20):
        found = lab.equilibrium(rw.load("kuhn-poker"), iterations=iterations)
        assert found.least <= -1 / 18 <= found.most
        assert (found.iterations, found.solved) == (iterations, False)


def test_games_that_have_no_such_value(tmp_path: Path) -> None:
    with pytest.raises(rw.RulesetError, match="this is a game of 3"):
        lab.equilibrium(rw.load("pig", players=3))
    with pytest.raises(rw.RulesetError, match="more than the 1,000 positions"):
        lab.equilibrium(rw.load("leduc-poker"), positions=1_000)
    with pytest.raises(rw.RulesetError, match="payoffs sum to"):
        lab.equilibrium(game_of(tmp_path, GENERAL))
    with pytest.raises(rw.RulesetError) as caught:
        lab.solve(rw.load("kuhn-poker"))
    assert caught.value.diagnostics[0].hint is not None
    assert all(word in caught.value.diagnostics[0].hint for word in ("solve --cfr", "oos:"))
