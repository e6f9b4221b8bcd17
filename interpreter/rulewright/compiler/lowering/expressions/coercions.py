"""Coercions: a value of one type as a value of another, where the language allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rulewright.compiler.lowering.expressions.keyed_values import KeyedValues
from rulewright.compiler.lowering.lowering_context import LoweringContext, a_type
from rulewright.compiler.symbols import several_kinds
from rulewright.compiler.symbols.constants import check_bounds
from rulewright.compiler.symbols.static_types import ANY, INT, NOTHING, Type, entity, stand_in, stands_for
from rulewright.compiler.symbols.symbols import Typed
from rulewright.diagnostics import Span
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m

NONE_VALUE = m.Const(m.NONE)
WRONG = Typed(m.Const(0), ANY)


def several(a: Type, b: Type) -> str:
    """Words that say how two types become one of several kinds."""
    if a.kind not in ("entity", "set", "list") or a.kind != b.kind or "Int" in (a.universe, b.universe):
        return ""
    a, b = (v.element().present() if v.is_collection else v.present() for v in (a, b))
    return f"if both are meant, give a field, parameter or result this type: `{a} or {b}`"


class Coercions:
    """Gives values the type that is wanted, or that two of them have in common."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world = context.world
        self.keyed = KeyedValues(context)

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
        if found.keys != wanted.keys:
            nothing = found.kind == "set" and not found.universe  # `{}`: 0 for all
            return m.ListConst((0,) * wanted.capacity) if wanted.keys and nothing else None
        if wanted.kind == "entity" and found.kind == "set" and found.unit:
            value = self.item(value)
            found = value.type
        if wanted.is_collection and found.is_collection and found.universe != wanted.universe:
            wider = self._members_widened(value, wanted)
            if wider is not None:
                value, found = wider, wider.type
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
            return self._kinds_fit(found, wanted)
        return self.world.same_indices(found.universe, wanted.universe)

    def _kinds_fit(self, found: Type, wanted: Type) -> bool:
        """True if pieces may be of the kinds wanted; nothing that a piece stands for passes for a piece."""
        if self.world.stand_ins and not {kind for kind in found.kinds if stands_for(kind)} <= set(wanted.kinds):
            return False
        return not wanted.kinds or not found.kinds or self.world.overlap(found.kinds, wanted.kinds)

    def _holds(self, wide: Type, part: str) -> bool:
        """True if a type of several kinds has the members of a universe."""
        return stand_in(part) in wide.kinds or part in self.world.unions.get(wide.universe, ())

    def read_as(self, ir: m.Expr, found: str, wanted: str) -> m.Expr:
        """A member of a universe as that of a wider one, or the other way round; none, if it is none of these."""
        if found == wanted:
            return ir
        table = f"{found}{m.CONVERSION}{wanted}"
        if isinstance(ir, m.Const):
            values = self.world.tables[table].values
            value = values[ir.value] if 0 <= ir.value < len(values) else m.NONE
            return m.Const(value if isinstance(value, int) else m.NONE)
        return m.Attr(table, ir)

    def narrowed(self, value: Typed, kind: str) -> Typed | None:
        """A value, or the members of a collection, that are of a kind; None if there can be none. Of one value the
        test is left to the caller."""
        found = several_kinds.of_kind(self.world, value.type, kind)
        if found is None or value.type.universe == found.universe:
            return None if found is None else Typed(value.ir, found)
        if not value.type.is_collection:
            return Typed(self.read_as(value.ir, value.type.universe, kind), found)
        type = found.as_set() if value.type.kind == "set" else found.as_list(value.type.capacity)
        return Typed(self._each_read_as(value, kind), type)

    def _each_read_as(self, value: Typed, universe: str) -> m.Expr:
        """The members of a collection as members of a wider or narrower universe, which others are not in."""
        var, is_list = self.context.fresh("member"), value.type.kind == "list"
        element = self.read_as(m.Var(var), value.type.universe, universe)
        if isinstance(value.ir, m.Const):
            values = (self.read_as(m.Const(one), value.type.universe, universe) for one in bits_of(value.ir.value))
            return m.Const(sum(1 << one.value for one in values if isinstance(one, m.Const) and one.value >= 0))
        if isinstance(value.ir, m.MakeSet | m.MakeList):
            items = (self.read_as(one, value.type.universe, universe) for one in value.ir.items)
            return replace(value.ir, items=tuple(items))
        return (m.Mapped if is_list else m.Collect)(value.ir, var, element, False, is_list)

    def is_of(self, value: Typed, kind: str) -> m.Expr:
        """The condition that a value is of a kind."""
        if kind in self.world.kinds:
            return m.Contains(m.Kind(kind), value.ir)
        if value.type.universe in (kind, ""):
            return m.Cmp("ne", value.ir, NONE_VALUE, nothing=True)
        if value.type.universe == "Piece":
            return m.Contains(m.Kind(stand_in(kind)), value.ir)
        return m.Cmp("ne", self.read_as(value.ir, value.type.universe, kind), NONE_VALUE, nothing=True)

    def _members_widened(self, value: Typed, wanted: Type) -> Typed | None:
        if not self._holds(wanted, value.type.universe):
            return None
        return Typed(self._each_read_as(value, wanted.universe), replace(value.type, universe=wanted.universe))

    def _entity_fits(self, value: Typed, wanted: Type) -> m.Expr | None:
        found = value.type
        if found.universe == wanted.universe:
            return value.ir if self._kinds_fit(found, wanted) else None
        world = self.world
        if self._holds(wanted, found.universe):
            return self.read_as(value.ir, found.universe, wanted.universe)
        for part in world.parts(wanted):  # a player as a member of a party, which is one of several kinds
            made = self._entity_fits(value, entity(part)) if part not in world.kinds else None
            if made is not None:
                return self.read_as(made, part, wanted.universe)
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
            if value.type.keys and not wanted.keys and self.keyed.needs_key(value, span):
                return m.Const(0)
            self.context.mismatch(a_type(wanted), value.type, span, where, hint or self.ask_first(value.type, wanted))
            return m.Const(0)
        return made

    def ask_first(self, found: Type, wanted: Type) -> str:
        """Words that say to ask for the kind of a value, where one of its kinds would do."""
        for part in self.world.parts(found):
            type = several_kinds.of_kind(self.world, replace(found, kind="entity"), part)
            if type is not None and self.fits(Typed(m.Const(0), type), replace(wanted, kind="entity")) is not None:
                kind = a_type(entity(part))
                return f"ask first: `if x is {kind}`" if found.kind == "entity" else f"take those: `{{x: {part} in …}}`"
        return ""

    def joined(self, values: Sequence[Typed]) -> tuple[list[m.Expr], Type] | None:
        """Values as of the one type that holds them all; None if there is none."""
        type = values[0].type
        for value in values[1:]:
            both = several_kinds.join(self.world, type, value.type)
            if both is None:
                return None
            type = both
        made = (v.ir if v.type.universe == type.universe else self.fits(v, type.or_none()) for v in values)
        return [v.ir if ir is None else ir for v, ir in zip(values, made, strict=True)], type

    def together(self, values: Sequence[Typed], spans: Sequence[Span], where: str) -> tuple[tuple[m.Expr, ...], Type]:
        """Values as of one type; reports the first that has no place in that of those before it."""
        made = self.joined(values)
        for number in range(1, len(values)) if made is None else ():
            before, value = self.joined(values[:number]), values[number]
            if before is not None and self.joined(values[: number + 1]) is None:
                self.context.mismatch(
                    a_type(before[1]), value.type, spans[number], where, several(before[1], value.type)
                )
        return (tuple(value.ir for value in values), ANY) if made is None else (tuple(made[0]), made[1])

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

    def branches(self, a: Typed, b: Typed) -> tuple[m.Expr, m.Expr, Type] | None:
        """Two values as one type, of which either is taken; of several kinds if the rules declare such a type."""
        both = self.common(a, b)
        if both is None and (joined := self.joined((a, b))) is not None:
            (left, right), type = joined
            return left, right, type
        return both
