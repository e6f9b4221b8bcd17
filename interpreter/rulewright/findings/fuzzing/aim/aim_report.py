"""The report of a search with an aim: what was reached at last, and what not and how near it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulewright.findings.fuzzing.aim.targets import Obstacle, Target
from rulewright.findings.fuzzing.failures import Setting


@dataclass(frozen=True, slots=True)
class Attained:
    """A target that was reached."""

    target: Target
    setting: Setting
    numbers: tuple[int, ...]
    """The game: the options taken, chance included."""
    flights: int
    """In so many flights of the whole search."""
    told: str = ""
    """The sentence on what broke, of a property or invariant."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A target that was not reached, with the position that came nearest."""

    target: Target
    setting: Setting
    distance: float | None
    """The steps on the way there that were not come to, and by how much the conditions of the others were missed, each
    below 1; None if no position was measured."""
    numbers: tuple[int, ...]
    obstacles: tuple[Obstacle, ...]
    """The conditions that did not hold there."""
    laid: tuple[str, ...] = ()
    """Lines of a scenario: what a solver has laid otherwise than in a game, so that the rule is used soon."""
    scenario: str = ""
    """A scenario in which it is used from there; empty if none was laid."""


@dataclass(slots=True)
class AimReport:
    """All of a search."""

    ruleset: str
    title: str
    seed: int
    settings: list[str] = field(default_factory=list)
    games: int = 0
    """Random games before it."""
    random_decisions: int = 0
    """Answers of players in them."""
    never_used: list[str] = field(default_factory=list)
    """The rules that they did not use in any setting."""
    idle: list[str] = field(default_factory=list)
    """The targets that cannot be used as the parameters are set."""
    flights: int = 0
    decisions: int = 0
    """Answers in all flights, chance included; those that were only tried are not counted."""
    wanted: list[Target] = field(default_factory=list)
    reached: list[Attained] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    complete: bool = True
    interrupted: bool = False
    seconds_left: float | None = None
    """While it runs, if it is limited by time."""

    @property
    def broken(self) -> list[Attained]:
        """The properties and invariants that were broken."""
        return [one for one in self.reached if one.target.kind != "rule"]

    def data(self) -> dict[str, Any]:
        """All of it as JSON; see ``schemas/aim-report.schema.json``."""
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "seed": self.seed,
            "complete": self.complete,
            "settings": self.settings,
            "games": self.games,
            "random_decisions": self.random_decisions,
            "never_used": self.never_used,
            "idle": self.idle,
            "flights": self.flights,
            "decisions": self.decisions,
            "wanted": [one.label for one in self.wanted],
            "reached": [
                {
                    "target": one.target.label,
                    **one.setting.data(),
                    "decisions": len(one.numbers),
                    "flights": one.flights,
                    "told": one.told or None,
                    "game": list(one.numbers),
                }
                for one in self.reached
            ],
            "missed": [
                {
                    "target": one.target.label,
                    **one.setting.data(),
                    "distance": one.distance,
                    "decisions": len(one.numbers),
                    "obstacles": [
                        {
                            "rule": obstacle.rule,
                            "condition": obstacle.condition,
                            "wanted": obstacle.wanted,
                            "distance": obstacle.distance,
                            "values": dict(obstacle.values),
                        }
                        for obstacle in one.obstacles
                    ],
                    "game": list(one.numbers),
                    "laid": list(one.laid),
                    "scenario": one.scenario or None,
                }
                for one in self.missed
            ],
        }
