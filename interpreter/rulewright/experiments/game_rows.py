"""Games of an arm, each a row: how it ended, the values of its measures, the rules that were used.

Chance is drawn from streams that belong to places in the rules, so games of one seed in two arms meet equal chance
wherever a variant leaves the rules alone; answers of players have streams of their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import Played, RandomAnswers, Stepper
from rulewright.experiments.arms import Arm
from rulewright.experiments.measures import Course, MeasureReader, Value

MOST = 20_000
"""A game that is not over after so many decisions is stopped."""


class GameRow(NamedTuple):
    """A game of an arm."""

    seed: int
    status: Literal["finished", "unfinished", "failed"]
    ending: str
    """The rule that ended it."""
    values: tuple[Value, ...]
    """The values of the arm's measures, in their order."""
    used: tuple[int, ...]
    """The numbers of the rules that were used, of ``Game.rule_names``; none of a game that has failed."""
    why: str = ""
    """The fault of a game that has failed."""


class GamePlayer:
    """Plays the games of an arm."""

    def __init__(self, arm: Arm, wanted: tuple[str, ...] = (), most: int = MOST) -> None:
        self._arm, self._most = arm, most
        self._reader = MeasureReader(arm, wanted)
        self._counts_options = not {"options", "forced"}.isdisjoint(self._reader.units)

    def play(self, seeds: range) -> list[GameRow]:
        """The games of some seeds."""
        return [self._row(seed) for seed in seeds]

    def _row(self, seed: int) -> GameRow:
        fired = self._arm.game.new_fired()
        try:
            course = self._course(seed, fired)
            values = self._reader.values(course)
        except RulesetError as error:
            values = self._reader.values(Course(None, (), ()))
            return GameRow(seed, "failed", "", values, (), _told(error.diagnostics[0]))
        played = course.played
        assert played is not None
        used = tuple(number for number, times in enumerate(fired) if times)
        return GameRow(seed, "finished" if played.finished else "unfinished", played.rule, values, used)

    def _course(self, seed: int, fired: list[int]) -> Course:
        agents = self._arm.agents
        keep = bool(agents) and self._counts_options
        played = self._arm.game.playout(seed, keep=keep, fired=fired, most=self._most, policies=agents)
        sizes = played.sizes if keep or not self._counts_options else self._sizes(played)
        return Course(played, sizes, fired)

    def _sizes(self, played: Played) -> list[int]:
        """The numbers of options of a game at random, which is played again in place."""
        answer, stepper = RandomAnswers(played.seed), self._stepper
        size, found = stepper.begin(played.seed), list[int]()
        while size and len(found) < played.decisions:
            found.append(size)
            size = stepper.apply(answer(size))
        return found

    @cached_property
    def _stepper(self) -> Stepper:
        return self._arm.game.stepper()


def _told(problem: Diagnostic) -> str:
    """The fault in a line that is the same for the same fault in many games."""
    span = problem.span
    place = f" ({span.file}:{span.line})" if span.line else ""
    return f"{problem.code}: {problem.message}{place}"
