"""Positions that scenarios share: a scenario may begin where another one does.

``from "title"`` stands for all that lays out the position of that scenario, before it starts or asks for anything. So
the scenarios of a ruleset are those lines and their own, and nobody else knows of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import takewhile

from rulewright.foundation.node_memo import made_once
from rulewright.syntax import ast

_LAYOUT = (
    *(ast.SPlayers, ast.SVariant, ast.SSet, ast.SPut, ast.SGiven, ast.SDraw, ast.SOut, ast.Merge, ast.Let),
    *(ast.SThen, ast.SSeen),
)
"""The lines before a start."""
_LOOKS = (ast.SThen, ast.SSeen)
"""Those of them that only look at what has been laid out."""


def with_positions(scenarios: list[ast.Scenario], beneath: list[ast.Scenario]) -> list[ast.Scenario]:
    """The scenarios, each with the lines of those from which it begins, here or in the ruleset beneath.

    One that begins from none that there is, or from itself, stays as it is written: who plans it says what is wrong.
    """
    by_title = {scenario.title: scenario for scenario in (*beneath, *scenarios)}
    return [_whole(scenario, by_title) for scenario in scenarios]


def _whole(scenario: ast.Scenario, by_title: Mapping[str, ast.Scenario]) -> ast.Scenario:
    chain = [scenario]
    while (line := _begins(chain[-1])) is not None:
        before = by_title.get(line.title)
        if before is None or any(before is one for one in chain):
            return scenario
        chain.append(before)
    return scenario if len(chain) == 1 else made_once(partial(_put_together, tuple(chain)), *chain)


def _begins(scenario: ast.Scenario) -> ast.SFrom | None:
    first = scenario.lines[0]
    return first if isinstance(first, ast.SFrom) else None


def _put_together(chain: tuple[ast.Scenario, ...]) -> ast.Scenario:
    scenario, *others = chain
    lines = list(_own_lines(scenario))
    for other in others:
        laid_out = takewhile(lambda line: isinstance(line, _LAYOUT), _own_lines(other))
        lines[:0] = [line for line in laid_out if not isinstance(line, _LOOKS)]
    return replace(scenario, lines=tuple(lines))


def _own_lines(scenario: ast.Scenario) -> tuple[ast.ScenarioLine, ...]:
    return scenario.lines if _begins(scenario) is None else scenario.lines[1:]


__all__ = ["with_positions"]
