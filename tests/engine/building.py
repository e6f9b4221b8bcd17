"""Short words for making programs by hand."""

from __future__ import annotations

from typing import Any

from rulewright.ir import model as m
from rulewright.ir.model import INT, Program, Slot, Ty, Universe


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
        "game": "test",
        "title": "Test",
        "players": len(seats),
        "variants": (),
        "options": (),
        "universes": universes,
        "tables": (),
        "kinds": (),
        "alike": tuple(keys.index(p) for p in pieces),
        "begins": (("box", ()),) * len(pieces),
        "graphs": (),
        "merged": (),
        "areas": (),
        "fields": (),
        "zones": zones,
        "streams": (),
        "queries": (),
        "functions": (),
        "main": "game",
        "assertions": (),
        "rules": (),
    }
    return Program(**{**values, **parts})


def zone(name: str, index: tuple[str, ...] = (), order: Any = "set", capacity: int = 0, **more: Any) -> m.Zone:
    return m.Zone(
        name,
        index,
        tuple(f"i{n}" for n in range(len(index))),
        order,
        (),
        capacity,
        more.pop("faced", False),
        more.pop("audiences", ()),
        **more,
    )


def field(name: str, ty: Ty = INT, index: tuple[str, ...] = (), initial: Any = 0, **more: Any) -> m.Field:
    return m.Field(
        name, index, tuple(f"i{n}" for n in range(len(index))), ty, initial, more.pop("audiences", ()), **more
    )


def function(name: str, code: list[Any], slots: tuple[Slot, ...] = (), params: int = 0, **more: Any) -> m.Function:
    """A function; jumps may name labels: a string in the code is a label, a string as target refers to it."""
    labels: dict[str, int] = {}
    plain: list[Any] = []
    for item in code:
        if isinstance(item, str):
            labels[item] = len(plain)
        else:
            plain.append(item)
    return m.Function(
        name, more.pop("word", "procedure"), params, slots, tuple(_resolved(i, labels) for i in plain), **more
    )


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
        "at": label,
        "who_is": "player",
        "universe": universe,
        "is_list": False,
        "var": label,
        "where": None,
        "restrictions": (),
        "extras": (),
        "on_empty": None,
    }
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
        name,
        "ring",
        place,
        None,
        tuple(1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size)),
        (),
        (),
        tuple(tuple(min((a - b) % size, (b - a) % size) for b in range(size)) for a in range(size)),
        tuple((0, 0) for _ in range(size)),
    )
