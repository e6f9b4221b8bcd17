"""The plan of the rules of a game and their cost, as ``rulewright explain-plan`` reports them."""

from __future__ import annotations

from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.inspecting.rule_lines import RuleLines

GAMES = 20
"""Games at random of which the cost is made: the plan is there as soon as machine code is."""

DEAREST = 25
"""The number of rules that are listed with their cost."""


def costs(plan: rw.plans.Plan, lines: RuleLines) -> dict[str, Any]:
    """The rules that cost most, of all that have a plan."""
    return {
        "counted": plan.counts,
        "games": plan.games,
        "instructions": plan.instructions,
        "rules": list(plan.rules),
        "costs": [_cost(one, lines) for one in plan.costs[:DEAREST]],
    }


def plan_of(plan: rw.plans.Plan, rule: str, lines: RuleLines) -> dict[str, Any]:
    """The plan of one rule: what it reads and writes, and what is looked for after its statements."""
    found = plan.rule(rule)
    return {
        "rule": found.name,
        "word": found.word,
        **lines.place(found.file, found.line),
        "reads": list(found.reads),
        "writes": list(found.writes),
        "asks": list(found.asks),
        "calls": list(found.calls),
        "wakes": [_waking(one) for one in found.wakes],
        "woken": [_waking(one) for one in found.woken],
        "kept": found.kept.answers if found.kept is not None else None,
        "passes": [{"name": one.name, "times": one.times} for one in found.passes],
        "costs": [_cost(one, lines) for one in found.costs],
    }


def _waking(one: rw.plans.Waking) -> dict[str, Any]:
    return {"rule": one.rule, "writes": list(one.writes), "asked": list(one.queries)}


def _cost(one: rw.plans.Cost, lines: RuleLines) -> dict[str, Any]:
    place = lines.place(one.file, one.line)
    return {"rule": one.rule, **place, "instructions": one.instructions, "times": one.times, "share": one.share}
