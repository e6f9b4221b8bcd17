"""Coercions: a value of one type as a value of another, where the language allows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulewright.compiler.lowering.lowering_context import LoweringContext, a_type
from rulewright.compiler.symbols.constants import check_bounds
from rulewright.compiler.symbols.static_types import ANY, INT, NOTHING, Type
from rulewright.compiler.symbols.symbols import Typed
from rulewright.diagnostics import Span
from rulewright.ir import model as m

NONE_VALUE = m.Const(m.NONE)
WRONG = Typed(m.Const(0), ANY)


class Coercions:
    """Gives values the type that is wanted, or that two of them have in common."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world = context.world

    def item(self, value: Typed) -> Typed:
        """A zone of at most one piece read as that piece or none; anything else as it is."""
        if value.type.unit and value.type.kind == "set":
            return Typed(m.Single(value.ir), value.type.element().or_none())
        return value

    def in_order(self, value: Typed) -> Typed:
        """A stack, from the top, or a row as a list; anything else as it is."""
        zone = value.ir
        if isinstance(zone, m.ZoneGet) and self.world.zones[zone.zone].order in ("stack", "row"):
            return Typed(m.ZoneList(zone.zone, zone.index), value.type.as_list(self.world.size("Piece")))
        return value

    def one_of(self, kind: Literal["first", "last", "single"], value: Typed) -> Typed:
        """The first or last member of a collection in its order, or the only one; else none."""
        if value.type.kind == "any":
            return value
        element = value.type.element().or_none()
        if kind == "single":
            return Typed(m.Single(self.as_set(value)), element)
        value = self.in_order(value)
        is_list = value.type.kind == "list"
        if kind == "first":
            return Typed(m.First(value.ir, is_list), element)
        listed = self.context.fresh("listed")
        at = m.Arith("sub", m.Size(m.Var(listed), is_list=True), m.Const(1))
        return Typed(m.LetIn(listed, value.ir if is_list else m.ToList(value.ir), m.Item(m.Var(listed), at)), element)

    def fits(self, value: Typed, wanted: Type) -> m.Expr | None:
        """`value` as a `wanted`, or None if it cannot be one. Nothing is reported."""
        found = value.type
        if "any" in (found.kind, wanted.kind):
            return value.ir
        if found.kind == "none":
            if wanted.kind == "set":
                return m.Const(0)
            return NONE_VALUE if wanted.optional else None
        if wanted.kind == "entity" and found.kind == "set" and found.unit:
            value = self.item(value)
            found = value.type
        if wanted.kind == "set" and found.kind == "list" and self._members_fit(found, wanted):
            return m.ToSet(value.ir)
        if wanted.kind == "list" and found.kind == "set" and self._members_fit(found, wanted):
            return m.ToList(value.ir)
        if wanted.is_collection and found.kind == wanted.kind:
            return value.ir if self._members_fit(found, wanted) else None
        party = found.kind == "entity" and self.world.is_party(found.universe)
        if wanted.kind == "set" and wanted.universe == "Player" and party:
            return m.Attr(f"{found.universe}.members", value.ir)
        if wanted.kind != found.kind:
            return None
        if wanted.kind == "entity":
            return self._entity_fits(value, wanted)
        return value.ir

    def _members_fit(self, found: Type, wanted: Type) -> bool:
        if not found.universe or found.universe == wanted.universe:
            return not wanted.kinds or not found.kinds or bool(self.world.overlap(found.kinds, wanted.kinds))
        return self.world.same_indices(found.universe, wanted.universe)

    def _entity_fits(self, value: Typed, wanted: Type) -> m.Expr | None:
        found = value.type
        if found.universe == wanted.universe:
            if found.kinds and wanted.kinds and not self.world.overlap(found.kinds, wanted.kinds):
                return None
            return value.ir
        world = self.world
        if world.extends(wanted.universe, found.universe):
            return value.ir
        if world.extends(found.universe, wanted.universe):
            return m.IfElse(m.Cmp("lt", value.ir, m.Const(world.size(wanted.universe))), value.ir, NONE_VALUE)
        if world.merged_over(wanted.universe) == found.universe:
            return m.Canon(wanted.universe, value.ir)
        if found.universe == "Player" and world.is_party(wanted.universe):
            return m.Attr(f"Player.{wanted.universe}", value.ir)
        if wanted.universe == "Player" and world.is_party(found.universe):
            return m.Attr(f"{found.universe}.player", value.ir)
        return None

    def coerce(self, value: Typed, wanted: Type, span: Span, where: str = "", hint: str = "") -> m.Expr:
        """`value` as a `wanted`; reports if it cannot be one."""
        made = self.fits(value, wanted)
        if made is None:
            self.context.mismatch(a_type(wanted), value.type, span, where, hint)
            return m.Const(0)
        return made

    def within(self, ir: m.Expr, found: Type, wanted: Type, span: Span, where: str) -> m.Expr:
        """A value whose numbers are tested while the game runs, unless its type keeps them to the bounds.

        None passes.
        """
        check_bounds(ir, wanted, span, self.context.report)
        low, high = wanted.low, wanted.high
        if wanted.kind == "set":
            low = max(low, 0)
            found = replace(found, low=max(found.low, 0))
        numbers = wanted.kind == "int" or (wanted.is_collection and wanted.universe == "Int")
        if not numbers or found.kind in ("any", "none") or (low <= found.low and found.high <= high):
            return ir
        value, one = self.context.fresh("given"), self.context.fresh("one")
        number = m.Var(value if wanted.kind == "int" else one)
        outside: m.Expr = m.Or((m.Cmp("lt", number, m.Const(low)), m.Cmp("gt", number, m.Const(high))))
        if wanted.is_collection:
            outside = m.Fold("some", (m.Bound(one, m.Var(value), wanted.kind == "list"),), outside, None)
        bounds = f"at least {low}" if high == INT.high else f"from {low} to {high}"
        shown = f"{where} must be {bounds}" + (", not" if wanted.kind == "int" else " in all of it")
        fault = m.Fault("bounds", shown, number if wanted.kind == "int" else None, wanted.run_time())
        return m.LetIn(value, ir, m.IfElse(outside, fault, m.Var(value)))

    def as_set(self, value: Typed) -> m.Expr:
        """A collection as a set."""
        return m.ToSet(value.ir) if value.type.kind == "list" else value.ir

    def common(self, a: Typed, b: Typed) -> tuple[m.Expr, m.Expr, Type] | None:
        """Two values as one type, for comparisons and branches."""
        if a.type.kind == "any" or b.type.kind == "any":
            return a.ir, b.ir, ANY
        if a.type.unit and b.type.kind != "set":
            a = self.item(a)
        if b.type.unit and a.type.kind != "set":
            b = self.item(b)
        right = self.fits(b, a.type.or_none() if b.type.optional or b.type == NOTHING else a.type)
        if right is not None and not (self.world.is_party(b.type.universe) and a.type.universe == "Player"):
            optional = a.type.optional or b.type.optional
            joined = replace(
                a.type,
                optional=optional,
                low=min(a.type.low, b.type.low),
                high=max(a.type.high, b.type.high),
                kinds=tuple(dict.fromkeys(a.type.kinds + b.type.kinds)),
                capacity=max(a.type.capacity, b.type.capacity),
                unit=False,
            )
            if a.type.kind in ("bool", "entity"):
                joined = replace(joined, low=a.type.low, high=a.type.high)
            return a.ir, right, joined
        left = self.fits(a, b.type.or_none() if a.type.optional or a.type == NOTHING else b.type)
        if left is not None:
            return left, b.ir, replace(b.type, optional=a.type.optional or b.type.optional, unit=False)
        return None
