"""Lowering of payments: rewards on the way, and an end that pays.

What somebody is paid is added to a field that no rule can read, so nothing has to settle after it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.statements.endings import EndingLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import INT, Type, entity, set_of
from rulewright.ir import model as m
from rulewright.syntax import ast


class PaymentLowerer:
    """Lowers ``reward`` and ``finish paying``."""

    def __init__(self, expressions: ExpressionLowerer, endings: EndingLowerer) -> None:
        self.expressions, self.endings, self.world = expressions, endings, expressions.world

    def reward(self, s: ast.Reward, scope: Scope, code: FunctionBuilder) -> None:
        """``reward who: e``."""
        found = self.endings.winners(s.who, scope, "who is rewarded", "leave it out")
        value = self.expressions.want(s.value, scope, INT, "a reward")
        if found is None or found.players == m.Const(0):
            return
        amount = code.slot("reward", INT)
        code.add(m.SetLocal(amount, value))
        self._pay(found.players, m.Local(amount), code)

    def pay_all(self, s: ast.PayAll, scope: Scope, code: FunctionBuilder) -> None:
        """``finish paying e for x in S``: players are ranked by all that they were paid, parties by what they are paid
        now, for their players may have been paid different sums before."""
        bound, inner = self.expressions.bind(s.bind, scope)
        value = self.expressions.want(s.value, inner, INT, "a payoff")
        source = self.endings.members(bound, s.bind, "who is paid")
        if source is None:
            return
        universe = bound.type.universe or "Player"
        paid = code.slot("paid", set_of(universe))
        code.add(m.SetLocal(paid, source))

        def pay(one: m.Expr) -> None:
            players = m.MakeSet((one,)) if universe == "Player" else m.Attr(f"{universe}.members", one)
            amount = code.slot(m.PAYOFF, INT)
            code.add(m.SetLocal(amount, m.LetIn(bound.var, one, value)))
            self._pay(players, m.Local(amount), code)

        self._each(m.Local(paid), entity(universe), pay, code)
        key = _paid(m.Var(bound.var)) if universe == "Player" else value
        code.add(m.FinishRank(m.Local(paid), universe, bound.var, (key,), code.name))

    def _pay(self, players: m.Expr, amount: m.Expr, code: FunctionBuilder) -> None:
        """Pay each of some players so much."""

        def pay(one: m.Expr) -> None:
            code.add(m.SetField(m.PAID, (one,), m.Arith("add", _paid(one), amount)))

        self._each(players, entity("Player"), pay, code)

    @staticmethod
    def _each(members: m.Expr, type: Type, do: Callable[[m.Expr], None], code: FunctionBuilder) -> None:
        """Do something with each member of a set, in the order of the members."""
        left, one = code.slot("left", type.as_set()), code.slot("one", type)
        again, end = code.label(), code.label()
        code.add(m.SetLocal(left, members))
        code.mark(again)
        code.add(
            m.JumpUnless(m.Cmp("ne", m.Size(m.Local(left)), m.Const(0)), end),
            m.SetLocal(one, m.First(m.Local(left))),
        )
        do(m.Local(one))
        code.add(m.SetLocal(left, m.SetOp("minus", m.Local(left), m.MakeSet((m.Local(one),)))), m.Jump(again))
        code.mark(end)


def _paid(player: m.Expr) -> m.Expr:
    return m.FieldGet(m.PAID, (player,))
