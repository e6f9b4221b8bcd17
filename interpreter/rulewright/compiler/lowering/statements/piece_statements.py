"""Lowering of what happens to pieces and regions: moves, turns, what is shown and merged."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LowerStatement
from rulewright.compiler.symbols.static_types import entity, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
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


_WHAT = "what is swapped"
_STEADY = (m.Const, m.Local, m.Canon, m.Attr)
"""Of such a key only a local can become another one by a swap of values."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a ``swap``."""

    read: Typed
    span: Span
    slot: int | None = None
    """Of a ``var``."""

    @property
    def field(self) -> m.FieldGet | None:
        """The field that is named, if it is one."""
        return self.read.ir if isinstance(self.read.ir, m.FieldGet) else None

    @property
    def can_be_set(self) -> bool:
        """True if it can be assigned: it may stand left of ``=``."""
        return self.slot is not None or self.field is not None


class SwapLowerer:
    """Lowers ``swap a with b``: what stands there decides what is exchanged, never the type of it.

    Of what can be set it is the values, of zones what lies in them, of other pieces where they lie.
    """

    def __init__(self, expressions: ExpressionLowerer, pieces: PieceLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world
        self.pieces = pieces

    def lower(self, s: ast.Swap, scope: Scope, code: FunctionBuilder) -> None:
        """Consequences look on when both sides have changed."""
        left, right = self._side(s.left, scope), self._side(s.right, scope)
        start = len(code.items)
        if "any" in (left.read.type.kind, right.read.type.kind):
            return
        if left.can_be_set and right.can_be_set:
            self._values(left, right, code)
        elif left.can_be_set or right.can_be_set:
            self._not_alike(*((right, left) if left.can_be_set else (left, right)))
        elif isinstance(left.read.ir, m.ZoneGet) and isinstance(right.read.ir, m.ZoneGet):
            self.pieces.check_holds(left.read.ir, right.read.type.kinds, right.span)
            self.pieces.check_holds(right.read.ir, left.read.type.kinds, left.span)
            code.add(m.Exchange(left.read.ir, right.read.ir, True))
        else:
            self._pieces(left, right, code)
        code.settle(start)

    def _side(self, expr: ast.Expr, scope: Scope) -> _Side:
        bound = scope.find(expr.name) if isinstance(expr, ast.Name) else None
        if bound is not None:
            return _Side(Typed(bound.ir, bound.type), expr.span, bound.slot if bound.changes else None)
        return _Side(self.expressions.target(expr, scope), expr.span)

    def _not_alike(self, fixed: _Side, settable: _Side) -> None:
        """Report that one side can be set, and the other one cannot."""
        hint = "a field or `var` is swapped with another one"
        if settable.read.type.universe == "Piece":
            hint = "to have two pieces change places, name both with `let`"
        self.context.error("CTL109", "this cannot be assigned", fixed.span, hint=hint)

    # --------------------------------------------------------------------------------------------- values

    def _values(self, left: _Side, right: _Side, code: FunctionBuilder) -> None:
        """Swap two values: all keys and both values are read before either is set."""
        kept = code.slot("swapped", left.read.type)
        to_right = Typed(self.context.read(m.Local(kept), left.read.type), left.read.type)
        given = self.coercions.coerce(to_right, right.read.type, left.span, _WHAT)
        taken = self.coercions.coerce(right.read, left.read.type, right.span, _WHAT)
        code.add(m.SetLocal(kept, left.read.ir))
        held = self._with_keys_held(right, left, code)
        for side, value in ((left, taken), (held, given)):
            if side.field is not None:
                code.add(m.SetField(side.field.field, side.field.index, value))
            elif side.slot is not None:
                code.add(m.SetLocal(side.slot, value))

    def _with_keys_held(self, side: _Side, other: _Side, code: FunctionBuilder) -> _Side:
        """A side with its keys held in slots, so that setting the other side does not move it."""
        if side.field is None:
            return side

        def changes(key: m.Expr) -> bool:
            return any(
                (isinstance(n, m.Local) and n.slot == other.slot) or not isinstance(n, _STEADY) for n in nodes(key)
            )

        return replace(side, read=Typed(self.context.with_keys_held(side.field, changes, code), side.read.type))

    # --------------------------------------------------------------------------------------------- pieces

    def _pieces(self, left: _Side, right: _Side, code: FunctionBuilder) -> None:
        """Each lies then where the other one lay; a zone of at most one piece stands for that piece."""
        found: list[Typed] = []
        for side in (left, right):
            piece = self.coercions.item(side.read)
            if piece.type.kind != "entity" or piece.type.universe != "Piece":
                self.context.mismatch("a piece, a zone, or something that can be set", side.read.type, side.span, _WHAT)
                return
            found.append(piece)
        one, other = found
        self._check_zones(one, other, right.span)
        self._check_zones(other, one, left.span)
        code.add(m.Exchange(one.ir, other.ir, False))

    def _check_zones(self, there: Typed, coming: Typed, span: Span) -> None:
        """Report a piece that comes to lie where, it may be, no such pieces can lie."""
        for name, zone in self.world.zones.items():
            held = zone.type.kinds
            if not (held and there.type.kinds) or self.world.overlap(held, there.type.kinds):
                self.pieces.check_holds(m.ZoneGet(name, ()), coming.type.kinds, span)
