"""Checks of records of positions: what they are of must be seen by everyone, and mean the same later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.ir.declared_sight import DeclaredSight
from rulewright.syntax import ast

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
