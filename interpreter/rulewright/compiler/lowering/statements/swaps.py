"""Lowering of ``swap``: two of a kind exchange what they hold, or where they lie."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.statements.piece_statements import PieceLowerer
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import BOOL, entity
from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

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
        """Both values and all keys are read before anything is set."""
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
        """The same field, whatever the other side becomes."""
        if side.field is None:
            return side
        keys: list[m.Expr] = []
        for key, universe in zip(side.field.index, self.world.fields[side.field.field].index, strict=True):
            if any((isinstance(n, m.Local) and n.slot == other.slot) or not isinstance(n, _STEADY) for n in nodes(key)):
                slot = code.slot("key", BOOL if universe == "Bool" else entity(universe, optional=True))
                code.add(m.SetLocal(slot, key))
                key = m.Local(slot)
            keys.append(key)
        return replace(side, read=Typed(m.FieldGet(side.field.field, tuple(keys)), side.read.type))

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
