"""Obstacles: the conditions on the nearest way to a rule that a position does not meet, with their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.cells.support import bits_of
from rulewright.fuzzing.aim.branch_distance import BranchDistance
from rulewright.fuzzing.aim.ways import Condition, Pick, Step, Way, distance_of
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.transform.rewriting import Rewriter, substituted

LONGEST = 160
"""The characters of a condition that are told."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A condition that does not hold."""

    rule: str
    condition: str
    """As the program has it."""
    wanted: bool
    """True if it has to hold, false if it must not."""
    distance: int
    values: tuple[tuple[str, int], ...]
    """The numbers in it, each with what it is the value of."""

    @property
    def told(self) -> str:
        """For people."""
        short = self.condition if len(self.condition) <= LONGEST else self.condition[: LONGEST - 1] + "…"
        values = "; ".join(f"{text} is {value}" for text, value in self.values)
        told = f"{self.rule}: {'' if self.wanted else 'not '}{short}"
        return f"{told} ({values})" if values else told


def obstacles(ways: tuple[Way, ...], distances: BranchDistance, depth: int, state: State) -> list[Obstacle]:
    """Those on the nearest way."""
    rated = [(_value(state, distance_of(way, distances, depth)), number) for number, way in enumerate(ways)]
    known = [(value, number) for value, number in rated if value is not None]
    if not known:
        return []
    return list(_on(ways[min(known)[1]], distances, depth, state))


def _on(way: Way, distances: BranchDistance, depth: int, state: State) -> Iterator[Obstacle]:
    """Those on a way, step by step; of each pick that member is taken for which the rest is nearest."""
    rest: list[Step] = list(way)
    while rest:
        step = rest.pop(0)
        if isinstance(step, Condition):
            yield from _obstacle(step, distances, depth, state)
            continue
        source, conditions = distances.widened(step.source, step.var, depth)
        step = Pick(step.rule, step.var, source, (*conditions, *step.conditions))
        best = _best(step, tuple(rest), distances, depth, state)
        if best is None:
            yield from _obstacle(
                Condition(step.rule, m.Cmp("ne", m.Size(step.source), m.Const(0))), distances, depth, state
            )
            return
        for condition in step.conditions:
            yield from _obstacle(Condition(step.rule, _put(condition, step.var, best)), distances, depth, state)
        rest = [_put(one, step.var, best) for one in rest]


def _best(pick: Pick, rest: Way, distances: BranchDistance, depth: int, state: State) -> int | None:
    """The member of a pick for which the rest is nearest."""
    members = _value(state, pick.source)
    if members is None:
        return None
    each = list(members) if isinstance(members, tuple) else bits_of(members)
    behind: Way = (*(Condition(pick.rule, one) for one in pick.conditions), *rest)
    rated = []
    for member in each:
        far = _value(state, distance_of(tuple(_put(one, pick.var, member) for one in behind), distances, depth))
        if far is not None:
            rated.append((far, member))
    return min(rated)[1] if rated else None


def _put(e: Any, var: str, member: int) -> Any:
    """A step or condition with a member in the place of a variable."""
    match e:
        case Condition(rule, condition, wanted):
            return Condition(rule, _put(condition, var, member), wanted)
        case Pick(rule, own, source, conditions):
            return Pick(rule, own, _put(source, var, member), tuple(_put(one, var, member) for one in conditions))
        case _:
            return substituted(Rewriter(), e, {var: m.Const(member)})


def _obstacle(asked: Condition, distances: BranchDistance, depth: int, state: State) -> Iterator[Obstacle]:
    far = _value(state, distances.of(asked.condition, asked.wanted, depth))
    if far:
        numbers = tuple(_numbers(asked.condition, state))
        yield Obstacle(asked.rule, expression_text(asked.condition), asked.wanted, far, numbers)


def _numbers(e: m.Expr, state: State) -> Iterator[tuple[str, int]]:
    """The sides of the comparison that a condition is, as far as they are numbers that follow from the position."""
    while isinstance(e, m.Not):
        e = e.operand
    if isinstance(e, m.Cmp):
        for side in (e.left, e.right):
            value = None if isinstance(side, m.Const) else _value(state, side)
            if isinstance(value, int) and abs(value) < 1 << 31:
                yield expression_text(side), value


def _value(state: State, e: m.Expr) -> Any:
    """The value of an expression; None if there is none."""
    try:
        return state.evaluate(e)
    except RulesetError:
        return None


__all__ = ["Obstacle", "obstacles"]
