"""A program with something of everything, and random positions of it."""

from __future__ import annotations

from random import Random
from typing import Any

from building import entity, field, function, list_of, program, set_of, zone

from rulewright.engine import Position, State
from rulewright.ir import model as m
from rulewright.ir.model import BOOL, INT, NONE, Program, Slot, Ty, Universe

SIDE = 3
CELLS = SIDE * SIDE
RING = 6


def _grid() -> tuple[m.Graph, Universe]:
    edges = []
    for r in range(SIDE):
        for col in range(SIDE):
            if col + 1 < SIDE:
                edges.append((r * SIDE + col, r * SIDE + col + 1))
            if r + 1 < SIDE:
                edges.append((r * SIDE + col, (r + 1) * SIDE + col))
    around = [0] * CELLS
    for a, b in edges:
        around[a] |= 1 << b
        around[b] |= 1 << a
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))

    def at(r: int, col: int) -> int:
        return r * SIDE + col if 0 <= r < SIDE and 0 <= col < SIDE else NONE

    towards = tuple(tuple(at(i // SIDE + dr, i % SIDE + dc) for i in range(CELLS)) for dr, dc in steps)
    apart = tuple(
        tuple(abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE) for b in range(CELLS)) for a in range(CELLS)
    )
    graph = m.Graph("Board", "grid", "Cell", "Border", tuple(around), tuple(edges), towards, apart, ((0, 0),) * CELLS)
    return graph, Universe("Border", "edge", tuple(f"{a}|{b}" for a, b in edges))


def _ring() -> m.Graph:
    return m.Graph(
        "Track",
        "ring",
        "Space",
        None,
        tuple(1 << (i + 1) % RING | 1 << (i - 1) % RING for i in range(RING)),
        (),
        (),
        tuple(tuple(min((a - b) % RING, (b - a) % RING) for b in range(RING)) for a in range(RING)),
        ((0, 0),) * RING,
    )


def everything() -> Program:
    """The program."""
    grid, borders = _grid()
    pieces = ("coin",) * 4 + ("red cube",) * 3 + ("blue cube",) * 3 + ("plain cube",) * 2
    colours = (NONE, 0, 1, 2, 0, 0, 0, 1, 1, 1, NONE, NONE)
    var, const = m.Var, m.Const
    queries = (
        m.QueryDef(
            "leader",
            (Slot("c", entity("Colour")),),
            entity("Player", True),
            m.Single(
                m.Best(
                    m.Alive("Player"),
                    "p",
                    m.Fold(
                        "count",
                        (m.Bound("x", m.ZoneGet("hand", (var("p"),))),),
                        m.Cmp("eq", m.Attr("Piece.colour", var("x")), var("c")),
                        None,
                    ),
                )
            ),
        ),
        m.QueryDef(
            "total",
            (Slot("p", entity("Player", True)),),
            INT,
            m.Fold("sum", (m.Bound("x", m.ZoneGet("hand", (var("p"),))),), None, m.Attr("Piece.worth", var("x"))),
        ),
        m.QueryDef(
            "near",
            (Slot("c", entity("Cell")),),
            set_of("Cell"),
            m.SetOp("union", m.NeighboursOf("Board", var("c")), m.MakeSet((var("c"),))),
        ),
        m.QueryDef(
            "ranked", (), list_of("Player", 3), m.Sort(m.Alive("Player"), "p", m.FieldGet("score", (var("p"),)), True)
        ),
        m.QueryDef(
            "open",
            (Slot("b", entity("Border")), Slot("n", INT)),
            BOOL,
            m.Or((m.Not(m.FieldGet("walled", (var("b"),))), m.Cmp("gt", var("n"), const(3)))),
        ),
    )
    return program(
        seats=("red", "blue", "green"),
        pieces=pieces,
        universes=(
            Universe("Colour", "enum", ("red", "blue", "white")),
            Universe("Cell", "place", tuple(f"({i // SIDE}, {i % SIDE})" for i in range(CELLS))),
            borders,
            Universe("Direction", "enum", ("n", "ne", "e", "se", "s", "sw", "w", "nw")),
            Universe("Space", "place", tuple(str(i + 1) for i in range(RING))),
            Universe("Region", "merged", tuple(str(i + 1) for i in range(RING))),
            Universe("Side", "party", ("crowd", "alone", "pirates")),
        ),
        tables=(
            m.Table("Piece.colour", "Piece", entity("Colour", True), colours),
            m.Table("Piece.worth", "Piece", Ty("int", optional=True), (5, 3, NONE, 1, 2, 2, 2, -1, -1, -1, 0, NONE)),
            m.Table("Piece.shiny", "Piece", BOOL, (1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0)),
            m.Table("Player.home", "Player", entity("Cell"), (0, 4, 8)),
            m.Table("Player.friends", "Player", set_of("Player"), (6, 1, 0)),
            m.Table("Side.members", "Side", set_of("Player"), (5, 2, 0)),
            m.Table("Player.Side", "Player", entity("Side"), (0, 1, 0)),
            m.Table("Colour.folk", "Colour", set_of("Player"), (1, 6, 0)),
            m.Table("Colour.fields", "Colour", set_of("Cell"), (0, 0b100010001, 4)),
            m.Table("Colour.prices", "Colour", Ty("set", "Int", low=0, high=70), (1 << 70 | 1, 0, 6)),
            m.Table("Colour.way", "Colour", list_of("Cell", 3), ((0, 1, 2), (4,), ())),
            m.Table("Cell.row", "Cell", Ty("int", low=0, high=2), tuple(i // SIDE for i in range(CELLS))),
        ),
        kinds=(m.KindSet("Coin", 15, ("heads", "tails")), m.KindSet("Cube", 0xFF0), m.KindSet("Piece", 0xFFF)),
        graphs=(grid, _ring()),
        merged=(m.MergedMap("Region", "Space"),),
        areas=(m.AreaMap("Yard", "Cell", "b", m.Not(m.FieldGet("walled", (var("b"),)))),),
        fields=(
            field("score", Ty("int", low=-5, high=100), ("Player",)),
            field("owner", entity("Player", True), ("Colour",), NONE),
            field("walled", BOOL, ("Border",)),
            field("marked", set_of("Cell")),
            field("numbers", Ty("set", "Int", low=0, high=20)),
            field("turn_order", list_of("Player", 3), (), (0, 1, 2)),
            field("queue", list_of("Int", 4), ("Player",), ()),
            field("flag", BOOL),
            field("control", entity("Player", True), ("Region",), NONE),
            field("level", Ty("int", low=0, high=9), ("Region", "Colour")),
        ),
        zones=(
            zone("box", capacity=12),
            zone("hand", ("Player",), capacity=12),
            zone("on", ("Cell",), capacity=12),
            zone("land", ("Region",), "bag", 12),
            zone("deck", (), "stack", 12),
            zone("shelf", ("Player",), "row", 12),
            zone("table", (), "set", 12, faced=True),
        ),
        queries=queries,
        functions=(function("game", [m.Return(None)]),),
    )


def random_position(p: Program, r: Random) -> State:
    """Pieces and values thrown about."""
    at = Position(p, r.randrange(1000))
    sizes = {u.name: u.size for u in p.universes}
    for piece in r.sample(range(12), r.randrange(13)):
        declared = r.choice(p.zones)
        at.put([piece], declared.name, [r.randrange(sizes[u]) for u in declared.index], r.choice((None, 0, 1)))
        at.cells[at.engine.layout.side + piece] = r.randrange(2) if piece < 4 else 0
    for declared in p.fields:
        for n in range(at.engine.layout.fields[declared.name].count):
            keys = at.engine.layout.keys_of(n, declared.index)
            if r.random() < 0.6:
                at.set_field(declared.name, keys, random_value(declared.ty, sizes, r))
    for _ in range(r.randrange(4)):
        here = r.randrange(RING)
        at.join("Region", here, (here + 1) % RING)
    if r.random() < 0.3:
        at.put_out(r.randrange(3))
    return at.state


def random_value(ty: Ty, sizes: dict[str, int], r: Random) -> Any:
    if ty.optional and r.random() < 0.3:
        return NONE
    size = sizes.get(ty.universe, ty.high + 1 if ty.universe == "Int" and ty.high < 99 else 8)
    match ty.kind:
        case "bool":
            return r.randrange(2)
        case "int":
            return r.randrange(ty.low, ty.high + 1)
        case "entity":
            return r.randrange(size)
        case "set":
            return r.randrange(1 << size)
    return tuple(r.randrange(size) for _ in range(r.randrange(ty.capacity + 1)))
