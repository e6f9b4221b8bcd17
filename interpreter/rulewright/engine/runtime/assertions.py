"""Invariants, properties and witnesses of states, and both sides of a comparison that fails."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.query_calls import readable
from rulewright.foundation.bit_sets import members_of
from rulewright.host.budgets import SEVERAL, shared_budget
from rulewright.ir import model as m
from rulewright.ir.assertion_queries import compares, whole
from rulewright.ir.comparison import CmpOp
from rulewright.ir.declared_types import DeclaredTypes
from rulewright.ir.facts import Universes

Value = Callable[[m.Expr], int | tuple[int, ...] | None]
"""The raw value of a part of the condition, for the member for which it fails."""

_SIGNS: dict[CmpOp, str] = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "is", "ne": "is not"}
_MOST = 60
"""Longer sets are not shown."""


def sides(condition: m.Expr, state: Position, value: Value) -> str:
    """The sides of the first comparison that fails, such as ``5 <= 4``; empty if it is about something else.

    Of a chain of ``or`` all fail, and all are shown.
    """
    types = DeclaredTypes(state.engine.program)
    match condition:
        case m.And(items):
            return next((sides(item, state, value) for item in items if not value(item)), "")
        case m.Or(items):
            compared = [sides(item, state, value) for item in items]
            return " or ".join(compared) if all(compared) else ""
        case m.Cmp(op):
            one, other = condition.left, condition.right
            ty = types.of(one) or types.of(other)
            found = [_compared(part, state, value, ty) for part in (one, other)]
            return f"{found[0]} {_SIGNS[op]} {found[1]}" if all(found) else ""
        case m.Contains():
            item, held = condition.item, condition.collection
            ty = types.of(item)
            several = m.Ty("list" if condition.is_list else "set", ty.universe or "Int") if ty is not None else None
            found = [_compared(item, state, value, ty), _compared(held, state, value, several)]
            return f"{found[0]} in {found[1]}" if all(found) else ""
        case _:
            return ""


def _compared(e: m.Expr, state: Position, value: Value, ty: m.Ty | None) -> str:
    raw = value(e)
    if raw is None or ty is None:
        return ""
    shown = readable(state.engine, ty, raw)
    if isinstance(shown, tuple):
        text = ", ".join(map(str, shown))
        return f"{{{text}}}" if len(text) <= _MOST else ""
    if shown is None or isinstance(shown, bool):
        return str(shown).lower()
    return str(shown)


Broken = tuple[str, str | None]
"""The name of an assertion, and the key of the member it fails for."""


@shared_budget(SEVERAL)
def broken(state: Position, names: frozenset[str] | None = None) -> list[Broken]:
    """The invariants (of those with these names, if any are given) that do not hold in a state, if it is settled."""
    if not state.settled:
        return []
    if names is None:
        return _broken("invariant", None, state, state)
    return _failing(names, lambda a: a.word == "invariant" and a.name in names, state, state)


@shared_budget(SEVERAL)
def broken_step(before: Position, after: Position) -> list[Broken]:
    """The properties of any two states that do not hold between these."""
    return _broken("property", None, before, after)


@shared_budget(SEVERAL)
def broken_block(before: Position, after: Position, block: str) -> list[Broken]:
    """The properties ``after each`` block that do not hold between its beginning and its end."""
    return _broken("property", block, before, after)


@shared_budget(SEVERAL)
def unkept(state: Position) -> list[Broken]:
    """The invariants, and properties that compare nothing, that do not hold in a state by itself."""
    checked = [a for a in state.engine.program.assertions if a.word != "witness" and not compares(a.condition)]
    return [one for assertion in checked for one in _failures(assertion, state, state)]


def compared(before: Position, after: Position, one: Broken) -> str:
    """The sides of the comparison that fails, such as ``5 <= 4``; empty if it is about something else."""
    name, key = one
    assertion = next(a for a in after.engine.program.assertions if a.name == name)
    return sides(assertion.condition, after, lambda part: _value_for(assertion, key, part, before, after))


def _value_for(
    assertion: m.Assertion, key: str | None, part: m.Expr, before: Position, after: Position
) -> int | tuple[int, ...] | None:
    """The value of a part of an assertion, for the member with this key."""
    checked = replace(assertion, condition=part)
    return next((value for member, value in _values(checked, before, after) if member == key), None)


def _broken(word: str, block: str | None, before: Position, after: Position) -> list[Broken]:
    """The assertions of one sort that do not hold."""
    return _failing((word, block), lambda a: a.word == word and a.after == block, before, after)


def _failing(sort: Hashable, belongs: Callable[[m.Assertion], bool], before: Position, after: Position) -> list[Broken]:
    """The assertions of a sort that do not hold. Nearly always all do, so they are evaluated as one truth first."""
    cache = after.engine.cache("assertions")
    if sort not in cache:
        checked = [a for a in after.engine.program.assertions if belongs(a)]
        simple = [a for a in checked if a.var is None or _is_set(a.source, after.engine.program)]
        cache[sort] = checked, m.And(tuple(map(whole, simple))), [a for a in checked if a not in simple]
    checked, together, rest = cache[sort]
    fine = not checked or after.evaluate(together, before) == 1
    return [one for assertion in (rest if fine else checked) for one in _failures(assertion, before, after)]


def _is_set(source: m.Expr | None, program: m.Program) -> bool:
    """True if what an assertion is about is surely a set, and no list."""
    if isinstance(source, m.CallQuery):
        return any(q.ty.kind == "set" for q in program.queries if q.name == source.query)
    return isinstance(source, m.Alive | m.Kind | m.ZoneGet)


@shared_budget(SEVERAL)
def witnessed(state: Position) -> list[str]:
    """The witnesses that hold in a state, if it is settled."""
    if not state.settled:
        return []
    witnesses = [a for a in state.engine.program.assertions if a.word == "witness"]
    return [a.name for a in witnesses if any(True for _ in _holds(a, state))]


def _holds(assertion: m.Assertion, state: Position) -> Iterator[str | None]:
    for member, truth in _checked(assertion, state, state):
        if truth:
            yield member


def _failures(assertion: m.Assertion, before: Position, after: Position) -> Iterator[Broken]:
    for member, truth in _checked(assertion, before, after):
        if not truth:
            yield assertion.name, member


def _checked(assertion: m.Assertion, before: Position, after: Position) -> Iterator[tuple[str | None, bool]]:
    for member, value in _values(assertion, before, after):
        yield member, value == 1


def _values(assertion: m.Assertion, before: Position, after: Position) -> Iterator[tuple[str | None, int]]:
    """The raw value of an assertion's condition for each of its members, by their keys."""
    if assertion.var is None or assertion.source is None:
        yield None, after.evaluate(assertion.condition, before)
        return
    binds = (m.Bound(assertion.var, assertion.source), *assertion.inner)
    known = Universes(after.engine.program)
    universes = tuple(known.of(bind.source) for bind in binds)
    for members in _members(binds, universes, (), before, after):
        value = _value(assertion.condition, binds, universes, members, before, after)
        keys = (after.engine.layout.key(u, member) for u, member in zip(universes, members, strict=True))
        yield ", ".join(keys), value


def _members(
    binds: Sequence[m.Bound], universes: Sequence[str], given: tuple[int, ...], before: Position, after: Position
) -> Iterator[tuple[int, ...]]:
    """The members of all binders, each inside of those before it, of which some are given."""
    if len(given) == len(binds):
        yield given
        return
    members = _value(binds[len(given)].source, binds, universes, given, before, after)
    for member in members_of(members):
        yield from _members(binds, universes, (*given, member), before, after)


def _value(
    e: m.Expr,
    binds: Sequence[m.Bound],
    universes: Sequence[str],
    given: tuple[int, ...],
    before: Position,
    after: Position,
) -> Any:
    """The raw value of an expression with members for the first binders."""
    names = tuple(bind.var for bind in binds[: len(given)])
    types = tuple(m.Ty("int") if u in ("", "Int") else m.Ty("entity", u) for u in universes[: len(given)])
    function = after.engine.compiled.expression(e, names, types)
    return after.engine.call(function, after.cells, before.cells, *given, memory=after.memory)
