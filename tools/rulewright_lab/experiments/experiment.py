"""An experiment: arms that are played with equal seeds, and compared with the first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.foundation import __version__, dataclass
from rulewright.host import Jobs, defer_interrupts, scope
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.measures import MeasureReader, askable, family
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.columns.wanted import ROWS, Wanted
from rulewright_lab.experiments.extra_results import ExtraResults
from rulewright_lab.experiments.playing.extra_columns import ExtraColumns, require
from rulewright_lab.experiments.playing.game_player import MOST, GamePlayer
from rulewright_lab.experiments.playing.portions import Cutter, PortionPlayer
from rulewright_lab.experiments.playing.rounds import Rounds
from rulewright_lab.experiments.results import ArmResults, Results
from rulewright_lab.experiments.statistics.stopping import Aim, Stopping

GAMES, MOST_GAMES = 1000, 100_000
"""Games of each arm, by default; and the most of them if it is waited for something."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Games to be played, and measures of them."""

    arms: tuple[Arm, ...]
    games: int = GAMES
    """For each arm, or the most of them; game number *i* of each has seed ``seed + i``."""
    seed: int = 0
    measures: tuple[str, ...] = ()
    """Measures that are wanted, by name or family; none for all but queries that are no measures."""
    most: int = MOST
    until: str = ""
    """The aim that ends it, as ``wins(seat 1) ± 1%``; none: all games are played."""
    rows: bool = False
    """True if tables of games are written, so how each has ended is kept."""
    people: tuple[Arm, ...] = ()
    """Arms whose games were played before: they stand behind the others."""
    about: str = ""
    """The question that it is to answer, in words."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """The measures to be found: if only some are, also those that are waited for."""
        measures = (*self.measures, ROWS) if self.rows else self.measures
        names = Wanted.read(measures).names
        if not self.until or not names:
            return measures
        name = Aim.read(self.until).name
        return measures if family(name) in names else tuple(dict.fromkeys((*measures, name)))

    def begin(self) -> Results:
        """Results without a game; RulesetError if the request is wrong."""
        if self.games < 1:
            raise wrong("an experiment without a game shows nothing", "play 1 or more, better 1000")
        if not self.arms:
            raise wrong("an experiment needs an arm", "name a ruleset")
        wanted = Wanted.read(self.wanted)
        for name in (*wanted.names, *wanted.uses):  # a variant may bring one that the others do not have
            if not any(_has(arm, name) for arm in self.arms):
                MeasureReader(self.arms[0]).require(name)
        extras = [ExtraColumns(arm, wanted, askable(arm), self.most, self.seed) for arm in self._all]
        require(extras)
        units = self._units()
        stopping = (
            Stopping(Aim.read(self.until), self.arms, units[: len(self.arms)], self.games, self.seed)
            if self.until
            else None
        )
        each = [ArmResults(arm, one) for arm, one in zip(self._all, units, strict=True)]
        return Results(each, self.seed, ExtraResults(extras, self.seed), stopping)

    @property
    def _all(self) -> tuple[Arm, ...]:
        return (*self.arms, *self.people)

    def _units(self) -> list[dict[str, str]]:
        """The measures of single games of each arm, each with its unit."""
        wanted = Wanted.read(self.wanted)
        return [
            MeasureReader(arm, wanted).units | ExtraColumns(arm, wanted, askable(arm), self.most, self.seed).units
            for arm in self._all
        ]

    def run(
        self,
        results: Results,
        jobs: Jobs = 1,
        tell: Callable[[int], None] | None = None,
        journal: str | Path | None = None,
        hear: Callable[[int, PortionColumns], None] | None = None,
    ) -> None:
        """Play all games, or as many as are needed, and take them into the results; `tell` gets their number.

        With the file of a `journal` what it has already is not played again, and what is played is kept there. `hear`
        is given every portion with its arm, those of the journal too, each arm's in the order of their seeds.

        All arms have equally many games in the results, also if the work is stopped.
        """
        for number, one in enumerate(self.people, len(self.arms)):
            columns = GamePlayer(one, self.wanted, self.most, self.seed).play(self.seeds_of(one))
            results.add(number, columns)
            if hear is not None:
                hear(number, columns)
        done = 0
        waiting: dict[int, list[PortionColumns]] = {arm: [] for arm in range(len(self.arms))}
        """Games that some arms do not have yet."""
        player = PortionPlayer(self.arms, self.wanted, self.most, self.seed)
        border = None if results.stopping is None else results.stopping.border
        cutter = Cutter(dict(enumerate(self.arms)), self.seeds, border)
        with Rounds(player, self.seeds, jobs, journal, None if journal is None else self.identity()) as rounds:
            for arm, columns in rounds.round(cutter):
                with defer_interrupts():
                    rounds.keep(arm, columns)
                    waiting[arm].append(columns)
                    if len({sum(map(len, several)) for several in waiting.values()}) == 1:
                        _take_in(waiting, results)
                    done += len(columns)
                    known = results.stopping is not None and results.stopping.take(arm, columns)
                if hear is not None:
                    hear(arm, columns)
                if tell is not None:
                    tell(done)
                if known:
                    _take_in(waiting, results)
                    return
            rounds.finish()

    @property
    def seeds(self) -> range:
        """The seeds of each arm's games."""
        return range(self.seed, self.seed + self.games)

    def seeds_of(self, people: Arm) -> range:
        """The numbers of the games of an arm that were played before."""
        return range(self.seed, self.seed + people.recorded)

    def identity(self) -> dict[str, Any]:
        """All that its games follow from, as plain data."""
        return {
            "Rulewright": __version__,
            "seed": self.seed,
            "decisions": self.most,
            "steps": scope().steps,
            "until": Aim.read(self.until).text if self.until else "",
            "besides": [*Wanted.read(self.wanted).besides],
            "arm": [
                {**arm.identity(), "measure": [*units]} for arm, units in zip(self.arms, self._units(), strict=False)
            ],
        }


def _take_in(waiting: dict[int, list[PortionColumns]], results: Results) -> None:
    for arm, several in waiting.items():
        for columns in several:
            results.add(arm, columns)
        several.clear()


def _has(arm: Arm, name: str) -> bool:
    try:
        MeasureReader(arm).require(name)
    except RulesetError:
        return False
    return True
