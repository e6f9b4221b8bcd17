"""Analyses of numbers that are never reached: in conditions, divisions and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.findings.program.facts.bounds import Bounds, WrittenValues
from rulewright.findings.program.facts.examined_program import ExaminedProgram, names_in, queries_in
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.comparison import CmpOp, mirrored
from rulewright.ir.intervals import compared
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------- missing member
# EXM111: a number among several that what is compared with them can never come to.


def members_out_of_reach(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Among some numbers something that is printed on a thing is looked for, and one of them stands on no such thing,
    with any number of players.
    """
    known = Bounds(examined)
    parts: list[tuple[str, object]] = [(query.name, query.body) for query in examined.program.queries]
    parts += [(function.name, i) for function in examined.program.functions for i in function.code]
    for name, part in parts:
        for node in nodes(part):
            match node:
                case m.Contains(m.MakeSet(items), m.Attr(table) as item):
                    bounds = known.number(item)
                    printed = table.partition(".")[2]
                case _:
                    continue
            missed = [one.value for one in items if isinstance(one, m.Const)]
            missed = [n for n in missed if bounds is not None and n != m.NONE and not bounds[0] <= n <= bounds[1]]
            if bounds is not None and missed and len(missed) < len(items):
                low, high = bounds
                yield Suspect(
                    "EXM111",
                    name,
                    f"{printed} in {missed[0]}",
                    f"`{printed}` is never {missed[0]}: it lies between {low} and {high}, so only the others count",
                    f"compare it with numbers between {low} and {high}",
                    kinds=(ast.Binary,),
                    words=_words(item, set(items) - {m.Const(n) for n in missed}),
                    everywhere=True,
                )


def _words(item: m.Attr, others: set[m.Expr]) -> frozenset[str]:
    """The words of a comparison: the name of the thing, and the numbers that may well stand on it."""
    numbers = {str(one.value) for one in others if isinstance(one, m.Const)}
    name = re.sub(r"_\d+$", "", item.of.name) if isinstance(item.of, m.Var) else ""
    return frozenset((*numbers, *((name,) if name else ())))


# --------------------------------------------------------------------------------------------------------- out of reach
# EXM111: a number that is compared with one that it cannot come to, or divided by one that is too large.


