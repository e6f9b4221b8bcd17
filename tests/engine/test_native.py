"""The native backend against the others: random expressions, whole games, errors of the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from typing import Any

import pytest
import wasmtime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maker import Kind, Maker
from oracle import Oracle, Wrong, world
from playground import everything, random_position
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine import Playout, backend_for, native_engine
from rulewright.engine.native import instance as native_instance
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Instance, compiled_module
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.native.memory_map import OVER
from rulewright.engine.native.tiering import WARM, EngineName
from rulewright.engine.native.values import Unsupported
from rulewright.engine.runtime.canonical_form import digest, state_bytes
from rulewright.engine.runtime.machine import engine_of
from rulewright.ir import model as m
from sampling import sample

STEPS, TOTAL = 10**6, 10**9
ENGINES: tuple[EngineName, ...] = ("native", "python")
GAMES = {
    "tic-tac-toe": 20,
    "connect-four": 20,
    "breakthrough": sample(4, 8),
    "carolus-magnus": sample(3, 8),
    "domaine": sample(1, 3),
    "loewenherz": sample(1, 2),
    "baron": sample(2, 4),
    "kings-and-things": 1,
}
"""Shipped rulesets, and how many games of each are compared."""

PROGRAM = everything()
PROGRAM = replace(PROGRAM, functions=tuple(replace(f, code=(m.Return(None),)) for f in PROGRAM.functions))
TYPES = {"bool": m.Ty("bool", optional=True), "int": m.Ty("int", optional=True)}


def type_of(kind: Kind) -> m.Ty:
    word, universe = kind
    if word in TYPES:
        return TYPES[word]
    return m.Ty("set", universe) if word == "set" else m.Ty("entity", universe, optional=True)


def native_value(e: m.Expr, kind: Kind, cells: list[int]) -> int | frozenset[int] | None:
    """The value of an expression over some cells, worked out natively; None if it is an error."""
    asked = m.QueryDef("asked", (), type_of(kind), e)
    native = lower(replace(PROGRAM, queries=(*PROGRAM.queries, asked)), ("asked",))
    instance: Any = Instance(native, compiled_module(native)).running
    instance.memory.write(instance.store, native.memory.encode_cells(cells), native.memory.cells)
    instance.exports["budget"].set_value(instance.store, wasmtime.Val.i64(STEPS))
    try:
        found = instance.exports["asked"](instance.store)
    except wasmtime.Trap:
        return None
    if kind[0] != "set":
        return int(found)
    words = found if isinstance(found, list) else [found]
    bits = sum(word % 2**64 << 64 * number for number, word in enumerate(words))
    return frozenset(bit for bit in range(bits.bit_length()) if bits >> bit & 1)


def compare(seed: int, depth: int) -> str:
    """Compare one random expression with the plain evaluator; how that ended."""
    r = Random(seed)
    maker = Maker(PROGRAM, r)
    kind = maker.kind()
    if kind[0] == "list":
        return "list"
    e = maker.make(kind, {}, depth)
    position = random_position(PROGRAM, r)
    try:
        found = native_value(e, kind, list(position.cells))
    except Unsupported:
        return "not compiled"
    try:
        expected = Oracle(world(position), world(position)).value(e, {})
    except Wrong:
        assert found is None, e
        return "error"
    if isinstance(found, frozenset) and isinstance(expected, int):
        expected = frozenset(bit for bit in range(expected.bit_length()) if expected >> bit & 1)
    assert found == (m.NONE if expected is None else expected), e
    return "value"


@settings(max_examples=sample(40, 120), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_random_expressions(seed: int, depth: int) -> None:
    compare(seed, depth)


def test_random_expressions_are_compared_at_all() -> None:
    ends = Counter(compare(seed, 1 + seed % 3) for seed in range(40))
    assert ends["value"] > 10, ends


def told(program: m.Program, cells: list[int]) -> str:
    """All that the rules can ask of the last cells, however alike pieces are numbered."""
    engine = engine_of(program)
    cells[engine.layout.memory] = engine.layout.initial[engine.layout.memory]
    return digest(state_bytes(engine, cells, []))


def test_numbers_below_0_are_in_no_set() -> None:
    """Also where all of them are below 0, which is known when the set is made."""
    cells = list(random_position(PROGRAM, Random(1)).cells)
    below = m.Collect(m.Alive("Space"), "v", m.Const(-2))
    assert native_value(below, ("set", "Int"), cells) is None
    best = m.Best(m.ListConst((-3, -2)), "v", m.Var("v"), True)
    assert native_value(best, ("set", "Int"), cells) is None
    mixed = m.MakeSet((m.FieldGet("score", (m.Const(0),)), m.Const(-2)))
    assert native_value(mixed, ("set", "Int"), cells) is None


def test_an_error_of_an_inner_source_comes_before_conditions_on_outer_members() -> None:
    cells = list(random_position(PROGRAM, Random(1)).cells)
    broken = m.IntRange(m.Const(1), m.Arith("div_up", m.Const(1), m.Const(0)))
    binds = (m.Bound("x", m.Alive("Space")), m.Bound("y", broken))
    never = m.Fold("no", binds, m.Cmp("lt", m.Var("x"), m.Const(0)), None)
    assert native_value(never, ("bool", ""), cells) is None


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_the_same(name: str) -> None:
    """The last cells, the counts of rules, the places, and the way there."""
    game = shipped_game(name)
    backend = Backend(game.program)
    for seed in range(GAMES[name]):
        counted, again = game.new_fired(), game.new_fired()
        played = Playout(game.program, counted).play(seed)
        found = backend.play(seed, 10**5, STEPS, TOTAL, again)
        assert found is not None
        outcome, raw = found
        cells = backend.codec.cells(raw)
        assert told(game.program, cells) == told(game.program, list(played.state.cells))
        assert again == counted
        assert (outcome.answers, outcome.ranks[: game.players]) == (played.decisions, played.places)
    rows, width = backend.play_rows(100, GAMES[name], 10**5, STEPS, TOTAL), backend.width
    alone = [backend.play(100 + number, 10**5, STEPS, TOTAL, None) for number in range(GAMES[name])]
    told_of = itemgetter(*range(game.players), -1)
    ends = [(one[0].answers, OVER, one[0].rule - 1, *told_of(one[0].ranks)) for one in alone if one is not None]
    assert [tuple(rows[at : at + width]) for at in range(0, len(rows), width)] == ends


def test_what_players_remember_is_found_again() -> None:
    """The native backend does not keep it; the last state tells it nevertheless."""
    native, python = (shipped_game("baron", engine=engine).playout(3) for engine in ENGINES)
    assert native.result == python.result
    assert native.state.digest() == python.state.digest()
    assert native.state is native.state


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("connect-four", 2, {"columns": 5, "rows": 9}),
        ("breakthrough", 2, {"size": 9}),  # more places than a word has bits
        ("carolus-magnus", 3, {}),
        ("carolus-magnus", 4, {}),
        ("domaine", 4, {}),
        ("baron", 4, {}),
    ],
)
def test_other_sizes_play_the_same(name: str, players: int, options: dict[str, int]) -> None:
    """The same results and positions through the façade, for other numbers of players and other boards."""
    first = rw.load(name, players, options=options) if options else shipped_game(name, players)
    games = [rw.Game(first.program, first.ruleset, engine) for engine in ENGINES]
    for seed in range(sample(3, 8)):
        one, two = (game.playout(seed) for game in games)
        assert (one.decisions, one.places, one.rule) == (two.decisions, two.places, two.rule)
        assert one.state.view(None) == two.state.view(None)


def ruleset(folder: Path, rules: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.json").write_text('{"name": "small", "title": "Small", "rules": ["game.rules"]}', "utf-8")
    (folder / "game.rules").write_text(f"game small\nplayers 2\n\n{rules}\n", "utf-8")
    return folder


TURNS = """procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses k from {0 .. 4}"""
WRONG = {
    "a number too large": ("field n: 0..9 = 0", "n = n + 4"),
    "a division by zero": ("field n: 0..9 = 3", "n = 6 / (3 - k) rounded down"),
    "an endless loop": ("field n: 0..9 = 0", "repeat until n is 9\n        n = 1"),
    "nothing to choose": ("field n: 0..9 = 0", "p chooses j from {k .. 2}"),
}


def first_error(game: rw.Game) -> tuple[int, str]:
    """The seed of the first game that ends in an error, and the error."""
    for seed in range(20):
        try:
            game.playout(seed)
        except rw.RulesetError as error:
            return seed, str(error)
    raise AssertionError("no error")


@pytest.mark.parametrize("what", WRONG)
def test_errors_of_the_rules_are_told_alike(tmp_path: Path, what: str) -> None:
    field, statement = WRONG[what]
    folder = ruleset(tmp_path / "small", f"{field}\n\n{TURNS}\n    {statement}")
    told = []
    for engine in ("native", "python"):
        told.append(first_error(rw.load(folder, engine=engine)))  # type: ignore[arg-type]
    assert told[0] == told[1]


def test_steps_below_0_that_are_worked_out_are_played_natively(tmp_path: Path) -> None:
    """A trap would leave each such game to Python: the same, but slow."""
    board = "place Cell\nmap Row: grid 1 by 9 of Cell\nfield at: Cell = (0, 4)\nfield far: 0..9 = 0"
    back = "let there = towards(at, east, k - 3)\n    if there is not none then at = there\n    far = at.column"
    folder = ruleset(
        tmp_path / "small", f"{board}\n\n{TURNS}\n    {back}\nend over when far is 0\n    finish with winner players"
    )
    games, native = [rw.load(folder, engine=engine) for engine in ("native", "python")], 20
    assert games[0].playouts(native) == games[1].playouts(native)
    assert rw.plans.Plan(games[0], native).games == native


def test_a_game_that_is_cut_off_is_the_same() -> None:
    one, two = (shipped_game("breakthrough", engine=engine).playout(3, most=9) for engine in ENGINES)
    assert not one.finished
    assert one.state.digest() == two.state.digest()


@pytest.mark.parametrize("most", [10**5, 30])
def test_many_games_are_the_games_one_by_one(most: int) -> None:
    """Also those that are cut off, natively and not."""
    native, python = (shipped_game("connect-four", engine=engine) for engine in ENGINES)
    found = native.playouts(40, seed=2**64 - 7, most=most)
    assert found == python.playouts(40, seed=2**64 - 7, most=most)
    assert len(found) == 40
    for number in range(len(found)):
        played = python.playout(2**64 - 7 + number, most=most)
        assert found.decisions[number] == played.decisions
        assert tuple(column[number] for column in found.places) == played.places
        rule = found.rules[number]
        assert (python.rule_names[rule] if rule >= 0 else "") == played.rule
    assert (-1 in found.rules) == (most == 30)


@pytest.mark.parametrize("most", [10**5, 30])
def test_threads_play_the_same_games(most: int) -> None:
    """Also around games that only the Python backend can tell of."""
    native = shipped_game("connect-four", engine="native")
    alone = native.playouts(1500, seed=5, most=most)
    assert native.playouts(1500, seed=5, most=most, threads=3) == alone
    assert len(alone) == 1500
    with pytest.raises(rw.Stopped):
        native.playouts(1500, limits=rw.Limits(seconds=1e-9), threads=2)
    with pytest.raises(rw.RulesetError, match="API001"):
        native.playouts(1, threads=0)


def test_native_games_let_other_threads_run() -> None:
    """Python's lock is free while machine code plays."""
    backend = Backend(shipped_game("breakthrough").program)
    turns = 0
    player = Thread(target=backend.play_rows, args=(1, 1500, 10**5, STEPS, TOTAL))
    player.start()
    while player.is_alive():
        turns += 1
        sleep(0.001)
    assert turns > 5


