"""Sets that the native backend works out at once, against the same rules asked member by member."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
import wasmtime

import rulewright as rw
from rulewright.engine import Playout
from rulewright.engine.native import memory_map
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Instance, compiled_module
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.ir import model as m
from rulewright.ir.model import NONE

PROGRAM = rw.load("breakthrough", options={"size": 9}).program  # its sets take two words
PROGRAM = replace(PROGRAM, functions=tuple(replace(f, code=(m.Return(None),)) for f in PROGRAM.functions))
(GRAPH,) = PROGRAM.graphs
CELLS = m.Ty("set", "Cell")
C = m.Var("c")


def owner(direction: m.Expr, steps: m.Expr) -> m.Expr:
    return m.FieldGet("owner", (m.Towards(GRAPH.name, C, direction, steps),))


def is_of(e: m.Expr, player: int = 1) -> m.Expr:
    return m.Cmp("eq", e, m.Const(player))


def reached(place: int, direction: int, steps: int) -> int:
    """The place that some steps lead to, found one by one."""
    for _ in range(abs(steps)):
        way = GRAPH.towards[direction]
        place = way[place] if steps > 0 else next((p for p, to in enumerate(way) if to == place), NONE)
        if place == NONE:
            return NONE
    return place


def asked(owners: list[int], **queries: m.Expr) -> dict[str, set[int]]:
    """The sets that queries natively give when the cells have these owners."""
    added = tuple(m.QueryDef(name, (), CELLS, e) for name, e in queries.items())
    native = lower(replace(PROGRAM, queries=(*PROGRAM.queries, *added)), tuple(queries))
    instance: Any = Instance(native, compiled_module(native)).running
    layout = native.memory.layout
    cells = list(layout.initial)
    cells[layout.fields["owner"].at : layout.fields["owner"].at + len(owners)] = owners
    instance.memory.write(instance.store, native.memory.encode_cells(cells), native.memory.cells)
    instance.exports["budget"].set_value(instance.store, wasmtime.Val.i64(10**6))
    found = {}
    for name in queries:
        words = [word % 2**64 for word in instance.exports[name](instance.store)]
        found[name] = {c for c in range(64 * len(words)) if words[c // 64] >> c % 64 & 1}
    return found


def owners(seed: int) -> list[int]:
    r = Random(seed)
    return [r.choice([NONE, 0, 1]) for _ in GRAPH.neighbours]


@pytest.mark.parametrize("steps", [-3, -1, 0, 1, 2, 8])
def test_steps_on_a_grid(steps: int) -> None:
    have = owners(steps)
    found = asked(
        have,
        **{
            f"way{d}": m.Filter(m.Alive("Cell"), "c", is_of(owner(m.Const(d), m.Const(steps))), False)
            for d in range(len(GRAPH.towards))
        },
    )
    for direction in range(len(GRAPH.towards)):
        ends = [reached(c, direction, steps) for c in range(len(have))]
        assert found[f"way{direction}"] == {c for c, end in enumerate(ends) if end != NONE and have[end] == 1}


def test_three_in_a_row() -> None:
    """A condition for every one of some numbers, and one member of a few."""
    have = [1 if owner == NONE else owner for owner in owners(5)]
    steps = m.Bound("n", m.IntRange(m.Const(0), m.Const(2)), False)
    row = m.Fold("every", (steps,), None, is_of(owner(m.Const(2), m.Var("n"))))
    some = m.Fold(
        "some",
        (m.Bound("c", m.Alive("Cell"), False), m.Bound("d", m.MakeSet((m.Const(0), m.Const(3))), False)),
        m.And((is_of(owner(m.Var("d"), m.Const(1))), is_of(owner(m.Var("d"), m.Const(2)), 0))),
        None,
    )
    found = asked(
        have,
        rows=m.Filter(m.Alive("Cell"), "c", row, False),
        any=m.Filter(m.Alive("Cell"), "x", some, False),
    )
    lines = {c: [reached(c, 2, n) for n in range(3)] for c in range(len(have))}
    assert found["rows"] == {c for c, line in lines.items() if NONE not in line and all(have[x] == 1 for x in line)}
    assert 0 < len(found["rows"]) < len(have)
    ways = [(reached(c, d, 1), reached(c, d, 2)) for c in range(len(have)) for d in (0, 3)]
    there_is = any(NONE not in way and have[way[0]] == 1 and have[way[1]] == 0 for way in ways)
    assert found["any"] == (set(range(len(have))) if there_is else set())


@pytest.mark.parametrize("seed", range(4))
def test_the_best_by_what_is_printed(seed: int) -> None:
    have = owners(seed) if seed else [NONE] * len(GRAPH.neighbours)
    mine = m.Filter(m.Alive("Cell"), "c", is_of(m.FieldGet("owner", (C,))), False)
    found = asked(have, best=m.Best(mine, "c", m.Attr("Cell.row", C), False))
    rows = next(t for t in PROGRAM.tables if t.name == "Cell.row").values
    highest = max((rows[c] for c, one in enumerate(have) if one == 1), default=None)  # type: ignore[type-var]
    assert found["best"] == {c for c, one in enumerate(have) if one == 1 and rows[c] == highest}


@pytest.mark.parametrize("seed", range(6))
def test_the_only_best_one_is_none(seed: int) -> None:
    """The truth of its being none: without looking for it where no two of a column stand in one row, else with."""
    have = [Random(seed).choice([NONE, NONE, 1]) if cell % 9 else NONE for cell in range(81)]
    columns = next(t for t in PROGRAM.tables if t.name == "Cell.column").values

    def lacks_one(where: m.Expr, key: str) -> m.Expr:
        best = m.Best(m.Filter(m.Alive("Cell"), "c", where, False), "c", m.Attr(key, C), False)
        return m.Cmp("eq", m.Single(best), m.Const(NONE), nothing=True)

    mine = is_of(m.FieldGet("owner", (C,)))
    for column in range(9):
        here = m.Cmp("eq", m.Attr("Cell.column", C), m.Const(column))
        found = asked(
            have,
            unique=m.IfElse(lacks_one(m.And((here, mine)), "Cell.row"), m.Alive("Cell"), m.Const(0)),
            equal=m.IfElse(lacks_one(m.And((here, mine)), "Cell.column"), m.Alive("Cell"), m.Const(0)),
        )
        members = [c for c, one in enumerate(have) if one == 1 and columns[c] == column]
        assert bool(found["unique"]) == (not members)
        assert bool(found["equal"]) == (len(members) != 1)


@pytest.mark.parametrize(("name", "games"), [("connect-four", 20), ("domaine", 2)])
def test_sets_in_memory_play_the_same(monkeypatch: pytest.MonkeyPatch, name: str, games: int) -> None:
    """Only growing maps have sets that are large; here all sets are taken for such."""
    monkeypatch.setattr(memory_map, "FEW_WORDS", 0)
    program = rw.load(name).program
    backend, python = Backend(replace(program, title="with large sets")), Playout(program)
    for seed in range(games):
        found, played = backend.play(seed, 10**5, 10**7, 10**9, None), python.play(seed)
        assert found is not None
        assert (found[0].answers, found[0].ranks[: program.players]) == (played.decisions, played.places)
