"""Conditions: of ends and consequences, evaluated again only when they could have become true, and shared ones.

That a condition of an end holds for no player is kept as the result of a query is, until an instruction writes
something that it reads, about pieces that it is about (:mod:`rulewright.ir.dataflow.piece_effects`). The conditions of
words that stand with many questions are each written once, as a function of the slots that they read; they are the same
but for the numbers of slots and the names of variables (alpha equivalence).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import I32, Term, call, mem32, mem64
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import condition_set_by
from rulewright.ir.model import NONE
from rulewright.ir.walk import allowed, field_names, nodes


class ConditionLowering:
    """Writes the instructions that find out for whom a condition holds."""

    def __init__(self, lower: ExpressionLowering, store: Callable[[int, Value], None]) -> None:
        """`store` stores a value in a slot."""
        self._lower, self._store = lower, store

    def write(self, i: m.SetLocal) -> bool:
        """Write an instruction; False if it is no such one, or its result is not kept."""
        writer, ctx, body = self._lower.writer, self._lower.ctx, self._lower.writer.body
        table = ctx.memos.find(condition_set_by(ctx.program.functions[ctx.functions[writer.function]], i))
        if table is None:
            return False
        ctx.log.note("conditions")
        pays = ctx.facts.pays(i.value)
        with table.when_valid(body) as row:
            if pays and table.cost is not None:
                writer.pay_now(mem64(row, table.cost))
            self._store(i.slot, Value(known=NONE))
        with body.otherwise():
            left = body.hold(ctx.budget) if pays else ctx.budget
            v = self._lower.value(i.value)
            self._store(i.slot, v)
            with body.when(v.term.eq(NONE)):
                if pays:
                    table.keep_cost(body, row, left - ctx.budget)
                table.mark_valid(body, row)
        return True


SMALLEST, FEWEST = 12, 3
"""So many nodes has what is shared at least, and in so many places it stands."""
_RULE = "(shared conditions)"


@dataclass(frozen=True, slots=True)
class _Place:
    """A condition, the function in which it stands, and the slots that it reads, in the order of their first use."""

    condition: m.Fold
    function: int
    slots: tuple[int, ...]


class SharedConditions:
    """The conditions of a program that are shared, and their functions."""

    def __init__(self, ctx: LoweringContext) -> None:
        self._ctx = ctx
        self._groups: dict[object, list[_Place]] = {}
        for number, function in enumerate(ctx.program.functions) if ctx.log.makes("sharing") else ():
            for i in function.code:
                for condition in _conditions(i):
                    self._note(number, condition)
        self._shared = {
            id(one.condition): (one, key)
            for key, places in self._groups.items()
            if len(places) >= FEWEST
            for one in places
        }
        self._numbers: dict[object, int] = {}

    def _note(self, function: int, condition: m.Fold) -> None:
        if self._ctx.facts.free(condition) or sum(1 for _ in nodes(condition)) < SMALLEST:
            return
        slots: dict[int, int] = {}
        key = _key(condition, slots, {})
        declared = self._ctx.program.functions[function].slots
        if all(declared[slot].ty.kind not in ("set", "list") for slot in slots):
            types = tuple((declared[slot].ty, self._is_null(function, slot)) for slot in slots)
            self._groups.setdefault((key, types), []).append(_Place(condition, function, tuple(slots)))

    def _is_null(self, function: int, slot: int) -> bool:
        declared = self._ctx.program.functions[function]
        return declared.slots[slot].ty.optional or ("slot", declared.name, slot) in self._ctx.null

    def of(self, writer: FunctionWriter, condition: m.Expr) -> Term | None:
        """The truth of a condition, if it is shared."""
        found = self._shared.get(id(condition))
        if found is None or writer.earlier:
            return None
        place, key = found
        writer.ctx.log.note("sharing")
        return call(self._number(key), *(mem32(writer.frame, writer.slots[slot][0]) for slot in place.slots))

    def _number(self, key: object) -> int:
        if key not in self._numbers:
            self._numbers[key] = self._write(self._groups[key][0])
        return self._numbers[key]

    def _write(self, place: _Place) -> int:
        ctx = self._ctx
        function = ctx.program.functions[place.function]
        number = ctx.module.declare((I32,) * len(place.slots), (I32,))
        with ctx.log.inside(_RULE):
            body = ctx.rule_body(number)
            body.entered()
            writer = FunctionWriter(ctx, body)
            writer.function = function.name
            writer.given = {
                slot: ctx.typed((one,), function.slots[slot].ty, self._is_null(place.function, slot))
                for one, slot in zip(body.parameters(), place.slots, strict=True)
            }
            body.push(expressions(writer).value(place.condition).holds)
            ctx.module.define(number, body)
        return number


def _conditions(i: m.Instr) -> Iterator[m.Fold]:
    """The parts of the conditions under which words are offered that are evaluated one by one."""
    waiting: list[m.Expr] = []
    for extra in i.extras if isinstance(i, m.Choose) else ():
        waiting += [*([extra.guard] if extra.guard is not None else []), *allowed(extra.restrictions)]
    while waiting:
        match waiting.pop():
            case m.And(items) | m.Or(items):
                waiting += items
            case m.Not(operand):
                waiting.append(operand)
            case m.Fold(kind="some" | "no" | "every") as condition:
                yield condition
            case _:
                pass


def _key(e: Any, slots: dict[int, int], names: dict[str, int]) -> object:
    """A key that is equal for conditions that are the same; slots and variables are numbered as they are come to."""
    match e:
        case m.Local(slot):
            return m.Local(slots.setdefault(slot, len(slots)))
        case m.Var(name):
            return m.Var(str(names.setdefault(name, len(names))))
        case tuple():
            return tuple(_key(part, slots, names) for part in e)
        case _:
            pass
    if isinstance(e, int | str | None):
        return e
    parts = [
        names.setdefault(value, len(names)) if name == "var" and isinstance(value, str) else _key(value, slots, names)
        for name in field_names(type(e))
        for value in (getattr(e, name),)
    ]
    return type(e), *parts
