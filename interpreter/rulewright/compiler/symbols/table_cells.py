"""Reads table cells and map attributes as values of a static type."""

from __future__ import annotations

from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbol_table import TEXT, SymbolTable
from rulewright.data.component_tables import Table
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.ir.evaluation import Value


class Cells:
    """Turns what stands in a table into what the program holds."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        self.world, self.report = world, report

    def read(self, table: Table, row: int, column: str, type: Type) -> Value:
        """The value of a cell; a missing one is none, or an error if the type knows no none."""
        raw = table.rows[row].get(column)
        return self.convert(raw, type, table.span(row, column), f"`{column}`", table.path(row, column))

    def resolved(self, raw: object) -> object:
        """A cell that differs by player count, for this count; none if it says nothing about it."""
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
        if isinstance(raw, dict) and str(self.world.player_count) not in raw:
            self._says_nothing(what, span, path)
            return 0
        raw = self.resolved(raw)
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
                if found is not None:
                    return found
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
        shown = f"`{raw}`" if isinstance(raw, str) else str(raw).lower() if isinstance(raw, bool) else str(raw)
        self.report.error("DAT011", f"{what} must be {type}, not {shown}", span, path=path)
        return 0

    def _numbered(self, raw: int, type: Type) -> int | None:
        """A player, a member of a party or a place of a ring by its number from 1; a seat that is empty with so few
        players is none."""
        world = self.world
        if type.universe in world.coordinates:
            return world.coordinates[type.universe].get(str(raw))
        if type.universe != "Player" and not world.is_party(type.universe):
            return None
        if 1 <= raw <= world.size(type.universe):
            return raw - 1
        return m.NONE if type.optional and 1 <= raw <= world.most_players else None
