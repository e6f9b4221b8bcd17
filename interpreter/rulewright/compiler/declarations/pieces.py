"""Kinds of pieces, their tables, their keys, and where each piece begins."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.compiler.declarations.attributes import Attributes
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.symbols.constants import Cells
from rulewright.compiler.symbols.static_types import ANY, Type, stand_in, stands_for
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import KindInfo, PieceRows
from rulewright.data.component_tables import Table
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, RulesetError, Span, over_limit
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, Value, evaluate
from rulewright.syntax import ast

Home = tuple[str, tuple[int, ...]]
"""A zone and its keys."""

BOX: Home = ("box", ())
STANDING: Home = (m.STAND_INS, ())


class Begin(NamedTuple):
    """The place where pieces of a kind begin, as written."""

    zone: m.ZoneGet
    names: dict[str, str]
    """The variable of each attribute."""
    span: Span


class Pieces:
    """Declares the one universe of pieces."""

    def __init__(
        self, world: SymbolTable, lower: ExpressionLowerer, attributes: Attributes, ruleset: Ruleset, report: Report
    ) -> None:
        self.world, self.lower, self.attributes = world, lower, attributes
        self.cells = Cells(world, report)
        self.ruleset, self.report = ruleset, report
        self.rows = PieceRows()
        self._decls: dict[str, ast.Piece] = {}

    def declare(self, decls: list[ast.Piece]) -> None:
        """Take in all kinds, then all pieces."""
        world = self.world
        by_name = self._decls = {d.name: d for d in decls}
        for order, decl in enumerate(decls):
            info = KindInfo(decl.name, decl.base, sides=decl.sides, order=order)
            world.kinds[decl.name] = info
        for decl in decls:
            if decl.base is not None and decl.base not in world.kinds:
                self.lower.context.unknown("kind of piece", decl.base, list(world.kinds), decl.span)
                world.kinds[decl.name].base = None
        self._cycles(decls)
        for info in world.kinds.values():
            info.back = next((b for kind in world.ancestors(info.name) if (b := by_name[kind].back) is not None), None)
        for decl in decls:
            for attribute in decl.attributes:
                type = world.kinds[decl.name].own[attribute.name] = world.resolve_printed(attribute.type)
                if type.universe == "Piece":
                    why = "the pieces are known only after all tables have been read"
                    self.report.error("TYP218", why, attribute.span)
                    world.kinds[decl.name].own[attribute.name] = ANY
                self._declared_above(decl, attribute)
            if decl.sides:
                world.add_universe(m.Universe(f"side of {decl.name}", "enum", decl.sides))
        for decl in decls:
            if decl.table is not None:
                self._read(decl, by_name)
        for number, kind in enumerate(self.rows.owner):
            for above in world.ancestors(kind):
                world.kinds[above].members |= 1 << number
        numbers = {universe: self._stand_ins(universe) for universe in world.stand_ins}
        world.add_universe(m.Universe("Piece", "piece", tuple(self.rows.keys)))
        self._tables()
        for universe, its in numbers.items():
            world.add_part("Piece", universe, its)

    def _stand_ins(self, universe: str) -> range:
        """Pieces that stand for the members of a universe, which some value may be instead of a piece."""
        world, kind = self.world, stand_in(universe)
        keys, first = world.keys(universe), len(self.rows.keys)
        if first + len(keys) > limits.PIECES:
            self.report.error("DAT013", f"more than {limits.PIECES} pieces, with one for each {universe}")
            keys = ()
        numbers = range(first, first + len(keys))
        world.kinds[kind] = KindInfo(kind, None, members=sum(1 << number for number in numbers), order=len(world.kinds))
        self.rows.values += [{kind: number} for number in numbers]
        self.rows.keys += keys
        self.rows.backs += [""] * len(keys)
        self.rows.owner += [kind] * len(keys)
        return numbers

    def _cycles(self, decls: list[ast.Piece]) -> None:
        for decl in decls:
            seen, at = [decl.name], self.world.kinds[decl.name].base
            while at is not None:
                if at in seen:
                    self.report.error("REF008", f"`{decl.name}` is a kind of itself", decl.span)
                    self.world.kinds[decl.name].base = None
                    break
                seen.append(at)
                at = self.world.kinds[at].base

    def _declared_above(self, decl: ast.Piece, attribute: ast.Attribute) -> None:
        for kind in self.world.ancestors(decl.name)[1:]:
            if any(a.name == attribute.name for a in self._decls[kind].attributes):
                self.report.error(
                    "REF007", f"every {decl.name} has a `{attribute.name}` already, as a {kind}", attribute.span
                )
                self.world.kinds[decl.name].own.pop(attribute.name, None)

    def types(self, kind: str) -> dict[str, Type]:
        """All attributes of a kind, inherited ones first."""
        found: dict[str, Type] = {}
        for name in reversed(self.world.ancestors(kind)):
            found |= self.world.kinds[name].own
        return found

    def _read(self, decl: ast.Piece, by_name: dict[str, ast.Piece]) -> None:
        try:
            table = self.ruleset.table_of(decl)
        except RulesetError as error:
            self.report.extend(error.diagnostics)
            self.world.unread.add(decl.name)
            return
        self.report.extend(table.findings)
        chain = [by_name[k] for k in reversed(self.world.ancestors(decl.name))]
        written = {a.name: a for d in chain for a in d.attributes}
        types = self.types(decl.name)
        self._unread(table, types)
        if len(types) > limits.ATTRIBUTES:
            what = "attributes are on each piece of this kind"
            self.report.found.append(over_limit(what, len(types), limits.ATTRIBUTES, decl.span))
            return
        cells = len(table.rows) * len(types)
        if cells > limits.PRINTED:
            what = "attributes are printed on the pieces of this kind"
            self.report.found.append(over_limit(what, cells, limits.PRINTED, decl.span))
            return
        naming = next((d for d in reversed(chain) if d.named is not None), decl)
        backed = next((d for d in reversed(chain) if d.back is not None), decl)
        template = naming.named or decl.name.lower()
        for row in range(len(table.rows)):
            amount = self.cells.count(table, row)
            if amount == 0:
                continue  # with so many players there is no such piece: it may belong to one who is absent

            def cell(attribute: ast.Attribute, type: Type, row: int = row) -> Value:
                return self.cells.read(table, row, attribute.name, type)

            values = self.attributes.read(written.values(), types, cell)
            key = self.attributes.key(template, values, types, naming.place_of("named"))
            printed = self.world.kinds[decl.name].back or ""
            back = self.attributes.key(printed, values, types, backed.place_of("back"), "that its back could show")
            if len(self.rows.keys) + amount > limits.PIECES:
                self.report.error("DAT013", f"more than {limits.PIECES} pieces", table.span(row))
                return
            self.rows.values += [values] * amount
            self.rows.keys += [key] * amount
            self.rows.backs += [back] * amount
            self.rows.owner += [decl.name] * amount

    def _unread(self, table: Table, types: dict[str, Type]) -> None:
        # A column that names the values of an enum is read by the enum.
        named = {"name", *(u.name.lower() for u in self.world.universes.values() if u.sort == "enum")}
        named |= {
            a for u in self.world.universes.values() if u.sort == "enum" for a in self.world.attributes.get(u.name, ())
        }
        for column in table.columns:
            if column not in types and column not in named:
                row = next(i for i, r in enumerate(table.rows) if column in r)
                self.report.error(
                    "DAT015",
                    f"no attribute reads the column `{column}`",
                    table.span(row, column),
                    path=table.path(row, column),
                    hint=did_you_mean(column, types),
                )

    def _tables(self) -> None:
        declared: dict[str, list[tuple[str, Type]]] = {}
        for info in self.world.kinds.values():
            for name, type in info.own.items():
                declared.setdefault(name, []).append((info.name, type))
        for name, kinds in declared.items():
            for kind, type in kinds:
                same = [k for k, t in kinds if (t.kind, t.universe) == (type.kind, type.universe)]
                shared = len(same) == len(kinds)
                table = f"Piece.{name}" if shared else f"{kind}.{name}"
                if table not in self.world.tables:
                    self._table(table, name, same if shared else [kind], type)
                self.world.piece_tables.setdefault(name, []).append((kind, type, table))

    def _table(self, table: str, name: str, kinds: list[str], type: Type) -> None:
        empty: Value = 0 if type.kind == "set" else () if type.kind == "list" else m.NONE
        values = [
            held.get(name, empty) if any(k in self.world.ancestors(kind) for k in kinds) else empty
            for held, kind in zip(self.rows.values, self.rows.owner, strict=True)
        ]
        self.world.tables[table] = m.Table(table, "Piece", type.or_none().run_time(), tuple(values))

    # --------------------------------------------------------------------------------- where they begin

    def begins(self, decls: list[ast.Piece]) -> list[Home]:
        """For each piece the zone and keys where it begins (zones are known by now)."""
        by_name = {d.name: d for d in decls}
        lowered = {kind: self._begin(kind, by_name) for kind in dict.fromkeys(self.rows.owner)}
        found: list[Home] = []
        wrong: set[str] = set()
        full: dict[Home, int] = {}
        for values, kind in zip(self.rows.values, self.rows.owner, strict=True):
            begin = lowered[kind]
            home = self._where(begin, values) if begin is not None else STANDING if stands_for(kind) else BOX
            if home is None and kind not in wrong and begin is not None:
                wrong.add(kind)
                self.report.error("TYP218", "this must be known before the game begins", begin.span)
            found.append(home or BOX)
            full[found[-1]] = full.get(found[-1], 0) + 1
            if begin is not None and full[found[-1]] == self._capacity(found[-1]) + 1:
                where = f"{found[-1][0]}[{', '.join(self._keys(found[-1]))}]" if found[-1][1] else found[-1][0]
                self.report.error("TYP226", f"more pieces begin in `{where}` than it can hold", begin.span)
        return found

    def _capacity(self, home: Home) -> int:
        zone = self.world.zones[home[0]].decl
        limited = zone is not None and zone.at_most is not None
        return self.world.zones[home[0]].type.capacity if limited else limits.PIECES

    def _keys(self, home: Home) -> list[str]:
        index = self.world.zones[home[0]].index
        return [self.world.key(universe, key) for universe, key in zip(index, home[1], strict=True)]

    def _begin(self, kind: str, by_name: dict[str, ast.Piece]) -> Begin | None:
        kinds = () if stands_for(kind) else self.world.ancestors(kind)
        written = next((b for k in kinds if (b := by_name[k].begins) is not None), None)
        if written is None:
            return None
        scope, names = self.attributes.scope(self.types(kind))
        zone = self.lower.lower(written, scope)
        if zone.type.kind == "any":
            return None
        if not isinstance(zone.ir, m.ZoneGet):
            self.lower.context.mismatch("a zone", zone.type, written.span, "where pieces begin")
            return None
        if not self.world.overlap(self.world.zones[zone.ir.zone].type.kinds or (kind,), (kind,)):
            self.report.error("TYP219", f"zone `{zone.ir.zone}` cannot hold a {kind}", written.span)
        return Begin(zone.ir, names, written.span)

    def _where(self, begin: Begin, values: dict[str, Value]) -> Home | None:
        """The zone and its keys; the box if a key is none, and None if a key depends on the game."""
        env = {begin.names[n]: v for n, v in values.items() if n in begin.names}
        keys: list[int] = []
        for part in begin.zone.index:
            try:
                value = evaluate(part, env, self.world.tables)
            except NotConstant:
                return None
            if not isinstance(value, int) or value < 0:
                return BOX
            keys.append(value)
        return begin.zone.zone, tuple(keys)

    def backs(self) -> tuple[str, ...]:
        """The text on the back of each piece; empty if no piece has one."""
        return tuple(self.rows.backs) if any(self.rows.backs) else ()
