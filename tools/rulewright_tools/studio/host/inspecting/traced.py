"""The rulebook beside the rules that cite it, and how often the game at hand has used these."""

from __future__ import annotations

from typing import Any

import rulewright as rw
from rulewright_tools.reports.trace_report import Row, Trace, trace_of
from rulewright_tools.studio.host.inspecting.rule_lines import RuleLines
from rulewright_tools.studio.host.inspecting.usage import Usage


class Traced:
    """The trace of the rules of a game: headings of all statements, and section by section what stands for them."""

    def __init__(self, game: rw.Game, lines: RuleLines) -> None:
        self.game = game
        self._lines = lines
        self._trace = trace_of(game.ruleset, game.variants)
        self._counted = set(game.rule_names)

    def headings(self, usage: Usage) -> dict[str, Any]:
        """All but the texts of the statements and the rules that cite them: these are most of it."""
        trace = self._trace
        return {
            "title": trace.title,
            "percent": trace.percent,
            "covered": len(trace.having("covered")),
            "applicable": len(trace.having("covered")) + len(trace.having("missing")),
            "complete": usage.complete,
            "statements": [self._heading(row, usage) for row in trace.rows],
            "uncited": _uncited(trace, self._lines),
        }

    def statements(self, section: str, usage: Usage) -> list[dict[str, Any]]:
        """The statements of a section."""
        return [self._statement(row, usage) for row in self._trace.rows if named(row) == section]

    def _heading(self, row: Row, usage: Usage) -> dict[str, Any]:
        times = [usage.times[one.rule] for one in row.rules if one.rule in self._counted]
        uses = sum(times) if times else None
        return {"id": row.statement.id, "section": named(row), "status": row.status, "times": uses}

    def _statement(self, row: Row, usage: Usage) -> dict[str, Any]:
        lines = self._lines
        return {
            "id": row.statement.id,
            "section": named(row),
            "text": row.statement.statement,
            "status": row.status,
            "note": row.reason,
            "rules": [
                {
                    "rule": one.rule,
                    **lines.place(one.file, one.line),
                    "times": usage.times[one.rule] if one.rule in self._counted else None,
                }
                for one in row.rules
            ],
            "scenarios": [{"rule": one.rule, **lines.place(one.file, one.line)} for one in row.examples],
        }


MOST = 200
"""Letters of the name of a section, of which the others are left out."""


def named(row: Row) -> str:
    """The section of a statement, as pages know it."""
    return row.statement.section[:MOST]


def _uncited(trace: Trace, lines: RuleLines) -> list[dict[str, Any]]:
    return [{"rule": one.rule, "word": one.word, **lines.place(one.file, one.line)} for one in trace.uncited]
