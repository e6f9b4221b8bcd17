"""Information states as arrays: equal for two positions if and only if a player cannot tell them apart."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random

import pytest

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.environment import Walk

GAMES = [
    ("kuhn-poker", {}, None),
    ("goofspiel", {"cards": 3}, None),
    ("tic-tac-toe", {}, 3),
]  # fmt: skip


def every(game: rw.Game, most: int | None) -> Iterator[Walk]:
    """All walks through a game, so many steps at most."""
    begun = [(Walk(game.start(0, ask_chance=True), tensors=lab.information_tensors(game)), 0)]
    while begun:
        here, steps = begun.pop()
        yield here
        decision = here.state.decision
        if decision is not None and (most is None or steps < most):
            begun += [(here.step(here.state.choose(n)), steps + 1) for n in range(len(decision.options))]


def at_random(game: rw.Game, seed: int) -> Iterator[Walk]:
    """The positions of one game."""
    random, here = Random(seed), Walk(game.start(0, ask_chance=True), tensors=lab.information_tensors(game))
    while True:
        yield here
        decision = here.state.decision
        if decision is None:
            return
        here = here.step(here.state.choose(random.randrange(len(decision.options))))


def the_same(walks: Iterator[Walk], players: int) -> int:
    """The number of different information states, of texts and arrays alike."""
    texts: dict[tuple[int, str], bytes] = {}
    arrays: dict[tuple[int, bytes], str] = {}
    for here in walks:
        for player in range(players):
            text, array = here.information_state(player), here.tensor(player).tobytes()
            assert texts.setdefault((player, text), array) == array
            assert arrays.setdefault((player, array), text) == text
    return len(texts)


@pytest.mark.parametrize(("name", "options", "most"), GAMES)
def test_arrays_tell_apart_what_texts_do(name: str, options: dict[str, int], most: int | None) -> None:
    assert the_same(every(rw.load(name, options=options), most), 2) > 50


@pytest.mark.parametrize("name", ["leduc-poker", "goofspiel"])
def test_they_do_in_longer_games(name: str) -> None:
    game = rw.load(name)
    assert the_same((here for seed in range(12) for here in at_random(game, seed)), 2) > 80


def test_what_is_decided_at_once_is_told_afterwards() -> None:
    game = rw.load("goofspiel", options={"cards": 3})
    tensors = lab.information_tensors(game)
    action = next(part for part in tensors.parts if part.name == "action")
    here = next(at_random(game, 1))
    while here.state.simultaneous_node is None:
        here = here.step(here.state.choose(0))
    here = here.step(here.state.choose(1))
    told = [sum(here.tensor(player)[action.offset : action.offset + action.size]) for player in range(2)]
    assert told == [1, 0]
    here = here.step(here.state.choose(0))
    told = [sum(here.tensor(player)[action.offset : action.offset + action.size]) for player in range(2)]
    assert told == [2, 2]


@pytest.mark.parametrize("name", ["leduc-poker", "goofspiel"])
def test_worlds_that_look_the_same_are_the_same_array(name: str) -> None:
    game = rw.load(name)
    for number, here in enumerate(at_random(game, 3)):
        if here.state.decision is None or here.state.seat is None:
            continue
        for player in range(2):
            world = here.in_world(player, number)
            assert world.tensor(player) == here.tensor(player)
            again = world.step(world.state.choose(0))
            assert len(again.tensor(player)) == lab.information_tensors(game).size


def test_a_walk_out_of_a_pickle_goes_on() -> None:
    game = rw.load("leduc-poker")
    *_, before, last = at_random(game, 5)
    copied = pickle.loads(pickle.dumps(before)).step(last.state)
    for player in range(2):
        assert copied.tensor(player) == last.tensor(player)


def test_the_layout() -> None:
    game = rw.load("leduc-poker")
    tensors = lab.information_tensors(game)
    assert tensors.longest == 18
    assert [part.name for part in tensors.parts] == ["answered", "action", "seen before", "seen now"]
    assert tensors.size == tensors.parts[-1].offset + tensors.parts[-1].size
    assert lab.information_tensors(game, 4).size < tensors.size
    with pytest.raises(rw.RulesetError, match="the rules do not bound it"):
        lab.information_tensors(rw.load("pig"))
