"""Lowering of ``repeats``: what a player may do several times."""

from __future__ import annotations

from itertools import takewhile

from rulewright.compiler.lowering.choices.choices import ChoiceLowerer, LabelledOptionLowerer, Way
from rulewright.compiler.lowering.choices.choices_of_many import ChoiceOfManyLowerer
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.function_builder import (
    YES,
    FunctionBuilder,
    Loop,
    Mark,
    RunTriggers,
    all_of,
    any_of,
    with_word,
)
from rulewright.compiler.lowering.lowering_context import Interruptions, LowerBlock, LoweringContext
from rulewright.compiler.lowering.statements.procedure_calls import procedure_called
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer
from rulewright.compiler.symbols.static_types import INT
from rulewright.compiler.symbols.symbols import Scope
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


class RepeatsLowerer:
    """Lowers ``who repeats many times``."""

    def __init__(
        self,
        context: LoweringContext,
        possibility: PossibilityLowerer,
        deciders: DeciderLowerer,
        interruptions: Interruptions,
        choices: ChoiceLowerer,
        many: ChoiceOfManyLowerer,
        labelled_options: LabelledOptionLowerer,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.possibility, self.deciders, self.interruptions = (
            context,
            possibility,
            deciders,
            interruptions,
        )
        self.choices, self.many, self.labelled_options, self.lower_block = choices, many, labelled_options, lower_block

    def lower(self, s: ast.Repeats, scope: Scope, code: FunctionBuilder) -> None:
        """``who repeats many times``: the word ``stop`` is offered with the first choice of the body."""
        self.context.needs_procedure(code, "ask", s.span)
        low, high = self.many.amounts(s.many, scope, code)
        count = code.slot("times", INT)
        again, end = code.label(), code.label()
        code.add(m.SetLocal(count, m.Const(0)))
        code.mark(again)
        if high is not None:
            code.add(m.JumpUnless(m.Cmp("lt", m.Local(count), m.Local(high)), end))
        enough = m.Cmp("ge", m.Local(count), m.Local(low))
        code.loops.append(Loop(s.label, False, end, len(code.blocks)))
        inner = scope.inner()
        named = tuple(takewhile(self._only_names, s.body))  # before the question that comes first
        self.lower_block(named, inner, code)
        body = s.body[len(named) :]
        first = body[0] if body else None
        if isinstance(first, ast.Choose) and first.many is None and not first.optional and first.otherwise is None:
            self.choices.choose(first, inner, code, self._stop(s, enough, end), rest=body[1:])
            body = body[1:]
        elif isinstance(first, ast.Either) and first.otherwise is None:
            self.labelled_options.choose(first, inner, code, self._stop(s, enough, end))
            body = body[1:]
        else:
            self._again_or_stop(s, body, inner, code, enough, end)
        self.lower_block(body, inner, code)
        code.add(m.SetLocal(count, m.Arith("add", m.Local(count), m.Const(1))), m.Jump(again))
        code.loops.pop()
        code.mark(end)

    def _stop(self, s: ast.Repeats, enough: m.Expr, end: int) -> Way:
        if s.anyway and s.many.mode in ("any number", "up to"):
            self.choices.not_anyway(s.span, "`stop` is offered in any case")
        return Way("stop", enough, end, end, s.anyway)

    def _only_names(self, stmt: ast.Stmt) -> bool:
        """True if a statement does nothing but give a name to a value."""
        return isinstance(stmt, ast.Let) and procedure_called(self.context.world, stmt.value) is None

    def _again_or_stop(
        self, s: ast.Repeats, body: tuple[ast.Stmt, ...], scope: Scope, code: FunctionBuilder, enough: m.Expr, end: int
    ) -> None:
        who, who_is = self.deciders.lower(s.who, scope)
        possible = self.possibility.of_body(body, scope, code.name)
        if interrupted := self.interruptions.interrupted(who_is, code):
            possible = all_of(possible, m.Contains(m.Alive("Player"), who))  # they may have left
        go = code.label()
        if not s.anyway:
            code.add(*(() if possible == YES else (m.JumpUnless(possible, end),)), m.JumpUnless(enough, go))
        label = s.label or "repeats"
        again = possible if interrupted or s.anyway else YES
        extras = (m.Extra("again", None if again == YES else again, (), go),)
        slot = code.slot(label, INT.or_none())
        question = m.Choose(
            label, code.place(label), who, who_is, "", None, False, "", None, (), extras, slot, None, False,
            s.trivia.cites,
        )  # fmt: skip
        stops = any_of(enough, m.Not(again)) if s.anyway else YES
        self.interruptions.ask(with_word(question, "stop", stops, end), code, end)
        code.mark(go)


def passed_over(
    code: FunctionBuilder, at: int, before: dict[int, tuple[m.Expr, ...]], scope: Scope, known: set[str]
) -> None:
    """Let the statement lowered after the mark `at` be passed over when a value that it reads has vanished.

    `before` are the unsure slots and `known` the names of its scope before it. What it gives a name is unsure, too.
    Of a statement with others inside only those are passed over that read the value.
    """
    instructions = [
        i
        for number, i in enumerate(code.items[at:], at)
        if not isinstance(i, Mark | RunTriggers) and not any(number in inside for inside in code.guarded)
    ]
    read = {n.slot for i in instructions for n in nodes(i) if isinstance(n, m.Local)}
    needs = dict.fromkeys(there for slot in sorted(read & before.keys()) for there in before[slot])
    if not needs:
        return
    on = code.label()
    code.items[at] = m.JumpUnless(all_of(*needs), on)
    code.mark(on)
    code.guarded.append(range(at, len(code.items)))
    for name, binding in scope.names.items():
        if name not in known and binding.slot is not None:
            code.unsure[binding.slot] = (*needs, *code.unsure.get(binding.slot, ()))
