"""Constants of the rules: values that may not depend on the game, and what is wrong with those that do."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.symbols.static_types import Type, entity
from rulewright.compiler.symbols.symbol_table import TEXT, SymbolTable
from rulewright.data.component_tables import Table
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.bit_sets import members_of
from rulewright.ir import model as m
from rulewright.ir.evaluation import Impossible, NotConstant, Value, evaluate
from rulewright.ir.model import INT_MAX, NONE
from rulewright.syntax import ast


def constant(
    ir: m.Expr, type: Type, where: Span, report: Report, world: SymbolTable, env: Mapping[str, Value] | None = None
) -> Value | None:
    """The value of an expression that may not depend on the game and must fit a type; None if something is wrong."""
    try:
        value = evaluate(ir, env or {}, world.tables)
    except Impossible as why:
        report.error("TYP206", str(why), where)
        return None
    except NotConstant:
        report.error("TYP218", "this must be known before the game begins", where)
        return None
    if type.kind == "int" or (type.is_collection and type.universe == "Int"):
        held = members_of(value) if type.is_collection or isinstance(value, tuple) else [value]
        wrong = next((v for v in held if v != NONE and not type.low <= v <= type.high), None)
        if wrong is not None:
            report.error("TYP206", f"this must be {type.low} to {type.high}, not {wrong}", where)
            return None
    return None if isinstance(value, tuple) and _is_full(len(value), type, where, report) else value


def _is_full(length: int, type: Type, where: Span, report: Report) -> bool:
    """True for a list that is longer than there is room, which is reported."""
    full = type.kind == "list" and length > max(type.capacity, 1)
    if full:
        room = f"`, at most {length}` in its declaration makes room"
        report.error("TYP206", f"this list holds at most {type.capacity}, not {length}", where, hint=room)
    return full


def check_bounds(ir: m.Expr, type: Type, where: Span, report: Report) -> None:
    """Report a number that is known and that a field of this type cannot hold, and a list that is too long for it."""
    if isinstance(ir, m.MakeList | m.ListConst):
        _is_full(len(ir.items if isinstance(ir, m.MakeList) else ir.values), type, where, report)
    if type.kind == "int" and isinstance(ir, m.Const) and ir.value != NONE and not type.low <= ir.value <= type.high:
        bounds = f"at least {type.low}" if type.high == INT_MAX else f"{type.low} to {type.high}"
        report.error("TYP206", f"this must be {bounds}, not {ir.value}", where)


def is_open(world: SymbolTable, name: str) -> bool:
    """True if everybody always sees all of a zone or field: every face, the value."""
    if name in world.fields:
        return not (audiences := world.fields[name].decl.audiences) or _shows_faces(audiences)
    zone = world.zones[name]
    return zone.decl is None or (not zone.faced and _shows_faces(zone.decl.audiences))


def _shows_faces(audiences: tuple[ast.Audience, ...]) -> bool:
    return any(audience.facet in (None, "face") and _named(audience, "everyone") for audience in audiences)


def is_seen(world: SymbolTable, name: str) -> bool:
    """True if all players, or all who are left, see something of a zone or field; no local is seen by anybody else."""
    if name in world.fields:
        audiences = world.fields[name].decl.audiences
        return not audiences or _seen_by_all(audiences)
    if name in world.zones:
        zone = world.zones[name].decl
        return zone is None or zone.faced is not None or _seen_by_all(zone.audiences)
    return False


def _seen_by_all(audiences: tuple[ast.Audience, ...]) -> bool:
    return any(_named(audience, "everyone", "players") for audience in audiences)


def _named(audience: ast.Audience, *names: str) -> bool:
    return isinstance(audience.by, ast.Name) and audience.by.name in names


class Cells:
    """Turns what stands in a table into what the program holds."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        self.world, self.report = world, report

    def read(self, table: Table, row: int, column: str, type: Type) -> Value:
        """The value of a cell; a missing one is none, or an error if the type knows no none."""
        raw = table.rows[row].get(column)
        return self.convert(raw, type, table.span(row, column), f"`{column}`", table.path(row, column))

    def resolved(self, raw: object) -> object:
        """A cell that differs by player count, for this count; none if it has no entry for it."""
        return raw.get(str(self.world.player_count)) if isinstance(raw, dict) else raw

    def count(self, table: Table, row: int) -> int:
        """The number of alike pieces that a row stands for."""
        raw = table.rows[row].get("count", 1)
        amount = self.resolved(raw)
        if amount is None:
            self._says_nothing("`count`", table.span(row, "count"), table.path(row, "count"))
        return amount if isinstance(amount, int) else 0

    def convert(self, raw: object, type: Type, span: Span, what: str, path: str = "") -> Value:
        """The program's value of a cell."""
        if type.keys and not (isinstance(raw, dict) and any(isinstance(value, dict) for value in raw.values())):
            return self._keyed(raw, type, span, what, path)
        if isinstance(raw, dict) and str(self.world.player_count) not in raw:
            self._says_nothing(what, span, path)
            return () if type.keys else 0
        raw = self.resolved(raw)
        if type.keys:
            return self._keyed(raw, type, span, what, path)
        if type.kind == "any":
            return 0
        if type.is_collection:
            items = raw if isinstance(raw, list) else [] if raw is None else [raw]
            values = [self._one(i, type.element(), span, what, path) for i in items]
            return tuple(values) if type.kind == "list" else sum(1 << v for v in set(values) if v >= 0)
        if raw is None:
            if not type.optional:
                self.report.error("DAT010", f"{what} is missing", span, path=path)
                return 0
            return m.NONE
        return self._one(raw, type, span, what, path)

    def _keyed(self, raw: object, type: Type, span: Span, what: str, path: str) -> tuple[int, ...]:
        """A value for each member of a universe; 0 for those that are not named."""
        values = [0] * self.world.size(type.keys)
        if raw is not None and not isinstance(raw, dict):
            example = f'`{{"{next(iter(self.world.keys(type.keys)), "name")}": 1}}`'
            message = f"{what} must name each {type.keys} of which there is something, as in {example}"
            self.report.error("DAT011", message, span, path=path)
        for key, value in raw.items() if isinstance(raw, dict) else ():
            where = f"{path}.{key}" if path else ""
            named = int(key) if key.isdecimal() and self.world.member(type.keys, key) is None else key
            number = self._one(named, Type("entity", type.keys), span, f"a key of {what}", where)
            values[number] = self._one(value, type.element(), span, f"`{key}` of {what}", where)
        return tuple(values)

    def _says_nothing(self, what: str, span: Span, path: str) -> None:
        self.report.error("DAT028", f"{what} has no value for {self.world.player_count} players", span, path=path)

    def _one(self, raw: object, type: Type, span: Span, what: str, path: str) -> int:
        if type.kind == "bool" and isinstance(raw, bool):
            return int(raw)
        if type.kind == "int" and isinstance(raw, int) and not isinstance(raw, bool):
            if type.low <= raw <= type.high:
                return raw
            self.report.error("DAT011", f"{what} must be {type.low} to {type.high}, not {raw}", span, path=path)
            return type.low
        if type.kind == "entity":
            if isinstance(raw, str) and type.universe == TEXT:
                return self.world.text(raw)
            if isinstance(raw, str):
                found = self.world.member(type.universe, raw)
                if found is not None or type.universe in self.world.unread:
                    return found or 0
                keys = self.world.keys(type.universe)
                self.report.error(
                    "DAT011",
                    f"{what} is `{raw}`, which is no {type.universe}",
                    span,
                    path=path,
                    hint=did_you_mean(raw, keys),
                )
                return 0
            if isinstance(raw, int) and not isinstance(raw, bool):
                found = self._numbered(raw, type)
                if found is not None:
                    return found
        hint = ""
        if (
            type.universe == "Player"
            and isinstance(raw, int)
            and raw is not True
            and 1 <= raw <= self.world.most_players
        ):
            count = self.world.player_count
            hint = f'with {count} players nobody sits there: `Player or none`, or a `"count"` that is 0 for `"{count}"`'
        shown = f"`{raw}`" if isinstance(raw, str) else str(raw).lower() if isinstance(raw, bool) else str(raw)
        self.report.error("DAT011", f"{what} must be {type}, not {shown}", span, path=path, hint=hint)
        return 0

    def _numbered(self, raw: int, type: Type) -> int | None:
        """A player, a member of a party or a place of a ring by its number from 1; a seat that is empty with so few
        players is none."""
        world = self.world
        for part, at in world.unions.get(type.universe, {}).items():
            if (found := self._numbered(raw, entity(part))) is not None:
                return at + found
        if type.universe in world.coordinates:
            return world.coordinates[type.universe].get(str(raw))
        if type.universe != "Player" and not world.is_party(type.universe):
            return None
        if 1 <= raw <= world.size(type.universe):
            return raw - 1
        return m.NONE if type.optional and 1 <= raw <= world.most_players else None
