"""Small programs made by hand, so that the engine is tested without the language."""

from __future__ import annotations

from typing import Any

from rulewright.program import model as m
from rulewright.program.model import BOOL, INT, NONE, Program, Slot, Ty, Universe


def entity(universe: str, optional: bool = False) -> Ty:
    return Ty("entity", universe, optional=optional)


def set_of(universe: str) -> Ty:
    return Ty("set", universe)


def list_of(universe: str, capacity: int) -> Ty:
    return Ty("list", universe, capacity=capacity)


def program(**parts: Any) -> Program:
    """A program; what is not given is empty."""
    seats = parts.pop("seats", ("red", "blue"))
    pieces = parts.pop("pieces", ())
    universes = (Universe("Player", "player", seats), Universe("Piece", "piece", pieces), *parts.pop("universes", ()))
    zones = parts.pop("zones", ())
    if not any(z.name == "box" for z in zones):
        zones = (zone("box", capacity=len(pieces)), *zones)
    keys = list(dict.fromkeys(pieces))
    values: dict[str, Any] = {
        "game": "test", "title": "Test", "players": len(seats), "variants": (), "options": (), "universes": universes,
        "tables": (), "kinds": (), "alike": tuple(keys.index(p) for p in pieces), "begins": (("box", ()),) * len(pieces),
        "graphs": (), "merged": (), "areas": (), "fields": (), "zones": zones, "streams": (), "queries": (),
        "functions": (), "main": "game", "assertions": (), "rules": (),
    }  # fmt: skip
    return Program(**{**values, **parts})


def zone(name: str, index: tuple[str, ...] = (), order: Any = "set", capacity: int = 0, **more: Any) -> m.Zone:
    return m.Zone(name, index, tuple(f"i{n}" for n in range(len(index))), order, (), capacity, more.pop("faced", False),
                  more.pop("audiences", ()), **more)  # fmt: skip


def field(name: str, ty: Ty = INT, index: tuple[str, ...] = (), initial: Any = 0, **more: Any) -> m.Field:
    return m.Field(name, index, tuple(f"i{n}" for n in range(len(index))), ty, initial, more.pop("audiences", ()), **more)


def function(name: str, code: list[Any], slots: tuple[Slot, ...] = (), params: int = 0, **more: Any) -> m.Function:
    """A function; jumps may name labels: a string in the code is a label, a string as target refers to it."""
    labels: dict[str, int] = {}
    plain: list[Any] = []
    for item in code:
        if isinstance(item, str):
            labels[item] = len(plain)
        else:
            plain.append(item)
    return m.Function(name, more.pop("word", "procedure"), params, slots, tuple(_resolved(i, labels) for i in plain), **more)


def _resolved(i: Any, labels: dict[str, int]) -> Any:
    from dataclasses import replace

    if isinstance(i, m.Jump | m.JumpUnless) and isinstance(i.to, str):
        return replace(i, to=labels[i.to])
    if isinstance(i, m.Choose):
        extras = tuple(replace(x, to=labels[x.to]) if isinstance(x.to, str) else x for x in i.extras)
        empty = labels[i.on_empty] if isinstance(i.on_empty, str) else i.on_empty
        return replace(i, extras=extras, on_empty=empty)
    return i


def choose(label: str, who: m.Expr, source: m.Expr | None, into: int, universe: str = "Piece", **more: Any) -> m.Choose:
    values: dict[str, Any] = {
        "at": label, "who_is": "player", "universe": universe, "is_list": False, "var": label, "where": None,
        "restrictions": (), "extras": (), "on_empty": None,
    }  # fmt: skip
    return m.Choose(label=label, who=who, source=source, into=into, **{**values, **more})


def c(value: int) -> m.Const:
    return m.Const(value)


def v(name: str) -> m.Var:
    return m.Var(name)


def loc(slot: int) -> m.Local:
    return m.Local(slot)


def eq(a: m.Expr, b: m.Expr) -> m.Cmp:
    return m.Cmp("eq", a, b)


def get(name: str, *index: m.Expr) -> m.FieldGet:
    return m.FieldGet(name, index)


def put(name: str, *index_and_value: m.Expr) -> m.SetField:
    return m.SetField(name, index_and_value[:-1], index_and_value[-1])


def in_zone(name: str, *index: m.Expr) -> m.ZoneGet:
    return m.ZoneGet(name, index)


def add(a: m.Expr, b: m.Expr) -> m.Arith:
    return m.Arith("add", a, b)


