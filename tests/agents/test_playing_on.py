"""Steppers play on at random, and tell options and outcomes of chance apart, both engines alike; and every agent looks
ahead where chance is a decision."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_games import EACH_ENGINE, gamble, shipped, written

import rulewright as rw
import rulewright_lab as lab

NAMES = ("tic-tac-toe", "carolus-magnus", "domaine", "baron")


def both(name: str) -> tuple[rw.playing.Stepper, rw.playing.Stepper]:
    return shipped(name).stepper(3), shipped(name, "python").stepper(3)


def together(steppers: tuple[rw.playing.Stepper, ...], look: Callable[[rw.playing.Stepper], object]) -> object:
    first, second = (look(stepper) for stepper in steppers)
    assert first == second
    return first


@pytest.mark.parametrize("name", NAMES)
def test_games_go_on_alike(name: str) -> None:
    steppers = both(name)
    for _ in range(4):
        together(steppers, lambda one: one.apply(middle(one)))
        together(steppers, lambda one: one.offered())
        together(steppers, lambda one: one.drawn)
    kept = [one.snapshot() for one in steppers]
    for seed in range(2):
        for one, begin in zip(steppers, kept, strict=True):
            one.restore(begin)
            one.reseed(seed)
        assert [one.play_on(seed) for one in steppers] == [True, True]
        assert together(steppers, lambda one: one.payoffs)


def middle(stepper: rw.playing.Stepper) -> int:
    """An option in the middle."""
    return stepper.options // 2


@EACH_ENGINE
def test_a_game_is_not_played_further_than_it_may_be(engine: rw.playing.EngineName) -> None:
    stepper = shipped("carolus-magnus", engine).stepper(1)
    begin = stepper.snapshot()
    assert not stepper.play_on(0, 3)
    assert stepper.restore(begin) == stepper.options > 0
    assert not stepper.play_on(0, 0)
    assert stepper.options > 0


@EACH_ENGINE
def test_the_seed_decides_what_is_drawn_and_nothing_else(engine: rw.playing.EngineName) -> None:
    stepper = shipped("carolus-magnus", engine).stepper(1)
    begin = stepper.snapshot()
    outcomes = set()
    for seed in range(8):
        stepper.restore(begin)
        here = stepper.outcome()
        stepper.reseed(seed)
        assert stepper.outcome() == here
        drawn = stepper.drawn
        while stepper.drawn == drawn:
            stepper.apply(0)
        outcomes.add(stepper.outcome())
    assert len(outcomes) > 1


def test_a_seed_is_a_part_of_how_a_position_was_come_to() -> None:
    """The native engine finds its position again from the last one that was kept: with the seed laid down since."""
    native, python = both("baron")
    for one in (native, python):
        one.reseed(99)
        for _ in range(5):
            one.apply(0)
    assert native.state() == python.state()


EVERY_WORD = (
    "random", "greedy:wealth", "lead:wealth", "flat:6", "flat:6:wealth", "mcts:6", "mcts:2x4", "mcts:6:mast",
    "mcts:6:wealth/0", "mo-ismcts:6", "mo-ismcts:6:wealth", "oos:8", "alphabeta:2:wealth",
)  # fmt: skip
"""An agent of each kind, with a query and without."""
FISHING = """game fishing
players 2
die Coin: 1 to 2
piece Card from "cards.json"
    worth: 1..4
    named "card {worth}"
    begins in pond
zone pond: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
field gold[Player]: 0..99 = 0
query wealth(p: Player) -> Int = gold[p]

procedure play
    shuffle pond
    each p in players
        draw 2 from pond to hand[p]
    repeat 2 times
        each p in players at once
            p chooses c from hand[p]
            gold[p] += c.worth
            move c to pond at bottom
        each p in players
            p chooses bold from {0 .. 2}
            if bold > 0
                p rolls Coin as thrown
                gold[p] += bold * thrown
                draw 1 from pond to hand[p]
            chance chooses left from hand[p]
            gold[p] += 1 if left is none else left.worth
    finish ranking p in players by gold[p]
"""
"""Chance deals, throws, and draws what only one sees; and players decide at once."""
BUILDING = """game building
players 2
piece House from "cards.json"
    worth: 1..9
    named "house {worth}"
    begins in deck
zone deck: stack of House, count seen by everyone
zone hand[p: Player]: set of House, face seen by p, count seen by everyone
zone plan[p: Player]: set of House, at most 1, seen by p
zone paid[p: Player]: set of House, seen by p
zone town[Player]: set of House, seen by everyone
query price(h: House) -> Int = h.worth - 1
query wealth(p: Player) -> Int = size(town[p])
procedure play
    shuffle deck
    each p in players
        draw 4 from deck to hand[p]
    repeat 2 times
        each p in players at once
            p chooses up to 1 h as building from hand[p]
                forbid dear: price(h) > size(hand[p]) - 1
            p chooses exactly (price(single(building)) or else 0) c as paying from hand[p] except building
            move building to plan[p]
            move paying to paid[p]
        each p in players
            move plan[p] to town[p]
            move paid[p] to deck at bottom
    finish ranking p in players by size(town[p])
"""
"""The number of the second choice, unseen, is computed by a query from the first answer."""
CARDS = json.dumps({"rows": [{"worth": worth, "count": 2} for worth in range(1, 5)]})


@EACH_ENGINE
@pytest.mark.parametrize("rules", [gamble(3), FISHING, BUILDING], ids=["open", "hidden", "at once"])
def test_every_agent_looks_ahead_where_chance_is_a_decision(
    tmp_path: Path, rules: str, engine: rw.playing.EngineName
) -> None:
    (tmp_path / "cards.json").write_text(CARDS)
    game = written(tmp_path, rules, engine)
    dice, looked = rw.playing.Dice(1, "tests"), 0
    for seed in range(2):
        state = game.start(seed, ask_chance=True)
        while state.decision is not None:
            decision = state.decisions[dice.below(len(state.decisions))]
            state, size = state.turn_of(decision.who) or state, len(decision.options)
            for word in EVERY_WORD if size > 1 else ():
                if word.startswith("alphabeta") and rules in (FISHING, BUILDING):
                    continue
                agent = lab.agent(game, word)
                if state.seat is not None:
                    assert 0 <= game.pick(state, agent, dice) < size
                    looked += 1
                else:
                    with pytest.raises(rw.RulesetError, match="no player is asked"):
                        game.pick(state, agent, dice)
            state = state.choose(dice.below(size))
    assert looked > 50
