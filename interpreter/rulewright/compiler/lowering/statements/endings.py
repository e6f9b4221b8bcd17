"""Lowering of the end of the game."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.scope import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast


class EndingLowerer:
    """Lowers ``finish with winner`` and ``finish ranking``."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world

    def win(self, s: ast.Win, scope: Scope, code: FunctionBuilder) -> None:
        """``finish with winner e``."""
        value = self.coercions.item(self.expressions.lower(s.who, scope))
        if value.type.kind == "entity" and value.type.universe == "Player":
            players: m.Expr = m.MakeSet((value.ir,))
        elif value.type.kind == "entity" and self.world.is_party(value.type.universe):
            players = m.Attr(f"{value.type.universe}.members", value.ir)
        elif value.type.is_collection and self.world.is_party(value.type.universe):
            var = self.context.fresh("winner")
            held = m.Attr(f"{value.type.universe}.members", m.Var(var))
            players = m.Collect(value.ir, var, held, flat=True, is_list=value.type.kind == "list")
        elif value.type.is_collection and value.type.universe in ("Player", ""):
            players = self.coercions.as_set(value)
        elif value.type.kind == "any":
            players = m.Const(0)
        else:
            self.context.mismatch("a player, a party or a set of them", value.type, s.who.span, "the winner")
            return
        code.add(m.FinishWin(players, code.name))

    def rank(self, s: ast.RankAll, scope: Scope, code: FunctionBuilder) -> None:
        """``finish ranking x in S by e then e``."""
        bound, inner = self.expressions.bind(s.bind, scope)
        keys = tuple(self.expressions.number(k, inner) for k in s.by)
        universe = bound.type.universe
        if bound.type.kind != "any" and universe != "Player" and not self.world.is_party(universe):
            self.context.mismatch("players or parties", bound.type.as_set(), s.bind.source.span, "who is ranked")
            return
        source = m.ToSet(bound.source) if bound.is_list else bound.source
        code.add(m.FinishRank(source, universe or "Player", bound.var, keys, code.name))
