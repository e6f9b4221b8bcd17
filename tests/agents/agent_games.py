"""Games in which agents play, with each engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.engine import ALL_PASSES, stepper_of

EACH_ENGINE = pytest.mark.parametrize("engine", ["native", "python"])


@cache
def shipped(name: str, engine: rw.playing.EngineName = "native") -> rw.Game:
    """A shipped game for the least number of players."""
    return rw.load(name, engine=engine)


def written(folder: Path, rules: str, engine: rw.playing.EngineName = "auto") -> rw.Game:
    """A game of a few rules."""
    (folder / "game.rules").write_text(rules, "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    return rw.load(folder, engine=engine)


def knowing(game: rw.Game, *queries: str) -> rw.playing.Stepper:
    """A stepper that can ask some queries."""
    return stepper_of(game.program, game.backend, ALL_PASSES, queries)


def after(game: rw.Game, *answers: str) -> rw.State:
    """The state after some answers."""
    state = game.start(0)
    for answer in answers:
        state = state.choose(answer)
    return state


__all__ = ["EACH_ENGINE", "after", "knowing", "shipped", "written"]


def gamble(safe: int) -> str:
    """The rules of a game in which two players, one after the other, take so much gold, or else 5 or nothing."""
    return f"""game gamble
players 2
die Coin: 1 to 2
field gold[Player]: 0.. = 0
enum Way: safe, bold

query wealth(p: Player) -> Int = gold[p]

procedure play
    each p in players
        p chooses way from Way
        if way is bold
            p rolls Coin as thrown
            gold[p] += 5 * (thrown - 1)
        else
            gold[p] += {safe}
    finish ranking p in players by gold[p]
"""
