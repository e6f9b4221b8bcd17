"""Invariants, properties and witnesses asked of states."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.state import State
from rulewright.engine.support import bits_of
from rulewright.program import model as m

Broken = tuple[str, str | None]
"""The name of an assertion, and the key of the member it fails for."""


def broken(state: State) -> list[Broken]:
    """The invariants that do not hold in a state."""
    found: list[Broken] = []
    for assertion in state.engine.program.assertions:
        if assertion.word == "invariant":
            found.extend(_failures(assertion, state, state))
    return found


def broken_step(before: State, after: State, finished: str | None = None) -> list[Broken]:
    """The properties that do not hold between two states; those ``after`` a function only if it is `finished`."""
    found: list[Broken] = []
    for assertion in before.engine.program.assertions:
        if assertion.word == "property" and assertion.after in (None, finished):
            found.extend(_failures(assertion, before, after))
    return found


def broken_block(before: State, after: State, block: str) -> list[Broken]:
    """The properties ``after each`` block that do not hold between its beginning and its end."""
    found: list[Broken] = []
    for assertion in before.engine.program.assertions:
        if assertion.word == "property" and assertion.after == block:
            found.extend(_failures(assertion, before, after))
    return found


def witnessed(state: State) -> list[str]:
    """The witnesses that hold in a state."""
    witnesses = [a for a in state.engine.program.assertions if a.word == "witness"]
    return [a.name for a in witnesses if any(True for _ in _holds(a, state))]


def _holds(assertion: m.Assertion, state: State) -> Iterator[str | None]:
    for member, truth in _asked(assertion, state, state):
        if truth:
            yield member


def _failures(assertion: m.Assertion, before: State, after: State) -> Iterator[Broken]:
    for member, truth in _asked(assertion, before, after):
        if not truth:
            yield assertion.name, member


def _asked(assertion: m.Assertion, before: State, after: State) -> Iterator[tuple[str | None, bool]]:
    compiled = after.engine.compiled
    if assertion.var is None or assertion.source is None:
        yield None, after.evaluate(assertion.condition, before) == 1
        return
    members = after.evaluate(assertion.source, before)
    universe = _universe(assertion.source, after)
    function = compiled.expression(assertion.condition, (assertion.var,), (m.Ty("entity", universe),))
    for member in members if isinstance(members, tuple) else bits_of(members):
        truth = after.engine.call(function, after.cells, before.cells, member, memory=after.memory) == 1
        yield (after.engine.layout.key(universe, member) if universe else str(member)), truth


def _universe(source: m.Expr, state: State) -> str:
    """The universe that a set is over, where it can be read off."""
    program = state.engine.program
    match source:
        case m.Alive(universe):
            return universe
        case m.Kind() | m.ZoneGet() | m.ZoneList() | m.Top():
            return "Piece"
        case m.FieldGet(name):
            return next(f.ty.universe for f in program.fields if f.name == name)
        case m.Attr(table):
            return next(t.ty.universe for t in program.tables if t.name == table)
        case m.Ask(query):
            return next(q.ty.universe for q in program.queries if q.name == query)
        case (
            m.Filter(inner) | m.Best(inner) | m.Sort(inner) | m.Lowest(inner) | m.SetOp(_, inner) | m.LetIn(_, _, inner)
        ):
            return _universe(inner, state)
    return ""
