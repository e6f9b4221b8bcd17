"""A large world, something to do in it for every class of operation, and a count of the work that is really done.

Work is counted, not timed: one for each bytecode that Python carries out in closures and in what they call, and
one for every :data:`CHEAP` items that are copied or searched. So a budget that some operation slips past shows on any
machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from building import c, choose, eq, field, function, get, list_of, loc, program, set_of, v, zone

from rulewright.ir import model as m
from rulewright.ir.model import BOOL, INT, NONE, Slot, Ty, Universe

SIZE = 256
"""Members of each universe, and items of each list."""

CHEAP = 16
"""So many copied items are as much work as one bytecode."""

LEVELS = 30
"""Queries each of which asks the one before twice: 2 ** 30 calls of the first."""

PIECES = tuple(f"p{i}" for i in range(SIZE))
PLACES = tuple(f"s{i}" for i in range(SIZE))
ALL = c((1 << SIZE) - 1)
MANY = m.ListConst(tuple(range(SIZE)))
LONG = list_of("Int", SIZE)


@cache
def _ring(name: str, place: str, edge: str | None, shape: Any) -> m.Graph:
    around = range(SIZE)
    return m.Graph(
        name,
        shape,
        place,
        edge,
        tuple(1 << (i + 1) % SIZE | 1 << (i - 1) % SIZE for i in around),
        tuple((i, (i + 1) % SIZE) for i in around) if edge else (),
        (tuple((i + 1) % SIZE for i in around), tuple((i - 1) % SIZE for i in around)),
        tuple(tuple(min((a - b) % SIZE, (b - a) % SIZE) for b in around) for a in around),
        tuple((i, 0) for i in around),
    )


def world(**parts: Any) -> m.Program:
    """A program with large universes and a piece in every zone."""
    values: dict[str, Any] = {
        "pieces": PIECES,
        "begins": tuple(("pile" if i < SIZE // 2 else "heap", ()) for i in range(SIZE)),
        "universes": (
            Universe("Space", "place", PLACES),
            Universe("Border", "edge", tuple(f"b{i}" for i in range(SIZE))),
            Universe("Tile", "place", tuple(f"t{i}" for i in range(SIZE))),
            Universe("Region", "merged", PLACES),
            Universe("Direction", "enum", ("cw", "ccw")),
        ),
        "tables": (m.Table("Piece.worth", "Piece", INT, tuple(range(SIZE))),),
        "kinds": (m.KindSet("Token", (1 << SIZE) - 1, ("up", "down")),),
        "graphs": (_ring("Track", "Space", "Border", "ring"), _ring("Land", "Tile", None, "growing")),
        "merged": (m.MergedMap("Region", "Space"),),
        "areas": (m.AreaMap("Yard", "Space", "b", m.Not(get("walled", v("b")))),),
        "fields": (
            field("score", Ty("int", low=-99, high=99)),
            field("walled", BOOL, ("Border",)),
            field("far", BOOL, ("Space", "Player")),
            field("marked", set_of("Space"), initial=(1 << SIZE) - 1),
            field("order", LONG, (), tuple(range(SIZE))),
            field("turns", BOOL),
        ),
        "zones": (
            zone("box", capacity=SIZE),
            zone("pile", (), "stack", SIZE),
            zone("heap", capacity=SIZE),
            zone("on", ("Tile",), capacity=SIZE),
            zone("shelf", (), "row", SIZE),
        ),
        "streams": (m.Stream("luck"),),
        "functions": (
            function("game", [m.Return(None)]),
            function("deed", [m.SetField("marked", (), m.MakeSet((c(3), m.Local(0))))], (Slot("n", INT),), 1),
        ),
    }
    return program(**{**values, **parts})


def _number(e: m.Expr) -> m.Expr:
    return e


def _truth(e: m.Expr) -> m.Expr:
    return m.IfElse(e, c(1), c(0))


def _maybe(e: m.Expr) -> m.Expr:
    return m.Fold("max", (m.Bound("z", c(1)),), None, e)


def _set(e: m.Expr) -> m.Expr:
    return m.Size(e)


def _list(e: m.Expr) -> m.Expr:
    return m.Size(e, True)


def _fold(e: m.Expr) -> m.Expr:
    return m.Arith("add", e, m.Fold("count", (m.Bound("w", ALL),), eq(v("w"), v("n")), None))


PILE, N = m.ZoneGet("pile", ()), v("n")
PIECE, PLACE = m.Item(MANY, N), m.Item(MANY, N)

EXPRESSIONS: dict[type, m.Expr] = {
    m.Const: c(5),
    m.ListConst: _list(MANY),
    m.Var: N,
    m.Alive: _set(m.Alive("Region")),
    m.Kind: _set(m.Kind("Token")),
    m.Attr: m.Attr("Piece.worth", PIECE),
    m.FieldGet: _list(get("order")),
    m.ZoneGet: _set(PILE),
    m.ZoneList: _list(m.ZoneList("heap", ())),
    m.Item: m.Item(get("order"), N),
    m.Arith: m.Arith("mul", N, c(3)),
    m.Charged: m.Charged(1, N),
    m.Cmp: _truth(m.Cmp("lt", N, c(3))),
    m.SetEq: _truth(m.SetEq(get("order"), m.ToList(ALL))),
    m.And: _truth(m.And((get("turns"), eq(N, c(3))))),
    m.Or: _truth(m.Or((get("turns"), eq(N, c(3))))),
    m.Not: _truth(m.Not(get("turns"))),
    m.Fault: m.IfElse(get("turns"), m.Fault("bounds", "not", N, INT), _fold(N)),
    m.IfElse: m.IfElse(get("turns"), c(1), _fold(N)),
    m.LetIn: m.LetIn("x", get("order"), m.Size(v("x"), True)),
    m.SetOp: _set(m.SetOp("minus", get("marked"), m.MakeSet((N,)))),
    m.Contains: _truth(m.Contains(get("order"), c(SIZE + 1), True)),
    m.MakeSet: _set(m.MakeSet((N, c(4)))),
    m.MakeList: _list(m.MakeList((N, c(4)))),
    m.Joined: _list(m.Joined(get("order"), MANY)),
    m.Occurrences: m.Occurrences(get("order"), MANY, 2),
    m.IntRange: _set(m.IntRange(N, c(900))),
    m.Size: _set(get("marked")),
    m.Single: m.Single(get("marked")),
    m.First: m.First(get("marked")),
    m.Lowest: _set(m.Lowest(get("marked"), c(SIZE - 1))),
    m.Top: _list(m.Top("pile", (), c(SIZE))),
    m.Filter: _set(m.Filter(get("marked"), "x", m.Cmp("lt", v("x"), N))),
    m.Preimage: _set(m.Preimage("Piece.worth", N)),
    m.Leading: _list(m.Leading(get("order"), "x", m.Cmp("lt", v("x"), N))),
    m.Collect: _set(m.Collect(get("marked"), "x", m.Arith("div_down", v("x"), c(2)))),
    m.Mapped: _list(m.Mapped(get("marked"), "x", m.Arith("div_down", v("x"), c(2)))),
    m.Fold: m.Fold("sum", (m.Bound("x", get("marked")), m.Bound("y", get("marked"))), None, v("y")),
    m.Best: _set(m.Best(get("marked"), "x", m.Arith("sub", v("x"), N))),
    m.Sort: _list(m.Sort(get("marked"), "x", m.Arith("sub", N, v("x")))),
    m.ToList: _list(m.ToList(get("marked"))),
    m.ToSet: _set(m.ToSet(get("order"))),
    m.CallQuery: m.CallQuery("q0", (N,)),
    m.After: m.After("deed", (N,), m.Size(get("marked"))),
    m.Fingerprint: m.Item(m.Fingerprint(("order", "far"), ("pile", "heap")), N),
    m.Old: m.Old(m.Size(PILE)),
    m.ClockwiseFrom: _list(m.ClockwiseFrom(c(0))),
    m.PlaceOf: _truth(eq(m.PlaceOf("Tile", PIECE), c(3))),
    m.SlotOf: m.SlotOf(c(0)),
    m.InZone: _truth(m.InZone(("heap", "pile"), PIECE)),
    m.SideOf: m.SideOf(PIECE),
    m.NeighboursOf: _set(m.NeighboursOf("Track", PLACE)),
    m.Towards: m.Towards("Track", PLACE, c(0), c(200)),
    m.DistanceOf: m.DistanceOf("Track", PLACE, c(9)),
    m.EdgeBetween: m.EdgeBetween("Track", PLACE, c(9)),
    m.EdgesOf: _set(m.EdgesOf("Track", PLACE)),
    m.Component: _set(m.Component("Yard", PLACE)),
    m.Grown: _set(m.Old(m.Grown("Land"))),
    m.ReachFrom: _set(m.ReachFrom("Track", PLACE, get("marked"), "e", m.Not(get("walled", v("e"))))),
    m.Ray: _set(m.Ray("Track", PLACE, c(0))),
    m.Nearest: m.Nearest("Track", c(0), m.Ray("Track", PLACE, c(0))),
    m.Reaches: _truth(
        m.Reaches(
            m.ReachFrom("Track", PLACE, get("marked"), "e", m.Not(get("walled", v("e")))), "x", eq(v("x"), c(SIZE + 1))
        )
    ),
    m.Closure: _set(m.Closure("Space", PLACE, get("marked"), "x", m.NeighboursOf("Track", v("x")))),
    m.Canon: m.Canon("Region", PLACE),
    m.PlacesOf: _set(m.PlacesOf("Region", PLACE)),
    m.RegionsBeside: _set(m.RegionsBeside("Region", PLACE)),
    m.Ahead: m.Ahead("Track", "Region", PLACE, c(100)),
}
"""For each class of expression one whose value is a number; `n` is a number that is always another one."""

_SLOTS = (Slot("x", INT), Slot("many", LONG))
_CHOICE = choose("pick", c(0), m.MakeList(()), 0, "Piece", is_list=True, on_empty=0)

INSTRUCTIONS: dict[type, list[Any]] = {
    m.SetLocal: [m.SetLocal(1, get("order")), m.SetLocal(0, m.Size(loc(1), True)), m.Jump(0)],
    m.Append: [m.SetLocal(1, m.MakeList(())), m.Append(1, c(7)), m.Jump(0)],
    m.SetField: [m.SetField("order", (), MANY), m.Jump(0)],
    m.Reset: [m.Reset(("far", "walled", "order")), m.Jump(0)],
    m.Move: [
        m.Move(m.ZoneList("pile", ()), True, "shelf", (), "bottom"),
        m.Move(m.ZoneGet("shelf", ()), False, "pile", ()),
        m.Jump(0),
    ],
    m.Flip: [m.Flip(m.Kind("Token"), 1), m.Jump(0)],
    m.SwapItems: [m.SwapItems("pile", "", (), c(0), c(9)), m.Jump(0)],
    m.Merge: [m.Merge("Region", c(0), c(1)), m.Jump(0)],
    m.Jump: [m.Jump(0)],
    m.JumpUnless: [m.JumpUnless(eq(get("score"), c(50)), 0)],
    m.Call: [m.Call("nothing", (MANY,), None, "i"), m.Jump(0)],
    m.Return: [m.Call("nothing", (MANY,), None, "i"), m.Jump(0)],
    m.Choose: [_CHOICE],
    m.Chance: [m.Chance("roll", "roll", "luck", "Piece", m.Kind("Token"), False, 0), m.Jump(0)],
    m.Show: [m.Show(m.Kind("Token"), c(3)), m.Jump(0)],
    m.Eliminate: [m.Eliminate(c(1)), m.Jump(0)],
    m.Tell: [m.Tell(("", " does something"), (c(1),), (m.Ty("int"),), ("",)), m.Jump(0)],
    m.Fired: [m.Fired("somewhere"), m.Jump(0)],
    m.Observe: [m.Observe("turn", False), m.Observe("turn", True), m.Jump(0)],
    m.Turn: [m.Turn(0, 0, 0, (), False), m.Turn(0, 0, 0, (), True), m.Jump(0)],
}
"""For each class of instruction that goes on a function that never ends."""

LAST: dict[type, str] = {
    m.FinishWin: "the game is over",
    m.FinishRank: "the game is over",
    m.Fail: "an error",
}
"""The instructions behind which nothing runs any more."""


def asking(e: m.Expr) -> m.Program:
    """A program whose query ``ask`` computes an expression ``2 ** LEVELS`` times."""
    number = (Slot("n", INT),)
    queries = [m.QueryDef("q0", number, INT, m.Arith("mul", N, c(2)))]
    queries.append(m.QueryDef("d0", number, Ty("int", optional=True), e))
    for i in range(1, LEVELS + 1):
        twice = (m.CallQuery(f"d{i - 1}", (N,)), m.CallQuery(f"d{i - 1}", (m.Arith("add", N, c(1)),)))
        body = m.Arith("min", m.IfElse(eq(twice[0], c(NONE)), c(0), c(1)), m.IfElse(eq(twice[1], c(NONE)), c(1), c(0)))
        queries.append(m.QueryDef(f"d{i}", number, Ty("int", optional=True), body))
    return world(queries=tuple(queries))


def running(code: list[Any]) -> m.Program:
    """A program that never comes to a question."""
    nothing = function("nothing", [m.Return(None)], (Slot("many", LONG), Slot("more", LONG)), 1)
    assertions = (m.Assertion("property", "kept", "turn", None, None, eq(c(1), c(1))),)
    return world(functions=(function("game", code, _SLOTS), nothing), assertions=assertions)


class Cells(list[int]):
    """Cells or a stack that count what is copied."""

    copied = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        if isinstance(at, slice):
            Cells.copied += len(found)
        return found

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, slice):
            Cells.copied += max(len(value), len(range(*at.indices(len(self)))))
        super().__setitem__(at, value)

    def __iadd__(self, more: Any) -> Any:
        Cells.copied += len(more)
        return super().__iadd__(more)

    def index(self, value: Any, start: Any = 0, stop: Any = sys.maxsize) -> int:
        found = super().index(value, start, stop)
        Cells.copied += found - start
        return found


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Counts work inside."""
    done = 0
    Cells.copied = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal done
        if event == "call":
            if frame.f_code.co_filename.startswith("<rules") or frame.f_code.co_filename.endswith("support.py"):
                frame.f_trace_lines, frame.f_trace_opcodes = False, True
                return trace
            return None
        done += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lambda: done + Cells.copied // CHEAP
    finally:
        sys.settrace(before)