def numbers_out_of_reach(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A count is bounded by the number of things that there are: more pieces than these cannot be required.

    Where there are more of them for other numbers of players, nothing is wrong.
    """
    known, written = Bounds(examined), WrittenValues(examined.program)
    for name, part in _parts(examined):
        for node in nodes(part):
            found = _decided(known, node) or _missed(written, node) or _vanishing(known, node)
            if found is not None:
                about, number, message, hint = found
                yield Suspect(
                    "EXM111",
                    name,
                    about,
                    message,
                    hint,
                    kinds=(ast.Binary, ast.Divide),
                    otherwise=(ast.AssignOp, ast.Parameter),
                    words=frozenset((str(abs(number)),)),
                    names=names_in(node) | queries_in(node),
                    everywhere=True,
                )


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    """Queries and instructions, with the names of the rules in which they are written."""
    yield from ((query.name, query.body) for query in examined.program.queries)
    for function in examined.program.functions:
        yield from ((_written_in(function, at), i) for at, i in enumerate(function.code))


def _written_in(function: m.Function, at: int) -> str:
    """The rule of an instruction: that of a consequence that is called if its condition holds, else the function."""
    match function.code[at : at + 3]:
        case (m.SetLocal(slot), m.JumpUnless(m.Cmp("ne", m.Local(local), m.Const(m.NONE))), m.Call(name)) if (
            local == slot
        ):
            return name
        case _:
            return function.name


_Found = tuple[str, int, str, str]
"""Subject, number, message and hint."""


def _decided(known: Bounds, e: object) -> _Found | None:
    """A comparison of what is counted with a number that it always, or never, is."""
    comparison = _comparison_with_number(e)
    if comparison is None:
        return None
    turned, counted, number = comparison
    if isinstance(counted, m.Attr) and turned not in ("eq", "ne"):
        return None  # rules may well be ready for other tables
    bounds = known.number(counted) if number != m.NONE else None
    if bounds is None or bounds[0] == bounds[1]:
        return None
    holds = compared(turned, bounds, (number, number))
    if holds is None:
        return None
    low, high = bounds
    verb = "always holds" if holds else "can never hold"
    printed = f"`{counted.table.partition('.')[2]}`: " if isinstance(counted, m.Attr) else ""
    message = f"a condition {verb}: {printed}what is compared with {number} lies between {low} and {high}"
    return f"{turned} {number}", number, message, f"compare it with a number between {low} and {high}"


def _missed(written: WrittenValues, e: object) -> _Found | None:
    """A comparison of a field with a number that nothing which the rules write into it comes to.

    One that always holds is no mistake: what is careful asks so.
    """
    match _comparison_with_number(e):
        case (op, m.FieldGet(name), number) if number != m.NONE:
            bounds = written.of(name)
        case _:
            return None
    if bounds is None or compared(op, bounds, (number, number)) is not False:
        return None
    low, high = bounds
    lies = f"is always {low}" if low == high else f"lies between {low} and {high}"
    message = f"a condition can never hold: `{name}` {lies}, by all that the rules write into it"
    return f"{op} {number}", number, message, f"change `{name}` where it should come to this, or compare it otherwise"


def _comparison_with_number(e: object) -> tuple[CmpOp, m.Expr, int] | None:
    """A comparison with a number that is written: how, what and with which."""
    match e:
        case m.Cmp(op, m.Const(number), right, _) if not isinstance(right, m.Const):
            return mirrored(op), right, number
        case m.Cmp(op, left, m.Const(number), _) if not isinstance(left, m.Const):
            return op, left, number
        case _:
            return None


def _vanishing(known: Bounds, e: object) -> _Found | None:
    """A division that always gives 0, though what is divided is not always 0."""
    match e:
        case m.Arith("div_down", divided, m.Const(number)) if number > 1:
            bounds = known.number(divided)
        case _:
            return None
    if bounds is None or not (bounds[0] == 0 < bounds[1] < number):
        return None
    message = f"this is always 0: what is divided by {number} is {bounds[1]} at most"
    return f"/ {number}", number, message, "divide by less, or round up"


# ----------------------------------------------------------------------------------------------------------- short list
# EXM105: a list in which a number is looked up that can be too large for it.

_GROWING = 6
"""Places beside one of a growing map, which is made of hexes."""


def short_lists(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A list of numbers is indexed by a count of neighbouring places, or of words, and is too short for the largest."""
    for name, part in _parts(examined):
        for node in nodes(part):
            if not isinstance(node, m.Item) or not isinstance(node.list, m.ListConst):
                continue
            most, entries = _most(examined, node.at), len(node.list.values)
            if most is not None and 1 < entries <= most:
                yield Suspect(
                    "EXM105",
                    name,
                    "list",
                    f"this list has entries for 0 to {entries - 1}, but {most} can be counted: it gives none then",
                    f"it needs {most + 1} entries",
                    kinds=(ast.ListOf,),
                    words=frozenset(str(abs(number)) for number in node.list.values),
                )


def _most(examined: ExaminedProgram, at: m.Expr) -> int | None:
    """The largest number of places beside one, or of words, that an index can be; None if it is something else."""
    match at:
        case m.Fold("count", (m.Bound(_, source),)) | m.Size(source):
            inner = source
        case m.CallQuery(query):
            return _most(examined, examined.queries[query].body)
        case _:
            return None
    while isinstance(inner, m.Filter):
        inner = inner.source
    if isinstance(inner, m.Alive):
        return next((u.size for u in examined.program.universes if u.name == inner.universe and u.sort == "enum"), None)
    if not isinstance(inner, m.NeighboursOf):
        return None
    graph = next(g for g in examined.program.graphs if g.name == inner.graph)
    return _GROWING if graph.shape == "growing" else max((n.bit_count() for n in graph.neighbours), default=0)