def ring(name: str, size: int, place: str = "Space") -> m.Graph:
    return m.Graph(
        name, "ring", place, None, tuple(1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size)), (), (),
        tuple(tuple(min((a - b) % size, (b - a) % size) for b in range(size)) for a in range(size)),
        tuple((0, 0) for _ in range(size)),
    )  # fmt: skip


def race(size: int = 12, to_win: int = 20) -> Program:
    """Players roll a die and move their runner on a ring; who has gone far enough wins."""
    seats = ("red", "blue")
    pieces = ("red runner", "blue runner")
    spaces = Universe("Space", "place", tuple(str(i + 1) for i in range(size)))
    here = m.PlaceOf("Space", m.Attr("Player.runner", loc(0)))
    turn = function("turn", [
        m.Fired("turn"),
        m.Chance("roll", "roll", "die", "Int", m.Span(c(1), c(6)), False, 1),
        choose("step", loc(0), m.MakeSet((loc(1), c(1))), 2, universe="Int", extras=(m.Extra("pass", None, (), "end"),)),
        m.Move(m.MakeSet((m.Attr("Player.runner", loc(0)),)), False, "on", (m.Ahead("Track", "", here, loc(2)),)),
        put("gone", loc(0), add(get("gone", loc(0)), loc(2))),
        "end",
        m.Back(None),
    ], slots=(Slot("p", entity("Player")), Slot("roll", INT), Slot("step", INT)), params=1)  # fmt: skip
    main = function("game", [
        m.SetLocal(0, c(0)),
        "round",
        m.Invoke("turn", (loc(0),), None, "turn"),
        m.JumpUnless(m.Cmp("ge", get("gone", loc(0)), c(to_win)), "next"),
        m.FinishWin(m.MakeSet((loc(0),)), "race_won"),
        "next",
        m.SetLocal(0, m.Arith("sub", c(1), loc(0))),
        m.Jump("round"),
    ], slots=(Slot("p", entity("Player")),))  # fmt: skip
    return program(
        seats=seats, pieces=pieces, universes=(spaces,), tables=(m.Table("Player.runner", "Player", entity("Piece"), (0, 1)),),
        begins=(("on", (0,)), ("on", (0,))), graphs=(ring("Track", size),), zones=(zone("on", ("Space",), capacity=2),),
        fields=(field("gone", Ty("int", low=0, high=999), ("Player",)),), streams=(m.Stream("die"),),
        functions=(turn, main),
        rules=(m.RuleInfo("turn", ("R-1",), "race.rules", 3, 1), m.RuleInfo("turn.step", ("R-2",), "race.rules", 5, 5)),
    )  # fmt: skip


__all__ = ["BOOL", "INT", "NONE"]


