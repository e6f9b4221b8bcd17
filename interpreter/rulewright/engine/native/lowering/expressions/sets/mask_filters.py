"""Conditions on members as sets: what holds for which members at once, without a loop.

For a field with few values the members that have each value lie side by side in memory. On a grid a step of the map is
a shift of bits (as chess programs move bitboards).
"""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import assert_never

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering, LoweringPart
from rulewright.engine.native.lowering.expressions.known_values import known_members, known_number
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.memory_map import WORD_BITS, is_large, words
from rulewright.engine.native.values import MASK, Value, constant, constant_set, present
from rulewright.engine.native.webassembly.terms import I64, Local, Term, const, select
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.comparison import mirrored
from rulewright.ir.graphs import against, walks
from rulewright.ir.model import MAX_NUMBER_BITS, NONE


def printed_members(lower: ExpressionLowering, table: str, v: Value, nothing: bool) -> Value:
    """The members on which a value is printed; with `nothing` none is equal to none."""
    printed = lower.ctx.found.printed(table)
    if v.constant is not None:
        is_wanted = v.known != NONE or nothing
        return constant_set(sum(1 << n for n, one in enumerate(printed.values) if is_wanted and one == v.known))
    at = lower.ctx.memory.sets(printed.sets, words(len(printed.values)))
    return members_with(lower, at, (printed.low, printed.high), len(printed.values), v, nothing)


def members_with(
    lower: ExpressionLowering, at: int, bounds: tuple[int, int], keys: int, v: Value, nothing: bool
) -> Value:
    """The set of a value among sets that begin with that of none and end with an empty one."""
    low, high = bounds
    span, empty = 8 * words(keys), high - low + 2
    none = 0 if nothing else empty
    if v.constant is not None:
        row = none if v.known == NONE else v.known - low + 1 if low <= v.known <= high else empty
        return Address(lower.writer, at + row * span, [], []).load_set(keys, False)
    body, slot = lower.body, lower.body.local()
    body.set(slot, v.term - (low - 1))
    if v.low < low or v.high > high:
        body.set(slot, select(slot, empty, slot.lt_u(empty) & slot.ne(0)))
    if v.null:
        body.set(slot, select(slot, none, present([v])))
    return Address(lower.writer, at, [(Value((slot,), low=0, high=empty), span)], []).load_set(keys, False)


FAR = 16
"""Longer paths are not shifted at once."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Steps that lead from every place, where they lead to one, to that with a number so much larger."""

    by: int
    places: int
    """The places from which they lead to one, as a set."""


def shift_of(graph: m.Graph, direction: int, steps: int) -> Shift | None:
    """The shift that some steps in a direction are; None if they are none."""
    if not 0 <= direction < len(graph.towards) or abs(steps) > FAR or is_large(len(graph.neighbours)):
        return None
    reached = walks(graph.towards if steps >= 0 else against(graph.towards), 1 + abs(steps))[-1][direction]
    by = {to - place for place, to in enumerate(reached) if to != NONE}
    if len(by) > 1:
        return None
    return Shift(next(iter(by), 0), sum(1 << place for place, to in enumerate(reached) if to != NONE))


def shifted_back(writer: FunctionWriter, v: Value, shift: Shift) -> Value:
    """The places from which steps lead into a set."""
    size = shift.places.bit_length()
    if not size:
        return constant_set(0)
    result = writer.allocate_set(size)
    further, bits = divmod(shift.by, WORD_BITS)
    for number in range(words(size)):
        places = shift.places >> WORD_BITS * number & MASK
        writer.body.set(result.locals[number], _shifted(v, number + further, bits) & places)
    return result


def _shifted(v: Value, number: int, bits: int) -> Term:
    """64 bits of a set, beginning so many bits behind the begin of a word."""
    if not bits:
        return v.word(number) if 0 <= number < v.words else const(0, I64)
    parts = [v.word(number) >> bits] if 0 <= number < v.words else []
    if 0 <= number + 1 < v.words:
        parts.append(v.word(number + 1) << WORD_BITS - bits)
    return reduce(or_, parts) if parts else const(0, I64)


Masked = tuple[Value, bool]
"""A set, and True if the condition holds for all that are not in it."""
UNKNOWN = Value((Local(0),))
"""Stands for the member while conditions are looked at."""


