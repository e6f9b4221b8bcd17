"""Plays the games of an arm, and finds their measures.

Chance is drawn from streams that belong to places in the rules, so games of one seed in two arms meet equal chance
wherever a variant leaves the rules alone; answers of players have streams of their own.

Facts of games that machine code has played, from the rows that it writes of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import MeasuredGames, Played
from rulewright.play import Game
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.game_columns import (
    FINISHED,
    UNFINISHED,
    Course,
    GameColumns,
    GameFacts,
    Query,
    columns_of,
    joined,
)
from rulewright_lab.experiments.columns.measures import MeasureReader, askable
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.columns.wanted import TIME, Wanted
from rulewright_lab.experiments.playing.extra_columns import ExtraColumns

if TYPE_CHECKING:
    from rulewright_lab.experiments.columns.game_columns import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 20_000
"""A game that is not over after so many decisions is stopped."""


class GamePlayer:
    """Plays the games of an arm."""

    def __init__(self, arm: Arm, wanted: tuple[str, ...] = (), most: int = MOST, first: int = 0) -> None:
        """`first` is the first seed of the experiment."""
        self._arm, self._most = arm, most
        meant = Wanted.read(wanted).of(arm.recorded)
        self._times = meant.time
        self._reader = MeasureReader(arm, meant)
        self._extra = ExtraColumns(arm, meant, askable(arm), most, first)

    def play(self, seeds: range) -> PortionColumns:
        """The measures of the games of some seeds, and what else reports show of them."""
        times: dict[str, Column] = {}
        if self._times:
            games, times[TIME] = self._timed(seeds)
        else:
            games = self.games(seeds)
        return PortionColumns.of(games, self._reader.columns(games) | self._extra.columns(games) | times)

    def _timed(self, seeds: range) -> tuple[GameColumns, Column]:
        """The games of some seeds, each by itself, and the seconds that each took."""
        import numpy as np

        found, seconds = list[GameColumns](), list[float]()
        for number in range(len(seeds)):
            begun = perf_counter()
            found.append(self.games(seeds[number : number + 1]))
            seconds.append(perf_counter() - begun)
        return joined(found), np.array(seconds)

    def games(self, seeds: range) -> GameColumns:
        """The games of some seeds, by machine code where all answers are random and no observer looks at each of
        them."""
        reader = self._reader
        machine = None
        if not self._arm.agents and not reader.needs_courses:
            machine = self._arm.game.measured_games(
                tuple(dict.fromkeys(name for name, _ in reader.queries)), len(seeds)
            )
        if machine is None:
            return self._one_by_one(seeds)
        found, left = list[GameColumns](), seeds
        while left:
            rows = machine.rows(left, self._most)
            games = columns_of_rows(left, rows, machine, self._arm.game, reader.queries)
            found.append(games)
            left = left[len(games) :]
            if left and len(games) < machine.most_games:  # what has become of the next one, the other engine reports
                found.append(self._one_by_one(left[:1]))
                left = left[1:]
        return joined(found)

    def _one_by_one(self, seeds: range) -> GameColumns:
        game, reader = self._arm.game, self._reader
        facts = [self._facts(seed) for seed in seeds]
        return columns_of(seeds, facts, game.players, game.rule_names, reader.queries, reader.needs_courses)

    def _facts(self, seed: int) -> GameFacts:
        fired = self._arm.game.new_fired()
        try:
            course = self._course(seed, fired)
            played = course.played
            assert played is not None
            answers = tuple(self._answers_to_queries(played)) if played.finished else ()
        except RulesetError as error:
            return GameFacts(Course(None, fired), (), _message(error.diagnostics[0]))
        return GameFacts(course, answers)

    def _answers_to_queries(self, played: Played) -> list[float]:
        if not self._reader.queries:
            return []
        state, seats = played.state, self._arm.game.seats
        return [
            float(state.ask(name) if seat is None else state.ask(name, seats[seat]))
            for name, seat in self._reader.queries
        ]

    def _course(self, seed: int, fired: list[int]) -> Course:
        agents = self._arm.agents  # of games at random by machine code options are only counted in many at once
        keep = self._reader.needs_courses or (self._reader.needs_options and not agents)
        begun, policies = self._arm.seed_of(seed), self._arm.policies(seed)
        played = self._arm.game.playout(begun, keep=keep, fired=fired, most=self._most, policies=policies)
        return Course(played, fired)


def _message(problem: Diagnostic) -> str:
    """The fault in a line that is the same for the same fault in many games."""
    span = problem.span
    place = f" ({span.file}:{span.line})" if span.line else ""
    return f"{problem.code}: {problem.message}{place}"


_BEFORE = 3
"""Numbers of a row before the places: answers, why it stopped, the rule that ended it."""


def columns_of_rows(
    seeds: range, rows: array[int], machine: MeasuredGames, game: Game, queries: Sequence[Query]
) -> GameColumns:
    """The columns of the first of some games, of as many as there are rows."""
    import numpy as np

    plan, players = machine.plan, game.players
    table = np.ascontiguousarray(np.frombuffer(rows, np.int32).reshape(-1, plan.width).T)
    count = table.shape[1]
    ending = table[2]
    over = ending >= 0
    ranks = table[_BEFORE : plan.paid]
    first = ranks[:-1] == 1
    drawn = ranks[-1] != 0
    if game.engine.payoffs.parties:
        won = sum(first[seat].astype(np.int64) << seat for seat in range(players))
        drawn &= ~np.isin(won, [*game.engine.payoffs.parties])
    answers: dict[Query, NDArray[Any]] = {}
    place = plan.queried
    for name in machine.measured:
        for seat in [None] if (name, None) in queries else range(players):
            answers[name, seat] = np.where(over, table[place], 0).astype(float)
            place += 1
    return GameColumns(
        seeds[:count],
        np.where(over, FINISHED, UNFINISHED),
        ending,
        table[0],
        table[plan.options].view(np.uint32) + (table[plan.options + 1].astype(np.int64) << 32),
        table[plan.forced],
        ranks[:players],
        first.sum(axis=0),
        drawn.astype(np.int64),
        table[plan.paid : plan.options].astype(float)
        if game.engine.payoffs.pays
        else _by_place(ranks[:players], drawn),
        table[plan.uses : plan.queried],
        answers,
        {},
    )


def _by_place(places: NDArray[Any], drawn: NDArray[Any]) -> NDArray[Any]:
    """The worth to each seat of games whose rules do not pay: as :func:`rulewright.engine.runtime.records.by_place`
    says it of one."""
    import numpy as np

    others = max(1, len(places) - 1)
    found = np.stack([sum((one > mine).astype(int) - (one < mine) for one in places) / others for mine in places])
    alike = (places == places[0]).all(axis=0)
    everybody = np.where(drawn, 0.0, np.where(places[0] == 1, 1.0, -1.0))
    return np.where(alike & (places[0] > 0), everybody, found)
