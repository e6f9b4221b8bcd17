"""The translation of kernels: functions of a small typed subset of Python (:mod:`rulewright.engine.kernels`)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

from rulewright.engine.native.translation.calls import CallTranslation
from rulewright.engine.native.translation.function_table import FunctionTable
from rulewright.engine.native.translation.operands import (
    ZERO,
    Bound,
    Operand,
    Static,
    Value,
    combined,
    lowered,
    natural,
    refused,
)
from rulewright.engine.native.translation.record_layout import (
    COUNT,
    INT,
    ITEMS,
    Address,
    Interface,
    Kind,
    VectorType,
    kind_of,
)
from rulewright.engine.native.translation.sources import Source
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Local, mem32


class Translator(FunctionTable):
    """Translates the functions of kernels that are called, into one module."""

    def write(self) -> None:
        """Write all functions that are called."""
        while self.waiting:
            source = self.waiting.pop()
            number = self.numbers[source]
            with self.module.writing(number) as (body, given):
                StatementTranslation(self, source, body).function(given)


class StatementTranslation(CallTranslation):
    """The statements of one function."""

    def __init__(self, translator: Translator, source: Source, body: FunctionBody) -> None:
        super().__init__(translator, source, body)
        self._result = source.result()
        self._loops: list[tuple[int, int]] = []
        """The labels behind the loops that are open, and those of their next passes."""
        nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name)]
        self._stores = Counter(node.id for node in nodes if isinstance(node.ctx, ast.Store))

    def function(self, given: Sequence[Local]) -> None:
        """Write the function, with these parameters."""
        rest = iter(given)
        for name, kind in self.source.parameters():
            if isinstance(kind, Interface):
                self.names[name] = self.translator.bound(kind.protocol)
            elif isinstance(kind, Address) and kind.record in self.translator.singletons:
                self.names[name] = self.translator.singleton(kind.record)
            elif kind is None:
                self.fail(self.source.tree, f"the type of `{name}` is none of kernels")
            else:
                self.names[name] = Value(kind, next(rest))
        *before, last = self.source.statements()
        self.block(before)
        if isinstance(last, ast.Return) and last.value is not None and self._result is not None:
            self.body.push(self.term(last.value, self._result))
        else:
            self.block([last])
            if self._result is not None:
                self.body.trap()

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Write statements."""
        for statement in statements:
            with self.at(statement):
                self._statement(statement)

    def _statement(self, s: ast.stmt) -> None:
        body = self.body
        match s:
            case ast.Expr(value):
                self._effect(value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                self._assign_all(targets, values)
            case ast.Assign([target], value) | ast.AnnAssign(target, annotation=_, value=ast.expr() as value):
                self._assign(target, value, s.annotation if isinstance(s, ast.AnnAssign) else None)
            case ast.AugAssign(target, op, value):
                self._change(target, op, value)
            case ast.If(test, yes, no):
                self._case(test, yes, no)
            case ast.While(test, statements, []):
                self._while(test, statements)
            case ast.For(ast.Name(name), over, statements, []):
                self._for(name, over, statements)
            case ast.Break():
                body.branch(self._loops[-1][0])
            case ast.Continue():
                body.branch(self._loops[-1][1])
            case ast.Return(None):
                body.give()
            case ast.Return(ast.expr() as value) if self._result is not None:
                body.give(self.term(value, self._result))
            case ast.Pass() | ast.Assert():
                pass
            case _:
                self.fail(s, "kernels have no such statement")

    def _effect(self, e: ast.expr) -> None:
        found = self.operand(e)
        if isinstance(found, Value):
            self.body.drop(found.plain)

    # --------------------------------------------------------------------------------------------------- variables

    def _assign(self, target: ast.expr, value: ast.expr, annotation: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            kind = kind_of(annotation, self.source.names) if annotation is not None else None
            self._name(target.id, self.operand(value), kind)
            return
        at = self.operand(target)
        if isinstance(at, Value) and isinstance(at.kind, VectorType):
            self.fill_vector(at, value)
        else:
            variable, kind = self.variable(target)
            self.body.set(variable, self.term(value, kind))

    def _name(self, name: str, operand: Operand, kind: Kind | None = None) -> None:
        """Give a variable a value; one that never changes and is known takes no room."""
        is_known = isinstance(operand, Static) or (isinstance(operand, Value) and operand.term is ZERO)
        if isinstance(operand, Bound) or (is_known and self._stores[name] == 1 and kind is None):
            self.names[name] = operand
            return
        known = self.names.get(name)
        if not isinstance(known, Value):
            kind = kind or natural(operand)
            known = self.names[name] = Value(kind, self.body.local(kind.kind))
        assert isinstance(known.term, Local)
        self.body.set(known.term, lowered(operand, known.kind))

    def _assign_all(self, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
        """Assignments of which none sees what another has changed."""
        held: list[Operand] = []
        for operand in map(self.operand, values):
            is_known = isinstance(operand, Static | Bound) or operand.term is ZERO
            held.append(operand if is_known else self.held(operand))
        for target, operand in zip(targets, held, strict=True):
            if not isinstance(target, ast.Name):
                variable, kind = self.variable(target)
                self.body.set(variable, lowered(operand, kind))
            elif target.id not in self.names and isinstance(operand, Value) and operand.term is not ZERO:
                self.names[target.id] = operand
            else:
                self._name(target.id, operand)

    def _change(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        before = self.operand(target)
        after = combined(op, before, self.operand(value))
        if isinstance(target, ast.Name):
            self._name(target.id, after)
        else:
            variable, kind = self.variable(target)
            self.body.set(variable, lowered(after, kind))

    # ------------------------------------------------------------------------------------------------ cases and loops

    def _case(self, test: ast.expr, yes: Sequence[ast.stmt], no: Sequence[ast.stmt]) -> None:
        condition = self.truth(test)
        if isinstance(condition, Static):
            self.block(yes if condition.value else no)
            return
        with self.body.when(condition):
            self.block(yes)
        if no:
            with self.body.otherwise():
                self.block(no)

    def _pass(self, statements: Sequence[ast.stmt], out: int, again: int | None = None) -> None:
        """One pass of a loop, with a label in front of its next one if that is needed."""
        with ExitStack() as stack:
            needed = any(isinstance(node, ast.Continue) for one in statements for node in ast.walk(one))
            label = stack.enter_context(self.body.block()) if again is None and needed else again or 0
            self._loops.append((out, label))
            self.block(statements)
            self._loops.pop()

    def _while(self, test: ast.expr, statements: Sequence[ast.stmt]) -> None:
        with self.body.block() as out, self.body.loop() as again:
            condition = self.truth(test)
            if not isinstance(condition, Static):
                self.body.branch_if(out, condition.eqz())
            elif not condition.value:
                return
            self._pass(statements, out, again)
            self.body.branch(again)

    def _for(self, name: str, over: ast.expr, statements: Sequence[ast.stmt]) -> None:
        match over:
            case ast.Call(ast.Name("range"), [end]):
                self._count(name, Static(0), self.operand(end), statements)
            case ast.Call(ast.Name("range"), [first, end]):
                self._count(name, self.operand(first), self.operand(end), statements)
            case ast.Call(ast.Name("reversed"), [of]):
                self._each(name, self.operand(of), statements, backwards=True)
            case _:
                self._each(name, self.operand(over), statements)

    def _count(self, name: str, first: Operand, end: Operand, statements: Sequence[ast.stmt]) -> None:
        at = self.body.local()
        last = lowered(end if isinstance(end, Static) else self.held(end), INT)
        self.body.set(at, lowered(first, INT))
        self.names[name] = Value(INT, at)
        with self.body.until(at.ge_s(last), (at, 1)) as out:
            self._pass(statements, out)

    def _each(self, name: str, of: Operand, statements: Sequence[ast.stmt], backwards: bool = False) -> None:
        """The records of a vector one after the other."""
        if not isinstance(of, Value) or not isinstance(of.kind, VectorType):
            refused("loops go over ranges and vectors")
        body, step = self.body, self.translator.layouts.of(of.kind.record).size
        first = body.hold(mem32(of.term, of.offset + ITEMS))
        end = body.hold(first + mem32(of.term, of.offset + COUNT) * step)
        at = end if backwards else first
        self.names[name] = Value(Address(of.kind.record), at)
        if backwards:
            with body.until(first.ge_u(at)) as out:
                body.set(at, at - step)
                self._pass(statements, out)
        else:
            with body.until(at.ge_u(end), (at, step)) as out:
                self._pass(statements, out)
