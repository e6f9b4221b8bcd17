"""Plays the games of an arm, and finds their measures.

Chance is drawn from streams that belong to places in the rules, so games of one seed in two arms meet equal chance
wherever a variant leaves the rules alone; answers of players have streams of their own.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import Played, RandomAnswers, Stepper
from rulewright.experiments.arms import Arm
from rulewright.experiments.game_columns import Course, GameColumns, GameFacts, columns_of
from rulewright.experiments.measures import MeasureReader
from rulewright.experiments.portion_columns import PortionColumns

MOST = 20_000
"""A game that is not over after so many decisions is stopped."""


class GamePlayer:
    """Plays the games of an arm."""

    def __init__(self, arm: Arm, wanted: tuple[str, ...] = (), most: int = MOST) -> None:
        self._arm, self._most = arm, most
        self._reader = MeasureReader(arm, wanted)

    def play(self, seeds: range) -> PortionColumns:
        """The measures of the games of some seeds, and what else reports tell of them."""
        games = self.games(seeds)
        return PortionColumns.of(games, self._reader.columns(games))

    def games(self, seeds: range) -> GameColumns:
        """The games of some seeds."""
        game, reader = self._arm.game, self._reader
        facts = [self._facts(seed) for seed in seeds]
        return columns_of(seeds, facts, game.players, game.rule_names, reader.queries, reader.needs_courses)

    def _facts(self, seed: int) -> GameFacts:
        fired = self._arm.game.new_fired()
        try:
            course = self._course(seed, fired)
            played = course.played
            assert played is not None
            asked = tuple(self._asked(played)) if played.finished else ()
        except RulesetError as error:
            return GameFacts(Course(None, (), fired), (), _told(error.diagnostics[0]))
        return GameFacts(course, asked)

    def _asked(self, played: Played) -> list[float]:
        if not self._reader.queries:
            return []
        state, seats = played.state, self._arm.game.seats
        return [
            float(state.ask(name) if seat is None else state.ask(name, seats[seat]))
            for name, seat in self._reader.queries
        ]

    def _course(self, seed: int, fired: list[int]) -> Course:
        agents, options = self._arm.agents, self._reader.needs_options
        keep = (bool(agents) and options) or self._reader.needs_courses
        played = self._arm.game.playout(seed, keep=keep, fired=fired, most=self._most, policies=agents)
        sizes = played.sizes if keep or not options else self._sizes(played)
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
