"""Targets: rules that are to be used, assertions that are to be broken, and how near a position comes to that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.engine import State
from rulewright.fuzzing.aim.branch_distance import DEPTH, BranchDistance, least
from rulewright.fuzzing.aim.obstacles import Obstacle, obstacles
from rulewright.fuzzing.aim.ways import Way, Ways, distance_of
from rulewright.fuzzing.failures import FuzzArgumentError
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.play.game import Game

RULES = "rules"
"""The word for all rules that random games do not use."""

STEPS = 1_000
"""A distance that takes more steps is measured less exactly from then on."""

NOWHERE = 10**9
"""The distance where it cannot be told."""


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
            raise FuzzArgumentError(f"--aim {word}: there is no such rule, property or invariant; {hint}")
        found.append(known[word])
    return list(dict.fromkeys(found)), RULES in words


class Nearness:
    """The distance of positions of one game from a target."""

    def __init__(self, game: Game, target: Target) -> None:
        self.game, self.target = game, target
        self._distances = BranchDistance(game.program)
        self.ways: tuple[Way, ...] = ()
        if target.kind == "rule":
            self.ways = Ways(game.program, self._distances).to(target.name)
        self.depth = DEPTH
        """The calls of queries inside each other that are measured, too."""
        self._made: dict[int, m.Expr] = {}

    @property
    def expression(self) -> m.Expr:
        """The distance as an expression."""
        if self.depth not in self._made:
            self._made[self.depth] = self._make()
        return self._made[self.depth]

    def _make(self) -> m.Expr:
        if self.target.kind == "rule":
            ways = [distance_of(way, self._distances, self.depth) for way in self.ways]
            return least(ways) if ways else m.Const(NOWHERE)
        asked = next(a for a in self.game.program.assertions if a.name == self.target.name)
        if asked.var is None or asked.source is None:
            return self._distances.scaled(self._distances.of(asked.condition, False, self.depth))
        binds = (m.Bound(asked.var, asked.source), *asked.inner)
        return self._distances.scaled(self._distances.nearest(binds, m.Not(asked.condition), self.depth))

    def of(self, state: State) -> int:
        """The distance of a state: 0 where all that leads there holds. Where that takes too long it is measured less
        exactly from now on."""
        while True:
            try:
                with limited(Limits(steps=STEPS)):
                    return int(state.evaluate(self.expression))
            except RulesetError as error:
                if error.diagnostics[0].code != "RUN006" or self.depth == 0:
                    return NOWHERE
            self.depth -= 1

    def obstacles(self, state: State) -> list[Obstacle]:
        """The conditions on the nearest way that do not hold."""
        return obstacles(self.ways, self._distances, self.depth, state)


__all__ = ["NOWHERE", "RULES", "Nearness", "Target", "targets_of"]
