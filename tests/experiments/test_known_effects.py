"""Effects that are known: equal arms do not differ, and what rules change is found with its sign and exact size."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from exact_values import exact_mean, tied, won_by

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.playing.game_player import GamePlayer
from sampling import thorough

pytest.importorskip("scipy")

DICE = """
game dice
players 2
param favour = 3
procedure play
    each p in players
        p chooses stake from {1 .. 3}
        chance chooses number from {1 .. 6}
        if number <= favour
            finish with winner first(players)
    finish with winner last(players)
"""
GIVEN = """variant "First piece given" of connect_four
    before play
        disc[lowest_free(3)] = first(players)
"""
CENTRE = """variant "Centre given" of tic_tac_toe
    before play
        mark[single({c in Cell where c.row is 1 and c.column is 1})] = first(players)
"""


class Side(NamedTuple):
    """An arm for the command line, with what it is."""

    folder: Path

    def ruleset(self, text: str, name: str = "dice") -> str:
        folder = self.folder / name
        folder.mkdir()
        (folder / "ruleset.json").write_text(
            json.dumps({"name": name, "title": name.title(), "rules": ["game.rules"]}), "utf-8"
        )
        (folder / "game.rules").write_text(text, "utf-8")
        return str(folder)

    def variant(self, text: str) -> str:
        (self.folder / "variant.rules").write_text(text, "utf-8")
        return str(self.folder / "variant.rules")


@pytest.fixture
def side(tmp_path: Path) -> Side:
    return Side(tmp_path)


def independent(arm: lab.experiments.Arm, seed: int, games: int) -> lab.experiments.Results:
    """An arm and its like, whose games have other seeds: what they differ in is chance."""
    both = lab.experiments.Experiment((arm, arm), games, seed).begin()
    player = GamePlayer(arm)
    for number, begin in enumerate((seed, seed + games)):
        both.add(number, player.play(range(begin, begin + games)))
    return both


@pytest.mark.parametrize(
    ("name", "games"),
    [("tic-tac-toe", 60), ("kuhn-poker", 60), ("connect-four", 60), ("tic-tac-toe", 8), ("connect-four", 20)],
)
def test_equal_arms_differ_nowhere(name: str, games: int) -> None:
    """Of 100 experiments about five may show a star somewhere; that chance shows twelve or more is one in 200."""
    (arm,) = lab.experiments.read_arms((name,))
    found = [independent(arm, 2 * games * number, games).compared() for number in range(100)]
    assert all(len(one) > 8 for one in found)
    assert sum(any(one.certain for one in row) for row in found) < 12


def test_equal_rules_with_equal_seeds_are_equal(side: Side) -> None:
    """A variant that changes nothing changes nothing, even by chance."""
    same = 'variant "Same" of tic_tac_toe\n    before play\n        tells "Begin."\n'
    found = differences(("tic-tac-toe", side.variant(same)), 50)
    assert {one.found.mean for one in found.values()} == {0}


def differences(texts: tuple[str, ...], games: int, seed: int = 0) -> dict[str, lab.experiments.Compared]:
    arms = lab.experiments.read_arms(texts)
    experiment = lab.experiments.Experiment(arms, games, seed)
    results = experiment.begin()
    experiment.run(results)
    return {one.measure: one for one in results.compared()}


def test_exact_values_of_tic_tac_toe() -> None:
    """The shares that are known of random play: 0.5849, 0.2881, 0.1270."""
    game = rw.load("tic-tac-toe")
    first, ties = exact_mean(game, won_by(0)), exact_mean(game, tied)
    assert float(ties) == pytest.approx(0.1270, abs=5e-5)
    assert float(first - ties / 2) == pytest.approx(0.5849, abs=5e-5)
    assert float(1 - first - ties / 2) == pytest.approx(0.2881, abs=5e-5)
    (arm,) = lab.experiments.read_arms(("tic-tac-toe",))
    experiment = lab.experiments.Experiment((arm,), 1000)
    results = experiment.begin()
    experiment.run(results)
    rows = {row["measure"]: row["arms"][0]["interval"] for row in results.data()["measures"]}  # type: ignore[attr-defined]
    for name, exact in (("wins(seat 1)", first), ("wins(seat 2)", 1 - first), ("ties", ties)):
        low, high = rows[name]
        assert low <= exact <= high, name


@thorough
def test_a_given_mark_is_found_with_its_exact_size(side: Side) -> None:
    variant = side.variant(CENTRE)
    exact = [exact_mean(rw.load(name), won_by(0)) for name in ("tic-tac-toe", variant)]
    found = differences(("tic-tac-toe", variant), 600)["wins(seat 1)"]
    assert found.certain
    assert found.found.low > 0
    assert found.found.low <= exact[1] - exact[0] <= found.found.high


def test_a_given_piece_is_found(side: Side) -> None:
    found = differences(("connect-four", side.variant(GIVEN)), 300)
    assert found["wins(seat 1)"].certain
    assert found["wins(seat 1)"].found.low > 0
    assert found["wins(seat 2)"].found.high < 0
    assert found["decisions"].found.high < 0
    assert found["wins(seat 1)"].adjusted == found["wins(seat 2)"].adjusted == found["first_seat_advantage"].adjusted


def test_loaded_dice_are_found_with_their_exact_size(side: Side) -> None:
    """Of 100 intervals about five may miss the exact difference, and each larger one is found with its sign."""
    rules = side.ruleset(DICE)
    fair, loaded = (exact_mean(rw.load(rules, options={"favour": value}), won_by(0)) for value in (3, 4))
    assert (fair, loaded) == (Fraction(3, 4), Fraction(8, 9))
    arms = lab.experiments.read_arms((rules, ":favour=4"))
    held = signs = 0
    for number in range(100):
        experiment = lab.experiments.Experiment(arms, 150, 150 * number, ("wins(seat 1)",))
        results = experiment.begin()
        experiment.run(results)
        (one,) = results.compared()
        held += one.found.low <= loaded - fair <= one.found.high
        signs += one.certain and one.found.mean > 0
    assert held > 88
    assert signs == 100
