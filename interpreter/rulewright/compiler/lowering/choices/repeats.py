"""Lowering of ``repeats``: what somebody may do several times."""

from __future__ import annotations

from rulewright.compiler.lowering.choices.choices import ChoiceLowerer, Way
from rulewright.compiler.lowering.choices.choices_of_many import ChoiceOfManyLowerer
from rulewright.compiler.lowering.choices.labelled_options import LabelledOptionLowerer
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.conditions import YES, all_of
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Loop
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.lowering.protocols import Interruptions, LowerBlock
from rulewright.compiler.lowering.statements.asked_players import AskedLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import INT
from rulewright.ir import model as m
from rulewright.syntax import ast


class RepeatsLowerer:
    """Lowers ``who repeats many times``."""

    def __init__(
        self,
        context: LoweringContext,
        possibility: PossibilityLowerer,
        asked: AskedLowerer,
        interruptions: Interruptions,
        choices: ChoiceLowerer,
        many: ChoiceOfManyLowerer,
        labelled_options: LabelledOptionLowerer,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.possibility, self.asked, self.interruptions = context, possibility, asked, interruptions
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
        body = s.body
        first = body[0] if body else None
        if isinstance(first, ast.Choose) and first.many is None and not first.optional and first.otherwise is None:
            self.choices.choose(first, inner, code, Way("stop", enough, end, end), rest=body[1:])
            body = body[1:]
        elif isinstance(first, ast.Either) and first.otherwise is None:
            self.labelled_options.choose(first, inner, code, Way("stop", enough, end, end))
            body = body[1:]
        else:
            self._again_or_stop(s, body, inner, code, enough, end)
        self.lower_block(body, inner, code)
        code.add(m.SetLocal(count, m.Arith("add", m.Local(count), m.Const(1))), m.Jump(again))
        code.loops.pop()
        code.mark(end)

    def _again_or_stop(
        self, s: ast.Repeats, body: tuple[ast.Stmt, ...], scope: Scope, code: FunctionBuilder, enough: m.Expr, end: int
    ) -> None:
        who, who_is = self.asked.lower(s.who, scope)
        possible = self.possibility.of_body(body, scope, code.name)
        if interrupted := self.interruptions.interrupted(who_is, code):
            possible = all_of(possible, m.Contains(m.Alive("Player"), who))  # they may have left
        if possible != YES:
            code.add(m.JumpUnless(possible, end))
        go = code.label()
        code.add(m.JumpUnless(enough, go))
        label = s.label or "repeats"
        again = possible if interrupted else None
        extras = (m.Extra("again", again, (), go), m.Extra("stop", None, (), end))
        slot = code.slot(label, INT.or_none())
        self.interruptions.ask(
            m.Choose(
                label, code.place(label), who, who_is, "", None, False, "", None, (), extras, slot, None, False,
                s.trivia.cites,
            ),
            code,
            end,
        )  # fmt: skip
        code.mark(go)
