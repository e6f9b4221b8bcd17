"""Trees that grow in machine code are those of the searches in Python, branch by branch and bit by bit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from random_programs import hiding_program, random_program
from shipped_programs import shipped_game
from simultaneous_games import simultaneous_game
from small_rules import loaded

import rulewright as rw
from rulewright.diagnostics import RulesetError
from rulewright.engine import CannotGoOn, Dice, InformationSetTree, RootStatistics, SearchTree, State, engine_of, start
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Instance, NoRoom
from rulewright.engine.native.values import Unsupported
from rulewright.engine.stepping.native_search import NativeInformationSetTree, NativeTree
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.ir.model import Program
from rulewright.search.information_set_search import PythonInformationSetTree
from rulewright.search.position_analysis import Effort
from rulewright.search.tree_search import PythonTree, TreeSearch
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


def grown(tree: SearchTree, state: State, seed: int, *slices: int) -> RootStatistics:
    tree.reset(state, seed)
    for simulations in slices:
        tree.grow(simulations)
    return tree.found()


def somewhere(state: State, seed: int, most: int = 12) -> State:
    """A state in which somebody is asked, after a few answers at random."""
    r, last = Random(seed), state
    for _ in range(r.randrange(most)):
        if state.decision is None:
            return last
        try:
            last, state = state, state.choose(r.choice(state.decision.options))
        except RulesetError:  # the rules of a random game may stop
            return state
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


SECRETS = [
    ("kuhn-poker", 2),
    ("leduc-poker", 2),
    ("baron", 3),
    ("domaine", 2),
    ("loewenherz", 3),
    ("kings-and-things", 2),
]


def grown_in(tree: InformationSetTree, state: State, worlds: list[State], seed: int, rounds: int) -> RootStatistics:
    """The figures of simulations in some worlds, five in each in turn."""
    tree.reset(state, seed)
    for number in range(rounds):
        world = number % len(worlds)
        tree.grow(world, worlds[world], 5)
    return tree.found()


def worlds_of(state: State, count: int) -> list[State]:
    assert state.seat is not None
    return [state.imagine(state.seat, number) for number in range(count)]


@pytest.mark.parametrize(("name", "players"), SECRETS)
def test_shipped_games_with_secrets(name: str, players: int) -> None:
    game = shipped_game(name, players, "native")
    tree, python = game.stepper().information_set_tree(), PythonInformationSetTree(game.stepper())
    assert tree is not None
    for seed in range(2):
        state = somewhere(game.start(seed), seed)
        worlds = worlds_of(state, 4)
        assert grown_in(tree, state, worlds, seed, 30) == grown_in(python, state, worlds, seed, 30)


def test_what_several_decide_at_once(tmp_path: Path) -> None:
    """Questions that several answer at once hang side by side."""
    compared = 0
    for seed in range(sample(8, 200)):
        game = simultaneous_game(tmp_path / str(seed), seed, 2 + seed % 3)
        program = game.program
        state = somewhere(start(program, seed), seed, 4)
        if state.decision is None:
            continue
        tree, python = (
            NativeInformationSetTree(engine_of(program), Backend(program)),
            PythonInformationSetTree(PythonStepper(engine_of(program))),
        )
        try:
            worlds = worlds_of(state, 3)
        except rw.RulesetError:
            continue
        assert grown_in(tree, state, worlds, seed, 20) == grown_in(python, state, worlds, seed, 20), seed
        compared += 1
    assert compared > 4


def test_random_programs_with_secrets() -> None:
    compared = 0
    for seed in range(PROGRAMS // 2):
        made = hiding_program(seed)
        try:
            tree = NativeInformationSetTree(engine_of(made), Backend(made))
            state = somewhere(start(made, seed), seed, 4)
            if state.decision is None:
                continue
            worlds = worlds_of(state, 2)
            found = grown_in(tree, state, worlds, seed, 6)
        except (Unsupported, rw.RulesetError, CannotGoOn):
            continue
        python = PythonInformationSetTree(PythonStepper(engine_of(made)))
        assert found == grown_in(python, state, worlds, seed, 6), seed
        compared += 1
    assert compared > PROGRAMS // 8


FAULTY = """game faulty
players 2
field gold[Player]: 0..9 = 0
enum Way: left, middle, right

procedure play
    repeat 4 times
        each p in players
            p chooses way from Way
            if way is left
                gold[p] += 1
            if way is right
                gold[p] += 2 * gold[p] + 1
    finish ranking p in players by gold[p]
"""
"""A game in which who goes right often has more than there may be: an error of the rules."""


def test_simulations_that_end_in_an_error(tmp_path: Path) -> None:
    """They are worth nothing to anybody, are counted, and the search goes on behind them."""
    game = loaded(tmp_path, FAULTY)
    program, state = game.program, game.start(0)
    errors = 0
    for seed in range(20):
        try:
            game.playout(seed)
        except rw.RulesetError:
            errors += 1
    assert 0 < errors < 20
    python = PythonTree(PythonStepper(engine_of(program)))
    found = grown(native(program), state, 1, 100, 100)
    assert found.simulations == 200
    assert found == grown(python, state, 1, 200)
    worlds = [state, state]
    tree = NativeInformationSetTree(engine_of(program), Backend(program))
    other = PythonInformationSetTree(PythonStepper(engine_of(program)))
    assert grown_in(tree, state, worlds, 1, 20) == grown_in(other, state, worlds, 1, 20)


def test_a_tree_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows no more, and says so; its figures become better."""
    monkeypatch.setattr("rulewright.engine.kernels.tree.MOST_BRANCHES", 40)
    monkeypatch.setattr("rulewright.engine.stepping.native_search.MOST_BRANCHES", 40)
    game = shipped_game("connect-four")
    with rw.disk_cache.without_cache():
        tree = native(game.program)
    found = grown(tree, game.start(0), 1, 300)
    assert (found.full, found.simulations) == (True, 300)
    python = PythonTree(PythonStepper(engine_of(game.program)))  # no code may be kept that was made like this
    assert found == grown(python, game.start(0), 1, 300)


def test_a_search_stops_at_its_deadline() -> None:
    """Limits are those that are in force when the tree grows; it can grow on."""
    game = shipped_game("connect-four", engine="native")
    tree, fresh = game.stepper().tree(), game.stepper().tree()
    assert tree is not None
    assert fresh is not None
    tree.reset(game.start(0), 1)
    with pytest.raises(rw.Stopped), rw.limited(rw.Limits(seconds=0.05)):
        tree.grow(10_000_000)
    done = tree.found().simulations
    assert 0 < done < 10_000_000
    tree.reset(game.start(0), 1)
    tree.grow(100)
    assert tree.found() == grown(fresh, game.start(0), 1, 100)


def test_without_memory_the_python_search_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shipped_game("connect-four", engine="native")
    search, state = TreeSearch(game.stepper(), Effort(200)), game.start(0)
    expected = search.search(state, Dice(1, "tests"))
    grows: list[int] = []

    def grow(self: Instance, size: int) -> None:
        grows.append(size)
        raise NoRoom(MemoryError("none is left"))

    monkeypatch.setattr(Instance, "grow", grow)
    assert TreeSearch(game.stepper(), Effort(200)).search(state, Dice(1, "tests")) == expected
    assert grows
