"""Writing expressions into a function; what is particular to each kind of them is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from rulewright.engine.native.lowering.expressions.known_values import ComponentAnswers, is_lazy, known_truth, level_of
from rulewright.engine.native.lowering.expressions.list_writer import ListWriter
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.memory_map import cell_bytes
from rulewright.engine.native.values import ABSOLUTE, Unsupported, Value, present
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.terms import I64, Term, const, mem32, mem64
from rulewright.ir import model as m

Part = Callable[["ExpressionLowering"], object]
Kinds = Mapping[type, tuple[Part, Callable[[Any, Any], Value]]]
"""For each kind of expression who writes it, made once for a function, and by which method."""


def _nothing(writer: FunctionWriter, e: m.Expr) -> None:
    return None


class ExpressionLowering:
    """Writes what a function needs for expressions."""

    def __init__(self, writer: FunctionWriter, kinds: Kinds) -> None:
        self.writer, self.ctx, self.body, self.kinds = writer, writer.ctx, writer.body, kinds
        self.lists = ListWriter(writer)
        self.parts: dict[Part, object] = {}
        self.components: ComponentAnswers | None = None
        """Of a function that asks for a flood what it keeps for all places that hang together."""
        self.shared: Callable[[FunctionWriter, m.Expr], Term | None] = _nothing
        """Gives the truth of a condition that has a function of its own."""

    def value(self, e: m.Expr) -> Value:
        """Write what is needed for an expression, here or before the loops around; where its value is."""
        level = level_of(self.writer, e)
        if level is None:
            return self.fresh(e)
        if not isinstance(e, m.Local):
            self.ctx.log.note("hoisting", e.query if isinstance(e, m.CallQuery) else "")
        if not is_lazy(self.ctx, e):
            return self.writer.before_loops(level, lambda: self.fresh(e))
        done = self.body.local()
        self.writer.before_loops(level, lambda: self.writer.assign_number(done, 0))
        pays = self.ctx.facts.pays(e)
        cost = self.body.local(I64) if pays else None
        with self.body.when(done.eqz()):
            left = self.body.hold(self.ctx.budget) if pays else self.ctx.budget
            found = self.fresh(e)
            if cost is not None:
                self.body.set(cost, left - self.ctx.budget)
            self.writer.assign_number(done, 1)
        if cost is not None:  # a value that is known costs what it did
            with self.body.otherwise():
                self.writer.pay_now(cost)
        return found

    def fresh(self, e: m.Expr) -> Value:
        """Write an expression here; the body of a query has the type of the query, too."""
        name = self.ctx.optimizer.origin(e)
        if not name:
            return self._written(e)
        with self.inside(e):
            v = self._written(e)
        ty = self.ctx.queries[name].ty
        if v.is_set or v.is_list or ty.kind in ("set", "list") or v.constant is not None:
            return v
        low, high = self.ctx.bounds(ty)
        return replace(v, low=max(v.low, low), high=min(v.high, high))

    def _written(self, e: m.Expr) -> Value:
        written = self.kinds.get(type(e))
        if written is None:
            raise Unsupported(type(e).__name__)
        part, method = written
        found = self.parts.get(part)
        if found is None:
            found = self.parts[part] = part(self)
        return method(found, e)

    def set(self, e: m.Expr) -> Value:
        """An expression that gives a set."""
        return self.writer.as_set(self.value(e))

    @contextmanager
    def loop(self, source: Value, var: str) -> Iterator[tuple[Value, int, int]]:
        """A loop over a set or list with `var` bound; gives the member, and labels that go on and that leave."""
        with (self.lists.loop if source.is_list else self.writer.loop)(source, var) as found:
            yield found

    @contextmanager
    def inside(self, e: m.Expr) -> Iterator[None]:
        """Code of the query whose body an expression is that stands where it was called, if it is one."""
        name = self.ctx.optimizer.origin(e)
        if not name or name == self.ctx.log.rule:
            yield
            return
        with self.ctx.log.inside(name):
            self.writer.body.entered()
            yield

    def level(self, v: Value, e: m.Expr) -> int:
        """The number of the loops around in which an expression has its value."""
        if v.is_list:  # its address may be known, its items are not
            return self.writer.depth
        if v.constant is not None:
            return 0
        level = None if is_lazy(self.ctx, e) else level_of(self.writer, e)
        return self.writer.depth if level is None else level  # `value` has put it there

    def collection(self, e: m.Expr) -> Value:
        """An expression that gives a set or a list."""
        v = self.value(e)
        return v if v.is_list else self.writer.as_set(v)

    def members(self, e: m.Expr) -> Value:
        """A set, or the items of a list as a set."""
        v = self.value(e)
        return self.lists.as_set(v) if v.is_list else self.writer.as_set(v)

    def guard(self, e: m.Expr, leave: int, when: bool = False) -> None:
        """Go to a label if a condition has the truth `when`."""
        if not self.ctx.optimizer.origin(e):
            self._guard(e, leave, when)
            return
        with self.inside(e):
            if level_of(self.writer, e) is not None:
                self._guard_value(e, leave, when)
            else:
                self._guard(e, leave, when)

    def _guard(self, e: m.Expr, leave: int, when: bool) -> None:
        """Write an expression here, without what is evaluated before the loops around."""
        body = self.writer.body
        truth = known_truth(self.writer, e)
        if truth is not None:
            if truth is when:
                body.branch(leave)
            return
        match e:
            case m.Not():
                self.guard(e.operand, leave, not when)
            case m.And(items) if not when:
                for item in items:
                    self.guard(item, leave)
            case m.Or(items) if when:
                for item in items:
                    self.guard(item, leave, True)
            case m.And(items):
                with body.block() as out:
                    for item in items:
                        self.guard(item, out)
                    body.branch(leave)
            case m.Or(items):
                with body.block() as out:
                    for item in items:
                        self.guard(item, out, True)
                    body.branch(leave)
            case m.Charged(steps, of, each=0, all=False):
                self.writer.pay_now(steps)
                self.guard(of, leave, when)
            case _:
                self._guard_value(e, leave, when)

    def _guard_value(self, e: m.Expr, leave: int, when: bool) -> None:
        """Write a condition that is no combination of others, or is evaluated before the loops."""
        holds = self.shared(self.writer, e)
        if holds is None:
            holds = self.value(e).holds
        self.writer.body.branch_if(leave, holds if when else holds.eqz())

    def decide(self, e: m.Expr) -> Value:
        """The truth of a condition, 0 or 1."""
        truth = self.body.hold(const(0))
        with self.body.block() as out:
            self._guard(e, out, False)
            self.body.set(truth, 1)
        return Value((truth,), low=0, high=1)

    # -------------------------------------------------------------------------------------------------- addresses

    def address(
        self, at: int, span: int, index: tuple[m.Expr, ...], strides: tuple[int, ...], universes: tuple[str, ...]
    ) -> Address:
        """The address of a value with keys; `at` is the address of the first, `span` the bytes from cell to cell."""
        keys = [
            self.canonical(universe, self.value(e)) if universe in self.ctx.layout.merged else self.value(e)
            for e, universe in zip(index, universes, strict=True)
        ]
        parts: list[tuple[Value, int]] = []
        for key, stride in zip(keys, strides, strict=True):
            if key.constant is not None and key.constant >= 0:
                at += key.constant * stride * span
            else:
                parts.append((key, stride * span))
        return Address(self.writer, at, parts, [key for key in keys if key.null])

    def canonical(self, merged: str, of: Value) -> Value:
        """The living region to which a region or place belongs."""
        if of.living and not self.writer.earlier:
            return of
        place = self.ctx.layout.merged[merged]
        found = self.table(self.cell_at(place.rep), 4, of)
        return found.load_number(0, place.size - 1, living=True)

    def table(self, at: int, span: int, key: Value) -> Address:
        """The address of an entry of a constant table, each of which takes `span` bytes."""
        known = key.constant
        if known is not None and known >= 0:
            return Address(self.writer, at + known * span, [], [])
        return Address(self.writer, at, [(key, span)], [key] if key.null else [])

    def cell_at(self, cell: int) -> int:
        """The address of a cell of the state that is read."""
        return self.ctx.memory.cell_at[cell] + self.writer.behind

    def cell(
        self, cell: int, strides: tuple[int, ...], universes: tuple[str, ...], index: tuple[m.Expr, ...]
    ) -> tuple[Address, int]:
        """The address of a cell with keys, and how many bits it has."""
        width = self.ctx.layout.widths[cell]
        at, span = self.cell_at(cell), cell_bytes(width)
        return self.address(at, span, index, strides, universes), abs(width)


class Address:
    """An address with a part that is known and parts that depend on keys."""

    def __init__(self, writer: FunctionWriter, at: int, parts: list[tuple[Value, int]], nulls: list[Value]) -> None:
        self.writer, self.at, self.parts, self.nulls = writer, at, parts, nulls
        """`nulls` are the keys that may be none."""

    @property
    def base(self) -> Term:
        """The part that depends on keys."""
        return reduce(add, (_scaled(key.term, stride) for key, stride in self.parts)) if self.parts else ABSOLUTE

    def trap_unless_present(self) -> None:
        """Stop if one of the keys is none."""
        if self.nulls:
            self.writer.body.trap_if(present(self.nulls).eqz())

    def load_number(self, low: int, high: int, null: bool = False, living: bool = False) -> Value:
        """The number there; none if a key is none."""
        body = self.writer.body
        result = Value((body.local(),), null=null or bool(self.nulls), low=low, high=high, living=living)
        with self.writer.unless_null(self.nulls, result):
            is_signed = any(key.low < 0 for key, _ in self.parts)  # what an instruction adds to an address has no sign
            body.set(result.local, mem32(self.base + self.at) if is_signed else mem32(self.base, self.at))
        return result

    def load_address(self, result: Value) -> Value:
        """The address itself, as that of a list; of an empty one if a key is none."""
        body = self.writer.body
        with self.writer.unless_null(self.nulls, result):
            body.set(result.local, self.base + self.at)
        return result

    def load_set(self, bits: int, small: bool, living: bool = False) -> Value:
        """The set there; empty if a key is none."""
        body, result = self.writer.body, self.writer.allocate_set(bits, living)
        if small:  # a cell that is no whole word is never referred to
            result = Value((body.local(I64),), is_set=True, bits=bits, living=living)
        with self.writer.unless_null(self.nulls, result):
            if result.in_memory:
                self.writer.assign(result, Value(is_set=True, bits=bits, base=body.hold(self.base), at=self.at))
                return result
            base = body.hold(self.base) if len(result.locals) > 1 else self.base
            for number, local in enumerate(result.locals):
                body.set(local, mem64(base, self.at + 8 * number, Op.I64_LOAD32_U if small else Op.I64_LOAD))
        return result


def _scaled(key: Term, stride: int) -> Term:
    """A key times the bytes of what it counts."""
    if stride & (stride - 1):
        return key * stride
    return key << stride.bit_length() - 1 if stride > 1 else key


class LoweringPart:
    """Writes some kinds of expressions or instructions into a function."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body
