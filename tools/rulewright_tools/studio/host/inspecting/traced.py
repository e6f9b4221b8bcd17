"""The rulebook beside the rules that cite it, and how often the game at hand has used these."""

from __future__ import annotations

from typing import Any

import rulewright as rw
from rulewright_tools.reports.trace_report import Row, Trace, trace_of
from rulewright_tools.studio.host.inspecting.rule_lines import RuleLines
from rulewright_tools.studio.host.inspecting.usage import Usage


def traced(game: rw.Game, lines: RuleLines, usage: Usage) -> dict[str, Any]:
    """The trace of the rules of a game."""
    trace = trace_of(game.ruleset, game.variants)
    return {
        "title": trace.title,
        "percent": trace.percent,
        "covered": len(trace.having("covered")),
        "applicable": len(trace.having("covered")) + len(trace.having("missing")),
        "complete": usage.complete,
        "statements": [_statement(row, game, lines, usage) for row in trace.rows],
        "uncited": _uncited(trace, lines),
    }


def _statement(row: Row, game: rw.Game, lines: RuleLines, usage: Usage) -> dict[str, Any]:
    counted = set(game.rule_names)
    return {
        "id": row.statement.id,
        "section": row.statement.section,
        "text": row.statement.statement,
        "status": row.status,
        "note": row.reason,
        "rules": [
            {
                "rule": one.rule,
                **lines.place(one.file, one.line),
                "times": usage.times[one.rule] if one.rule in counted else None,
            }
            for one in row.rules
        ],
        "scenarios": [{"rule": one.rule, **lines.place(one.file, one.line)} for one in row.examples],
    }


def _uncited(trace: Trace, lines: RuleLines) -> list[dict[str, Any]]:
    return [{"rule": one.rule, "word": one.word, **lines.place(one.file, one.line)} for one in trace.uncited]
