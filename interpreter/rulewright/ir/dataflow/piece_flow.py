"""The ways on which pieces come to slots, fields and zones of a program, without all that does not decide upon them.

Of an expression is left where its pieces come from: no condition, no key, no number. So functions that differ in these
alone have the same flow, as those of games with more players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.facts import Combined, Kind, Part, Zoned, origin
from rulewright.ir.hash_consing import structural_digest
from rulewright.ir.walk import nodes

RESULT = -1
ASKS = "asks "
Place = str | tuple[str, int]
"""``zone x``, ``field x``, or a slot or the result of a function."""

_CARRIERS = (m.SetLocal, m.Append, m.Choose, m.Chance, m.SetField, m.Move, m.Return, m.Call)
_TRUE = m.Const(1)
_ANY = m.Alive("Piece")
"""An expression that may be or hold any piece."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value of a function that comes somewhere."""

    to: Place
    value: m.Expr
    kind: Kind
    """The kind of its type, if it is known."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call: what is handed over, and what comes back."""

    function: str
    args: tuple[m.Expr, ...]
    into: int | None
    shared: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One way, with all at which it looks."""

    way: Assignment | CallSite
    places: tuple[Place, ...]
    """Slots and results."""
    names: tuple[str, ...]
    """``zone x``, ``field x``, and queries as ``asks x``."""


@dataclass(frozen=True, slots=True)
class FlowDigest:
    """Digests of what a function contributes. Of fields and calls they stand apart, for many values are no pieces."""

    own: bytes
    fields: tuple[tuple[str, bytes], ...]
    """For each value that comes to a field, with the place."""
    calls: tuple[tuple[str, tuple[bytes, ...]], ...]
    """For each call what is handed over."""


@memoized_by_node
def piece_flow(function: m.Function) -> tuple[Step, ...]:
    """The ways of pieces by a function."""
    own, name = piece_slots(function), function.name
    found: list[Step] = []
    for _, i in instructions_of(function, _CARRIERS):
        way = _way(function, i, own)
        if way is None:
            continue
        inside = list(nodes(way))
        places: dict[Place, None] = {(name, e.slot): None for e in inside if isinstance(e, m.Local)}
        if isinstance(way, CallSite):
            places |= dict.fromkeys((name, slot) for slot in way.shared)
            places |= dict.fromkeys((way.function, number) for number in (RESULT, *range(len(way.shared))))
        found.append(Step(way, tuple(places), names_of(inside)))
    return tuple(found)


@memoized_by_node
def flow_digest(function: m.Function) -> FlowDigest:
    """All that a function contributes to the flow of pieces."""
    slots = piece_slots(function)
    own: list[object] = []
    fields: list[tuple[str, bytes]] = []
    calls: list[tuple[str, tuple[bytes, ...]]] = []
    for step in piece_flow(function):
        match step.way:
            case Assignment(str(to), value) if to.startswith("field "):
                fields.append((to, _digest(value)))
            case CallSite(called, args, into, shared):
                if into in slots or not slots.keys().isdisjoint(shared):
                    own.append((called, -1 if into is None else into, shared))
                calls.append((called, tuple(map(_digest, args))))
            case way:
                own.append(way)
    about = function.name, function.params, tuple(slots.items())
    return FlowDigest(structural_digest(about, tuple(own)) if own or slots else b"", tuple(fields), tuple(calls))


def _digest(e: m.Expr) -> bytes:
    """A digest of an origin; most are a single node."""
    match e:
        case m.Local(slot):
            return b"local %d" % slot
        case m.Const(int(value)):
            return b"const %d" % value
        case _:
            return b"any" if e is _ANY else structural_digest(e)


@memoized_by_node
def piece_slots(function: m.Function) -> dict[int, Kind]:
    """The slots of a function that hold pieces, and the kinds of their types."""
    return {number: slot.ty.kind for number, slot in enumerate(function.slots) if slot.ty.universe == "Piece"}


@memoized_by_node
def answered(query: m.QueryDef) -> m.Expr:
    """The origin of the pieces that a query answers with."""
    return _origin(query.body)


def _way(function: m.Function, i: m.Instr, own: dict[int, Kind]) -> Assignment | CallSite | None:
    name = function.name
    match i:
        case m.SetLocal(slot) if slot in own:
            return Assignment((name, slot), _origin(i.value), own[slot])
        case m.Append(slot) if slot in own:
            return Assignment((name, slot), _origin(i.value), "entity")
        case m.Choose(into=slot) | m.Chance(into=slot) if slot in own and i.source is not None:
            return Assignment((name, slot), _origin(i.source), "list" if i.is_list else "set")
        case m.SetField(field):
            return Assignment(f"field {field}", _origin(i.value), "")
        case m.Move(what, is_list, zone):
            return Assignment(f"zone {zone}", _origin(what), "list" if is_list else "set")
        case m.Return(value) if value is not None:
            result = function.result
            if result is None or result.universe == "Piece":
                return Assignment((name, RESULT), _origin(value), result.kind if result is not None else "")
        case m.Call(called, args, into, _, shared):
            return CallSite(called, tuple(map(_origin, args)), into, tuple(shared))
        case m.SetLocal() | m.Append() | m.Choose() | m.Chance() | m.Return():
            pass  # into a slot, or out of a function, that is of no pieces
        case (
            m.Reset() | m.Flip() | m.SwapItems() | m.Merge() | m.Eliminate() | m.Jump() | m.JumpUnless()
            | m.FinishWin() | m.FinishRank() | m.Fail() | m.Show() | m.Tell() | m.Fired() | m.Observe() | m.Turn()
        ):  # fmt: skip
            pass  # no value comes anywhere
        case _:
            assert_never(i)
    return None


def _origin(e: m.Expr) -> m.Expr:
    """An expression with the same pieces, from the same places: see :meth:`HeldPieces.of`."""
    match origin(e):
        case Part(of, kind):
            return m.Filter(_origin(of), "", _TRUE, kind == "list") if kind else _origin(of)
        case Combined("union", parts, "entity"):
            return m.MakeSet(tuple(map(_origin, parts)))
        case Combined(op, (left, right), kind):
            one, other = _origin(left), _origin(right)
            return m.SetOp(op, one, other) if kind == "set" else m.IfElse(_TRUE, one, other)
        case m.LetIn() as let:
            return replace(let, value=_origin(let.value), body=_origin(let.body))
        case m.CallQuery(query, args):
            return m.CallQuery(query, tuple(map(_origin, args)))
        case m.FieldGet(field):
            return m.FieldGet(field, ())
        case own if isinstance(own, Zoned):
            return m.ZoneGet(own.zone, ())
        case own:
            return own if isinstance(own, m.Const | m.ListConst | m.Local | m.Var | m.Kind) else _ANY


def names_of(inside: Iterable[object]) -> tuple[str, ...]:
    """The zones, fields and queries among some expressions."""
    found: dict[str, None] = {}
    for e in inside:
        match e:
            case _ if isinstance(e, Zoned):
                found[f"zone {e.zone}"] = None
            case m.FieldGet(field):
                found[f"field {field}"] = None
            case m.CallQuery(query):
                found[ASKS + query] = None
            case _:
                pass  # it names none
    return tuple(found)
