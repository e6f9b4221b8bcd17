"""Origins of values: all of which a local was made, as far as nothing has revealed it in between.

An observer of what has happened since may know a value by then. So a local is followed back only to assignments after
which nothing else was done than to work out and to ask.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import control_flow_graph, definitions
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.facts import lies_in
from rulewright.ir.walk import nodes

_QUIET = (m.SetLocal, m.Append, m.Jump, m.JumpUnless, m.Fired, m.Choose, m.Return)
"""Instructions that show nothing of what they are given."""


def made_of(function: m.Function, pc: int, e: m.Expr) -> tuple[m.Expr, ...]:
    """The expressions of which the locals were made that one reads at an instruction."""
    found: dict[m.Expr, None] = {}
    for at in _stored(function, pc, e):
        i = function.code[at]
        if isinstance(i, m.SetLocal | m.Append):
            found[i.value] = None
            found |= dict.fromkeys(upon_which(function, at))
    return tuple(found)


def calls_behind(function: m.Function, pc: int, e: m.Expr) -> tuple[m.Call, ...]:
    """The calls whose results are in the locals that an expression reads at an instruction."""
    code = function.code
    return tuple(i for at in _stored(function, pc, e) if isinstance(i := code[at], m.Call) and i.into is not None)


def _stored(function: m.Function, pc: int, e: m.Expr) -> Iterator[int]:
    """The instructions that have stored what is in the locals."""
    stores, noisy = _stores(function)
    first = noisy[pc]
    waiting = [(pc, e)]
    seen: set[int] = set()
    for at, one in waiting:  # which grows meanwhile
        slots = dict.fromkeys(n.slot for n in nodes(one) if isinstance(n, m.Local))
        for before in sorted({place for slot in slots for place in stores.get(slot, ()) if first <= place < at} - seen):
            seen.add(before)
            yield before
            i = function.code[before]
            if isinstance(i, m.SetLocal | m.Append):
                waiting.append((before, i.value))


@memoized_by_node
def _stores(function: m.Function) -> tuple[dict[int, tuple[int, ...]], tuple[int, ...]]:
    """The instructions that store something in each slot; and for each instruction the last one before it that shows
    something, or -1."""
    stores: dict[int, list[int]] = {}
    noisy = [-1]
    for pc, i in enumerate(function.code):
        for slot in definitions(i):
            stores.setdefault(slot, []).append(pc)
        noisy.append(noisy[-1] if isinstance(i, _QUIET) else pc)
    return {slot: tuple(places) for slot, places in stores.items()}, tuple(noisy)


def upon_which(function: m.Function, pc: int) -> Iterator[m.Expr]:
    """The conditions upon which it depends whether the rules come to an instruction."""
    graph = control_flow_graph(function)
    for fork, i in instructions_of(function, (m.JumpUnless,)):
        if pc in graph.branch(fork):
            yield i.condition


def deciding(function: m.Function, pc: int) -> Iterator[m.Expr]:
    """The conditions upon which it depends whether the rules come to an instruction, and all of which they are made."""
    graph = control_flow_graph(function)
    for fork, i in instructions_of(function, (m.JumpUnless,)):
        if pc in graph.branch(fork):
            yield i.condition
            for part in made_of(function, fork, i.condition):
                zone = _whole_zone(part)
                yield part if zone is None else m.Size(zone)  # of a loop over all of them only the number counts
            for node in nodes(i.condition):
                if isinstance(node, m.Attr) and isinstance(node.of, m.Local):
                    for zone in map(_whole_zone, made_of(function, fork, node)):
                        if zone is not None:  # it counts what is printed on each
                            yield m.Attr(node.table, m.First(m.ZoneList(zone.zone, zone.index), is_list=True))


def _whole_zone(e: m.Expr) -> m.ZoneGet | m.ZoneList | None:
    return lies_in(e) if isinstance(e, m.ZoneGet | m.ZoneList | m.ToSet | m.ToList) else None


def calls_deciding(function: m.Function, pc: int) -> Iterator[m.Call]:
    """The calls upon whose results it depends whether the rules come to an instruction."""
    graph = control_flow_graph(function)
    for fork, i in instructions_of(function, (m.JumpUnless,)):
        if pc in graph.branch(fork):
            yield from calls_behind(function, fork, i.condition)


def conditions_of_choice(function: m.Function, pc: int, i: m.Choose) -> Iterator[m.Expr]:
    """The conditions upon which a question depends that may be passed over."""
    if i.on_empty is None or isinstance(function.code[i.on_empty], m.Fail) or _picks(function, pc, i):
        return
    refused = [m.Not(restriction.condition) for restriction in i.restrictions]
    tests = (*(() if i.where is None else (i.where,)), *refused)
    binds = (m.Bound(i.var, i.source, i.is_list),) if i.source is not None else ()
    ways = [extra for extra in i.extras if not extra.aside]
    if any((extra.guard is None and not extra.restrictions) or _asked_anyway(extra, ways, binds) for extra in ways):
        return
    if binds:
        yield m.Fold("some", binds, m.And(tests) if tests else None, None)
    for extra in ways:
        yield from (() if extra.guard is None else (extra.guard,))
        yield from (restriction.condition for restriction in extra.restrictions)


def _asked_anyway(extra: m.Extra, ways: list[m.Extra], binds: tuple[m.Bound, ...]) -> bool:
    """True if a word is offered where nothing else is."""
    absent = {node for part in nodes(extra.guard) if isinstance(part, m.Not) for node in nodes(part.operand)}
    listed = any(isinstance(node, m.Fold) and node.kind == "some" and node.binds == binds for node in absent)
    return bool(absent) and (listed or not binds) and all(way is extra or way.guard in absent for way in ways)


def _picks(function: m.Function, pc: int, i: m.Choose) -> bool:
    """True if a question asks for one of several things that are picked one after the other."""
    match function.code[pc + 1]:
        case m.SetLocal(_, m.SetOp("union", m.Local(), m.MakeSet((m.Local(one),)))):
            return one == i.into
        case _:
            return False


def only_finds(function: m.Function) -> bool:
    """True if a function does nothing but find its result."""
    return all(isinstance(i, _QUIET) and not isinstance(i, m.Choose) for i in function.code)


def makes_otherwise(function: m.Function, names: frozenset[str]) -> tuple[m.Expr, ...]:
    """The expressions that decide what a function makes of some fields and zones."""
    found: dict[m.Expr, None] = {}
    for pc, i in enumerate(function.code):
        match i:
            case m.SetField(field) if field in names:
                parts: tuple[m.Expr, ...] = (i.value, *i.index)
            case m.Move(zone=zone) if zone in names or not names.isdisjoint(_zones(i.what)):
                parts = (i.what, *i.index)
            case _:
                continue
        found |= dict.fromkeys(parts)
        found |= dict.fromkeys(upon_which(function, pc))
        for part in parts:
            found |= dict.fromkeys(made_of(function, pc, part))
    return tuple(found)


def _zones(e: m.Expr) -> Iterator[str]:
    return (n.zone for n in nodes(e) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top))


__all__ = [
    *("conditions_of_choice", "calls_behind", "calls_deciding", "deciding", "made_of", "makes_otherwise", "only_finds"),
    "upon_which",
]
