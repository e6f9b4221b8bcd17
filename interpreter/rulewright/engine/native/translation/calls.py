"""Calls in kernels: of functions and methods, of what is built in, and of classes, which make records."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from math import sqrt
from typing import Any

from rulewright.engine.native.translation.expressions import ExpressionTranslation
from rulewright.engine.native.translation.function_table import Intrinsic
from rulewright.engine.native.translation.operands import (
    ANY_LINKS,
    ZERO,
    Bound,
    Operand,
    Static,
    Value,
    combined,
    compared,
    is_simple,
    load,
    lowered,
    natural,
    refused,
)
from rulewright.engine.native.translation.record_layout import (
    COUNT,
    I32,
    INT,
    ITEMS,
    MOST,
    REAL,
    ROOM,
    WORD,
    Address,
    Interface,
    Kind,
    Link,
    Row,
    Scalar,
    VectorType,
    kind_of,
)
from rulewright.engine.native.translation.sources import Source, source_of
from rulewright.engine.native.webassembly.terms import Emitted, Memory, Term, call, const, mem32, select


class CallTranslation(ExpressionTranslation):
    """The calls of one function."""

    def call(self, function: ast.expr, given: Sequence[ast.expr], named: Sequence[ast.keyword]) -> Operand:
        """A call of a function, a method or a class."""
        if isinstance(function, ast.Attribute):
            of = self.operand(function.value)
            if not isinstance(of, Static):
                return self._method(of, function.attr, given)
        found = self.operand(function)
        if not isinstance(found, Static):
            refused("that cannot be called")
        called = found.value
        if called in _BUILT_IN:
            return _BUILT_IN[called](self, *given)
        if called in self.translator.intrinsics:
            return self._intrinsic(self.translator.intrinsics[called], given)
        if isinstance(called, type) and called.__name__ in ("Words", "Floats", "Links", "Records"):
            return self._row(called.__name__, given)
        if isinstance(called, type) and is_dataclass(called):
            return self._constructed(called, given, named, None)
        return self._function(source_of(called), [], given)

    def _intrinsic(self, called: Intrinsic, given: Sequence[ast.expr]) -> Operand:
        terms = [self.term(one, kind) for one, kind in zip(given, called.parameters, strict=True)]
        return Value(called.result, called.write(*terms))

    def _method(self, of: Operand, name: str, given: Sequence[ast.expr]) -> Operand:
        if isinstance(of, Bound):
            return self._bound_method(of, name, given)
        assert isinstance(of, Value)
        if isinstance(of.kind, VectorType):
            return self._vector_method(of, of.kind.record, name, given)
        if isinstance(of.kind, Scalar):
            return self._bits(of, name)
        if not isinstance(of.kind, Address):
            refused(f"there is no `{name}`")
        found = inspect.getattr_static(of.kind.record, name, None)
        if not inspect.isfunction(found):
            refused(f"{of.kind.record.__name__} has no `{name}`")
        return self._function(source_of(found), [of], given)

    def _bound_method(self, of: Bound, name: str, given: Sequence[ast.expr]) -> Operand:
        source = source_of(inspect.getattr_static(of.protocol, name))
        kinds = [kind_of(one, source.names) for one in source.annotations()]
        method = getattr(of.binding, name)
        terms = [self.term(one, kind or INT) for one, kind in zip(given, kinds, strict=True)]
        kind = source.result()
        if kind is None:
            method(self.body, *terms)
            return Static(None)
        return Value(kind, Emitted(kind.kind, lambda: method(self.body, *terms)))

    @staticmethod
    def _bits(of: Value, name: str) -> Operand:
        is_word = of.kind == WORD
        if name == "bit_count":
            return Value(INT, of.term.popcnt().wrap() if is_word else of.term.popcnt())
        if name == "bit_length":
            word = of.term if is_word else of.term.extend_u()
            return Value(INT, const(64) - word.clz().wrap())
        return refused(f"there is no `{name}`")

    def _function(self, source: Source, before: Sequence[Operand], given: Sequence[ast.expr]) -> Operand:
        """A call of a function, or what it gives in the place of its call."""
        wanted = len(source.parameters()) - len(before)
        if len(given) != wanted:
            refused(f"`{source.name}` needs {wanted} argument{'s' * (wanted != 1)}, not {len(given)}")
        if source.only_value() is not None:
            return self.inlined(source, before, [self.operand(one) for one in given])
        number, kinds, result = self.translator.declared(source)
        operands = [*before, *map(self.operand, given)]
        terms = [lowered(one, kind) for one, kind in zip(operands, kinds, strict=True) if kind is not None]
        if result is None:
            self.body.call(number, *terms)
            return Static(None)
        return Value(result, call(number, *terms, gives=result.kind))

    def inlined(self, source: Source, before: Sequence[Operand], given: Sequence[Operand]) -> Operand:
        """The value of a function in the place of its call."""
        value = source.only_value()
        if value is None or source in self._inside:
            refused(f"`{source.name}` is more than one value")
        kept = self.source, self.names
        held = [self.hold(one) for one in (*before, *given)]
        names = [name for name, _ in source.parameters()]
        self._inside.append(source)
        self.source, self.names = source, dict(zip(names, held, strict=True))
        try:
            return self.operand(value)
        finally:
            self.source, self.names = kept
            self._inside.pop()

    # ------------------------------------------------------------------------------------------ records and vectors

    def _row(self, name: str, given: Sequence[ast.expr]) -> Operand:
        """A new row, of which everything is 0."""
        item: Scalar | Address | Link = REAL if name == "Floats" else WORD
        if name == "Records":
            made = self.operand(given[0])
            assert isinstance(made, Static)
            item = Address(made.value)
            if any(one.default not in (0, 0.0, None) for one in fields(made.value)):
                refused("the records of a row are 0 at first")
        elif name == "Links":
            return Value(ANY_LINKS, self._zeros(given[-1], 4))
        return Value(Row(item), self._zeros(given[-1], self.translator.layouts.step(item)))

    def _zeros(self, count: ast.expr, step: int) -> Term:
        number = self.hold(self.operand(count))
        if number == Static(0):
            return ZERO

        def write() -> Term:
            size = lowered(combined(ast.Mult(), number, Static(step)), INT)
            at = self.translator.take(self.body, size)
            self.body.fill(at, const(0), lowered(combined(ast.Mult(), number, Static(step)), INT))
            return at

        return Emitted(I32, write)

    def fill_vector(self, at: Value, e: ast.expr) -> None:
        """Let a vector be a new one."""
        match e:
            case ast.Call(ast.Name("Vector"), [most]):
                for offset, value in (
                    (ITEMS, const(0)),
                    (COUNT, const(0)),
                    (ROOM, const(0)),
                    (MOST, self.term(most, INT)),
                ):
                    self.body.set(mem32(at.term, at.offset + offset), value)
            case _:
                self.fail(e, "a vector is made where it lies, by `Vector(...)`")

    def _constructed(
        self, record: type, given: Sequence[ast.expr], named: Sequence[ast.keyword], place: Callable[[], Term] | None
    ) -> Operand:
        """A new record, at a place or where nothing was before; every field gets a value."""
        layout = self.translator.layouts.of(record)
        by_name = {one.arg: one.value for one in named}
        wanted = [one for one in fields(record) if one.init]
        exprs = dict(zip((one.name for one in wanted), given, strict=False)) | by_name
        ready: list[tuple[int, Kind, Operand | ast.expr]] = []
        for one in wanted:
            if one.name not in layout.fields:
                continue
            at, kind = layout.fields[one.name]
            if isinstance(kind, Interface):
                continue
            e = exprs.get(one.name)
            if e is None and one.default is MISSING:
                refused(f"{record.__name__} needs `{one.name}`")
            if e is None:
                ready.append((at, kind, Static(one.default)))
            else:
                ready.append((at, kind, e if isinstance(kind, VectorType) else self._settled(e, kind)))

        def write() -> Term:
            address = place() if place is not None else self.translator.take(self.body, const(layout.size))
            for at, kind, value in ready:
                if isinstance(value, ast.expr):
                    self.fill_vector(Value(kind, address, at), value)
                else:
                    self.body.set(load(kind, address, at), lowered(value, kind))
            return address

        return Value(Address(record), Emitted(I32, write))

    def _settled(self, e: ast.expr, kind: Kind) -> Operand:
        operand = self.operand(e)
        if isinstance(operand, Static) or is_simple(operand):
            return operand
        return Value(kind, self.body.hold(lowered(operand, kind)))

    def _vector_method(self, of: Value, record: type, name: str, given: Sequence[ast.expr]) -> Operand:
        count = mem32(of.term, of.offset + COUNT)
        if name == "clear":
            self.body.set(count, 0)
            return Static(None)
        if name == "drop":
            return self._drop(of, record, count, given)
        match given:
            case [ast.Call(ast.Name(made), items, named)] if name == "add" and self.source.names.get(made) is record:
                vector = Value(of.kind, self.body.hold(of.term), of.offset) if not is_simple(of) else of
                return self._constructed(record, items, named, lambda: self._next_place(vector, record))
            case _:
                return refused("vectors have `add`, of a new record, `drop` and `clear`")

    def _drop(self, of: Value, record: type, count: Memory, given: Sequence[ast.expr]) -> Operand:
        """Move the records behind one to its place."""
        body, step = self.body, self.translator.layouts.of(record).size
        at = body.hold(self.term(given[0], Address(record)))
        end = mem32(of.term, of.offset + ITEMS) + count * step
        body.copy(at, at + step, end - at - step)
        body.set(count, count - 1)
        return Static(None)

    def _next_place(self, of: Value, record: type) -> Term:
        """The address behind the last item of a vector, which has one more from now on."""
        body, step = self.body, self.translator.layouts.of(record).size
        count = body.hold(mem32(of.term, of.offset + COUNT))
        with body.when(count.eq(mem32(of.term, of.offset + ROOM))):
            body.call(self.translator.grow, of.plain, step)
        body.set(mem32(of.term, of.offset + COUNT), count + 1)
        return body.hold(mem32(of.term, of.offset + ITEMS) + count * step)

    # ---------------------------------------------------------------------------------------------------- built in

    def length(self, e: ast.expr) -> Operand:
        """`len`."""
        of = self.operand(e)
        if not isinstance(of, Value) or not isinstance(of.kind, VectorType):
            refused("only vectors have a length")
        return Value(INT, mem32(of.term, of.offset + COUNT))

    def root(self, e: ast.expr) -> Operand:
        """`sqrt`."""
        return Value(REAL, self.term(e, REAL).sqrt())

    def cut(self, e: ast.expr) -> Operand:
        """`int`: the lower 32 bits of a word."""
        of = self.operand(e)
        if isinstance(of, Static):
            return Static(int(of.value))
        return Value(INT, of.term.wrap()) if isinstance(of, Value) and of.kind == WORD else of

    def real(self, e: ast.expr) -> Operand:
        """`float`."""
        of = self.operand(e)
        return Static(float(of.value)) if isinstance(of, Static) else Value(REAL, lowered(of, REAL))

    def size(self, e: ast.expr) -> Operand:
        """`abs`."""
        of = self.hold(self.operand(e))
        minus = combined(ast.Sub(), Static(0), of)
        return self._chosen(ast.Gt(), of, Static(0), of, minus)

    def least(self, one: ast.expr, other: ast.expr) -> Operand:
        """`min`: the first, unless the second is less."""
        left, right = self.hold(self.operand(one)), self.hold(self.operand(other))
        return self._chosen(ast.Lt(), right, left, right, left)

    def highest(self, one: ast.expr, other: ast.expr) -> Operand:
        """`max`: the first, unless the second is more."""
        left, right = self.hold(self.operand(one)), self.hold(self.operand(other))
        return self._chosen(ast.Gt(), right, left, right, left)

    @staticmethod
    def _chosen(op: ast.cmpop, one: Operand, other: Operand, yes: Operand, no: Operand) -> Operand:
        condition, kind = compared(op, one, other), REAL if REAL in (natural(yes), natural(no)) else natural(yes)
        assert isinstance(condition, Value)
        return Value(kind, select(lowered(yes, kind), lowered(no, kind), condition.term, kind.kind))


_BUILT_IN: dict[Any, Callable[..., Operand]] = {
    len: CallTranslation.length,
    sqrt: CallTranslation.root,
    int: CallTranslation.cut,
    float: CallTranslation.real,
    abs: CallTranslation.size,
    min: CallTranslation.least,
    max: CallTranslation.highest,
}