class MaskFilters(LoweringPart):
    """Takes conditions out of loops where they can be had for the whole set."""

    def narrow(self, source: Value, var: str, parts: list[m.Expr]) -> tuple[Value, list[m.Expr]]:
        """The source with as many conditions as possible done at once, and the conditions left (errors in order)."""
        if not self.ctx.log.makes("masks"):
            return source, parts
        rest: list[m.Expr] = []
        for number, part in enumerate(parts):
            if self.ctx.facts.fallible(part):
                return source, [*rest, *parts[number:]]
            if not self._is_mask(part, var):
                rest.append(part)
                continue
            self.ctx.log.note("masks")
            with self.lower.inside(part):
                for mask, others in self._masks(part, var):
                    source = self.combine(source, mask, others)
        return source, rest

    def combine(self, source: Value, mask: Value, others: bool) -> Value:
        """The members of a set that are in another one, or those that are not."""
        bits = source.bits if others else min(source.bits, mask.bits)
        if others:
            return self.writer.without(bits, source, mask, source.living)
        return self.writer.wordwise(bits, (source, mask), and_, source.living)

    def are_masks(self, parts: list[m.Expr], var: str) -> bool:
        """True if all of some conditions can be had at once."""
        return self.ctx.log.makes("masks") and self._are_masks(parts, var)

    def _are_masks(self, parts: list[m.Expr], var: str) -> bool:
        return all(self._is_mask(part, var) for part in parts)

    def _is_mask(self, part: m.Expr, var: str) -> bool:
        free = self.ctx.facts.free
        match part:
            case m.Not(operand):
                while isinstance(operand, m.Old):
                    operand = operand.of
                return isinstance(operand, m.Contains | m.Cmp | m.FieldGet) and self._is_mask(operand, var)
            case m.Old():
                return self._is_mask(part.of, var)
            case m.And(items):
                return self._are_masks(list(items), var)
            case m.FieldGet(field, (m.Var(name),)):
                return name == var and field in self.ctx.memory.value_sets
            case m.Contains(_, m.Var(name), False):
                return name == var and var not in free(part.collection)
            case m.Fold(kind="every", binds=(bind,), where=None) if part.body is not None and bind.var != var:
                body = part.body
                members = known_members(self.writer, bind.source) if self.ctx.log.makes("unrolling") else None
                return members is not None and all(self._is_mask_with(bind.var, n, body, var) for n in members)
            case m.LetIn(name, value, body):
                number = known_number(self.writer, value)
                with self.writer.binding(name, UNKNOWN if number is None else constant(number)):
                    return var not in free(value) and name != var and self._is_mask(body, var)
            case m.Cmp() if self._among_numbers(part, var) is not None:
                return True
            case m.Cmp() if part.op in ("eq", "ne"):
                left, right = self._sides(part, var)
                if var in free(right):
                    return False
                match left:
                    case m.FieldGet(field, (m.Var(name),)):
                        return name == var and field in self.ctx.memory.value_sets
                    case m.FieldGet(field, (m.Towards(place=m.Var(name)) as way,)):
                        known = field in self.ctx.memory.value_sets and part.op == "eq" and not part.nothing
                        return name == var and known and self._shift(way) is not None
                    case m.Attr(table, m.Var(name)):
                        return name == var and self.ctx.found.printed(table).sets != ()
                    case _:
                        return False
        return False

    def _among_numbers(self, part: m.Cmp, var: str) -> Masked | None:
        """The numbers for which a comparison of the member itself with a number that is known now holds."""
        op, known = part.op, known_number(self.writer, part.right)
        if part.left != m.Var(var):
            if part.right != m.Var(var):
                return None
            op, known = mirrored(op), known_number(self.writer, part.left)
        if known is None or not 0 <= known < MAX_NUMBER_BITS:
            return None
        smaller = (1 << known) - 1
        match op:
            case "eq" | "ne":
                return constant_set(1 << known), op == "ne"
            case "lt" | "ge":
                return constant_set(smaller), op == "ge"
            case "le" | "gt":
                return constant_set(smaller | 1 << known), op == "gt"
            case _:
                assert_never(op)

    def _is_mask_with(self, name: str, known: int, part: m.Expr, var: str) -> bool:
        with self.writer.binding(name, constant(known)):
            return self._is_mask(part, var)

    def _shift(self, way: m.Towards) -> Shift | None:
        """The shift that a way is whose direction and length are known now."""
        if not self.ctx.log.makes("shifts"):
            return None
        direction, steps = known_number(self.writer, way.direction), known_number(self.writer, way.steps)
        if direction is None or steps is None:
            return None
        return shift_of(self.ctx.graphs[way.graph], direction, steps)

    def _sides(self, e: m.Cmp, var: str) -> tuple[m.Expr, m.Expr]:
        """The side of a comparison that depends on a member, and the other one."""
        return (e.right, e.left) if var in self.ctx.facts.free(e.right) else (e.left, e.right)

    def _masks(self, part: m.Expr, var: str) -> list[Masked]:
        """The members for which a condition holds that is a mask: they are in all of these sets."""
        match part:
            case m.Not():
                return [(mask, not others) for mask, others in self._masks(part.operand, var)]
            case m.And(items):
                return [mask for item in items for mask in self._masks(item, var)]
            case m.Old():
                with self.writer.of_earlier_state():
                    return self._masks(part.of, var)
            case m.FieldGet():
                return [(self._equal(part, m.Const(1), False), False)]
            case m.Contains():
                return [(self.lower.set(part.collection), False)]
            case m.Fold(binds=(bind,)) if part.body is not None:
                found: list[Masked] = []
                for member in known_members(self.writer, bind.source) or ():
                    with self.writer.binding(bind.var, constant(member)):
                        found += self._masks(part.body, var)
                return found
            case m.LetIn():
                value = self.lower.value(part.value)
                with self.writer.binding(part.var, value, self.lower.level(value, part.value)):
                    return self._masks(part.body, var)
            case m.Cmp() if (mask := self._among_numbers(part, var)) is not None:
                return [mask]
            case m.Cmp():
                left, right = self._sides(part, var)
                return [(self._equal(left, right, part.nothing or part.op == "ne"), part.op == "ne")]
            case _:
                raise AssertionError(part)

    def _equal(self, left: m.Expr, right: m.Expr, nothing: bool) -> Value:
        """The members for which the left side is the right one, which does not depend on them; with `nothing` none is
        equal to none.
        """
        if isinstance(left, m.Attr):
            return self.lower.set(m.Preimage(left.table, right, nothing))
        assert isinstance(left, m.FieldGet)
        sets = self.ctx.memory.value_sets[left.field]
        at = self.ctx.memory.sets_at + sets.offset + self.writer.behind
        found = members_with(self.lower, at, (sets.low, sets.high), sets.keys, self.lower.value(right), nothing)
        way = left.index[0]
        if not isinstance(way, m.Towards):
            return found
        shift = self._shift(way)
        assert shift is not None
        self.ctx.log.note("shifts")
        return shifted_back(self.writer, found, shift)
