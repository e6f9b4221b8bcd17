"""Columns of games beside those of measures: what observers have seen, and figures that estimates are made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.diagnostics import RulesetError, did_you_mean, listing
from rulewright.engine import rating_query
from rulewright.ir import QueryDef
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.game_columns import ENDING_COLUMN, FAILED, STATUS_COLUMN, GameColumns
from rulewright_lab.experiments.columns.wanted import DEAD_TURNS, DRAMA, TIME, TURNS, Curve, Standing, Wanted
from rulewright_lab.experiments.estimates import game_tree, luck, skill
from rulewright_lab.experiments.estimates.estimator import Estimator
from rulewright_lab.experiments.observers import CourseWalk, Observer
from rulewright_lab.experiments.observers.answers import AnswerObserver
from rulewright_lab.experiments.observers.curves import CurveObserver, series_name
from rulewright_lab.experiments.observers.drama import DramaObserver, by_query, by_search, names_of
from rulewright_lab.experiments.observers.turns import TurnObserver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

RESAMPLES, RATED_RESAMPLES = 2000, 1000
FEWEST, FEWEST_ROUNDS = 20, 5
"""Games and rounds of which an interval is given."""
SHARE = "share"


class ExtraColumns:
    """Finds them for the games of an arm."""

    def __init__(self, arm: Arm, wanted: Wanted, queries: dict[str, QueryDef], most: int, first: int) -> None:
        """`queries` are those of the rules that can be asked; `first` is the first seed of the experiment."""
        self._arm, self._wanted = arm, wanted.of(arm.recorded)
        self._queries, self._most, self._first = queries, most, first
        self._curves = tuple(curve for curve in wanted.curves if not self._missing(curve))

    # ------------------------------------------------------------------------------------------ what there is

    def missing(self) -> dict[str, RulesetError]:
        """All that is requested and the arm does not have, with what there is."""
        found: dict[str, RulesetError] = {}
        for curve in self._wanted.curves:
            if error := self._missing(curve):
                found[str(curve)] = error
        for standing in self._wanted.standings:
            if error := self._unfit(standing):
                found[f"{DRAMA}({standing})"] = error
        return found

    def _missing(self, curve: Curve) -> RulesetError | None:
        rules = self._arm.game.rule_names
        if curve.query not in self._queries:
            hint = did_you_mean(curve.query, self._queries) or f"there are {listing([*self._queries], 30)}"
            problem = f"`{curve.query}` is no query about the game or a player of `{self._arm.name}`"
            return wrong(f"`{curve}`: {problem}", hint)
        if curve.rule not in rules:
            hint = did_you_mean(curve.rule, rules) or f"there are {listing([*rules], 30)}"
            return wrong(f"`{curve}`: `{self._arm.name}` has no rule `{curve.rule}`", hint)
        return None

    def _unfit(self, standing: Standing) -> RulesetError | None:
        try:
            if standing.searches:
                by_search(self._arm.game, standing.word)
            else:
                rating_query(self._arm.game.engine, DRAMA, standing.word)
        except RulesetError as error:
            return error
        return None

    @property
    def units(self) -> dict[str, str]:
        """The measures of single games among them, each with its unit."""
        found: dict[str, str] = {}
        for standing in self._standings:
            found |= names_of(standing)
        if self._wanted.turns:
            found |= {TURNS: TURNS, DEAD_TURNS: SHARE}
        return found | ({TIME: "seconds"} if self._wanted.time else {})

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the curves."""
        found: list[str] = []
        for curve in self._curves:
            seats = range(self._arm.game.players) if self._queries[curve.query].params else (None,)
            found += [series_name(curve, seat) for seat in seats]
        return tuple(found)

    @property
    def counts_answers(self) -> bool:
        """True if options are counted."""
        return self._wanted.answers

    @property
    def estimators(self) -> tuple[Estimator, ...]:
        """The estimates from them."""
        found = []
        if self._wanted.luck:
            columns = luck.columns_of(self._arm.game.players)
            found.append(
                Estimator(dict.fromkeys(luck.NAMES, SHARE), columns, luck.indices, luck.GAMES, RESAMPLES, FEWEST)
            )
        for contest in self._wanted.contests:
            units = dict.fromkeys(skill.names_of(contest), "elo")
            columns = skill.columns_of(contest)
            more = skill.imagined(contest, self._arm.game.players)
            found.append(Estimator(units, columns, skill.ratings, contest.rounds, RATED_RESAMPLES, FEWEST_ROUNDS, more))
        if self._wanted.tree:
            units = dict.fromkeys(game_tree.NAMES, "log10")
            found.append(Estimator(units, game_tree.COLUMNS, game_tree.sizes, game_tree.GAMES, RESAMPLES, FEWEST))
        return tuple(found)

    # ------------------------------------------------------------------------------------------ finding them

    def columns(self, games: GameColumns) -> dict[str, Column]:
        """The columns of some games; NaN where there is nothing of one."""
        import numpy as np

        found: dict[str, Column] = {name: np.full(len(games), np.nan) for name in self.units}
        if self._wanted.rows:
            found |= {STATUS_COLUMN: games.status.astype(float), ENDING_COLUMN: games.ending.astype(float)}
        if not self._wanted.looks_at_games:
            return found  # then games are not looked at one by one
        for number, seed in enumerate(games.seeds):
            for name, value in self._of_game(games, number, seed).items():
                if name not in found:
                    found[name] = np.full(len(games), np.nan)
                found[name][number] = value
        return found

    def _of_game(self, games: GameColumns, number: int, seed: int) -> dict[str, float]:
        found: dict[str, float] = {}
        if self._wanted.observes and games.status[number] != FAILED:
            played = games.courses[number].played if games.courses else None
            answers = played.answers if played is not None and self._arm.agents else None
            found |= self._walk.seen(self._arm.seed_of(seed), int(games.decisions[number]), answers)
        nth = seed - self._first
        if self._wanted.luck and nth < luck.GAMES and games.finished[number]:
            found |= self._luck.columns(seed, [float(row[number]) for row in games.payoffs])
        for contest, player in zip(self._wanted.contests, self.contests, strict=True):
            if nth < contest.rounds:
                found |= player.columns(seed)
        if self._wanted.tree and nth < game_tree.GAMES:
            found |= self._tree.columns(seed)
        return found

    @cached_property
    def _standings(self) -> tuple[Standing, ...]:
        return tuple(one for one in self._wanted.standings if not self._unfit(one))

    @cached_property
    def _walk(self) -> CourseWalk:
        game, observers = self._arm.game, list[Observer]()
        for curve in self._curves:
            observers.append(CurveObserver(game, curve, bool(self._queries[curve.query].params)))
        for standing in self._standings:
            rate = by_search(game, standing.word) if standing.searches else by_query(standing.word)
            observers.append(DramaObserver(standing, rate))
        if self._wanted.answers:
            observers.append(AnswerObserver(game))
        if self._wanted.turns:
            observers.append(TurnObserver())
        return CourseWalk(game, observers, tuple(one.word for one in self._standings if not one.searches))

    @cached_property
    def _luck(self) -> luck.LuckPlayer:
        return luck.LuckPlayer(self._arm, self._most)

    @cached_property
    def contests(self) -> tuple[skill.ContestPlayer, ...]:
        """Players of rounds of tournaments; RulesetError if there is no such agent."""
        return tuple(skill.ContestPlayer(self._arm, contest, self._most) for contest in self._wanted.contests)

    @cached_property
    def _tree(self) -> game_tree.TreeProbe:
        return game_tree.TreeProbe(self._arm.game, self._most)


def require(arms: Sequence[ExtraColumns]) -> None:
    """RulesetError if no arm has something that is requested: a variant may bring what the others do not have."""
    each = [one.missing() for one in arms]
    for name, error in each[0].items():
        if all(name in one for one in each):
            raise error
    for one in arms:
        _ = one.contests
