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
