"""Lowering of choices of many, and of how many that are."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder, all_of, not_refused, with_pass
from rulewright.compiler.lowering.lowering_context import Interruptions, LowerBlock
from rulewright.compiler.lowering.statements.restrictions import DeciderLowerer, RestrictionLowerer
from rulewright.compiler.symbols.static_types import BOOL, INT
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.compiler.tree_walk import named_in
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


class ChoiceOfManyLowerer:
    """Lowers ``who chooses up to n x as xs from S``."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        deciders: DeciderLowerer,
        interruptions: Interruptions,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.expressions, self.restrictions = expressions.context, expressions, restrictions
        self.deciders, self.interruptions, self.lower_block = deciders, interruptions, lower_block

    def choose(
        self, s: ast.Choose, many: ast.Many, bound: Bound, inner: Scope, scope: Scope, code: FunctionBuilder
    ) -> None:
        """Picks one after the other; ``done`` ends them when there are enough."""
        label = s.as_name or s.name
        who, who_is = self.deciders.lower(s.who, scope)
        low, high = self.amounts(many, scope, code)
        type = bound.type.as_set()
        taken = code.slot(label, type)
        seen = Binding(m.Local(taken), type, slot=taken)
        inside = inner.inner(**{s.as_name: seen}) if s.as_name is not None else inner
        where: m.Expr = m.Not(m.Contains(m.Local(taken), m.Var(bound.var)))
        # What was picked, without what is no longer there to be picked from.
        still: m.Expr = m.SetOp("inter", m.Local(taken), m.ToSet(bound.source) if bound.is_list else bound.source)
        limit = self.expressions.truth(s.where, inside) if s.where is not None else None
        if s.where is not None and limit is not None:
            where = m.And((where, limit))
            if s.as_name not in named_in(s.where):  # else it was right when it was picked
                still = m.Filter(still, bound.var, limit)
        restrictions = self.restrictions.lower(s.restrictions, inside, code.name)
        one = code.slot(s.name, bound.type.or_none())
        again, end, refused, out = code.label(), code.label(), code.label(), code.label()
        chosen = m.Size(m.Local(taken))
        leaves = s.optional or s.otherwise is not None
        strict = many.mode in ("exactly", "between") and not leaves
        code.add(m.SetLocal(taken, m.Const(0)))
        needed, afresh = low, [m.SetLocal(taken, still)]
        vanishes = strict and self.interruptions.interrupted(who_is, code)
        if vanishes:
            needed = code.slot("needed", INT)
            code.add(m.SetLocal(needed, m.Local(low)))
            afresh.append(m.SetLocal(needed, m.Const(0)))
        failed = m.Fail(f"`{code.name}.{label}` must choose more than there are")
        if many.mode in ("exactly", "between"):
            known, tests = code.label(), tuple(map(not_refused, restrictions))
            enough = self._enough(bound, tests if limit is None else (limit, *tests), taken, low)
            if s.optional or s.anyway:  # their question is whether they pass
                possible = code.slot("enough", BOOL)
                code.add(m.SetLocal(possible, enough))
                where = m.And((m.Local(possible), where))
            else:
                code.add(m.JumpUnless(m.Not(enough), known), m.Jump(refused) if leaves else failed)
                code.mark(known)
        code.mark(again)
        if high is not None:
            code.add(m.JumpUnless(m.Cmp("lt", chosen, m.Local(high)), end))
        extras = [m.Extra("done", m.Cmp("ge", chosen, m.Local(low)), (), end)]
        if many.mode in ("exactly", "as many as possible"):
            extras = []
        if s.optional:
            extras.append(m.Extra("pass", m.Cmp("eq", chosen, m.Const(0)), (), refused))
        short = code.label()
        question = m.Choose(
            label, code.place(label), who, who_is, bound.type.options, bound.source, bound.is_list, bound.var, where,
            restrictions, tuple(extras), one, short, False, s.trivia.cites,
        )  # fmt: skip
        if s.anyway:
            question = with_pass(question, refused, m.Cmp("eq", chosen, m.Const(0)))
        self.interruptions.ask(question, code, short, tuple(afresh))
        code.add(
            m.SetLocal(taken, m.SetOp("union", m.Local(taken), m.MakeSet((m.Local(one),)))),
            m.Jump(again),
        )
        code.mark(short)
        if leaves:
            code.add(m.JumpUnless(m.Cmp("lt", chosen, m.Local(low)), end), m.Jump(refused))
        elif strict:
            code.add(
                m.JumpUnless(m.Cmp("lt", chosen, m.Local(needed)), end),
                failed,
            )
        code.mark(end)
        scope.bind(label, seen)
        there = m.Or((m.Cmp("ge", m.Local(needed), m.Local(low)), m.Cmp("gt", chosen, m.Const(0))))
        if vanishes:
            code.add(m.JumpUnless(there, refused))
        if s.then is not None:
            self.lower_block(s.then, scope.inner(), code)
        if vanishes:
            code.doubt(taken, there)
        if leaves:
            code.add(m.Jump(out))
            code.mark(refused)
            code.add(m.SetLocal(taken, m.Const(0)))
            self.lower_block(s.otherwise or (), scope.inner(), code)
        else:
            code.mark(refused)
        code.mark(out)

    @staticmethod
    def _enough(bound: Bound, tests: tuple[m.Expr, ...], taken: int, low: int) -> m.Expr:
        """The condition that there are as many as must be picked: else no question is pending.

        What depends on those picked before does not count against any.
        """
        found = m.ToSet(bound.source) if bound.is_list else bound.source
        lasting = [test for test in tests if m.Local(taken) not in nodes(test)]
        if lasting:
            found = m.Filter(found, bound.var, all_of(*lasting))
        return m.Cmp("ge", m.Size(found), m.Local(low))

    def amounts(self, many: ast.Many, scope: Scope, code: FunctionBuilder) -> tuple[int, int | None]:
        """Slots with the least and the most of a number of times; None: no bound."""
        low, high = code.slot("least", INT), code.slot("most", INT)
        given = many.high if many.high is not None else many.low
        match many.mode:
            case "exactly" | "as many as possible" if given is not None:
                code.add(m.SetLocal(low, self.expressions.number(given, scope)), m.SetLocal(high, m.Local(low)))
            case "up to" if given is not None:
                code.add(m.SetLocal(low, m.Const(0)), m.SetLocal(high, self.expressions.number(given, scope)))
            case "between" if many.low is not None and many.high is not None:
                code.add(
                    m.SetLocal(low, self.expressions.number(many.low, scope)),
                    m.SetLocal(high, self.expressions.number(many.high, scope)),
                )
            case _:
                code.add(m.SetLocal(low, m.Const(0)))
                return low, None
        return low, high
