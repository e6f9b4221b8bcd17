"""Lowering of ``each … at once``: all choose in secret, then what they have chosen is carried out."""

from __future__ import annotations

from itertools import takewhile

from rulewright.compiler.lowering.choices.choices import ChoiceLowerer
from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Loop
from rulewright.compiler.lowering.list_iteration import begin_iteration, end_iteration
from rulewright.compiler.lowering.protocols import LowerBlock
from rulewright.compiler.symbols.scope import Binding, Scope
from rulewright.compiler.symbols.static_types import INT
from rulewright.ir import model as m
from rulewright.syntax import ast

SEVERAL = "let one after the other put several into a field or zone that is `seen by` them, and then use them all"


class SimultaneousChoiceLowerer:
    """Lowers simultaneous choices."""

    def __init__(self, expressions: ExpressionLowerer, choices: ChoiceLowerer, lower_block: LowerBlock) -> None:
        self.context, self.expressions = expressions.context, expressions
        self.world = expressions.world
        self.choices, self.lower_block = choices, lower_block

    def lower(self, s: ast.Each, bound: Bound, scope: Scope, code: FunctionBuilder) -> None:
        """All choose in secret first; then, one after the other, what they have chosen is carried out."""
        leading = list(takewhile(lambda one: isinstance(one, ast.Choose), s.body))
        choices = [c for c in leading if isinstance(c, ast.Choose)]
        for choice in choices:
            if choice.many is not None or choice.then or choice.otherwise or choice.leading:
                said = "a simultaneous choice picks one thing, without `then` and `else`"
                self.context.error("CHO306", said, choice.span, hint=SEVERAL if choice.many is not None else "")
                return
        if not choices:
            self.context.error("CHO306", "`at once` must begin with a choice", s.span)
            return
        capacity = max(bound.capacity if bound.is_list else self.world.most_members(bound.type), 1)
        source = bound.source if bound.is_list else m.ToList(bound.source)
        if s.where is not None:
            inside = scope.inner(**{s.bind.name: Binding(self.context.read(m.Var(bound.var), bound.type), bound.type)})
            source = m.Filter(source, bound.var, self.expressions.truth(s.where, inside), is_list=True)
        members = code.slot(f"{s.bind.name} at once", bound.type.as_list(capacity))
        at = code.slot("at", INT)
        one = code.slot(s.bind.name, bound.type)
        code.add(m.SetLocal(members, source))
        empty = len(code.items)
        code.add(*(m.SetLocal(members, m.ListConst(())) for _ in choices))
        inner = scope.inner(**{s.bind.name: Binding(self.context.read(m.Local(one), bound.type), bound.type, slot=one)})

        again, end = begin_iteration(code, members, at, one)
        kept: list[tuple[int, int]] = []
        for choice in choices:
            self.choices.choose(choice, inner, code, secret=True)
            answer = inner.names[choice.name]
            assert answer.slot is not None
            kept.append((answer.slot, code.slot(f"{choice.name} at once", answer.type.as_list(capacity))))
            # Its type is known only now.
            code.items[empty + len(kept) - 1] = m.SetLocal(kept[-1][1], m.ListConst(()))
            code.add(m.Append(kept[-1][1], m.Local(answer.slot)))
        end_iteration(code, at, again, end)

        again, end = begin_iteration(code, members, at, one)
        for slot, answers in kept:
            code.add(m.SetLocal(slot, m.Item(m.Local(answers), m.Local(at))))
        code.loops.append(Loop(None, False, end, len(code.blocks)))
        self.lower_block(s.body[len(choices) :], inner, code)
        code.loops.pop()
        end_iteration(code, at, again, end)
