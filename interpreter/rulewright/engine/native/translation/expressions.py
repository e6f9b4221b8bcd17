"""Expressions of kernels as terms of machine code."""

from __future__ import annotations

import ast
import builtins
import inspect
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from rulewright.engine.native.translation.function_table import FunctionTable
from rulewright.engine.native.translation.operands import (
    TRUTH,
    ZERO,
    Bound,
    Operand,
    Refused,
    Static,
    Untranslatable,
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
    INT,
    ITEMS,
    MOST,
    REAL,
    WORD,
    Address,
    Interface,
    Kind,
    Link,
    Row,
    Scalar,
    VectorType,
)
from rulewright.engine.native.translation.sources import Source, source_of
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Emitted, Term, Variable, mem32, select

_ABSENT = object()


class ExpressionTranslation(ABC):
    """The expressions of one function, and those of functions that are put in the place of their calls."""

    def __init__(self, translator: FunctionTable, source: Source, body: FunctionBody) -> None:
        self.translator, self.source, self.body = translator, source, body
        self.names: dict[str, Operand] = {}
        """The variables and parameters."""
        self._inside: list[Source] = []

    def fail(self, at: ast.AST, message: str) -> NoReturn:
        """Refuse something at its place."""
        shown = ast.unparse(at).partition("\n")[0]
        raise Untranslatable(f"{self.source.file}:{getattr(at, 'lineno', 0)}: {message}: `{shown}`")

    @contextmanager
    def at(self, place: ast.AST) -> Iterator[None]:
        """Let what is refused inside be refused at a place."""
        try:
            yield
        except Refused as error:
            self.fail(place, str(error))

    # ------------------------------------------------------------------------------------------------------ values

    def term(self, e: ast.expr, kind: Kind) -> Term:
        """An expression as a term of a type."""
        operand = self.operand(e)
        with self.at(e):
            return lowered(operand, kind)

    def index(self, e: ast.expr) -> Operand:
        """An expression as a place in a row: a word is cut."""
        found = self.operand(e)
        return Value(INT, found.term.wrap()) if isinstance(found, Value) and found.kind == WORD else found

    def hold(self, operand: Operand) -> Operand:
        """An operand that can be written more than once."""
        return operand if is_simple(operand) else self.held(operand)

    def held(self, operand: Operand) -> Operand:
        """An operand in a variable of its own."""
        if isinstance(operand, Bound):
            return operand
        kind = natural(operand)
        if isinstance(kind, VectorType):
            assert isinstance(operand, Value)
            return operand if is_simple(operand) else Value(kind, self.body.hold(operand.term), operand.offset)
        return Value(kind, self.body.hold(lowered(operand, kind)))

    def truth(self, e: ast.expr) -> Static | Term:
        """A condition: known, or a term that is not 0 where it holds."""
        found = self.operand(e)
        if isinstance(found, Static):
            return Static(bool(found.value))
        with self.at(e):
            if isinstance(found, Bound) or found.kind == REAL:
                refused("only whole numbers, truths and addresses are conditions")
            return found.term.nonzero() if found.kind == WORD else found.plain

    def operand(self, e: ast.expr) -> Operand:
        """An expression."""
        with self.at(e):
            return self._operand(e)

    def _operand(self, e: ast.expr) -> Operand:
        match e:
            case ast.Constant(value):
                return Static(value)
            case ast.Name(name):
                return self.names[name] if name in self.names else self._global(name)
            case ast.Attribute(of, name):
                return self._attribute(self.operand(of), name)
            case ast.Subscript(of, at):
                return self._item(self.operand(of), self.index(at))
            case ast.BinOp(left, op, right):
                return combined(op, self.operand(left), self.operand(right))
            case ast.UnaryOp(op, of):
                return self._unary(op, of)
            case ast.Compare(left, ops, rights):
                return self._compared(left, ops, rights)
            case ast.BoolOp(op, parts):
                return self._all_or_any(isinstance(op, ast.And), parts)
            case ast.IfExp(test, yes, no):
                return self._conditional(test, yes, no)
            case ast.Call(function, given, named):
                return self.call(function, given, named)
            case _:
                return refused("kernels have no such expression")

    def _global(self, name: str) -> Operand:
        found = self.source.names.get(name, getattr(builtins, name, _ABSENT))
        if found is _ABSENT:
            refused("there is no such name")
        if isinstance(found, array):
            assert found.typecode == "d"
            return Value(Row(REAL), ZERO, self.translator.constant(found.tobytes()))
        return Static(found)

    def _unary(self, op: ast.unaryop, of: ast.expr) -> Operand:
        if isinstance(op, ast.Not):
            found = self.truth(of)
            return Static(not found.value) if isinstance(found, Static) else Value(TRUTH, found.eqz())
        operand = self.operand(of)
        if isinstance(op, ast.USub):
            return combined(ast.Sub(), Static(0), operand)
        if isinstance(op, ast.Invert) and isinstance(operand, Value):
            return Value(operand.kind, ~operand.term)
        return refused("there is no such operator")

    def _compared(self, left: ast.expr, ops: Sequence[ast.cmpop], rights: Sequence[ast.expr]) -> Operand:
        found: Operand = Static(True)
        one = self.operand(left)
        for op, right in zip(ops, rights, strict=True):
            other = self.operand(right)
            if len(ops) > 1:
                other = self.hold(other)
            found, one = self._both(found, compared(op, one, other)), other
        return found

    def _both(self, one: Operand, other: Operand) -> Operand:
        if isinstance(one, Static):
            return other if one.value else one
        return Value(TRUTH, lowered(one, TRUTH) & lowered(other, TRUTH))

    def _all_or_any(self, is_all: bool, parts: Sequence[ast.expr]) -> Operand:
        """`and` and `or`: parts that are cheap are all looked at; of others only those that are needed."""
        first, *rest = parts
        one = self.operand(first)
        if isinstance(one, Static):
            return self._all_or_any(is_all, rest) if rest and bool(one.value) is is_all else one
        if not rest:
            return one
        term = as_truth(one)
        if not all(map(_is_cheap, rest)):
            return self.later(TRUTH, lambda: self._first_that_decides(is_all, term, rest))
        other = self._all_or_any(is_all, rest)
        if isinstance(other, Static):
            return one if bool(other.value) is is_all else other
        return Value(TRUTH, term & as_truth(other) if is_all else term | as_truth(other))

    def _first_that_decides(self, is_all: bool, first: Term, rest: Sequence[ast.expr]) -> Term:
        found = self.body.hold(first)
        with self.body.when(found if is_all else found.eqz()):
            other = self._all_or_any(is_all, rest)
            self.body.set(found, int(bool(other.value)) if isinstance(other, Static) else as_truth(other))
        return found

    def later(self, kind: Kind, write: Callable[[], Term]) -> Value:
        """A value that is written where it is used, with the names of here."""
        here = self.source, self.names

        def written() -> Term:
            kept = self.source, self.names
            self.source, self.names = here
            try:
                return write()
            finally:
                self.source, self.names = kept

        return Value(kind, Emitted(kind.kind, written))

    def _conditional(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> Operand:
        condition = self.truth(test)
        if isinstance(condition, Static):
            return self.operand(yes if condition.value else no)
        if _is_cheap(yes) and _is_cheap(no):
            one, other = self.operand(yes), self.operand(no)
            kind = natural(other if one == Static(None) else one)
            if isinstance(kind, Scalar) and isinstance(other, Value | Static):
                kind = REAL if REAL in (natural(one), natural(other)) else kind
            return Value(kind, select(lowered(one, kind), lowered(other, kind), condition, kind.kind))
        kind = self._kind_of_either(yes, no)

        def write() -> Term:
            found = self.body.local(kind.kind)
            with self.body.when(condition):
                self.body.set(found, self.term(yes, kind))
            with self.body.otherwise():
                self.body.set(found, self.term(no, kind))
            return found

        return self.later(kind, write)

    def _kind_of_either(self, yes: ast.expr, no: ast.expr) -> Kind:
        kinds = [self.kind(one) for one in (yes, no)]
        known = [kind for kind in kinds if kind is not None]
        return REAL if REAL in known else known[0] if known else refused("it is unknown what that is")

    def kind(self, e: ast.expr) -> Kind | None:
        """The type of an expression, of which nothing is written."""
        kept, self.body = self.body, FunctionBody(())
        try:
            operand = self.operand(e)
        finally:
            self.body = kept
        return None if operand == Static(None) else natural(operand)

    # ------------------------------------------------------------------------------------------- fields and items

    def _attribute(self, of: Operand, name: str) -> Operand:
        if isinstance(of, Static):
            return Static(getattr(of.value, name))
        if isinstance(of, Bound):
            found = getattr(of.binding, name)
            if isinstance(kind := self._given_by(of.protocol, name), Row) and isinstance(found, int):
                return Value(kind, ZERO, found)
            return Value(self._given_by(of.protocol, name), found) if isinstance(found, Term) else Static(found)
        if isinstance(of.kind, VectorType) and name == "most":
            return Value(INT, mem32(of.term, of.offset + MOST))
        if not isinstance(of.kind, Address):
            refused(f"there is no `{name}`")
        record = of.kind.record
        layout = self.translator.layouts.of(record)
        if name in layout.fields:
            at, kind = layout.fields[name]
            if isinstance(kind, Interface):
                return self.translator.bound(kind.protocol)
            if isinstance(kind, VectorType):
                return Value(kind, of.term, of.offset + at)
            if isinstance(kind, Address) and kind.record in self.translator.singletons:
                return self.translator.singleton(kind.record)
            return Value(kind, load(kind, of.term, of.offset + at))
        found = inspect.getattr_static(record, name, None)
        if isinstance(found, property) and found.fget is not None:
            return self.inlined(source_of(found.fget), [of], ())
        return refused(f"{record.__name__} has no `{name}` in this game")

    def variable(self, e: ast.expr) -> tuple[Variable, Kind]:
        """A field, or a number in a row: it can be given a value."""
        found = self.operand(e)
        if not isinstance(found, Value) or not isinstance(found.term, Variable):
            self.fail(e, "that cannot be given a value")
        return found.term, found.kind

    def _item(self, of: Operand, at: Operand) -> Operand:
        if not isinstance(of, Value):
            refused("only rows and vectors have items")
        if isinstance(of.kind, VectorType):
            step = self.translator.layouts.of(of.kind.record).size
            items = mem32(of.term, of.offset + ITEMS)
            if isinstance(at, Static) and at.value < 0:
                return Value(
                    Address(of.kind.record), items + mem32(of.term, of.offset + COUNT) * step + at.value * step
                )
            return self._place(Value(INT, items), Address(of.kind.record), at, step)
        if not isinstance(of.kind, Row):
            refused("only rows and vectors have items")
        item = of.kind.item
        place = self._place(of, item, at, self.translator.layouts.step(item))
        if isinstance(item, Address):
            return place
        return Value(Address(item.record) if isinstance(item, Link) else item, load(item, place.term, place.offset))

    def _place(self, row: Value, item: Kind, at: Operand, step: int) -> Value:
        if isinstance(at, Static):
            return Value(item, row.term, row.offset + at.value * step)
        number = lowered(at, INT)
        distance = number << step.bit_length() - 1 if step & step - 1 == 0 else number * step
        return Value(item, distance if row.term is ZERO else row.term + distance, row.offset)

    def _given_by(self, protocol: type, name: str) -> Kind:
        found = inspect.getattr_static(protocol, name)
        source = source_of(found.fget if isinstance(found, property) and found.fget is not None else found)
        kind = source.result()
        return kind if kind is not None else refused(f"`{name}` gives nothing")

    @abstractmethod
    def inlined(self, source: Source, before: Sequence[Operand], given: Sequence[Operand]) -> Operand:
        """The value of a function in the place of its call."""

    @abstractmethod
    def call(self, function: ast.expr, given: Sequence[ast.expr], named: Sequence[ast.keyword]) -> Operand:
        """A call."""


def _is_cheap(e: ast.expr) -> bool:
    """True if an expression may be evaluated where its value is not needed: it has no effect, and cannot stop."""
    return not any(isinstance(node, ast.Call | ast.Subscript | ast.Mod) for node in ast.walk(e))


def as_truth(of: Operand) -> Term:
    """A condition as 0 or 1."""
    if not isinstance(of, Value):
        return refused("an interface is no condition")
    return of.term if of.kind is TRUTH else of.plain.nonzero()
