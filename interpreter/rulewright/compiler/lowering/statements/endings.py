"""Lowering of the end of the game."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.scope import Scope
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Winners:
    """The winners, as expressions."""

    players: m.Expr
    """A set of players."""
    universe: str = ""
    parties: m.Expr | None = None
    """If parties were named, the set of them, of this universe: not all have players."""


class EndingLowerer:
    """Lowers ``finish with winner`` and ``finish ranking``."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world

    def win(self, s: ast.Win, scope: Scope, code: FunctionBuilder) -> None:
        """``finish with winner e``."""
        found = self.winners(s.who, scope, "the winner", "`finish with nobody winning`")
        if found is not None:
            code.add(m.FinishWin(found.players, code.name, found.universe, found.parties))

    def winners(self, expr: ast.Expr, scope: Scope, what: str, nobody: str) -> Winners | None:
        """The winners: a player, a party or a set of them; None if it is nothing of that, which is then reported.

        `nobody` is how it is written that nobody has.
        """
        value = self.coercions.item(self.expressions.lower(expr, scope))
        type, universe = value.type, value.type.universe
        if type.kind == "any":
            return Winners(m.Const(0))
        if self.world.is_party(universe):
            members = f"{universe}.members"
            if type.kind == "entity":
                return Winners(m.Attr(members, value.ir), universe, m.MakeSet((value.ir,)))
            var = self.context.fresh("winner")
            players = m.Collect(value.ir, var, m.Attr(members, m.Var(var)), True, type.kind == "list")
            return Winners(players, universe, self.coercions.as_set(value))
        if type.kind == "entity" and universe == "Player":
            return Winners(m.MakeSet((value.ir,)))
        if type.is_collection and universe in ("Player", ""):
            return Winners(self.coercions.as_set(value))
        hint = f"nobody: {nobody}" if type.kind == "none" else ""
        self.context.mismatch("a player, a party or a set of them", type, expr.span, what, hint)
        return None

    def nobody(self, code: FunctionBuilder) -> None:
        """``finish with nobody winning``."""
        code.add(m.FinishWin(m.Const(0), code.name))

    def draw(self, code: FunctionBuilder) -> None:
        """``finish with a draw``."""
        code.add(m.FinishWin(m.Alive("Player"), code.name, drawn=True))

    def rank(self, s: ast.RankAll, scope: Scope, code: FunctionBuilder) -> None:
        """``finish ranking x in S by e then e``."""
        bound, inner = self.expressions.bind(s.bind, scope)
        keys = tuple(self.expressions.number(k, inner) for k in s.by)
        source = self.members(bound, s.bind, "who is ranked")
        if source is not None:
            code.add(m.FinishRank(source, bound.type.universe or "Player", bound.var, keys, code.name))

    def members(self, bound: Bound, bind: ast.Bind, what: str) -> m.Expr | None:
        """The players or parties that a variable runs over, as a set; None if it is something else, which is then
        reported."""
        universe = bound.type.universe
        if bound.type.kind != "any" and universe != "Player" and not self.world.is_party(universe):
            self.context.mismatch("players or parties", bound.type.as_set(), bind.source.span, what)
            return None
        return m.ToSet(bound.source) if bound.is_list else bound.source