def test_the_deadline_and_the_total_hold() -> None:
    game = rw.load("connect-four", engine="native")
    with pytest.raises(rw.RulesetError, match="RUN015"):
        game.playout(1, limits=rw.Limits(total=50))
    with pytest.raises(rw.Stopped):
        game.playout(1, limits=rw.Limits(seconds=1e-9))


def test_a_game_is_compiled_when_it_is_played_often() -> None:
    program = rw.load("tic-tac-toe").program
    found = [backend_for(program, "auto") for _ in range(WARM + 1)]
    assert found[: WARM - 1] == [None] * (WARM - 1)
    assert found[-1] is found[-2] is not None
    assert backend_for(program, "python") is None


def test_what_cannot_be_compiled_is_played_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Unsupported("such rules")

    monkeypatch.setattr("rulewright.engine.native.backend.compiled", refuse)
    game = rw.load("tic-tac-toe", options={}, engine="native")
    with pytest.raises(rw.RulesetError, match="RUN018"):
        game.playout(1)
    with pytest.raises(rw.RulesetError, match="API001"):
        rw.load("tic-tac-toe", engine="fast")  # type: ignore[arg-type]


def test_without_the_library_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rulewright.engine.native.module_runners.wasmtime_runner", None)
    monkeypatch.setattr(native_instance, "runner", native_instance.runner.__wrapped__)
    with pytest.raises(rw.RulesetError, match="RUN018") as caught:
        native_engine()
    assert "pip install wasmtime" in caught.value.diagnostics[0].hint
    game = rw.load("tic-tac-toe", options={})
    assert [game.playout(seed).finished for seed in range(WARM + 2)] == [True] * (WARM + 2)


def test_a_game_keeps_its_engine_in_a_pickle() -> None:
    game = pickle.loads(pickle.dumps(rw.load("tic-tac-toe", engine="native")))
    assert game.backend == "native"
    assert game.playout(5).finished


def test_a_program_that_plays_natively_ends_in_silence() -> None:
    """Nothing is written when Python takes apart what such a program still holds."""
    code = (
        "import rulewright as rw, sys\n"
        "from rulewright.engine.native.backend import Backend\n"
        "game = rw.load('tic-tac-toe', engine='native')\n"
        "kept = [Backend(game.program) for _ in range(2)]\n"
        "print(len(game.playouts(10)), kept[0].play(1, 99, 10**6, 10**9, None) is not None)\n"
        "sys.modules['kept'] = kept\n"
        "raise SystemExit(130)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "10 True\n", "")
