"""Lowering of the end of the game."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.static_types import INT, Type, entity, set_of
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Scope
from rulewright.compiler.tree_walk import nodes
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

    def winners(self, expr: ast.Expr, scope: Scope, what: str, no_winner: str) -> Winners | None:
        """The winners: a player, a party or a set of them; None if it is nothing of that, which is then reported.

        `no_winner` is the text for a game without a winner.
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
        hint = f"nobody: {no_winner}" if type.kind == "none" else ""
        self.context.mismatch("a player, a party or a set of them", type, expr.span, what, hint)
        return None

    def no_winner(self, code: FunctionBuilder) -> None:
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


IN_GAME = m.Alive("Player")

Remains = Callable[[m.Expr], m.Expr]
"""The condition that a member has not left since the round began."""


def remaining(world: SymbolTable, s: ast.Each, bound: Bound, code: FunctionBuilder) -> Remains | None:
    """Begin a round that passes over members who leave while it goes on; None if there are no such members.

    Who had left before is visited, if the round is over those who have. ``everyone`` is all seats, left or not.
    """
    if not world.eliminates or (bound.type.kind, bound.type.universe) != ("entity", "Player"):
        return None
    if any(isinstance(node, ast.Name) and node.name == "everyone" for node in nodes(s.bind.source)):
        return None
    if _in_game(s.bind.source):
        return lambda member: m.Contains(IN_GAME, member)
    slot = code.slot("in the game", set_of("Player"))
    code.add(m.SetLocal(slot, IN_GAME))
    return lambda member: m.Or((m.Contains(IN_GAME, member), m.Not(m.Contains(m.Local(slot), member))))


def _in_game(source: ast.Expr) -> bool:
    """True if all members of a set or list are in the game when it is made, as can be seen from how it is written."""
    match source:
        case ast.Name(name="players") | ast.Unary(op="clockwise from"):
            return True
        case ast.Comprehension(element=None, binds=(bind,)) | ast.Ranked(bind=bind):
            return _in_game(bind.source)
        case ast.Binary(op, left) if op in ast.SELECTING:
            return _in_game(left)
        case _:
            return False


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
