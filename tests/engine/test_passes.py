"""Passes of the optimiser: without any of them the games are the same."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path

import pytest
from lockstep import Lockstep, Tally, forgetful
from random_programs import random_program
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine import ALL_PASSES, PASSES, engine_of
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.native.passes import parsed, written
from rulewright.engine.native.values import Unsupported
from rulewright.engine.runtime.canonical_form import digest, state_bytes
from rulewright.ir.model import Program
from sampling import THOROUGH, sample

NAMES = [one.name for one in PASSES]
WITHOUT = [*(frozenset(ALL_PASSES - {name}) for name in NAMES), frozenset[str]()]
WORKS = {
    "tic-tac-toe": ("answers", "inlining", "masks", "ranges", "shifts", "unrolling", "value-sets"),
    "connect-four": ("emptiness", "inlining", "levels", "masks", "ranges", "unrolling", "value-sets"),
    "breakthrough": ("answers", "emptiness", "hoisting", "inlining", "openings", "ranges"),
    "carolus-magnus": ("conditions", "hoisting", "taken-from"),
    "domaine": ("area-changes", "areas", "memo", "occupants"),
    "baron": ("grown-maps",),
    "kings-and-things": ("sharing",),
    "strangers/havannah": ("components", "floods", "tables"),
    "strangers/gomoku": ("rays",),
    "strangers/loa": ("repeats",),
    "strangers/oware": ("records",),
    "strangers/quoridor": ("journal", "unswitching", "ways"),
}
"""Passes that do something for a game, the last five of which lie with the benchmarks. Every day each is left out of
the smallest games for which it does; for the last seven it is only looked whether it does, as it takes seconds to
compile them, or to play them: other tests leave these passes out of small games."""
GAMES = {"tic-tac-toe": 10, "connect-four": 10, "breakthrough": 3, "carolus-magnus": 2, "domaine": 1}
if THOROUGH:
    GAMES |= {"carolus-magnus": 3, "domaine": 3, "loewenherz": 2, "baron": 2, "kings-and-things": 1}
PROGRAMS = sample(4, 60)


def ends(program: Program, passes: frozenset[str], games: int) -> list[tuple[object, ...]]:
    """For each game its outcome, its last state, and how often each rule was used."""
    backend, engine = Backend(program, passes=passes), engine_of(program)
    found: list[tuple[object, ...]] = []
    for seed in range(games):
        fired = engine.new_fired()
        played = backend.play(seed, 10**5, 10**8, 10**10, fired)
        assert played is not None
        outcome, raw = played
        cells = forgetful(engine, backend.codec.cells(raw))
        found.append((outcome, digest(state_bytes(engine, cells, [])), fired))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_games_are_the_same_without_each_pass(name: str) -> None:
    program, games = shipped_game(name).program, GAMES[name]
    expected = ends(program, ALL_PASSES, games)
    some = [*(frozenset(ALL_PASSES - {one}) for one in WORKS.get(name, ())), frozenset[str]()]
    for passes in WITHOUT if THOROUGH else some:
        assert ends(program, passes, games) == expected, written(passes)


def test_shipped_games_in_lockstep_without_passes() -> None:
    for name in ("connect-four", "carolus-magnus"):
        both = Lockstep(shipped_game(name).program, frozenset(), ALL_PASSES)
        tally = both.play(3, 200)
        assert not tally.errors
        assert not tally.handed_over


@cache
def random_one(seed: int) -> Program:
    """A program that is the same object each time, so that one engine plays it for all tests."""
    return random_program(seed)


@pytest.mark.parametrize("passes", WITHOUT, ids=written)
def test_random_programs_without_each_pass(passes: frozenset[str]) -> None:
    tally = Tally()
    for seed in range(PROGRAMS):
        try:
            both = Lockstep(random_one(seed), passes, ALL_PASSES)
        except Unsupported:
            continue
        tally.add(both.play(seed))
    assert tally.games


def _program(name: str) -> Program:
    """A program that is shipped, or one of those that benchmarks play."""
    if not name.startswith("strangers/"):
        return shipped_game(name).program
    return rw.load(Path(__file__).parents[1] / "benchmarks" / name).program


def test_each_pass_does_something() -> None:
    """Else it could not be told from one that is never left out."""
    assert {one for names in WORKS.values() for one in names} == ALL_PASSES
    for name, names in WORKS.items():
        program = _program(name)
        code = lower(program).code
        idle = [one for one in names if lower(program, passes=ALL_PASSES - {one}).code == code]
        assert not idle, name


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("all", ()),
        ("none", NAMES),
        ("-memo", ("memo",)),
        ("-memo, -areas", ("memo", "areas")),
        ("all,-masks", ("masks",)),
        ("none,masks", [name for name in NAMES if name != "masks"]),
        ("masks", [name for name in NAMES if name != "masks"]),
    ],
)
def test_passes_are_named(text: str, left_out: tuple[str, ...]) -> None:
    found = parsed(text)
    assert found == ALL_PASSES - set(left_out)
    assert parsed(written(found)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mask", "there is no pass `mask`"),
        ("-mask", "there is no pass `mask`"),
        ("", "a name is missing"),
        ("memo,,areas", "a name is missing"),
    ],
)
def test_wrong_names_are_told(text: str, said: str) -> None:
    with pytest.raises(rw.RulesetError) as found:
        rw.load("tic-tac-toe", passes=text)
    assert said in str(found.value)


def test_a_game_keeps_its_passes_in_other_processes() -> None:
    game = rw.load("tic-tac-toe", engine="native", passes="-masks")
    assert pickle.loads(pickle.dumps(game)).passes == ALL_PASSES - {"masks"}
    assert game.playouts(20) == rw.load("tic-tac-toe", engine="native").playouts(20)
