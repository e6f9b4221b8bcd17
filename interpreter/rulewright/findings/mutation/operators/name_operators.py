"""Operators on names: another player, another place of the same type, arguments the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from rulewright.findings.mutation.mutation_sites import Site
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words
from rulewright.ir.declarations import Table
from rulewright.ir.model import Program
from rulewright.ir.types import Ty
from rulewright.syntax import ast

MOST = 3
"""So many other names are tried in the place of one."""

Sort = tuple[str, str]
"""The kind of a type, and its universe."""


def sort_of(ty: Ty) -> Sort:
    """The part of a type that another name must have in common to stand in the place of one."""
    return ty.kind, ty.universe


def alike(programs: Iterable[Program]) -> Mapping[str, tuple[str, ...]]:
    """For each name of a zone, field or query the others with the same keys and the same type; attributes as
    ``Universe.name``."""
    groups: dict[object, dict[str, None]] = {}
    for program in programs:
        for field in program.fields:
            if not field.is_internal:
                groups.setdefault(("field", field.index, sort_of(field.ty)), {})[field.name] = None
        for zone in program.zones:
            groups.setdefault(("zone", zone.index, zone.order), {})[zone.name] = None
        for query in program.queries:
            if query.name.isidentifier():
                params = tuple(sort_of(slot.ty) for slot in query.params)
                groups.setdefault(("query", params, sort_of(query.ty)), {})[query.name] = None
        for table in program.tables:
            if _is_attribute(table):
                groups.setdefault(("table", table.universe, sort_of(table.ty)), {})[table.name] = None
    return {
        name: tuple(other for other in group if other != name)
        for group in groups.values()
        for name in group
        if len(group) > 1
    }


def _is_attribute(table: Table) -> bool:
    return not table.is_conversion and table.name.partition(".")[2].isidentifier()


def local_types(programs: Iterable[Program]) -> Mapping[str, Mapping[str, Sort]]:
    """The types of parameters and locals, by the declaration in which they stand."""
    found: dict[str, dict[str, Sort]] = {}
    for program in programs:
        for function in program.functions:
            own = {slot.name: sort_of(slot.ty) for slot in function.slots if slot.name.isidentifier()}
            found.setdefault(function.name, {}).update(own)
        for query in program.queries:
            found.setdefault(query.name, {}).update({slot.name: sort_of(slot.ty) for slot in query.params})
    return found


PLAYER: Sort = ("entity", "Player")


def _locals(place: Site, words: Words) -> Mapping[str, Sort]:
    return words.locals.get(place.address.partition(".")[0], {})


def other_local(place: Site, words: Words) -> Iterator[Replacement]:
    """Another parameter or local of the same type; of a player also the left neighbour."""
    node = place.node
    if not isinstance(node, ast.Name) or (known := _locals(place, words)).get(node.name) is None:
        return
    sort = known[node.name]
    others = [name for name, other in known.items() if other == sort and name != node.name]
    for name in _nearest(node.name, others):
        yield Replacement(replace(node, name=name))
    if sort == PLAYER and not _is_target(place):
        yield Replacement(ast.Dot(node, "left", span=node.span))


def _is_target(place: Site) -> bool:
    """True of what is given a value."""
    return bool(place.way) and place.way[-1] == ("target", None)


def other_declared(place: Site, words: Words) -> Iterator[Replacement]:
    """Another zone, field or query with the same keys and the same type, also as what a variant adds to; or another
    attribute."""
    match place.node:
        case ast.Name(name=name) as node if name in words.alike and name not in words.bound:
            for other in _nearest(name, words.alike[name]):
                yield Replacement(replace(node, name=other))
        case ast.ExtendOp(path=ast.Path((name,))) as node if name in words.alike:
            for other in _nearest(name, words.alike[name]):
                yield Replacement(replace(node, path=replace(node.path, parts=(other,))))
        case ast.Dot(name="left" | "right", operand=operand):
            yield Replacement(operand)
        case ast.Dot(name=name) as node:
            others = [
                other.partition(".")[2] for key, several in words.alike.items() if key.endswith(f".{name}")
                for other in several
            ]  # fmt: skip
            for other in _nearest(name, others):
                yield Replacement(replace(node, name=other))
        case _:
            pass  # all else stays as it is


def _nearest(name: str, others: Sequence[str]) -> list[str]:
    """Similar names first: they are easily taken for it."""
    likeness = {other: SequenceMatcher(None, name, other).ratio() for other in others}
    return sorted(likeness, key=lambda other: -likeness[other])[:MOST]


def swap_arguments(place: Site, words: Words) -> Iterator[Replacement]:
    """Two neighbouring arguments, keys or operands the other way round."""
    match place.node:
        case ast.Call(args=items) | ast.Index(index=items) if len(items) > 1:
            field = "args" if isinstance(place.node, ast.Call) else "index"
            for number in range(len(items) - 1):
                one, two = items[number : number + 2]
                if one != two:
                    turned: Any = (*items[:number], two, one, *items[number + 2 :])
                    yield Replacement(replace(place.node, **{field: turned}))
        case ast.Binary(op="-" | "except" | "<" | "<=" | ">" | ">=", left=left, right=right) as node:
            yield Replacement(replace(node, left=right, right=left))
        case _:
            pass  # all else stays as it is


def other_players(place: Site, words: Words) -> Iterator[Replacement]:
    """All but the player whose rule it is, in place of all."""
    match place.node:
        case ast.Name("players") as node if place.way and place.way[-1][0] in ("source", "what", "to"):
            acting = [name for name, sort in _locals(place, words).items() if sort == PLAYER]
            for name in acting[:1]:
                yield Replacement(ast.Binary("except", node, ast.SetOf((ast.Name(name),)), span=node.span))
        case _:
            pass  # all else stays as it is


OPERATORS: dict[str, Operator] = {
    "other-local": other_local,
    "other-declared": other_declared,
    "swap-arguments": swap_arguments,
    "other-players": other_players,
}
