"""Calls of queries of the rules from outside: arguments as keys with every mistake reported, results as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import faults
from rulewright.engine.evaluator.registers import Memo
from rulewright.engine.runtime.machine import Engine
from rulewright.foundation.bit_sets import members_of
from rulewright.host.api_arguments import text
from rulewright.ir.model import NONE, QueryDef, Slot, Ty


def readable(engine: Engine, ty: Ty, raw: Any) -> Any:
    """A raw value for people: keys for members, None for none, tuples for sets and lists; of a keyed value what is not
    0, as in ``wood: 2``."""
    if ty.keys:
        shown = str if ty.universe == "Int" else lambda _: "true"
        return tuple(f"{key}: {shown(value)}" for key, value in by_key(engine, ty, raw).items() if value)
    if ty.kind == "bool":
        return raw == 1
    if ty.kind == "int":
        return None if raw == NONE else raw
    if ty.kind == "entity":
        return None if raw == NONE else engine.layout.key(ty.universe, raw)
    return tuple(i if ty.universe == "Int" else engine.layout.key(ty.universe, i) for i in members_of(raw))


def by_key(engine: Engine, ty: Ty, raw: Sequence[int]) -> dict[str, int | bool]:
    """A keyed value by the names of its keys; one that is none has no keys."""
    held = [value if ty.universe == "Int" else value == 1 for value in raw]
    return dict(zip(engine.layout.universes[ty.keys].keys, held, strict=False))


Key = str | int | bool | None | Iterable[str | int | bool | None] | Mapping[str, int]
"""An argument: the key of a member, a number, a truth, None; of a set or list several of them; of a keyed value a
number or truth for each name, 0 for those that are missing."""

Measured = dict[str, int | tuple[int, ...]]
"""For each measure its number, or one for every seat if it is about a player."""


def declared_queries(engine: Engine) -> dict[str, QueryDef]:
    """The queries and values that the rules declare, by name; not those that are made from procedures."""
    return {q.name: q for q in engine.program.queries if q.name.isidentifier()}


def declared_measures(engine: Engine) -> dict[str, QueryDef]:
    """The measures that the rules declare, by name."""
    return {name: query for name, query in declared_queries(engine).items() if query.is_measure}


def measured(engine: Engine, cells: list[int]) -> Measured:
    """The measures of a state."""
    found: Measured = {}
    for name, query in declared_measures(engine).items():
        function = engine.compiled.query(name)
        if query.params:
            found[name] = tuple(int(engine.call(function, cells, seat)) for seat in range(engine.program.players))
        else:
            found[name] = int(engine.call(function, cells))
    return found


def find(engine: Engine, name: str, meant: Mapping[str, QueryDef] | None = None) -> QueryDef:
    """The query of this name (also one that is made from a procedure: ``possible place_knight``).

    RulesetError if there is none; its message suggests names, of those that the rules declare, or of some of them.
    """
    query = engine.compiled.ctx.queries.get(name)
    if query is not None:
        return query
    field = next((f for f in engine.program.fields if f.name == name), None)
    if field is not None:
        params = ", ".join(f"{universe[0].lower()}: {universe}" for universe in field.index)
        args = ", ".join(universe[0].lower() for universe in field.index)
        written = f"query {name}_now({params}) = {name}[{args}]" if params else f"query {name}_now = {name}"
        raise RulesetError(Diagnostic(faults.NO_OPTION, f"`{name}` is a field, not a query", hint=f"write `{written}`"))
    known = meant or declared_queries(engine)
    hint = did_you_mean(name, known) or (f"there are {listing(known)}" if known else "the rules declare none")
    raise RulesetError(Diagnostic(faults.NO_OPTION, f"there is no query or value `{name}`", hint=hint))


def ask(engine: Engine, cells: list[int], memory: Memo, name: str, keys: Sequence[Key]) -> Any:
    """The implementation of :meth:`Snapshot.ask`."""
    text("the name of a query", name)
    query = find(engine, name)
    if len(query.params) != len(keys):
        wanted = ", ".join(f"{_shown(slot)}: {_type(slot.ty)}" for slot in query.params) or "nothing"
        message = f"`{name}` depends on {wanted}; it was asked with {len(keys)} argument{'s' * (len(keys) != 1)}"
        raise RulesetError(Diagnostic(faults.NO_OPTION, message))
    values = [_value(engine, name, slot, slot.ty, key) for slot, key in zip(query.params, keys, strict=True)]
    function = engine.compiled.query(name)
    found = engine.call(function, cells, *values, memory=memory)
    return by_key(engine, query.ty, found) if query.ty.keys else readable(engine, query.ty, found)


def _value(engine: Engine, query: str, slot: Slot, ty: Ty, key: Key) -> Any:
    """The raw value of an argument."""
    if ty.keys:
        keys = engine.layout.universes[ty.keys].keys
        if not isinstance(key, Mapping) or not set(key) <= set(keys):
            raise _wrong(query, slot, repr(key), f"it must be a dictionary with names of {ty.keys}", listing(keys))
        truths = ty.universe == "Bool"
        one, nothing = (Ty("bool"), False) if truths else (Ty("int", low=ty.low, high=ty.high), 0)
        return tuple(_value(engine, query, slot, one, key.get(name, nothing)) for name in keys)
    if ty.kind in ("set", "list"):
        if isinstance(key, str | int) or key is None:
            raise _wrong(query, slot, key, "several keys are needed, for instance a tuple")
        member = Ty("int") if ty.universe == "Int" else Ty("entity", ty.universe)
        items = tuple(_value(engine, query, slot, member, one) for one in key)
        if ty.kind == "list":
            return items
        if any(not 0 <= item < engine.layout.set_bits(ty) for item in items):
            raise _wrong(query, slot, key, f"its numbers must be from 0 to {engine.layout.set_bits(ty) - 1}")
        return sum({1 << item for item in items})
    if key is None or key == "none":
        if not ty.optional:
            raise _wrong(query, slot, key, "it cannot be none")
        return NONE
    if ty.kind == "entity":
        keys = engine.layout.universes[ty.universe].keys
        if isinstance(key, bool) or str(key) not in keys:
            hint = did_you_mean(str(key), keys)
            raise _wrong(query, slot, key, f"there is no such {ty.universe}", hint or f"there are {listing(keys)}")
        return keys.index(str(key))
    if ty.kind == "bool":
        if not isinstance(key, bool):
            raise _wrong(query, slot, key, "it must be True or False")
        return int(key)
    if isinstance(key, bool) or not isinstance(key, int):
        raise _wrong(query, slot, key, "it must be a number")
    if not ty.low <= key <= ty.high:
        raise _wrong(query, slot, key, f"it must be from {ty.low} to {ty.high}")
    return key


def _wrong(query: str, slot: Slot, key: Key, why: str, hint: str = "") -> RulesetError:
    message = f"`{query}` cannot be asked with {key!r} for {_shown(slot)}: {why}"
    return RulesetError(Diagnostic(faults.NO_OPTION, message, hint=hint))


def _shown(slot: Slot) -> str:
    """The name of a parameter as the rules have it; in the program a number follows."""
    name, _, number = slot.name.rpartition("_")
    return name if name and number.isdigit() else slot.name


def _type(ty: Ty) -> str:
    name = {"int": "Int", "bool": "Bool"}.get(ty.kind, ty.universe)
    return f"{ty.kind} of {name}" if ty.kind in ("set", "list") else name + (" or none" if ty.optional else "")
