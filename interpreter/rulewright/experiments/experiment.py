"""An experiment: arms that are played with equal seeds, and compared with the first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from rulewright.agents.words import wrong
from rulewright.diagnostics import RulesetError
from rulewright.experiments.arms import Arm
from rulewright.experiments.game_player import MOST
from rulewright.experiments.measures import MeasureReader
from rulewright.experiments.portions import Cutter, PortionPlayer, played
from rulewright.experiments.results import ArmResults, Results
from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Experiment:
    """Games to be played, and measures of them."""

    arms: tuple[Arm, ...]
    games: int = 1000
    """For each arm; game number *i* of each has seed ``seed + i``."""
    seed: int = 0
    measures: tuple[str, ...] = ()
    """Those that are wanted, by name or family; none for all but queries that are no measures."""
    most: int = MOST

    def begin(self) -> Results:
        """Results without a game; RulesetError if something is wrong with what was asked for."""
        if self.games < 1:
            raise wrong("an experiment without a game shows nothing", "play 1 or more, better 1000")
        if not self.arms:
            raise wrong("an experiment needs an arm", "name a ruleset")
        for name in self.measures:  # a variant may bring one that the others do not have
            if not any(_has(arm, name) for arm in self.arms):
                MeasureReader(self.arms[0]).require(name)
        readers = [MeasureReader(arm, self.measures) for arm in self.arms]
        return Results([ArmResults(arm, one.units) for arm, one in zip(self.arms, readers, strict=True)], self.seed)

    def run(self, results: Results, jobs: int = 1, tell: Callable[[int], None] | None = None) -> None:
        """Play all games, and take them into the results; `tell` hears how many there are now."""
        player = PortionPlayer(self.arms, self.measures, self.most)
        cutter = Cutter([self.seed] * len(self.arms), self.seed + self.games)
        done = 0
        with closing(played(player, cutter, jobs)) as found:
            for portion, columns in found:
                results.add(portion.arm, columns)
                done += len(columns)
                if tell is not None:
                    tell(done)


def _has(arm: Arm, name: str) -> bool:
    try:
        MeasureReader(arm).require(name)
    except RulesetError:
        return False
    return True
