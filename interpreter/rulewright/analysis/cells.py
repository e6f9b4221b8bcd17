"""Reads table cells and map attributes as values of a static type."""

from __future__ import annotations

from rulewright.analysis.consteval import Value
from rulewright.analysis.types import Type
from rulewright.analysis.world import World
from rulewright.data.tables import Table
from rulewright.diagnostics import Report, Span
from rulewright.program import model as m
from rulewright.spelling import did_you_mean


class Cells:
    """Turns what stands in a table into what the program holds."""

    def __init__(self, world: World, report: Report) -> None:
        self.world, self.report = world, report

    def read(self, table: Table, row: int, column: str, type: Type) -> Value:
        """The value of a cell; a missing one is none, or an error if the type knows no none."""
        raw = table.rows[row].get(column)
        return self.convert(raw, type, table.span(row, column), f"`{column}`", table.path(row, column))

    def resolved(self, raw: object) -> object:
        """A cell that differs by player count, for this count; none if it says nothing about it."""
        return raw.get(str(self.world.player_count)) if isinstance(raw, dict) else raw

    def convert(self, raw: object, type: Type, span: Span, what: str, path: str = "") -> Value:
        """The program's value of a cell."""
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

    def _one(self, raw: object, type: Type, span: Span, what: str, path: str) -> int:
        if type.kind == "bool" and isinstance(raw, bool):
            return int(raw)
        if type.kind == "int" and isinstance(raw, int) and not isinstance(raw, bool):
            if type.low <= raw <= type.high:
                return raw
            self.report.error("DAT011", f"{what} must be {type.low} to {type.high}, not {raw}", span, path=path)
            return type.low
        if type.kind == "entity":
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
            seats = type.universe == "Player" or self.world.is_party(type.universe)
            if (
                isinstance(raw, int)
                and not isinstance(raw, bool)
                and (seats or type.universe in self.world.graph_places())
            ):
                if 1 <= raw <= self.world.size(type.universe):
                    return raw - 1
                if type.optional:
                    return m.NONE
        shown = f"`{raw}`" if isinstance(raw, str) else str(raw).lower() if isinstance(raw, bool) else str(raw)
        self.report.error("DAT011", f"{what} must be {type}, not {shown}", span, path=path)
        return 0