def courts(players: int = 3, spaces: int = 15, each: int = 40, turns: int = 60) -> Program:
    """Cubes of five colours are drawn, laid at court or on the ring; whoever leads a colour holds it, and whoever
    holds most on a space owns it. A queue of consequences is asked after every statement."""
    colours = ("red", "green", "blue", "pink", "white")
    pieces = tuple(f"{colour} cube" for colour in colours for _ in range(each))
    seats = tuple(f"seat{i + 1}" for i in range(players))
    p, f, s, q, x = v("p"), v("f"), v("s"), v("q"), v("x")
    colour_is = lambda colour: eq(m.Attr("Piece.colour", x), colour)  # noqa: E731

    def most(count: m.Expr) -> m.Expr:
        return m.Single(m.Best(m.Alive("Player"), "p", count))

    cubes_at_court = m.Fold("count", (m.Bound("x", in_zone("court", p)),), colour_is(f), None)
    held_cubes = m.Fold("sum", (m.Bound("f", m.Alive("Colour")),), eq(get("control", f), p), m.Fold(
        "count", (m.Bound("x", in_zone("land", s)),), colour_is(f), None))  # fmt: skip
    strength = add(held_cubes, m.IfElse(eq(get("owner", s), p), c(1), c(0)))
    queries = (
        m.QueryDef("at_court", (Slot("p", entity("Player")), Slot("f", entity("Colour"))), INT, cubes_at_court),
        m.QueryDef("leader", (Slot("f", entity("Colour")),), entity("Player", True), most(m.Ask("at_court", (p, f)))),
        m.QueryDef("strength", (Slot("p", entity("Player")), Slot("s", entity("Space"))), INT, strength),
        m.QueryDef("strongest", (Slot("s", entity("Space")),), entity("Player", True), most(m.Ask("strength", (p, s)))),
        m.QueryDef("owned", (Slot("q", entity("Player")),), INT, m.Fold(
            "count", (m.Bound("s", m.Alive("Space")),), eq(get("owner", s), q), None)),
    )  # fmt: skip
    settle = function("settle", [
        "again",
        m.SetLocal(0, m.Filter(m.Alive("Colour"), "f", m.And((
            m.Cmp("ne", m.Ask("leader", (f,)), c(NONE), True), m.Cmp("ne", m.Ask("leader", (f,)), get("control", f)))))),
        m.JumpUnless(m.Cmp("gt", m.Size(loc(0)), c(0)), "spaces"),
        put("control", m.First(loc(0)), m.Ask("leader", (m.First(loc(0)),))),
        m.Fired("crest_changes"),
        m.Jump("again"),
        "spaces",
        m.SetLocal(0, m.Filter(m.Alive("Space"), "s", m.And((
            eq(s, get("herald")), m.Cmp("ne", m.Ask("strongest", (s,)), c(NONE), True),
            m.Cmp("ne", m.Ask("strongest", (s,)), get("owner", s)))))),
        m.JumpUnless(m.Cmp("gt", m.Size(loc(0)), c(0)), "done"),
        put("owner", m.First(loc(0)), m.Ask("strongest", (m.First(loc(0)),))),
        m.Fired("owner_changes"),
        m.Jump("again"),
        "done",
        m.Back(None),
    ], slots=(Slot("todo", set_of("Space")),), word="system")  # fmt: skip
    turn = function("turn", [
        m.Fired("turn"),
        m.SetLocal(1, c(0)),
        "draw",
        m.JumpUnless(m.Cmp("lt", m.Size(in_zone("hand", loc(0))), c(6)), "lay"),
        m.JumpUnless(m.Cmp("gt", m.Size(in_zone("box")), c(0)), "lay"),
        m.Chance("drawn", "drawn", "box", "Piece", in_zone("box"), False, 2),
        m.Move(m.MakeSet((loc(2),)), False, "hand", (loc(0),)),
        m.Jump("draw"),
        "lay",
        m.JumpUnless(m.Cmp("lt", loc(1), c(3)), "herald"),
        choose("cube", loc(0), in_zone("hand", loc(0)), 2, on_empty="herald"),
        choose("where", loc(0), m.Alive("Space"), 3, universe="Space", extras=(m.Extra("court", None, (), "court"),),
               restrictions=(m.Restriction("turn.full", m.Cmp("ge", m.Size(in_zone("land", v("where"))), c(12)), ()),)),
        m.Move(m.MakeSet((loc(2),)), False, "land", (loc(3),)),
        m.Jump("laid"),
        "court",
        m.Move(m.MakeSet((loc(2),)), False, "court", (loc(0),)),
        "laid",
        m.Invoke("settle", (), None, "settle"),
        m.SetLocal(1, add(loc(1), c(1))),
        m.Jump("lay"),
        "herald",
        choose("steps", loc(0), m.Span(c(1), c(5)), 2, universe="Int"),
        put("herald", m.Ahead("Track", "", get("herald"), loc(2))),
        m.Invoke("settle", (), None, "settle 2"),
        m.Back(None),
    ], slots=(Slot("p", entity("Player")), Slot("n", INT), Slot("chosen", INT), Slot("s", entity("Space"))), params=1)  # fmt: skip
    main = function("game", [
        "round",
        m.Invoke("turn", (loc(0),), None, "turn"),
        put("turns", add(get("turns"), c(1))),
        m.JumpUnless(m.Cmp("ge", get("turns"), c(turns)), "next"),
        m.FinishRank(m.Alive("Player"), "Player", "q", (m.Ask("owned", (q,)),), "last_turn"),
        "next",
        m.SetLocal(0, m.IfElse(eq(loc(0), c(players - 1)), c(0), add(loc(0), c(1)))),
        m.Jump("round"),
    ], slots=(Slot("p", entity("Player")),))  # fmt: skip
    everyone = (m.Audience("all", m.Alive("Player")),)
    return program(
        seats=seats, pieces=pieces, main="game",
        universes=(Universe("Colour", "enum", colours), Universe("Space", "place", tuple(str(i + 1) for i in range(spaces)))),
        tables=(m.Table("Piece.colour", "Piece", entity("Colour"), tuple(i // each for i in range(len(pieces)))),),
        kinds=(m.KindSet("Cube", (1 << len(pieces)) - 1),),
        graphs=(ring("Track", spaces),), streams=(m.Stream("box"),), queries=queries, functions=(main, turn, settle),
        fields=(
            field("control", entity("Player", True), ("Colour",), NONE, audiences=everyone),
            field("owner", entity("Player", True), ("Space",), NONE, audiences=everyone),
            field("herald", entity("Space"), audiences=everyone), field("turns", audiences=everyone),
        ),
        zones=(
            zone("box", order="bag", capacity=len(pieces), audiences=(m.Audience("count", m.Alive("Player")),)),
            zone("hand", ("Player",), capacity=len(pieces), audiences=(m.Audience("face", m.MakeSet((v("i0"),))), m.Audience("count", m.Alive("Player")))),
            zone("court", ("Player",), capacity=len(pieces), audiences=everyone),
            zone("land", ("Space",), capacity=len(pieces), audiences=everyone),
        ),
        assertions=(
            m.Assertion("all_there", "invariant", None, None, None, eq(m.Fold("sum", (m.Bound("s", m.Alive("Space")),), None, m.Size(in_zone("land", s))),
                m.Arith("sub", c(len(pieces)), add(m.Size(in_zone("box")), m.Fold("sum", (m.Bound("p", m.Alive("Player")),), None, add(m.Size(in_zone("hand", p)), m.Size(in_zone("court", p)))))))),
            m.Assertion("led", "invariant", None, "f", m.Alive("Colour"), m.Or((
                m.Cmp("eq", m.Ask("leader", (f,)), c(NONE), True), eq(m.Ask("leader", (f,)), get("control", f))))),
            m.Assertion("turns_grow", "property", None, None, None, m.Cmp("ge", get("turns"), m.Old(get("turns")))),
        ),
    )  # fmt: skip


def hidden() -> Program:
    """A small card game: hidden hands and deck, a secret choice each, one card shown and one face down."""
    cards = tuple(f"{n} of {s}" for s in ("cups", "swords", "stars") for n in (1, 2, 3))
    both = m.Alive("Player")
    deal = function("deal", [
        "again",
        m.JumpUnless(m.Cmp("lt", m.Size(in_zone("hand", loc(0))), c(3)), "end"),
        m.Chance("card", "card", "luck", "Piece", in_zone("deck"), False, 1),
        m.Move(m.MakeSet((loc(1),)), False, "hand", (loc(0),)),
        m.Jump("again"),
        "end",
        m.Back(None),
    ], slots=(Slot("p", entity("Player")), Slot("card", entity("Piece"))), params=1)  # fmt: skip
    main = function("game", [
        m.Invoke("deal", (c(0),), None, "first"), m.Invoke("deal", (c(1),), None, "second"),
        choose("mine", c(0), in_zone("hand", c(0)), 0, secret=True),
        choose("yours", c(1), in_zone("hand", c(1)), 1, secret=True),
        m.Move(m.MakeSet((loc(0),)), False, "table", (), face=0),
        m.Move(m.MakeSet((loc(1),)), False, "table", (), face=1),
        choose("guess", c(0), m.Span(c(1), c(3)), 2, "Int"),
        m.JumpUnless(eq(m.Attr("Piece.value", loc(1)), loc(2)), "wrong"),
        m.FinishWin(c(1), "guessed"),
        "wrong",
        m.FinishWin(c(2), "not_guessed"),
    ], slots=(Slot("a", entity("Piece")), Slot("b", entity("Piece")), Slot("n", INT)))  # fmt: skip
    return program(
        pieces=cards, begins=(("deck", ()),) * 9, streams=(m.Stream("luck"),), functions=(main, deal),
        tables=(m.Table("Piece.value", "Piece", Ty("int", low=1, high=3), (1, 2, 3) * 3),),
        zones=(
            zone("deck", (), "stack", 9, audiences=(m.Audience("count", both),)),
            zone("hand", ("Player",), "set", 9, audiences=(m.Audience("face", m.MakeSet((v("i0"),))), m.Audience("back", both))),
            zone("table", (), "set", 9, faced=True, audiences=(m.Audience("count", both),)),
        ),
        fields=(
            field("secret_number", INT, audiences=(m.Audience("face", None),)),
            field("spied", INT, ("Player",), audiences=(m.Audience("all", m.SetOp("minus", both, m.MakeSet((v("i0"),)))),)),
            field("known", set_of("Player"), initial=3, audiences=(m.Audience("count", both),)),
        ),
    )  # fmt: skip
