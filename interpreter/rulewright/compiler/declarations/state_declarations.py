"""Zones, fields and areas: what a state holds, who sees it, and how much of it there may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from math import prod
from operator import or_

from rulewright.compiler.declarations.declare import Declarations
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.sharing import Sharing
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.static_types import Type, entity, stand_in, stands_for
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Binding, FieldInfo, Scope
from rulewright.diagnostics import Report
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.declared_sight import DeclaredSight
from rulewright.syntax import ast

_ORDERED = ("stack", "row")


class Holding:
    """Lowers the declarations of what changes."""

    def __init__(
        self, rules: Rules, declarations: Declarations, lower: ExpressionLowerer, sharing: Sharing, report: Report
    ) -> None:
        self.rules, self.report, self.lower, self.sharing = rules, report, lower, sharing
        self.constant = declarations.constant
        self.world: SymbolTable = declarations.world

    def areas(self) -> tuple[m.AreaMap, ...]:
        """All areas."""
        return tuple(self.sharing.unit("area", a.name, partial(self._area, a)) for a in self.rules.all(ast.Area))

    def zones(self) -> tuple[m.Zone, ...]:
        """All zones, the box last."""
        declared = (d for d in self.rules.all(ast.Zone) if d.name in self.world.zones)
        zones = (self.sharing.unit("zone", d.name, partial(self._zone, d)) for d in declared)
        return (*zones, self._box(), *((self._apart(),) if self.world.stand_ins else ()))

    def fields(self) -> tuple[m.Field, ...]:
        """All fields."""
        return tuple(self.sharing.unit("field", n, partial(self._field, n, f)) for n, f in self.world.fields.items())

    def check_room(self, fields: tuple[m.Field, ...], zones: tuple[m.Zone, ...]) -> None:
        """Report the declaration with which the state becomes too large."""
        cells = 0
        declared: list[m.Field | m.Zone] = [*fields, *zones]
        for made in declared:
            listed = made.ty.capacity if isinstance(made, m.Field) else made.capacity if made.order in _ORDERED else 0
            cells += (1 + listed) * prod(self.world.size(u) for u in made.index if u in self.world.universes)
            if cells > limits.STATE_CELLS:
                field = self.world.fields.get(made.name)
                decl = self.rules.decls[made.name] if field is None else field.decl
                self.report.error(
                    "TYP230",
                    f"with `{made.name}` the state has {cells} cells, and at most {limits.STATE_CELLS} fit",
                    decl.span,
                )
                return

    def _area(self, decl: ast.Area) -> m.AreaMap:
        graph = self.world.graph_of(decl.place)
        if graph is None or graph.edge is None:
            self.report.error("MAP303", f"area {decl.name} needs a map of {decl.place} with edges", decl.span)
            return m.AreaMap(decl.name, decl.place, "b", m.Const(1))
        var, binding = self.lower.context.variable(decl.across, entity(graph.edge))
        across = self.lower.truth(decl.where, Scope({decl.across: binding}))
        return m.AreaMap(decl.name, decl.place, var, across)

    def _audiences(
        self,
        index: tuple[ast.IndexPart, ...],
        universes: tuple[str, ...],
        written: Sequence[ast.Audience],
    ) -> tuple[tuple[str, ...], tuple[m.Audience, ...]]:
        scope = Scope()
        binders = []
        for part, universe in zip(index, universes, strict=True):
            var, binding = self.lower.context.variable(
                part.name or universe.lower(), self.world.universe_type(universe)
            )
            binders.append(var)
            numbers = self.world.numbers(universe)
            if numbers is not None:
                binding = Binding(m.Arith("add", m.Var(var), m.Const(numbers.low)), numbers)
            if part.name is not None:
                scope.bind(part.name, binding)
        made = []
        for audience in written:
            value = self.lower.coercions.item(self.lower.lower(audience.by, scope))
            if value.type.kind == "entity" and value.type.universe == "Player":
                seen: m.Expr = m.MakeSet((value.ir,))
            elif value.type.kind == "entity" and self.world.is_party(value.type.universe):
                seen = m.Attr(f"{value.type.universe}.members", value.ir)
            else:
                seen = self.lower.coercions.coerce(value, Type("set", "Player"), audience.by.span, "who sees it")
            made.append(m.Audience(audience.facet or "all", seen))
        return tuple(binders), tuple(made)

    def _zone(self, decl: ast.Zone) -> m.Zone:
        info = self.world.zones[decl.name]
        binders, audiences = self._audiences(decl.index, info.index, decl.audiences)
        most = reduce(or_, (self.world.kinds[kind].members for kind in info.type.kinds), 0).bit_count()
        limited = decl.at_most is not None
        capacity = min(info.type.capacity, most) if limited else most
        return m.Zone(
            decl.name, info.index, binders, decl.order, info.type.kinds, capacity, info.faced, audiences,
            decl.trivia.cites, limited, decl.faced or (),
        )  # fmt: skip

    def _box(self) -> m.Zone:
        everyone = m.Audience("all", m.Const((1 << self.world.player_count) - 1))
        kinds = tuple(kind for kind in self.world.kinds if not stands_for(kind))
        return m.Zone("box", (), (), "set", kinds, self.world.size("Piece"), False, (everyone,))

    def _apart(self) -> m.Zone:
        """The zone of pieces that stand for something else: they never leave it."""
        everyone = m.Audience("all", m.Const((1 << self.world.player_count) - 1))
        kinds = tuple(map(stand_in, self.world.stand_ins))
        return m.Zone(m.STAND_INS, (), (), "set", kinds, self.world.size("Piece"), False, (everyone,))

    def _field(self, name: str, info: FieldInfo) -> m.Field:
        decl = info.decl
        type = info.type
        initial: int | tuple[int, ...] = m.NONE
        if type.kind in ("set", "bool"):
            initial = 0
        elif type.kind in ("list", "positions"):
            initial = ()
        elif type.kind == "int" and not type.optional:
            initial = max(type.low, 0) if type.high >= 0 else type.high
        if decl.value is not None:
            ir = self.lower.want(decl.value, Scope(), type, f"the first value of `{name}`")
            initial = self.constant(ir, type, decl.value.span)
        elif type.kind == "entity" and not type.optional:
            # It has no value until the setup gives it one.
            type = type.or_none()
        binders, audiences = self._audiences(decl.index, info.index, decl.audiences)
        counted = next((one for one in decl.audiences if one.facet == "count"), None)
        if counted is not None and type.kind not in ("set", "list", "any"):
            hint = "what all may know of it is a field of its own, such as a sum"
            self.report.error(
                "INF330", f"only a set or list has a size, and `{name}` holds neither", decl.span, hint=hint
            )
        if not audiences:
            audiences = (m.Audience("all", m.Const(0 if name == m.PAID else (1 << self.world.player_count) - 1)),)
        is_record = type.kind == "positions"
        return m.Field(
            name, info.index, binders, type.run_time(), initial, audiences, decl.trivia.cites, is_record,
            is_record or name == m.PAID or name in self.world.marks.values(),
        )  # fmt: skip


MOST = m.MAX_NUMBER_BITS - 1
"""So many positions one record may hold."""


class RecordChecks:
    """Looks at the fields that hold positions."""

    def __init__(self, rules: Rules, world: SymbolTable, report: Report) -> None:
        self._rules, self._world, self._report = rules, world, report

    def check(self, fields: Iterable[m.Field], zones: Iterable[m.Zone]) -> None:
        """Report what cannot be recorded."""
        known: dict[str, m.Field | m.Zone] = {one.name: one for one in fields}
        known |= {one.name: one for one in zones}
        for name, info in self._world.fields.items():
            if not isinstance(info.decl.type, ast.PositionsType):
                continue
            if info.decl.at_most is None or info.type.capacity > MOST * m.FINGERPRINT:
                self._report.error(
                    "TYP242",
                    f"`{name}` must say how many positions it holds, {MOST} or fewer",
                    info.decl.span,
                    hint="write it behind a comma: `at most 200`",
                )
            if info.decl.audiences:
                self._report.error("TYP242", "everyone has seen the positions", info.decl.audiences[0].span)
            for part in info.decl.type.parts:
                declared = known.get(part.name)
                if declared is None:
                    self._report.error(
                        "REF001",
                        f"there is no field or zone `{part.name}`",
                        part.span,
                        hint=did_you_mean(part.name, known),
                    )
                    continue
                for why in self._objections(declared):
                    self._report.error("TYP242", f"`{part.name}` cannot be part of a position: {why}", part.span)

    def _objections(self, declared: m.Field | m.Zone) -> Iterator[str]:
        sight = DeclaredSight(self._world.player_count)
        if not sight.everybody(declared):
            yield "not everyone sees it"
        elif not sight.open(declared):
            yield "not everyone sees what lies face down there"
        if any(self._world.merged_over(universe) is not None for universe in declared.index):
            yield "regions may be parts of others later"
        if isinstance(declared, m.Field):
            if declared.is_record:
                yield "it is a record itself"
            if "Piece" in (*declared.index, declared.ty.universe):
                yield "pieces that are alike cannot be told apart; say it of the places where they stand"
