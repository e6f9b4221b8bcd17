"""Decisions at once: random blocks of all shapes, in random orders, on both engines, saved in the middle.

And nobody learns of what others decide before all have decided."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from lockstep import played
from simultaneous_games import simultaneous_game

import rulewright as rw
from rulewright.engine import replay
from rulewright.play.playing import PUBLIC
from sampling import sample

GAMES = range(sample(12, 150))
SEEDS = range(sample(2, 6))
MOST = 400


@cache
def game(seed: int) -> rw.Game:
    with TemporaryDirectory() as folder:
        return simultaneous_game(Path(folder) / "game", seed, 2 + seed % 3)


class Players:
    """Players who decide by dice of their own: whatever the order, each decides the same."""

    def __init__(self, seed: int, seats: tuple[str, ...], other: str = "") -> None:
        self.dice = {seat: Random(f"{seed} {seat} {'other' if seat == other else ''}") for seat in seats}

    def answer(self, decision: rw.Decision) -> str:
        """The next answer of whoever is asked."""
        return self.dice[decision.who].choice(decision.options).key


Order = Callable[[Sequence[rw.Decision]], rw.Decision]


def in_order(decisions: Sequence[rw.Decision]) -> rw.Decision:
    """The order of the rules."""
    return decisions[0]


def last_first(decisions: Sequence[rw.Decision]) -> rw.Decision:
    """The other way round, each in one go."""
    return decisions[-1]


def play(
    start: rw.State, players: Players, order: Order, look: Callable[[rw.State], rw.State] | None = None
) -> rw.State:
    """A game to its end."""
    state = start
    for _ in range(MOST):
        if state.decision is None:
            break
        if look is not None:
            state = look(state)
        decision = order(state.decisions)
        state = state.choose(players.answer(decision), by=decision.who)
    return state


def outcome(playing: rw.Game, seed: int, order: Order) -> tuple[Any, ...]:
    """The end of a game, errors included."""
    try:
        state = play(playing.start(seed), Players(seed, playing.seats), order)
    except rw.RulesetError as error:
        return "error", error
    return state.to_bytes(), state.log, state.result


@pytest.mark.parametrize("seed", GAMES)
def test_the_order_makes_no_difference(seed: int) -> None:
    playing = game(seed)
    for one in SEEDS:
        expected = outcome(playing, one, in_order)
        for order in (Random(1).choice, Random(2).choice, last_first):
            found = outcome(playing, one, order)
            assert found == expected if expected[0] != "error" else found[0] == "error"


@pytest.mark.parametrize("seed", GAMES)
def test_saves_logs_and_copies_in_the_middle(seed: int) -> None:
    playing, dice = game(seed), Random(seed)
    seen: Counter[str] = Counter()

    def look(state: rw.State) -> rw.State:
        if dice.random() < 0.7:
            return state
        try:
            loaded = playing.load(state.save())
        except rw.RulesetError as error:
            raise AssertionError(error) from error
        assert loaded == state
        assert hash(loaded) == hash(state)
        assert loaded.log == state.log
        assert loaded.decisions == state.decisions
        assert [loaded.log_for(p) for p in range(len(playing.seats))] == [
            state.log_for(p) for p in range(len(playing.seats))
        ]
        copied = pickle.loads(pickle.dumps(state))
        assert copied == state
        assert copied.decision == state.decision
        again = replay(playing.program, seed, state.log)
        assert again == state
        seen["ahead" if state.ahead else "in order"] += 1
        return dice.choice([loaded, copied, again, state])

    with suppress(rw.RulesetError):
        play(playing.start(seed), Players(seed, playing.seats), dice.choice, look)


@pytest.mark.parametrize("seed", GAMES)
def test_both_engines(seed: int) -> None:
    assert played(game(seed).program, sample(10, 60)).games


def told(state: rw.State, player: int) -> Any:
    """All that a player may know in their turn, but for what all hear of whoever answers."""
    mine = state.turn_of(player)
    view = (mine or state).view(player)
    asked = None if mine is None else mine.decision
    heard = [entry for entry in state.log_for(player) if entry.key is not None]
    return {k: v for k, v in view.items() if k not in ("decision", "answers")}, asked, heard


def test_nobody_learns_of_what_others_decide_before_all_have() -> None:
    """As long as somebody has still to decide, a player sees, hears and is asked what they saw before anybody did."""
    compared = sum(_watched(game(seed), one) for seed in GAMES for one in SEEDS)
    assert compared > 10 * len(GAMES)


def _watched(playing: rw.Game, seed: int) -> int:
    """Let one decide all that they can before anybody else, and look what the others are told meanwhile."""
    start, compared = playing.start(seed), 0
    for other in playing.seats if start.simultaneous_node is not None else ():
        state, players = start, Players(seed, playing.seats)
        for _ in range(MOST):
            theirs = next((d for d in state.decisions if d.who == other), None)
            if theirs is None or len(state.decisions) < 2:
                break
            try:
                state = state.choose(players.answer(theirs), by=other)
            except rw.RulesetError:
                break
            for number, seat in enumerate(playing.seats):
                if seat != other:
                    assert told(state, number) == told(start, number)
                    compared += 1
            assert told_to_all(state) == told_to_all(start)
    return compared


def told_to_all(state: rw.State) -> Any:
    """The same for who sits at no seat."""
    return {k: v for k, v in state.view(PUBLIC).items() if k not in ("decision", "answers")}


def test_worlds_that_are_imagined_in_the_middle() -> None:
    """A player still knows what they have decided early, and nobody else is asked there."""
    assert sum(map(_imagined, GAMES)) > 30 * len(GAMES)


def _imagined(seed: int) -> int:
    """The number of worlds that those imagine who decide at once with others, before and after they have decided."""
    state, players, dice = game(seed).start(seed), Players(seed, game(seed).seats), Random(seed)
    compared = 0
    for _ in range(30):
        if state.decision is None:
            break
        for player in range(len(game(seed).seats)) if state.simultaneous_node is not None else ():
            here = state.turn_of(player) or state
            world = here.imagine(player, 1)
            shown = [{k: v for k, v in one.view(player).items() if k in ("fields", "zones")} for one in (world, here)]
            assert shown[0] == shown[1]
            assert world.decision is not None
            assert here.decision is not None
            assert world.decision.seat == here.decision.seat
            compared += 1
        decision = dice.choice(state.decisions)
        try:
            state = state.choose(players.answer(decision), by=decision.who)
        except rw.RulesetError:
            break
    return compared


def test_what_others_are_told_of_it_afterwards() -> None:
    """Of answers that they may not know only those are mentioned that everybody gives: more would tell something."""
    for seed in GAMES:
        playing = game(seed)
        try:
            state = play(playing.start(seed), Players(seed, playing.seats), in_order)
        except rw.RulesetError:
            continue
        for number, seat in enumerate(playing.seats):
            heard = Counter((entry.who, entry.name) for entry in state.log_for(number))
            given = Counter((entry.who, entry.name) for entry in state.log if entry.who in playing.seats)
            missing = given - heard
            assert all(who != seat for who, _ in missing)
            hushed = {(e.who, e.name) for e in state.log if e.hushed}
            assert missing.keys() <= hushed
