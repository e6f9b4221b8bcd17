"""Decisive and anti-decisive moves: a search takes a win in one answer, and blocks one, whatever its simulations."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from agent_games import EACH_ENGINE, shipped, written

import rulewright as rw
import rulewright_lab as lab


def keys(state: rw.State) -> list[str]:
    return [] if state.decision is None else [option.key for option in state.decision.options]


def one_short(game: rw.Game, seed: int, *, to_block: bool) -> tuple[rw.State, str]:
    """A position of Hex in which one stone is missing in a row of Black from side to side, and its place: Black is to
    move, or White."""
    random, state = Random(seed), game.start(0)
    column, gap = random.randrange(3, 8), random.randrange(2, 9)
    black = [f"({column}, {row})" for row in range(11) if row != gap]
    missing = f"({column}, {gap})"
    others = [one for one in keys(state) if one not in black and one != missing]
    white = random.sample(others, 10)
    for mine, other in zip(black, white, strict=True):
        state = state.choose(mine)
        if not to_block or mine != black[-1]:
            state = state.choose(other)
    return state, missing


def picked(game: rw.Game, state: rw.State, word: str, seed: int = 1) -> str:
    return keys(state)[game.pick(state, lab.agent(game, word), rw.playing.Dice(seed, "tests"))]


@pytest.mark.parametrize("to_block", [False, True], ids=["win", "block"])
@pytest.mark.parametrize("word", ["mcts:5", "mcts:100", "mcts:2x20"])
def test_one_of_a_hundred_options_is_found(word: str, to_block: bool) -> None:
    game = shipped("hex")
    for seed in range(10):
        state, missing = one_short(game, seed, to_block=to_block)
        assert picked(game, state, word, seed) == missing


def test_both_engines_find_the_same() -> None:
    found = []
    for engine in ("native", "python"):
        game = shipped("hex", engine)
        search = game.search(lab.agent(game, "mcts:12"))
        for to_block in (False, True):
            state, _ = one_short(game, 1, to_block=to_block)
            found.append(search.analyse(state, rw.playing.Dice(1, "tests")))
    assert found[:2] == found[2:]
    assert found[0].answers[0].certain
    assert sum(one.certain for one in found[1].answers) == 101


MOST = """game most
players 2
field gold[Player]: 0..999 = 0

procedure play
    repeat 3 times
        each p in players
            p chooses number from {1 .. 60}
            gold[p] += number
    finish ranking p in players by gold[p]
"""
"""A game in which the larger one of two numbers is always better."""


def test_of_many_options_the_best_in_rollouts_are_tried_first(tmp_path: Path) -> None:
    game = written(tmp_path, MOST)
    search, state = game.search(lab.agent(game, "mcts:300")), game.start(0)
    tried = [
        int(keys(state)[one.option])
        for seed in range(10)
        for one in search.analyse(state, rw.playing.Dice(seed, "tests")).answers
    ]
    assert sum(tried) / len(tried) > 34


RACE = """game race
players 3
field at[Player]: 0..20 = 0
enum Way: {ways}, far

procedure play
    repeat 6 times
        each p in players
            p chooses way from Way
            at[p] += 4 if way is far else 1
            if at[p] >= 8 then finish with winner p
    finish with nobody winning
"""
"""Each of three wins with two far steps among many small ones."""


@EACH_ENGINE
def test_wins_of_several_players(tmp_path: Path, engine: rw.playing.EngineName) -> None:
    """A second far step is taken."""
    ways = ", ".join(f"near_{number}" for number in range(40))
    game = written(tmp_path, RACE.replace("{ways}", ways), engine)
    state = game.start(0)
    for _ in range(3):
        state = state.choose("far")
    assert picked(game, state, "mcts:3") == "far"
    assert game.search(lab.agent(game, "mcts:3")).analyse(state, rw.playing.Dice(1, "tests")).answers[0].certain
