"""Trees that grow in machine code are those of the search in Python, branch by branch and bit by bit."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from random_programs import random_program
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.agents.tree_search import PythonTree
from rulewright.engine import CannotGoOn, Searched, SearchedTree, State, engine_of, start
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.values import Unsupported
from rulewright.engine.stepping.native_tree import NativeTree
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.ir.model import Program
from sampling import sample

PROGRAMS = sample(60, 2000)
SHIPPED = [
    ("tic-tac-toe", 2),
    ("connect-four", 2),
    ("breakthrough", 2),
    ("carolus-magnus", 2),
    ("carolus-magnus", 3),
    ("carolus-magnus", 4),
    ("baron", 3),
    ("domaine", 2),
    ("domaine", 4),
    ("loewenherz", 3),
    ("kings-and-things", 2),
]


def native(program: Program) -> NativeTree:
    return NativeTree(engine_of(program), Backend(program))


def grown(tree: SearchedTree, state: State, seed: int, *slices: int) -> Searched:
    tree.plant(state, seed)
    for simulations in slices:
        tree.grow(simulations)
    return tree.found()


def somewhere(state: State, seed: int, most: int = 12) -> State:
    """A state in which somebody is asked, after a few answers at random."""
    r, last = Random(seed), state
    for _ in range(r.randrange(most)):
        if state.decision is None:
            return last
        last, state = state, state.choose(r.choice(state.decision.options))
    return last if state.decision is None else state


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_shipped_games(name: str, players: int) -> None:
    """The Python search has a native stepper here, as it is the faster one; they are compared elsewhere."""
    game = shipped_game(name, players, "native")
    tree, python = game.stepper().tree(), PythonTree(game.stepper())
    assert tree is not None
    for seed in range(2):
        state = somewhere(game.start(seed), seed)
        assert grown(tree, state, seed, 100, 50) == grown(python, state, seed, 150)


def test_random_programs() -> None:
    """Errors of the rules, payments, parties and chance: whatever happens in a simulation, the tree goes on."""
    seen = Counter[str]()
    for seed in range(PROGRAMS):
        made = random_program(seed)
        try:
            tree, state = native(made), somewhere(start(made, seed), seed, 4)
        except (Unsupported, rw.RulesetError):
            continue
        if state.decision is None:
            continue
        python = PythonTree(PythonStepper(engine_of(made)))
        try:
            found = grown(tree, state, seed, 5, 20)
        except CannotGoOn:
            seen["no room"] += 1
            continue
        assert found == grown(python, state, seed, 25), seed
        seen["trees"] += 1
        seen["certain"] += found.certain is not None
    assert seen["trees"] > PROGRAMS // 4
    assert seen["certain"]
    assert seen["no room"] < PROGRAMS // 10
