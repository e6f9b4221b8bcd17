"""Plans as text."""

from __future__ import annotations

from collections.abc import Iterable

import rulewright as rw
from rulewright_tools.console import plural

HOTTEST = 20
"""The number of rules that are listed, those with the most work."""


def of_game(plan: rw.plans.Plan) -> str:
    """The hot spots of a game, and what is kept and looked for."""
    more = len(plan.costs) - HOTTEST
    costs = [*_costs(plan.costs[:HOTTEST]), *([f"… and {more} more"] if more > 0 else [])]
    return _text(
        _head(plan),
        ("costs", costs),
        ("could do with less work", map(_advice, plan.advice)),
        ("looked for after statements", [_waking(one) for one in plan.wakes]),
        ("indexes", [_index(one) for one in plan.indexes]),
        ("answers that are kept", [_kept(one) for one in plan.kept]),
        ("passes", [f"{name}: {times}" for name, times in plan.passes.items()]),
    )


def of_rule(plan: rw.plans.Plan, rule: rw.plans.RulePlan) -> str:
    """The plan of a rule."""
    where = f", {rule.file}:{rule.line}" if rule.file else ""
    return _text(
        f"{_head(plan)}\n{rule.name}: {rule.word}{where}",
        ("reads", rule.reads),
        ("asks", rule.asks),
        ("writes", rule.writes),
        ("calls", rule.calls),
        ("looked for after its statements", [_waking(one) for one in rule.wakes]),
        ("looked for after statements of", [_waking(one, False) for one in rule.woken]),
        ("looked for at the end of", rule.tested_in),
        ("indexes", [_index(one) for one in rule.indexes]),
        ("keeps its answers", [_kept(rule.kept)] if rule.kept is not None else ()),
        ("passes", [_done(one) for one in rule.passes]),
        ("costs", _costs(rule.costs)),
        ("could do with less work", [_advice(one) for one in plan.advice if one.rule == rule.name]),
    )


def _head(plan: rw.plans.Plan) -> str:
    game = plan.game
    what = f"{game.title}, {plural(len(game.seats), 'player')}"
    failed = f" ({plan.failed} more ended in an error, or were not over)" if plan.failed else ""
    return f"{what}: {plural(plan.games, 'game')} at random{failed}, {plan.instructions:,} machine instructions"


def _text(head: str, *parts: tuple[str, Iterable[str]]) -> str:
    """A head and parts with headings; those that are empty are left out."""
    found = [f"{head}\n"]
    for heading, lines in parts:
        listed = list(lines)
        if listed:
            found.append("".join((f"\n{heading}\n", *(f"  {line}\n" for line in listed))))
    return "".join(found)


def _costs(costs: Iterable[rw.plans.Cost]) -> list[str]:
    rows = [("share", "instructions", "times", "each", "rule")]
    for one in costs:
        where = f"  {one.file}:{one.line}" if one.file else ""
        times, each = (f"{one.times:,}", f"{one.instructions / one.times:,.0f}") if one.times else ("", "")
        rows.append((f"{one.share:.1%}", f"{one.instructions:,}", times, each, f"{one.rule}{where}"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join((*(f"{text:>{width}}" for text, width in zip(row, widths, strict=False)), row[4])) for row in rows
    ]
    return lines if len(lines) > 1 else []


def _advice(one: rw.plans.Advice) -> str:
    return f"{one.share:.1%}  {one.rule}  {one.file}:{one.line}: {one.code} {one.message}; {one.hint}"


def _waking(one: rw.plans.Waking, with_queries: bool = True) -> str:
    written = ", ".join(one.writes) or "nothing that counts"
    return f"{one.rule}, which writes {written}" + (f": {', '.join(one.queries)}" if with_queries else "")


def _index(one: rw.plans.Index) -> str:
    return f"{one.field}: a set of {plural(one.keys, 'key')} for each of {plural(one.values, 'value')}"


def _kept(one: rw.plans.Kept) -> str:
    until = ", ".join(one.until) or "nothing"
    return f"{one.rule}: {plural(one.answers, 'answer')} in {one.size:,} bytes, until written is {until}"


def _done(one: rw.plans.Done) -> str:
    return f"{one.name}: {one.times}" + (f" ({', '.join(one.to)})" if one.to else "")
