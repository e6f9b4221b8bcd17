"""Searches whose simulations are cut and rated find the same in machine code and in Python, bit by bit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from shipped_programs import shipped_game
from simultaneous_games import simultaneous_game
from small_rules import loaded

import rulewright as rw
from rulewright.engine import (
    ALL_PASSES,
    CannotGoOn,
    Dice,
    InformationSetTree,
    RootStatistics,
    State,
    engine_of,
    stepper_of,
)
from rulewright.engine.native.backend import Backend
from rulewright.engine.stepping.native_search import NativeInformationSetTree, NativeSearch
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.search.information_set_search import InformationSetSearch, PythonInformationSetTree
from rulewright.search.position_analysis import Effort
from rulewright.search.rollouts import Rating
from sampling import sample

RATED = [
    ("breakthrough", 2, "pawns", 20),
    ("breakthrough", 2, "pawns", 0),
    ("breakthrough", 2, "pawns", 1_000_000_000),
    ("domaine", 2, "final_score", 9),
    ("domaine", 3, "final_score", 20),
    ("loewenherz", 3, "score", 6),
    ("kings-and-things", 2, "income", 20),
]


def both(game: rw.Game, query: str, depth: int) -> tuple[InformationSetTree, InformationSetTree]:
    """The tree in machine code and that in Python. The latter has native steps, which are compared elsewhere."""
    steppers = [stepper_of(game.program, "native", ALL_PASSES, (query,)) for _ in range(2)]
    native = steppers[0].information_set_tree(query, depth)
    assert native is not None
    return native, PythonInformationSetTree(steppers[1], Rating(query, depth))


def grown(tree: InformationSetTree, state: State, worlds: list[State], rounds: int = 24) -> RootStatistics:
    """The figures of simulations in some worlds, five in each in turn."""
    tree.reset(state, 7)
    for number in range(rounds):
        at = number % len(worlds)
        tree.grow(at, worlds[at], 5)
    return tree.found()


@pytest.mark.parametrize(("name", "players", "query", "depth"), RATED)
def test_shipped_games(name: str, players: int, query: str, depth: int) -> None:
    game = shipped_game(name, players, "native")
    tree, python = both(game, query, depth)
    for seed in range(2):
        (_, state), *_ = game.states(seed, [3 + 11 * seed])
        assert state.seat is not None
        worlds = [state.imagine(state.seat, number) for number in range(3)]
        found = grown(tree, state, worlds)
        assert found == grown(python, state, worlds)
        assert found.simulations == 120


def test_what_several_decide_at_once(tmp_path: Path) -> None:
    """Random games with secrets, chance, payments and answers at once; a query is asked also where it is an error."""
    seen = Counter[str]()
    for seed in range(sample(8, 200)):
        game = simultaneous_game(tmp_path / str(seed), seed, 2 + seed % 3)
        state = game.start(seed)
        if state.decision is None or state.seat is None:
            continue
        tree, python = both(game, "high", seed % 4)
        worlds = [state.imagine(state.seat, number) for number in range(3)]
        try:
            found = grown(tree, state, worlds)
        except CannotGoOn:
            seen["no room"] += 1
            continue
        assert found == grown(python, state, worlds), seed
        seen["trees"] += 1
    assert seen["trees"] > 4


RULES = """game faulty
players 2
die Coin: 1 to 3
field gold[Player]: {bounds} = 0
query wealth(p: Player) -> Int = 60 / ({divisor} - gold[p]) rounded down

procedure play
    repeat 3 times
        each p in players
            p chooses n from {{1 .. 40}}
            p rolls Coin as thrown
            gold[p] += n / 10 rounded down + thrown
    finish {finish}
"""
BY_PLACE, PAID = "ranking p in players by gold[p]", "paying 2 * gold[p] for p in players"


@pytest.mark.parametrize("finish", [BY_PLACE, PAID])
def test_long_lists_and_chance(tmp_path: Path, finish: str) -> None:
    game = loaded(tmp_path, RULES.format(bounds="0..99", divisor=99, finish=finish))
    state = game.start(0)
    for depth in range(4):
        tree, python = both(game, "wealth", depth)
        assert grown(tree, state, [state]) == grown(python, state, [state])


ERRORS = {
    "answers": RULES.format(bounds="0..14", divisor=99, finish=BY_PLACE),
    "ratings": RULES.format(bounds="0..99", divisor=11, finish=BY_PLACE),
}
"""Rules of which an answer, or the query, ends in an error: not before a player has answered twice."""


@pytest.mark.parametrize("rules", ERRORS.values(), ids=ERRORS)
def test_simulations_that_end_in_an_error(tmp_path: Path, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a one is worth nothing to anybody, and the search goes on in machine code."""
    mended: list[State] = []
    mend = NativeSearch._mend

    def noted(self: NativeSearch, state: State) -> None:
        mended.append(state)
        mend(self, state)

    monkeypatch.setattr(NativeSearch, "_mend", noted)
    game = loaded(tmp_path, rules)
    tree, _ = both(game, "wealth", 3)
    python = PythonInformationSetTree(PythonStepper(engine_of(game.program)), Rating("wealth", 3))
    state = game.start(0)
    assert grown(tree, state, [state], 16) == grown(python, state, [state], 16)
    assert mended


def test_an_option_that_cannot_be_tried(tmp_path: Path) -> None:
    """The Python search begins anew where options end in an error as they are rated."""
    game = loaded(tmp_path, RULES.format(bounds="0..5", divisor=99, finish=BY_PLACE))
    state, rating = game.start(0), Rating("wealth", 5)
    tree, _ = both(game, "wealth", 5)
    with pytest.raises(CannotGoOn):
        grown(tree, state, [state])
    steppers = stepper_of(game.program, "native", ALL_PASSES, ("wealth",)), PythonStepper(engine_of(game.program))
    found = [
        InformationSetSearch(one, Effort(60), rating, hidden=False).search(state, Dice(1, "tests")) for one in steppers
    ]
    assert found[0] == found[1]
    assert found[0].simulations == 60


def test_a_tree_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options that were only rated take room, too."""
    for module in (
        "rulewright.engine.kernels.information_sets",
        "rulewright.engine.stepping.native_search",
    ):
        monkeypatch.setattr(f"{module}.MOST_ENTRIES", 90)
    game = shipped_game("breakthrough", 2, "native")
    with rw.disk_cache.without_cache():  # no code may be kept that was made like this
        backend = Backend(game.program, rated=("pawns",))
        tree = NativeInformationSetTree(engine_of(game.program), backend, "pawns", 9)
    python = PythonInformationSetTree(stepper_of(game.program, "native", ALL_PASSES, ("pawns",)), Rating("pawns", 9))
    state = game.start(0)
    found = grown(tree, state, [state])
    assert (found.full, found.simulations) == (True, 120)
    assert found == grown(python, state, [state])
