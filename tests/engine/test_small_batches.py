"""Few games a call: how fast games are is remembered from one call to the next; the games are the same."""

from __future__ import annotations

import rulewright as rw
from rulewright.engine.native.backend import Backend
from rulewright.engine.policies import many_playouts
from rulewright.engine.policies.many_playouts import FIRST, play_many


def test_the_second_call_plays_all_at_once() -> None:
    program = rw.load("tic-tac-toe").program
    backend = Backend(program)
    first = play_many(program, 400, 7, backend=backend)
    assert backend.portion >= 2 * FIRST
    backend.portion = 400
    asked: list[int] = []
    before = backend.play_rows
    backend.play_rows = lambda *args: asked.append(args[1]) or before(*args)  # type: ignore[method-assign, func-returns-value, assignment, misc]
    assert play_many(program, 400, 7, backend=backend) == first
    assert asked == [400]


def test_slow_games_are_played_in_smaller_portions_again() -> None:
    backend = Backend(rw.load("tic-tac-toe").program)
    portions = many_playouts._Portions(range(1000), 1, backend)
    assert len(portions.next()) == FIRST
    portions.took(FIRST, 0.001)
    assert len(portions.next()) == 2 * FIRST
    portions.took(2 * FIRST, 10)
    assert len(portions.next()) == 1
    assert backend.portion == 1


def test_games_are_the_same_in_calls_of_any_size() -> None:
    game = rw.load("breakthrough", engine="native")
    whole = game.playouts(90, 5)
    found = [game.playouts(size, 5 + begin) for begin, size in ((0, 1), (1, 39), (40, 50))]
    assert [n for one in found for n in one.decisions] == list(whole.decisions)
    assert [n for one in found for n in one.rules] == list(whole.rules)
