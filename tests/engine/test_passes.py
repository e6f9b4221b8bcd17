"""Passes of the optimiser: without any of them the games are the same."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from lockstep import Lockstep, Tally, forgetful
from random_programs import random_program

import rulewright as rw
from rulewright.engine import ALL_PASSES, PASSES, engine_of
from rulewright.engine.native import passes as native_passes
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.native.passes import parsed, written
from rulewright.engine.native.values import Unsupported
from rulewright.engine.runtime.canonical_form import digest, state_bytes
from rulewright.ir.model import Program
from sampling import THOROUGH

NAMES = [one.name for one in PASSES]
WITHOUT = [*(frozenset(ALL_PASSES - {name}) for name in NAMES), frozenset[str]()]
GAMES = {"tic-tac-toe": 10, "connect-four": 10, "breakthrough": 3, "carolus-magnus": 3}
LARGE = {"domaine": 3, "loewenherz": 2, "baron": 2, "kings-and-things": 1} if THOROUGH else {"domaine": 1}
PROGRAMS = 60 if THOROUGH else 8


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


@pytest.mark.parametrize("name", [*GAMES, *LARGE])
def test_games_are_the_same_without_each_pass(name: str) -> None:
    program, games = rw.load(name).program, (GAMES | LARGE)[name]
    expected = ends(program, ALL_PASSES, games)
    for passes in WITHOUT[:: 1 if THOROUGH or name in GAMES else 3]:  # to compile a large game takes long
        assert ends(program, passes, games) == expected, written(passes)


def test_shipped_games_in_lockstep_without_passes() -> None:
    for name in ("connect-four", "carolus-magnus"):
        both = Lockstep(rw.load(name).program, frozenset())
        tally = both.play(3, 200)
        assert not tally.errors
        assert not tally.handed_over


@pytest.mark.parametrize("passes", WITHOUT, ids=written)
def test_random_programs_without_each_pass(passes: frozenset[str]) -> None:
    tally = Tally()
    for seed in range(PROGRAMS):
        try:
            both = Lockstep(random_program(seed), passes)
        except Unsupported:
            continue
        tally.add(both.play(seed))
    assert tally.games


def test_each_pass_does_something() -> None:
    """Else it could not be told from one that is never left out."""
    idle = set(ALL_PASSES)
    for name in ("connect-four", "breakthrough", "domaine", "baron", "kings-and-things"):
        program = rw.load(name).program
        code = lower(program).code
        idle -= {one for one in idle if lower(program, passes=ALL_PASSES - {one}).code != code}
    assert not idle


def test_each_pass_has_its_file() -> None:
    folder = Path(native_passes.__file__).parent
    files = [one.file for one in PASSES]
    assert len(set(files)) == len(files)
    told = (Path(__file__).parents[2] / "docs" / "engine-lowering.md").read_text("utf-8")
    for one in PASSES:
        assert (folder / one.file).is_file()
        assert f"[`{one.name}`](../interpreter/rulewright/engine/native/{one.file})" in told


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
