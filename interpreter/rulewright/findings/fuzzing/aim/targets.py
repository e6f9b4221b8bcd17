"""Targets: rules to be used and assertions to be broken, and conditions on the way that a position does not meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.engine import State
from rulewright.findings.fuzzing.aim.branch_distance import DEPTH, BranchDistance, least
from rulewright.findings.fuzzing.aim.ways import Condition, Pick, Step, Way, Ways, distance_of
from rulewright.findings.fuzzing.failures import FuzzArgumentError
from rulewright.foundation.bit_sets import members_of
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.ir.assertion_queries import compares
from rulewright.ir.text import expression_text
from rulewright.ir.transform.rewriting import Rewriter, substituted
from rulewright.play.game import Game

LONGEST = 160
"""The number of characters of a condition that are shown."""

STEPS = 400_000
"""The steps that a distance may take, unless it is measured again and again."""


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
    def message(self) -> str:
        """For people."""
        short = self.condition if len(self.condition) <= LONGEST else self.condition[: LONGEST - 1] + "…"
        values = "; ".join(f"{text} is {value}" for text, value in self.values)
        text = f"{self.rule}: {'' if self.wanted else 'not '}{short}"
        return f"{text} ({values})" if values else text


def obstacles(ways: tuple[Way, ...], distances: BranchDistance, depth: int, state: State) -> list[Obstacle]:
    """The obstacles on the nearest path."""
    rated = [(_value(state, distance_of(way, distances, depth)), number) for number, way in enumerate(ways)]
    known = [(value, number) for value, number in rated if value is not None]
    if not known:
        return []
    return list(_on(ways[min(known)[1]], distances, depth, state))


def _on(way: Way, distances: BranchDistance, depth: int, state: State) -> Iterator[Obstacle]:
    """The obstacles on a path, step by step; each pick takes the member for which the rest is nearest."""
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
        rest = list(_put_all(tuple(rest), step.var, best))


def _best(pick: Pick, rest: Way, distances: BranchDistance, depth: int, state: State) -> int | None:
    """The member of a pick for which the rest is nearest."""
    members = _value(state, pick.source)
    if members is None:
        return None
    own: Way = tuple(Condition(pick.rule, one) for one in pick.conditions)
    rated = []
    for member in members_of(members):
        far = [_value(state, distance_of(_put_all(way, pick.var, member), distances, depth)) for way in (own, rest)]
        if far[0] is not None:
            rated.append((far[0], 0 if far[1] is None else far[1], member))
    return min(rated)[2] if rated else None


def _put_all(way: Way, var: str, member: int) -> Way:
    return tuple(_put(one, var, member) for one in way)


def _put(e: Any, var: str, member: int) -> Any:
    """A step or condition with a member in the place of a variable."""
    match e:
        case Condition(rule, condition, wanted):
            return Condition(rule, _put(condition, var, member), wanted)
        case Pick(rule, own, source, conditions):
            return Pick(rule, own, _put(source, var, member), tuple(_put(one, var, member) for one in conditions))
        case _:
            return substituted(Rewriter(), e, {var: m.Const(member)})


def _obstacle(branch: Condition, distances: BranchDistance, depth: int, state: State) -> Iterator[Obstacle]:
    far = _value(state, distances.of(branch.condition, branch.wanted, depth))
    if far:
        numbers = tuple(_numbers(branch.condition, state))
        yield Obstacle(branch.rule, expression_text(branch.condition), branch.wanted, far, numbers)


def _numbers(e: m.Expr, state: State) -> Iterator[tuple[str, int]]:
    """The sides of the comparison that a condition is, as far as they are numbers that follow from the position."""
    while isinstance(e, m.Not):
        e = e.operand
    if isinstance(e, m.Cmp):
        for side in (e.left, e.right):
            value = None if isinstance(side, m.Const) else _value(state, side)
            if isinstance(value, int) and abs(value) < 1 << 31:
                yield expression_text(side), value


def _value(state: State, e: m.Expr, steps: int = STEPS) -> Any:
    """The value of an expression; None if there is none."""
    try:
        with limited(Limits(steps=steps)):
            return state.evaluate(e)
    except RulesetError:
        return None


RULES = "rules"
"""The word for all rules that random games do not use."""

NOWHERE = 10**9
"""The distance where it is unknown."""


@dataclass(frozen=True, slots=True)
class Target:
    """A rule, or an assertion by its key among findings: ``property/no_debts``."""

    name: str
    kind: str = "rule"

    @property
    def label(self) -> str:
        """The word for it on the command line."""
        return self.name if self.kind == "rule" else f"{self.kind}/{self.name}"


def targets_of(words: Sequence[str], games: Iterable[Game]) -> tuple[list[Target], bool]:
    """The targets that words name in some games, and whether all rules are meant that random games do not use.

    FuzzArgumentError if a word names nothing in any of them.
    """
    known: dict[str, Target] = {}
    for game in games:
        known |= {name: Target(name) for name in game.rule_names}
        asserted = (a for a in game.program.assertions if a.word != "witness")
        known |= {target.label: target for target in (Target(a.name, a.word) for a in asserted)}
    found: list[Target] = []
    for word in words:
        if word == RULES:
            continue
        if word not in known:
            hint = did_you_mean(word, known) or f"write {RULES}, the label of a rule, or property/NAME"
            raise FuzzArgumentError(f"--reach {word}: there is no such rule, property or invariant; {hint}")
        found.append(known[word])
    return list(dict.fromkeys(found)), RULES in words


class Nearness:
    """The distance of positions of one game from a target."""

    def __init__(self, game: Game, target: Target, depth: int = DEPTH) -> None:
        """`depth` calls of queries inside each other are measured, too."""
        self.target, self.depth = target, depth
        self._distances = BranchDistance(game.program)
        self.ways: tuple[Way, ...] = ()
        if target.kind == "rule":
            self.ways = Ways(game.program, self._distances).to(target.name)
        self.expression = self._made(game.program)
        """The distance as an expression."""

    def _made(self, program: m.Program) -> m.Expr:
        if self.target.kind == "rule":
            ways = [distance_of(way, self._distances, self.depth) for way in self.ways]
            return least(ways) if ways else m.Const(NOWHERE)
        assertion = next((a for a in program.assertions if a.name == self.target.name), None)
        if assertion is None or compares(assertion.condition):
            return m.Const(NOWHERE)
        if assertion.var is None or assertion.source is None:
            return self._distances.scaled(self._distances.of(assertion.condition, False, self.depth))
        binds = (m.Bound(assertion.var, assertion.source), *assertion.inner)
        return self._distances.scaled(self._distances.nearest(binds, m.Not(assertion.condition), self.depth))

    def of(self, state: State, steps: int = STEPS) -> int | None:
        """The distance of a state: 0 where all that leads there holds. None if it takes more steps to find out, or
        ends in an error."""
        found: int | None = _value(state, self.expression, steps)
        return found

    def obstacles(self, state: State) -> list[Obstacle]:
        """The conditions on the nearest way that do not hold."""
        return obstacles(self.ways, self._distances, self.depth, state)


def levels(game: Game, target: Target) -> list[Nearness]:
    """Distances from a target, the most exact one first; the others are easier to find out."""
    found: list[Nearness] = []
    for depth in range(DEPTH, -1, -1):
        near = Nearness(game, target, depth)
        if not found or near.expression != found[-1].expression:
            found.append(near)
    return [near for near in found if near.expression != m.Const(NOWHERE)]
