"""Lowering of what happens to pieces and regions: moves, turns, what is shown and merged."""

from __future__ import annotations

from typing import Literal

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LowerStatement
from rulewright.compiler.symbols.static_types import entity, set_of
from rulewright.compiler.symbols.symbols import Scope
from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.syntax import ast


class PieceLowerer:
    """Lowers ``move``, ``flip``, ``show`` and ``merge``."""

    def __init__(self, expressions: ExpressionLowerer, lower_statement: LowerStatement) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world
        self.lower_statement = lower_statement

    def zone(self, expr: ast.Expr, scope: Scope) -> m.ZoneGet | None:
        """An expression that must name one zone."""
        value = self.expressions.lower(expr, scope)
        if isinstance(value.ir, m.ZoneGet):
            return value.ir
        if isinstance(expr, ast.Name) and expr.name == "box":
            return m.ZoneGet("box", ())
        if value.type.kind != "any":
            self.context.mismatch("a zone", value.type, expr.span)
        return None

    def move(self, s: ast.Move, scope: Scope, code: FunctionBuilder) -> None:
        """``move [n of] what to zone``; the zone may be chosen by ``a if c else b``."""
        if isinstance(s.to, ast.IfElse):
            both = ast.If(
                (ast.Branch(s.to.condition, (ast.Move(s.amount, s.what, s.to.then, s.face, span=s.span),)),),
                (ast.Move(s.amount, s.what, s.to.otherwise, s.face, span=s.span),),
                span=s.span,
            )
            self.lower_statement(both, scope, code)
            return
        what, is_list, kinds = self._pieces(s.what, scope)
        if s.amount is not None:
            amount = self.expressions.number(s.amount, scope)
            if is_list and not isinstance(what, m.ZoneList):
                self.context.error(
                    "TYP201", "some of a list cannot be moved", s.what.span, hint="move some of a zone or set"
                )
                return
            what = self._some_of(what, amount)
            is_list = isinstance(what, m.Top)
        zone = self.zone(s.to, scope)
        if zone is None:
            return
        self.check_holds(zone, kinds, s.to.span)
        if s.face == "as it lies":
            what = self._as_it_lies(what, zone, s.what.span)
        start = len(code.items)
        code.add(self.move_to(what, is_list, zone, s.face))
        code.settle(start)

    def _as_it_lies(self, what: m.Expr, zone: m.ZoneGet, span: Span) -> m.Expr:
        """Pieces of a stack so that they lie in the same order on another one: the lowest is moved first."""
        zones = self.world.zones
        if not isinstance(what, m.ZoneList | m.Top) or {zones[what.zone].order, zones[zone.zone].order} != {"stack"}:
            self.context.error("TYP240", "only what lies in a stack can be laid on another one as it lies", span)
            return what
        piece = self.context.fresh("piece")
        return m.Sort(what, piece, m.SlotOf(m.Var(piece)), descending=True, is_list=True)

    def _some_of(self, what: m.Expr, amount: m.Expr) -> m.Expr:
        if isinstance(what, m.ZoneList):
            return m.Top(what.zone, what.index, amount)
        return m.Lowest(what, amount)

    def _pieces(self, expr: ast.Expr, scope: Scope) -> tuple[m.Expr, bool, tuple[str, ...]]:
        """Pieces to be moved: the expression, whether it is a list, and their kinds."""
        value = self.expressions.lower(expr, scope)
        if value.type.universe not in ("Piece", "") or value.type.kind not in ("entity", "set", "list", "any"):
            self.context.mismatch("pieces", value.type, expr.span, "what is moved")
            return m.Const(0), False, ()
        if self.world.parts(value.type):
            hint = self.expressions.coercions.ask_first(value.type, entity("Piece"))
            self.context.mismatch("pieces", value.type, expr.span, "what is moved", hint)
        if value.type.kind == "entity":
            return m.MakeSet((value.ir,)), False, value.type.kinds
        if isinstance(value.ir, m.ZoneGet) and self.world.zones[value.ir.zone].order in ("stack", "row"):
            return m.ZoneList(value.ir.zone, value.ir.index), True, value.type.kinds
        return value.ir, value.type.kind == "list", value.type.kinds

    def check_holds(self, zone: m.ZoneGet, kinds: tuple[str, ...], span: Span) -> None:
        """Report a zone that holds no pieces of these kinds."""
        held = self.world.zones[zone.zone].type.kinds
        if held and kinds and not self.world.overlap(held, kinds):
            self.context.error("TYP219", f"zone `{zone.zone}` cannot hold a {' or '.join(kinds)}", span)

    @staticmethod
    def move_to(what: m.Expr, is_list: bool, zone: m.ZoneGet, face: ast.Laid | None) -> m.Move:
        """The instruction that moves pieces to a zone."""
        at: Literal["top", "bottom"] = "bottom" if face == "at bottom" else "top"
        turned = {"face up": 0, "face down": 1}.get(face or "")
        return m.Move(what, is_list, zone.zone, zone.index, at, turned)

    def flip(self, s: ast.Flip, scope: Scope, code: FunctionBuilder) -> None:
        """``flip x face up``, ``flip x to night``."""
        what, is_list, kinds = self._pieces(s.what, scope)
        side = {"face up": 0, "face down": 1}.get(s.side)
        if side is None:
            universe = self.world.sides_universe(kinds)
            found = self.world.member(universe, s.side)
            if found is None:
                if self.expressions.lower(s.what, scope).type.kind == "any":
                    return
                self.context.unknown("side", s.side, list(self.world.keys(universe)), s.span)
                return
            side = found
        start = len(code.items)
        code.add(m.Flip(m.ToSet(what) if is_list else what, side))
        code.settle(start)

    def show(self, s: ast.Show, scope: Scope, code: FunctionBuilder) -> None:
        """``show x to p``."""
        what, is_list, _ = self._pieces(s.what, scope)
        to = self.expressions.lower(s.to, scope)
        seen: m.Expr
        if to.type.kind == "entity" and to.type.universe == "Player":
            seen = m.MakeSet((to.ir,))
        else:
            found = self.expressions.collection(s.to, scope)
            seen = self.coercions.coerce(found, set_of("Player"), s.to.span, "whoever it is shown to")
        code.add(m.Show(m.ToSet(what) if is_list else what, seen))

    def merge(self, s: ast.Merge, scope: Scope, code: FunctionBuilder) -> None:
        """``merge r with n``."""
        left = self.expressions.one(s.left, scope, "a region")
        universe = left.type.universe
        if not self.world.is_merged(universe):
            if left.type.kind != "any":
                self.context.mismatch("a region", left.type, s.left.span, "what is merged")
            return
        right = self.expressions.want(s.right, scope, entity(universe, optional=True), "what is merged")
        start = len(code.items)
        code.add(m.Merge(universe, left.ir, right))
        code.settle(start)
